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
        ("electoin", "election"),  # a swap of neighbours counts as one edit
        ("from", "form"),
        ("budget", None),
        ("zzzzzz", None),
        ('"goverment"', None),  # quoted: unchanged
        ("site:goverment", None),
        ("title:goverment", None),
        ("2026", None),
        ("", None),
    ],
)
def test_misspelt_words(typed, meant):
    assert corrected(typed) == meant


def test_ties_go_to_the_word_in_most_articles():
    assert (
        correct("bection", lambda word: False, lambda word: {"rection": 2, "section": 9})
        == "section"
    )


@given(st.text(max_size=30))
def test_no_input_is_an_error(text):
    corrected(text)
    for whole in complete(text, ["election"]):
        assert whole.endswith("election")
    assert not unfinished_word(text) or complete(text, ["x"])


def test_only_the_last_word_is_completed():
    assert unfinished_word('"prime min') == "min"
    assert complete("title:flo", ["flood"]) == ["title:flood"]
    assert complete("budget ", ["flood"]) == []
