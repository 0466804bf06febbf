"""Dates in the languages of the world's news sites."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patterns.dates import months_come_first, parse_date


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2024-02-29", "2024-02-29"),
        ("2024-02-29T23:30:00-05:00", "2024-03-01"),
        ("February 29, 2024", "2024-02-29"),
        ("Feb. 9th, 2024 at 10:30", "2024-02-09"),
        ("Posted on 9 February 2024 by Ann", "2024-02-09"),
        ("9. Februar 2024", "2024-02-09"),
        ("9 de febrero de 2024", "2024-02-09"),
        ("9 février 2024", "2024-02-09"),
        ("9 febbraio 2024", "2024-02-09"),
        ("9 de fevereiro de 2024", "2024-02-09"),
        ("9 февраля 2024", "2024-02-09"),
        ("9 lutego 2024", "2024-02-09"),
        ("2024年2月9日", "2024-02-09"),
        ("初稿 2006-09-20", "2006-09-20"),
        ("25/11/2016", "2016-11-25"),
        ("09.02.24", "2024-02-09"),
        ("12/31/2020", "2020-12-31"),
        ("31 de febrero de 2024", None),
        ("chapter 12", None),
        ("1,234 people in 2024", None),
        ("10.0.0.1", None),
        ("", None),
    ],
)
def test_the_first_date_of_a_line_is_read(text, day):
    found = parse_date(text)
    assert (str(found.date()) if found else None) == day


@given(st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)))
def test_a_time_stamp_comes_back(moment):
    assert parse_date(moment.isoformat()) == moment


@given(st.dates(datetime(1990, 1, 1).date(), datetime(2100, 1, 1).date()))
def test_figures_are_read_in_the_order_of_the_site(day):
    for form, month_first in (("%m/%d/%Y", True), ("%d/%m/%Y", False)):
        found = parse_date(day.strftime(form), month_first=month_first)
        assert found is not None
        assert found.date() == day


@given(st.text(max_size=40))
def test_any_text_can_be_asked(text):
    found = parse_date(text)
    assert found is None or found.tzinfo is UTC


def test_the_order_of_figures_is_learned_from_what_cannot_be_otherwise():
    assert months_come_first(["03/04/2020", "03/25/2020"])
    assert not months_come_first(["03/04/2020"])
