"""Output of commands: tables and progress bars on a terminal, plain lines or JSON in a pipe.

`rich` is imported on first use; commands that write JSON do without it.
"""

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TypeVar

from flong.progress import Meter, Progress, unwatched

T = TypeVar("T")
Value = str | int | float | bool | datetime | None | Sequence["Value"] | Mapping[str, "Value"]
Row = Mapping[str, Value]

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def harmless(text: str) -> str:
    r"""Return a text without control characters: colours, titles, reversed writing.

    >>> harmless("\x1b]0;mine\x07 rain\u202e")
    '\ufffd]0;mine\ufffd rain\ufffd'
    """
    return _CONTROLS.sub("\ufffd", text)


def harmless_json(text: str) -> str:
    r"""Return equal JSON in which control characters are escaped.

    >>> harmless_json('{"title": "rain\u202e"}')
    '{"title": "rain\\u202e"}'
    """
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def show_rows(
    title: str, rows: Sequence[Row], *, as_json: bool, empty: str, one_line: bool = False
) -> None:
    """Print rows as a table, or each as one line of JSON; print `empty` if there are no rows."""
    if as_json:
        for row in rows:
            print(harmless_json(json.dumps(row, ensure_ascii=False, default=as_text)))
    elif not rows:
        say(empty)
    else:
        from flong.rich_console import show_lines, show_table  # noqa: PLC0415 - slow to load

        cells = [[cell_text(value) for value in row.values()] for row in rows]
        numeric = [isinstance(value, int | float) for value in rows[0].values()]
        if one_line:
            show_lines(list(rows[0]), cells)
        else:
            show_table(title, list(rows[0]), cells, numeric)


def say(text: str, style: str = "", *, wraps: bool = True) -> None:
    """Print a text wrapped to the screen; markup in it is printed as it stands."""
    from flong.rich_console import console  # noqa: PLC0415 - slow to load

    console().print(text, style=style, markup=False, emoji=False, soft_wrap=not wraps)


def cell_text(value: Value) -> str:
    r"""Return a value as text for people.

    >>> cell_text(0.25), cell_text(None), cell_text(["rain", "snow"])
    ('0.25', '', 'rain\nsnow')
    """
    match value:
        case None:
            return ""
        case float():
            return f"{value:.2f}"
        case datetime():
            return value.strftime("%Y-%m-%d %H:%M")
        case str() | int():
            return harmless(str(value))
        case _:
            return harmless("\n".join(as_text(each) for each in value))


def as_text(value: object) -> str:
    """Return a value as text for programs."""
    return value.isoformat() if isinstance(value, datetime) else str(value)


def show_note(sentence: str) -> None:
    """Print a sentence to standard error, away from the output for programs."""
    print(sentence, file=sys.stderr)


def show_compiling() -> None:
    """Report that the kernels are being compiled."""
    show_note("Compiling, once per installation")


def show_error(sentence: str) -> None:
    """Print one error message to standard error."""
    print(f"flong: {harmless(sentence)}", file=sys.stderr)


@contextmanager
def progress_bar(title: str) -> Iterator[Progress]:
    """Yield a function that shows step and progress on a terminal."""
    if not sys.stderr.isatty():
        yield unwatched
        return
    from flong.rich_console import counting_bar  # noqa: PLC0415 - slow to load

    with counting_bar() as bar:
        task, doing = bar.add_task(title, total=None), ""

        def tell(step: str, done: int, total: int) -> None:
            nonlocal doing
            if step != doing:  # the remaining time is that of the step
                bar.reset(task, description=f"{title}: {step}")
                doing = step
            bar.update(task, completed=done, total=total or None)

        yield tell


def told(things: Iterable[T], tell: Progress, step: str, total: int) -> Iterator[T]:
    """Yield the items and report how many have been taken.

    >>> list(told("ab", print, "letters", 2))
    letters 0 2
    letters 1 2
    letters 2 2
    ['a', 'b']
    """
    meter = Meter(tell, step, total)
    for thing in things:
        yield thing
        meter.advance()
