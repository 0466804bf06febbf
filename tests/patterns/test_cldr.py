"""The stored words of CLDR are those of Babel. Run as a program, this writes them.

python -m tests.patterns.test_cldr > patterns/cldr_words.py
"""

import json
import sys
from collections.abc import Mapping

import pytest
from babel import localedata

from flong.patterns import cldr
from flong.patterns.cldr import LANGUAGES, day_halves_by_babel, months_by_babel, written_months

HEAD = '''"""Words of CLDR from Babel, which takes a while to load all languages.

Made by `python -m tests.patterns.test_cldr`. CLDR: Unicode License v3.
"""
# ruff: noqa: E501, RUF001 - written by a program, in many scripts

'''


@pytest.mark.parametrize("language", LANGUAGES)
def test_months_equal_those_of_babel(language: str) -> None:
    from flong.patterns.cldr_words import MONTHS  # noqa: PLC0415 - this module writes it

    assert MONTHS[language] == _written(language)


def test_halves_of_a_day_equal_those_of_babel() -> None:
    from flong.patterns.cldr_words import DAY_HALVES  # noqa: PLC0415 - this module writes it

    assert day_halves_by_babel() == DAY_HALVES


def _written(language: str) -> str:
    """Return the months of a language, without those that Babel has loaded before."""
    localedata._cache.clear()
    cldr._locale.cache_clear()
    return written_months(months_by_babel(language))


def _table(name: str, says: str, rows: Mapping[str, str | bool]) -> str:
    written = [(_literal(key), _literal(value)) for key, value in rows.items()]
    lines = [f"    {key}: {value}," for key, value in written]
    return "\n".join([f"{name} = {{", *lines, "}", f'"""{says}"""', ""])


def _literal(value: str | bool) -> str:
    return str(value) if isinstance(value, bool) else json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    months = {each: _written(each) for each in LANGUAGES}
    named = "Names of the months, whole and shortened, by language."
    halves = "True for words for the second half of the day."
    sys.stdout.write(HEAD + _table("MONTHS", named, months))
    sys.stdout.write(_table("DAY_HALVES", halves, day_halves_by_babel()))
