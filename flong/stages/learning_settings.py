"""How a site is learned, as the settings say."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flong.workers.pool import PAGE_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningSettings:
    """How a site is learned."""

    similarity: float = 0.8
    """Pages at least so similar share a template."""
    sample_size: int = 3000
    """Pages that are clustered at most; the others are only matched."""
    page_seconds: float = PAGE_SECONDS
    """Processor time that the reading of one page may take."""
    jobs: int | None = None
    """Cores that are used; None for all."""
    replace_cost: int = 1
    """What it costs to give a vertex another tag; to remove or add one costs 1."""


def learning_settings(settings: Mapping[str, Any]) -> LearningSettings:
    """Return how the settings say that sites are learned."""
    return LearningSettings(
        similarity=float(settings["FLONG_SIMILARITY"]),
        sample_size=int(settings["FLONG_SAMPLE_SIZE"]),
        page_seconds=float(settings["FLONG_PAGE_SECONDS"]),
        replace_cost=int(settings["FLONG_REPLACE_COST"]),
    )
