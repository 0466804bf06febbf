"""Every rule of labelling and judging can be switched off, as `benchmarks.rules` does."""

from dataclasses import replace

import pytest

from benchmarks.ablation import changes, in_force
from benchmarks.rules import PROJECT, RULES
from patterns import THRESHOLDS, election


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_is_where_it_is_said_to_be(rule):
    text = (PROJECT / rule.file).read_text(encoding="utf-8")
    assert rule.switched_off(text) != text


def test_numbers_are_changed_for_as_long_as_they_are_in_force():
    [change] = changes(["earned"])
    assert change.off
    other = replace(THRESHOLDS, earned=change.value)
    with in_force(other):
        assert election.THRESHOLDS is other
    assert election.THRESHOLDS is THRESHOLDS
