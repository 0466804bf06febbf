"""Output on a terminal of 80 columns."""

import argparse
from datetime import UTC, datetime

import pytest
from rich.cells import cell_len

from flong.commands.articles import LISTING
from flong.console import show_rows
from flong.rich_console import console

COLUMNS = 80
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
TITLE = "Castellan leaves Merrow Athletic for Carrow Albion after twelve seasons and 104 goals"
URL = "https://news.example/sport/2024/11/castellan-leaves-merrow-athletic-118"
ARTICLE = {
    "article": 12,
    "site": "news.example",
    "kind": "pattern",
    "dated": "2024-11-04 08:15",
    "title": TITLE,
    "words": 450,
    "confidence": 0.96,
    "pattern": 1,
    "author": None,
    "url": URL,
}


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    """A terminal of 80 columns."""
    monkeypatch.setenv("COLUMNS", str(COLUMNS))


def shown(capsys, rows):
    show_rows("Things", rows, as_json=False, empty="")
    return capsys.readouterr().out


def test_no_word_is_broken_and_no_line_is_too_long(capsys):
    out = shown(capsys, [ARTICLE, ARTICLE | {"article": 13, "confidence": 1.0}])
    assert max(map(len, out.splitlines())) <= COLUMNS
    names = [name for name, value in ARTICLE.items() if value is not None]
    assert {*TITLE.split(), URL, *names, "0.96", "1.00"} <= set(out.split())


def test_narrow_rows_are_shown_as_a_table(capsys):
    rows = [{"field": "title", "value": TITLE}, {"field": "author", "value": "A. Writer"}]
    lines = shown(capsys, rows).splitlines()
    assert max(map(len, lines)) <= COLUMNS
    assert sum("│" in line for line in lines) == 3  # the title takes two
    assert set(TITLE.split()) <= set(" ".join(lines).split())


def test_long_url_is_not_broken(capsys):
    url = f"{URL}/{'x' * COLUMNS}"
    assert url in shown(capsys, [ARTICLE | {"url": url}]).split()


def test_text_without_spaces_can_break_anywhere(capsys):
    out = shown(capsys, [{"title": "夜間フェリー" * 10, "words": 450}])
    assert "│" in out


@pytest.mark.parametrize(("columns", "width"), [("80", 80), ("200", 200), ("", 160)])
def test_piped_output_follows_the_columns_variable(monkeypatch, columns, width):
    monkeypatch.setenv("COLUMNS", columns)
    assert console().width == width


def test_twenty_articles_fit_on_one_screen_of_80_columns(capsys):
    rows = [
        {"article": n, "site": "news.example", "published": NOON, "title": TITLE} for n in range(20)
    ]
    parser = argparse.ArgumentParser()
    LISTING.add_arguments(parser)
    rows = [row | {"kind": "pattern", "dated": NOON} for row in rows]
    LISTING.show(rows + rows, parser.parse_args([]))
    printed = capsys.readouterr()
    lines = (printed.out + printed.err).splitlines()
    assert len(lines) <= 23  # and the prompt
    assert max(map(cell_len, lines)) <= 80
    assert lines[1] == f"0        news.example  2026-05-01 12:00  {TITLE}"[:79] + "…"
