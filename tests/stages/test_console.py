"""What a user sees on a terminal of 80 columns."""

import pytest

from flong.console import show_rows

COLUMNS = 80
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
    monkeypatch.setattr("flong.rich_console.PIPE_WIDTH", COLUMNS)


def shown(capsys, rows):
    show_rows("Things", rows, as_json=False, empty="")
    return capsys.readouterr().out


def test_no_word_is_broken_and_no_line_is_too_long(capsys):
    out = shown(capsys, [ARTICLE, ARTICLE | {"article": 13, "confidence": 1.0}])
    assert max(map(len, out.splitlines())) <= COLUMNS
    names = [name for name, value in ARTICLE.items() if value is not None]
    assert {*TITLE.split(), URL, *names, "0.96", "1.00"} <= set(out.split())


def test_what_fits_is_a_table(capsys):
    rows = [{"field": "title", "value": TITLE}, {"field": "author", "value": "A. Writer"}]
    lines = shown(capsys, rows).splitlines()
    assert max(map(len, lines)) <= COLUMNS
    assert sum("│" in line for line in lines) == 3  # the title takes two
    assert set(TITLE.split()) <= set(" ".join(lines).split())


def test_a_url_that_no_line_can_hold_is_left_whole(capsys):
    url = f"{URL}/{'x' * COLUMNS}"
    assert url in shown(capsys, [ARTICLE | {"url": url}]).split()


def test_what_has_no_spaces_by_nature_may_break_anywhere(capsys):
    out = shown(capsys, [{"title": "夜間フェリー" * 10, "words": 450}])
    assert "│" in out
