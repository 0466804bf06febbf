"""What of an article is written into the index: made of its words alone, wherever they are read.

There are two sorts of index: one that knows which articles have a term and nothing else, where
marks stand for all that it does not know, and one with the positions of all terms.
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
"""Positions of a tsvector end at 16,383; phrases beyond this one are looked for in the text."""
POSITIONS_PER_TERM = 255
"""Positions that a tsvector keeps of one term; others are looked for in the text, too."""
LARGEST = 900_000
"""Bytes of a tsvector, which may have 1,048,575; the rarest long texts are indexed in part."""
MARKS = {Field.TEXT: "", Field.TITLE: "#", Field.AUTHOR: "&", Field.SECTION: "##"}
"""What terms begin with that stand in a field of an article."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A number of times from which on a term counts more."""

    mark: str
    """What it is marked by in the index."""
    count: int
    """Times that it stands in the body at least."""
    more: float
    """How many more times it counts."""


STEPS = (Step(mark="+", count=3, more=2.7), Step(mark="++", count=8, more=7.0))
"""Between them a term counts 4 times, then 11: the means again."""


class IndexedWords(NamedTuple):
    """The words of an article that it is found by."""

    title: str
    """The headline."""
    authors: str
    """All names, as a JSON list."""
    section: str
    """The name of the section; empty if it has none."""
    body: str
    """The text."""

    @classmethod
    def of(cls, article: Article) -> "IndexedWords":
        """Return those of an article, as they are stored."""
        authors = json.dumps(article.authors, ensure_ascii=False)
        return cls(article.title, authors, article.section or "", article.body)

    @property
    def digest(self) -> bytes:
        """A fingerprint: the same for the same words."""
        return blake2b("\0".join(self).encode("utf-8", "replace"), digest_size=8).digest()


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """What is written into the index of an article."""

    digest: bytes
    """The fingerprint of its words."""
    terms: str
    """What it is found by, as the index is given it."""
    length: int
    """Terms of the body."""
    signature: bytes
    """By which it is compared with others: see `flong.search.stories`."""
    long_body: str | None = None
    """The terms of a body whose positions the index does not all keep; None of others."""


EntryMaker = Callable[[IndexedWords], IndexEntry]
"""Makes what is written into one sort of index."""


class _Terms(NamedTuple):
    """The index terms of an article."""

    title: Sequence[str]
    authors: Sequence[str]
    section: Sequence[str]
    body: Sequence[str]


def marked_entry(words: IndexedWords) -> IndexEntry:
    """Return what an index of nothing but terms is given."""
    found = _Terms(*map(index_terms, words))
    return IndexEntry(words.digest, _marked(found), len(found.body), signature(found.body))


@lru_cache(maxsize=16)  # copies of an article are forgotten one after the other
def marked_terms(words: IndexedWords) -> str:
    """Return the terms, each once, then those with marks: all that such an index forgets again.

    Terms are there a second time with a mark if they stand in the title, among the authors or in
    the section's name, or several times in the body.

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
    """Return the terms with their positions, as PostgreSQL reads them.

    >>> placed_entry(IndexedWords("So be it", '["Ann"]', "", "It is")).terms
    "'so':1A 'be':2A 'it':3A,8 'ann':5B 'is':9"
    """
    found = _Terms(*map(index_terms, words))
    signed = signature(found.body)
    return IndexEntry(words.digest, _vector(found), len(found.body), signed, _long_body(found))


def _long_body(found: _Terms) -> str | None:
    """Return the terms of a body whose positions a tsvector does not all keep; None of others."""
    others = Counter([*found.title, *found.authors, *found.section])
    before = others.total() + 3
    is_long = before + len(found.body) > POSITIONS
    most = max((n + others[term] for term, n in Counter(found.body).items()), default=0)
    return f" {' '.join(found.body)} " if is_long or most > POSITIONS_PER_TERM else None


def _vector(found: _Terms) -> str:
    """Return the terms with their positions.

    Between the parts of a document a position is left out, so that no phrase reaches over.
    """
    places: dict[str, list[str]] = {}
    position = 0
    for terms, weight in zip(found, ("A", "B", "C", ""), strict=True):
        for term in terms:
            position += 1
            where = places.setdefault(term, [])
            if len(where) < POSITIONS_PER_TERM:
                # All that stands further back shares one place, with none beside it.
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
