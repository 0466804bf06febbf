"""`flong coverage`: compare announced URLs with stored pages, and list template eras."""

import argparse
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, ClassVar

from flong.command import DONE, Command, Group, add_sites_argument, chosen_sites
from flong.console import harmless_json, say, show_rows
from flong.errors import PipelineError
from flong.listing import whole_number
from flong.program import program
from flong.storage import CoverageMonth, MissingPage, Site, Store, TemplateEra

SHOWN = 20
"""Default number of missing URLs listed."""


class CoverageCommand(Command):
    """Show template eras, and per month announced, stored, extracted and missing pages."""

    group = Group.LOOK
    summary: ClassVar[str] = "Compare announced URLs with stored pages, by month"
    examples: ClassVar[str] = """
        flong coverage news.example
        flong coverage news.example --month 2026-05 --limit 0
        flong coverage --json | jq .months
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add sites, a month and the number of missing URLs."""
        add_sites_argument(parser)
        parser.add_argument(
            "--month", type=_month, help="only URLs missing in this month, such as 2026-05"
        )
        parser.add_argument(
            "--limit", type=whole_number, default=SHOWN, metavar="N",
            help=f"missing URLs listed, 0 for all (default: {SHOWN})",
        )  # fmt: skip
        parser.add_argument("--json", action="store_true", help="one JSON line per site")

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Print three tables, or a line of JSON, per site."""
        sites = chosen_sites(store, options.sites)
        if not sites:
            raise PipelineError(f"There is no site yet. Run: {program()} crawl https://...")
        for site in sites:
            _show(store, site, options)
        return DONE


def _show(store: Store, site: Site, options: argparse.Namespace) -> None:
    eras, months = store.lists.eras(site), store.lists.announced_months(site)
    most = options.limit or 1_000_000_000
    missing = store.lists.missing_pages(site, month=options.month or "", most=most)
    if options.json:
        found = {"site": site.name, "eras": _rows(eras), "months": _rows(months)}
        line = json.dumps(found | {"missing": _rows(missing)}, ensure_ascii=False)
        print(harmless_json(line))
        return
    no_date = "No article has a pattern yet."
    show_rows(f"Templates of {site.name}", _rows(eras), as_json=False, empty=no_date)
    for sentence in era_sentences(eras):
        say(sentence)
    nothing = f"{site.name} announces nothing: no sitemap, feed or link is stored."
    show_rows(f"Coverage of {site.name}", _rows(months), as_json=False, empty=nothing)
    if months:
        show_rows("Missing", _rows(missing), as_json=False, empty="Nothing is missing.")


def era_sentences(eras: Iterable[TemplateEra]) -> list[str]:
    """Return a sentence on the period of each template.

    >>> era_sentences([TemplateEra(pattern_id=3, cluster_id=1, kind="article", articles=9, dated=9,
    ...     first_day="2019-03-04", last_day="2026-05-01", retired_at=None)])
    ['Since 2019-03-04 the site uses pattern 3 (9 articles, the latest of 2026-05-01).']
    """
    found = []
    for era in eras:
        told = f"({era.articles} articles, the latest of {era.last_day})"
        if era.first_day and era.retired_at is None:
            found.append(f"Since {era.first_day} the site uses pattern {era.pattern_id} {told}.")
        elif era.first_day:
            found.append(
                f"From {era.first_day} to {era.last_day} it used pattern {era.pattern_id}"
                f" ({era.articles} articles)."
            )
    return found


def _rows(
    found: Iterable[TemplateEra | CoverageMonth | MissingPage],
) -> list[Mapping[str, Any]]:
    return [asdict(one) for one in found]


def _month(value: str) -> str:
    if not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", value):
        raise argparse.ArgumentTypeError(f"{value!r} is not a month such as 2026-05")
    return value
