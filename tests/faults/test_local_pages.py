"""Hostile pages beside ordinary ones, in every command and view that reads pages."""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

import httpx
import pytest

from flong.baselines import EXTRACTORS
from flong.crawler import decode
from flong.demo import Portal
from flong.document import Document
from flong.inspector import create_app
from flong.links import page_links
from flong.page import Page
from flong.patterns import PARTLY, explain
from flong.stages.extraction import extract
from flong.stages.learning import learn
from flong.stages.learning_settings import LearningSettings
from flong.stages.page_reader import read_documents
from flong.stages.stored_pages import document_of, load_stored_model
from flong.storage import Store
from flong.urls import Scope
from flong.workers.pool import WorkerDied, each, worker_pool
from tests.faults.baits import RUNS, bait, read_all
from tests.inspector.conftest import asking
from tests.waiting import cpu_limit

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
HOME = "https://courier.example/"
SECONDS = 5
"""A thousand times what an ordinary page takes, a fiftieth of what the slow one would."""
LONG = "A title of many words " * 500
STORY = "".join(
    f"<p>Paragraph {n} of the story goes on about the rain in town.</p>" for n in range(9)
)


def nested(levels, inside=STORY):
    return (
        f"<title>Deep rain</title><h1>Deep rain</h1>{'<div>' * levels}{inside}{'</div>' * levels}"
    )


def wide(numbers):
    return "<title>Wide</title>" + "".join(f"<x{n}>rain {n}</x{n}>" for n in numbers)


PAGES = {
    "deep-300": nested(300),
    "deep-1000": nested(1_000),
    "deep-5000": nested(5_000),
    "deep-spans": nested(0, "<b><i>" * 2_500 + "rain"),
    "bottomless": nested(0, "<section>" * 30_000 + "rain"),
    "nodes": wide(range(50_000)),
    "nodes-again": wide(range(50_000, 0, -1)),
    "nul": f"<title>Rain\0 today</title><h1>Rain\0 today</h1>{STORY}\0",
    "halves": f"<title>Rain \ud800today</title><h1>Rain \ud800today</h1>{STORY}\udfff",
    "long-title": f"<title>{LONG}</title><h1>{LONG}</h1>{STORY}",
    "megabyte": f"<title>Big</title><p class='{'x' * 10**6}' id='{'y ' * 500_000}'>{STORY}",
    "slow": "<p" + "".join(f" a{n}=b" for n in range(400_000)) + ">rain",
}  # fmt: skip
"""What is strange, by the name of its page."""


@dataclass
class Harvest:
    """The site after learning and extraction."""

    store: Store
    client: httpx.Client
    url: str

    def row(self, name):
        return self.store.pages.find(HOME + name)

    def decision(self, name):
        return self.store.extractions.find(self.row(name).id)


@pytest.fixture(scope="module")
def harvest(tmp_path_factory):
    url = f"sqlite:///{tmp_path_factory.mktemp('strange') / 'flong.db'}"
    portal = Portal(articles=20)
    paths = [*portal.others(), *(true.path for true in portal.truth())]
    html = {path.strip("/"): portal.get(path).text for path in paths} | PAGES
    with Store.open(url) as store:
        site = store.sites.add(HOME)
        run = store.runs.start(site, "crawl")
        store.pages.save(
            site, run, [Page(url=HOME + p, html=h, fetched_at=NOON) for p, h in html.items()]
        )
        store.runs.finish(run, "done")
        learn(store, site, LearningSettings(page_seconds=SECONDS))
        extract(store, site, seconds=SECONDS)
        with asking(create_app(store)) as client:
            yield Harvest(store, client, url)


def test_too_slow_page_is_recorded_and_others_are_extracted(harvest):
    slow = harvest.decision("slow")
    assert (slow.verdict, slow.article) == ("failed", None)
    assert slow.reason == f"it cannot be read: it took more than {SECONDS} s"
    site = harvest.store.sites.all()[0]
    decided = list(harvest.store.extractions.of(site))
    assert len(decided) == len(list(harvest.store.pages.rows(site)))
    assert [row.page_id for row in decided if row.verdict == "failed"] == [slow.page_id]
    assert harvest.store.articles.count(site) >= 15


@pytest.mark.parametrize(
    ("name", "cut"),
    [("deep-300", False), ("deep-1000", False), ("deep-5000", True), ("bottomless", True)],
)
def test_too_deep_page_is_marked_as_partly_read(harvest, name, cut):
    assert harvest.decision(name).reason.endswith(PARTLY) == cut


def test_page_with_too_many_vertices_is_marked_as_partly_read(harvest):
    document = Document(page_id=1, content_hash="", url=HOME, data=b"<p>rain</p>" * 60_000)
    model = load_stored_model(harvest.store, harvest.store.sites.all()[0])
    assert read_documents([document], model, NOON)[0].reason.endswith(PARTLY)


@pytest.mark.parametrize("name", [name for name in PAGES if name != "slow"])
def test_every_hostile_page_is_extracted_explained_and_shown(harvest, name):
    row, decision = harvest.row(name), harvest.decision(name)
    assert decision.verdict in ("article", "other", "unmatched")
    model = load_stored_model(harvest.store, harvest.store.sites.all()[0])
    why = explain(model, document_of(row).page(), (), decision.extracted_at)
    assert why.decision.verdict == decision.verdict
    for address in (f"/pages/{row.id}", f"/pages/{row.id}/frame", f"/pages/{row.id}.json"):
        assert harvest.client.get(address).status_code == 200, address


@pytest.mark.parametrize(
    "name", ["deep-5000", "deep-spans", "bottomless", "megabyte", "long-title", "nul"]
)
def test_every_method_reads_hostile_pages(harvest, name):
    page = document_of(harvest.row(name)).page()
    for find in EXTRACTORS.values():
        assert len(find([page, page])) == 2


def test_too_slow_page_is_not_tried_again(harvest, scrapy):
    row = harvest.row("slow")
    assert "Not shown: " in harvest.client.get(f"/pages/{row.id}").text
    assert "rain" not in harvest.client.get(f"/pages/{row.id}/frame").text
    done = scrapy("explain", row.url, FLONG_DATABASE=harvest.url)
    assert (done.returncode, "it took more than" in done.stderr) == (1, True)


@pytest.mark.parametrize("name", ["nul", "halves"])
def test_nul_bytes_and_lone_surrogates_are_removed(harvest, name):
    html = harvest.row(name).html
    assert "\0" not in html
    html.encode()
    assert "<h1>Rain " in html
    shown = harvest.client.get(f"/pages/{harvest.row(name).id}").text
    assert "Rain" in shown


def test_a_title_of_ten_thousand_characters_is_stored(harvest):
    article = harvest.decision("long-title").article
    assert harvest.row("long-title").html.count(LONG.strip()) == 2
    assert article is None or article.title.startswith("A title of many words")


@pytest.mark.parametrize(
    ("data", "header", "encoding", "text"),
    [
        ("<p>café".encode(), None, "utf-8", "<p>café"),
        ("<p>café".encode("latin-1"), None, "windows-1252", "<p>café"),
        (b"<meta charset=utf-8>caf\xe9", None, "utf-8", "<meta charset=utf-8>caf\ufffd"),
        ("<meta charset=klingon><p>é".encode(), None, "utf-8", "<meta charset=klingon><p>é"),
        ("<p>東京".encode("shift_jis"), "text/html; charset=shift_jis", "shift_jis", "<p>東京"),
        ("\ufeff<meta charset=latin-1>é".encode(), None, "utf-8", "<meta charset=latin-1>é"),
        (b"", "text/html; charset=nonsense", "utf-8", ""),
    ],
)  # fmt: skip
def test_wrong_charset_is_replaced_by_the_best_guess(data, header, encoding, text):
    assert decode(data, header) == (encoding, text)


def test_a_crawl_does_not_wait_for_a_tag_of_400_000_attributes():
    html = f"<a href=/1>one</a>{PAGES['slow']}"
    with cpu_limit(30):
        assert [link.text for link in page_links(html, HOME, Scope.of(HOME))] == ["one"]
    links = [
        link.url for link in page_links(PAGES["megabyte"] + "<a href=/2>", HOME, Scope.of(HOME))
    ]
    assert links == [f"{HOME}2"]


def test_reading_time_is_linear_on_regex_baits(harvest):
    model = load_stored_model(harvest.store, harvest.store.sites.all()[0])
    pages = {bait(run): run for run in RUNS}
    with worker_pool() as pool:
        found = pool.map(each(partial(read_all, model)), pages, seconds=8)
        slow = [pages[page] for page, answer in found if isinstance(answer, WorkerDied)]
    assert slow == []
