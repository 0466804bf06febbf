"""Where in a page the decisions about it are to be seen."""

from collections.abc import Iterable
from itertools import islice

from items import Provenance
from patterns import Examined, LabelledPattern, Match, vertex_at
from storage import ArticleRow
from trees import Tree

WILDCARDS = 400
"""Wildcards of a pattern that are outlined on a page at the most."""


class Marks(dict[int, list[str]]):
    """Names to give to elements of a page, by their position among all its elements."""

    def add(self, place: int, *names: str) -> None:
        """Give an element some names more."""
        known = self.setdefault(place, [])
        known += [name for name in names if name not in known]


def marks_of(tree: Tree, seen: Examined) -> Marks:
    """Return what the labels chose and what each wildcard took, on a page looked at again."""
    marks = Marks()
    reading = seen.reading
    if reading.title >= 0:
        marks.add(int(tree.place[reading.title]), "title")
    if reading.container >= 0:
        marks.add(int(tree.place[reading.container]), "container")
    for leaf in reading.body:
        marks.add(int(tree.place[leaf]), "body")
    _mark_sources(marks, tree, (note for note in seen.fields.provenance if note.field != "title"))
    found = seen.choice.match
    if found is not None:
        if seen.chosen is not None and seen.chosen.pattern is found.pattern:
            _mark_printed(marks, found, seen.chosen, seen)
        for vertex in found.pattern.wildcards[:WILDCARDS]:
            for root in found.taken(vertex):
                marks.add(int(tree.place[root]), "wildcard", f"w{vertex}")
    return marks


def _mark_printed(marks: Marks, found: Match, chosen: LabelledPattern, seen: Examined) -> None:
    """Mark date and author where they are printed, also if the metadata gave their values."""
    fields = seen.fields
    printed = {
        "date": ("published", str(fields.published.year) if fields.published else ""),
        "author": ("authors", fields.authors[0] if fields.authors else ""),
    }
    for vertex, role in chosen.roles:
        name, text = printed.get(role, ("", ""))
        if text and found.start[vertex] >= 0:
            leaf = _near(found.tree, int(found.start[vertex]), text)
            if leaf is not None:
                marks.add(int(found.tree.place[leaf]), name)


def _near(tree: Tree, vertex: int, text: str) -> int | None:
    """Return the text leaf with a text in it at a vertex, or else around it."""
    for outer in (vertex, *islice(tree.ancestors(vertex), 2)):
        for leaf in tree.leaves(outer):
            if text in tree.text_of(leaf):
                return leaf
    return None


def marks_of_article(tree: Tree, row: ArticleRow | None) -> Marks:
    """Return what is stored about where the fields of an article came from."""
    marks = Marks()
    _mark_sources(marks, tree, row.article.provenance if row is not None else ())
    return marks


def _mark_sources(marks: Marks, tree: Tree, notes: Iterable[Provenance]) -> None:
    """Mark where fields of an article came from, as far as that is in the tree."""
    for note in notes:
        vertex = vertex_at(tree, note.place)
        if vertex is not None:
            marks.add(int(tree.place[vertex]), note.field)
