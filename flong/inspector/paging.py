"""Paging of long lists, and types of checked parameters."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Path, Query

LARGEST = 2**31 - 1
"""Maximum id: the largest INTEGER of PostgreSQL."""

Day = Annotated[str, Query(pattern=r"^(\d{4}-\d\d-\d\d)?$")]
Share = Annotated[float | None, Query(ge=0, le=1)]
Number = Annotated[int | None, Query(ge=0, le=LARGEST)]
Id = Annotated[int, Path(ge=0, le=LARGEST)]
PartNumber = Annotated[int, Query(ge=1, le=1_000_000)]

ROWS = 50
"""Number of rows per part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Position of one part of a list."""

    total: int
    """Number of rows in the list."""
    page: int
    """Number of this part; 1 is the first."""
    pages: int
    """Number of parts, at least 1."""

    @property
    def first(self) -> int:
        """Return the position of the first row of this part."""
        return (self.page - 1) * ROWS


def part_of(total: int, page: int) -> Part:
    """Return the part with this number, or the last one if there are fewer.

    >>> part_of(120, 9)
    Part(total=120, page=3, pages=3)
    >>> part_of(120, 2).first
    50
    """
    pages = max(1, -(-total // ROWS))
    return Part(total=total, page=min(max(1, page), pages), pages=pages)
