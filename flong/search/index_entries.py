"""Index entries: the form in which an article's words are written to a full-text index.

There are two kinds of index. One stores only which articles contain a term; marked terms add the
field and the frequency. The other stores the positions of all terms.
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from flong.article import Article
from flong.search.query import Field
from flong.search.stories import signature
from flong.search.terms import index_terms

POSITIONS = 16_000
"""Maximum position in a tsvector (PostgreSQL's limit is 16,383); the text is scanned for later
ones.
"""
POSITIONS_PER_TERM = 255
"""Maximum positions per term in a tsvector; the text is scanned for the rest."""
LARGEST = 900_000
"""Maximum bytes of a tsvector (PostgreSQL's limit is 1,048,575); longer texts are indexed in part.
"""
MARKS = {Field.TEXT: "", Field.TITLE: "#", Field.AUTHOR: "&", Field.SECTION: "##"}
"""Prefix of terms in each field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Minimum term frequency that adds weight."""

    mark: str
    """Prefix of the term in the index."""
    count: int
    """Minimum occurrences in the body."""
    more: float
    """Additional weight."""


STEPS = (Step(mark="+", count=3, more=2.7), Step(mark="++", count=8, more=7.0))
"""Together with the first occurrence, terms weigh 4 from the first step and 11 from the second."""


class IndexedWords(NamedTuple):
    """Searchable words of an article."""

    title: str
    """Headline."""
    authors: str
    """Names of the authors, as a JSON list."""
    section: str
    """Name of the section; empty if unknown."""
    body: str
    """Text."""

    @classmethod
    def of(cls, article: Article) -> "IndexedWords":
        """Return the words of an article as stored."""
        authors = json.dumps(article.authors, ensure_ascii=False)
        return cls(article.title, authors, article.section or "", article.body)

    @property
    def digest(self) -> bytes:
        """Fingerprint of the words."""
        return blake2b("\0".join(self).encode("utf-8", "replace"), digest_size=8).digest()


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """An article's entry in the index."""

    digest: bytes
    """Fingerprint of the words."""
    terms: str
    """Terms in the format of the index."""
    length: int
    """Number of terms in the body."""
    signature: bytes
    """Sample for comparison with other articles; see `flong.search.stories`."""
    long_body: str | None = None
    """Terms of a body whose positions exceed the limits of the index; None for others."""


EntryMaker = Callable[[IndexedWords], IndexEntry]
"""Function that makes entries for one kind of index."""


class _Terms(NamedTuple):
    """Index terms of an article, by field."""

    title: Sequence[str]
    authors: Sequence[str]
    section: Sequence[str]
    body: Sequence[str]


def marked_entry(words: IndexedWords) -> IndexEntry:
    """Return the entry for an index without positions."""
    found = _Terms(*map(index_terms, words))
    return IndexEntry(words.digest, _marked(found), len(found.body), signature(found.body))


@lru_cache(maxsize=16)  # copies of an article are deleted one after the other
def marked_terms(words: IndexedWords) -> str:
    """Return all terms once, then the marked ones; deleting an entry needs the same list.

    A term is repeated with a mark if it occurs in the title, among the authors or in the section's
    name, or several times in the body.

    >>> marked_terms(IndexedWords("So be it", '["Ann"]', "", "It is"))
    'so be it is #so #be #it &ann'
    """
    return _marked(_Terms(*map(index_terms, words)))


def _marked(found: _Terms) -> str:
    counts = Counter(found.body)
    terms = list(dict.fromkeys([*found.title, *counts]))
    fields = {Field.TITLE: found.title, Field.AUTHOR: found.authors, Field.SECTION: found.section}
    for field, named in fields.items():
        terms += [MARKS[field] + term for term in dict.fromkeys(named)]
    for step in STEPS:
        terms += [step.mark + term for term, n in counts.items() if n >= step.count]
    return " ".join(terms)


def placed_entry(words: IndexedWords) -> IndexEntry:
    """Return the entry for PostgreSQL: terms with their positions.

    >>> placed_entry(IndexedWords("So be it", '["Ann"]', "", "It is")).terms
    "'so':1A 'be':2A 'it':3A,8 'ann':5B 'is':9"
    """
    found = _Terms(*map(index_terms, words))
    signed = signature(found.body)
    return IndexEntry(words.digest, _vector(found), len(found.body), signed, _long_body(found))


def _long_body(found: _Terms) -> str | None:
    """Return the terms of a body whose positions exceed the limits of a tsvector, or None."""
    others = Counter([*found.title, *found.authors, *found.section])
    before = others.total() + 3
    is_long = before + len(found.body) > POSITIONS
    most = max((n + others[term] for term, n in Counter(found.body).items()), default=0)
    return f" {' '.join(found.body)} " if is_long or most > POSITIONS_PER_TERM else None


def _vector(found: _Terms) -> str:
    """Return the terms with their positions.

    One position is skipped between fields, so no phrase spans two of them.
    """
    places: dict[str, list[str]] = {}
    position = 0
    for terms, weight in zip(found, ("A", "B", "C", ""), strict=True):
        for term in terms:
            position += 1
            where = places.setdefault(term, [])
            if len(where) < POSITIONS_PER_TERM:
                # All later terms share one position without neighbours.
                place = position if position <= POSITIONS else POSITIONS + 2
                where.append(f"{place}{weight}")
        position += 1
    room, lexemes = LARGEST, []
    for term, where in places.items():
        room -= len(term.encode()) + 2 * len(where) + 8
        if room < 0:
            break
        lexemes.append(f"'{term}':{','.join(where)}")
    return " ".join(lexemes)
