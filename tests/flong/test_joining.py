"""Joining of a divided article."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flong.article import Block, BlockKind, Box, Span, text_of_blocks
from flong.joining import is_pager, join_blocks, join_texts

LINES = st.lists(st.text("abc ", min_size=3).filter(str.strip), min_size=1, max_size=5)


def paragraph(text, *boxes):
    return Block(kind=BlockKind.PARAGRAPH, spans=(Span(text),), boxes=boxes)


@given(LINES)
def test_a_single_page_is_unchanged(lines):
    assert join_texts(["\n".join(lines)]) == "\n".join(lines)


@given(LINES, LINES)
def test_only_lines_of_the_first_page_are_dropped(one, other):
    joined = join_texts(["\n".join(one), "\n".join(other)]).split("\n")
    assert joined[: len(one)] == one
    assert {*one, *other} == {*joined}


def test_shared_beginnings_and_ends_are_kept_once():
    pages = ["By Ann\nOne.\nAll rights reserved", "By Ann\nTwo.\nAll rights reserved"]
    assert join_texts(pages) == "By Ann\nOne.\nAll rights reserved\nTwo."


def test_lists_of_two_pages_are_two_lists():
    page = [paragraph("a", Box("ul", 0), Box("li", 1)), paragraph("b", Box("ul", 0), Box("li", 2))]
    other = [paragraph("c", Box("ul", 0), Box("li", 1))]
    joined = join_blocks([page, other, other])
    assert [[box.number for box in block.boxes] for block in joined] == [
        [0, 1],
        [0, 2],
        [3, 4],
        [5, 6],
    ]
    assert text_of_blocks(joined) == "a\nb\nc\nc"


@pytest.mark.parametrize(
    ("line", "pages", "leads"),
    [
        ("Chapters: | Previous | 1 | 2 | 3 | Next |", 3, True),
        ("« 1 2 3 »", 3, True),
        ("Page 1 3 Next", 3, True),
        ("1 2 3 4 5 6 7 8 9 Next", 9, True),
        ("1", 2, False),
        ("In 2 of 3 towns", 2, False),
        ("3 4 5", 3, False),
        ("They won 1 2 and then lost all the other games of the year", 2, False),
        ("The score was 1 2", 5, False),
        ("9" * 5000, 2, False),
    ],
)
def test_pagers_are_distinguished_from_text(line, pages, leads):
    assert is_pager(line, pages) is leads
