"""Words of the world's languages, from CLDR: months, the halves of a day, "and".

Babel takes a third of a second, and 40 MB, to look into all languages. So what they say together is
kept in a file: `python -c "from patterns.cldr import keep_common_words as k; k()"` writes it anew.
"""

import json
import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

from babel import Locale, UnknownLocaleError

_LANGUAGES = """
en es pt fr de it ru nl pl sv da nb nn fi is tr el cs sk hu ro bg uk be sr sr_Latn hr bs sl mk sq
lt lv et ca gl eu ga cy mt ar ar_DZ ar_TN ar_LB fa he ur hi bn ta te ml mr gu pa ne si th lo km my
id ms fil sw am hy ka az kk uz mn ko
""".split()
"""Where two of them call different months the same, the first is believed."""

# Babel has no names but those of the Gregorian calendar.
_PERSIAN = "فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند"
_ACCENTS = re.compile("[\u0300-\u036f.]")
_SHORTEST = 3
"""Letters that stand for a month whose name begins with them."""
_ENDING = 3
"""Letters that may follow a name: cases, "in" and the like."""
_KEPT = Path(__file__).with_name("common_words.json")


def month_number(name: str, language: str | None = None) -> int:
    """Return the number of a month by its name, whole or shortened; 0 if it is none.

    The page's own language is asked first: `listopad` is November in Polish, October in Croatian.

    >>> [month_number(name) for name in ("May", "Sept.", "févr", "αυγούστου", "лютого", "people")]
    [5, 9, 2, 8, 2, 0]
    >>> month_number("listopada", "pl"), month_number("listopada", "hr")
    (11, 10)
    """
    folded = _folded(name).removeprefix("ב")  # Hebrew joins "in" to the month
    own = _names((language or "en").partition("-")[0].lower())
    return _found(folded, own) or _found(folded, _common_words()["months"])


def persian_month(name: str) -> int:
    """Return the number of a month of the Persian calendar; 0 if it is none.

    >>> persian_month("مرداد"), persian_month("May")
    (5, 0)
    """
    months = _PERSIAN.replace("ي", "ی").split()
    name = name.replace("ي", "ی").replace("\u200c", "")
    return months.index(name) + 1 if name in months else 0


@cache
def afternoon(text: str) -> bool | None:
    """Return whether a text is "p.m." in some language, False for "a.m."; None for neither.

    >>> afternoon("PM"), afternoon("a. m."), afternoon("오후"), afternoon("Uhr")
    (True, False, True, None)
    """
    return _common_words()["afternoon"].get(_folded(text).replace(" ", "").replace("\u202f", ""))


@cache
def and_words(language: str | None) -> tuple[str, ...]:
    """Return what stands between the last two of a list, in a language and in English.

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
    """Return the months of a language by whole, shortened and begun names; none if not known."""
    locale = _locale(language)
    if locale is None:
        return {}
    whole: dict[str, int] = {}
    for context in ("format", "stand-alone"):
        for width in ("wide", "abbreviated"):
            for number, name in locale.months[context][width].items():
                whole.setdefault(_folded(name), number)
    begun: dict[str, set[int]] = {}
    for name, number in whole.items():
        for length in range(_SHORTEST, len(name)):
            begun.setdefault(name[:length], set()).add(number)
    clear = {name: min(numbers) for name, numbers in begun.items() if len(numbers) == 1}
    named = {name for name in {**clear, **whole} if name.isalpha() or not name.isascii()}
    return {name: number for name, number in {**clear, **whole}.items() if name in named}


@cache
def _common_words() -> dict[str, dict[str, Any]]:
    words: dict[str, dict[str, Any]] = json.loads(_KEPT.read_text(encoding="utf-8"))
    return words


def keep_common_words() -> None:
    """Write what all languages say together to the file that it is read from."""
    found = json.dumps(find_common_words(), ensure_ascii=False, indent=0, sort_keys=True)
    _KEPT.write_text(f"{found}\n", encoding="utf-8")


def find_common_words() -> dict[str, dict[str, Any]]:
    """Return the months, and the halves of a day, that all languages together have a word for."""
    months: dict[str, int] = {}
    for language in reversed(_LANGUAGES):
        months |= _names(language)
    halves = {"am": False, "pm": True, "上午": False, "下午": True, "午前": False, "午後": True}
    for locale in filter(None, map(_locale, _LANGUAGES)):
        for width in ("wide", "abbreviated"):
            names = locale.day_periods["format"][width]
            for half in ("am", "pm"):
                halves.setdefault(_folded(names.get(half, half)).replace(" ", ""), half == "pm")
    return {"months": months, "afternoon": halves}


@cache
def _locale(language: str) -> Locale | None:
    try:
        return Locale.parse(language)
    except (UnknownLocaleError, ValueError):
        return None
