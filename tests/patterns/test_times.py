"""Dates of publication and change: choice among the dates of a page."""

from datetime import datetime

import pytest

from flong.states import Precision
from tests.patterns.one_page import fields


def tag(name, value):
    return f'<meta property="article:{name}_time" content="{value}">'


@pytest.mark.parametrize(
    ("page", "time"),
    [
        ({"meta": "<p>May 3, 2024 5:21 PM EDT</p>"}, "2024-05-03T21:21:00+00:00"),
        ({"meta": "<time datetime='2024-05-03T10:22:00+02:00'>x</time>"}, "2024-05-03T08:22+00:00"),
        (
            {"meta": "<abbr class='published' title='2024-05-03T10:22:00-03:00'>10:22</abbr>"},
            "2024-05-03T13:22:00+00:00",
        ),
        ({"head": tag("published", "2024-05-03T10:22:00Z")}, "2024-05-03T10:22:00+00:00"),
        (
            {"head": tag("published", "2024-05-03"), "meta": "<p>3 May 2024, 10:22</p>"},
            "2024-05-03T10:22:00+00:00",
        ),
    ],
)
def test_the_time_of_day_is_read(page, time):
    published = fields(**page).published
    assert published.utc == datetime.fromisoformat(time)
    assert published.precision is Precision.MINUTE


def test_a_date_in_the_url_is_a_day():
    published = fields(url="https://news.example/2024/05/03/rain").published
    assert (str(published.day), published.precision) == ("2024-05-03", Precision.DAY)


def test_another_day_does_not_lend_its_time_of_day():
    published = fields(tag("published", "2024-05-03"), "<p>9 May 2024, 10:22</p>").published
    assert (str(published.day), published.precision) == ("2024-05-03", Precision.DAY)


def test_the_written_date_is_kept():
    assert fields(meta="<p>May 3, 2024 5:21 PM EDT</p>").published.text == "May 3, 2024 5:21 PM EDT"


def test_the_latest_credible_change_wins():
    head = tag("published", "2024-05-03T10:00:00Z") + tag("modified", "2024-05-03T11:00:00Z")
    meta = "<time class=updated datetime='2024-05-04T09:00:00Z'>x</time>"
    assert str(fields(head, meta).modified.utc) == "2024-05-04 09:00:00+00:00"


@pytest.mark.parametrize("changed", ["2024-05-02T23:00:00Z", "2027-01-01T00:00:01Z"])
def test_changes_before_publication_or_in_the_future_are_ignored(changed):
    head = tag("published", "2024-05-03T10:00:00Z") + tag("modified", changed)
    assert fields(head).modified is None
