import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from flong.search import Phrase, index_terms, phrase_of
from flong.search.folding import fold, fold_by_unicode
from flong.search.terms import cut

LETTERS = "aÀßøÅğıςΣйЙئۀكيہ日本語カﾊﾞか゛한국어ไทยລາວខ្មែर्दिতমிழ் 2٣３-'.\u200c\u200d\u0301\n"
texts = st.text(st.one_of(st.sampled_from(LETTERS), st.characters(codec="utf-8")), max_size=40)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Crème BRÛLÉE", "creme brulee"),
        ("Straße", "STRASSE"),
        ("Łódź", "lodz"),
        ("İstanbul ılık", "istanbul ilik"),
        ("Ångström", "A\u030angstro\u0308m"),
        ("Ελλάς", "ΕΛΛΑΣ"),
        ("Копейка ёлка", "копеика елка"),
        ("كتاب علي", "کتاب علی"),
        ("مُحَمَّد", "محمد"),
        ("۲۰۲۴", "2024"),
        ("ｶﾞｷﾞ", "ガギ"),
        ("１２３ ＡＢＣ", "123 abc"),
        ("“Don’t”", "don't"),
        ("co\u00adoperation", "cooperation"),
        ("한국", unicodedata.normalize("NFD", "한국")),
    ],
)
def test_spellings_of_a_word_give_one_term(one, other):
    assert index_terms(one) == index_terms(other) != []


@pytest.mark.parametrize(
    ("one", "other"), [("か", "が"), ("हिन्दी", "हन्दी"), ("は", "ぱ"), ("resume", "resumes")]
)
def test_different_words_stay_different(one, other):
    assert index_terms(one) != index_terms(other)


def test_indic_words_stay_whole():
    assert index_terms("हिन्दी में।") == ["हिन्दी", "में"]


def test_persian_word_is_split_at_an_optional_space():
    assert index_terms("می\u200cخواهد") == index_terms("می خواهد") == ["می", "خواهد"]


@given(texts)
@example("😀 a👍🏽b 🏳️‍🌈 𝔘 𠮷")
@example("か\u0301\u3099 \ue000x\uf8ff ﷺ ½ ㎏ ß \ud800")
def test_table_folds_like_unicode(text):
    assert cut(fold(text)) == cut(fold_by_unicode(text))
    assert fold(text).count("\n") == text.count("\n")


@given(texts)
def test_terms_fit_both_databases(text):
    for term in index_terms(text):
        assert 0 < len(term.encode()) < 2047
        assert term.lower() == term or not term.isascii()
        # FTS5's tokenizer `ascii` splits at ASCII characters other than letters and digits.
        assert all(not c.isascii() or c.isalnum() for c in term)


@given(st.characters(codec="utf-8").map(lambda c: c * 3000))
def test_no_term_is_too_long(text):
    assert all(len(term.encode()) < 2047 for term in index_terms(text))


@given(texts)
def test_composed_and_decomposed_forms_are_equal(text):
    assert index_terms(unicodedata.normalize("NFD", text)) == index_terms(
        unicodedata.normalize("NFC", text)
    )


def matches(terms, phrase):
    """Return True if the terms of a phrase are adjacent. Slow oracle."""
    size = len(phrase.terms)
    for start in range(len(terms) - size + 1):
        window = terms[start : start + size]
        last = window[-1].startswith(phrase.terms[-1]) if phrase.is_prefix else True
        if (
            last
            and window[: size - phrase.is_prefix] == list(phrase.terms)[: size - phrase.is_prefix]
        ):
            return True
    return False


han = st.text(st.sampled_from("日本語東京ไทยか"), min_size=1, max_size=5)
latin = st.text(st.sampled_from("abé"), min_size=1, max_size=3)


@given(st.lists(st.one_of(han, latin), min_size=1, max_size=5), st.data())
def test_every_run_of_characters_is_found(words, data):
    text = " ".join(words)
    word = data.draw(st.sampled_from(words))
    if word[0] in "abé":
        wanted = word
    else:
        start = data.draw(st.integers(0, len(word) - 1))
        wanted = word[start : data.draw(st.integers(start + 1, len(word)))]
    assert matches(index_terms(text), phrase_of(wanted))


@given(han, han)
def test_only_matching_texts_are_found(text, wanted):
    assert matches(index_terms(text), phrase_of(wanted)) == (wanted in text)


def test_a_word_of_several_parts_is_a_phrase():
    assert phrase_of("state-of-the-art") == Phrase(("state", "of", "the", "art"))
    assert phrase_of("日本2024年") == Phrase(("日本", "本", "2024", "年"), is_prefix=True)
    assert phrase_of("...") is None


def test_long_word_is_split_the_same_in_every_text():
    word = "x" * 150
    assert index_terms(f"é {word}")[1:] == index_terms(word)
