"""Phrase search, compared with a search over all index terms."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from flong.search import Phrase, index_terms, phrase_of, stands_in

# Few words, so phrases recur; each exercises a different case of folding or splitting.
PARTS = (
    "prime minister Prime, MINISTER mínister minister\u0301 don't don’t u.s. 日本 日本語 本語 "
    "語 日 か か\u3099 ｶﾞ 한국 한국어 é e\u0301 ß ss ﬁ fi й и هندی दि द 2 ² ٢ x_y x-y İ i I\u0307"
).split()
texts = st.lists(
    st.one_of(st.sampled_from(PARTS), st.sampled_from([" ", "", "\n", "—", "\u00a0", "\u00ad"])),
    max_size=14,
).map("".join)
spaced = st.lists(st.sampled_from(PARTS), max_size=8).map(" ".join)


def slowly(text, phrase):
    terms, size = index_terms(text), len(phrase.terms)
    for start in range(len(terms) - size + 1):
        here = terms[start : start + size]
        if phrase.is_prefix and here[-1].startswith(phrase.terms[-1]):
            here[-1] = phrase.terms[-1]
        if tuple(here) == phrase.terms:
            return True
    return False


@given(st.one_of(texts, spaced), st.one_of(texts, spaced))
@example("か\u3099", "か")
@example("a ton of it", "to on")
@example("日本 本京", "日本本京")
@example("prime minister\u0301s", "prime minister")
@example(f"{'x' * 70} y", f"{'x' * 70} y")
def test_phrase_matches_where_its_terms_do(text, asked):
    phrase = phrase_of(asked)
    if phrase is not None:
        assert stands_in(text, phrase) == slowly(text, phrase)
        assert stands_in(f"{asked} {text}", phrase)


@given(texts, st.data())
def test_part_of_a_text_matches_where_its_terms_do(text, data):
    start = data.draw(st.integers(0, len(text)))
    phrase = phrase_of(text[start : data.draw(st.integers(start, len(text)))])
    if phrase is not None:
        assert stands_in(text, phrase) == slowly(text, phrase)


@given(st.integers(0, 300), st.integers(0, 300), st.sampled_from([" ", "x", "日"]))
@example(58, 0, "x")
@example(178, 0, "x")  # a word this long is split: its last term is `week`
def test_words_at_the_window_border_stay_whole(before, after, filler):
    week = Phrase(("week", "1"))
    text = f"week 16 {filler * before}biweek 1 {filler * after}week 16"
    assert stands_in(text, week) == slowly(text, week)
    assert stands_in(f"{text} week 1.", week)
    assert stands_in(f"{filler * before} week 1 {filler * after} week 16", week)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Prime Minister’s son", True),
        ("“prime–minister”", True),
        ("Überall: prime\nminister", True),
        ("prime ministers", False),
        ("prime, Über minister", False),
        ("subprime minister", False),
        ("prime", False),
    ],
)
def test_adjacent_words(text, expected):
    assert stands_in(text, Phrase(("prime", "minister"))) is expected
