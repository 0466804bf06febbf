"""Base of `sites`, `clusters`, `patterns`, `articles` and `runs`: filters, columns, limit.

Every list begins with the row's id, site and kind. Other commands and the inspector's URLs use the
same ids.
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice

from flong.command import add_json_argument
from flong.console import Row, Value, show_note, show_rows
from flong.states import ArticleKind

ALL = "all"
"""Argument for articles of any kind."""


def chosen_kinds(kind: str) -> tuple[ArticleKind, ...]:
    """Return the kinds of articles that an argument chooses.

    >>> len(chosen_kinds("all")), chosen_kinds("page")
    (2, (<ArticleKind.PAGE: 'page'>,))
    """
    return tuple(ArticleKind) if kind == ALL else (ArticleKind(kind),)


def add_filters(
    parser: argparse.ArgumentParser, happened: str = "published, or else found,", *, limit: int = 0
) -> None:
    """Add options for days, a text and the number of rows."""
    since, until = f"{happened} on this day or later", "on this day or earlier"
    parser.add_argument("--since", type=_day, metavar="DAY", help=since)
    parser.add_argument("--until", type=_day, metavar="DAY", help=until)
    parser.add_argument("--contains", metavar="TEXT", help="only rows with this text in them")
    most = f"rows at the most, 0 for all (default: {limit or 'all'})"
    parser.add_argument("--limit", type=whole_number, default=limit, metavar="N", help=most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A list of rows of one type."""

    title: str
    """Title of the table."""
    kinds: Sequence[str]
    """Kinds of rows."""
    when: str
    """Column that --since and --until compare."""
    happened: str
    """Verb for that column, in help texts."""
    empty: str
    """Message if there are no rows."""
    shown: Sequence[str] = ()
    """Columns of the table; empty for all. JSON has all columns."""
    one_line: bool = False
    """True to print one line per row, with the last column cut to fit."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the filters that every list has."""
        kinds = f"only {', '.join(self.kinds[:-1])} or {self.kinds[-1]}"
        words = [str(kind) for kind in self.kinds]
        parser.add_argument("--kind", metavar="KIND", choices=words, help=kinds)
        add_filters(parser, self.happened, limit=20)
        add_json_argument(parser)

    def show(self, rows: Iterable[Row], options: argparse.Namespace) -> None:
        """Print the matching rows; report if --limit drops some."""
        fitting = _fitting(rows, options, self.when)
        found = list(islice(fitting, options.limit or None))
        is_cut = next(fitting, None) is not None
        if self.shown and not options.json:
            found = [{name: row[name] for name in self.shown} for row in found]
        is_filtered = options.kind or options.since or options.until or options.contains
        empty = "No row matches these filters." if is_filtered else self.empty
        show_rows(self.title, found, as_json=options.json, empty=empty, one_line=self.one_line)
        if is_cut:
            show_note(f"These are the first {options.limit}; --limit 0 shows all.")


def _fitting(rows: Iterable[Row], options: argparse.Namespace, when: str) -> Iterator[Row]:
    for row in rows:
        # times are text in the views of the database; both types begin with the day
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
        raise argparse.ArgumentTypeError(f"{text!r} is not a day such as 2026-01-31") from None


def whole_number(text: str) -> int:
    """Return an argument as a number >= 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    if len(text) > 9:
        raise argparse.ArgumentTypeError(f"{text[:20]} is too large")
    return int(text)
