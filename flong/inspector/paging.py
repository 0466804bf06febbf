"""Long lists, a page at a time, and the conditions that narrow them."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Path, Query

LARGEST = 2**31 - 1
"""No id is larger: PostgreSQL has no room for it."""

Day = Annotated[str, Query(pattern=r"^(\d{4}-\d\d-\d\d)?$")]
Share = Annotated[float | None, Query(ge=0, le=1)]
Number = Annotated[int | None, Query(ge=0, le=LARGEST)]
Id = Annotated[int, Path(ge=0, le=LARGEST)]
PartNumber = Annotated[int, Query(ge=1, le=1_000_000)]

ROWS = 50
"""Rows of a list that are shown at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Which part of a list is shown."""

    total: int
    """Rows that there are."""
    page: int
    """Which part this is; 1 is the first."""
    pages: int
    """How many parts there are; 1 at least."""

    @property
    def first(self) -> int:
        """Return the position of the first row shown."""
        return (self.page - 1) * ROWS


def part_of(total: int, page: int) -> Part:
    """Return the part asked for, or the last one if there are not so many.

    >>> part_of(120, 9)
    Part(total=120, page=3, pages=3)
    >>> part_of(120, 2).first
    50
    """
    pages = max(1, -(-total // ROWS))
    return Part(total=total, page=min(max(1, page), pages), pages=pages)
