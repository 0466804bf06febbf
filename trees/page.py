"""A page of a site as the methods see it."""

from dataclasses import dataclass

from trees.tree import Tree


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SitePage:
    """One page of a site."""

    url: str
    """Canonical address."""
    tree: Tree
    """The page as a block tree."""
