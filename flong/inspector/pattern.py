"""View of one pattern: tree, matches of its wildcards on sample pages, history."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from flong.inspector.database import ReadOnlyDatabase, need
from flong.inspector.paging import Id, PartNumber
from flong.inspector.rendering import shorten
from flong.patterns import PLAIN, Match, Pattern, match, match_bounded, read_text
from flong.storage import Acceptance, PatternLine, PublishedPattern, Sample
from flong.tree import TEXT, build_tree

SAMPLES = 5
"""Maximum number of sample pages."""

VERTICES = 4000
"""Maximum number of vertices shown."""

DEEPEST = 120
"""Maximum depth of vertices shown; browsers do not nest much deeper."""


@dataclass(frozen=True, slots=True)
class Taken:
    """Match of a wildcard on one page."""

    page: int
    """Id of the page."""
    text: str
    """Beginning of the matched text; may be empty."""
    parts: int
    """Number of adjacent sub-trees; 0 without a match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vertex:
    """A vertex of the tree."""

    number: int
    """Position in preorder."""
    depth: int
    """Level; 0 for the root."""
    kind: str
    """`element`, `text`, or the symbol of the wildcard."""
    name: str
    """Tag or constant text; empty for a wildcard."""
    classes: list[str]
    """Class tokens common to all pages."""
    role: str | None
    """Role, if it is labelled."""
    size: int
    """Number of vertices in its sub-tree."""
    open: bool
    """True to unfold it: a labelled vertex is below."""
    closes: int
    """Number of open vertices that end with it."""
    taken: list[Taken]
    """Matches on the sample pages; empty unless it is a wildcard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternView:
    """One pattern."""

    summary: PatternLine
    """Figures of the pattern."""
    site: str
    """Name of its site."""
    cluster: int | None
    """Id of its cluster; None if that was removed."""
    vertices: list[Vertex]
    """Vertices in preorder."""
    left_out: int
    """Number of vertices beyond the limits."""
    samples: list[Sample]
    """Sample pages that it fits."""
    acceptance: list[Acceptance]
    """Fit of pages by the day of extraction."""
    history: list[PatternLine]
    """Patterns of its cluster: those in force first, then the latest."""


def view_pattern(database: ReadOnlyDatabase, pattern_id: Id) -> PatternView:
    """Show a pattern: tree, matches of its wildcards, history."""
    store, overview = database.store, database.store.overview
    summary = need(overview.pattern(pattern_id), f"pattern {pattern_id}")
    site, stored = need(store.templates.pattern(pattern_id), f"pattern {pattern_id}")
    pattern, _ = read_text(stored.text)
    roles = {each.vertex: each.role for each in stored.vertices if each.role is not None}
    samples = overview.samples(pattern_id, stored.cluster_id, SAMPLES)
    fits = _fits(database, site, pattern, samples)
    vertices = list(lay_out(pattern, roles, fits))
    return PatternView(
        summary=summary,
        site=site,
        cluster=stored.cluster_id,
        vertices=vertices,
        left_out=len(pattern) - len(vertices),
        samples=[sample for sample in samples if sample.page in fits],
        acceptance=overview.acceptance(pattern_id),
        history=[] if stored.cluster_id is None else overview.patterns(stored.cluster_id),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedView:
    """Patterns of Reis et al. (2004) as published, and the tree of one of them."""

    site: str
    """Name of the site."""
    patterns: list[PublishedPattern]
    """All of them, by number."""
    number: int
    """Number of the one that is shown."""
    vertices: list[Vertex]
    """Its vertices in preorder; empty if the site has no such pattern."""
    left_out: int
    """Number of vertices beyond the limits."""


def view_published(database: ReadOnlyDatabase, name: str, number: PartNumber = 1) -> PublishedView:
    """Show the patterns of Reis et al. as published, and the tree of one."""
    site = database.site(name)
    patterns = database.store.templates.published(site)
    shown = next((each for each in patterns if each.number == number), None)
    vertices = list(lay_out(read_text(shown.text)[0], {}, {})) if shown else []
    return PublishedView(
        site=site.name,
        patterns=patterns,
        number=number,
        vertices=vertices,
        left_out=shown.vertices - len(vertices) if shown else 0,
    )


def _fits(
    database: ReadOnlyDatabase, site: str, pattern: Pattern, samples: Sequence[Sample]
) -> dict[int, Match]:
    """Return the matches of the pattern on sample pages, by id of the page."""
    rows = database.pages(database.site(site), [sample.page for sample in samples])
    trees = {row.id: build_tree(row.data) for row in rows}
    found = {
        page: match(pattern, tree) or match_bounded(pattern, tree) for page, tree in trees.items()
    }
    return {page: fit for page, fit in found.items() if fit is not None}


def lay_out(
    pattern: Pattern, roles: Mapping[int, str], fits: Mapping[int, Match]
) -> Iterator[Vertex]:
    """Yield the vertices in preorder, with the marks that a template needs to nest them."""
    above = {ancestor for vertex in roles for ancestor in pattern.ancestors(vertex)}
    depth = [0] * len(pattern)
    shown: list[int] = []
    for vertex in range(len(pattern)):
        parent = int(pattern.parent[vertex])
        depth[vertex] = depth[parent] + 1 if parent >= 0 else 0
        if depth[vertex] <= DEEPEST and len(shown) < VERTICES:
            shown.append(vertex)
    for vertex, after in zip(shown, [*shown[1:], None], strict=True):
        nested = after is not None and depth[after] > depth[vertex]
        end = 0 if after is None else depth[after]
        yield Vertex(
            number=vertex,
            depth=depth[vertex],
            kind=_kind(pattern, vertex),
            name=_name(pattern, vertex),
            classes=[pattern.names.get(token, "?") for token in pattern.classes(vertex)],
            role=roles.get(vertex),
            size=int(pattern.size[vertex]) if nested else 1,
            open=vertex in above or depth[vertex] == 0,
            closes=0 if nested else depth[vertex] - end,
            taken=[_taken(page, fit, vertex) for page, fit in fits.items()]
            if pattern.kind[vertex] != PLAIN
            else [],
        )


def _kind(pattern: Pattern, vertex: int) -> str:
    if pattern.kind[vertex] != PLAIN:
        return pattern.name(vertex)
    return "text" if pattern.tag[vertex] == TEXT else "element"


def _name(pattern: Pattern, vertex: int) -> str:
    if pattern.kind[vertex] != PLAIN:
        return ""
    if pattern.tag[vertex] == TEXT:
        return pattern.texts.get(int(pattern.text_hash[vertex]), "")
    return pattern.name(vertex)


def _taken(page: int, fit: Match, vertex: int) -> Taken:
    roots = fit.taken(vertex)
    text = "\n".join(filter(None, map(fit.tree.text_of, roots)))
    return Taken(page=page, text=shorten(text), parts=len(roots))
