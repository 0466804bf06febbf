"""Compiled code is made before it is needed."""

import numpy as np
import pytest

from pipeline.preparation import PARTS, Preparation, page, tree_of
from trees import build_tree


@pytest.mark.parametrize("number", [0, 3])
def test_trees_made_without_the_compiler_are_as_all_others(number):
    made, built = tree_of(page(number)), build_tree(page(number).decode())
    assert (made.text, made.source.data) == (built.text, built.source.data)
    arrays = [name for name, value in vars(built).items() if isinstance(value, np.ndarray)]
    for name in arrays:
        one, other = getattr(made, name), getattr(built, name)
        assert one.dtype == other.dtype
        assert one.flags.c_contiguous == other.flags.c_contiguous
        assert name == "place" or one.tolist() == other.tolist()


def test_all_parts_are_made_by_processes_of_their_own():
    preparation = Preparation()
    preparation.finish()
    assert preparation.is_done()
    assert preparation.exit_codes() == [0] * len(PARTS)
