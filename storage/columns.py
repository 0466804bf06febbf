"""Column types that a person can read with any client, on every database."""

import json
from collections.abc import Callable
from dataclasses import fields
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar

from sqlalchemy import REAL, BigInteger, Column, Dialect, Double, ForeignKey, Integer, Row, Text
from sqlalchemy.types import TypeDecorator

E = TypeVar("E", bound=StrEnum)

# SQLite's strict tables know INTEGER, REAL, TEXT and BLOB only.
Real: Double[float] = Double[float]().with_variant(REAL(), "sqlite")
Large = BigInteger().with_variant(Integer(), "sqlite")


def owner(column: str, *, key: bool = False) -> Column[int]:
    """Return a reference to the row that this one dies with."""
    target = ForeignKey(column, ondelete="CASCADE")
    return Column(Integer, target, primary_key=key, nullable=False)


def reference(column: str) -> Column[Any]:
    """Return a reference that is forgotten when its row goes."""
    return Column(Integer, ForeignKey(column, ondelete="SET NULL"), nullable=True)


def clean_text(text: str) -> str:
    r"""Return the text without what databases refuse: NULs and halves of surrogate pairs.

    >>> clean_text("a\0b"), clean_text("\ud83d\ude00"), clean_text("lone \ud83d")
    ('ab', '😀', 'lone �')
    """
    if "\0" in text:
        text = text.replace("\0", "")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def clean_bytes(text: str) -> bytes:
    r"""Return `clean_text(text)` in UTF-8, in one pass where there is nothing to clean.

    >>> clean_bytes("<p>\0é")
    b'<p>\xc3\xa9'
    """
    try:
        data = text.encode()
    except UnicodeEncodeError:
        data = clean_text(text).encode()
    return data.replace(b"\0", b"") if b"\0" in data else data


def now() -> datetime:
    """Return the time, to the second, in UTC."""
    return datetime.now(UTC).replace(microsecond=0)


class CleanText(TypeDecorator[str]):
    """Text from outside, stored as `clean_text` gives it."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Clean the text on its way in."""
        return None if value is None else clean_text(value)


class UtcTime(TypeDecorator[datetime]):
    """A time as ISO 8601 text in UTC, to the second: `2026-05-01T12:00:00Z`.

    Text sorts as time does. A time without zone counts as UTC.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> str | None:
        """Write the time as text."""
        if value is None:
            return None
        if value.tzinfo is not None:
            value = value.astimezone(UTC).replace(tzinfo=None)
        return value.isoformat(timespec="seconds") + "Z"

    def process_result_value(self, value: str | None, dialect: Dialect) -> datetime | None:
        """Read the time with its zone."""
        return None if value is None else datetime.fromisoformat(value)


class TextList(TypeDecorator[tuple[str, ...]]):
    """Texts as a JSON list."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: tuple[str, ...] | None, dialect: Dialect) -> str | None:
        """Write the list."""
        return json.dumps([clean_text(text) for text in value or ()], ensure_ascii=False)

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[str, ...]:
        """Read the list; one that was never written is empty."""
        return tuple(json.loads(value)) if value else ()


class Flag(TypeDecorator[bool]):
    """Yes or no as 1 or 0."""

    impl = Integer
    cache_ok = True

    def process_bind_param(self, value: bool | None, dialect: Dialect) -> int | None:
        """Write 1 or 0."""
        return None if value is None else int(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> bool | None:
        """Read a boolean."""
        return None if value is None else bool(value)


class State(TypeDecorator[E]):
    """One of the values of an enumeration, as text."""

    impl = Text
    cache_ok = True

    def __init__(self, states: type[E]) -> None:
        super().__init__()
        self.states = states

    def process_bind_param(self, value: E | None, dialect: Dialect) -> str | None:
        """Write the value."""
        return None if value is None else self.states(value).value

    def process_result_value(self, value: str | None, dialect: Dialect) -> E | None:
        """Read the state."""
        return None if value is None else self.states(value)


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
