"""Compiled code is made before it is needed."""

import numpy as np
import pytest

from pipeline.preparation import (
    PARTS,
    PROCESSES,
    Preparation,
    mark_of_completion,
    page,
    tree_of,
)
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


def test_each_part_is_made_by_one_process():
    assert sorted(part for parts in PROCESSES for part in parts) == sorted(PARTS)


def test_what_is_made_is_not_made_again(tmp_path, monkeypatch):
    mark = tmp_path / "cache" / "compiled"
    monkeypatch.setattr("pipeline.preparation.mark_of_completion", lambda: mark)
    first = Preparation()
    first.finish()
    assert first.is_done()
    assert first.exit_codes() == [0] * len(PROCESSES)
    assert mark.exists()
    assert Preparation().exit_codes() == []


def test_the_mark_is_of_one_source_and_one_compiler(monkeypatch):
    mark = mark_of_completion()
    assert mark == mark_of_completion()
    monkeypatch.setattr("pipeline.preparation.version", lambda name: "0.0")
    assert mark_of_completion() != mark
