"""The add-on in somebody else's Scrapy project."""

import asyncio
import json
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

import flong
from benchmarks.corpus import find_sites
from flong.demo import Portal, Serving, serve
from flong.storage import ArticleChoice
from tests.flong.pages import portal_pages
from tests.ports import reserved_port

pytest.importorskip("scrapy_poet")
from scrapy.http import HtmlResponse
from web_poet import HttpResponse, PageParams
from web_poet.serialization import deserialize_leaf, serialize_leaf

from flong.poet import ArticlePage, KnownSite, load_model
from flong.storage import SiteSettings, Store

ROOT = Path(__file__).parents[2]
SCRAPY = Path(sys.executable).with_name("scrapy")
SERVER = ROOT.parent / "shared" / "tools" / "serve.py"
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
AT_ONCE = ("-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False")
SETTINGS = """
ADDONS = {"flong.poet.Addon": 500}
FLONG_DATABASE = "sqlite:///learned.db"

DOWNLOAD_DELAY = 0
HTTPCACHE_ENABLED = True
EXTENSIONS = {"spidermon.contrib.scrapy.extensions.Spidermon": 500}
SPIDERMON_ENABLED = True
SPIDERMON_MIN_ITEMS = 1
SPIDERMON_MAX_ERRORS = 0
SPIDERMON_ADD_FIELD_COVERAGE = True
SPIDERMON_FIELD_COVERAGE_RULES = {"Article/url": 1.0, "Article/metadata": 1.0}
SPIDERMON_SPIDER_CLOSE_MONITORS = ("spidermon.contrib.scrapy.monitors.SpiderCloseMonitorSuite",)
"""
SPIDER = """
import json
from pathlib import Path

import scrapy
from zyte_common_items import Article


class News(scrapy.Spider):
    name = "news"
    custom_settings = {"ROBOTSTXT_OBEY": False}

    async def start(self):
        for url, params in json.loads(Path("asked.json").read_text()):
            yield scrapy.Request(url, self.parse_article, meta={"page_params": params})

    def parse_article(self, response, article: Article):
        yield article
"""


def foreign():
    """Return the environment of an unrelated project."""
    own = {name: value for name, value in os.environ.items() if name != "SCRAPY_SETTINGS_MODULE"}
    return own | {"PYTHONPATH": str(ROOT)}


@dataclass
class Project:
    """A project that `scrapy startproject` has made, with a database of flong beside it."""

    folder: Path

    @property
    def database(self):
        return self.folder / "learned.db"

    def scrapy(self, *words, check=0):
        command = [str(word) for word in (SCRAPY, *words)]
        done = subprocess.run(
            command, cwd=self.folder, env=foreign(), check=False, capture_output=True, text=True
        )
        assert done.returncode == check, done.stdout + done.stderr
        return done

    def articles(self, asked):
        """Return the spider's items by URL, and Scrapy's log."""
        (self.folder / "asked.json").write_text(json.dumps(list(asked)))
        done = self.scrapy("crawl", "news", "-O", "articles.jsonl")
        lines = (self.folder / "articles.jsonl").read_text(encoding="utf-8").splitlines()
        return {row["url"]: row for row in map(json.loads, lines)}, done.stderr


def learn(project, scrapy, url):
    """Crawl and learn a site with flong; return its pages and its articles, by URL."""
    environment = {"FLONG_DATABASE": f"sqlite:///{project.database}", "FLONG_LEARN": "1"}
    done = scrapy("crawl", "site", "-a", f"url={url}", *AT_ONCE, **environment)
    assert done.returncode == 0, done.stderr
    with flong.open(project.database) as database:
        store, site = database.store, database.store.sites.find(url)
        rows = store.articles.chosen(ArticleChoice(sites=(site,), every_page=True))
        return store.pages.urls(site), {row.article.url: row.article for row in rows}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Somebody else's project."""
    project = Project(tmp_path_factory.mktemp("theirs"))
    project.scrapy("startproject", "theirs", project.folder)
    with (project.folder / "theirs" / "settings.py").open("a") as file:
        file.write(SETTINGS)
    (project.folder / "theirs" / "spiders" / "news.py").write_text(SPIDER)
    return project


def is_same(item, article):
    """Return whether an item equals the article that `scrapy extract` stored."""
    stamp = article.published and article.published.strftime("%Y-%m-%dT%H:%M:%SZ")
    authors = [author["name"] for author in item["authors"] or ()]
    image = item["mainImage"] and item["mainImage"]["url"]
    found = (item["headline"], item["articleBody"], item["datePublished"], authors, image)
    more = (item["inLanguage"], item["description"], item["canonicalUrl"])
    return (*found, *more, item["metadata"]["probability"]) == (
        article.title or None,
        article.body or None,
        stamp,
        list(article.authors),
        article.image,
        article.language,
        article.description,
        article.canonical_url,
        pytest.approx(article.confidence, abs=1e-6),
    )


def compare(items, urls, articles):
    """Compare all items with the stored articles of the same pages."""
    assert items.keys() >= set(urls)
    assert len(articles) > 20
    assert [url for url in articles if not is_same(items[url], articles[url])] == []
    others = [items[url]["metadata"]["probability"] for url in urls if url not in articles]
    assert others
    assert not any(others)


@dataclass
class Learned:
    """The demo portal, learned by flong, and served."""

    portal: Portal
    site: Serving
    urls: list[str]
    articles: dict[str, flong.Article]


@pytest.fixture(scope="module")
def learned(project, scrapy):
    portal = Portal()
    with serve(portal) as site:
        yield Learned(portal, site, *learn(project, scrapy, site.url))


def test_a_spider_gets_the_articles_that_extract_stores(project, learned):
    items, said = project.articles((url, {}) for url in learned.urls)
    compare(items, learned.urls, learned.articles)
    assert f"'flong/poet/learned': {len(learned.urls)}" in said
    assert "Error downloading" not in said
    assert "FAILED" not in said  # in spidermon's report
    # The second time from the cache, without a request.
    asked = len(learned.site.log)
    some = list(learned.articles)[:5]
    again, said = project.articles((url, {}) for url in some)
    assert all(is_same(again[url], learned.articles[url]) for url in some)
    assert len(learned.site.log) == asked


def test_unknown_pages_are_not_errors(project, learned):
    elsewhere = Portal(articles=3, seed=5)
    story = next(each for each in elsewhere.truth() if each.kind == "story")
    known = {each.path for each in learned.portal.truth()}
    later = learned.portal.with_changes(new=1)
    (new,) = [each for each in later.truth() if each.path not in known]
    learned.site.portal = later
    with serve(elsewhere) as unknown:
        unseen, alone = f"{learned.site.url}{new.path}", f"{unknown.url}{story.path}"
        picture = f"{unknown.url}/pictures/0-0.png"
        asked = [(unseen, {"anchors": [new.title]}), (alone, {}), (picture, {})]
        items, said = project.articles(asked)
    assert items[unseen]["headline"] == new.title
    assert items[alone]["headline"] == story.title
    assert 0 < items[alone]["metadata"]["probability"] <= 1
    assert picture not in items or items[picture]["metadata"]["probability"] == 0
    assert "read one by one, without templates: No site" in said
    assert "Error downloading" not in said


def test_a_fixture_is_saved_and_passes(project, learned):
    url = next(iter(learned.articles))
    said = project.scrapy("savefixture", "flong.poet.ArticlePage", url).stderr
    assert "The test fixture has been written" in said
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "fixtures"]
    done = subprocess.run(
        command, cwd=project.folder, env=foreign(), check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@contextmanager
def served(site):
    """Serve one of the real sites on loopback; give its URL."""
    root, slug = site.folder.parent, site.folder.name
    with reserved_port() as port:
        command = [sys.executable, str(SERVER), slug, str(port), "--root", str(root)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert "serving" in server.stdout.readline()
                yield f"http://127.0.0.1:{port}/"
            finally:
                server.terminate()


def test_a_real_site_is_read_alike(project, scrapy):
    sites = find_sites(["malilive"])
    if not sites or not SERVER.exists():
        pytest.skip("no sites, or nothing that serves them: set FLONG_SITES")
    with ExitStack() as stack:
        served_at = [stack.enter_context(served(site)) for site in sites]
        stored = [learn(project, scrapy, url) for url in served_at]
        items, said = project.articles((url, {}) for urls, _ in stored for url in urls)
    for urls, articles in stored:
        compare(items, urls, articles)
    assert "FAILED" not in said


@pytest.fixture(scope="module")
def pages():
    return portal_pages(Portal(articles=30))


@pytest.fixture(scope="module")
def model(pages):
    return flong.learn(pages)


def item_of(url, html, model, content_type="text/html", **params):
    """Make the page object by hand, as a test of somebody else does."""
    response = HttpResponse(url, html.encode(), headers={"Content-Type": content_type})
    site = KnownSite(url=url, seen=NOW, model=model)
    page = ArticlePage(response=response, known_site=site, page_params=PageParams(params))
    return asyncio.run(page.to_item())


def test_texts_of_links_come_from_the_model_or_from_page_params(model, pages):
    """A page without names of its own, whose headline is not where others have it."""
    forgetful = replace(model, anchors={})
    url, html = next((url, html) for url, html in pages if "/city/2" in url)
    title = model.read(url, html).title
    assert title in [anchor.text for anchor in model.anchors[url]]
    nameless = re.sub(r"<title>.*?</title>|<meta[^>]*title[^>]*>", "", html)
    moved = re.sub(r"(<h1[^>]*>).*?</h1>", rf"\1Notice</h1><p>{title}</p>", nameless)
    assert item_of(url, moved, forgetful).headline == "Notice"
    assert item_of(url, moved, model).headline == title
    assert item_of(url, moved, forgetful, anchors=[title]).headline == title


def test_one_text_of_a_link_need_not_be_a_list(model, pages):
    url, html = next((url, html) for url, html in pages if model.read(url, html))
    known, said = replace(model, anchors={}), model.read(url, html).title
    one, several = (item_of(url, html, known, anchors=given) for given in (said, [said]))
    assert one.headline == several.headline == said


def test_all_fields_of_flong_are_provided(model, pages):
    url, html = next((url, html) for url, html in pages if "/city/2" in url)
    item = item_of(url, html, model)
    lacking = [name for name in item.__attrs_attrs__ if getattr(item, name.name) is None]
    assert {name.name for name in lacking} <= {"breadcrumbs", "videos", "audios"}
    assert item.images[0] == item.mainImage
    assert item.metadata.dateDownloaded == "2026-05-01T12:00:00Z"
    assert item.articleBodyHtml.startswith("<p>")


@pytest.mark.parametrize(
    ("url", "content_type"),
    [
        ("http://courier.example/about", "text/html"),
        ("http://courier.example/paper.pdf", "application/pdf"),
        ("http://elsewhere.example/", "text/html"),
    ],
)
def test_other_pages_have_probability_0(model, pages, url, content_type):
    html = dict(pages).get(url, "")
    item = item_of(url, html, model, content_type)
    assert (item.url, item.metadata.probability, item.headline) == (url, 0.0, None)


def test_a_page_without_a_site_is_read_as_a_single_page(pages):
    url, html = next((url, html) for url, html in pages if "/city/2" in url)
    assert item_of(url, html, None).headline == flong.read(url, html).title
    assert item_of("file:///tmp/a.html", html, None).metadata.probability == 0


def test_a_known_site_survives_a_fixture(model, pages):
    url, html = next((url, html) for url, html in pages if model.read(url, html))
    files = serialize_leaf(KnownSite(url=url, seen=NOW, model=model))
    again = deserialize_leaf(KnownSite, files)
    assert again.read(html, ()) == model.read(url, html)
    assert again.seen == NOW
    assert list(again.model.anchors) == [url]
    assert (
        deserialize_leaf(KnownSite, serialize_leaf(KnownSite(url=url, seen=NOW, model=None))).model
        is None
    )


def outdate(file):
    with closing(sqlite3.connect(file)) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()


def forget(file):
    with closing(sqlite3.connect(file)) as database:
        database.execute("DELETE FROM models")
        database.commit()


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (Path.unlink, "There is no database"),
        (outdate, "was written by a newer version of flong"),
        (forget, "courier.example has not been learned yet. Run: flong learn courier.example"),
        (lambda file: file.write_text("no database"), "cannot be read: file is not a database."),
    ],
)
def test_an_unusable_database_is_reported_once(tmp_path, caplog, pages, spoil, sentence):
    file = tmp_path / "flong.db"
    with Store.open(f"sqlite:///{file}") as store:
        store.sites.add("http://courier.example/")
    spoil(file)
    url, html = pages[0]
    response = HtmlResponse(url, body=html.encode(), encoding="utf-8")
    assert load_model(f"sqlite:///{file}", response) is None
    (record,) = caplog.records
    assert sentence in record.getMessage()
    assert "\n" not in record.getMessage()


def test_subdomain_belongs_to_its_site_on_request(tmp_path):
    with Store.open(f"sqlite:///{tmp_path / 'flong.db'}") as store:
        store.sites.add("https://paper.example.com/", SiteSettings(subdomains=True))
        store.sites.add("https://other.example.org/")
    with flong.open(tmp_path / "flong.db") as database:
        assert database.site_of("https://sport.example.com/1").name == "paper.example.com"
        with pytest.raises(flong.FlongError, match="No site"):
            database.site_of("https://sport.example.org/1")


MISSING = """
import sys
sys.modules["scrapy_poet"] = None
import flong.poet
"""


def test_without_the_extra_an_error_has_the_command():
    command = [sys.executable, "-c", MISSING]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=foreign())
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "ModuleNotFoundError: flong.poet needs scrapy_poet, which is not installed: "
        "pip install 'flong[poet]'"
    )
