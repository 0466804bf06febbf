"""The defences that `benchmarks.faults.defences` takes away are still where it looks for them."""

import ast

import pytest

from benchmarks.faults.defences import DEFENCES, PROJECT


def names_of(path):
    found = ast.walk(ast.parse((PROJECT / path).read_text()))
    return {node.name for node in found if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("defence", DEFENCES, ids=lambda defence: f"{defence.row}, {defence.path}")
def test_a_defence_can_be_taken_away_and_its_tests_are_there(defence):
    source = (PROJECT / defence.path).read_text()
    assert source.count(defence.on) == 1
    compile(source.replace(defence.on, defence.off), defence.path, "exec")
    for test in defence.tests.split():
        path, _, name = test.partition("::")
        assert not name or name in names_of(path)
