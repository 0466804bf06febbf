"""A pattern together with what its vertices stand for."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from flong.patterns.article_classifier import Prior
from flong.patterns.labels import LabelledPage, Labels
from flong.patterns.match import Match
from flong.patterns.pattern import Pattern
from flong.patterns.selectors import find, first_leaf
from flong.patterns.thresholds import THRESHOLDS


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class LabelledPattern:
    """A pattern, what its vertices stand for, and what its pages are."""

    number: int
    """Position in the model."""
    id: int | None = None
    """Its id in the database; None outside of one."""
    cluster: int = -1
    """The cluster that it comes from: its position; its id once it was stored."""
    pattern: Pattern = field(repr=False)
    """The ne-pattern."""
    pages: int
    """How many pages it was learned from."""
    members: tuple[int, ...] = ()
    """Positions of these pages; empty once it was stored."""
    labels: Labels
    """Where title and body are."""
    fitting: Prior = field(default_factory=Prior)
    """What to expect of pages that have title and body where the labels say."""
    other: Prior = field(default_factory=Prior)
    """What to expect of its other pages."""
    articles: float = 0.0
    """Share of its sampled pages that are articles."""
    roles: tuple[tuple[int, str], ...] = ()
    """Vertices of the pattern that hold fields, with the field's name."""

    @property
    def kind(self) -> str:
        """Return what its pages are: `article`, `mixed` or `other`."""
        if self.articles >= THRESHOLDS.articles_only:
            return "article"
        return "mixed" if self.articles > THRESHOLDS.articles_some else "other"


def roles_of(found: Match, labelled: LabelledPage, labels: Labels) -> Iterator[tuple[int, str]]:
    """Yield the vertices of the pattern that hold fields on one page, with the field's name."""
    owner, tree = found.owner, found.tree
    vertices = {
        "title": labelled.title,
        "body": labelled.container,
        "date": first_leaf(tree, find(tree, labels.date, found.start)),
        "author": first_leaf(
            tree, find(tree, labels.author.selector if labels.author else None, found.start)
        ),
    }
    for role, vertex in vertices.items():
        if vertex >= 0 and owner[vertex] >= 0:
            yield int(owner[vertex]), role
