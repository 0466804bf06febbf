"""Dates as people and machines write them."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime

_NAMES = """
1 jan ene gen янв січ яну sty led sau ocak τζαν ιαν tam ian xan urt يناير جانفي ינו जन มกรา ม.ค
2 feb fev fév fevr févr лют фев lut úno vas şub φεβ hel فبراير شباط فيفري פבר फर กุมภา ก.พ
3 mar mär már márc mrt mac març marz мар бер mrz bře kov μαρ mart maa مارس آذار מרץ मार्च มีนา มี.ค
4 apr ápr abr avr апр кві kwi dub bal nis απρ huh أبريل ابريل نيسان أفريل אפר अप्र เมษา เม.ย
5 may mai máj mag maj mei май мая тра maí geg kvě mayıs μάι μαΐ μαι tou مايو أيار ماي מאי मई พฤษภา พ.ค
6 jun jún juin giu июн юни чер cze čer bir haz ιουν ιούν kes يونيو حزيران جوان יונ जून มิถุนา มิ.ย
7 jul júl juil lug июл юли лип lip čvc lie tem ιουλ ιούλ hei يوليو تموز جويلية יול जुल กรกฎา ก.ค
8 aug ago août aout авг сер sie srp ağu αυγ αύγ elo أغسطس اغسطس آب أوت אוג अग สิงหา ส.ค
9 sep set sett сен вер wrz zář rugs eyl σεπ syy سبتمبر أيلول ספט सित กันยา ก.ย
10 oct okt ott out окт жов paź říj spa eki οκτ lok أكتوبر اكتوبر אוק अक्ट अक्तू ตุลา ต.ค
11 nov ноя лис ное lis list lap kas νοέ νοε marra نوفمبر נוב नव พฤศจิกา พ.ย
12 dec dic dez déc дек гру gru pro gruo ara δεκ jou ديسمبر דצמ दिस ธันวา ธ.ค
"""  # noqa: E501, RUF001 - months in several alphabets
_MONTHS = {
    name: int(number)
    for number, *names in (line.split() for line in _NAMES.strip().splitlines())
    for name in names
}
_DIGIT = re.compile(r"\d")
_READ = 500
"""A date is among the first so many characters; a run of letters takes time of its square."""
_LONGEST = max(map(len, _MONTHS))
_ISO = re.compile(r"\b(\d{4})(?:[-/.]|\s?[年년]\s?)(\d{1,2})(?:[-/.]|\s?[月월]\s?)(\d{1,2})(?!\d)")
_FIGURES = re.compile(r"(?<![\d./-])(\d{1,2})[./-]\s?(\d{1,2})[./-]\s?(\d{4}|\d{2})(?![\d./-]\d)")
_MONTH = r"([^\s\d,;:|()/-]{2,})"
_DAY_FIRST = re.compile(
    r"(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|\.|º|°)?[\s-]*(?:de |of |d\u2019|d')?\s*"
    + _MONTH
    + r",?[\s-]*(?:de |del )?\s*(\d{4})(?!\d)"
)
_MONTH_FIRST = re.compile(_MONTH + r"\s*(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)")
_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})\.?\s+" + _MONTH + r"\s+(\d{1,2})(?!\d)")


_WORDED = ((_ISO, "ymd"), (_DAY_FIRST, "dmy"), (_MONTH_FIRST, "mdy"), (_YEAR_FIRST, "ymd"))


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
    text = text.strip()[:_READ]
    if _DIGIT.search(text) is None:
        return None
    if text[:4].isdigit() and len(text) <= 35:
        stamp = _stamp(text)
        if stamp is not None:
            return stamp
    for pattern, order in _WORDED:
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


def without_date(text: str) -> str:
    """Return a text without the dates in it.

    >>> without_date("By Ann, 3 May 2024, 2024-05-03"), without_date("12 of 2024")
    ('By Ann, , ', '12 of 2024')
    """
    for pattern, order in (*_WORDED, (_FIGURES, "dmy"), (_FIGURES, "mdy")):
        for found in reversed(list(pattern.finditer(text))):
            if _day(dict(zip(order, found.groups(), strict=True))):
                text = text[: found.start()] + text[found.end() :]
    return text


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
    year -= 543 if year > 2400 else 0  # as Thailand counts
    if not 1900 <= year <= 2200:
        return None
    try:
        return datetime(year, month, int(parts["d"]), tzinfo=UTC)
    except ValueError:
        return None


def _month(name: str) -> int:
    """Return the number of a month, 0 if it is none: by the first letters in many languages."""
    folded = name.casefold().removeprefix("ב")  # Hebrew joins "in" to the month
    lengths = range(min(len(folded), _LONGEST), 1, -1)
    return next((_MONTHS[folded[:n]] for n in lengths if folded[:n] in _MONTHS), 0)


def months_come_first(texts: Iterable[str]) -> bool:
    """Return whether dates in figures can only be read with the month first.

    >>> months_come_first(["1/2/2020", "1/31/2020"]), months_come_first(["31/1/2020"])
    (True, False)
    """
    found = [match for text in texts for match in _FIGURES.finditer(text)]
    first = sum(int(match[1]) > 12 for match in found)
    second = sum(int(match[2]) > 12 for match in found)
    return second > first
