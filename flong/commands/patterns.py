"""`flong patterns`: show the patterns of sites."""

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import ClassVar

from flong.command import DONE, Command, Group, add_sites_argument, chosen_sites
from flong.console import Row, harmless, say, show_rows
from flong.errors import PipelineError
from flong.listing import Listing, whole_number
from flong.states import TemplateKind
from flong.storage import Site, Store

COLOURS = {"role=": "bold green", ".": "yellow", "+": "yellow", "?": "cyan", "*": "cyan"}
"""Colour of a pattern's line, by its content; constants are grey."""

LISTING = Listing(
    title="Patterns",
    kinds=(TemplateKind.ARTICLE, TemplateKind.MIXED, TemplateKind.OTHER),
    when="created_at",
    happened="made",
    empty="Nothing was learned yet.",
    shown=(
        "pattern", "site", "kind", "cluster", "constants", "wildcards", "pages", "strict",
        "bounded", "articles", "first_day", "last_day", "score", "title_path", "body_path",
    ),
)  # fmt: skip


class PatternsCommand(Command):
    """List the patterns of sites, or show one of them in full."""

    group = Group.LOOK
    summary: ClassVar[str] = "List the patterns of sites, or show one as a tree"
    examples: ClassVar[str] = """
        flong patterns
        flong patterns news.example --show 3
        flong patterns --kind article --retired --json
        flong patterns news.example --as-published --show 1
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add sites, --show, --retired, --as-published and filters."""
        add_sites_argument(parser)
        parser.add_argument(
            "--show", type=whole_number, metavar="N", help="show pattern N as a tree"
        )
        parser.add_argument("--retired", action="store_true", help="include retired patterns")
        parser.add_argument(
            "--as-published",
            action="store_true",
            help="the patterns stored by learn --as-published, numbered by site",
        )
        LISTING.add_arguments(parser)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Print a row per pattern, or the tree of one."""
        sites = chosen_sites(store, options.sites)
        if options.as_published:
            return _published(store, sites, options)
        if options.show is not None:
            found = (row for site in sites for row in store.templates.patterns(site, retired=True))
            pattern = next((row for row in found if row.id == options.show), None)
            if pattern is None:
                raise PipelineError(f"There is no pattern {options.show}.")
            labels = json.loads(pattern.labels or "{}")
            _show(pattern.text, {"text": pattern.text, "labels": labels}, as_json=options.json)
            return DONE
        stored = store.overview.view("v_pattern_health", sites)
        eras = {row["pattern_id"]: row for row in store.overview.view("v_template_era", sites)}
        days = {"first_day": None, "last_day": None}
        rows = (
            _row({**row, **{name: eras.get(row["pattern_id"], days)[name] for name in days}})
            for row in stored
            if options.retired or not row["retired_at"]
        )
        LISTING.show(rows, options)
        return DONE


def _row(row: Row) -> Row:
    short = {"pattern_id": "pattern", "cluster_id": "cluster"}
    return {short.get(name, name): value for name, value in row.items()}


def _published(store: Store, sites: Sequence[Site], options: argparse.Namespace) -> int:
    """Print a row per pattern as published, or the tree of the first with the number."""
    found = [(site, row) for site in sites for row in store.templates.published(site)]
    if options.show is not None:
        shown = next((row for _, row in found if row.number == options.show), None)
        if shown is None:
            raise PipelineError(f"There is no pattern {options.show} as published.")
        _show(shown.text, {"text": shown.text}, as_json=options.json)
        return DONE
    rows: list[Row] = [
        {
            "site": site.name,
            "pattern": row.number,
            "vertices": row.vertices,
            "wildcards": row.wildcards,
        }
        for site, row in found
    ]
    empty = "Nothing was learned as published yet."
    show_rows("Patterns as published", rows, as_json=options.json, empty=empty)
    return DONE


def _show(text: str, document: Mapping[str, object], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(document))
        return
    for line in text.splitlines():
        start = line.strip().partition(" ")[0]
        style = next(
            (c for mark, c in COLOURS.items() if start == mark or mark in line[-20:]), "dim"
        )
        say(harmless(line), style, wraps=False)
