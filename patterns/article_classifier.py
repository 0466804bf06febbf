"""Article or not: the evidence of one page, and what its pattern and site are like.

Every sign gives points for or against and says so in plain words (`article_evidence`). A page's
points and what is to be expected of its pattern's pages are added: where a pattern is mixed the
page decides, where it is not the pattern carries its short and odd pages with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flong.patterns.article_evidence import Point
from flong.patterns.thresholds import THRESHOLDS

_TURNS = 20
"""So many steps of expectation maximisation are enough."""
_CERTAIN = 30.0
"""Log-odds beyond which nothing changes."""
_SHOWN = 3
"""So many signs are told as the reason."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether a page is an article, and why."""

    score: float
    """All points together."""
    points: tuple[Point, ...]
    """The features that say something."""

    @property
    def article(self) -> bool:
        """Return the verdict."""
        return self.score >= THRESHOLDS.enough

    @property
    def reason(self) -> str:
        """Return the strongest features for the verdict, in a sentence.

        >>> Judgement(2.0, (Point(2.0, "it has 300 words"), Point(-1.0, "no date"))).reason
        'article: it has 300 words'
        """
        sign = 1 if self.article else -1
        telling = sorted(
            (p for p in self.points if p.points * sign > 0), key=lambda p: -abs(p.points)
        )
        seen = "; ".join(p.words for p in telling[:_SHOWN]) or "the signs are weak"
        return f"{'article' if self.article else 'no article'}: {seen}"


@dataclass(frozen=True, slots=True)
class Prior:
    """What is to be expected of a page before it is looked at."""

    points: float = -0.5
    """Log-odds for an article, limited."""
    share: float = 0.5
    """Share of articles among pages like it."""

    @property
    def weight_of_weak(self) -> float:
        """Return what weak signs of one page count for.

        The less, the more the pages of a pattern are of one kind: the signs were heard already,
        from all of them, and made the share.
        """
        exceptions = min(self.share, 1 - self.share)
        return min(1.0, max(THRESHOLDS.least_weight, exceptions / THRESHOLDS.mixed))


_NO_PATTERN = Prior()


def learn_prior(
    own: Sequence[float], others: float = 0.5, weight: float = 1.0, *, enough: float | None = None
) -> Prior:
    """Learn what to expect of a pattern's pages from the points of some.

    Points are taken as log-odds: the share that explains the points of the pages best is found
    by expectation maximisation, starting from the share `others` among like pages, which counts
    as so many pages (`weight`). So a pattern of one kind carries its odd pages with it, and one
    that is truly mixed leaves the decision to the page.

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
    """Add up a page's own points and those of its pattern; None for a page without one.

    >>> judge([Point(1.0, "long")], Prior(0.8)).article
    True
    """
    expected = prior or _NO_PATTERN
    weight = expected.weight_of_weak
    points = [point.times(weight) if point.weak else point for point in own]
    kind = "mostly articles" if expected.points > 0 else "mostly no articles"
    seen = f"the pages of its pattern are {kind}" if prior else "it has no pattern"
    points.append(Point(expected.points, seen))
    points = [point for point in points if point.points]
    return Judgement(sum([point.points for point in points]), tuple(points))
