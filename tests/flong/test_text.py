"""Words, folding and similarity: the text helpers that every comparison rests on."""

from hypothesis import given
from hypothesis import strategies as st

from flong.text import _WORD, fold_text, plain_letters, shared_trigrams, token_f1, words

texts = st.text(max_size=60)
token_lists = st.lists(st.sampled_from("abcdef"), max_size=12)


@given(st.text(alphabet=st.characters(max_codepoint=0x7F)))
def test_ascii_words_equal_those_of_the_general_expression(text):
    assert words(text) == _WORD.findall(plain_letters(text))


@given(texts)
def test_folding_a_folded_text_changes_nothing(text):
    assert fold_text(fold_text(text)) == fold_text(text)


@given(texts)
def test_case_and_punctuation_do_not_change_ascii_titles(text):
    plain = text.encode("ascii", "ignore").decode()
    assert fold_text(f"  {plain.upper()} ?! ") == fold_text(plain)


@given(token_lists, token_lists)
def test_token_f1_is_symmetric_and_between_0_and_1(one, other):
    assert token_f1(one, other) == token_f1(other, one)
    assert 0 <= token_f1(one, other) <= 1
    assert (token_f1(one, other) == 1) == (sorted(one) == sorted(other) != [])


@given(texts)
def test_a_text_shares_all_trigrams_with_a_longer_one(text):
    assert shared_trigrams(text, f"before {text} after") in (0.0, 1.0) or len(words(text)) < 3
    assert shared_trigrams(text, text) == float(bool(words(text)))
