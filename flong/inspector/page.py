"""One page: what was decided about it, and everything that led there."""

from dataclasses import dataclass
from datetime import datetime

from flong.article import Article
from flong.inspector.database import ReadOnlyDatabase, need
from flong.inspector.examined_pages import ExaminedPage, ExaminedPages
from flong.inspector.highlights import Highlights, highlights_of, highlights_of_article
from flong.inspector.other_methods import MethodResult, run_other_methods, see_article
from flong.inspector.paging import ROWS, Number, Part, part_of
from flong.inspector.pattern import shorten
from flong.inspector.sanitizer import safe_document
from flong.patterns import Examined, ExtractionModel, fit_of
from flong.storage import PageFilters, PageLine
from flong.tree import Tree

OTHERS = 12
"""Patterns that were not chosen and are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldLine:
    """A field of the article and where it came from."""

    field: str
    """Its name."""
    value: str
    """The beginning of its value."""
    source: str
    """What gave it."""
    where: str
    """XPath, or key in the metadata."""
    vertex: int | None
    """Vertex of the pattern that gave it."""
    place: int | None
    """Position among the elements of the page; None if it is in no element."""


@dataclass(frozen=True, slots=True)
class Sign:
    """Something that speaks for or against an article."""

    points: float
    """For it if above 0."""
    words: str
    """What was seen."""


@dataclass(frozen=True, slots=True)
class OtherPattern:
    """A pattern that was not chosen."""

    pattern: int | None
    """Its id."""
    reason: str
    """Why not."""


@dataclass(frozen=True, slots=True)
class Consumed:
    """What a wildcard of the pattern took."""

    vertex: int
    """The wildcard's position in the pattern."""
    kind: str
    """Its sign."""
    parts: int
    """How many sub-trees side by side."""
    text: str
    """The beginning of the text."""
    place: int
    """Position of the first element among all of the page."""


@dataclass(frozen=True, slots=True)
class Edit:
    """What the article was before it changed."""

    title: str
    """The headline then."""
    seen_from: str
    """Since when it was known so."""
    seen_until: str
    """When it was replaced."""
    changes: str
    """What the next version changed, in a few words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """What led to the decision, found again by looking at the page once more."""

    reason: str
    """The decision in words."""
    score: float
    """All points together."""
    pattern: int | None
    """Id of the pattern chosen; None if none fits."""
    fit: str
    """How it fits: `strict`, `bounded` or `none`."""
    cost: int
    """Cost of the match."""
    constants: int
    """Constant vertices that were found."""
    left_over: int
    """Vertices left over by a bounded match."""
    signs: list[Sign]
    """For and against, the weightiest first."""
    others: list[OtherPattern]
    """Some patterns that were not chosen."""
    other_count: int
    """How many there are."""
    consumed: list[Consumed]
    """What the wildcards took, in document order."""
    names: list[str]
    """What the page is called, by itself and by others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleText:
    """The article as it is stored."""

    title: str
    """The headline."""
    paragraphs: list[str]
    """The body."""
    confidence: float
    """From 0 to 1."""
    method: str
    """What read it."""
    fields: list[FieldLine]
    """Where its fields came from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """One page."""

    page: PageLine
    """What is known of it."""
    article: ArticleText | None
    """Its article; None if it has none."""
    why: Why | None
    """Why it was decided so; None if nothing was learned yet, or the page is empty."""
    other_methods: list[MethodResult]
    """What the other methods find."""
    edits: list[Edit]
    """What the article was before, the earliest first."""
    versions: list[str]
    """When the page changed: the times from which earlier contents were served."""
    empty: bool
    """There is no document, or none that can be read."""


def view_page(database: ReadOnlyDatabase, pages: ExaminedPages, page_id: int) -> PageView:
    """Return one page, looked at once more."""
    line = need(database.store.lists.page(page_id), f"page {page_id}")
    page = pages.page(page_id)
    article = page.extraction.article if page.extraction else None
    versions = database.store.pages.versions(page_id)
    return PageView(
        page=line,
        article=_article_text(page.tree, article, page.examined),
        why=_why(page.model, page.examined, page) if page.model and page.examined else None,
        other_methods=_other_methods(database, page, article) if page.html else [],
        edits=_edits(database, page_id),
        versions=[version.seen_from.isoformat() for version in versions],
        empty=not page.html,
    )


def _other_methods(
    database: ReadOnlyDatabase, page: ExaminedPage, article: Article | None
) -> list[MethodResult]:
    seen = see_article(database.store, page.row, page.tree)
    return run_other_methods(page.row.url, page.tree, article, seen)


def _edits(database: ReadOnlyDatabase, page_id: int) -> list[Edit]:
    return [
        Edit(old.title, old.seen_from.isoformat(), old.seen_until.isoformat(), old.changes)
        for old in database.store.articles.versions(page_id)
    ]


def safe_page(
    database: ReadOnlyDatabase, pages: ExaminedPages, page_id: int, *, every: bool = False
) -> str:
    """Return the page as a harmless document, with the decisions highlighted.

    With `every` all blocks are named, so that they can be chosen.
    """
    page = pages.page(page_id)
    if page.examined is None:
        highlights = highlights_of_article(page.tree, database.store.articles.find(page_id))
    else:
        highlights = highlights_of(page.tree, page.examined)
    seen = see_article(database.store, page.row, page.tree) if page.html else None
    if seen is not None:
        seen.highlight(page.tree, highlights)
    for place in page.tree.place[1:].tolist() if every else ():
        highlights.add(place, "block")
    return safe_document(page.html, highlights)


def _article_text(tree: Tree, article: Article | None, seen: Examined | None) -> ArticleText | None:
    if article is None:
        return None
    highlights = highlights_of(tree, seen) if seen else Highlights()
    places = {name: place for place, names in reversed(highlights.items()) for name in names}
    places |= {"body": places["container"]} if "container" in places else {}
    return ArticleText(
        title=article.title,
        paragraphs=article.body.split("\n"),
        confidence=article.confidence,
        method=article.method,
        fields=[
            FieldLine(
                field=note.field,
                value=shorten(_value(article, note.field)),
                source=note.source,
                where=note.place,
                vertex=note.vertex,
                place=places.get(note.field),
            )
            for note in article.provenance
        ],
    )


def _value(article: Article, name: str) -> str:
    value = getattr(article, name, "")
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    return ", ".join(value) if isinstance(value, tuple) else str(value)


def _why(model: ExtractionModel, seen: Examined, page: ExaminedPage) -> Why:
    found, choice = seen.choice.match, seen.choice
    points = sorted(seen.judgement.points, key=lambda point: -abs(point.points))
    return Why(
        reason=(page.extraction and page.extraction.words) or seen.judgement.reason,
        score=seen.judgement.score,
        pattern=None if found is None else model.pattern_id(choice.best),
        fit=fit_of(found),
        cost=found.cost if found else 0,
        constants=found.constants if found else 0,
        left_over=found.left_over if found else 0,
        signs=[Sign(round(point.points, 2), point.words) for point in points],
        others=[
            OtherPattern(model.pattern_id(other.pattern), other.reason)
            for other in choice.others[:OTHERS]
        ],
        other_count=len(choice.others),
        consumed=_consumed(seen, page.tree),
        names=[*dict.fromkeys((*seen.page_names.heads, *seen.page_names.anchors))],
    )


def _consumed(seen: Examined, tree: Tree) -> list[Consumed]:
    found = seen.choice.match
    if found is None:
        return []
    taken = ((vertex, found.taken(vertex)) for vertex in found.pattern.wildcards)
    return [
        Consumed(
            vertex,
            found.pattern.name(vertex),
            len(roots),
            shorten("\n".join(map(tree.text_of, roots))),
            int(tree.place[roots[0]]),
        )
        for vertex, roots in taken
        if roots
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedPages(PageFilters):
    """Which pages are asked for, in the bounds of what can be."""

    depth: Number = None
    cluster: Number = None
    pattern: Number = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PagesView:
    """Pages, a part of the list."""

    filters: PageFilters
    """What was asked for."""
    pages: list[PageLine]
    """Those of this part."""
    part: Part
    """Which part."""
    sites: list[str]
    """Names of all sites."""


def view_pages(database: ReadOnlyDatabase, filters: PageFilters, page: int) -> PagesView:
    """Return a part of the pages asked for, in the order in which they came."""
    lists = database.store.lists
    part = part_of(lists.count_pages(filters), page)
    return PagesView(
        filters=filters,
        pages=lists.pages(filters, first=part.first, rows=ROWS),
        part=part,
        sites=[site.name for site in database.store.sites.all()],
    )
