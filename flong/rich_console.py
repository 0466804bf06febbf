"""Tables, colours and progress bars, by `rich`, which is slow to load."""

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
"""Columns of a table that goes into a pipe or a file, where nobody says how wide it is."""
MOST_LINES = 3
"""Lines that a cell of a table may take; with longer ones rows are easier to read as lists."""
SHORT = 24
"""Width up to which a value stands beside others where there is no room for a table."""
_SEPARATOR = " │ "


def console() -> Console:
    """Return a console on standard output."""
    return Console(width=None if sys.stdout.isatty() else PIPE_WIDTH, highlight=False)


def show_table(
    title: str, names: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool]
) -> None:
    """Print rows as a table, their names above it; below each other where that is too narrow.

    Numeric columns are aligned at their right. No word is broken to make a table fit. Only what has
    no place to break, such as a long URL, may be longer than a line.
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


def _widths(columns: Sequence[Sequence[str]], room: int) -> list[int]:
    """Return how wide each column is, the longest of its words at least; none if all do not fit.

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
    """Return the width of what must not be broken; Japanese may be, anywhere."""
    return max(
        (cell_len(word) if cell_len(word) == len(word) else 2 for word in text.split()), default=0
    )


def _record(fields: Iterable[tuple[str, str]], width: int) -> Iterator[Text]:
    """Yield a row as lines: first what is short, side by side, then each longer value alone."""
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
    """Yield texts, one below the other, as lines that break between words; `begin` is first."""
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
    """Return a bar on standard error that says how many of how many are done, and since when."""
    columns = (MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    return _bar(BarColumn(bar_width=16), *columns)


def elapsing_bar() -> Progress:
    """Return a bar on standard error that says for how long it has been shown."""
    return _bar(TimeElapsedColumn())


def _bar(*columns: ProgressColumn) -> Progress:
    shown = (SpinnerColumn(), TextColumn("{task.description}"), *columns)
    return Progress(*shown, console=Console(stderr=True), transient=True)
