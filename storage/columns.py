"""Rows that declare their tables, and column types that any database client can display.

A row class is a frozen dataclass and the only definition of its columns:

    @row_class
    class Story:
        id: Col[int] = column(primary_key=True)
        created_at: Col[datetime]

    stories = table(Story, "stories", metadata)

`stories` is a Core table. `stories.c.id` is a `Column[int]` and `Story(...).id` an `int`, for type
checkers too. SQLAlchemy's declarative dataclasses are not used: they cannot be frozen, and each
instance costs three times as much.
"""

import json
from collections.abc import Callable, Collection
from dataclasses import MISSING, dataclass, field, fields
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache
from types import NoneType
from typing import (
    Any,
    Generic,
    TypeVar,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

from sqlalchemy import (
    REAL,
    BigInteger,
    Column,
    Dialect,
    Double,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)
from sqlalchemy.sql.schema import SchemaItem
from sqlalchemy.types import TypeDecorator, TypeEngine

E = TypeVar("E", bound=StrEnum)
R = TypeVar("R")
T = TypeVar("T")

# SQLite's strict tables accept only INTEGER, REAL, TEXT and BLOB.
Real: Double[float] = Double[float]().with_variant(REAL(), "sqlite")
Large = BigInteger().with_variant(Integer(), "sqlite")


def clean_text(text: str) -> str:
    r"""Return the text without characters that databases refuse: NULs and lone surrogates.

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
    """Text without characters that databases refuse."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Clean the text on its way in."""
        return None if value is None else clean_text(value)


class UtcTime(TypeDecorator[datetime]):
    """Time as ISO 8601 text in UTC, to the second: `2026-05-01T12:00:00Z`.

    The text sorts chronologically. A time without zone counts as UTC.
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
    """List of strings as JSON."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: tuple[str, ...] | None, dialect: Dialect) -> str | None:
        """Write the list."""
        return json.dumps([clean_text(text) for text in value or ()], ensure_ascii=False)

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[str, ...] | None:
        """Read the list; NULL is an empty list, a damaged one None."""
        if value is None:
            return ()
        try:
            found = json.loads(value)
        except (ValueError, RecursionError):
            return None
        if isinstance(found, list) and all(isinstance(text, str) for text in found):
            return tuple(found)
        return None


class Flag(TypeDecorator[bool]):
    """Boolean as 1 or 0."""

    impl = Integer
    cache_ok = True

    def process_bind_param(self, value: bool | None, dialect: Dialect) -> int | None:
        """Write 1 or 0."""
        return None if value is None else int(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> bool | None:
        """Read a boolean."""
        return None if value is None else bool(value)


class State(TypeDecorator[E]):
    """Member of an enumeration, as text."""

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


TYPES: dict[Any, Any] = {
    int: Integer,
    float: Real,
    str: CleanText,
    bool: Flag,
    bytes: LargeBinary,
    datetime: UtcTime,
    tuple[str, ...]: TextList,
}
"""Column type of each Python type. An enumeration is a `State`."""

COLUMN = "column"
"""Key of a field's metadata that holds the arguments of its column."""


class Col(Generic[T]):
    """Annotation of a column; NULL is allowed if its type includes None.

    For type checkers only: columns are in `table.c`, and values in the slots of the row.
    """

    @overload
    def __get__(self, row: None, owner: Any) -> Column[T]: ...

    @overload
    def __get__(self, row: object, owner: Any) -> T: ...

    def __get__(self, row: object, owner: Any) -> Column[T] | T:
        raise NotImplementedError

    def __set__(self, row: object, value: T) -> None:
        raise NotImplementedError


class RowTable(Table[Any], Generic[R]):
    """A table whose columns a row class declares."""

    c: type[R]


def column(*parts: Any, default: Any = MISSING, **options: Any) -> Any:
    """Declare a column with the arguments of `Column`; `default` is that of the row class."""
    return field(default=default, metadata={COLUMN: (parts, options)})


def owner(target: str, *, key: bool = False) -> Any:
    """Declare a foreign key to a row whose deletion deletes this row."""
    return column(ForeignKey(target, ondelete="CASCADE"), primary_key=key)


def reference(target: str, *, default: Any = MISSING) -> Any:
    """Declare a foreign key that becomes NULL when its row is deleted."""
    return column(ForeignKey(target, ondelete="SET NULL"), default=default)


# Not frozen_default: mypy would lose the columns that a row class inherits.
@dataclass_transform(kw_only_default=True, field_specifiers=(column, owner, reference, field))
def row_class(kind: type[R]) -> type[R]:
    """Make a class a row: a frozen dataclass built by keyword.

    Its `Col[T]` annotations become `T`, as type checkers and pydantic see them.
    """
    for name, hint in kind.__annotations__.items():
        origin: Any = get_origin(hint)
        if origin is Col:
            kind.__annotations__[name] = get_args(hint)[0]
            if name not in vars(kind):
                setattr(kind, name, column())
    return dataclass(frozen=True, slots=True, kw_only=True)(kind)


def table(
    kind: type[R], name: str, metadata: MetaData, *parts: SchemaItem, **options: Any
) -> RowTable[R]:
    """Return the table of a row class, with further columns, constraints and indexes."""
    return RowTable(name, metadata, *columns_of(kind), *parts, **options)


def columns_of(
    kind: Any, *, names: Collection[str] | None = None, nullable: Collection[str] = ()
) -> list[Column[Any]]:
    """Return the columns that a row class declares.

    Of another dataclass `names` chooses the fields; those in `nullable` accept NULL in any case.
    """
    found = []
    hints = get_type_hints(kind)
    for each in fields(kind):
        if each.name not in names if names is not None else COLUMN not in each.metadata:
            continue
        sql_type, accepts_none = _sql_type(hints[each.name])
        parts, given = each.metadata.get(COLUMN, ((), {}))
        options: dict[str, Any] = {"nullable": accepts_none or each.name in nullable, **given}
        found.append(Column(each.name, options.pop("type_", sql_type), *parts, **options))
    return found


def _sql_type(hint: Any) -> tuple[TypeEngine[Any] | type[TypeEngine[Any]], bool]:
    """Return the column type of a Python type, and True if the type includes None.

    >>> _sql_type(bytes | None)
    (<class 'sqlalchemy.sql.sqltypes.LargeBinary'>, True)
    """
    accepts_none = NoneType in get_args(hint)
    if accepts_none:
        [hint] = [each for each in get_args(hint) if each is not NoneType]
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return State(hint), accepts_none
    return TYPES[hint], accepts_none


def from_row(kind: Callable[..., T], found: object, **given: Any) -> T:
    """Return the row of a result, or a wider row, as a dataclass; `given` replaces fields."""
    values = {name: getattr(found, name) for name in _names(kind) if name not in given}
    return kind(**values, **given)


def to_row(value: Any, *, without: Collection[str] = ()) -> dict[str, Any]:
    """Return the fields of a dataclass by name, except `without`.

    >>> from flong.page import Link
    >>> to_row(Link("https://example.org/", "Home"), without=("text",))
    {'url': 'https://example.org/'}
    """
    return {name: getattr(value, name) for name in _names(value.__class__) if name not in without}


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))
