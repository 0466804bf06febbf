"""Settings of learning, apart from `learning`, which loads the compiler."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flong.workers.pool import PAGE_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningSettings:
    """Settings of learning."""

    similarity: float = 0.8
    """Minimum similarity of pages that share a template."""
    sample_size: int = 3000
    """Maximum number of pages that are clustered; others are only matched."""
    page_seconds: float = PAGE_SECONDS
    """Maximum CPU seconds for reading one page."""
    jobs: int | None = None
    """Number of worker processes; None for one per core."""
    replace_cost: int = 1
    """Cost of replacing a vertex by one with another tag; removing or adding one costs 1."""


def learning_settings(settings: Mapping[str, Any]) -> LearningSettings:
    """Return the settings of learning from the command's settings."""
    return LearningSettings(
        similarity=float(settings["FLONG_SIMILARITY"]),
        sample_size=int(settings["FLONG_SAMPLE_SIZE"]),
        page_seconds=float(settings["FLONG_PAGE_SECONDS"]),
        replace_cost=int(settings["FLONG_REPLACE_COST"]),
    )
