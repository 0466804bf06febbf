"""Suggestions: complete the word being typed, and correct misspelt ones."""

import re
from collections.abc import Callable, Mapping, Sequence

from flong.search.terms import index_terms

_LAST_WORD = re.compile(r"[^\s\":-]+$")
# Shorter words have too many neighbours; a word before a colon is a filter.
_WORD = re.compile(r"(?<![\w:\"])[^\W\d_]{4,}(?![\w:])")
LONG = 6
"""Minimum letters of a word that may contain two mistakes instead of one."""


def unfinished_word(text: str) -> str:
    """Return the folded word at the end of a query, or "" if the query does not end in a word.

    >>> unfinished_word("climate Électi"), unfinished_word("climate "), unfinished_word("日本")
    ('electi', '', '')
    """
    found = _LAST_WORD.search(text)
    terms = index_terms(found[0]) if found else []
    return terms[0] if len(terms) == 1 and len(terms[0]) > 1 else ""


def complete(text: str, words: Sequence[str]) -> list[str]:
    """Return the query with its last word replaced by each of `words`.

    >>> complete("climate electi", ["election", "elections"])
    ['climate election', 'climate elections']
    """
    found = _LAST_WORD.search(text)
    return [text[: found.start()] + word for word in words] if found else []


def correct(
    text: str, known: Callable[[str], bool], words_like: Callable[[str], Mapping[str, int]]
) -> str | None:
    """Return the query with unknown words replaced by the nearest known ones, or None.

    `words_like` returns known words of similar length with their number of articles. Ties go to the
    word in most articles. Quoted phrases and filters are not changed.

    >>> correct("goverment budget", {"budget"}.__contains__, lambda word: {"government": 9})
    'government budget'
    """
    is_changed = False

    def replaced(found: re.Match[str]) -> str:
        nonlocal is_changed
        terms = index_terms(found[0])
        if len(terms) != 1 or known(terms[0]):
            return found[0]
        nearest = _nearest(terms[0], words_like(terms[0]))
        is_changed |= nearest is not None
        return nearest or found[0]

    parts = re.split(r'("[^"]*"?)', text)
    corrected = [part if part[:1] == '"' else _WORD.sub(replaced, part) for part in parts]
    return "".join(corrected) if is_changed else None


def _nearest(term: str, words: Mapping[str, int]) -> str | None:
    """Return the word at the least edit distance; a swap of neighbours counts as one edit."""
    from rapidfuzz import process  # noqa: PLC0415 - 60 ms, for misspelt words only
    from rapidfuzz.distance import OSA  # noqa: PLC0415

    most = 2 if len(term) >= LONG else 1
    near = process.extract(term, words.keys(), scorer=OSA.distance, score_cutoff=most, limit=None)
    best = min(near, key=lambda each: (each[1], -words[each[0]], each[0]), default=None)
    return best[0] if best else None
