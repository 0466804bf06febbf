"""Rows as dataclasses and back: a field is the column of its name."""

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

from sqlalchemy import Row

T = TypeVar("T")


def from_row(kind: Callable[..., T], row: Row[*tuple[Any, ...]], **given: Any) -> T:
    """Return a row as a dataclass; what is `given` is not looked for in the row."""
    found = {name: getattr(row, name) for name in _names(kind) if name not in given}
    return kind(**found, **given)


def to_row(value: Any, *, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the fields of a dataclass by name, but for some.

    >>> from flong.page import Link
    >>> to_row(Link("https://example.org/", "Home"), without=("text",))
    {'url': 'https://example.org/'}
    """
    return {name: getattr(value, name) for name in _names(value.__class__) if name not in without}


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))
