"""Drift: how patterns do tonight against their own past."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import sqrt
from statistics import fmean, median

from flong.findings import Finding
from flong.states import FindingKind, Fit, KeepReason, Verdict
from flong.storage import Figures, NightPage, Site, Store

Counts = dict[str, float]
"""Numbers of a finding, by name."""
FEWEST = 3
"""Minimum number of pages that a pattern fitted before, to judge how many it has lost."""
ENOUGH = 5
"""Minimum number of pages or articles for comparing fractions and medians."""
DROP = 0.4
"""Minimum loss of a fraction (of fields, of exact fits) that counts as drift."""
HALF = 0.5
"""Fraction of its past length or coverage below which a body is incomplete."""


def measure(pages: Iterable[NightPage]) -> list[Figures]:
    """Return the figures of each pattern on these pages, by its id."""
    fitted: dict[int, list[NightPage]] = defaultdict(list)
    before: dict[int, list[NightPage]] = defaultdict(list)
    for each in pages:
        if each.pattern_id is not None:
            fitted[each.pattern_id].append(each)
        if each.before_pattern_id is not None:
            before[each.before_pattern_id].append(each)
    patterns = sorted({*fitted, *before})
    return [_figures(pattern_id, fitted[pattern_id], before[pattern_id]) for pattern_id in patterns]


def _figures(pattern_id: int, fitted: Sequence[NightPage], before: Sequence[NightPage]) -> Figures:
    found = [each for each in fitted if each.verdict == Verdict.ARTICLE and not each.is_kept]
    judged = [each.agrees for each in found if each.agrees is not None]
    return Figures(
        pattern_id=pattern_id,
        pages=len(fitted),
        strict=sum(each.fit == Fit.STRICT for each in fitted),
        articles=len(found),
        before=len(before),
        # A page that another pattern fits now is not lost.
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


def drift(tonight: Figures, past: Sequence[Figures]) -> dict[FindingKind, Counts]:
    """Return the kinds of drift of a pattern, with their counts.

    >>> before = Figures(pattern_id=7, pages=40, strict=39, articles=38, words=400, dated=1.0)
    >>> now = Figures(pattern_id=7, pages=9, strict=9, articles=9, words=90, dated=0.2)
    >>> for kind, counts in drift(now, [before]).items():
    ...     print(kind, counts)
    drift_dated {'now': 0.2, 'before': 1.0}
    drift_words {'now': 90, 'before': 400.0}
    >>> drift(before, [before])
    {}
    """
    found: dict[FindingKind, Counts] = {}
    if tonight.before >= FEWEST and tonight.accepted is not None and tonight.accepted < HALF:
        accepted = round(tonight.accepted * tonight.before)
        found[FindingKind.DRIFT_ACCEPTED] = {"accepted": accepted, "before": tonight.before}
    known = [each for each in past if each.pattern_id == tonight.pattern_id]
    for kind, (name, is_worse) in MEASURES.items() if tonight.articles >= ENOUGH else ():
        now, usual = getattr(tonight, name), _usual(known, name)
        if now is not None and usual is not None and is_worse(now, usual):
            found[kind] = {"now": now, "before": usual}
    return found


def loosening(tonight: Figures, past: Sequence[Figures]) -> dict[FindingKind, Counts]:
    """Return the fractions of exact fits, now and before, if they have dropped, else nothing.

    The pattern still reads its pages: boxes beside the articles may have changed. A new pattern
    fits better.
    """
    known = [each for each in past if each.pattern_id == tonight.pattern_id]
    if tonight.pages < ENOUGH or not known:
        return {}
    share = tonight.strict / tonight.pages
    usual = sum(each.strict for each in known) / max(1, sum(each.pages for each in known))
    return (
        {FindingKind.DRIFT_STRICT: {"now": share, "before": usual}} if usual - share >= DROP else {}
    )


def _has_dropped(now: float, usual: float) -> bool:
    return usual - now >= DROP


def _is_halved(now: float, usual: float) -> bool:
    return now < HALF * usual


MEASURES: Mapping[FindingKind, tuple[str, Callable[[float, float], bool]]] = {
    FindingKind.DRIFT_DATED: ("dated", _has_dropped),
    FindingKind.DRIFT_AUTHORED: ("authored", _has_dropped),
    FindingKind.DRIFT_AGREEING: ("agreeing", _has_dropped),
    FindingKind.DRIFT_WORDS: ("words", _is_halved),
    FindingKind.DRIFT_PARAGRAPHS: ("paragraphs", _is_halved),
    FindingKind.DRIFT_CAPTURED: ("captured", _is_halved),
}
"""Figures of a pattern that are compared with its past, each with its comparison."""


def _usual(known: Sequence[Figures], name: str) -> float | None:
    """Return the mean of a figure over earlier nights, weighted by their articles."""
    nights = [(getattr(each, name), each.articles) for each in known if each.articles]
    nights = [(value, weight) for value, weight in nights if value is not None]
    total = sum(weight for _, weight in nights)
    return sum(value * weight for value, weight in nights) / total if total else None


UNFITTED = 10
"""Minimum number of pages without a pattern at which a site is learned again."""
UNFITTED_SHARE = 0.1
"""Minimum fraction of a site's pages without a pattern at which it is learned again."""
GROWN_SHARE = 0.25
"""Minimum fraction of pages that are new since learning at which a site is learned again."""


def outgrown(store: Store, site: Site) -> Finding | None:
    """Return the reason to learn a site again because of new pages, or None."""
    pages = len(store.pages.urls(site))
    counts: Counts = {"unfitted": store.extractions.unfitted(site)}
    if counts["unfitted"] >= max(UNFITTED, UNFITTED_SHARE * pages):
        return Finding(kind=FindingKind.LEARN_UNFITTED, site=site.name, counts=counts)
    counts = {"new": store.templates.pages_since_learned(site), "pages": pages}
    if counts["new"] >= max(UNFITTED, GROWN_SHARE * pages):
        return Finding(kind=FindingKind.LEARN_GROWN, site=site.name, counts=counts)
    return None


FEWEST_DAYS = 3
"""Minimum number of earlier days to compute a baseline from."""
FEWEST_ARTICLES = 3.0
"""Minimum mean of articles a day for a report about too few."""
SPREADS = 3.0
"""Number of standard deviations below the mean at which a day is reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekdayBaseline:
    """Usual number of new articles of a site on one weekday."""

    mean: float
    """Mean number of new articles."""
    spread: float
    """Standard deviation, at least that of a Poisson distribution."""

    def is_undercut_by(self, articles: int) -> bool:
        """Return True if this number of new articles should be reported.

        >>> usual = WeekdayBaseline(mean=20, spread=4.5)
        >>> usual.is_undercut_by(6), usual.is_undercut_by(7)
        (True, False)
        """
        return self.mean >= FEWEST_ARTICLES and articles < self.mean - SPREADS * self.spread


def usual_volume(past: Mapping[date, int], day: date) -> WeekdayBaseline | None:
    """Return the baseline for the weekday of a day; None if there are too few earlier days.

    All days count if there are too few of that weekday.

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
"""Minimum fraction of cut articles of a site with a paywall."""
FEWEST_CUT = 3
"""Minimum number of cut articles of a site with a paywall."""


def find_cut(pages: Sequence[NightPage]) -> int:
    """Return the number of articles that are shown only in part since tonight.

    0 unless they are a large fraction of the changed articles.
    """
    known = [each for each in pages if each.title is not None and not each.is_new]
    cut = [each for each in known if each.kept is KeepReason.PART]
    changed = [each for each in known if each.before_pattern_id]
    return len(cut) if len(cut) >= max(FEWEST_CUT, CUT_SHARE * len(changed)) else 0


def is_cut_lastingly(cut: int, articles: int) -> bool:
    """Return True if a site with this number of cut articles has a paywall.

    >>> is_cut_lastingly(30, 80), is_cut_lastingly(10, 80)
    (True, False)
    """
    return cut >= max(FEWEST_CUT, CUT_SHARE * articles)


def find_short(pages: Sequence[NightPage], past: Sequence[Figures]) -> list[int]:
    """Return the page ids of new articles that have less than half the usual length."""
    usual = max((each.words or 0.0 for each in past if each.articles), default=0.0)
    fresh = [each for each in pages if each.title is not None and each.is_new]
    return [each.page_id for each in fresh if each.words < usual / 2]
