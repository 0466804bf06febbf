"""Long lists, a page at a time, and the conditions that narrow them."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Query

Day = Annotated[str, Query(pattern=r"^(\d{4}-\d\d-\d\d)?$")]
Share = Annotated[float | None, Query(ge=0, le=1)]
Number = Annotated[int | None, Query(ge=0)]
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


class Conditions:
    """Parts of a WHERE clause, and the values that they name."""

    def __init__(self) -> None:
        self.clauses: list[str] = []
        self.values: dict[str, object] = {}

    def add(self, clause: str, name: str, value: object) -> None:
        """Ask for a condition, unless its value is empty or None.

        >>> conditions = Conditions()
        >>> conditions.add("p.depth = :depth", "depth", 2)
        >>> conditions.add("s.name = :site", "site", "")
        >>> str(conditions), conditions.values
        ('WHERE p.depth = :depth', {'depth': 2})
        """
        if value is not None and value != "":
            self.clauses.append(clause)
            self.values[name] = value

    def __str__(self) -> str:
        return f"WHERE {' AND '.join(self.clauses)}" if self.clauses else ""


def containing(text: str) -> str:
    r"""Return the pattern for `LIKE ... ESCAPE '\'` that finds a text anywhere.

    >>> containing("100%")
    '%100\\%%'
    """
    for sign in "\\%_":
        text = text.replace(sign, f"\\{sign}")
    return f"%{text}%" if text else ""
