"""Stored form of a learned model: everything that is read back."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternDocument:
    """A pattern with its labels."""

    id: int | None = None
    """Id in the database; None outside of one."""
    cluster_id: int | None = None
    """Id of its cluster, or its position outside of a database."""
    text: str
    """The tree, from `flong.patterns.write_text`."""
    labels: str
    """Labels and priors, as JSON."""
    made_from: int
    """Number of pages composed into it."""
    article_share: float
    """Fraction of articles among its sampled pages."""
    roles: tuple[tuple[int, str], ...] = ()
    """Vertices of the tree that contain fields, with the field's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDocument:
    """A site's model."""

    version: int = 0
    """Version in the database; 0 outside of one."""
    data: str
    """Conventions and norms of the site, as JSON."""
    patterns: tuple[PatternDocument, ...]
    """Its patterns, in the order of learning."""
