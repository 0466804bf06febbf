"""Docs and benchmarks agree: each command exists, each benchmark is published."""

import re
from itertools import islice
from pathlib import Path

from benchmarks.corpus import CorpusPage
from benchmarks.growth import endless_pages, generated_pages
from benchmarks.speed import seconds_per_page

ROOT = Path(__file__).parents[2]
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]


def named_benchmarks():
    for document in DOCUMENTS:
        for name in re.findall(r"\bbenchmarks((?:\.\w+)+)", document.read_text()):
            yield f"benchmarks{name}"


def runnable_benchmarks():
    for path in ROOT.glob("benchmarks/**/*.py"):
        if re.search(r'^if __name__ == "__main__":', path.read_text(), re.MULTILINE):
            parts = path.relative_to(ROOT).with_suffix("").parts
            yield ".".join(part for part in parts if part != "__main__")


def test_every_benchmark_in_a_document_exists():
    assert set(named_benchmarks()) <= set(runnable_benchmarks())


def test_every_benchmark_is_named_in_a_document():
    assert set(runnable_benchmarks()) <= set(named_benchmarks())


def test_every_test_named_in_the_papers_exists():
    """A claim to reproduce a paper is held by a test."""
    text = (ROOT / "docs" / "papers.md").read_text()
    functions = {
        name
        for path in ROOT.glob("tests/**/test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(), re.MULTILINE)
    }
    named = set(re.findall(r"`(test_\w+)`", text))
    assert len(named) > 20
    assert named <= functions
    assert all((ROOT / path).is_file() for path in re.findall(r"`(tests/[\w/]+\.py)`", text))


def test_copies_of_pages_have_their_own_urls():
    count = 2 * len(list(generated_pages())) + 1
    urls = [page.url for page in islice(endless_pages(None), count)]
    assert len(set(urls)) == count


def test_every_method_reads_every_page_in_every_round():
    pages = [CorpusPage(path=name, url=name, html="<p>", kind="article") for name in "ab"]
    read = []
    methods = {"one": lambda page: read.append(page.url), "other": lambda page: None}
    seconds = seconds_per_page(methods, pages, turns=3)
    assert read == ["a", *"ab" * 3]
    assert all(value >= 0 for value in seconds.values())
