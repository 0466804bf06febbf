"""What was learned about a site, as it is stored: all that is ever read back of it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternDocument:
    """A pattern with its labels."""

    id: int | None = None
    """Its id in the database; None outside of one."""
    cluster_id: int | None = None
    """The cluster that it comes from: its id, or its position outside of a database."""
    data: str
    """The tree, as JSON."""
    labels: str
    """Where its fields are and what is to be expected of its pages, as JSON."""
    made_from: int
    """Number of pages composed into it."""
    article_share: float
    """Share of its sampled pages that are articles."""
    roles: tuple[tuple[int, str], ...] = ()
    """Vertices of the tree that hold fields, with the field's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDocument:
    """A site's model."""

    version: int = 0
    """Its version in the database; 0 outside of one."""
    data: str
    """What holds for the whole site, as JSON."""
    patterns: tuple[PatternDocument, ...]
    """Its patterns, in the order in which they were learned."""
