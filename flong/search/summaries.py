"""Query-dependent summaries: the most relevant sentences of a body.

Summaries are extractive: every part is copied from the body.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import islice
from math import log
from operator import add

from sentencex import segment

from flong.search.folding import fold
from flong.search.terms import PAIRED, index_terms
from flong.text import word_count

SENTENCES = 3
"""Target number of sentences."""
MOST_SENTENCES = 5
"""Maximum number of sentences, if more are needed to cover all terms of the query."""
WORDS = 60
"""Maximum words."""
CHARACTERS = 150
"""Maximum characters in scripts written without spaces."""
LEAD = 1.1
"""Factor for the first two sentences, which carry the news."""
SHORT_LINE = 5
"""Minimum words of a sentence; shorter lines are headings or captions."""
SHORT_LINE_WEIGHT = 0.01
"""Factor for shorter lines: they are chosen only if no other line contains a term."""

_PIECE = re.compile(f"[{PAIRED}]\\s*|[^\\s{PAIRED}]+\\s*")
_CHARACTER = re.compile(f"[{PAIRED}]")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A sentence of a summary, possibly shortened."""

    text: str
    """Text, copied from the body."""
    is_cut_before: bool = False
    """True if the beginning of the sentence is cut off."""
    is_cut_after: bool = False
    """True if the end of the sentence is cut off."""

    def __str__(self) -> str:
        return f"{'… ' * self.is_cut_before}{self.text}{' …' * self.is_cut_after}"


@dataclass(frozen=True, slots=True)
class _Sentence:
    position: int
    text: str
    terms: Counter[str]
    is_short_line: bool


def summarise(body: str, terms: Sequence[str], language: str | None = None) -> list[Excerpt]:
    """Return sentences relevant to the terms of a query; the first ones if no sentence is.

    Sentences with terms not covered yet come first, then the best others. A sentence scores
    sum of ln(qtf + 1) ln(tf + 1) ln((n + 1) / (.5 + sf)) over its terms, where n is the number of
    sentences and sf the number of sentences with the term. The result is in the order of the body.

    >>> body = "It rained in Oslo. Nobody minded the rain. Trams were late on Monday morning."
    >>> [str(each) for each in summarise(body, ["trams"])][-1]
    'Trams were late on Monday morning.'
    """
    wanted = Counter(terms)
    having, count = _having(body, language, wanted)
    if having:
        needed, others = _choose(having, count, wanted)
    else:
        lead = list(islice(_lead(body, language), SENTENCES))
        needed, others = lead[:1], lead[1:]
    return _fit(needed, others)


def _having(body: str, language: str | None, wanted: Counter[str]) -> tuple[list[_Sentence], int]:
    """Return the sentences that contain terms, and the number of all sentences.

    A line without terms counts as one sentence, which saves splitting it.
    """
    having, count = [], 0
    for line, folded in zip(body.split("\n"), fold(body).split("\n"), strict=True):
        if not any(term in folded for term in wanted):
            count += bool(folded)
            continue
        is_short = _is_short(line)
        for text in _split(line, language):
            found = Counter(term for term in index_terms(text) if term in wanted)
            if found:
                having.append(_Sentence(count, text, found, is_short))
            count += 1
    return having, count


def _lead(body: str, language: str | None) -> Iterator[_Sentence]:
    """Yield the first sentences; headings and captions only if there is nothing else."""
    lines = [line for line in body.split("\n") if line.strip()]
    long = [line for line in lines[:100] if not _is_short(line)] or lines
    texts = (text for line in long for text in _split(line, language))
    for position, text in enumerate(texts):
        yield _Sentence(position, text, Counter(), False)


def _is_short(line: str) -> bool:
    return len(line) < 20 * SHORT_LINE and word_count(line) < SHORT_LINE


def _split(line: str, language: str | None) -> list[str]:
    return [text for text in map(str.strip, segment(language or "en", line)) if text]


def _choose(
    having: Sequence[_Sentence], count: int, wanted: Counter[str]
) -> tuple[list[_Sentence], list[_Sentence]]:
    """Return sentences that cover all terms, at most `MOST_SENTENCES`, and the others by score."""
    frequency = Counter(term for each in having for term in each.terms)
    rarity = {term: log((count + 1) / (0.5 + frequency[term])) for term in frequency}

    def score(sentence: _Sentence, among: Set[str]) -> float:
        found = sum(
            log(wanted[term] + 1) * log(count + 1) * rarity[term]
            for term, count in sentence.terms.items()
            if term in among
        )
        found *= LEAD if sentence.position < 2 else 1.0
        return found * SHORT_LINE_WEIGHT if sentence.is_short_line else found

    needed: list[_Sentence] = []
    missing = set(frequency)
    while missing and len(needed) < MOST_SENTENCES:
        best = max(having, key=lambda each: score(each, missing))
        needed.append(best)
        missing -= best.terms.keys()
    others = [each for each in having if each not in needed and not each.is_short_line]
    return needed, sorted(others, key=lambda each: -score(each, frequency.keys()))


def _fit(needed: Sequence[_Sentence], others: Iterable[_Sentence]) -> list[Excerpt]:
    """Return the sentences that fit: needed ones shortened if necessary, others only whole."""
    fitted: list[tuple[int, Sequence[Excerpt]]] = []
    room = 1.0
    for number, sentence in enumerate(sorted(needed, key=lambda each: _size(each.text))):
        excerpts = _cut(sentence, room / (len(needed) - number))
        room -= sum(_size(each.text) for each in excerpts)
        fitted.append((sentence.position, excerpts))
    for sentence in others:
        if len(fitted) >= SENTENCES:
            break
        if _size(sentence.text) <= room:
            room -= _size(sentence.text)
            fitted.append((sentence.position, [Excerpt(sentence.text)]))
    fitted.sort(key=lambda each: each[0])
    return [excerpt for _, excerpts in fitted for excerpt in excerpts]


def _size(text: str) -> float:
    """Return the fraction of a summary that a text fills."""
    return sum(map(_piece_size, _PIECE.findall(text)))


def _piece_size(piece: str) -> float:
    return 1 / CHARACTERS if _CHARACTER.match(piece) else 1 / WORDS


def _cut(sentence: _Sentence, room: float) -> list[Excerpt]:
    """Return the sentence, or the parts of a long one that contain its terms and fit."""
    pieces = _PIECE.findall(sentence.text)
    sizes = [_piece_size(piece) for piece in pieces]
    if sum(sizes) <= room:
        return [Excerpt(sentence.text)]
    # A pair of characters can span two pieces.
    pairs = map(add, pieces, [*pieces[1:], ""])
    hits = [
        set(index_terms(pair)) & sentence.terms.keys() if sentence.terms else set()
        for pair in pairs
    ]
    windows = [_best_window(sizes, hits, room)]
    if len(set().union(*hits[slice(*windows[0])])) < len(sentence.terms):
        each_room = room / len(sentence.terms)
        ones = [[found & {term} for found in hits] for term in sentence.terms]
        windows = _merged(_best_window(sizes, one, each_room) for one in ones)
    return [
        Excerpt(
            "".join(pieces[first:last]).strip(),
            is_cut_before=first > 0,
            is_cut_after=last < len(pieces),
        )
        for first, last in windows
    ]


def _merged(windows: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return windows in order, merging those that touch.

    >>> _merged([(5, 8), (0, 2), (7, 9)])
    [(0, 2), (5, 9)]
    """
    merged: list[tuple[int, int]] = []
    for first, last in sorted(windows):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged


def _best_window(sizes: Sequence[float], hits: Sequence[Set[str]], room: float) -> tuple[int, int]:
    """Return the first window of this size with the most distinct terms."""
    inside: Counter[str] = Counter()
    best, most, first, used = (0, 1), -1, 0, 0.0
    for last, size in enumerate(sizes):
        used += size
        if last:
            inside.update(hits[last - 1])
        while used > room and first < last:
            used -= sizes[first]
            inside.subtract(hits[first])
            first += 1
        found = sum(count > 0 for count in inside.values())
        if found > most or (found == most and best[0] == first):
            best, most = (first, last + 1), found
    return best
