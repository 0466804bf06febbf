"""Views of corrections: preview of the changes, list of corrections."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal

import numpy as np

from flong.article import Article
from flong.inspector.database import ReadOnlyDatabase, need
from flong.inspector.editing import Editor
from flong.inspector.examined_pages import ExaminedPage, ExaminedPages
from flong.inspector.jobs import Job
from flong.inspector.rendering import shorten
from flong.patterns import (
    Correction,
    ExtractionModel,
    choose_selector,
    correct_model,
    is_met,
    parse_date,
    read_correction,
    read_selector,
    write_selector,
    xpath_of,
)
from flong.program import program
from flong.states import CorrectedField, CorrectionKind
from flong.storage import CorrectionRow, NewCorrection, PageLine, PageRow, Site, batches
from flong.tree import TEXT, SitePage, Tree, build_tree

What = Literal["title", "body", "block", "date", "author", "none", "alike"]
"""Statement about an element or a page. `block`: not in the body; `none`: the page is not an
article; `alike`: no page of its template is."""
WHOLE = {"none": "", "alike": "/html/body"}
"""Places of statements about a whole page."""

MEANINGS: Mapping[What, tuple[CorrectedField, CorrectionKind]] = {
    "title": (CorrectedField.TITLE, CorrectionKind.IS),
    "body": (CorrectedField.BODY, CorrectionKind.IS),
    "block": (CorrectedField.BODY, CorrectionKind.IS_NOT),
    "date": (CorrectedField.DATE, CorrectionKind.IS),
    "author": (CorrectedField.AUTHOR, CorrectionKind.IS),
    "none": (CorrectedField.ARTICLE, CorrectionKind.IS_NOT),
    "alike": (CorrectedField.ARTICLE, CorrectionKind.IS_NOT),
}
SAMPLE = 60
"""Maximum number of pages per pattern for choosing a selector."""
AT_ONCE = 100
"""Batch size for reading pages."""
SHOWN = 8
"""Maximum number of changes shown."""
LINES = 400
"""Maximum number of lines to choose from."""
AROUND = 1.5
"""Minimum ratio of the words in a container to those in the clicked line."""


class Refused(Exception):
    """A correction is not possible; str(exc) is a message for the visitor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedPage:
    """Change of one page."""

    page: int
    """Id of the page."""
    url: str
    """Its URL."""
    before: str
    """Current value from the first changed line; empty without a value."""
    after: str
    """New value from the same line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of the page."""

    place: int
    """Position of its element among all elements of the page."""
    text: str
    """Beginning of the line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionView:
    """Preview of a correction."""

    page: PageLine
    """The page."""
    what: What
    """The statement."""
    place: int | None
    """Position of the chosen element among all elements of the page; None before the choice."""
    wider: int | None = None
    """Position of the enclosing element, if it can be chosen instead."""
    text: str = ""
    """Beginning of its text."""
    selector: str = ""
    """Selector for other pages."""
    refusal: str = ""
    """Reason against the correction; empty if it is possible."""
    pages: int = 0
    """Number of pages of the template."""
    articles: int = 0
    """Number of current articles among them."""
    changed: int = 0
    """Number of pages with a different value."""
    emptied: int = 0
    """Number of pages that lose their value."""
    gained: int = 0
    """Number of pages that gain a value."""
    samples: tuple[ChangedPage, ...] = ()
    """Some changes: losses and gains first."""
    lines: tuple[Line, ...] = ()
    """Lines of the page before the choice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A correction with the model that follows from it."""

    site: Site
    """The site."""
    new: NewCorrection
    """The correction."""
    reader: "_Reader"
    """Reads pages with that model."""
    pages: Sequence[int]
    """Ids of the template's pages."""
    trees: Mapping[int, Tree]
    """Parsed pages by id."""
    refusal: str
    """Reason against the correction; empty if it is possible."""


def view_correction(
    database: ReadOnlyDatabase, pages: ExaminedPages, page_id: int, what: What, place: int | None
) -> CorrectionView:
    """Return the effect of a correction on all stored pages of the template.

    Without a place, return the lines of the page to choose from.
    """
    line = need(database.store.lists.page(page_id), f"page {page_id}")
    page = pages.page(page_id)
    if place is None and what not in WHOLE:
        return CorrectionView(page=line, what=what, place=None, lines=_lines(page.tree))
    try:
        found = propose(database, pages, page_id, what, place)
    except Refused as error:
        return CorrectionView(page=line, what=what, place=place, refusal=str(error))
    selector = found.new.selector
    view = CorrectionView(
        page=line,
        what=what,
        place=place,
        wider=_wider(page.tree, place, what),
        text=found.new.text,
        selector=str(read_selector(selector)) if selector else "",
        refusal=found.refusal,
    )
    return view if found.refusal else _with_changes(view, database, found)


def propose(
    database: ReadOnlyDatabase, pages: ExaminedPages, page_id: int, what: What, place: int | None
) -> Proposal:
    """Return a correction, checked against those in force."""
    page = pages.page(page_id)
    site, _ = database.page(page_id)
    if page.model is None or page.examined is None:
        raise Refused(f"{site.name} was not learned yet. Run {program()} learn {site.name} first.")
    template = _template(database, site, page)
    correction = _correction(page, what, place, list(template.trees.values()))
    its_page = SitePage(url=page.row.url, tree=page.tree)
    known = _in_force(database, site)
    said = [*((_of_row(row), one.tree) for row, one in known), (correction, page.tree)]
    model = correct_model(page.model, said, template.samples)
    reader = _Reader(database, site, model, datetime.now(UTC))
    text = "" if place is None else shorten(page.tree.text_of(_vertex(page.tree, place)))
    return Proposal(
        site=site,
        new=NewCorrection(
            page_id=page_id,
            field=correction.field,
            kind=correction.kind,
            place=correction.place,
            selector=write_selector(correction.selector) if correction.selector else None,
            text=text,
        ),
        reader=reader,
        pages=template.pages if what != "none" else [page_id],
        trees=template.trees,
        refusal=_refusal(reader, known, correction, its_page),
    )


def _in_force(database: ReadOnlyDatabase, site: Site) -> list[tuple[CorrectionRow, SitePage]]:
    """Return the corrections of a site with their stored pages."""
    rows = database.store.extractions.corrections_in_force(site)
    stored = {row.id: row for row in database.pages(site, [row.page_id for row in rows])}
    return [
        (row, SitePage(url=row.url, tree=build_tree(stored[row.page_id].html)))
        for row in rows
        if row.page_id in stored
    ]


@dataclass(frozen=True, slots=True)
class _Template:
    """Stored pages of a template."""

    by_pattern: Mapping[int, Sequence[int]]
    """Ids of the pages of each pattern, by number of the pattern."""
    trees: Mapping[int, Tree]
    """Parsed sample pages by id."""

    @property
    def pages(self) -> list[int]:
        """Return the ids of all pages."""
        return sorted(page_id for ids in self.by_pattern.values() for page_id in ids)

    @property
    def samples(self) -> dict[int, list[Tree]]:
        """Return the samples of each pattern with pages, by number."""
        return {
            number: [self.trees[page_id] for page_id in ids if page_id in self.trees]
            for number, ids in self.by_pattern.items()
            if ids
        }


def _template(database: ReadOnlyDatabase, site: Site, page: ExaminedPage) -> _Template:
    model, seen = page.model, page.examined
    if model is None or seen is None or seen.choice.best is None or seen.choice.match is None:
        raise Refused("The page fits no template, so a correction would have no effect.")
    cluster = model.patterns[seen.choice.best].cluster
    numbers = {
        known.id: known.number
        for known in model.patterns
        if known.cluster == cluster and known.id is not None
    }
    by_pattern: dict[int, list[int]] = {number: [] for number in numbers.values()}
    for page_id, pattern_id in database.store.extractions.read_by(list(numbers)):
        by_pattern[numbers[pattern_id]].append(page_id)
    some = [
        page_id
        for ids in by_pattern.values()
        for page_id in ids[:: max(1, len(ids) // SAMPLE)][:SAMPLE]
    ]
    trees = {row.id: build_tree(row.html) for row in database.pages(site, some)}
    return _Template(by_pattern, trees)


def _correction(
    page: ExaminedPage, what: What, place: int | None, trees: Sequence[Tree]
) -> Correction:
    field, kind = MEANINGS[what]
    if place is None:
        return Correction(url=page.row.url, field=field, kind=kind, place=WHOLE[what])
    tree = page.tree
    vertex = _vertex(tree, place)
    if what == "body":
        vertex = _container(tree, vertex)
    if what == "date" and parse_date(tree.text_of(vertex), language=tree.head.language) is None:
        raise Refused("No date can be read there. Choose the line that contains it.")
    return Correction(
        url=page.row.url,
        field=field,
        kind=kind,
        place=xpath_of(tree, vertex),
        selector=choose_selector(tree, vertex, trees, first=what != "block"),
    )


def _vertex(tree: Tree, place: int) -> int:
    found = np.flatnonzero(tree.place == place)
    if not len(found) or not tree.text_of(int(found[0])).strip():
        raise Refused("There is no text at this place. Choose another element.")
    return int(found[0])


def _container(tree: Tree, vertex: int) -> int:
    """Return the container of a line; an element with several lines is its own container."""
    if len(tree.leaves(vertex)) > 1:
        return vertex
    least = AROUND * int(tree.words[vertex])
    return next((at for at in tree.ancestors(vertex) if tree.words[at] >= least), vertex)


def _wider(tree: Tree, place: int | None, what: What) -> int | None:
    if place is None or what not in ("body", "block"):
        return None
    vertex = _vertex(tree, place)
    around = next(tree.ancestors(_container(tree, vertex) if what == "body" else vertex), 0)
    return int(tree.place[around]) if around > 0 else None


def _lines(tree: Tree) -> tuple[Line, ...]:
    leaves = np.flatnonzero(tree.tag == TEXT)[:LINES].tolist()
    return tuple(
        Line(place=int(tree.place[leaf]), text=shorten(tree.text_of(leaf))) for leaf in leaves
    )


def _of_row(row: CorrectionRow) -> Correction:
    return read_correction(
        url=row.url, field=row.field, kind=row.kind, place=row.place, selector=row.selector
    )


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads pages of a site with a corrected model."""

    database: ReadOnlyDatabase
    site: Site
    model: ExtractionModel
    time: datetime

    def meets(self, correction: Correction, page: SitePage) -> bool:
        """Return True if the model follows a correction on a page."""
        anchors = self.database.store.links.anchors_by_url(self.site, [page.url])[page.url]
        return is_met(correction, page.tree, self.model.examine(page, anchors, self.time))

    def articles(
        self, page_ids: Sequence[int], trees: Mapping[int, Tree]
    ) -> Iterator[tuple[PageRow, Article | None]]:
        """Yield pages with their new articles; `trees` contains parsed pages."""
        for batch in batches(page_ids, AT_ONCE):
            rows = self.database.pages(self.site, batch)
            anchors = self.database.store.links.anchors_by_url(self.site, [row.url for row in rows])
            for row in rows:
                page = SitePage(url=row.url, tree=trees.get(row.id) or build_tree(row.html))
                yield row, self.model.read(page, anchors[row.url], self.time).news


def _refusal(
    reader: _Reader,
    known: Sequence[tuple[CorrectionRow, SitePage]],
    new: Correction,
    page: SitePage,
) -> str:
    """Return the reason against a correction, or an empty string."""
    for row, its_page in known:
        if not reader.meets(_of_row(row), its_page):
            return (
                f"This contradicts correction {row.id} on {row.url} ({row.field}: "
                f"“{row.text}”). Undo one of the two."
            )
    here = {row.field for row, _ in known if row.url == page.url}
    if new.field is CorrectedField.ARTICLE and here:
        return "Another correction marks a field of this article. Undo that correction first."
    if reader.meets(new, page):
        return ""
    return "Learning cannot follow this on the page itself. Choose another element."


def _with_changes(
    view: CorrectionView, database: ReadOnlyDatabase, found: Proposal
) -> CorrectionView:
    own = database.store.articles.of(found.pages, every_page=True)
    known = {row.page_id: row.article for row in own if row.retired_at is None}
    changes = list(_changes(known, found))
    emptied = [change for change in changes if not change.after]
    gained = [change for change in changes if not change.before]
    changed = [change for change in changes if change.before and change.after]
    few = SHOWN // 3
    return replace(
        view,
        pages=len(found.pages),
        articles=len(known),
        changed=len(changed),
        emptied=len(emptied),
        gained=len(gained),
        samples=(*emptied[:few], *gained[:few], *changed)[:SHOWN],
    )


def _changes(known: Mapping[int, Article], found: Proposal) -> Iterator[ChangedPage]:
    """Yield the pages of the template with a different result."""
    for row, after in found.reader.articles(found.pages, found.trees):
        before = known.get(row.id)
        old, new = (_value(article, found.new.field) for article in (before, after))
        if old != new:
            was, becomes = map(shorten, from_difference(old, new))
            yield ChangedPage(page=row.id, url=row.url, before=was, after=becomes)


def from_difference(old: str, new: str) -> tuple[str, str]:
    r"""Return two texts from their first different line; an empty text stays empty.

    >>> from_difference("Rain\nAdvertisement\nSnow", "Rain\nSnow")
    ('… Advertisement\nSnow', '… Snow')
    >>> from_difference("Rain\nAdvertisement", "Rain"), from_difference("Rain", "")
    (('… Advertisement', '… (the end)'), ('Rain', ''))
    """
    one, other = old.splitlines(), new.splitlines()
    pairs = zip(one, other, strict=False)
    same = next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
    if not (same and old and new):
        return old, new
    first, second = ("\n".join(lines[same:]) or "(the end)" for lines in (one, other))
    return f"… {first}", f"… {second}"


def _value(article: Article | None, field: CorrectedField) -> str:
    if article is None:
        return ""
    return {
        CorrectedField.TITLE: article.title,
        CorrectedField.BODY: article.body,
        CorrectedField.DATE: f"{article.published:%Y-%m-%d}" if article.published else "",
        CorrectedField.AUTHOR: ", ".join(article.authors),
        CorrectedField.ARTICLE: article.title or article.body,
    }[field]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionsView:
    """Corrections of one site or all."""

    site: str
    """Name of the site; empty for all."""
    corrections: list[CorrectionRow]
    """Corrections, latest first."""
    jobs: list[Job]
    """Jobs of the site, latest first."""


def view_corrections(
    database: ReadOnlyDatabase, editor: Editor | None, site: str = ""
) -> CorrectionsView:
    """List corrections, latest first."""
    sites = [database.site(site)] if site else None
    rows = database.store.extractions.corrections(sites)
    return CorrectionsView(
        site=sites[0].name if sites else "",
        corrections=rows[::-1],
        jobs=editor.jobs.of(sites[0].name)[:3] if editor and sites else [],
    )
