"""Lineage: the origin of a story, its copies, and their later changes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from flong.search.stories import term_trigrams


class Relation(StrEnum):
    """Relation of an article to the first one of its story."""

    FIRST = "first"
    REPEATED = "repeated"
    """The same site published it under another URL."""
    SYNDICATED = "syndicated"
    """Another site published it too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    """An article as a member of a story."""

    key: int
    """Id of the page."""
    site: str
    """Name of the site."""
    url: str = ""
    """Canonical URL of the page."""
    title: str = ""
    """Headline."""
    body: str
    """Text."""
    first_seen: datetime
    """Time when the page was first fetched."""
    published: datetime | None = None
    """Declared time of publication; None if unknown."""
    edited: tuple[datetime, ...] = ()
    """Times of observed changes, earliest first."""
    taken_down: datetime | None = None
    """Time when the page was found missing; None while it exists."""

    @property
    def time(self) -> datetime:
        """Return the time of publication, or of the first fetch if that is earlier."""
        if self.published is None:
            return self.first_seen
        return min(self.published, self.first_seen)


@dataclass(frozen=True, slots=True, kw_only=True)
class Descent:
    """A member of a story and its relation to the first one."""

    appearance: Appearance
    """The article."""
    relation: Relation
    """Relation to the first one."""
    copied: float
    """Fraction of its text shared with the first one; 1 for the first one itself."""
    delay: timedelta
    """Time since the first one appeared."""


def trace_lineage(story: Sequence[Appearance]) -> list[Descent]:
    """Return the members of a story in order of appearance.

    A later article is a repetition if its site already has the story, else a syndicated copy.
    """
    ordered = sorted(story, key=lambda each: (each.time, each.key))
    if not ordered:
        return []
    first = ordered[0]
    origin = term_trigrams(first.body)
    seen: set[str] = set()
    lineage = []
    for each in ordered:
        own = term_trigrams(each.body)
        relation = Relation.REPEATED if each.site in seen else Relation.SYNDICATED
        lineage.append(
            Descent(
                appearance=each,
                relation=Relation.FIRST if each is first else relation,
                copied=1.0 if each is first else len(own & origin) / max(1, len(own)),
                delay=each.time - first.time,
            )
        )
        seen.add(each.site)
    return lineage
