"""`flong prune`: show disk use and delete documents that no article needs."""

import argparse
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import ClassVar

from flong.command import (
    DONE,
    Command,
    Group,
    add_json_argument,
    add_sites_argument,
    chosen_sites,
    work_on_each,
)
from flong.console import Row, show_error, show_note, show_rows
from flong.storage import BusyDatabase, DiskUse, Site, Store

DAYS = 90
"""Default number of days for which everything is kept."""
MEGABYTE = 1e6
SIZES = ("page", "version", "freed")


class PruneCommand(Command):
    """Delete old versions of pages, and documents of missing pages; never an article."""

    group = Group.ADMIN
    summary: ClassVar[str] = "Show disk use, and delete documents that no article needs"
    examples: ClassVar[str] = """
        flong prune --dry-run
        flong prune --days 30
        flong prune news.example --days 365 --json
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add sites, the retention time and --dry-run."""
        add_sites_argument(parser)
        parser.add_argument(
            "--days",
            type=_days,
            default=DAYS,
            metavar="N",
            help=f"keep everything seen within N days (default {DAYS})",
        )
        parser.add_argument("--dry-run", action="store_true", help="show only, delete nothing")
        add_json_argument(parser)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Print a row per site, then delete."""
        before = datetime.now(UTC) - timedelta(days=options.days)
        sites = chosen_sites(store, options.sites)
        found = {site.id: store.documents.disk_use(site, before) for site in sites}
        rows = [_row(site, found[site.id]) for site in sites]
        show_rows("Disk use", rows, as_json=options.json, empty="No site is stored.")
        freed = sum(use.freed_bytes for use in found.values()) / MEGABYTE
        if options.dry_run or not sites:
            whole = store.documents.database_bytes() / MEGABYTE
            show_note(
                f"The database takes {whole:,.1f} MB; {freed:,.1f} MB of documents can be freed. "
                "Articles are not touched."
            )
            return DONE

        def prune(site: Site) -> int:
            with store.locks.hold(site):
                store.documents.prune(site, before)
            return DONE

        code = work_on_each(sites, prune)
        _give_back(store)
        show_note(f"{freed:,.1f} MB of documents were deleted. No article was touched.")
        return code


def _give_back(store: Store) -> None:
    try:
        store.give_back_space()
    except BusyDatabase:
        show_error("The disk space is not free yet: another process uses the database.")


def _row(site: Site, use: DiskUse) -> Row:
    sizes = {name: round(getattr(use, f"{name}_bytes") / MEGABYTE, 2) for name in SIZES}
    numbers = {name: value for name, value in asdict(use).items() if not name.endswith("_bytes")}
    return {"site": site.name, **numbers, **{f"{name}_mb": size for name, size in sizes.items()}}


def _days(text: str) -> int:
    if not text.isdecimal() or int(text[:9]) > 36500:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of days")
    return int(text)
