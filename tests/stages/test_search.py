"""Search, stories and clippings as a user asks for them."""

import json
from datetime import UTC, datetime

import pytest
from lxml import etree

from flong.article import Article
from flong.decision import Decision
from flong.page import Page
from flong.search.clippings import new_clippings
from flong.stages.report import NightReport, show_reports, write_html
from flong.storage import Store
from flong.storage.search import Clippings, SearchIndex

FLOOD = "A river rose by two metres in the night and the bridge of Linden was closed. " + " ".join(
    f"Detail {number} of the flood was reported by witness {number * 7}." for number in range(30)
)
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def article(title, body, **fields):
    return Article(url="", title=title, body=body, **fields)


def add(store, host, articles):
    site = store.sites.add(f"https://{host}/")
    run = store.runs.start(site, "crawl")
    pages = [
        Page(url=f"https://{host}/{name}", html=f"<p>{name}", fetched_at=NOON) for name in articles
    ]
    store.pages.save(site, run, pages)
    ids = {row.url: row.id for row in store.pages.rows(site)}
    rows = [
        Decision(
            page_id=ids[page.url],
            content_hash="x",
            model_version=1,
            verdict="article",
            reason="a test says so",
            article=article,
        )
        for page, article in zip(pages, articles.values(), strict=True)
    ]
    store.extractions.save(site, run, rows)
    SearchIndex(store).find_stories()
    return site, run


@pytest.fixture(scope="module")
def shell(scrapy, tmp_path_factory):
    database = f"sqlite:///{tmp_path_factory.mktemp('search') / 'flong.db'}"
    with Store.open(database) as store:
        flood = Article(url="", title="Flood in Linden", body=FLOOD, language="en", published=NOON)
        add(store, "agency.example", {"flood": flood})
        copied = Article(url="", title="Linden under water", body=FLOOD + " More soon.")
        other = Article(url="", title="東京の天気\x1b[31m", body="東京は晴れです。大阪は雨です。")
        add(store, "paper.example", {"copied": copied, "tokyo": other})

    def run(*words):
        return scrapy(*words, FLONG_DATABASE=database)

    return run


def rows(done):
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_search_shows_one_result_per_story(shell):
    done = shell("search", "bridge", "linden")
    assert done.returncode == 0
    assert "the bridge of Linden was closed" in " ".join(done.stdout.split())
    assert "also " in done.stdout
    assert "100% shared" in done.stdout
    (row,) = rows(shell("search", "bridge", "--json"))
    assert len(row["copies"]) == 1
    assert row["copies"][0]["shared"] == 1.0
    assert row["body"] == FLOOD or row["body"].startswith(FLOOD)


def test_search_all_shows_every_article(shell):
    assert len(rows(shell("search", "bridge", "--all", "--json"))) == 2
    assert len(rows(shell("search", "bridge", "--all", "--json", "--limit", 1))) == 1


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("東京", ["東京の天気\x1b[31m"]),
        ("bridge site:agency.example", ["Flood in Linden"]),
        ("bridge language:en", ["Flood in Linden"]),
        ("bridge -title:flood", ["Linden under water"]),
        ("bridge until:2020", []),
        ('") OR *', []),
    ],
)
def test_query_filters_narrow_results(shell, query, titles):
    assert [row["title"] for row in rows(shell("search", query, "--json"))] == titles


def test_search_suggests_spellings_and_strips_escape_sequences(shell):
    assert "Did you mean: bridge" in shell("search", "brigde").stderr
    assert "\x1b[31m" not in shell("search", "東京").stdout


def test_stories_show_their_origin(shell):
    (story,) = rows(shell("stories", "--json"))
    assert [each["site"] for each in story["articles"]] == ["agency.example", "paper.example"]
    assert "Flood in Linden (2 articles)" in shell("stories").stdout
    lineage = rows(shell("stories", "--story", story["story"], "--json"))
    assert [each["relation"] for each in lineage] == ["first", "syndicated"]
    assert lineage[1]["copied"] > 0.9


def test_clippings_are_added_shown_and_removed(shell):
    assert shell("clippings", "show", "water").returncode == 2
    assert (
        shell("clippings", "add", "water", "title:linden", "--site", "paper.example").returncode
        == 0
    )
    (row,) = rows(shell("clippings", "--json"))
    assert (row["clipping"], row["query"], row["sites"]) == (
        "water",
        "title:linden",
        "paper.example",
    )
    (found,) = rows(shell("clippings", "show", "water", "--json"))
    assert found["title"] == "Linden under water"
    assert shell("clippings", "remove", "water").returncode == 0
    assert rows(shell("clippings", "--json")) == []


@pytest.mark.parametrize("words", [("add",), ("add", "x"), ("show",), ("nonsense",)])
def test_clipping_without_a_name_is_refused(shell, words):
    assert shell("clippings", *words).returncode == 2


def test_feeds_are_written_as_files(shell, tmp_path):
    path = tmp_path / "linden.xml"
    words = ("feed", "linden", "--full-text", "--url", "https://feeds.example/a", "--output", path)
    assert shell(*words).returncode == 0
    (item,) = etree.parse(path).iterfind(".//item")  # one a story, and that the earliest
    assert item.findtext("title") == "Flood in Linden"
    assert "Detail 29" in item.findtext("{http://purl.org/rss/1.0/modules/content/}encoded")
    shell("clippings", "add", "paper", "linden", "--site", "paper.example")
    made = json.loads(shell("feed", "--clipping", "paper", "--format", "json").stdout)
    assert [each["title"] for each in made["items"]] == ["Linden under water"]
    shell("clippings", "remove", "paper")
    assert shell("feed", "--clipping", "paper").returncode == 2


def test_night_reports_new_articles_of_clippings(capsys):
    with Store.open("sqlite://") as store:
        Clippings(store).save("rain", "rain")
        Clippings(store).save("elsewhere", "rain", ["other.example"])
        texts = {
            "a": Article(url="", title="Rain", body="Rain fell."),
            "b": Article(url="", title="Sun", body="None fell."),
        }
        night = store.runs.start(store.sites.add("https://news.example/"), "nightly")
        site, run = add(store, "news.example", texts)
        (told,) = new_clippings(store, site, night)
        assert (told.name, told.new, [each.title for each in told.articles]) == (
            "rain",
            1,
            ["Rain"],
        )
        report = NightReport(site=site.name, run=1, clippings=[told])
        assert NightReport.from_json(report.to_json()).clippings == [told]
        assert "Clipping rain: 1 new on news.example." in write_html([report])
        show_reports([report], as_json=False)
        assert "Clipping rain: 1 new on news.example." in capsys.readouterr().out
        assert new_clippings(store, site, run) == []
