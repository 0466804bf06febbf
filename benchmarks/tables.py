"""Tables of measured figures, printed for people."""

import sys

from rich.console import Console
from rich.table import Table

Rows = list[dict[str, object]]
"""Rows of a table: values by column name."""

PIPE_WIDTH = 160
"""Columns of a table that is not printed to a terminal."""


def show(title: str, rows: Rows) -> None:
    """Print a table; numbers are aligned to the right."""
    table = Table(title=title)
    for name in rows[0] if rows else ():
        table.add_column(name, justify="left" if isinstance(rows[0][name], str) else "right")
    for row in rows:
        table.add_row(*(_cell(value) for value in row.values()))
    Console(width=None if sys.stdout.isatty() else PIPE_WIDTH).print(table)


def _cell(value: object) -> str:
    """Return a value with three significant digits.

    >>> _cell(0.12345), _cell(1234.5), _cell(None)
    ('0.123', '1,234', '')
    """
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return "" if value is None else str(value)
