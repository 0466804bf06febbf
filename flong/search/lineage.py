"""Lineage: where a story came from, who copied how much of it, what became of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from flong.search.stories import term_trigrams


class Relation(StrEnum):
    """What an article is to the first one of its story."""

    FIRST = "first"
    REPEATED = "repeated"
    """The same site has it at another URL."""
    SYNDICATED = "syndicated"
    """Another site has it too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    """An article as one member of a story."""

    key: int
    """Id of its page."""
    site: str
    """Name of its site."""
    url: str = ""
    """Canonical URL of its page."""
    title: str = ""
    """Its headline."""
    body: str
    """Its text."""
    first_seen: datetime
    """When its page was first received."""
    published: datetime | None = None
    """When it says it was published; None if not known."""
    edited: tuple[datetime, ...] = ()
    """When it was seen to have changed, the earliest first."""
    taken_down: datetime | None = None
    """When its page was found to be gone; None while it is there."""

    @property
    def time(self) -> datetime:
        """Return when it appeared: as published, unless it was seen before that."""
        if self.published is None:
            return self.first_seen
        return min(self.published, self.first_seen)


@dataclass(frozen=True, slots=True, kw_only=True)
class Descent:
    """What is known of one member of a story."""

    appearance: Appearance
    """The article."""
    relation: Relation
    """What it is to the first one."""
    copied: float
    """Share of its text that the first one has; 1 for the first one itself."""
    delay: timedelta
    """How much later than the first one it appeared."""


def trace_lineage(story: Sequence[Appearance]) -> list[Descent]:
    """Return the members of a story in the order they appeared, the first one first.

    An article of a site that already has the story is a repetition, else it is syndicated.
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
