"""Figures and generated parts of the documents agree with the code."""

import re
from pathlib import Path

import pytest

from benchmarks.pictures import FOLDER, draw_all
from benchmarks.reference import DOCUMENT, write_reference
from flong.crawler.settings import FLONG_SETTINGS

ROOT = Path(__file__).parents[1]
DEPTH = next(each.default for each in FLONG_SETTINGS if each.name == "FLONG_DEPTH")


@pytest.mark.parametrize("document", ["README.md", "docs/index.md"])
def test_depth_of_a_crawl_is_the_default(document):
    assert re.findall(r"to\s+depth\s+(\d+)", (ROOT / document).read_text()) == [str(DEPTH)]


def figures(document):
    """Return the first five figures of each row with a method's name."""
    rows = re.findall(r"^\|([^|]+)\|(.+)\|$", (ROOT / document).read_text(), re.MULTILINE)
    plain = {name.strip(" *").split()[0].strip("*"): text.replace("*", "") for name, text in rows}
    return {name: [cell.strip() for cell in text.split("|")][:5] for name, text in plain.items()}


@pytest.mark.parametrize(
    "method", ["flong", "readability-lxml", "news-please", "trafilatura", "newspaper4k"]
)
def test_readme_repeats_the_quality_table(method):
    halves = (ROOT / "docs/quality.md").read_text().partition("### Halves")[2].partition("###")[0]
    row = re.search(rf"^\| \**{method}[ *].*$", halves, re.MULTILINE)
    cells = [cell.strip(" *") for cell in row[0].split("|")[2:7]]
    assert figures("README.md")[method] == cells


def test_api_reference_is_current():
    assert DOCUMENT.read_text() == write_reference()


def test_drawings_are_current():
    assert {name: (FOLDER / name).read_text() for name in draw_all()} == draw_all()
