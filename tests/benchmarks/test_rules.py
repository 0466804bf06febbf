"""The table of rules is about the rules that there are."""

import ast
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.ablation import changes, in_force
from benchmarks.rules import PROJECT, RULES, TESTS
from flong.patterns import THRESHOLDS, election


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_is_once_in_its_file_and_can_be_switched_off(rule):
    text = (PROJECT / rule.file).read_text()
    without = rule.switched_off(text)
    assert ast.dump(ast.parse(without)) != ast.dump(ast.parse(text))


def test_the_tests_that_should_notice_are_there():
    assert all(Path(PROJECT / test).exists() for test in TESTS)


def test_numbers_are_changed_for_as_long_as_they_are_in_force():
    [change] = changes(["above_text"])
    assert change.off
    other = replace(THRESHOLDS, above_text=change.value)
    with in_force(other):
        assert election.THRESHOLDS is other
    assert election.THRESHOLDS is THRESHOLDS
