"""The lists of the terminal: the same filters and first columns everywhere."""

import argparse

import pytest

from flong.listing import Listing

ROWS = [
    {"run": 3, "site": "a.example", "kind": "learn", "started": "2026-01-03T05:00:00Z"},
    {"run": 2, "site": "b.example", "kind": "crawl", "started": "2026-01-02T05:00:00Z"},
    {"run": 1, "site": "a.example", "kind": "crawl", "started": None},
]
LISTING = Listing(
    title="Runs",
    kinds=("learn", "crawl", "nightly"),
    when="started",
    happened="started",
    empty="None yet.",
)


def listed(capsys, *arguments, rows=ROWS):
    """Return what a command with such a list prints, and what it says beside it."""
    parser = argparse.ArgumentParser()
    LISTING.add_arguments(parser)
    LISTING.show(iter(rows), parser.parse_args(arguments))
    return capsys.readouterr()


@pytest.mark.parametrize(
    ("arguments", "runs"),
    [
        ((), [3, 2, 1]),
        (("--kind", "crawl"), [2, 1]),
        (("--since", "2026-01-02"), [3, 2]),
        (("--until", "2026-01-02"), [2]),
        (("--contains", "B.EXAMPLE"), [2]),
        (("--limit", "2"), [3, 2]),
        (("--limit", "0"), [3, 2, 1]),
        (("--kind", "crawl", "--since", "2026-01-03"), []),
    ],
)
def test_filters_let_rows_through(capsys, arguments, runs):
    printed = listed(capsys, "--json", *arguments).out.splitlines()
    assert [int(line.split(",")[0].removeprefix('{"run": ')) for line in printed] == runs


def test_a_list_that_is_cut_says_so_apart_from_the_rows(capsys):
    assert "--limit 0 shows all" in listed(capsys, "--limit", "2").err
    assert listed(capsys, "--limit", "3").err == ""


def test_no_row_at_all_is_told_apart_from_no_row_that_fits(capsys):
    assert listed(capsys, rows=[]).out == "None yet.\n"
    assert listed(capsys, "--kind", "nightly").out == "No row matches these filters.\n"


@pytest.mark.parametrize("arguments", [("--since", "May"), ("--limit", "-1"), ("--limit", "few")])
def test_a_wrong_filter_is_told_in_a_sentence(capsys, arguments):
    with pytest.raises(SystemExit, match="2"):
        listed(capsys, *arguments)
    assert "is no" in capsys.readouterr().err
