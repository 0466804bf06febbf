"""The table of rules is about the rules that there are."""

import ast
from pathlib import Path

import pytest

from benchmarks.rules import PROJECT, RULES, TESTS


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_is_once_in_its_file_and_can_be_switched_off(rule):
    text = (PROJECT / rule.file).read_text()
    without = rule.switched_off(text)
    assert ast.dump(ast.parse(without)) != ast.dump(ast.parse(text))


def test_the_tests_that_should_notice_are_there():
    assert all(Path(PROJECT / test).exists() for test in TESTS)
