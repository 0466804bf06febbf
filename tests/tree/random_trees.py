"""Small trees for tests: a tree is its label and the tuple of its sub-trees."""

from types import SimpleNamespace

import numpy as np
from hypothesis import strategies as st

from flong.clustering import Skeleton, skeleton_of


def nested(labels="ab", leaves=8):
    """Any tree with these labels."""
    label = st.sampled_from(labels)
    leaf = label.map(lambda name: (name, ()))
    grown = st.recursive(
        leaf,
        lambda below: st.tuples(label, st.lists(below, max_size=4).map(tuple)),
        max_leaves=leaves,
    )
    return st.tuples(
        st.sampled_from(labels[:1] * 3 + labels), st.lists(grown, max_size=4).map(tuple)
    )


def count(tree):
    return 1 + sum(map(count, tree[1]))


def flat(label, size) -> Skeleton:
    """The skeleton of a tree in preorder, all its vertices kept."""
    arrays = SimpleNamespace(tag=np.array(label, np.int32), size=np.array(size, np.int32))
    return skeleton_of(arrays, collapse=False)  # type: ignore[arg-type]  # all that it reads


def skeleton(tree) -> Skeleton:
    """The skeleton of a nested tree; labels are numbers above those of HTML."""
    labels, sizes = [], []

    def visit(vertex):
        labels.append(1000 + ord(vertex[0]))
        sizes.append(count(vertex))
        for child in vertex[1]:
            visit(child)

    visit(tree)
    return flat(labels, sizes)
