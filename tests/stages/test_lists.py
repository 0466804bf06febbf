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
    """Return the output and the error output of a list command."""
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
def test_lists_are_filtered(capsys, arguments, runs):
    printed = listed(capsys, "--json", *arguments).out.splitlines()
    assert [int(line.split(",")[0].removeprefix('{"run": ')) for line in printed] == runs


def test_truncated_list_is_reported_on_stderr(capsys):
    assert "--limit 0 shows all" in listed(capsys, "--limit", "2").err
    assert listed(capsys, "--limit", "3").err == ""


def test_empty_list_and_no_match_have_different_messages(capsys):
    assert listed(capsys, rows=[]).out == "None yet.\n"
    assert listed(capsys, "--kind", "nightly").out == "No row matches these filters.\n"


@pytest.mark.parametrize("arguments", [("--since", "May"), ("--limit", "-1"), ("--limit", "few")])
def test_wrong_filter_gives_a_one_line_error(capsys, arguments):
    with pytest.raises(SystemExit, match="2"):
        listed(capsys, *arguments)
    assert "is no" in capsys.readouterr().err
