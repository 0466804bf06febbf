"""Index terms, folded the same way for documents and queries.

Folding removes case, diacritics and other differences that users do not type. Scripts written
without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese) become overlapping pairs of
characters, so every run of characters can be found. So does Korean, where endings attach to words.
Both databases store exactly these terms.
"""

import re
import unicodedata
from dataclasses import dataclass
from operator import add

from flong.search.folding import fold

FOLDING = 4
"""Version of this module; an index made by another version is rebuilt."""
PAIRED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf"  # Thai, Lao
    "\u1000-\u103f\u1050-\u109f\u1780-\u17d3\u17dc\u17dd"  # Burmese, Khmer
    "\u3005-\u3007\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"  # Han
    "\u1100-\u11ff\uac00-\ud7a3"  # Hangul
)
"""Characters indexed in pairs, as ranges of a regular expression."""
INDIC = "".join(c for c in map(chr, range(0x900, 0x1000)) if unicodedata.category(c)[0] == "M")
"""Vowel signs and other marks of Indic scripts, which join letters to a word."""
_LETTER = f"[^\\W_{PAIRED}]"
CUT = 60
"""Maximum letters of a term: PostgreSQL rejects more than 2,046 bytes."""
_ASCII_TERM = re.compile(f"[a-z0-9]{{1,{CUT}}}")
_TERM = re.compile(f"[{PAIRED}]+|{_LETTER}{{1,{CUT}}}(?:[{INDIC}]{{1,5}}{_LETTER}{{0,10}}){{0,25}}")
_IS_PAIRED = re.compile(f"[{PAIRED}]")
_FIRST_PAIRED = "\u0e01"


@dataclass(frozen=True, slots=True)
class Phrase:
    """Terms that are adjacent in a text."""

    terms: tuple[str, ...]
    """Terms in order, at least one."""
    is_prefix: bool = False
    """True if the last term is a prefix: a single character of a run."""


def index_terms(text: str) -> list[str]:
    """Return the index terms of a text, in order.

    A run of n characters without spaces gives its n - 1 pairs and its last character, so each
    character begins a term.

    >>> index_terms("Café ÜBER Straße, Łódź")
    ['cafe', 'uber', 'strasse', 'lodz']
    >>> index_terms("日本語 2024")
    ['日本', '本語', '語', '2024']
    """
    return cut(fold(text))


def cut(folded: str) -> list[str]:
    """Return the terms of a folded text."""
    if folded.isascii():
        return _ASCII_TERM.findall(folded)
    words: list[str] = _TERM.findall(folded)
    if not _IS_PAIRED.search(folded):
        return words
    terms: list[str] = []
    for word in words:
        if word[0] < _FIRST_PAIRED or not _IS_PAIRED.match(word):
            terms.append(word)
        else:
            terms += map(add, word, word[1:])
            terms.append(word[-1])
    return terms


def phrase_of(text: str) -> Phrase | None:
    """Return the phrase that a document must contain to match this text; None without terms.

    >>> phrase_of("don't"), phrase_of("語"), phrase_of("?!")
    (Phrase(terms=('don', 't'), is_prefix=False), Phrase(terms=('語',), is_prefix=True), None)
    >>> phrase_of("日本語").terms
    ('日本', '本語')
    """
    terms = index_terms(text)
    if not terms:
        return None
    if not _IS_PAIRED.match(terms[-1]):
        return Phrase(tuple(terms))
    # The run may continue in the document, so its last character must not be required as a term.
    begins_run = len(terms) == 1 or len(terms[-2]) != 2 or not _IS_PAIRED.match(terms[-2])
    return Phrase(tuple(terms), is_prefix=True) if begins_run else Phrase(tuple(terms[:-1]))
