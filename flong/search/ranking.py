"""How hits are ordered."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """What counts how much; `storage` orders by it, in SQL."""

    title_weight: float = 5.0
    """A word in the title counts as much as this many in the body."""
    half_life: float = 0.0
    """Days after which an article counts half as much as one of today; 0 for no difference."""
    window: int = 0
    """Days that are looked back at most, unless a query says `since:`; 0 for all."""

    def freshness(self, age: float) -> float:
        """Return what the relevance of an article so many days old is multiplied by.

        Hyperbolic, so that plain SQL can say it.

        >>> Ranking(half_life=7).freshness(7), Ranking().freshness(7)
        (0.5, 1.0)
        """
        return 1.0 if not self.half_life else self.half_life / (self.half_life + max(age, 0.0))
