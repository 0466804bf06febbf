"""Dates as people and machines write them."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime

_NAMES = """
1 jan ene gen янв sty led sau ocak τζαν ιαν
2 feb feb fev fév fevr févr лют фев lut úno vas şub φεβ
3 mar mär mrt mac març marz mär мар mrz bře kov μαρ mart
4 apr abr avr апр kwi dub bal nis απρ
5 may mai mag maj mei май maí geg kvě mayıs μάι μαΐ
6 jun juin giu июн cze čer bir haz ιουν ιούν
7 jul juil lug июл lip čvc lie tem ιουλ ιούλ
8 aug ago août aout авг sie srp ağu αυγ αύγ
9 sep set sett сен wrz zář rugs eyl σεπ
10 oct okt ott out окт paź říj spa eki οκτ
11 nov ноя lis list lap kas νοέ νοε
12 dec dic dez déc дек gru pro gruo ara δεκ
"""  # noqa: RUF001 - months in several alphabets
_MONTHS = {
    name: int(number)
    for number, *names in (line.split() for line in _NAMES.strip().splitlines())
    for name in names
}
_ISO = re.compile(r"\b(\d{4})(?:[-/.]|\s?年\s?)(\d{1,2})(?:[-/.]|\s?月\s?)(\d{1,2})(?!\d)")
_FIGURES = re.compile(r"(?<![\d./-])(\d{1,2})[./-]\s?(\d{1,2})[./-]\s?(\d{4}|\d{2})(?![\d./-]\d)")
_DAY_FIRST = re.compile(
    r"(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.|º|°)?\s*(?:de |of |d\u2019|d')?\s*([^\W\d_]{3,})\.?,?\s*"
    r"(?:de |del )?\s*(\d{4})(?!\d)"
)
_MONTH_FIRST = re.compile(r"([^\W\d_]{3,})\.?\s*(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)")


def parse_date(text: str, *, month_first: bool = False) -> datetime | None:
    """Return the first date in a text, in UTC; None if there is none.

    A machine's time stamp keeps its time; otherwise the day begins at midnight.
    `month_first` says how to read 1/2/2024.

    >>> parse_date("2024-05-01T10:00:00+02:00")
    datetime.datetime(2024, 5, 1, 8, 0, tzinfo=datetime.timezone.utc)
    >>> [str(parse_date(text).date()) for text in ("On May 3rd, 2019", "3 de mayo de 2019")]
    ['2019-05-03', '2019-05-03']
    >>> parse_date("12 people"), parse_date("3/4/2019").month
    (None, 4)
    """
    text = text.strip()
    if text[:4].isdigit() and len(text) <= 35:
        stamp = _stamp(text)
        if stamp is not None:
            return stamp
    for pattern, order in ((_ISO, "ymd"), (_DAY_FIRST, "dmy"), (_MONTH_FIRST, "mdy")):
        for found in pattern.finditer(text):
            day = _day(dict(zip(order, found.groups(), strict=True)))
            if day is not None:
                return day
    for found in _FIGURES.finditer(text):
        order = "mdy" if month_first else "dmy"
        day = _day(dict(zip(order, found.groups(), strict=True)))
        day = day or _day(dict(zip("dmy" if month_first else "mdy", found.groups(), strict=True)))
        if day is not None:
            return day
    return None


def _stamp(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return None


def _day(parts: dict[str, str]) -> datetime | None:
    month = int(parts["m"]) if parts["m"].isdigit() else _month(parts["m"])
    year = int(parts["y"])
    year += 0 if year > 99 else 2000 if year < 70 else 1900
    if not 1900 <= year <= 2200:
        return None
    try:
        return datetime(year, month, int(parts["d"]), tzinfo=UTC)
    except ValueError:
        return None


def _month(name: str) -> int:
    """Return the number of a month, 0 if it is none: by the first letters in many languages."""
    folded = name.casefold()
    return next((_MONTHS[folded[:n]] for n in (5, 4, 3) if folded[:n] in _MONTHS), 0)


def months_come_first(texts: Iterable[str]) -> bool:
    """Return whether dates in figures can only be read with the month first.

    >>> months_come_first(["1/2/2020", "1/31/2020"]), months_come_first(["31/1/2020"])
    (True, False)
    """
    found = [match for text in texts for match in _FIGURES.finditer(text)]
    first = sum(int(match[1]) > 12 for match in found)
    second = sum(int(match[2]) > 12 for match in found)
    return second > first
