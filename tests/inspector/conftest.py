"""Fixtures: a database with the demo portal and a hostile site, and the inspector on it."""

import shutil
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest
import uvicorn
from fastapi import FastAPI

from flong.article import Article
from flong.decision import Decision
from flong.demo import Portal
from flong.findings import Finding
from flong.inspector import create_app
from flong.links import page_links
from flong.page import Page
from flong.stages.exports import FORMATS
from flong.stages.extraction import extract
from flong.stages.learning import learn
from flong.stages.learning_settings import LearningSettings
from flong.stages.report import ClippingNews, NightReport, ReportedArticle
from flong.states import FindingKind
from flong.storage import ArticleVersion, PublishedPattern, Store, copy_database
from flong.storage.search import Clippings
from flong.urls import Scope
from tests.conftest import lacking
from tests.waiting import HANG_SECONDS, wait_until

SITE = "courier.example"
HOME = f"https://{SITE}/"
TRAP = "https://hostile.example/"
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
ATTACK = (Path(__file__).parent / "attack.html").read_text(encoding="utf-8")
NEWSLETTERS = (
    "It rained all night.\nTrains were late.",
    "It snowed all night.\nTrains were late.",
    "It snowed all night.\nBuses were late.\nSchools <b>stay</b> closed.",
)
"""An article that is edited twice."""
PUBLISHED = [
    PublishedPattern(number=1, vertices=3, wildcards=1, text="body\n  h1\n    +\n"),
    PublishedPattern(number=2, vertices=2, wildcards=0, text='body\n  text "<b>Imprint</b>"\n'),
]
"""Patterns of Reis et al. of each site."""
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def pages_of_portal(portal):
    scope = Scope.of(HOME)
    for path in [*portal.others(), *(true.path for true in portal.truth())]:
        html, url = portal.get(path).text, HOME.rstrip("/") + path
        depth = 0 if path == "/" else path.strip("/").count("/") + 1
        links = page_links(html, url, scope)
        yield Page(url=url, html=html, fetched_at=NOON, depth=min(depth, 3), links=links)


def pages_of_trap(canary):
    for number in range(6):
        html = ATTACK.replace("CANARY", canary).replace("NUMBER", f"number {number}")
        path = "" if not number else f"{number}/<script>alert(1)</script>"
        yield Page(url=TRAP + path, html=html, fetched_at=NOON, depth=min(number, 1))


def fill(store, home, pages):
    site = store.sites.add(home)
    run = store.runs.start(site, "crawl")
    store.pages.save(site, run, list(pages))
    store.pages.mark_failed(site, run, f"{home}broken", 500, "HTTP status 500", 1)
    store.runs.finish(run, "done")
    learn(store, site, LearningSettings())
    extract(store, site)
    store.templates.save_published(site, PUBLISHED)


def doubt(store, body):
    """Store a doubtful article with this text."""
    site, row = store.sites.find(HOME), store.pages.find(f"{HOME}newsletter")
    article = Article(url=row.url, title="Newsletter", body=body, confidence=0.4, method="fallback")
    decision = Decision(
        page_id=row.id,
        content_hash=row.content_hash,
        model_version=store.templates.model_version(site),
        verdict="article",
        reason="a test says so",
        article=article,
    )
    store.extractions.save(site, store.runs.start(site, "extract"), [decision], edit)


def edit(decision, old, time):
    """Store the earlier article as a version."""
    before = old and old.article
    version = before and ArticleVersion(
        title=before.title,
        body=before.body,
        seen_from=old.changed_at,
        seen_until=time,
        changes="some words",
    )
    return decision, version


@pytest.fixture(scope="session")
def canary():
    """URL of a server that must get no request, and its requests."""
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def portal():
    return Portal(articles=40)


@dataclass(frozen=True)
class Served:
    """The inspector of a filled database, which tests must not change."""

    database: str
    store: Store
    app: FastAPI
    address: str
    client: httpx.Client


@pytest.fixture(scope="session")
def inspectors(new_database, portal, canary):
    """Return a function that opens the inspector of a dialect on a copied database."""
    with ExitStack() as stack:

        @cache
        def of(dialect):
            url = new_database(dialect)
            with Store.open(url) as filled:
                if dialect == "sqlite":
                    fill_all(filled, portal, canary)
                else:
                    copy_database(of("sqlite").store, filled)
            store = stack.enter_context(Store.open(url))
            app = create_app(store, writers=FORMATS)
            address = stack.enter_context(served(app))
            client = stack.enter_context(httpx.Client(base_url=address, timeout=HANG_SECONDS))
            return Served(url, store, app, address, client)

        yield of


def fill_all(store, portal, canary):
    """Store a learned site with a night, and a hostile site."""
    fill(store, HOME, pages_of_portal(portal))
    for body in NEWSLETTERS:
        doubt(store, body)
    night = store.runs.start(store.sites.find(HOME), "nightly")
    finding = Finding(kind=FindingKind.NIGHT_FAILED, site=SITE, detail="Pattern <b>1</b> drifted.")
    row = next(store.articles.all(store.sites.find(HOME), limit=1))
    told = ReportedArticle(url=row.article.url, title=row.article.title, page=row.page_id)
    news = ClippingNews(name="rain & snow", new=3, articles=[told])
    report = NightReport(site=SITE, run=night.id, findings=[finding], clippings=[news])
    store.nights.save_report(night, report.to_json(), needs_attention=True)
    Clippings(store).save("rain & snow", "newsletter")
    store.runs.finish(night, "done")
    fill(store, TRAP, pages_of_trap(canary[0]))


@pytest.fixture
def inspector(inspectors, dialect):
    return inspectors(dialect)


@pytest.fixture
def database(inspector):
    return inspector.database


@pytest.fixture
def store(inspector):
    return inspector.store


@pytest.fixture
def address(inspector):
    return inspector.address


@pytest.fixture
def client(inspector):
    return inspector.client


@contextmanager
def served(app):
    """Serve an application on loopback while the block runs; give its address."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    wait_until(lambda: server.started or not thread.is_alive())
    assert server.started
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def asking(app):
    """Serve an application; yield a client."""
    with served(app) as url, httpx.Client(base_url=url, timeout=HANG_SECONDS) as client:
        yield client


@pytest.fixture
def empty_client(new_database, dialect):
    """Client of the inspector of an empty database."""
    with Store.open(new_database(dialect)) as store, asking(create_app(store)) as opened:
        yield opened


@pytest.fixture
def articles(store):
    """Articles of the portal read by a pattern."""
    site = store.sites.find(HOME)
    return [row for row in store.articles.all(site) if row.article.method == "pattern"]


@pytest.fixture(scope="module")
def browser():
    """A browser per module; while it is open, this thread cannot use asyncio otherwise."""
    if CHROMIUM is None:
        lacking("Chromium")
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield PatientBrowser(opened)
        opened.close()


@dataclass(frozen=True)
class PatientBrowser:
    """Chromium whose pages wait for a state until the hang deadline."""

    chromium: Any

    def new_context(self, **options):
        context = self.chromium.new_context(**options)
        context.set_default_timeout(HANG_SECONDS * 1000)
        return context


def finish_jobs(tab, jobs, site):
    """Wait for a site's jobs, and for the page to reload itself; return their states."""
    tab.wait_for_load_state()
    wait_until(lambda: all(job.is_over for job in jobs.of(site)))
    tab.locator("[data-live]").first.wait_for(state="detached")
    return [job.state.value for job in jobs.of(site)]


@pytest.fixture
def tab(browser, address):
    """A browser page that records requests, errors and dialogs."""
    context = browser.new_context(base_url=address, viewport={"width": 1300, "height": 900})
    page = context.new_page()
    page.asked, page.complaints, page.dialogs = [], [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on(
        "console",
        lambda message: page.complaints.append(message.text) if message.type == "error" else None,
    )
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("dialog", lambda dialog: (page.dialogs.append(dialog.message), dialog.dismiss()))
    yield page
    context.close()
