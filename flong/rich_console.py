"""Tables, colours and progress bars, by `rich`, which is slow to load."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from rich.cells import cell_len
from rich.console import Console, JustifyMethod
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

PIPE_WIDTH = 160
"""Width of output to a pipe or file, unless the environment variable COLUMNS is set."""
MOST_LINES = 3
"""Maximum lines of a table cell; rows with longer ones are printed as lists."""
SHORT = 24
"""Maximum width of a value printed beside others in a list."""
_SEPARATOR = " │ "


def console() -> Console:
    """Return a console on standard output."""
    is_known = sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdecimal()
    return Console(width=None if is_known else PIPE_WIDTH, highlight=False)


def show_table(
    title: str, names: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool]
) -> None:
    """Print rows as a table, or as lists if the screen is too narrow for one.

    Numeric columns are aligned right. Words are not broken to make a table fit. Only a text without
    a place to break, such as a long URL, may exceed a line.
    """
    screen = console()
    columns = [[name, *(row[at] for row in rows)] for at, name in enumerate(names)]
    widths = _widths(columns, screen.width - len(_SEPARATOR) * len(names) - 1)
    if not widths:
        screen.print(Text(title, "italic"))
        for row in rows:
            for line in _record(zip(names, row, strict=True), screen.width):
                screen.print(line, soft_wrap=True)
        return
    drawn = Table(title=title, title_justify="left", header_style="bold")
    for name, is_number, width in zip(names, numeric, widths, strict=True):
        justify: JustifyMethod = "right" if is_number else "left"
        drawn.add_column(name, justify=justify, overflow="fold", width=width)
    for row in rows:
        drawn.add_row(*map(Text, row))
    screen.print(drawn)


def show_lines(names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print each row on one line; the last column is cut to fit."""
    screen = console()
    *widths, _ = (max(map(cell_len, column)) for column in zip(names, *rows, strict=True))
    room = screen.width - sum(widths) - 2 * len(widths)
    for number, row in enumerate([names, *rows]):
        *cells, last = (Text(" ".join(cell.split())) for cell in row)
        for cell, width in zip(cells, widths, strict=True):
            cell.pad_right(width - cell.cell_len)
        last.truncate(max(room, 1), overflow="ellipsis")
        style = "" if number else "bold"
        screen.print(Text("  ", style).join([*cells, last]), style=style, soft_wrap=True)


def _widths(columns: Sequence[Sequence[str]], room: int) -> list[int]:
    """Return the width of each column, at least that of its longest word; empty if they do not fit.

    >>> _widths([["number", "7"], ["title", "rain in May"]], 14), _widths([["number"]], 5)
    ([6, 8], [])
    """
    found = [max(map(_longest_word, column)) for column in columns]
    wanted = [max(map(_longest_line, column)) for column in columns]
    left = room - sum(found)
    if left < 0:
        return []
    growing = sorted(range(len(columns)), key=lambda at: wanted[at] - found[at])
    for done, at in enumerate(growing):
        more = min(wanted[at] - found[at], left // (len(growing) - done))
        found[at] += more
        left -= more
    is_high = any(want > MOST_LINES * have for want, have in zip(wanted, found, strict=True))
    return [] if is_high else found


def _longest_line(text: str) -> int:
    return max(map(cell_len, text.split("\n")))


def _longest_word(text: str) -> int:
    """Return the width of the longest word; Japanese may be broken anywhere."""
    return max(
        (cell_len(word) if cell_len(word) == len(word) else 2 for word in text.split()), default=0
    )


def _record(fields: Iterable[tuple[str, str]], width: int) -> Iterator[Text]:
    """Yield a row as lines: first short values, side by side, then each longer value."""
    line, longer = Text(), []
    for name, value in fields:
        if cell_len(value) > SHORT or "\n" in value:
            longer.append((name, value.split("\n")))
        elif value:
            pair = Text.assemble((name, "dim"), " ", value)
            if line.cell_len + 2 + pair.cell_len > width:
                yield line
                line = Text()
                pair.pad_left(2)
            line = Text.assemble(line, "  ", pair) if line else pair
    yield line
    for name, parts in longer:
        yield from _wrapped(f"  {name} ", parts, width)


def _wrapped(begin: str, parts: Iterable[str], width: int) -> Iterator[Text]:
    """Yield texts as lines that break between words; `begin` is in front of the first."""
    for part in parts:
        lines = wrap(
            part,
            width,
            initial_indent=begin,
            subsequent_indent="  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in lines:
            text = Text(line)
            text.stylize("dim", 0, len(begin))
            yield text
            begin = "  "


def counting_bar() -> Progress:
    """Return a progress bar on standard error with counts and times."""
    columns = (MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    return _bar(BarColumn(bar_width=16), *columns)


def elapsing_bar() -> Progress:
    """Return a progress bar on standard error with the elapsed time."""
    return _bar(TimeElapsedColumn())


def _bar(*columns: ProgressColumn) -> Progress:
    shown = (SpinnerColumn(), TextColumn("{task.description}"), *columns)
    return Progress(*shown, console=Console(stderr=True), transient=True)
