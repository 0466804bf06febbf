"""One pattern: its tree, what its wildcards took on sample pages, and what came before it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from flong.inspector.database import ReadOnlyDatabase, need
from flong.patterns import PLAIN, Match, Pattern, match, match_bounded, read_text
from flong.storage import Acceptance, PatternLine, Sample
from flong.tree import TEXT, build_tree

SAMPLES = 5
"""Pages on which it is shown what a wildcard takes."""

SHOWN = 160
"""Characters of what a wildcard took that are shown."""

VERTICES = 4000
"""Vertices of a pattern that are shown."""

DEEPEST = 120
"""Levels of a pattern that are shown; browsers do not nest much deeper."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What a wildcard took on one page."""

    page: int
    """Id of the page."""
    text: str
    """The beginning of the text; empty if there is none in what it took."""
    parts: int
    """How many sub-trees side by side; 0 if it took nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vertex:
    """A vertex of the pattern, as it is shown."""

    number: int
    """Its position, in preorder."""
    depth: int
    """Its level; 0 for the root."""
    kind: str
    """`element`, `text`, or the wildcard's sign."""
    name: str
    """Tag, or the beginning of a constant text; empty for a wildcard."""
    classes: list[str]
    """Class tokens that every page has there."""
    role: str | None
    """The field that it gives."""
    size: int
    """Vertices of its sub-tree."""
    open: bool
    """Shown unfolded: a field is below it."""
    closes: int
    """How many vertices that have children end with it."""
    taken: list[Taken]
    """What it took on the sample pages; empty unless it is a wildcard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternView:
    """One pattern."""

    summary: PatternLine
    """What is known of it."""
    site: str
    """Name of its site."""
    cluster: int | None
    """The cluster it was made from; None if that was removed."""
    vertices: list[Vertex]
    """The tree, in preorder."""
    left_out: int
    """Vertices that are not shown because they are too many or too deep."""
    samples: list[Sample]
    """The pages it is tried on that it fits."""
    acceptance: list[Acceptance]
    """How pages fitted, by the day on which they were read."""
    history: list[PatternLine]
    """All patterns of its cluster, those in force first, then the latest."""


def view_pattern(database: ReadOnlyDatabase, pattern_id: int) -> PatternView:
    """Return one pattern."""
    store, overview = database.store, database.store.overview
    summary = need(overview.pattern(pattern_id), f"pattern {pattern_id}")
    site, stored = need(store.patterns.find(pattern_id), f"pattern {pattern_id}")
    pattern, _ = read_text(stored.text)
    roles = {each.vertex: each.role for each in stored.wildcards if each.role is not None}
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


def _fits(
    database: ReadOnlyDatabase, site: str, pattern: Pattern, samples: Sequence[Sample]
) -> dict[int, Match]:
    """Return how the pattern fits the sample pages, by page, where it does."""
    rows = database.pages(database.site(site), [sample.page for sample in samples])
    trees = {row.id: build_tree(row.data) for row in rows}
    found = {
        page: match(pattern, tree) or match_bounded(pattern, tree) for page, tree in trees.items()
    }
    return {page: fit for page, fit in found.items() if fit is not None}


def lay_out(
    pattern: Pattern, roles: Mapping[int, str], fits: Mapping[int, Match]
) -> Iterator[Vertex]:
    """Yield the vertices to be shown, in preorder, so that they can be nested as they come."""
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


def shorten(text: str, length: int = SHOWN) -> str:
    r"""Return a text in one line, cut after so many characters.

    >>> shorten("One  line\nand more", 12)
    'One line and…'
    """
    line = " ".join(text[: 4 * length].split())
    return line if len(line) <= length else f"{line[:length].rstrip()}…"
