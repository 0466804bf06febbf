"""`scrapy runs`: what was done, when, and what came of it."""

import argparse
from dataclasses import asdict
from typing import ClassVar

from pipeline.command import (
    DONE,
    Command,
    add_json_argument,
    add_limit_argument,
    add_sites_argument,
    chosen_sites,
)
from pipeline.screen import Row, show_rows
from storage import Run, Store


class RunsCommand(Command):
    """Lists the latest runs."""

    summary: ClassVar[str] = "List what was done: crawls, learning, extraction"
    examples: ClassVar[str] = """
        scrapy runs
        scrapy runs news.example --limit 5 --json
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take sites, --limit and --json."""
        add_sites_argument(parser)
        add_limit_argument(parser)
        add_json_argument(parser)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Print a row for each run, the latest first."""
        names = {site.id: site.name for site in chosen_sites(store, options.sites)}
        runs = [run for run in store.runs() if run.site_id in names][: options.limit]
        rows = [_row(run, names[run.site_id]) for run in runs]
        show_rows("Runs", rows, as_json=options.json, empty="Nothing was done yet.")
        return DONE


def _row(run: Run, site: str) -> Row:
    end = run.finished_at
    seconds = None if end is None else round((end - run.started_at).total_seconds(), 1)
    about: Row = {"run": run.id, "site": site, "kind": run.kind, "status": run.status}
    when: Row = {"started": run.started_at, "seconds": seconds}
    return {**about, **when, **asdict(run.counts), "note": run.note}
