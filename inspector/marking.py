"""Where in a page the decisions about it are to be seen."""

from inspector.frame import find_places
from patterns import Examined, LabelledPattern, Match
from storage import ArticleRow
from trees import Tree

WILDCARDS = 400
"""Wildcards of a pattern that are outlined on a page at the most."""

FIELDS = {"date": "published", "author": "authors"}
"""Roles of a pattern's vertices that are marked, with the names of the fields."""


class Marks(dict[int, list[str]]):
    """Names to give to elements of a page, by their position among all its elements."""

    def add(self, place: int, *names: str) -> None:
        """Give an element some names more."""
        known = self.setdefault(place, [])
        known += [name for name in names if name not in known]


def marks_of(html: str, tree: Tree, seen: Examined) -> Marks:
    """Return what the labels chose and what each wildcard took, on a page looked at again."""
    marks = Marks()
    reading = seen.reading
    if reading.title >= 0:
        marks.add(int(tree.place[reading.title]), "title")
    if reading.container >= 0:
        marks.add(int(tree.place[reading.container]), "container")
    for leaf in reading.body:
        marks.add(int(tree.place[leaf]), "body")
    fields = {note.place: note.field for note in seen.fields.provenance if note.field != "title"}
    for path, place in find_places(html, fields).items():
        marks.add(place, fields[path])
    if seen.choice.match is not None:
        _mark_match(marks, seen.choice.match, seen.chosen)
    return marks


def _mark_match(marks: Marks, found: Match, chosen: LabelledPattern | None) -> None:
    """Mark what the pattern's vertices with a role map to, and what its wildcards took."""
    place = found.tree.place
    roles = chosen.roles if chosen is not None and chosen.pattern is found.pattern else ()
    for vertex, role in roles:
        if role in FIELDS and found.start[vertex] >= 0:
            marks.add(int(place[found.start[vertex]]), FIELDS[role])
    for vertex in found.pattern.wildcards[:WILDCARDS]:
        for root in found.taken(vertex):
            marks.add(int(place[root]), "wildcard", f"w{vertex}")


def marks_of_article(html: str, row: ArticleRow | None) -> Marks:
    """Return what is stored about where the fields of an article came from."""
    marks = Marks()
    notes = row.article.provenance if row is not None else ()
    fields = {note.place: note.field for note in notes}
    for path, place in find_places(html, fields).items():
        marks.add(place, fields[path])
    return marks
