"""A page as a labelled ordered tree, and distances between such trees."""

from trees.build import build_tree, tag_starts
from trees.distances import rtdm, selkow, simple_tree_matching
from trees.forest import Forest, plant
from trees.hashes import stable_hash
from trees.head import Head
from trees.machine import compiled
from trees.mapping import map_trees
from trees.page import SitePage
from trees.ruler import RTDM, STM, Costs, Ruler
from trees.shape import Shape, shape_of
from trees.tags import TEXT, tag_name, tag_number
from trees.tree import Tree

__all__ = [
    "RTDM",
    "STM",
    "TEXT",
    "Costs",
    "Forest",
    "Head",
    "Ruler",
    "Shape",
    "SitePage",
    "Tree",
    "build_tree",
    "compiled",
    "map_trees",
    "plant",
    "rtdm",
    "selkow",
    "shape_of",
    "simple_tree_matching",
    "stable_hash",
    "tag_name",
    "tag_number",
    "tag_starts",
]
