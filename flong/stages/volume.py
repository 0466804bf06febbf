"""How many new articles a site usually has on a weekday, and whether tonight's are far fewer."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from math import sqrt
from statistics import fmean

FEWEST_DAYS = 3
"""Days of the same weekday, or else days at all, from which on one knows what is usual."""
FEWEST_ARTICLES = 3.0
"""Articles a day on the mean below which a day without any is nothing unusual."""
SPREADS = 3.0
"""Standard deviations below the mean that make a day unusual."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usual:
    """What a site brings on a day like this one."""

    mean: float
    """New articles on the mean."""
    spread: float
    """Standard deviation; not less than that of events that come by chance."""

    def is_undercut_by(self, articles: int) -> bool:
        """Tell whether so few new articles are worth a look.

        >>> usual = Usual(mean=20, spread=4.5)
        >>> usual.is_undercut_by(6), usual.is_undercut_by(7)
        (True, False)
        """
        return self.mean >= FEWEST_ARTICLES and articles < self.mean - SPREADS * self.spread


def usual_volume(past: Mapping[date, int], day: date) -> Usual | None:
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
    return Usual(mean=mean, spread=max(spread, sqrt(mean)))
