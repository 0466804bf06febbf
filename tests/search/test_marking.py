from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flong.search import index_terms, mark_terms, parse_query


@given(st.text(max_size=200), st.lists(st.text(max_size=5), max_size=5))
def test_pieces_join_to_the_text(text, terms):
    pieces = mark_terms(text, terms)
    assert "".join(piece.text for piece in pieces) == text


@given(st.text(st.characters(categories=["L", "N", "Zs"]), max_size=60))
def test_every_marked_piece_contains_a_term(text):
    terms = index_terms(text)[:1]
    for piece in mark_terms(text, terms):
        if piece.is_term:
            assert set(terms) & set(index_terms(piece.text))


@pytest.mark.parametrize(
    ("text", "typed", "marked"),
    [
        ("Rain, rain and more RAIN.", "rain", ["Rain", "rain", "RAIN"]),
        ("The rainy day", "rain", []),
        ("An état-major", "etat", ["état"]),
        ("don't", "don't", ["don", "t"]),
        ("東京の天気", "天気", ["天気"]),
        ("東京の天気", "京", ["京"]),
        ("हिन्दी समाचार", "समाचार", ["समाचार"]),
    ],
)
def test_marked_pieces_keep_their_spelling(text, typed, marked):
    terms = parse_query(typed, date(2026, 5, 1)).terms
    assert [piece.text for piece in mark_terms(text, terms) if piece.is_term] == marked
