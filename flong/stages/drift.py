"""Drift: how patterns do tonight against their own past."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import median

from flong.states import Fit, Verdict
from flong.storage import Decision, Figures

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
