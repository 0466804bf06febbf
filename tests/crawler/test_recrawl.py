"""The second crawl of a site asks only for what may have changed, and misses nothing."""

from datetime import UTC, datetime, timedelta

import pytest

from crawler.recrawl import Recrawl
from storage import KnownPage

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


def test_what_is_new_changed_and_gone_is_told_apart(crawl, crawled):
    crawled.page("/list", "/1", "/3", "/4", **etag("new"))
    crawled.page("/4")
    crawled.page("/3", text="Edited.", **etag("edited"))
    del crawled.answers["/2"]  # and nothing links to it any more
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
    answer = crawled.answers.pop("/2")
    assert "1 gone" in crawl.run(crawled.url).stderr
    crawled.answers["/2"] = answer
    assert "8 unchanged, 0 gone" in crawl.run(crawled.url).stderr


def test_a_site_that_does_not_answer_loses_nothing(crawl, crawled):
    crawled.put("/", "down", status=503)
    assert crawl.run(crawled.url).returncode == 1
    assert set(outcomes(crawl, crawled).values()) == {"new", "failed"}
    assert crawl.paths(crawled.url) == {"/", "/list"} | {f"/{n}" for n in (1, 2, 3)} | {
        f"/below{n}" for n in (1, 2, 3)
    }


def known(*, steady, seen, is_article=True, is_gone=False):
    return KnownPage(
        url="a",
        depth=2,
        etag=None,
        last_modified="yesterday",
        last_seen=NOW - seen * DAY,
        changed_at=NOW - seen * DAY - steady * DAY,
        is_article=is_article,
        is_gone=is_gone,
    )


@pytest.mark.parametrize(
    ("page", "due"),
    [
        (known(steady=0, seen=1), True),
        (known(steady=4, seen=1), True),
        (known(steady=8, seen=1), False),
        (known(steady=8, seen=2), True),
        (known(steady=400, seen=6), False),
        (known(steady=400, seen=7), True),
        (known(steady=400, seen=1, is_article=False), True),
        (known(steady=400, seen=1, is_gone=True), True),
    ],
)
def test_what_does_not_change_is_asked_for_less_often(page, due):
    recrawl = Recrawl([page], now=NOW, longest=7 * DAY)
    assert recrawl.is_due("a") == due
    assert bool(list(recrawl.pages())) == (due and not page.is_gone)
    assert recrawl.headers("a") == {"If-Modified-Since": "yesterday"}
    assert Recrawl([page], now=NOW, longest=0 * DAY).is_due("a")
    assert recrawl.is_due("b")
    assert recrawl.headers("b") == {}
