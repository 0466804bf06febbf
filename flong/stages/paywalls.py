"""Paywalls: articles of which many are suddenly shown only in part."""

from collections.abc import Sequence

from flong.states import Kept
from flong.storage import Decision, Figures

SHARE = 0.3
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
    return len(cut) if len(cut) >= max(FEWEST_CUT, SHARE * len(changed)) else 0


def is_cut_lastingly(cut: int, articles: int) -> bool:
    """Tell whether so many of the articles of a site are shown only in part that it has a paywall.

    >>> is_cut_lastingly(30, 80), is_cut_lastingly(10, 80)
    (True, False)
    """
    return cut >= max(FEWEST_CUT, SHARE * articles)


def find_short(decisions: Sequence[Decision], past: Sequence[Figures]) -> list[int]:
    """Return the new articles that have less than half the usual length."""
    usual = max((each.words or 0.0 for each in past if each.articles), default=0.0)
    fresh = [each for each in decisions if each.title is not None and each.is_new]
    return [each.page_id for each in fresh if each.words < usual / 2]
