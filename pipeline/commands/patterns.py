"""`scrapy patterns`: the patterns of sites, readable."""

import argparse
from typing import ClassVar

from rich.text import Text

from pipeline.command import (
    DONE,
    Command,
    PipelineError,
    add_json_argument,
    add_limit_argument,
    add_sites_argument,
    chosen_sites,
)
from pipeline.screen import console, show_rows
from storage import PatternRow, Store

COLOURS = {"role=": "bold green", ".": "yellow", "+": "yellow", "?": "cyan", "*": "cyan"}
"""Of a line of a pattern, by what it contains or is; constants are grey."""

SHOWN = (
    "pattern_id", "site", "cluster_id", "kind", "constants", "wildcards", "pages", "strict",
    "bounded", "articles", "score", "title_path", "body_path",
)  # fmt: skip
"""Columns of the table on the screen; JSON has all."""


class PatternsCommand(Command):
    """Lists the patterns of sites, or shows one of them whole."""

    summary: ClassVar[str] = "List the patterns of sites, or show one as a tree"
    examples: ClassVar[str] = """
        scrapy patterns
        scrapy patterns news.example --show 3
        scrapy patterns --json
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take sites, --show, --limit and --json."""
        add_sites_argument(parser)
        parser.add_argument("--show", type=int, metavar="N", help="pattern N, as a tree")
        add_limit_argument(parser)
        add_json_argument(parser)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Print a row for each pattern, or the tree of one."""
        sites = chosen_sites(store, options.sites)
        if options.show is not None:
            found = (row for site in sites for row in store.patterns(site, retired=True))
            pattern = next((row for row in found if row.id == options.show), None)
            if pattern is None:
                raise PipelineError(f"There is no pattern {options.show}.")
            _show(pattern, as_json=options.json)
            return DONE
        rows = store.view("v_pattern_health", sites)[: options.limit]
        if not options.json:
            rows = [{name: row[name] for name in SHOWN} for row in rows]
        show_rows("Patterns", rows, as_json=options.json, empty="Nothing was learned yet.")
        return DONE


def _show(pattern: PatternRow, *, as_json: bool) -> None:
    if as_json:
        print(pattern.data)
        return
    screen = console()
    for line in pattern.text.splitlines():
        start = line.strip().partition(" ")[0]
        style = next(
            (c for mark, c in COLOURS.items() if start == mark or mark in line[-20:]), "dim"
        )
        screen.print(Text(line, style=style), soft_wrap=True)
