"""What the other papers' methods say about a page, each by itself."""

from collections import Counter
from dataclasses import dataclass

from extractors import EXTRACTORS
from items import Article, words
from trees import SitePage, Tree

METHODS = ("consensus", "coreex", "econ", "first-half", "nowonweb", "scored")
"""The other methods that can read one page by itself."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What another method says."""

    method: str
    """Its name."""
    title: str
    """The headline that it finds; empty if it finds no article."""
    words: int
    """Words of its body."""
    agreement: float | None
    """Share of words that its body has in common with ours (F1); None if one has none."""


def ask_others(url: str, tree: Tree, article: Article | None) -> list[Answer]:
    """Return what the other methods say about the page, each by itself."""
    page = SitePage(url=url, tree=tree)
    ours = words(article.body) if article else []
    answers = []
    for method in METHODS:
        (found,) = EXTRACTORS[method]([page])
        theirs = words(found.body) if found else []
        agreement = token_f1(ours, theirs) if ours and theirs else None
        answers.append(Answer(method, found.title if found else "", len(theirs), agreement))
    return answers


def token_f1(one: list[str], other: list[str]) -> float:
    """Return how much two texts have in common, from 0 to 1, whatever the order of words.

    >>> token_f1(["rain", "all", "day"], ["all", "day", "long"]) == 2 / 3
    True
    """
    shared = (Counter(one) & Counter(other)).total()
    return 2 * shared / (len(one) + len(other)) if one or other else 0.0
