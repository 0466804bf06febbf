"""Scores of extracted articles, by the definitions of the corpus.

A page is *correct* if its title is equal after folding and the F1 of the words of its body is at
least `CORRECT_F1`. Captions count neither way: a body below that is compared without them, too.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass

from benchmarks.corpus import ArticleTruth
from flong.text import fold_text, words

CORRECT_F1 = 0.9
"""Minimum F1 of the body of a correct page."""


@dataclass(frozen=True, slots=True)
class FoundArticle:
    """Title and body that a method found on a page."""

    title: str
    """Its headline."""
    body: str
    """Its text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageScore:
    """Score of one page of the truth."""

    path: str
    """The page."""
    found: bool
    """It was taken for an article."""
    title: bool
    """Its title is right."""
    body: float
    """F1 of its body's words."""

    @property
    def correct(self) -> bool:
        """Return True if title and body are right."""
        return self.title and self.body >= CORRECT_F1


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleFigures:
    """Figures of a method on one site, or means over sites."""

    pages: float
    """Number of judged articles."""
    correct: float
    """Share of them with the right title and body."""
    body_f1: float
    """Mean F1 of the body; 0 for a page not found."""
    title: float
    """Share of right titles."""
    precision: float
    """Share of articles among the labelled pages taken for articles."""
    recall: float
    """Share of the judged articles that were taken for articles."""

    @property
    def wrong(self) -> float:
        """Return the share of articles that were found, with a wrong title or body."""
        return self.recall - self.correct

    @property
    def missed(self) -> float:
        """Return the share of articles that were not found."""
        return 1 - self.recall


def body_f1(truth: str, found: str) -> float:
    """Return the F1 of two texts as multisets of words.

    >>> body_f1("a b c", "c b"), body_f1("", ""), body_f1("a", "")
    (0.8, 1.0, 0.0)
    """
    a, b = Counter(words(truth)), Counter(words(found))
    if not a or not b:
        return float(not a and not b)
    return 2 * (a & b).total() / (a.total() + b.total())


Captions = Callable[[str], Set[str]]
"""Returns the folded captions of a page, by its path."""


def no_captions(_: str) -> Set[str]:
    """Return the captions of pages without any."""
    return frozenset()


def without_lines(text: str, lines: Set[str]) -> str:
    r"""Return a text without some lines, given folded.

    >>> without_lines("Rain\nA cat.", {"a cat"})
    'Rain'
    """
    return "\n".join(line for line in text.splitlines() if fold_text(line) not in lines)


def score_page(
    path: str, truth: ArticleTruth, found: FoundArticle | None, captions: Captions = no_captions
) -> PageScore:
    """Return the score of one page; `found` is None if no article was found.

    >>> score_page("p", ArticleTruth(title="A b", body="c d"), FoundArticle("a B.", "c d")).correct
    True
    """
    if found is None:
        return PageScore(path=path, found=False, title=False, body=0.0)
    body = body_f1(truth.body, found.body)
    if body < CORRECT_F1 and (lines := captions(path)):
        both = without_lines(truth.body, lines), without_lines(found.body, lines)
        body = max(body, body_f1(*both))
    return PageScore(
        path=path,
        found=True,
        title=fold_text(truth.title) == fold_text(found.title),
        body=body,
    )


def summarise(scores: Sequence[PageScore], false: int) -> ArticleFigures:
    """Return the figures of one site; `false` counts other pages taken for articles."""
    count = len(scores) or 1
    hits = sum(score.found for score in scores)
    return ArticleFigures(
        pages=len(scores),
        correct=sum(score.correct for score in scores) / count,
        body_f1=sum(score.body for score in scores) / count,
        title=sum(score.title for score in scores) / count,
        precision=hits / ((hits + false) or 1),
        recall=hits / count,
    )


def score(
    truth: Mapping[str, ArticleTruth],
    found: Mapping[str, FoundArticle | None],
    other: frozenset[str],
    captions: Captions = no_captions,
) -> tuple[ArticleFigures, list[PageScore]]:
    """Score the pages that a method read; unlabelled pages are ignored."""
    judged = [
        score_page(path, truth[path], found[path], captions) for path in found if path in truth
    ]
    false = sum(path in other and taken is not None for path, taken in found.items())
    return summarise(judged, false), judged


def mean(figures: Sequence[ArticleFigures]) -> ArticleFigures:
    """Return the plain average over sites."""
    names = ("pages", "correct", "body_f1", "title", "precision", "recall")
    count = len(figures) or 1
    return ArticleFigures(
        **{name: sum(getattr(f, name) for f in figures) / count for name in names}
    )
