"""Paragraphs that recur at the end of a site's bodies: about the house, copyright, appeals.

A line that recurs *within* bodies is content (forms, tables, daily lists), and so is one that opens
them. One that recurs as the last paragraph, perhaps with another year or name in it, belongs to no
article.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Indel

from items import words
from trees import Tree

DEPTH = 3
"""So many paragraphs at the end of a body are looked at."""
LEAST_WORDS = 6
"""A paragraph with fewer words is too short to be known again: "The end", "Sources"."""
ALIKE = 0.7
"""Share of their words that two wordings of one paragraph have in common, in the same order. A
closing paragraph whose figures change every year keeps .9 of them; two paragraphs on the same
matter have less than half in common, in scripts without spaces, too."""
LEAST_PAGES = 4
"""A paragraph on fewer pages is a copy of an article, or a coincidence."""
LEAST_SHARE = 0.2
"""Share of the articles that end with it. What fewer have, such as the last line of a daily list,
is theirs."""
PAGES = 300
"""So many articles are looked at."""

Wording = tuple[str, ...]
"""The words of a paragraph, numbers aside."""


@dataclass(frozen=True, slots=True)
class ClosingParagraphs:
    """What bodies of a site end with although it is no part of them."""

    wordings: tuple[Wording, ...] = ()
    """Paragraphs after the text."""

    def trim(self, tree: Tree, body: list[int]) -> list[int]:
        """Return the text leaves of a body up to what recurs at its end; never nothing."""
        if not self.wordings:
            return body
        edge = range(max(1, len(body) - DEPTH), len(body))
        return body[: next((at for at in edge if self._knows(tree, body[at])), len(body))]

    def _knows(self, tree: Tree, leaf: int) -> bool:
        own = wording(tree.text_of(leaf)) if tree.words[leaf] >= LEAST_WORDS else ()
        return any(_alike(own, one) for one in self.wordings)


def _alike(one: Wording, other: Wording) -> bool:
    return Indel.normalized_similarity(one, other, score_cutoff=ALIKE) >= ALIKE


def wording(paragraph: str) -> Wording:
    """Return the words of a paragraph, numbers aside.

    >>> wording("Copyright 2024, The Paper.")
    ('copyright', 'the', 'paper')
    """
    return tuple(word for word in words(paragraph) if not word[0].isdigit())


def learn_closing_paragraphs(bodies: Iterable[Sequence[str]]) -> ClosingParagraphs:
    """Learn what recurs at the end of bodies, given as their paragraphs.

    >>> house = "The Paper is printed in a small town, number {}"
    >>> bodies = [[f"Story {word} {word[::-1]} told", house.format(at)]
    ...           for at, word in enumerate("of rain,of sun,of wind,of snow".split(","))]
    >>> found = learn_closing_paragraphs(bodies)
    >>> [" ".join(one) for one in found.wordings]
    ['the paper is printed in a small town number']
    """
    pages: dict[Wording, int] = {}
    count = 0
    for body in bodies:
        count += 1
        edge = map(wording, body[max(1, len(body) - DEPTH) :])
        long = [own for own in edge if len(own) >= LEAST_WORDS]
        for one in {next((one for one in pages if _alike(own, one)), own) for own in long}:
            pages[one] = pages.get(one, 0) + 1
    least = max(LEAST_PAGES, LEAST_SHARE * count)
    return ClosingParagraphs(tuple(one for one, often in pages.items() if often >= least))
