"""Classifier: article or not, from the evidence of one page and the prior of its pattern.

The points of a page (`article_evidence`) and of its pattern's prior are added. On a template that
is nearly always an article the prior dominates; on a mixed one, the page's own evidence decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flong.patterns.article_evidence import Point
from flong.patterns.thresholds import THRESHOLDS

_TURNS = 20
"""Number of steps of expectation maximisation."""
_CERTAIN = 30.0
"""Maximum log-odds, against overflow."""
_SHOWN = 3
"""Maximum number of features in a reason."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The score of a page, and the evidence for it."""

    score: float
    """Sum of the points."""
    points: tuple[Point, ...]
    """Evidence that counts for or against an article."""

    @property
    def article(self) -> bool:
        """Return True if the score is that of an article."""
        return self.score >= THRESHOLDS.enough

    @property
    def reason(self) -> str:
        """Return the strongest evidence for the decision, in a sentence.

        >>> Judgement(2.0, (Point(2.0, "it has 300 words"), Point(-1.0, "no date"))).reason
        'article: it has 300 words'
        """
        sign = 1 if self.article else -1
        telling = sorted(
            (p for p in self.points if p.points * sign > 0), key=lambda p: -abs(p.points)
        )
        seen = "; ".join(p.words for p in telling[:_SHOWN]) or "the evidence is weak"
        return f"{'article' if self.article else 'not an article'}: {seen}"


@dataclass(frozen=True, slots=True)
class Prior:
    """Expectation about a page before it is read."""

    points: float = 0.0
    """Log-odds for an article, limited."""
    share: float = 0.5
    """Fraction of articles among pages like it."""

    @property
    def weight_of_weak(self) -> float:
        """Return the weight of weak evidence, lower for patterns of one kind.

        The weak evidence of all its pages has already been counted in `share`.
        """
        exceptions = min(self.share, 1 - self.share)
        return min(1.0, max(THRESHOLDS.least_weight, exceptions / THRESHOLDS.mixed))


_NO_PATTERN = Prior()


def learn_prior(
    own: Sequence[float], others: float = 0.5, weight: float = 1.0, *, enough: float | None = None
) -> Prior:
    """Learn the prior of a pattern's pages from the points of some of them.

    Points are log-odds. Expectation maximisation finds the fraction of articles that explains them
    best. It starts from `others`, the fraction among like pages, which counts as `weight` pages.

    >>> prior = learn_prior([4.0] * 20 + [0.5])
    >>> prior.points > 2, prior.share > 0.95
    (True, True)
    """
    margins = np.array(own, dtype=float) - (THRESHOLDS.enough if enough is None else enough)
    share = others
    for _ in range(_TURNS):
        prior = _log_odds(share)
        likely = 1 / (1 + np.exp(-np.clip(margins + prior, -_CERTAIN, _CERTAIN)))
        share = float((likely.sum() + weight * others) / (len(margins) + weight))
    return Prior(_log_odds(share), share)


def _log_odds(share: float) -> float:
    most = THRESHOLDS.most_points
    with np.errstate(divide="ignore"):
        return float(np.clip(np.log(share) - np.log(1 - share), -most, most))


def judge(own: Sequence[Point], prior: Prior | None = None) -> Judgement:
    """Return the judgement on a page from its points and the prior of its pattern, if it has one.

    >>> judge([Point(1.0, "long")], Prior(0.8)).article
    True
    """
    expected = prior or _NO_PATTERN
    weight = expected.weight_of_weak
    points = [
        point._replace(points=weight * point.points) if point.weak else point for point in own
    ]
    kind = "mostly articles" if expected.points > 0 else "mostly not articles"
    seen = f"the pages of its pattern are {kind}" if prior else "it has no pattern"
    points.append(Point(expected.points, seen))
    points = [point for point in points if point.points]
    return Judgement(sum([point.points for point in points]), tuple(points))
