"""HTML pages as labelled ordered trees."""

from flong.tree.build import build_tree, tag_starts
from flong.tree.hashes import stable_hash
from flong.tree.jit import compiled
from flong.tree.page_source import Head
from flong.tree.tags import (
    DROPPED,
    FIRST_UNKNOWN,
    FLOW,
    INLINE,
    MEDIA,
    NUMBERS,
    PROSE,
    RAW,
    TEXT,
    VOID,
    tag_name,
    tag_number,
)
from flong.tree.tree import OrderedTree, SitePage, Tree, remembered

__all__ = [
    "DROPPED",
    "FIRST_UNKNOWN",
    "FLOW",
    "INLINE",
    "MEDIA",
    "NUMBERS",
    "PROSE",
    "RAW",
    "TEXT",
    "VOID",
    "Head",
    "OrderedTree",
    "SitePage",
    "Tree",
    "build_tree",
    "compiled",
    "remembered",
    "stable_hash",
    "tag_name",
    "tag_number",
    "tag_starts",
]
