"""Articles into a database as an extraction stores them, for benchmarks of search."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from flong.article import Article
from flong.page import Page
from flong.states import Verdict
from flong.storage import ExtractionRow, Store

BATCH = 200
FIRST = datetime(2020, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """An article of a corpus."""

    url: str
    """Its URL."""
    title: str
    """The headline."""
    body: str
    """The text."""
    language: str
    """ISO 639-1 code."""


def fill(store: Store, texts: Sequence[Text]) -> list[int]:
    """Store articles, an hour apart; return the ids of their pages, in order."""
    site = store.sites.add("https://corpus.example/")
    run = store.runs.start(site, "extract")
    ids: list[int] = []
    for start in range(0, len(texts), BATCH):
        batch = texts[start : start + BATCH]
        urls = [f"https://corpus.example/{start + number}" for number, _ in enumerate(batch)]
        pages = [Page(url=url, html=f"<p>{url}", fetched_at=FIRST) for url in urls]
        store.pages.save(site, run, pages)
        first = (ids[-1] if ids else 0) + 1
        numbers = list(range(first, first + len(batch)))
        rows = [
            ExtractionRow(
                page_id=number,
                content_hash="",
                model_version=1,
                verdict=Verdict.ARTICLE,
                reason="",
                article=Article(
                    url=url,
                    title=text.title,
                    body=text.body,
                    language=text.language,
                    published=FIRST + timedelta(hours=number),
                ),
            )
            for number, url, text in zip(numbers, urls, batch, strict=True)
        ]
        store.extractions.save(site, run, rows)
        ids += numbers
    return ids
