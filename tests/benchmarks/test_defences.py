"""Check that the defences removed by `benchmarks.faults.defences` still exist."""

import ast

import pytest

from benchmarks.faults.defences import DEFENCES, PROJECT, copy_checkout


def names_of(path):
    found = ast.walk(ast.parse((PROJECT / path).read_text()))
    return {node.name for node in found if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("defence", DEFENCES, ids=lambda defence: f"{defence.row}, {defence.path}")
def test_defence_can_be_removed_and_its_tests_exist(defence):
    source = (PROJECT / defence.path).read_text()
    assert source.count(defence.on) == 1
    compile(source.replace(defence.on, defence.off), defence.path, "exec")
    for test in defence.tests.split():
        path, _, name = test.partition("::")
        assert not name or name in names_of(path)


def test_copied_checkout_has_all_packages(tmp_path):
    copy_checkout(tmp_path)
    assert (tmp_path / "flong/crawler/spider.py").is_file()
    assert (tmp_path / "flong/storage/tables.py").is_file()
