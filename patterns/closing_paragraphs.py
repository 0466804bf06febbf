"""Closing paragraphs: boilerplate at the end of a site's bodies, such as copyright and appeals.

A line that recurs *within* bodies, or at their beginning, is content: a form, a table, a daily
list. A recurring last paragraph, perhaps with another year or name, is boilerplate.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz.distance import Indel

from flong.patterns.thresholds import THRESHOLDS
from flong.text import plain_letters, words
from flong.tree import Tree

PAGES = 300
"""Maximum number of articles compared."""
_LETTERS = 12
"""Maximum characters per word assumed: twice as many as usual."""
_ROUNDING = 1e-6
"""Tolerance for rounding errors in fractions of words."""

Wording = tuple[str, ...]
"""The words of a paragraph without numbers."""


@dataclass(frozen=True)
class ClosingParagraphs:
    """Recurring paragraphs that end the bodies of a site."""

    wordings: tuple[Wording, ...] = ()
    """Words of each paragraph."""

    def __or__(self, other: "ClosingParagraphs") -> "ClosingParagraphs":
        return ClosingParagraphs(tuple(dict.fromkeys(self.wordings + other.wordings)))

    def trim(self, tree: Tree, body: list[int]) -> list[int]:
        """Return the text leaves of a body without its closing paragraphs.

        The body of an article that would have hardly a line left stays whole.
        """
        left = body
        while self.wordings:
            edge = range(max(1, len(left) - THRESHOLDS.closing_depth), len(left))
            closing = next((at for at in edge if self._knows(tree, left[at])), None)
            if closing is None:
                break
            left = left[:closing]
        return left if tree.words[left].sum() >= THRESHOLDS.line_words else body

    def _knows(self, tree: Tree, leaf: int) -> bool:
        if tree.words[leaf] < THRESHOLDS.closing_words:
            return False
        text = tree.text_of(leaf)
        letters = plain_letters(text)
        likely = [one for one, rarest, most in self._telling if not _lacks(letters, rarest, most)]
        if not likely:
            return False
        longest = 2 * max(map(len, self.wordings)) / THRESHOLDS.closing_alike  # or it is not alike
        beginning = int(_LETTERS * longest)
        if len(text) > beginning and len(wording(text[:beginning])) > longest + 1:
            return False
        own = wording(text)
        return any(_alike(own, one) for one in likely)

    @cached_property
    def _telling(self) -> list[tuple[Wording, Wording, float]]:
        """Return each wording with its words, longest first, and the number that may be missing.

        Of `m` words at least `s` are in a similar one if 2s / (s + m) reaches `closing_alike`.
        """
        most = 1 - THRESHOLDS.closing_alike / (2 - THRESHOLDS.closing_alike) + _ROUNDING
        return [
            (one, tuple(sorted(one, key=len, reverse=True)), most * len(one))
            for one in self.wordings
        ]


def _lacks(letters: str, words: Wording, most: float) -> bool:
    """Return True if more than `most` words are not even part of a text."""
    lacking = 0
    for word in words:
        if word not in letters:
            lacking += 1
            if lacking > most:
                return True
    return False


def _alike(one: Wording, other: Wording) -> bool:
    least = THRESHOLDS.closing_alike
    both, shorter = len(one) + len(other), min(len(one), len(other))
    if 2 * shorter < (least - _ROUNDING) * both:  # not even if the longer had all of the shorter
        return False
    return Indel.normalized_similarity(one, other, score_cutoff=least) >= least


def wording(paragraph: str) -> Wording:
    """Return the words of a paragraph without numbers.

    >>> wording("Copyright 2024, The Paper.")
    ('copyright', 'the', 'paper')
    """
    return tuple(word for word in words(paragraph) if not word[0].isdigit())


def learn_closing_paragraphs(
    bodies: Iterable[Sequence[str]], fewest: int | None = None
) -> ClosingParagraphs:
    """Learn the paragraphs that recur at the end of bodies, given as lists of paragraphs.

    They are on at least `fewest` bodies, by default `least_repeats`. Equal bodies, as of copies of
    an article, count once.

    >>> house = "The Paper is printed in a small town, number {}"
    >>> bodies = [[f"Story {word} {word[::-1]} told", house.format(at)]
    ...           for at, word in enumerate("of rain,of sun,of wind,of snow".split(","))]
    >>> found = learn_closing_paragraphs(bodies)
    >>> [" ".join(one) for one in found.wordings]
    ['the paper is printed in a small town number']
    """
    pages: dict[Wording, int] = {}
    count = 0
    for body in dict.fromkeys(map(tuple, bodies)):
        count += 1
        edge = map(wording, body[max(1, len(body) - THRESHOLDS.closing_depth) :])
        long = [own for own in edge if len(own) >= THRESHOLDS.closing_words]
        known = (next((one for one in pages if _alike(own, one)), own) for own in long)
        for one in dict.fromkeys(known):  # not a set: its order changes from run to run
            pages[one] = pages.get(one, 0) + 1
    least = max(fewest or THRESHOLDS.least_repeats, THRESHOLDS.closing_pages * count)
    return ClosingParagraphs(tuple(one for one, often in pages.items() if often >= least))
