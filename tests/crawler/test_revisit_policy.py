"""A second crawl requests only pages that may have changed, and misses no change."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from flong.crawler.revisit_policy import RevisitPolicy
from flong.storage import Alias, KnownPage, Store, tables

NOW = datetime(2026, 5, 31, 2, tzinfo=UTC)
DAY = timedelta(days=1)


def etag(number):
    return {"headers": {"ETag": f'"{number}"'}}


def furnish(portal):
    portal.page("/", "/list")
    portal.page("/list", "/1", "/2", "/3", **etag(0))
    for n in (1, 2, 3):
        portal.page(f"/{n}", f"/below{n}", text=f"Story {n}.", **etag(n))
        portal.page(f"/below{n}")


@pytest.fixture
def crawled(crawl, portal):
    furnish(portal)
    assert crawl.run(portal.url).returncode == 0
    portal.asked.clear()
    portal.headers.clear()
    return portal


def outcomes(crawl, portal):
    rows = crawl.rows()
    return {url.removeprefix(portal.url): row.outcome for url, row in rows.items()}


def test_stored_validators_are_sent_and_stored_links_followed(crawl, crawled):
    done = crawl.run(crawled.url)
    assert "0 new, 0 changed, 8 unchanged, 0 gone, 0 failed" in done.stderr
    sent = {
        path: headers.get("If-None-Match")
        for path, headers in zip(crawled.asked, crawled.headers, strict=True)
    }
    assert {path for path, tag in sent.items() if tag} == {"/list", "/1", "/2", "/3"}
    assert sent["/"] is None
    assert {"/below1", "/below2", "/below3"} <= sent.keys()


@pytest.fixture
def crowded(crawl, portal):
    """Return a crawled portal with enough pages that some always wait."""
    paths = [f"/{n}" for n in range(60)]
    portal.page("/", "/list")
    portal.page("/list", *paths, **etag("list"))
    for path in paths:
        portal.page(path, f"/below{path}", **etag(path))
        portal.page(f"/below{path}", **etag("below"))
    assert crawl.run(portal.url).returncode == 0
    portal.asked.clear()
    return portal


def test_each_unchanged_page_is_requested_once(crawl, crowded):
    done = crawl.run(crowded.url)
    assert "0 new, 0 changed, 122 unchanged, 0 gone, 0 failed" in done.stderr
    assert set(crowded.counts().values()) == {1}


def test_second_crawl_stops_at_max_pages_too(crawl, crowded):
    assert crawl.run(crowded.url, max_pages=7).returncode == 0
    run = crawl.runs()[0]
    assert (run.status, run.counts.unchanged) == ("done", 7)
    assert len(crowded.asked) < 40


def test_changes_below_unchanged_pages_are_found(crawl, crowded):
    for n in range(0, 60, 7):
        crowded.page(f"/below/{n}", text="Edited.", **etag("edited"))
    done = crawl.run(crowded.url)
    assert "0 new, 9 changed, 113 unchanged, 0 gone, 0 failed" in done.stderr


def test_new_changed_and_gone_pages_are_distinguished(crawl, crawled):
    crawled.page("/list", "/1", "/3", "/4", **etag("new"))
    crawled.page("/4")
    crawled.page("/3", text="Edited.", **etag("edited"))
    del crawled.responses["/2"]  # and nothing links to it any more
    done = crawl.run(crawled.url)
    assert "1 new, 2 changed, 5 unchanged, 1 gone, 0 failed" in done.stderr
    found = outcomes(crawl, crawled)
    assert [found[path] for path in ("/4", "/3", "/list", "/1", "/2")] == [
        *("new", "changed", "changed", "unchanged", "gone")
    ]
    assert "Story 2." in crawl.rows()[f"{crawled.url}/2"].html
    crawled.asked.clear()
    assert "0 gone" in crawl.run(crawled.url).stderr
    assert "/2" not in crawled.asked


def test_a_page_that_comes_back_is_no_longer_gone(crawl, crawled):
    removed = crawled.responses.pop("/2")
    assert "1 gone" in crawl.run(crawled.url).stderr
    crawled.responses["/2"] = removed
    assert "8 unchanged, 0 gone" in crawl.run(crawled.url).stderr


def test_unavailable_site_loses_no_page(crawl, crawled):
    crawled.put("/", "down", status=503)
    assert crawl.run(crawled.url).returncode == 1
    assert set(outcomes(crawl, crawled).values()) == {"new", "failed"}
    assert crawl.paths(crawled.url) == {"/", "/list"} | {f"/{n}" for n in (1, 2, 3)} | {
        f"/below{n}" for n in (1, 2, 3)
    }


def test_redirecting_urls_are_not_requested_every_time(crawl, portal):
    furnish(portal)
    portal.page("/", "/old", "/picture", "/listing?sort=date")
    portal.redirect("/old", "/older")
    portal.redirect("/older", "/list")
    portal.put("/picture", b"GIF89a", kind="image/gif")
    portal.page("/listing", "/1")
    portal.page("/listing?sort=date", "/2", head="<link rel=canonical href=/listing>")
    assert crawl.run(portal.url).returncode == 0
    before = crawl.paths(portal.url)
    portal.asked.clear()
    assert crawl.run(portal.url).returncode == 0
    assert crawl.paths(portal.url) == before
    assert portal.counts().keys() & {"/old", "/older", "/picture"} == set()
    # It is no other URL of an article, so that it may list what is new.
    assert portal.counts()["/listing?sort=date"] == 1
    portal.page("/", "/old", "/picture")
    del portal.responses["/list"]
    for _ in range(2):  # the second night knows that the target is gone
        portal.asked.clear()
        crawl.run(portal.url)
    assert portal.counts()["/older"] == 1
    portal.asked.clear()
    crawl.run(portal.url, "-s", "FLONG_REVISIT_DAYS=0")
    assert portal.counts()["/old"] == portal.counts()["/picture"] == 1


def alias(target, *, checked=1, is_page=False):
    return Alias(url="x", target=target, is_page=is_page, checked_at=NOW - checked * DAY)


@pytest.mark.parametrize(
    ("found", "rests"),
    [
        (alias("article"), True),
        (alias("article", is_page=True), True),
        (alias("listing"), True),
        (alias("listing", is_page=True), False),
        (alias("gone"), False),
        (alias("nowhere"), False),
        (alias(None), True),
        (alias(None, checked=7), True),
        (alias(None, checked=28), False),
        (alias("article", checked=28), False),
    ],
)
def test_aliases_are_not_requested_for_days(found, rests):
    pages = [
        known(url="article", steady=0, seen=1),
        known(url="listing", steady=0, seen=1, is_article=False),
        known(url="gone", steady=0, seen=1, is_gone=True),
    ]
    revisits = RevisitPolicy(pages, [found], now=NOW, longest=7 * DAY)
    assert revisits.is_alias("x") == (not revisits.is_due("x")) == rests
    assert revisits.target("x") == (found.target if rests else None)


def test_stored_page_is_not_an_alias():
    page = known(url="x", steady=0, seen=1)
    revisits = RevisitPolicy([page], [alias("a")], now=NOW, longest=7 * DAY)
    assert (revisits.is_alias("x"), revisits.is_due("x")) == (False, True)


def known(*, steady, seen, age=0, **given):
    page = KnownPage(
        url="a",
        depth=2,
        etag=None,
        last_modified="yesterday",
        last_seen=NOW - seen * DAY,
        changed_at=NOW - (seen + steady) * DAY,
        settled_at=NOW - (seen + max(steady, age)) * DAY,
        is_article=True,
        is_gone=False,
    )
    return replace(page, **given)


@pytest.mark.parametrize(
    ("page", "due"),
    [
        (known(steady=0, seen=1), True),
        (known(steady=4, seen=1), True),
        (known(steady=12, seen=1), False),
        (known(steady=12, seen=3), True),
        (known(steady=0, seen=1, age=400), True),
        (known(steady=1, seen=1, age=400), False),
        (known(steady=400, seen=2), False),
        (known(steady=400, seen=7), True),
        (known(steady=400, seen=1, is_article=False), True),
        (known(steady=400, seen=1, is_gone=True), True),
    ],
)
def test_unchanged_pages_are_requested_less_often(page, due):
    revisits = RevisitPolicy([page], now=NOW, longest=7 * DAY)
    assert revisits.is_due("a") == due
    assert bool(list(revisits.pages())) == (due and not page.is_gone)
    assert revisits.headers("a") == {"If-Modified-Since": b"yesterday"}
    assert RevisitPolicy([page], now=NOW, longest=0 * DAY).is_due("a")
    assert revisits.is_due("b")
    assert revisits.headers("b") == {}


@pytest.mark.parametrize("column", ["html", "links"])
def test_damaged_page_is_fetched_again_unconditionally(crawl, portal, column):
    portal.page("/", "/story", "/other")
    for path in ("/story", "/other"):
        portal.page(path, "/", headers={"ETag": f'"{path}"'})
    crawl.run(portal.url)
    story = f"{portal.url}/story"
    with Store.open(crawl.database) as store:
        [site] = store.sites.all()
        with store.writing() as connection:
            change = tables.pages.update().where(tables.pages.c.url == story)
            connection.execute(change.values({column: b"garbage"}))
        assert story not in {row.url for row in store.pages.sound_rows(site)}
    del portal.asked[:], portal.headers[:]
    assert crawl.run(portal.url).returncode == 0
    sent = dict(zip(portal.asked, portal.headers, strict=True))
    assert "If-None-Match" not in sent["/story"]
    assert "If-None-Match" in sent["/other"]
    with Store.open(crawl.database) as store:
        assert {row.url for row in store.pages.sound_rows(store.sites.all()[0])} >= {story}
