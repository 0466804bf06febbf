"""What `sites`, `clusters`, `patterns`, `articles` and `runs` share: filters, columns, the cut.

Every list starts with the id by which other commands and the inspector's URLs name the
row, its site and its kind.
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice

from flong.command import add_json_argument
from flong.console import Row, Value, show_note, show_rows


def add_filters(
    parser: argparse.ArgumentParser, happened: str = "published, or else found,", *, limit: int = 0
) -> None:
    """Let the command take days, a text and a number of rows."""
    since, until = f"{happened} on this day or later", "on this day or earlier"
    parser.add_argument("--since", type=_day, metavar="DAY", help=since)
    parser.add_argument("--until", type=_day, metavar="DAY", help=until)
    parser.add_argument("--contains", metavar="TEXT", help="only rows with this text in them")
    most = f"rows at the most, 0 for all (default: {limit or 'all'})"
    parser.add_argument("--limit", type=whole_number, default=limit, metavar="N", help=most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A list of one sort of thing."""

    title: str
    """What is listed."""
    kinds: Sequence[str]
    """Which kinds there are."""
    when: str
    """Column that --since and --until look at."""
    happened: str
    """What happened then, in words."""
    empty: str
    """What is said when there is no row at all."""
    shown: Sequence[str] = ()
    """Columns of the table, all if none is named; JSON has every column."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take the filters that every list has."""
        kinds = f"only {', '.join(self.kinds[:-1])} or {self.kinds[-1]}"
        parser.add_argument("--kind", metavar="KIND", choices=self.kinds, help=kinds)
        add_filters(parser, self.happened, limit=20)
        add_json_argument(parser)

    def show(self, rows: Iterable[Row], options: argparse.Namespace) -> None:
        """Print the rows that the filters let through; say so if --limit cuts them off."""
        fitting = _fitting(rows, options, self.when)
        found = list(islice(fitting, options.limit or None))
        is_cut = next(fitting, None) is not None
        if self.shown and not options.json:
            found = [{name: row[name] for name in self.shown} for row in found]
        is_filtered = options.kind or options.since or options.until or options.contains
        empty = "No row fits these filters." if is_filtered else self.empty
        show_rows(self.title, found, as_json=options.json, empty=empty)
        if is_cut:
            show_note(f"These are the first {options.limit}; --limit 0 shows all.")


def _fitting(rows: Iterable[Row], options: argparse.Namespace, when: str) -> Iterator[Row]:
    for row in rows:
        # Times are text in the views of the database; both kinds begin with the day.
        day = str(row[when] or "")[:10]
        if (
            (not options.kind or row["kind"] == options.kind)
            and (not options.since or day >= options.since)
            and (not options.until or "" < day <= options.until)
            and (not options.contains or _contains(row.values(), options.contains.casefold()))
        ):
            yield row


def _contains(values: Iterable[Value], text: str) -> bool:
    return any(text in str(value).casefold() for value in values)


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no day such as 2026-01-31") from None


def whole_number(text: str) -> int:
    """Read a number from 0 on, as an argument."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    if len(text) > 9:
        raise argparse.ArgumentTypeError(f"{text[:20]} is too large")
    return int(text)
