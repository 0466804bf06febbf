"""A page as a labelled ordered tree, and distances between such trees."""

from trees.body_holes import Hole
from trees.build import build_tree, tag_starts
from trees.distances import rtdm_distance, selkow_distance, simple_tree_matching
from trees.hashes import stable_hash
from trees.jit import compiled
from trees.mapping import map_trees
from trees.ordered_tree import OrderedTree
from trees.page_source import Head, PageSource
from trees.skeleton import Skeleton, skeleton_of
from trees.subtree_distances import RTDM, STM, Costs, SubtreeDistances
from trees.subtree_index import SubtreeIndex, build_index
from trees.tags import DROPPED, INLINE, MEDIA, RAW, TEXT, VOID, tag_name, tag_number
from trees.tree import SitePage, Tree, remembered
from trees.written_body import MARKS, Body, WrittenBody, write_body

__all__ = [
    "DROPPED",
    "INLINE",
    "MARKS",
    "MEDIA",
    "RAW",
    "RTDM",
    "STM",
    "TEXT",
    "VOID",
    "Body",
    "Costs",
    "Head",
    "Hole",
    "OrderedTree",
    "PageSource",
    "SitePage",
    "Skeleton",
    "SubtreeDistances",
    "SubtreeIndex",
    "Tree",
    "WrittenBody",
    "build_index",
    "build_tree",
    "compiled",
    "map_trees",
    "remembered",
    "rtdm_distance",
    "selkow_distance",
    "simple_tree_matching",
    "skeleton_of",
    "stable_hash",
    "tag_name",
    "tag_number",
    "tag_starts",
    "write_body",
]
