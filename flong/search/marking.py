"""Mark the terms of a query in a text, for highlighting."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from itertools import groupby, pairwise

from flong.search.folding import INVISIBLE, MARKS, fold
from flong.search.terms import INDIC, PAIRED, index_terms

_PIECE = re.compile(f"[{PAIRED}]|(?:[^\\W_{PAIRED}]|[{MARKS}{INDIC}{INVISIBLE}])+|.", re.DOTALL)
_IS_PAIRED = re.compile(f"[{PAIRED}]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text."""

    text: str
    """Text of the part, unchanged."""
    is_term: bool
    """True if it matches a term of the query."""


def mark_terms(text: str, terms: Collection[str]) -> list[Piece]:
    """Split a text into pieces, marking those that match terms of a query.

    >>> [piece.text for piece in mark_terms("Cafés, a café.", ["cafe"]) if piece.is_term]
    ['café']
    >>> mark_terms("日本語", ["本語"])
    [Piece(text='日', is_term=False), Piece(text='本語', is_term=True)]
    """
    pieces = _PIECE.findall(text)
    marked = [_is_term(piece, terms) for piece in pieces]
    for at, (one, other) in enumerate(pairwise(pieces)):
        if _IS_PAIRED.match(one) and _IS_PAIRED.match(other) and fold(one + other) in terms:
            marked[at] = marked[at + 1] = True
    parts = groupby(zip(pieces, marked, strict=True), key=lambda pair: pair[1])
    return [Piece("".join(piece for piece, _ in part), is_term) for is_term, part in parts]


def _is_term(piece: str, terms: Collection[str]) -> bool:
    return any(term in terms for term in index_terms(piece))
