"""Article or not: signs of one page, weighed, with what its pattern and site are like.

Every sign gives points for or against and says so in plain words. A page's points and the mean
of its pattern's pages are added: where a pattern is mixed the page decides, where it is not the
pattern carries its short and odd pages with it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from items import fold_text
from patterns.fields import Fields
from patterns.headlines import Called
from patterns.labels import Labels, Reading, among
from patterns.places import find
from trees import TEXT, Tree, tag_number

ENOUGH = 1.5
"""Points from which a page is an article."""

MOST = 3.0
"""Points that the pattern can give or take."""

_HEADINGS = frozenset(tag_number(f"h{level}") for level in range(1, 7))
_HEADLINE = 4
"""A headline has so many words; what has fewer may be an entry of a menu."""

_PER_TEASER = 250
"""In a list of articles there are fewer words than this to a linked heading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What speaks for or against one page being an article."""

    words: int
    """Words of the body."""
    link_share: float
    """Share of them in links."""
    longest: int
    """Words outside links of its longest paragraph."""
    teasers: int
    """Linked headings in the body."""
    others: int
    """Lines of the body that are titles of other pages."""
    more_instances: bool
    """The body's container is on the page more often than on others of the pattern."""
    below_teaser: bool
    """The heading right above the body is not the title, and is a link."""
    like_head: float | None
    """How like the page's own head title the title is; None if it has none."""
    like_anchor: float | None
    """How like the anchors that lead here the title is; None if there are none."""
    shared_title: bool
    """Other pages have the same title, or there is none."""
    linked_by: float
    """Share of the site's pages that link here with the same words."""
    in_menu: bool
    """Those words are not its title, or too few for a headline."""
    headline_anchor: bool
    """Some link to it is its title, and long enough for a headline."""
    json_ld: bool
    """Its structured data speaks of an article."""
    og_article: bool
    """`og:type` is article."""
    like_main: bool
    """It has title or body where the site's main articles have them, as far as is known."""
    dated: bool
    """It has a date of publication."""
    signed: bool
    """It names an author."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Norms:
    """What is usual on the site: a sign that all pages have says nothing."""

    json_ld: float = 0.0
    """Share of pages with structured data on an article."""
    og_article: float = 0.0
    """Share of pages with `og:type` article."""
    dated: float = 0.0
    """Share of likely articles with a date of publication."""
    signed: float = 0.0
    """Share of likely articles with an author."""


@dataclass(frozen=True, slots=True)
class Point:
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
    """The signs that say something."""

    @property
    def article(self) -> bool:
        """Return the verdict."""
        return self.score >= ENOUGH

    @property
    def reason(self) -> str:
        """Return the strongest signs for the verdict, in a sentence.

        >>> Judgement(2.0, (Point(2.0, "it has 300 words"), Point(-1.0, "no date"))).reason
        'article: it has 300 words'
        """
        sign = 1 if self.article else -1
        telling = sorted(
            (p for p in self.points if p.points * sign > 0), key=lambda p: -abs(p.points)
        )
        seen = "; ".join(p.words for p in telling[:3]) or "the signs are weak"
        return f"{'article' if self.article else 'no article'}: {seen}"


def see(
    tree: Tree,
    reading: Reading,
    labels: Labels,
    called: Called,
    *,
    titles: NDArray[np.int64],
    shared: frozenset[int],
    kinds: tuple[bool, bool],
    fields: Fields,
    main: Labels | None,
) -> Signs:
    """Collect the signs of one page.

    `titles` are sorted hashes of the titles of known articles, `shared` hashes of titles that
    several pages have, `kinds` whether JSON-LD and OpenGraph call it an article.
    """
    body = np.array(reading.body, dtype=np.intp)
    words, linked = tree.words[body], tree.link_words[body]
    total = int(words.sum())
    linked_lines = body[linked >= 0.8 * words]
    title = reading.title
    folded = fold_text(tree.text_of(title)) if title >= 0 else ""
    return Signs(
        words=total,
        link_share=float(linked.sum() / total) if total else 1.0,
        longest=int((words - linked).max()) if len(body) else 0,
        teasers=sum(tag in _HEADINGS for tag in tree.tag[tree.parent[linked_lines]].tolist()),
        others=int(among(tree.text_hash[body], titles).sum()),
        more_instances=reading.instances > labels.instances + 1,
        below_teaser=_below_teaser(tree, reading),
        like_head=called.by_heads(folded) if called.heads else None,
        like_anchor=called.by_anchors(folded) if _telling(called, folded) else None,
        shared_title=title < 0 or int(tree.text_hash[title]) in shared,
        linked_by=called.linked_by,
        in_menu=called.linked_as != folded or len(folded.split()) < _HEADLINE,
        headline_anchor=folded in called.anchors and len(folded.split()) >= _HEADLINE,
        json_ld=kinds[0],
        og_article=kinds[1],
        like_main=main is None or _has_places(tree, main),
        dated=fields.published is not None,
        signed=bool(fields.authors),
    )


def _has_places(tree: Tree, main: Labels) -> bool:
    named = [place for place in (main.title, main.body) if place is not None and place.vertex < 0]
    return not named or any(find(tree, place) >= 0 for place in named)


def _telling(called: Called, title: str) -> bool:
    """Return whether some anchor is long enough to be a headline, or is the title."""
    return any(len(anchor.split()) >= _HEADLINE or anchor == title for anchor in called.anchors)


def _below_teaser(tree: Tree, reading: Reading) -> bool:
    """Return whether the nearest heading above the body is a link and not the title."""
    if not reading.body:
        return False
    before = np.flatnonzero(tree.tag[: reading.body[0]] == TEXT)[-8:]
    for leaf in before[::-1].tolist():
        if leaf == reading.title:
            return False
        parent = int(tree.parent[leaf])
        if not _HEADINGS.isdisjoint(tree.tag[[parent, tree.parent[parent]]].tolist()):
            return bool(tree.link_words[leaf] >= 0.8 * tree.words[leaf])
    return False


def weigh(signs: Signs, norms: Norms) -> tuple[Point, ...]:
    """Return the points of a page by itself."""
    points = [
        *_of_text(signs),
        *_of_names(signs),
        *_of_lists(signs),
        *_of_metadata(signs, norms),
    ]
    return tuple(point for point in points if point.points)


def _of_text(signs: Signs) -> list[Point]:
    words = signs.words
    steps = [(4, -3.0), (15, -1.5), (40, -0.5), (150, 0.5)]
    points = next((points for below, points in steps if words < below), 1.0)
    if words < 4:
        return [Point(points, f"its body has {words} words")]
    longest = 0.5 if signs.longest >= 20 else (-0.7 if signs.longest < 12 else 0.0)
    linked = -1.5 if signs.link_share > 0.6 else (-0.7 if signs.link_share > 0.35 else 0.0)
    found = [
        Point(points, f"its body has {words} words", weak=True),
        Point(longest, f"its longest paragraph has {signs.longest} words", weak=True),
        Point(linked, f"{signs.link_share:.0%} of its body is links", weak=True),
    ]
    # They are often one sign in three guises: a note that is just a link.
    least = min(found, key=lambda point: point.points)
    return (
        found
        if sum(point.points for point in found) >= -1.5
        else [Point(-1.5, least.words, weak=True)]
    )


def _of_names(signs: Signs) -> list[Point]:
    points = [
        _likeness(signs.like_head, (0.6, -1.0), "its head title"),
        _likeness(signs.like_anchor, (0.5, -0.7), "the links that lead to it"),
    ]
    if signs.shared_title:
        points.append(Point(-1.0, "its title is no title of its own"))
    share = signs.linked_by
    weight = -3.5 if share >= 0.25 else (-1.0 if share >= 0.1 else 0.0)
    if not signs.in_menu:
        weight *= 0.2
    elif signs.headline_anchor:
        weight *= 0.5
    points.append(Point(weight, f"{share:.0%} of the pages link to it in the same words"))
    return points


def _likeness(like: float | None, low: tuple[float, float], what: str) -> Point:
    """Return the points for a title like another name of the page; half of them if it has none."""
    if like is None:
        return Point(0.5, f"there is no telling {what}", weak=True)
    weight = 1.0 if like >= 0.9 else (0.0 if like >= low[0] else low[1])
    return Point(weight, f"its title is {like:.0%} like {what}", weak=True)


def _of_lists(signs: Signs) -> list[Point]:
    points = []
    if signs.teasers:
        dense = signs.words < _PER_TEASER * signs.teasers
        weight = (-2.0 if dense else -0.5) if signs.teasers >= 3 else -0.5 * dense
        points.append(Point(weight, f"{signs.teasers} headings in it are links"))
    if signs.others >= 3 and signs.words < _PER_TEASER * signs.others:
        points.append(Point(-1.0, f"{signs.others} titles of other pages are in it"))
    if signs.below_teaser:
        points.append(Point(-1.5, "the heading above its body is a link"))
    if not signs.like_main:
        points.append(Point(-1.0, "neither title nor body is where the site's articles have them"))
    if signs.more_instances:
        points.append(Point(-1.5, "it has more bodies than one"))
    return points


def _of_metadata(signs: Signs, norms: Norms) -> list[Point]:
    points = []
    if norms.json_ld > 0.1:
        points.append(Point(1.0 if signs.json_ld else -0.5, _said(signs.json_ld, "JSON-LD")))
    if 0.1 < norms.og_article < 0.95:
        weight = 0.7 if signs.og_article else -0.7
        points.append(Point(weight, _said(signs.og_article, "OpenGraph")))
    if norms.dated > 0.8:
        seen = "it is dated" if signs.dated else "it has no date, as the site's articles have"
        points.append(Point(0.3 if signs.dated else -1.5, seen, weak=signs.dated))
    if norms.signed > 0.9:
        seen = "it is signed" if signs.signed else "it names no author, as the site's articles do"
        points.append(Point(0.3 if signs.signed else -1.0, seen, weak=signs.signed))
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


def learn_prior(own: Sequence[float], others: float = 0.5, weight: float = 1.0) -> Prior:
    """Learn what to expect of a pattern's pages from the points of some.

    Points are taken as log-odds: the share that explains the points of the pages best is found
    by expectation maximisation, starting from the share `others` among like pages, which counts
    as so many pages (`weight`). So a pattern of one kind carries its odd pages with it, and one
    that is truly mixed leaves the decision to the page.

    >>> prior = learn_prior([4.0] * 20 + [0.5])
    >>> prior.points > 2, prior.share > 0.95
    (True, True)
    """
    margins = np.array(own, dtype=float) - ENOUGH
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

    The more the pages of a pattern are of one kind, the less weak signs of one page say: they
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
