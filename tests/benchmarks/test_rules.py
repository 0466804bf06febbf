"""The table of rules is about the rules that there are."""

import ast
from dataclasses import fields, replace
from pathlib import Path

import pytest

from benchmarks.ablation import DOCS, document, in_force
from benchmarks.rules import PROJECT, RULES, TESTS
from flong.patterns import THRESHOLDS, election


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_is_once_in_its_file_and_can_be_switched_off(rule):
    text = (PROJECT / rule.file).read_text()
    without = rule.switched_off(text)
    assert ast.dump(ast.parse(without)) != ast.dump(ast.parse(text))


def test_the_tests_that_should_notice_are_there():
    assert all(Path(PROJECT / test).exists() for test in TESTS)


def test_thresholds_are_changed_while_they_are_in_force():
    other = replace(THRESHOLDS, above_text=0.0)
    with in_force(other):
        assert election.THRESHOLDS is other
    assert election.THRESHOLDS is THRESHOLDS


def test_every_threshold_is_used():
    sources = "".join(path.read_text() for path in (PROJECT / "patterns").glob("*.py"))
    unused = [each.name for each in fields(THRESHOLDS) if f"THRESHOLDS.{each.name}" not in sources]
    assert not unused


@pytest.mark.parametrize("threshold", fields(THRESHOLDS), ids=lambda threshold: threshold.name)
def test_every_threshold_has_another_value_that_switches_it_off(threshold):
    assert threshold.metadata["off"] != threshold.default


def test_the_page_of_thresholds_is_generated():
    assert DOCS.read_text() == document(), "run: python -m benchmarks.ablation --docs"
