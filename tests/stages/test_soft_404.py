"""Soft 404s: flagged, and never stored as articles."""

from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from sqlalchemy import text

from flong.page import Page
from flong.stages.after_crawl import after_crawl
from flong.states import FindingKind


@pytest.fixture
def copy(copied_harvest):
    """A copy of the learned portal's database that may be changed."""

    def rows(query):
        with copied_harvest.reading() as connection:
            return [tuple(row) for row in connection.execute(text(query))]

    def articles():
        return dict(rows("SELECT url, title FROM pages JOIN articles ON page_id = pages.id"))

    return SimpleNamespace(store=copied_harvest, rows=rows, articles=articles)


def serve_at(copy, urls, html):
    """Store one text at many URLs, as a crawl does; return how many were seen as a wall."""
    site = copy.store.sites.all()[0]
    run = copy.store.runs.start(site, "crawl")
    now = datetime.now(UTC)
    pages = [Page(url=url, html=html, fetched_at=now, depth=2) for url in urls]
    copy.store.pages.save(site, run, pages)
    found = after_crawl(copy.store, site, copy.store.runs.finish(run, "done"))
    return any(finding.kind is FindingKind.WALL for finding in found)


def soft_404(portal):
    return replace(portal, soft_404=True).get("/nowhere").text


def consent_wall(portal):
    return portal.behind_consent_wall().get("/").text


@pytest.mark.parametrize("text", [soft_404, consent_wall])
def test_new_soft_404_gives_no_article_but_a_reason(harvest, copy, text):
    before = copy.articles()
    urls = [f"{harvest.url}/2026/05/01/nothing-{n}.html" for n in range(3)]
    serve_at(copy, urls, text(harvest.portal))
    assert copy.articles() == before
    query = (
        "SELECT reason FROM pages JOIN matches ON page_id = pages.id WHERE url LIKE '%nothing-%'"
    )
    reasons = [reason for (reason,) in copy.rows(query)]
    assert len(reasons) == 3
    assert all(reasons)


@pytest.mark.parametrize("text", [soft_404, consent_wall])
@pytest.mark.parametrize("number", [3, 30])
def test_soft_404_does_not_replace_an_article(harvest, copy, text, number):
    before = copy.articles()
    walled = serve_at(copy, list(before)[:number], text(harvest.portal))
    assert copy.articles() == before
    assert walled == (number == 30)
