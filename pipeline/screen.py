"""What commands show: tables and progress bars on a terminal, plain lines or JSON in a pipe."""

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

T = TypeVar("T")
Value = str | int | float | bool | datetime | None | Sequence["Value"] | Mapping[str, "Value"]
Row = Mapping[str, Value]

PIPE_WIDTH = 160
"""Columns of a table that goes into a pipe or a file, where nobody says how wide it is."""


_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def harmless(text: str) -> str:
    r"""Return a text without what a terminal would obey: colours, titles, writing backwards.

    >>> harmless("\x1b]0;mine\x07 rain\u202e")
    '\ufffd]0;mine\ufffd rain\ufffd'
    """
    return _CONTROLS.sub("\ufffd", text)


def harmless_json(text: str) -> str:
    r"""Return JSON that says the same, with all that a terminal would obey escaped.

    >>> harmless_json('{"title": "rain\u202e"}')
    '{"title": "rain\\u202e"}'
    """
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def console() -> Console:
    """Return a console on standard output."""
    return Console(width=None if sys.stdout.isatty() else PIPE_WIDTH, highlight=False)


def show_rows(title: str, rows: Sequence[Row], *, as_json: bool, empty: str) -> None:
    """Print rows as a table, or each as one line of JSON; `empty` is said when there are none."""
    if as_json:
        for row in rows:
            print(harmless_json(json.dumps(row, ensure_ascii=False, default=_as_text)))
    elif not rows:
        console().print(empty)
    else:
        console().print(_table(title, rows))


def _table(title: str, rows: Sequence[Row]) -> Table:
    table = Table(title=title, title_justify="left", header_style="bold")
    for name, value in rows[0].items():
        number = isinstance(value, int | float)
        table.add_column(name, justify="right" if number else "left", overflow="fold")
    for row in rows:
        table.add_row(*(_cell(value) for value in row.values()))
    return table


def _cell(value: Value) -> Text:
    """Return a value as a person reads it; nothing in it is taken for markup.

    >>> _cell(0.25).plain, _cell(None).plain, _cell("[red]").plain
    ('0.25', '', '[red]')
    """
    match value:
        case None:
            return Text("")
        case float():
            return Text(f"{value:.2f}")
        case datetime():
            return Text(value.strftime("%Y-%m-%d %H:%M"))
        case str() | int():
            return Text(harmless(str(value)))
        case _:
            return Text(harmless("\n".join(_as_text(each) for each in value)))


def _as_text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def show_note(sentence: str) -> None:
    """Print one sentence for a person, where it is in no program's way."""
    print(sentence, file=sys.stderr)


def show_error(sentence: str) -> None:
    """Print one sentence to standard error."""
    print(f"flong: {harmless(sentence)}", file=sys.stderr)


@contextmanager
def progress(title: str, total: int | None) -> Iterator[Progress]:
    """Show a bar on a terminal while the block runs; nothing in a pipe."""
    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    with bar:
        bar.add_task(title, total=total)
        yield bar


def tracked(things: Iterable[T], title: str, total: int | None) -> Iterator[T]:
    """Yield the things, showing how far it has come."""
    with progress(title, total) as bar:
        for thing in things:
            yield thing
            bar.advance(bar.task_ids[0])
