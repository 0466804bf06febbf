"""Dates and times as people and programs write them."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import lru_cache

from flong.patterns.cldr import afternoon, month_number, persian_month
from flong.states import Precision

_DIGIT = re.compile(r"\d")
_DIGITS = {
    code: str(unicodedata.digit(chr(code)))
    for code in range(0x80, 0x20000)
    if chr(code).isdecimal()
}
"""Digits of all scripts."""
_LEADS = bytes(sorted({chr(code).encode()[0] for code in _DIGITS}))
_MAY_HAVE_DIGIT = re.compile(b"[0-9" + _LEADS + b"]")
KEPT = 4096
"""Size of the caches: pages that vote repeat the same lines."""
_READ = 500
"""Maximum characters examined: the month regex is quadratic in long words."""
_ISO = re.compile(r"\b(\d{4})(?:[-/.]|\s?[年년]\s?)(\d{1,2})(?:[-/.]|\s?[月월]\s?)(\d{1,2})(?!\d)")
_FIGURES = re.compile(r"(?<![\d./-])(\d{1,2})[./-]\s?(\d{1,2})[./-]\s?(\d{4}|\d{2})(?![\d./-]\d)")
_IS_PHONE = re.compile(
    r"(?:\+\d|[☎✆📞]|\(\d{2,6}\)|\b\d{3,}|\b(?:tel|telefon\w*|tél|phone|fon|fax|тел|телефон|факс)\b)\D{0,5}$",
    re.IGNORECASE,
)
"""End of a text before figures that are the rest of a telephone number."""
_PHONE_LENGTH = 20
"""Characters before figures that are searched for it."""
_MONTH = r"([^\s\d,;:|()/-]{2,})"
_DAY_FIRST = re.compile(
    r"(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.|º|°)?[\s-]*(?:de |of |d\u2019|d')?\s*"
    + _MONTH
    + r",?[\s-]*(?:de |del )?\s*(\d{4})(?!\d)"
)
_MONTH_FIRST = re.compile(_MONTH + r"\s*(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)")
_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})\.?(?: m\.)?\s+" + _MONTH + r"\s+(\d{1,2})(?!\d)")
_WORDED = ((_ISO, "ymd"), (_DAY_FIRST, "dmy"), (_MONTH_FIRST, "mdy"), (_YEAR_FIRST, "ymd"))

_CLOCK = re.compile(
    r"(?<![\d:.,/-])(\d{1,2})(?:[:.]|\s?h\s?|時|시\s?|点)([0-5]\d)(?!\d)(?::([0-5]\d))?(?:\.\d+)?[分분]?"
)
_HALF = r"[^\W\d_]{1,6}\.?[ \u00a0\u202f]?[^\W\d_]?\.?"
_HALF_AFTER = re.compile(rf"\s?({_HALF})")
_HALF_BEFORE = re.compile(rf"({_HALF})\s?$")
_ZONE = re.compile(r"\s*\(?(Z\b|[A-Z]{2,5}\b)?\s?(?:([+-])(\d\d?):?(\d\d)?(?!\d))?")
_GAP = 20
"""Maximum characters between a date and its time of day."""
_CLOCK_LENGTH, _HALF_LENGTH = 8, 10
"""Characters of a time of day (`12:30:00`), and of the half of the day before it."""
_STAMP_LENGTH = 35
"""Maximum characters of a timestamp (`2019-05-03T12:30:00.000000+02:00`)."""
_HOURS = _MONTHS = 12
"""Hours of half a day; months of a year."""
_FARTHEST = 14
"""Maximum hours between a zone and UTC."""
_CENTURY, _NEXT_CENTURY, _SPLIT = 1900, 2000, 70
"""Years of two digits are in the last century from `_SPLIT` on, else in this one."""
_TWO_FIGURES = 99
_THAI_FROM, _THAI_AHEAD = 2400, 543
"""First year taken for one of the Thai calendar, and its distance from ours."""
_PERSIAN = range(1300, 1451)
"""Credible years of the Persian calendar."""
_PUBLISHED = range(1900, 2201)
"""Credible years of publication."""
_PERSIAN_EPOCH, _OUR_EPOCH = 979, date(1600, 3, 20)
"""One day in both calendars: the first of a Persian year, and of a cycle."""
_CYCLE, _LEAPS, _YEAR_DAYS = 33, 8, 365
"""Years of a Persian cycle, leap years in it, days of the others."""
_LONG, _LONG_MONTHS, _SHORT = 31, 6, 30
"""Days of the first six Persian months, and of the others."""
_ZONES = {
    "Z": 0, "UTC": 0, "GMT": 0, "WET": 0, "BST": 1, "WEST": 1, "CET": 1, "MEZ": 1, "CEST": 2,
    "MESZ": 2, "EET": 2, "SAST": 2, "EEST": 3, "MSK": 3, "EAT": 3, "PKT": 5, "IST": 5.5, "WIB": 7,
    "HKT": 8, "SGT": 8, "AWST": 8, "JST": 9, "KST": 9, "AEST": 10, "AEDT": 11, "NZST": 12,
    "NZDT": 13, "BRT": -3, "ART": -3, "ADT": -3, "AST": -4, "EDT": -4, "EST": -5, "CDT": -5,
    "CST": -6, "MDT": -6, "MST": -7, "PDT": -7, "PST": -8, "AKST": -9, "HST": -10,
}  # fmt: skip
"""Hours before UTC by the names that papers print; an ambiguous name has its most frequent
meaning."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A date as written, with its time of day if it has one."""

    time: datetime
    """In the zone that was written, else UTC; 0:00 UTC for a day without a time."""
    precision: Precision
    """Day or minute."""
    text: str
    """The text that it was read from."""

    def __str__(self) -> str:
        """Return the time in the zone of its page, with UTC if that differs; a day as it is.

        >>> str(parse_date("3 May 2024")), str(parse_date("3 May 2024, 14:05 CEST"))
        ('2024-05-03', '2024-05-03 14:05 +02:00 (2024-05-03 12:05 UTC)')
        """
        return f"{self.local} ({self.utc:%Y-%m-%d %H:%M} UTC)" if self._has_zone else self.local

    @property
    def local(self) -> str:
        """Return the time in the zone of its page, or the day.

        >>> parse_date("3 May 2024, 14:05 CEST").local, parse_date("3 May 2024, 14:05 UTC").local
        ('2024-05-03 14:05 +02:00', '2024-05-03 14:05 UTC')
        """
        if self.precision is Precision.DAY:
            return f"{self.time:%Y-%m-%d}"
        offset = f"{self.time:%z}"
        zone = f"{offset[:3]}:{offset[3:5]}" if self._has_zone else "UTC"
        return f"{self.time:%Y-%m-%d %H:%M} {zone}"

    @property
    def _has_zone(self) -> bool:
        return self.precision is not Precision.DAY and bool(self.time.utcoffset())

    @property
    def utc(self) -> datetime:
        """Return the time in UTC."""
        return self.time.astimezone(UTC)

    def is_before(self, other: "Moment") -> bool:
        """Return True if it is earlier, compared by days unless both have a time of day."""
        if Precision.DAY in (self.precision, other.precision):
            return self.day < other.day
        return self.time < other.time

    @property
    def day(self) -> date:
        """Return the day as written, whatever day it was in UTC."""
        return self.time.date()


@lru_cache(KEPT)
def parse_date(
    text: str, *, month_first: bool = False, language: str | None = None
) -> Moment | None:
    """Return the first date in a text, with the time of day beside it, or None.

    `month_first` decides how to read 1/2/2024. Month names of `language` have precedence. Midnight
    to the second counts as a day without a time, because programs write that.

    >>> parse_date("2024-05-01T10:00:00+02:00").time.isoformat()
    '2024-05-01T10:00:00+02:00'
    >>> parse_date("February 4, 2012 - 5:21 PM EDT").time.isoformat()
    '2012-02-04T17:21:00-04:00'
    >>> [str(parse_date(text).day) for text in ("On May 3rd, 2019", "3 de mayo de 2019")]
    ['2019-05-03', '2019-05-03']
    >>> parse_date("12 people"), parse_date("3/4/2019").time.month, parse_date("3/4/2019").precision
    (None, 4, <Precision.DAY: 'day'>)
    """
    text = _plain(text.strip()[:_READ])
    if _DIGIT.search(text) is None:
        return None
    if text[:4].isdigit() and len(text) <= _STAMP_LENGTH:
        stamp = _stamp(text)
        if stamp is not None:
            return stamp
    for found, day in _days(text, month_first, language):
        return _moment(text, found, day)
    return None


def may_have_date(text: bytes, start: int, end: int) -> bool:
    """Return True if part of a text has a digit, or the first byte of one in other scripts.

    This is checked before a text is decoded: most lines have no digit.

    >>> may_have_date(b"May 3", 0, 5), may_have_date("März".encode(), 0, 5)
    (True, False)
    """
    return _MAY_HAVE_DIGIT.search(text, start, end) is not None


@lru_cache(KEPT)
def without_date(text: str) -> str:
    """Return a text without its dates.

    >>> without_date("By Ann, 3 May 2024, 2024-05-03"), without_date("12 of 2024")
    ('By Ann, , ', '12 of 2024')
    """
    if _DIGIT.search(text) is None:
        return text
    for pattern, order in (*_WORDED, (_FIGURES, "dmy"), (_FIGURES, "mdy")):
        for found in reversed(list(pattern.finditer(text))):
            if _day(dict(zip(order, found.groups(), strict=True)), None):
                text = text[: found.start()] + text[found.end() :]
    return text


def months_come_first(texts: Iterable[str]) -> bool:
    """Return True if dates in figures can only be read with the month first.

    >>> months_come_first(["1/2/2020", "1/31/2020"]), months_come_first(["31/1/2020"])
    (True, False)
    """
    found = [match for text in texts for match in _FIGURES.finditer(text)]
    first = sum(int(match[1]) > _MONTHS for match in found)
    second = sum(int(match[2]) > _MONTHS for match in found)
    return second > first


def _plain(text: str) -> str:
    """Return a text with the digits of all scripts as ASCII."""
    return text if text.isascii() else text.translate(_DIGITS)


def _stamp(text: str) -> Moment | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if moment.time() == time.min:
        return Moment(_midnight(moment.date()), Precision.DAY, text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return Moment(moment, Precision.MINUTE, text) if _has_utc(moment) else None


def _has_utc(moment: datetime) -> bool:
    """Return True if Python can express a time in UTC."""
    try:
        moment.astimezone(UTC)
    except OverflowError:
        return False
    return True


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)


def _days(
    text: str, month_first: bool, language: str | None
) -> Iterator[tuple[re.Match[str], date]]:
    figures = ("mdy", "dmy") if month_first else ("dmy", "mdy")
    for pattern, orders in (*((p, (order,)) for p, order in _WORDED), (_FIGURES, figures)):
        for found in pattern.finditer(text):
            if pattern is _FIGURES and _is_phone(text, found):
                continue
            for order in orders:
                day = _day(dict(zip(order, found.groups(), strict=True)), language)
                if day is not None:
                    yield found, day


def _is_phone(text: str, figures: re.Match[str]) -> bool:
    """Return True if figures with a year of two digits are the end of a telephone number."""
    before = text[max(0, figures.start() - _PHONE_LENGTH) : figures.start()]
    return len(figures[3]) == 2 and "/" not in figures[0] and bool(_IS_PHONE.search(before))


def _moment(text: str, found: re.Match[str], day: date) -> Moment:
    """Return a day with the time of day after or before it."""
    after = _CLOCK.search(text, found.end(), found.end() + _GAP + _CLOCK_LENGTH)
    if after is not None and not _DIGIT.search(text, found.end(), after.start()):
        moment, end = _timed(day, text, after)
        if moment is not None:
            return Moment(moment, Precision.MINUTE, text[found.start() : end].strip())
    start = max(0, found.start() - _GAP - _CLOCK_LENGTH)
    for before in reversed(list(_CLOCK.finditer(text, start, found.start()))):
        moment, _ = _timed(day, text, before)
        if moment is not None:
            return Moment(moment, Precision.MINUTE, text[before.start() : found.end()])
    return Moment(_midnight(day), Precision.DAY, found[0])


def _timed(day: date, text: str, clock: re.Match[str]) -> tuple[datetime | None, int]:
    """Return a day at a time of day, or None if it is invalid; and the end of that text."""
    hour, end = int(clock[1]), clock.end()
    following = _HALF_AFTER.match(text, end)
    half = afternoon(following[1]) if following is not None else None
    if half is None and following is not None:  # "5:21 PM EDT": two words
        first = following[1].split()[0]
        half = afternoon(first)
        end = following.start(1) + len(first) if half is not None else end
    elif half is not None and following is not None:
        end = following.end()
    leading = _HALF_BEFORE.search(text, max(0, clock.start() - _HALF_LENGTH), clock.start())
    if half is None and leading is not None:
        half = afternoon(leading[1])
    if half is not None and hour <= _HOURS:
        hour = hour % _HOURS + _HOURS * half
    zone = _ZONE.match(text, end)
    offset = _offset(zone) if zone is not None else None
    try:
        moment = datetime(
            day.year, day.month, day.day, hour, int(clock[2]), int(clock[3] or 0),
            tzinfo=UTC if offset is None else timezone(offset),
        )  # fmt: skip
    except ValueError:
        return None, end
    if not _has_utc(moment):
        return None, end
    return moment, zone.end() if zone is not None and offset is not None else end


def _offset(zone: re.Match[str]) -> timedelta | None:
    """Return the distance of a zone from UTC, or None if there is no zone."""
    name, sign, hours, minutes = zone.groups()
    if sign is not None and int(hours) <= _FARTHEST:
        ahead = timedelta(hours=int(hours), minutes=int(minutes or 0))
        return ahead if sign == "+" else -ahead
    return timedelta(hours=_ZONES[name]) if name in _ZONES else None


def _day(parts: dict[str, str], language: str | None) -> date | None:
    year, month, day = int(parts["y"]), parts["m"], int(parts["d"])
    if year <= _TWO_FIGURES:
        year += _NEXT_CENTURY if year < _SPLIT else _CENTURY
    year -= _THAI_AHEAD if year > _THAI_FROM else 0
    if year in _PERSIAN:
        return _persian_day(year, int(month) if month.isdigit() else persian_month(month), day)
    if year not in _PUBLISHED:
        return None
    number = int(month) if month.isdigit() else month_number(month, language)
    try:
        return date(year, number, day)
    except ValueError:
        return None


def _persian_day(year: int, month: int, day: int) -> date | None:
    """Return a day of the Persian (solar) calendar in ours, by its cycle of 33 years.

    >>> str(_persian_day(1392, 5, 12)), _persian_day(1392, 13, 1)
    ('2013-08-03', None)
    """
    longest = _LONG if month <= _LONG_MONTHS else _SHORT
    if not (1 <= month <= _MONTHS and 1 <= day <= longest):
        return None
    years = year - _PERSIAN_EPOCH
    cycles, rest = divmod(years, _CYCLE)
    days = _YEAR_DAYS * years + _LEAPS * cycles + (rest + 3) // 4  # in a cycle every fourth
    days += _SHORT * (month - 1) + min(month - 1, _LONG_MONTHS) + day - 1
    return _OUR_EPOCH + timedelta(days=days)
