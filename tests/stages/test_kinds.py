"""Commands list news, and pages in prose if asked."""

import json
from datetime import UTC, datetime

import pytest

from flong.article import Article
from flong.decision import Decision
from flong.page import Page
from flong.states import ArticleKind, RunKind, Verdict
from flong.storage import Store

HOME = "https://news.example/"
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def prose(shell):
    """A shell on a site with one article of each kind."""
    with Store.open(shell.database) as store:
        site = store.sites.add(HOME)
        run = store.runs.start(site, RunKind.CRAWL)
        pages = [Page(url=HOME + kind, html="<p>text", fetched_at=NOON) for kind in ArticleKind]
        store.pages.save(site, run, pages)
        decisions = []
        for kind in ArticleKind:
            row = store.pages.find(HOME + kind)
            article = Article(url=row.url, title=kind.capitalize(), body="It rains.", kind=kind)
            verdict = Verdict.ARTICLE if kind is ArticleKind.NEWS else Verdict.OTHER
            decisions.append(
                Decision(
                    page_id=row.id,
                    content_hash=row.content_hash,
                    model_version=1,
                    verdict=verdict,
                    article=article,
                )
            )
        store.extractions.save(site, run, decisions)
    return shell


@pytest.mark.parametrize(
    ("options", "kinds"),
    [
        ((), {"news"}),
        (("--kind", "news"), {"news"}),
        (("--kind", "page"), {"page"}),
        (("--kind", "all"), {"news", "page"}),
        (("--retired",), set()),
    ],
)
def test_a_kind_is_listed_and_exported(prose, options, kinds):
    listed = prose("articles", "--json", *options, check=0).stdout.splitlines()
    assert {json.loads(line)["kind"] for line in listed} == kinds
    done = prose("export", "--output", "-", *options, check=0 if kinds else 3)
    assert {json.loads(line)["kind"] for line in done.stdout.splitlines()} == kinds
