"""Highlights: elements of a page that a decision is based on."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import islice

from flong.article import Provenance
from flong.patterns import Examined, LabelledPattern, Match, vertex_at
from flong.storage import ArticleRow
from flong.tree import Tree

WILDCARDS = 400
"""Maximum number of outlined wildcards per page."""

FIELDS = {"date": "published", "author": "authors"}
"""Fields searched for near the vertices of a role."""


class Highlights(dict[int, list[str]]):
    """Names of elements by their position among all elements of a page."""

    def add(self, place: int, *names: str) -> None:
        """Add names to an element."""
        known = self.setdefault(place, [])
        known += [name for name in names if name not in known]


def highlights_of(tree: Tree, seen: Examined) -> Highlights:
    """Return the labelled elements and the matches of wildcards on an examined page."""
    highlights = Highlights()
    labelled = seen.source.labelled
    if labelled.title >= 0:
        highlights.add(int(tree.place[labelled.title]), "title")
    if labelled.container >= 0:
        highlights.add(int(tree.place[labelled.container]), "container")
    for leaf in labelled.body:
        highlights.add(int(tree.place[leaf]), "body")
    fields = seen.fields
    printed = _printed(fields.published.time if fields.published else None, fields.authors)
    _highlight_sources(
        highlights, tree, (note for note in fields.provenance if note.field != "title"), printed
    )
    found = seen.choice.match
    if found is not None:
        if seen.chosen is not None and seen.chosen.pattern is found.pattern:
            _highlight_printed(highlights, found, seen.chosen, printed)
        for vertex in found.pattern.wildcards[:WILDCARDS]:
            for root in found.taken(vertex):
                highlights.add(int(tree.place[root]), "wildcard", f"w{vertex}")
    return highlights


def _printed(published: datetime | None, authors: Sequence[str]) -> dict[str, re.Pattern[str]]:
    """Return patterns of the texts in which a page prints its date and its author.

    The year may be part of a title, so the day must match too, in any time zone.

    >>> date = _printed(datetime(2026, 5, 1), [])["published"]
    >>> [bool(date.search(text)) for text in ("30 April 2026", "2026年05月01日", "Best of 2026")]
    [True, True, False]
    """
    found = {"authors": re.compile(re.escape(authors[0]))} if authors else {}
    if published:
        days = "|".join(str((published + timedelta(days)).day) for days in (-1, 0, 1))
        day = rf"(?<!\d)0?(?:{days})(?!\d)"
        found["published"] = re.compile(rf"(?s)(?=.*{published.year}).*{day}")
    return found


def _highlight_printed(
    highlights: Highlights,
    found: Match,
    chosen: LabelledPattern,
    printed: Mapping[str, re.Pattern[str]],
) -> None:
    """Highlight printed dates and authors, even if their values came from metadata."""
    highlighted = {name for names in highlights.values() for name in names}
    for vertex, role in chosen.roles:
        field = FIELDS.get(role, "")
        if field in printed and field not in highlighted and found.start[vertex] >= 0:
            at = int(found.start[vertex])
            around = (at, *islice(found.tree.ancestors(at), 2))
            leaves = (_leaf_with(found.tree, outer, printed[field]) for outer in around)
            leaf = next((leaf for leaf in leaves if leaf is not None), None)
            if leaf is not None:
                highlights.add(int(found.tree.place[leaf]), field)


def _leaf_with(tree: Tree, vertex: int, text: re.Pattern[str]) -> int | None:
    """Return the first text leaf at or below a vertex that matches."""
    return next((leaf for leaf in tree.leaves(vertex) if text.search(tree.text_of(leaf))), None)


def highlights_of_article(tree: Tree, row: ArticleRow | None) -> Highlights:
    """Return the elements in the stored provenance of an article."""
    highlights = Highlights()
    if row is not None:
        article = row.article
        printed = _printed(article.published, article.authors)
        _highlight_sources(highlights, tree, article.provenance, printed)
    return highlights


def _highlight_sources(
    highlights: Highlights,
    tree: Tree,
    notes: Iterable[Provenance],
    printed: Mapping[str, re.Pattern[str]],
) -> None:
    """Highlight the sources of fields that are in the tree.

    In a larger block, only the line of the date or the author is highlighted.
    """
    for note in notes:
        vertex = vertex_at(tree, note.place)
        if vertex is not None:
            line = _leaf_with(tree, vertex, printed[note.field]) if note.field in printed else None
            highlights.add(int(tree.place[vertex if line is None else line]), note.field)
