"""The demo portal and a hostile site, learned and extracted once; and the inspector on them."""

import shutil
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import httpx
import pytest
import uvicorn

from crawler import Scope, page_links
from demo import Portal
from inspector import create_app
from items import Article, Page
from pipeline.command import LearningSettings
from pipeline.exports import FORMATS
from pipeline.extraction import extract
from pipeline.learning import learn
from storage import ExtractionRow, Store

HOME = "https://courier.example/"
TRAP = "https://hostile.example/"
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
ATTACK = (Path(__file__).parent / "attack.html").read_text(encoding="utf-8")
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
    site = store.add_site(home)
    run = store.start_run(site, "crawl")
    store.save_pages(site, run, list(pages))
    store.mark_failed(site, run, f"{home}broken", 500, "HTTP status 500", 1)
    store.finish_run(run, "done")
    learn(store, site, LearningSettings())
    extract(store, site)


def doubt(store):
    """Let there be an article that needs a look."""
    site, row = store.find_site(HOME), store.page(f"{HOME}newsletter")
    article = Article(
        url=row.url, title="Newsletter", body="Every morning.", confidence=0.4, method="fallback"
    )
    decision = ExtractionRow(
        page_id=row.id,
        content_hash=row.content_hash,
        model_version=store.model_version(site),
        verdict="article",
        reason="a test says so",
        article=article,
    )
    store.save_extractions(site, store.start_run(site, "extract"), [decision])


@pytest.fixture(scope="session")
def canary():
    """A server that must never be asked for anything: its address, and what it was asked."""
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


@pytest.fixture(scope="session")
def database(tmp_path_factory, portal, canary):
    """Address of the database; tests must not change it."""
    url = f"sqlite:///{tmp_path_factory.mktemp('inspector') / 'flong.db'}"
    with Store.open(url) as store:
        fill(store, HOME, pages_of_portal(portal))
        doubt(store)
        night = store.start_run(store.find_site(HOME), "nightly")
        store.save_report(night, '{"look": ["Pattern <b>1</b> drifted."]}', needs_look=True)
        store.finish_run(night, "done")
        fill(store, TRAP, pages_of_trap(canary[0]))
    return url


@pytest.fixture(scope="session")
def store(database):
    with Store.open(database) as opened:
        yield opened


@pytest.fixture(scope="session")
def app(store):
    return create_app(store, writers=FORMATS)


@contextmanager
def served(app):
    """Serve an application on loopback while the block runs; give its address."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning"))
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.02)
        assert thread.is_alive()
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)


@pytest.fixture(scope="session")
def address(app):
    with served(app) as url:
        yield url


@contextmanager
def asking(app):
    """Serve an application; give something to ask it with."""
    with served(app) as url, httpx.Client(base_url=url, timeout=60) as client:
        yield client


@pytest.fixture(scope="session")
def client(address):
    with httpx.Client(base_url=address, timeout=60) as opened:
        yield opened


@pytest.fixture(scope="session")
def empty_client(tmp_path_factory):
    """The inspector of a database in which there is nothing."""
    path = tmp_path_factory.mktemp("empty") / "flong.db"
    with Store.open(f"sqlite:///{path}") as store, asking(create_app(store)) as opened:
        yield opened


@pytest.fixture(scope="session")
def articles(store):
    """Articles of the portal that a pattern gave."""
    site = store.find_site(HOME)
    return [row for row in store.articles(site) if row.article.method == "pattern"]


@pytest.fixture(scope="session")
def browser():
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def tab(browser, address):
    """A page of the browser that notes what it asks for, what it complains of, what pops up."""
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
