"""Words of many languages, from CLDR: months, halves of a day, "and".

The words that are tried for any page are kept in `cldr_words`.
"""

import re
import unicodedata
from functools import cache

from babel import Locale, UnknownLocaleError

from flong.patterns.cldr_words import DAY_HALVES, MONTHS

LANGUAGES = """
en es pt fr de it ru nl pl sv da nb nn fi is tr el cs sk hu ro bg uk be sr sr_Latn hr bs sl mk sq
lt lv et ca gl eu ga cy mt ar ar_DZ ar_TN ar_LB fa he ur hi bn ta te ml mr gu pa ne si th lo km my
id ms fil sw am hy ka az kk uz mn ko
""".split()
"""If two of them use one name for different months, the first wins."""

# Babel has no names but those of the Gregorian calendar.
_PERSIAN = "فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند"
_ACCENTS = re.compile("[\u0300-\u036f.]")
_MONTHS = 12
_SHORTEST = 3
"""Minimum letters of a shortened month."""
_ENDING = 3
"""Maximum letters after a name: cases, "in" and the like."""


def month_number(name: str, language: str | None = None) -> int:
    """Return the number of a month by its name, whole or shortened; 0 for other words.

    The page's own language is tried first: `listopad` is November in Polish, October in Croatian.

    >>> [month_number(name) for name in ("May", "Sept.", "févr", "αυγούστου", "лютого", "people")]
    [5, 9, 2, 8, 2, 0]
    >>> month_number("listopada", "pl"), month_number("listopada", "hr")
    (11, 10)
    """
    folded = _folded(name).removeprefix("ב")  # Hebrew joins "in" to the month
    own = _names((language or "en").partition("-")[0].lower())
    return _found(folded, own) or _found(folded, _common_names())


def persian_month(name: str) -> int:
    """Return the number of a month of the Persian calendar; 0 for other words.

    >>> persian_month("مرداد"), persian_month("May")
    (5, 0)
    """
    months = _PERSIAN.replace("ي", "ی").split()
    name = name.replace("ي", "ی").replace("\u200c", "")
    return months.index(name) + 1 if name in months else 0


@cache
def afternoon(text: str) -> bool | None:
    """Return True for "p.m." in some language, False for "a.m.", None for other words.

    >>> afternoon("PM"), afternoon("a. m."), afternoon("오후"), afternoon("Uhr")
    (True, False, True, None)
    """
    return DAY_HALVES.get(_folded(text).replace(" ", "").replace("\u202f", ""))


@cache
def and_words(language: str | None) -> tuple[str, ...]:
    """Return the words between the last two of a list, in a language and in English.

    >>> and_words("de-AT"), and_words("ja")
    ((' und ', ' and '), ('、', ' and '))
    """
    found = []
    for code in dict.fromkeys([(language or "en").partition("-")[0].lower(), "en"]):
        locale = _locale(code)
        if locale is not None:
            found.append(locale.list_patterns["standard"]["2"][len("{0}") : -len("{1}")])
    return tuple(found)


def _folded(name: str) -> str:
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", name.casefold()))


def _found(folded: str, names: dict[str, int]) -> int:
    shortest = max(len(folded) - _ENDING, _SHORTEST + 1)
    lengths = (len(folded), *range(len(folded) - 1, shortest - 1, -1))
    return next((names[folded[:n]] for n in lengths if folded[:n] in names), 0)


@cache
def _names(language: str) -> dict[str, int]:
    """Return the months of a language by whole, shortened and begun names."""
    whole = read_months(MONTHS[language]) if language in MONTHS else months_by_babel(language)
    begun: dict[str, set[int]] = {}
    for name, number in whole.items():
        for length in range(_SHORTEST, len(name)):
            begun.setdefault(name[:length], set()).add(number)
    clear = {name: min(numbers) for name, numbers in begun.items() if len(numbers) == 1}
    named = {name for name in {**clear, **whole} if name.isalpha() or not name.isascii()}
    return {name: number for name, number in {**clear, **whole}.items() if name in named}


def months_by_babel(language: str) -> dict[str, int]:
    """Return the months of a language by whole and shortened names, folded."""
    locale, whole = _locale(language), dict[str, int]()
    if locale is None:
        return whole
    for context in ("format", "stand-alone"):
        for width in ("wide", "abbreviated"):
            for number, name in locale.months[context][width].items():
                whole.setdefault(_folded(name), number)
    return whole


def written_months(names: dict[str, int]) -> str:
    """Return the names of all months in a line.

    >>> read_months(written_months({"may": 5, "mai": 5, "june": 6}))
    {'may': 5, 'mai': 5, 'june': 6}
    """
    return ";".join(
        ",".join(name for name, number in names.items() if number == month)
        for month in range(1, _MONTHS + 1)
    )


def read_months(line: str) -> dict[str, int]:
    """Return the months by name, from a line by `written_months`."""
    return {
        name: number
        for number, names in enumerate(line.split(";"), 1)
        for name in filter(None, names.split(","))
    }


@cache
def _common_names() -> dict[str, int]:
    names: dict[str, int] = {}
    for language in reversed(LANGUAGES):
        names |= _names(language)
    return names


def day_halves_by_babel() -> dict[str, bool]:
    """Return True for the second half of the day, by its folded name in all languages."""
    halves = {"am": False, "pm": True, "上午": False, "下午": True, "午前": False, "午後": True}
    for locale in filter(None, map(_locale, LANGUAGES)):
        for width in ("wide", "abbreviated"):
            names = locale.day_periods["format"][width]
            for half in ("am", "pm"):
                halves.setdefault(_folded(names.get(half, half)).replace(" ", ""), half == "pm")
    return halves


@cache
def _locale(language: str) -> Locale | None:
    try:
        return Locale.parse(language)
    except (UnknownLocaleError, ValueError):
        return None
