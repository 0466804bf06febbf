"""What commands show: tables and progress bars on a terminal, plain lines or JSON in a pipe.

`rich` is loaded by the first thing that needs it: a night that writes JSON needs none of it.
"""

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

T = TypeVar("T")
Value = str | int | float | bool | datetime | None | Sequence["Value"] | Mapping[str, "Value"]
Row = Mapping[str, Value]

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


def show_rows(title: str, rows: Sequence[Row], *, as_json: bool, empty: str) -> None:
    """Print rows as a table, or each as one line of JSON; `empty` is said when there are none."""
    if as_json:
        for row in rows:
            print(harmless_json(json.dumps(row, ensure_ascii=False, default=as_text)))
    elif not rows:
        say(empty)
    else:
        from pipeline.terminal import console, table  # noqa: PLC0415 - slow to load

        console().print(table(title, rows))


def say(text: str, style: str = "", *, wraps: bool = True) -> None:
    """Print a text for a person, in lines as long as the screen; nothing in it is markup."""
    from pipeline.terminal import console  # noqa: PLC0415 - slow to load

    console().print(text, style=style, markup=False, emoji=False, soft_wrap=not wraps)


def as_text(value: object) -> str:
    """Return a value as programs read it."""
    return value.isoformat() if isinstance(value, datetime) else str(value)


def show_note(sentence: str) -> None:
    """Print one sentence for a person, where it is in no program's way."""
    print(sentence, file=sys.stderr)


def show_error(sentence: str) -> None:
    """Print one sentence to standard error."""
    print(f"flong: {harmless(sentence)}", file=sys.stderr)


def tracked(things: Iterable[T], title: str, total: int | None) -> Iterator[T]:
    """Yield the things; on a terminal a bar shows how far it has come."""
    if not sys.stderr.isatty():
        yield from things
        return
    from pipeline.terminal import counting_bar  # noqa: PLC0415 - slow to load

    with counting_bar() as bar:
        task = bar.add_task(title, total=total)
        for thing in things:
            yield thing
            bar.advance(task)
