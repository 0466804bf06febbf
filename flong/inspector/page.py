"""View of one page: its article and the evidence of the decision; list of pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import Depends

from flong.article import Article
from flong.inspector.database import ReadOnlyDatabase, need
from flong.inspector.examined_pages import ExaminedPage, ExaminedPages
from flong.inspector.highlights import Highlights, highlights_of, highlights_of_article
from flong.inspector.other_methods import MethodResult, run_other_methods, see_article
from flong.inspector.paging import ROWS, Id, Number, Part, PartNumber, part_of
from flong.inspector.rendering import shorten
from flong.inspector.sanitizer import safe_document
from flong.patterns import Examined, ExtractionModel, fit_of
from flong.storage import ArticleVersion, PageFilters, PageLine
from flong.tree import Tree

OTHERS = 12
"""Maximum number of rejected patterns listed."""


@dataclass(frozen=True, slots=True)
class Sign:
    """Evidence for or against an article."""

    points: float
    """Weight; positive for an article."""
    words: str
    """The observation."""


@dataclass(frozen=True, slots=True)
class Consumed:
    """Match of a wildcard."""

    vertex: int
    """Position of the wildcard in the pattern."""
    kind: str
    """Symbol of the wildcard."""
    parts: int
    """Number of adjacent sub-trees."""
    text: str
    """Beginning of the text."""
    place: int
    """Position of the first element among all elements of the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Evidence of a decision, computed again from the stored page."""

    reason: str
    """The decision in words."""
    score: float
    """Sum of all points."""
    pattern: int | None
    """Id of the chosen pattern; None if no pattern fits."""
    fit: str
    """Fit of the pattern: `strict`, `bounded` or `none`."""
    cost: int
    """Cost of the match."""
    constants: int
    """Number of matched constant vertices."""
    left_over: int
    """Number of vertices that a bounded match leaves over."""
    signs: list[Sign]
    """Evidence, heaviest first."""
    others: Mapping[int, str]
    """Reasons against some other patterns, by id."""
    other_count: int
    """Number of all other patterns."""
    consumed: list[Consumed]
    """Matches of the wildcards in document order."""
    names: list[str]
    """Titles of the page in its head and in links to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """One page."""

    page: PageLine
    """The page."""
    article: Article | None
    """Its article; None if it is not one."""
    doubts: Mapping[str, str]
    """Reasons to check fields of the article, by name of the field."""
    places: Mapping[str, int]
    """Position of the element of each field among all elements of the page."""
    why: Why | None
    """Evidence; None if the site was not learned yet, or the page is empty."""
    other_methods: list[MethodResult]
    """Results of the other methods."""
    edits: list[ArticleVersion]
    """Earlier versions of the article, earliest first."""
    versions: list[datetime]
    """Start times of earlier documents."""
    empty: bool
    """True if there is no readable document."""


def view_page(database: ReadOnlyDatabase, pages: ExaminedPages, page_id: Id) -> PageView:
    """Show a page: its article and the evidence of the decision."""
    line = need(database.store.lists.page(page_id), f"page {page_id}")
    page = pages.page(page_id)
    article = page.decision.article if page.decision else None
    return PageView(
        page=line,
        article=article,
        doubts=article.doubts if article else {},
        places=_places(page.tree, page.examined),
        why=_why(page.model, page.examined, page) if page.model and page.examined else None,
        other_methods=_other_methods(database, page, article) if page.html else [],
        edits=database.store.articles.versions(page_id),
        versions=[each.seen_from for each in database.store.pages.versions(page_id)],
        empty=not page.html,
    )


def _other_methods(
    database: ReadOnlyDatabase, page: ExaminedPage, article: Article | None
) -> list[MethodResult]:
    seen = see_article(database.store, page.row, page.tree)
    return run_other_methods(page.row.url, page.tree, article, seen)


def safe_page(
    database: ReadOnlyDatabase, pages: ExaminedPages, page_id: int, *, every: bool = False
) -> str:
    """Return the page as a sanitized document with highlights.

    With `every`, all blocks are named, so that a visitor can choose one.
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


def _places(tree: Tree, seen: Examined | None) -> dict[str, int]:
    highlights = highlights_of(tree, seen) if seen else Highlights()
    places = {name: place for place, names in reversed(highlights.items()) for name in names}
    return places | ({"body": places["container"]} if "container" in places else {})


def _why(model: ExtractionModel, seen: Examined, page: ExaminedPage) -> Why:
    found, choice = seen.choice.match, seen.choice
    points = sorted(seen.judgement.points, key=lambda point: -abs(point.points))
    others = [(model.pattern_id(each.pattern), each.reason) for each in choice.others[:OTHERS]]
    return Why(
        reason=(page.decision and page.decision.words) or seen.judgement.reason,
        score=seen.judgement.score,
        pattern=None if found is None else model.pattern_id(choice.best),
        fit=fit_of(found),
        cost=found.cost if found else 0,
        constants=found.constants if found else 0,
        left_over=found.left_over if found else 0,
        signs=[Sign(round(point.points, 2), point.words) for point in points],
        others={pattern: reason for pattern, reason in others if pattern is not None},
        other_count=len(choice.others),
        consumed=_consumed(seen, page.tree),
        names=[*dict.fromkeys((*seen.source.page_names.heads, *seen.source.page_names.anchors))],
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
    """Filters of the list of pages, checked."""

    depth: Number = None
    cluster: Number = None
    pattern: Number = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PagesView:
    """One part of the list of pages."""

    filters: PageFilters
    """Filters of the list."""
    pages: list[PageLine]
    """Pages of this part."""
    part: Part
    """Position of this part."""
    sites: list[str]
    """Names of all sites."""


def view_pages(
    database: ReadOnlyDatabase, filters: Annotated[AskedPages, Depends()], page: PartNumber = 1
) -> PagesView:
    """List pages."""
    lists = database.store.lists
    part = part_of(lists.count_pages(filters), page)
    return PagesView(
        filters=filters,
        pages=lists.pages(filters, first=part.first, rows=ROWS),
        part=part,
        sites=[site.name for site in database.store.sites.all()],
    )
