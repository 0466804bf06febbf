"""Dates in many languages."""

from datetime import UTC, datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flong.patterns.dates import months_come_first, parse_date
from flong.states import Precision


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2024-02-29", "2024-02-29"),
        ("2024-02-29T23:30:00-05:00", "2024-02-29"),
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
        ("8 (49232) 2-04-00", None),
        ("+7 49232 2-04-00", None),
        ("Tel.: 2-04-00", None),
        ("Hotel, 12.03.19", "2019-03-12"),
        ("17:21 2-04-00", "2000-04-02"),
        ("", None),
    ],
)
def test_the_first_date_of_a_line_is_read(text, day):
    found = parse_date(text)
    assert (str(found.day) if found else None) == day


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("February 4, 2012 - 5:21 PM EDT", "2012-02-04T17:21:00-04:00"),
        ("2024-05-02 09:04:00 +0000 UTC", "2024-05-02T09:04:00+00:00"),
        ("2024-05-02T09:04:00.000Z", "2024-05-02T09:04:00+00:00"),
        ("Thu, 02 May 2024 09:04:05 +0200", "2024-05-02T09:04:05+02:00"),
        ("2. Mai 2024, 9.04 Uhr", "2024-05-02T09:04:00+00:00"),
        ("jueves 2 de mayo de 2024 a las 9:04 p. m.", "2024-05-02T21:04:00+00:00"),
        ("2 mai 2024 à 09h04", "2024-05-02T09:04:00+00:00"),
        ("9:04 a.m., May 2, 2024", "2024-05-02T09:04:00+00:00"),
        ("2024年5月2日 10時22分", "2024-05-02T10:22:00+00:00"),
        ("2024.05.02 오후 3:20", "2024-05-02T15:20:00+00:00"),
        ("2024-05-02 下午3:20", "2024-05-02T15:20:00+00:00"),
        ("02/05/2024 - 10:22", "2024-05-02T10:22:00+00:00"),
        ("02.05.2024 12:05 AM GMT+2", "2024-05-02T00:05:00+02:00"),
        ("١٢ مايو ٢٠٢٤ 10:05", "2024-05-12T10:05:00+00:00"),
        ("۱۲ مرداد ۱۳۹۲ - ۱۰:۰۵", "2013-08-03T10:05:00+00:00"),  # noqa: RUF001
        ("๓ พฤษภาคม ๒๕๖๗ 10:05", "2024-05-03T10:05:00+00:00"),
    ],
)
def test_the_time_of_day_and_its_zone_are_kept(text, time):
    found = parse_date(text)
    assert found is not None
    assert (found.time.isoformat(), found.precision) == (time, Precision.MINUTE)


@pytest.mark.parametrize(
    "text",
    [
        "2024-05-02",
        "May 2, 2024",
        "May 2, 2024 | 7 min read",
        "2 May 2024, 3 comments",
        "2024-05-02T00:00:00+02:00",
        "2024-05-02 00:00:00",
        "1403/02/13",
        "13 اردیبهشت 1403",
    ],
)
def test_a_day_without_a_time_is_a_day_wherever_the_page_is(text):
    found = parse_date(text)
    assert found is not None
    assert found.precision is Precision.DAY
    assert found.time == datetime(2024, 5, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "language", "day"),
    [
        ("3 listopada 2024", "pl", "2024-11-03"),
        ("3. listopada 2024.", "hr", "2024-10-03"),
        ("3 AOÛT 2024", "fr", "2024-08-03"),
        ("3 ΜΑΙΟΥ 2024", "el", "2024-05-03"),  # noqa: RUF001
        ("3 במאי 2024", "he", "2024-05-03"),
        ("3 मई 2024", "hi", "2024-05-03"),
        ("3 ม.ค. 2567", "th", "2024-01-03"),
        ("2024 m. gegužės 3 d.", "lt", "2024-05-03"),
        ("3 جانفي 2024", "ar-DZ", "2024-01-03"),
        ("3 May 2024", "xx-unknown", "2024-05-03"),
    ],
)
def test_months_are_read_in_the_language_of_the_page(text, language, day):
    found = parse_date(text, language=language)
    assert found is not None
    assert str(found.day) == day


@given(st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.timezones()))
def test_a_timestamp_survives_writing_and_reading(moment):
    found = parse_date(moment.isoformat())
    assert found is not None
    if moment.time() == time.min:
        assert (found.day, found.precision) == (moment.date(), Precision.DAY)
    else:
        # In the hour that a clock has twice or not at all, equal times need not be `==`.
        assert found.time.isoformat() == moment.isoformat()
        assert found.precision is Precision.MINUTE


@given(st.dates(datetime(1990, 1, 1).date(), datetime(2100, 1, 1).date()))
def test_figures_are_read_in_the_order_of_the_site(day):
    for form, month_first in (("%m/%d/%Y", True), ("%d/%m/%Y", False)):
        found = parse_date(day.strftime(form), month_first=month_first)
        assert found is not None
        assert found.day == day


@given(st.text(max_size=40))
def test_any_text_can_be_parsed(text):
    found = parse_date(text)
    assert found is None or found.time.astimezone(UTC).tzinfo is UTC


def test_the_order_of_figures_is_learned_from_unambiguous_dates():
    assert months_come_first(["03/04/2020", "03/25/2020"])
    assert not months_come_first(["03/04/2020"])
