"""Article or not: features of one page, weighed, with what its pattern and site are like.

Every sign gives points for or against and says so in plain words. A page's points and what is
to be expected of its pattern's pages are added: where a pattern is mixed the page decides,
where it is not the pattern carries its short and odd pages with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from patterns.article_features import ArticleFeatures, SiteNorms

ENOUGH = 1.5
"""Points from which a page is an article."""

MOST = 3.0
"""Points that the pattern can give or take."""

_MENU = 4
"""So many pages must link to a page in the same words before that makes it an entry of a menu: of a
site of ten pages one is a tenth."""

_PER_TEASER = 250
"""In a list of articles there are fewer words than this to a linked heading."""


class Point(NamedTuple):
    """One sign, weighed."""

    points: float
    """For an article if above 0."""
    words: str
    """What was seen."""
    weak: bool = False
    """It says little about a page whose pattern is of one kind."""

    def times(self, factor: float) -> "Point":
        """Return the same sign with other weight."""
        return Point(self.points * factor, self.words, self.weak)


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
        return self.score >= ENOUGH

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
        seen = "; ".join(p.words for p in telling[:3]) or "the signs are weak"
        return f"{'article' if self.article else 'no article'}: {seen}"


def weigh(features: ArticleFeatures, norms: SiteNorms) -> tuple[Point, ...]:
    """Return the points of a page by itself."""
    points = [
        *_of_text(features),
        *_of_names(features, norms),
        *_of_lists(features),
        *_of_metadata(features, norms),
    ]
    return tuple(point for point in points if point.points)


def _of_text(features: ArticleFeatures) -> list[Point]:
    words = features.words
    steps = [(4, -3.0), (15, -1.5), (40, -0.5), (150, 0.5)]
    points = next((points for below, points in steps if words < below), 1.0)
    if words < 4:
        return [Point(points, f"its body has {words} words")]
    longest = 0.5 if features.longest >= 20 else (-0.7 if features.longest < 12 else 0.0)
    linked = -1.5 if features.link_share > 0.6 else (-0.7 if features.link_share > 0.35 else 0.0)
    found = [
        Point(points, f"its body has {words} words", weak=True),
        Point(longest, f"its longest paragraph has {features.longest} words", weak=True),
        Point(linked, f"{features.link_share:.0%} of its body is links", weak=True),
    ]
    # They are often one sign in three guises: a note that is just a link.
    least = min(found, key=lambda point: point.points)
    return (
        found
        if sum(point.points for point in found) >= -1.5
        else [Point(-1.5, least.words, weak=True)]
    )


def _of_names(features: ArticleFeatures, norms: SiteNorms) -> list[Point]:
    points = [
        _likeness(features.like_head, (0.6, -1.0), "its head title"),
        _likeness(features.like_anchor, (0.5, -0.7), "the links that lead to it"),
    ]
    if features.shared_title:
        points.append(Point(-1.0, "its title is no title of its own"))
    if features.linked_title and norms.linked_title < 0.1:
        points.append(Point(-1.5, "its title is a link, as those of the site's articles are not"))
    share = features.linked_by if features.links >= _MENU else 0.0
    weight = -3.5 if share >= 0.25 else (-1.0 if share >= 0.1 else 0.0)
    if not features.in_menu:
        weight *= 0.2
    elif features.headline_anchor:
        weight *= 0.5 if share < 0.75 else 0.8
    points.append(Point(weight, f"{share:.0%} of the pages link to it in the same words"))
    return points


def _likeness(like: float | None, low: tuple[float, float], what: str) -> Point:
    """Return the points for a title like another name of the page; half of them if it has none."""
    if like is None:
        return Point(0.5, f"there is no telling {what}", weak=True)
    weight = 1.0 if like >= 0.9 else (0.0 if like >= low[0] else low[1])
    return Point(weight, f"its title is {like:.0%} like {what}", weak=True)


def _of_lists(features: ArticleFeatures) -> list[Point]:
    dense = features.words < _PER_TEASER * features.teasers
    teasers = (-2.0 if dense else -0.5) if features.teasers >= 3 else -0.5 * dense
    points = [Point(teasers, f"{features.teasers} headings in it are links")]
    if features.other_share >= 0.25:
        points.append(Point(-2.0, f"{features.other_share:.0%} of its lines are titles of others"))
    elif features.others >= 3 and features.words < _PER_TEASER * features.others and teasers > -1:
        points.append(Point(-1.0, f"{features.others} titles of other pages are in it"))
    if features.below_teaser:
        points.append(Point(-1.5, "the heading above its body is a link"))
    if not features.like_main:
        points.append(Point(-1.0, "neither title nor body is where the site's articles have them"))
    if features.by_consensus:
        points.append(Point(-1.0, "no label gives its body"))
    if features.more_instances:
        points.append(Point(-1.5, "it has more bodies than one"))
    return points


def _of_metadata(features: ArticleFeatures, norms: SiteNorms) -> list[Point]:
    points = []
    if norms.json_ld > 0.1:
        points.append(Point(1.0 if features.json_ld else -0.5, _said(features.json_ld, "JSON-LD")))
    if 0.1 < norms.og_article < 0.95:
        weight = 0.7 if features.og_article else -0.7
        points.append(Point(weight, _said(features.og_article, "OpenGraph")))
    if norms.dated > 0.8:
        seen = "it is dated" if features.dated else "it has no date, as the site's articles have"
        points.append(Point(0.3 if features.dated else -1.5, seen, weak=features.dated))
    if norms.signed > 0.9:
        seen = (
            "it is signed" if features.signed else "it names no author, as the site's articles do"
        )
        points.append(Point(0.3 if features.signed else -1.0, seen, weak=features.signed))
    return points


def _said(article: bool, source: str) -> str:
    return f"{source} {'calls' if article else 'does not call'} it an article"


@dataclass(frozen=True, slots=True)
class Prior:
    """What is to be expected of a page before it is looked at."""

    points: float = -0.5
    """Log-odds for an article, limited."""
    share: float = 0.5
    """Share of articles among pages like it."""


def learn_prior(
    own: Sequence[float], others: float = 0.5, weight: float = 1.0, *, enough: float = ENOUGH
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
    margins = np.array(own, dtype=float) - enough
    share = others
    for _ in range(20):
        prior = _log_odds(share)
        likely = 1 / (1 + np.exp(-np.clip(margins + prior, -30, 30)))
        share = float((likely.sum() + weight * others) / (len(margins) + weight))
    return Prior(_log_odds(share), share)


def _log_odds(share: float) -> float:
    share = min(0.999, max(0.001, share))
    return max(-MOST, min(MOST, float(np.log(share / (1 - share)))))


def judge(own: Sequence[Point], prior: Prior | None = None) -> Judgement:
    """Add up a page's own points and those of its pattern; None for a page without one.

    The more the pages of a pattern are of one kind, the less weak features of one page say: they
    were heard already, from all pages, in the prior.

    >>> judge([Point(1.0, "long")], Prior(0.8)).article
    True
    """
    expected = prior or Prior()
    damped = min(1.0, max(0.3, 10 * min(expected.share, 1 - expected.share)))
    points = [point.times(damped) if point.weak else point for point in own]
    kind = "mostly articles" if expected.points > 0 else "mostly no articles"
    seen = f"the pages of its pattern are {kind}" if prior else "it has no pattern"
    points.append(Point(expected.points, seen))
    points = [point for point in points if point.points]
    return Judgement(sum(point.points for point in points), tuple(points))
