"""The table of rules is about the rules that there are."""

import ast
from dataclasses import fields, replace
from pathlib import Path

import pytest

from benchmarks.ablation import DOCS, document, in_force, switches
from benchmarks.rules import PROJECT, RULES, TESTS
from flong.patterns import TABLES, THRESHOLDS, election, title_election
from flong.patterns.page_titles import PageNames
from flong.tree import build_tree


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_can_be_switched_off(rule):
    text = (PROJECT / rule.file).read_text()
    without = rule.switched_off(text)
    assert ast.dump(ast.parse(without)) != ast.dump(ast.parse(text))


def test_tests_that_notice_a_rule_exist():
    assert all(Path(PROJECT / test).exists() for test in TESTS)


def test_thresholds_can_be_replaced_temporarily():
    other = replace(THRESHOLDS, near_tie=0.0)
    with in_force(other):
        assert election.THRESHOLDS is other
    assert election.THRESHOLDS is THRESHOLDS


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_each_feature_can_be_switched_off(table):
    names = [row.name for row in table.features]
    assert len({*names}) == len(names)
    off = switches()
    for name in names:
        with off[f"{table.name}: {name}"]:
            assert [row.name for row in table.features] == [one for one in names if one != name]
    assert [row.name for row in table.features] == names


def test_title_outside_a_heading_has_fewer_points():
    tree = build_tree("<h1>Rain</h1>")
    names = PageNames(heads=("rain",))
    whole = title_election.find_candidates(tree, names, frozenset())
    with switches()["title: in a heading"]:
        without = title_election.find_candidates(tree, names, frozenset())
    assert whole.titles == {2: pytest.approx(1.4)}
    assert without.titles == {2: pytest.approx(1.15)}


def test_every_threshold_is_used():
    sources = "".join(path.read_text() for path in (PROJECT / "patterns").glob("*.py"))
    unused = [each.name for each in fields(THRESHOLDS) if f"THRESHOLDS.{each.name}" not in sources]
    assert not unused


@pytest.mark.parametrize("threshold", fields(THRESHOLDS), ids=lambda threshold: threshold.name)
def test_every_threshold_has_a_value_that_switches_it_off(threshold):
    assert threshold.metadata["off"] != threshold.default


def test_docs_of_thresholds_are_generated():
    assert DOCS.read_text() == document(), "run: python -m benchmarks.ablation --docs"
