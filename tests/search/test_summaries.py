import pytest
from hypothesis import given
from hypothesis import strategies as st

from flong.search import index_terms, summarise
from flong.search.summaries import CHARACTERS, MOST_SENTENCES, WORDS, _size

BODY = """Flood in the valley
A river rose by two metres in the night. Nobody was hurt, said the mayor.
The bridge of Linden is closed until Friday. Trains stop in the next town instead.
Share this
Help came from three neighbouring towns, with pumps, boats, people and bread.
"""

sentence = st.lists(
    st.sampled_from("rain bridge mayor 日本語の橋 été town a of".split()), min_size=1, max_size=90
)
bodies = st.lists(
    sentence.map(lambda words: " ".join(words) + "."), min_size=1, max_size=12
).flatmap(lambda parts: st.sampled_from(["\n", " "]).map(lambda by: by.join(parts)))


@given(
    bodies, st.lists(st.sampled_from("rain bridge mayor 日本 本語 ete nothing".split()), max_size=5)
)
def test_summary_is_extractive(body, terms):
    summary = summarise(body, terms)
    assert 1 <= len(summary) <= max(MOST_SENTENCES, len(terms))
    assert all(each.text and each.text in body for each in summary)
    places = [body.index(each.text) for each in summary]
    assert all("\n" not in each.text for each in summary)
    assert len(places) == 1 or places[0] <= body.rindex(summary[-1].text)


@given(bodies, st.lists(st.sampled_from("rain bridge mayor 日本 ete".split()), max_size=5))
def test_a_summary_is_short(body, terms):
    assert sum(_size(each.text) for each in summarise(body, terms)) <= 1 + 1e-9


def test_sentences_are_in_the_order_of_the_body():
    texts = [str(each) for each in summarise(BODY, ["bridge", "boats"])]
    assert texts == [
        "The bridge of Linden is closed until Friday.",
        "Help came from three neighbouring towns, with pumps, boats, people and bread.",
    ]


def test_without_a_query_it_is_the_lead_without_headings():
    assert summarise(BODY, [])[0].text == "A river rose by two metres in the night."
    assert summarise("Only this", [])[0].text == "Only this"
    assert summarise("", ["rain"]) == summarise("\n \n", []) == []


def test_heading_is_chosen_if_only_it_has_a_term():
    assert summarise(BODY, ["valley"])[0].text == "Flood in the valley"
    assert (
        "Flood in the valley"
        not in [each.text for each in summarise(BODY, ["flood", "river", "mayor"])][1:]
    )


def test_distant_terms_of_long_sentences_are_all_shown():
    filler = " ".join(["and so on"] * 40)
    body = "\n".join(f"Here {filler} {term} {filler} goes on." for term in ("rain", "snow", "hail"))
    summary = summarise(body, ["rain", "snow", "hail"])
    assert [term for each in summary for term in ("rain", "snow", "hail") if term in each.text] == [
        "rain",
        "snow",
        "hail",
    ]
    assert all(str(each).startswith("… ") and str(each).endswith(" …") for each in summary)


def test_japanese_is_shortened_by_characters():
    body = "あ" * 400 + "東京" + "い" * 400
    (excerpt,) = summarise(body, list(index_terms("東京")[:1]), "ja")
    assert "東京" in excerpt.text
    assert len(excerpt.text) <= CHARACTERS


@pytest.mark.parametrize("language", ["en", "ja", "fa", "xx", "", None])
def test_every_language_is_accepted(language):
    assert summarise("One is here. Two is there.", ["two"], language)


def test_words_are_counted_per_word():
    assert _size("one two three") == pytest.approx(3 / WORDS)
