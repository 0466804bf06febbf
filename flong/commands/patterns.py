"""`flong patterns`: show the patterns of sites."""

import argparse
import json
from typing import ClassVar

from flong.command import DONE, Command, Group, add_sites_argument, chosen_sites
from flong.console import Row, harmless, say
from flong.errors import PipelineError
from flong.listing import Listing, whole_number
from flong.states import TemplateKind
from flong.storage import PatternRow, Store

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
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add sites, --show, --retired and filters."""
        add_sites_argument(parser)
        parser.add_argument(
            "--show", type=whole_number, metavar="N", help="show pattern N as a tree"
        )
        parser.add_argument("--retired", action="store_true", help="include retired patterns")
        LISTING.add_arguments(parser)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Print a row per pattern, or the tree of one."""
        sites = chosen_sites(store, options.sites)
        if options.show is not None:
            found = (row for site in sites for row in store.templates.patterns(site, retired=True))
            pattern = next((row for row in found if row.id == options.show), None)
            if pattern is None:
                raise PipelineError(f"There is no pattern {options.show}.")
            _show(pattern, as_json=options.json)
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


def _show(pattern: PatternRow, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"text": pattern.text, "labels": json.loads(pattern.labels or "{}")}))
        return
    for line in pattern.text.splitlines():
        start = line.strip().partition(" ")[0]
        style = next(
            (c for mark, c in COLOURS.items() if start == mark or mark in line[-20:]), "dim"
        )
        say(harmless(line), style, wraps=False)
