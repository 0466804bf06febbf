"""The stage `extract`: stored pages and the site's model in, articles out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice

from extractors import EXTRACTORS, consensus
from items import Article, fold_text
from patterns import Anchor, Explanation, SiteModel, explain
from pipeline.command import PipelineError
from pipeline.learning import anchors_by_url
from pipeline.screen import tracked
from storage import ExtractionRow, PageRow, Site, Store
from trees import Head, SitePage, build_tree

BATCH = 200
"""Pages whose results are stored in one transaction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What came of extracting a site."""

    articles: int
    """Pages that are articles."""
    others: int
    """Pages that are none."""
    unmatched: int
    """Pages that no pattern fits."""

    @property
    def summary(self) -> str:
        """Return it in a sentence."""
        pages = self.articles + self.others + self.unmatched
        return (
            f"{self.articles} of {pages} pages are articles, {self.others} are none, "
            f"{self.unmatched} fit no pattern."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Everything that turns a stored page into a decision."""

    model: SiteModel
    """What was learned about the site."""
    version: int
    """Version of the model."""
    pattern_ids: Mapping[int, int]
    """Numbers of the patterns in the database, by their numbers in the model."""
    anchors: Mapping[str, Sequence[Anchor]]
    """What others call each page."""
    now: datetime
    """Dates after this are not believed."""

    @classmethod
    def of(cls, store: Store, site: Site) -> "Reader":
        """Return the reader for what was last learned about a site."""
        data = store.load_model(site)
        if data is None:
            raise PipelineError(f"{site.name} has not been learned yet: scrapy learn {site.name}")
        try:
            model = SiteModel.from_json(data)
        except ValueError as error:
            raise PipelineError(f"What was learned about {site.name}: {error}.") from error
        patterns = store.patterns(site)
        return cls(
            model=model,
            version=store.model_version(site),
            pattern_ids={at: row.id for at, row in enumerate(patterns) if row.id is not None},
            anchors=anchors_by_url(store, site),
            now=datetime.now(UTC),
        )

    def read(self, row: PageRow) -> ExtractionRow:
        """Return what is decided about a page."""
        anchors, page = self.anchors.get(row.url, ()), site_page(row)
        found = self.model.extract(page, anchors, now=self.now, fallback=consensus)
        return ExtractionRow(
            page_id=row.id,
            content_hash=row.content_hash or "",
            model_version=self.version,
            verdict=found.verdict,
            fit=found.match,
            pattern_id=None if found.pattern is None else self.pattern_ids[found.pattern],
            cost=found.cost,
            constants=found.constants,
            score=found.score,
            reason=found.reason,
            article=found.article,
            page_words=int(page.tree.words[0]) if len(page.tree) else 0,
            agrees=None if found.article is None else _agrees(found.article, page.tree.head),
        )

    def explain(self, row: PageRow) -> Explanation:
        """Return why that is decided."""
        anchors = self.anchors.get(row.url, ())
        return explain(self.model, site_page(row), anchors, now=self.now, fallback=consensus)


def _agrees(article: Article, head: Head) -> bool | None:
    """Tell whether the head of a page has the title of its article; None if it has no title."""
    said = fold_text(f"{head.meta.get('og:title', '')} {head.title}")
    return fold_text(article.title) in said if said else None


def site_page(row: PageRow) -> SitePage:
    """Return a stored page as the methods see it."""
    return SitePage(url=row.url, tree=build_tree(row.html))


def extract(store: Store, site: Site, *, everything: bool = False) -> Extracted:
    """Extract the pages that are new or changed, or whose patterns are; on request all."""
    reader = Reader.of(store, site)
    run = store.start_run(site, "extract")
    waiting = store.page_rows(site, only=None if everything else "unextracted")
    verdicts: Counter[str] = Counter()
    for batch in _batches(tracked(waiting, f"Extracting {site.name}", None)):
        found = [reader.read(row) for row in batch]
        verdicts.update(row.verdict for row in found)
        store.save_extractions(site, run, found)
    store.finish_run(run, "done")
    return Extracted(
        articles=verdicts["article"], others=verdicts["other"], unmatched=verdicts["unmatched"]
    )


def extract_by(store: Store, site: Site, method: str) -> Extracted:
    """Extract all pages of a site by one of the other papers' methods instead of the patterns.

    The methods compare pages with each other, so all of them are in memory at once.
    """
    find = EXTRACTORS.get(method)
    if find is None:
        raise PipelineError(f"There is no method {method!r}: {', '.join(sorted(EXTRACTORS))}.")
    run = store.start_run(site, "extract")
    rows = list(store.page_rows(site, with_html=False))
    stored = store.page_rows(site, only=[row.id for row in rows])
    pages = [site_page(row) for row in tracked(stored, f"Reading {site.name}", len(rows))]
    version = store.model_version(site)
    found = [
        ExtractionRow(
            page_id=row.id,
            content_hash=row.content_hash or "",
            model_version=version,
            verdict="other" if article is None else "article",
            reason=f"{method} finds {'no article' if article is None else 'an article'}",
            article=article,
        )
        for row, article in zip(rows, find(pages), strict=True)
    ]
    store.save_extractions(site, run, found, keep_better=False)
    store.finish_run(run, "done", note=method)
    articles = sum(row.article is not None for row in found)
    return Extracted(articles=articles, others=len(found) - articles, unmatched=0)


def _batches(rows: Iterable[PageRow]) -> Iterator[list[PageRow]]:
    rest = iter(rows)
    while batch := list(islice(rest, BATCH)):
        yield batch
