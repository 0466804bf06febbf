"""View of a night."""

from itertools import groupby
from urllib.parse import quote

import pytest
from lxml import html as markup
from sqlalchemy import text

from flong.article import Article
from flong.decision import Decision
from flong.inspector import create_app
from flong.page import Page
from flong.stages.report import NightReport, ReportedArticle, write_html
from flong.storage import RunCounts, Store
from tests.inspector.conftest import HOME, NOON, asking, edit

SITE = "courier.example"


def test_home_is_last_night(client):
    assert client.get("/").headers["location"] == "/night"


def test_new_articles_have_excerpts_and_are_some_of_each_site(client, store):
    night = client.get("/night.json").json()
    assert night["is_last"]
    [new] = [each for each in night["new"] if each["site"] == SITE]
    assert new["total"] == store.articles.count(store.sites.find(HOME)) > len(new["articles"])
    document = markup.fromstring(client.get("/night").text)
    excerpts = document.xpath("//ul[@class='night']/li/p[last()]")
    assert all(each.text_content().strip() for each in excerpts)
    whole = client.get(f"/night.json?site={SITE}").json()
    assert len(whole["new"][0]["articles"]) == new["total"]
    assert {each["site"] for each in whole["sites"]} == {SITE}


def test_new_articles_of_a_site_stand_section_by_section(client):
    [new] = client.get(f"/night.json?site={SITE}").json()["new"]
    sections = [each["article"]["section"] or "" for each in new["articles"]]
    assert len(set(sections)) > 3
    parts = [section for section, _ in groupby(sections)]
    assert len(parts) == len(set(parts)), "no section comes twice"
    assert "" not in parts[:-1], "those without one come last"
    document = markup.fromstring(client.get(f"/night?site={SITE}").text)
    heads = document.xpath("//h3[@class='section']")
    assert [head.text_content() or "" for head in heads] == [
        part or "Without a section" for part in parts
    ]
    lists = document.xpath("//ul[@class='night']")
    assert [len(each) for each in lists] == [len(list(some)) for _, some in groupby(sections)]


def test_all_links_of_a_report_in_html_lead_to_views(client, address, articles):
    row, edited = (
        articles[0],
        ReportedArticle(url="", title="", changes="the title", page=articles[1].page_id),
    )
    report = NightReport(
        site=row.site,
        run=1,
        started="2026-05-01T00:00:00+00:00",
        pages={"new": 1},
        patterns=[{"pattern_id": row.pattern_id, "pages": 1}],
        fresh=[ReportedArticle(url=row.article.url, title=row.article.title, page=row.page_id)],
        edited=[edited, ReportedArticle(url=row.article.url, title="", changes="an old report")],
    )
    written = markup.fromstring(write_html([report], inspector=address))
    links = [link.removeprefix(address) for link in written.xpath("//@href")]
    site = quote(row.site)
    assert links == [
        f"/sites/{site}",
        f"/sites/{site}",
        f"/night?day=2026-05-01&site={site}",
        f"/articles/{row.page_id}",
        f"/articles/{edited.page}/versions",
        f"/go?q={quote(row.article.url, safe='')}",
        f"/patterns/{row.pattern_id}",
    ]
    assert {client.get(link, follow_redirects=True).status_code for link in links} == {200}


def test_findings_come_first(client):
    document = markup.fromstring(client.get("/night").text)
    heads = [head.text.strip() for head in document.xpath("//main//h2")]
    assert heads == ["Needs attention", "Sites", "Clippings", "New", "Edited", "Taken down"]
    assert (
        "Pattern <b>1</b> drifted."
        in document.xpath("//div[@class='report attention']")[0].text_content()
    )


def test_edited_article_links_to_its_versions(client):
    edited = client.get("/night.json").json()["edited"]
    # Articles with the same text are copies of one.
    assert [each["what"] for each in edited] == ["some words"]
    document = markup.fromstring(client.get("/night").text)
    [link, *_] = document.xpath("//section[@aria-labelledby='edited']//a/@href")
    assert client.get(link).status_code == 200


def at(store, table, column, time, where="1 = 1"):
    with store.writing() as connection:
        statement = f"UPDATE {table} SET {column} = :time WHERE {where}"  # noqa: S608 - a test
        connection.execute(text(statement), {"time": time})


def harvest(store, site, run, names):
    """Store a page with an article for each name; return the ids of the pages."""
    pages = [Page(url=HOME + name, html=f"<p>{name}", fetched_at=NOON) for name in names]
    store.pages.save(site, run, pages)
    rows = [store.pages.find(page.url) for page in pages]
    decisions = [
        Decision(
            page_id=row.id,
            content_hash=row.content_hash,
            model_version=0,
            verdict="article",
            reason="a test says so",
            article=Article(url=row.url, title=name, body=f"All about {name}."),
        )
        for row, name in zip(rows, names, strict=True)
    ]
    store.extractions.save(site, run, decisions, edit)
    return [row.id for row in rows]


@pytest.fixture
def week(new_database, dialect):
    """The inspector of a site with nights from the 1st to the 6th of May; the last was poor."""
    with Store.open(new_database(dialect)) as store:
        site = store.sites.add(HOME)
        for day in range(1, 7):
            run = store.runs.start(site, "nightly")
            store.runs.finish(run, "done", RunCounts(articles=2 if day == 6 else 20 + day))
            at(store, "runs", "started_at", f"2026-05-0{day}T23:50:00Z", f"id = {run.id}")
        _, left, _ = harvest(store, site, run, ["old", "left", "kept"])
        at(store, "articles", "created_at", "2026-05-05T23:59:00Z")
        fresh = harvest(store, site, run, ["one", "two"])
        at(store, "articles", "created_at", "2026-05-07T00:10:00Z", f"page_id = {fresh[0]}")
        at(store, "articles", "created_at", "2026-05-06T23:55:00Z", f"page_id = {fresh[1]}")
        store.pages.mark_gone(site, run, [f"{HOME}old"])
        store.articles.retire([left], run)
        at(store, "articles", "retired_at", "2026-05-07T00:11:00Z", f"page_id = {left}")
        with asking(create_app(store)) as client:
            yield client


def test_night_goes_on_after_midnight(week):
    night = week.get("/night.json").json()
    assert (night["day"], night["earlier"], night["later"]) == ("2026-05-06", "2026-05-05", None)
    assert {each["article"]["title"] for each in night["new"][0]["articles"]} == {"one", "two"}
    before = week.get("/night.json?day=2026-05-05").json()
    assert {each["article"]["title"] for each in before["new"][0]["articles"]} == {"old", "kept"}
    assert (before["earlier"], before["later"], before["is_last"]) == (
        "2026-05-04",
        "2026-05-06",
        False,
    )


def test_missing_articles_have_a_reason(week):
    gone = week.get("/night.json").json()["gone"]
    assert {(each["title"], each["what"]) for each in gone} == {
        ("old", "gone"),
        ("left", "retired"),
    }
    assert week.get("/night.json?day=2026-05-05").json()["gone"] == []


def test_low_volume_is_marked(week):
    [site] = week.get("/night.json").json()["sites"]
    assert (site["new"], site["gone"], site["usual"]) == (2, 2, 23.5)
    assert site["is_low"]
    assert "far fewer than usual" in week.get("/night").text
    [first] = week.get("/night.json?day=2026-05-01").json()["sites"]
    assert (first["usual"], first["is_low"]) == (None, False)


def test_day_without_a_night_links_to_others(week):
    shown = week.get("/night?day=2026-05-09").text
    assert "No night began on this day" in shown
    assert "day=2026-05-06" in shown
    assert week.get("/night?day=soon").status_code == 422
