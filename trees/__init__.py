"""A page as a labelled ordered tree, and distances between such trees."""

from trees.build import build_tree, place_xpath
from trees.hashes import stable_hash
from trees.head import Head
from trees.tags import TEXT, tag_name, tag_number
from trees.tree import Tree

__all__ = [
    "TEXT",
    "Head",
    "Tree",
    "build_tree",
    "place_xpath",
    "stable_hash",
    "tag_name",
    "tag_number",
]
