"""Sites unlike the development corpus are still extracted correctly."""

import re

import pytest

from benchmarks.quality import measure
from benchmarks.strangers import STRANGERS
from benchmarks.strangers.__main__ import write

FLOORS = {"Tables": 0.9, "Few": 0.95, "Components": 0.95}
"""Minimum fraction of correct articles over three sites."""


@pytest.mark.parametrize("name", FLOORS)
def test_unfamiliar_site_is_extracted_correctly(name, tmp_path):
    paper = next(paper for paper in STRANGERS if paper.__name__ == name)
    (row,), wrong = measure(write(paper, tmp_path), ["flong"], None)
    assert row.figures.correct >= FLOORS[name], wrong
    assert min(row.figures.precision, row.figures.recall) >= 0.95, wrong
    assert row.fields["dates"] == 1.0
    assert row.fields["authors"] >= 0.7
    assert row.fields["structure"] >= 0.95
    assert row.fields["links"] >= 0.98


def test_ground_truth_of_a_synthetic_site_is_on_its_pages():
    for paper in (paper() for paper in STRANGERS if paper.count < 50):
        for _, html, story in paper.pages():
            assert story is None or story.title in html
            shown = re.sub("<[^>]*>", "", html)
            assert story is None or paper.shown(story).split("\n")[-1][:20] in shown
