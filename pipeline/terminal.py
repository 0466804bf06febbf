"""What needs a terminal's ways, or imitates them: tables, colours, progress bars."""

import sys
from collections.abc import Sequence
from datetime import datetime

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from pipeline.screen import Row, Value, as_text, harmless

PIPE_WIDTH = 160
"""Columns of a table that goes into a pipe or a file, where nobody says how wide it is."""


def console() -> Console:
    """Return a console on standard output."""
    return Console(width=None if sys.stdout.isatty() else PIPE_WIDTH, highlight=False)


def table(title: str, rows: Sequence[Row]) -> Table:
    """Return rows as a table, their names above it."""
    drawn = Table(title=title, title_justify="left", header_style="bold")
    for name, value in rows[0].items():
        number = isinstance(value, int | float)
        drawn.add_column(name, justify="right" if number else "left", overflow="fold")
    for row in rows:
        drawn.add_row(*(_cell(value) for value in row.values()))
    return drawn


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
            return Text(harmless("\n".join(as_text(each) for each in value)))


def counting_bar() -> Progress:
    """Return a bar on standard error that says how many of how many are done."""
    return _bar(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())


def elapsing_bar() -> Progress:
    """Return a bar on standard error that says for how long it has been shown."""
    return _bar(TimeElapsedColumn())


def _bar(*columns: ProgressColumn) -> Progress:
    shown = (SpinnerColumn(), TextColumn("{task.description}"), *columns)
    return Progress(*shown, console=Console(stderr=True), transient=True)
