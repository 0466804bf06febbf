import pytest
from hypothesis import given
from hypothesis import strategies as st

from flong.search import complete, correct, unfinished_word

KNOWN = {"government": 9, "governments": 2, "budget": 5, "election": 7, "selection": 1, "form": 3}


def corrected(text):
    return correct(text, KNOWN.__contains__, lambda word: KNOWN)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("goverment", "government"),
        ("budget goverment", "budget government"),
        ("electoin", "election"),  # neighbours swapped count one
        ("from", "form"),
        ("budget", None),
        ("zzzzzz", None),
        ('"goverment"', None),  # as typed, in quotes
        ("site:goverment", None),
        ("title:goverment", None),
        ("2026", None),
        ("", None),
    ],
)
def test_misspelt_words(typed, meant):
    assert corrected(typed) == meant


def test_of_words_equally_near_the_one_in_most_articles_is_meant():
    assert (
        correct("bection", lambda word: False, lambda word: {"rection": 2, "section": 9})
        == "section"
    )


@given(st.text(max_size=30))
def test_nothing_typed_is_an_error(text):
    corrected(text)
    for whole in complete(text, ["election"]):
        assert whole.endswith("election")
    assert not unfinished_word(text) or complete(text, ["x"])


def test_only_the_last_word_is_completed():
    assert unfinished_word('"prime min') == "min"
    assert complete("title:flo", ["flood"]) == ["title:flood"]
    assert complete("budget ", ["flood"]) == []
