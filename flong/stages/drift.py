"""Drift: how patterns do tonight against their own past."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import sqrt
from statistics import fmean, median

from flong.states import Fit, Kept, Verdict
from flong.storage import Decision, Figures, Site, Store

FEWEST = 3
"""Pages that must have left a pattern before that means something."""
ENOUGH = 5
"""Pages or articles from which on shares and medians are compared."""
DROP = 0.4
"""Loss of a share (of fields, of exact fits) that counts as drift."""
HALF = 0.5
"""Share of its past length or coverage below which a body is only a part of one."""


def measure(decisions: Iterable[Decision]) -> list[Figures]:
    """Return how each pattern did on these pages, by its id."""
    fitted: dict[int, list[Decision]] = defaultdict(list)
    before: dict[int, list[Decision]] = defaultdict(list)
    for each in decisions:
        if each.pattern_id is not None:
            fitted[each.pattern_id].append(each)
        if each.before_pattern_id is not None:
            before[each.before_pattern_id].append(each)
    patterns = sorted({*fitted, *before})
    return [_figures(pattern_id, fitted[pattern_id], before[pattern_id]) for pattern_id in patterns]


def _figures(pattern_id: int, fitted: Sequence[Decision], before: Sequence[Decision]) -> Figures:
    found = [each for each in fitted if each.verdict == Verdict.ARTICLE and not each.is_kept]
    judged = [each.agrees for each in found if each.agrees is not None]
    return Figures(
        pattern_id=pattern_id,
        pages=len(fitted),
        strict=sum(each.fit == Fit.STRICT for each in fitted),
        articles=len(found),
        before=len(before),
        # A page that another pattern fits now has not been lost.
        accepted=_share([each.fit != Fit.NONE and not each.is_kept for each in before]),
        dated=_share([each.is_dated for each in found]),
        authored=_share([each.has_author for each in found]),
        words=_median([each.words for each in found]),
        paragraphs=_median([each.paragraphs for each in found]),
        captured=_median([each.words / each.page_words for each in found if each.page_words]),
        agreeing=_share(judged),
    )


def _share(facts: Sequence[bool]) -> float | None:
    return sum(facts) / len(facts) if facts else None


def _median(values: Sequence[float]) -> float | None:
    return float(median(values)) if values else None


def drift(tonight: Figures, past: Sequence[Figures]) -> list[str]:
    """Return what is wrong with a pattern, a sentence each; nothing if it does as ever.

    >>> before = Figures(pattern_id=7, pages=40, strict=39, articles=38, words=400, dated=1.0)
    >>> now = Figures(pattern_id=7, pages=9, strict=9, articles=9, words=90, dated=0.2)
    >>> for sentence in drift(now, [before]):
    ...     print(sentence)
    20% of its articles have a date, 100% before
    its articles have 90 words, 400 before
    >>> drift(before, [before])
    []
    """
    said: list[str] = []
    if tonight.before >= FEWEST and tonight.accepted is not None and tonight.accepted < HALF:
        left = round(tonight.accepted * tonight.before)
        some = f"only {left}" if left else "none"
        said.append(f"{some} of {tonight.before} pages that it fitted are still read")
    known = [each for each in past if each.pattern_id == tonight.pattern_id]
    return said + _article_drift(tonight, known) if tonight.articles >= ENOUGH else said


def loosening(tonight: Figures, past: Sequence[Figures]) -> list[str]:
    """Return a sentence if a pattern fits its pages less exactly than before.

    It reads them still; boxes beside the articles may have changed. A new pattern is better.
    """
    known = [each for each in past if each.pattern_id == tonight.pattern_id]
    if tonight.pages < ENOUGH or not known:
        return []
    share = tonight.strict / tonight.pages
    usual = sum(each.strict for each in known) / max(1, sum(each.pages for each in known))
    if usual - share < DROP:
        return []
    return [f"it fits {share:.0%} of its pages exactly, {usual:.0%} before"]


def _article_drift(tonight: Figures, known: Sequence[Figures]) -> list[str]:
    said = []
    for name, meaning in (
        ("dated", "have a date"),
        ("authored", "have an author"),
        ("agreeing", "have the title that the metadata gives"),
    ):
        now, usual = getattr(tonight, name), _usual(known, name)
        if now is not None and usual is not None and usual - now >= DROP:
            said.append(f"{now:.0%} of its articles {meaning}, {usual:.0%} before")
    for name, unit in (("words", "words"), ("paragraphs", "paragraphs")):
        now, usual = getattr(tonight, name), _usual(known, name)
        if now is not None and usual is not None and now < HALF * usual:
            said.append(f"its articles have {now:.0f} {unit}, {usual:.0f} before")
    now, usual = tonight.captured, _usual(known, "captured")
    if now is not None and usual is not None and now < HALF * usual:
        said.append(f"it takes {now:.0%} of the text of a page, {usual:.0%} before")
    return said


def _usual(known: Sequence[Figures], name: str) -> float | None:
    """Return the mean of a figure over earlier nights, weighted by their articles."""
    nights = [(getattr(each, name), each.articles) for each in known if each.articles]
    nights = [(value, weight) for value, weight in nights if value is not None]
    total = sum(weight for _, weight in nights)
    return sum(value * weight for value, weight in nights) / total if total else None


UNFITTED = 10
"""Pages that fit no pattern at which a site is learned again; more on a large site."""
UNFITTED_SHARE = 0.1
"""Share of the pages of a site that may fit no pattern."""
GROWN_SHARE = 0.25
"""Share of the pages of a site that may have come since it was learned."""


def outgrown(store: Store, site: Site) -> str:
    """Return in what way a site has outgrown what was learned about it; empty if it has not."""
    pages = len(store.pages.urls(site))
    unfitted = store.extractions.unfitted(site)
    if unfitted >= max(UNFITTED, UNFITTED_SHARE * pages):
        return f"{unfitted} pages fit no pattern"
    new = store.models.pages_since_learned(site)
    if new >= max(UNFITTED, GROWN_SHARE * pages):
        return f"{new} of {pages} pages have come since it was last learned"
    return ""


FEWEST_DAYS = 3
"""Days of the same weekday, or else days at all, from which on one knows what is usual."""
FEWEST_ARTICLES = 3.0
"""Articles a day on the mean below which a day without any is nothing unusual."""
SPREADS = 3.0
"""Standard deviations below the mean that make a day unusual."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekdayBaseline:
    """What a site brings on a day like this one."""

    mean: float
    """New articles on the mean."""
    spread: float
    """Standard deviation; not less than that of events that come by chance."""

    def is_undercut_by(self, articles: int) -> bool:
        """Tell whether so few new articles are worth a look.

        >>> usual = WeekdayBaseline(mean=20, spread=4.5)
        >>> usual.is_undercut_by(6), usual.is_undercut_by(7)
        (True, False)
        """
        return self.mean >= FEWEST_ARTICLES and articles < self.mean - SPREADS * self.spread


def usual_volume(past: Mapping[date, int], day: date) -> WeekdayBaseline | None:
    """Return what is usual on the weekday of a day, from earlier days; None if too few are known.

    Where that weekday has been seen too seldom, all days count.

    >>> weeks = {date(2026, 5, n): 10 for n in range(1, 29)}
    >>> usual_volume(weeks, date(2026, 5, 29)).mean
    10.0
    """
    same = [count for other, count in past.items() if other.weekday() == day.weekday()]
    counts = same if len(same) >= FEWEST_DAYS else list(past.values())
    if len(counts) < FEWEST_DAYS:
        return None
    mean = fmean(counts)
    spread = sqrt(sum((count - mean) ** 2 for count in counts) / (len(counts) - 1))
    return WeekdayBaseline(mean=mean, spread=max(spread, sqrt(mean)))


CUT_SHARE = 0.3
"""Share of the articles from which on a site has a paywall."""
FEWEST_CUT = 3
"""Articles shown only in part that make a paywall."""


def find_cut(decisions: Sequence[Decision]) -> int:
    """Return how many articles are shown only in part since tonight.

    None unless that befell a good share of the articles that changed.
    """
    known = [each for each in decisions if each.title is not None and not each.is_new]
    cut = [each for each in known if each.kept is Kept.PART]
    changed = [each for each in known if each.before_pattern_id]
    return len(cut) if len(cut) >= max(FEWEST_CUT, CUT_SHARE * len(changed)) else 0


def is_cut_lastingly(cut: int, articles: int) -> bool:
    """Tell whether so many of the articles of a site are shown only in part that it has a paywall.

    >>> is_cut_lastingly(30, 80), is_cut_lastingly(10, 80)
    (True, False)
    """
    return cut >= max(FEWEST_CUT, CUT_SHARE * articles)


def find_short(decisions: Sequence[Decision], past: Sequence[Figures]) -> list[int]:
    """Return the new articles that have less than half the usual length."""
    usual = max((each.words or 0.0 for each in past if each.articles), default=0.0)
    fresh = [each for each in decisions if each.title is not None and each.is_new]
    return [each.page_id for each in fresh if each.words < usual / 2]
