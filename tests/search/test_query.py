from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from flong.search import Condition, Field, Phrase, Query, parse_query

TODAY = date(2026, 5, 20)


def parse(text):
    return parse_query(text, TODAY)


def words(*terms, where=Field.TEXT):
    return tuple(Condition(Phrase((term,)), where) for term in terms)


@given(st.text(st.one_of(st.sampled_from('"-:“ abtilesncu20d日'), st.characters()), max_size=60))
@example('"')
@example("-")
@example('title:"')
@example("since:99999d until:0000 since:2024-13-45")
@example("\0 \ud800 NEAR( * ^ { } AND OR NOT")
def test_every_text_is_a_query(text):
    query = parse(text)
    assert isinstance(query, Query)
    assert all(each.phrase.terms for each in query.required + query.excluded)


def test_words_are_required_unless_excluded():
    assert parse("Election -Coal results") == Query(
        required=words("election", "results"), excluded=words("coal")
    )


@pytest.mark.parametrize("typed", ['"prime minister"', "“prime minister”", '"prime minister'])
def test_closing_quote_of_a_phrase_is_optional(typed):
    assert parse(typed).required == (Condition(Phrase(("prime", "minister"))),)


def test_title_and_author_filter_by_words_and_phrases():
    assert parse("title:flood").required == words("flood", where=Field.TITLE)
    assert parse('author:"Ann Lee"').required[0] == Condition(Phrase(("ann", "lee")), Field.AUTHOR)
    assert parse("-title:flood").excluded == words("flood", where=Field.TITLE)


def test_sites_are_named_or_excluded():
    query = parse("site:https://www.A.example/x site:b.example -site:c.example")
    assert query.sites == {"a.example", "b.example"}
    assert query.excluded_sites == {"c.example"}


def test_languages():
    assert parse("language:DE language:fr").languages == {"de", "fr"}


@pytest.mark.parametrize(
    ("typed", "since", "until"),
    [
        ("since:2024", date(2024, 1, 1), None),
        ("until:2024", None, date(2024, 12, 31)),
        ("since:2024-02 until:2024-02", date(2024, 2, 1), date(2024, 2, 29)),
        ("since:2024-02-03 until:2024-2-4", date(2024, 2, 3), date(2024, 2, 4)),
        ("since:7d", date(2026, 5, 13), None),
        ("since:2024 since:2023", date(2024, 1, 1), None),
    ],
)
def test_days_months_and_years(typed, since, until):
    query = parse(typed)
    assert (query.since, query.until, query.required) == (since, until, ())


@pytest.mark.parametrize(
    "typed", ["since:soon", "12:30", "foo:bar", "language:", "since:2024-02-31"]
)
def test_invalid_filter_is_a_word(typed):
    query = parse(typed)
    assert query.required
    assert query == Query(required=query.required)


def test_terms_are_distinct():
    assert parse('rain "rain again" -snow title:rain').terms == ("rain", "again")
