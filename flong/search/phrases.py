"""Phrase search in the text, for an index without positions.

`stands_in` gives the same result as comparing index terms, but faster: it searches the folded text
first, and splits at most the surroundings of a hit into terms.
"""

import re
from functools import lru_cache
from itertools import pairwise
from operator import add

from flong.search.folding import fold
from flong.search.terms import CUT, INDIC, PAIRED, Phrase, cut

_PAIRED_RUN = re.compile(f"[{PAIRED}]+")
_ODD = re.compile(f"[{PAIRED}{INDIC}]")
AROUND = 2 * CUT + 10
"""Characters on each side of a hit that are split into terms with it."""


def stands_in(text: str, phrase: Phrase) -> bool:
    """Return True if the terms of a phrase are adjacent in a text.

    >>> stands_in("The Prime Minister spoke.", Phrase(("prime", "minister")))
    True
    >>> president = Phrase(("大統", "統領"))
    >>> stands_in("大統領が", president), stands_in("大統 統領", president)
    (True, False)
    """
    folded = fold(text)
    if not all(part in folded for part in _parts(phrase)):
        return False
    if _run(phrase):
        return True
    written = _written(phrase)
    if written is None:
        return _is_in(cut(folded), phrase)
    found = written.search(folded)
    while found:
        if _is_in(_terms_around(folded, *found.span()), phrase):
            return True
        found = written.search(folded, found.start() + 1)
    return False


def _terms_around(folded: str, start: int, end: int) -> list[str]:
    """Return the terms at and around a position, whole ones only."""
    first, last = max(0, start - AROUND), min(len(folded), end + AROUND)
    while first and cut(folded[first]):  # a very long word is split from its beginning
        first -= 1
    terms = cut(folded[first:last])
    ends_in_word = last < len(folded) and bool(cut(folded[last - 1]))
    return terms[: len(terms) - ends_in_word]


def _is_in(terms: list[str], phrase: Phrase) -> bool:
    end = "" if phrase.is_prefix else " "
    return f" {' '.join(phrase.terms)}{end}" in f" {' '.join(terms)} "


@lru_cache(maxsize=64)
def _parts(phrase: Phrase) -> tuple[str, ...]:
    """Return strings that every folded text with this phrase contains: words, character runs."""
    parts = [phrase.terms[0]]
    for before, term in pairwise(phrase.terms):
        if len(before) == 2 and before[-1] == term[0] and _PAIRED_RUN.fullmatch(before + term):
            parts[-1] += term[1:]
        else:
            parts.append(term)
    return tuple(parts)


def _run(phrase: Phrase) -> str:
    """Return the character run that a phrase of pairs represents, or ""."""
    terms = phrase.terms
    run = terms[0] + "".join(term[-1] for term in terms[1:])
    is_run = _PAIRED_RUN.fullmatch(run) and terms == tuple(map(add, run, run[1:]))
    return run if is_run and not phrase.is_prefix else ""


@lru_cache(maxsize=64)
def _written(phrase: Phrase) -> re.Pattern[str] | None:
    """Return a regular expression that matches wherever the phrase occurs, or None.

    It may also match elsewhere. It starts with a word rather than a boundary, which is ten times
    faster.
    """
    if phrase.is_prefix or any(len(t) >= CUT or _ODD.search(t) for t in phrase.terms):
        return None
    return re.compile(r"[\W_]+".join(phrase.terms))
