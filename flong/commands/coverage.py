"""`flong coverage`: what a site announces, what is stored of it, and since when it looks so."""

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
"""URLs that are listed unless another number is given."""


class CoverageCommand(Command):
    """Shows template eras, and by month what was announced, stored, extracted and is missing."""

    group = Group.LOOK
    summary: ClassVar[str] = "Show what a site announces against what is stored, by month"
    examples: ClassVar[str] = """
        flong coverage news.example
        flong coverage news.example --month 2026-05 --limit 0
        flong coverage --json | jq .months
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take sites, a month and how many missing URLs are listed."""
        add_sites_argument(parser)
        parser.add_argument(
            "--month", type=_month, help="only what is missing of this month: 2026-05"
        )
        parser.add_argument(
            "--limit", type=whole_number, default=SHOWN, metavar="N",
            help=f"missing URLs listed, 0 for all (default: {SHOWN})",
        )  # fmt: skip
        parser.add_argument("--json", action="store_true", help="a line of JSON for each site")

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Print three tables, or a line of JSON, for each site."""
        sites = chosen_sites(store, options.sites)
        if not sites:
            raise PipelineError(f"There is no site yet: {program()} crawl https://...")
        for site in sites:
            _show(store, site, options)
        return DONE


def _show(store: Store, site: Site, options: argparse.Namespace) -> None:
    eras, months = store.coverage.eras(site), store.coverage.months(site)
    most = options.limit or 1_000_000_000
    missing = store.coverage.missing(site, month=options.month or "", most=most)
    if options.json:
        found = {"site": site.name, "eras": _rows(eras), "months": _rows(months)}
        line = json.dumps(found | {"missing": _rows(missing)}, ensure_ascii=False)
        print(harmless_json(line))
        return
    no_date = "No article of it has a pattern yet."
    show_rows(f"Templates of {site.name}", _rows(eras), as_json=False, empty=no_date)
    for sentence in era_sentences(eras):
        say(sentence)
    nothing = f"{site.name} announces nothing: no sitemap, feed or link is stored."
    show_rows(f"Coverage of {site.name}", _rows(months), as_json=False, empty=nothing)
    if months:
        show_rows("Missing", _rows(missing), as_json=False, empty="Nothing is missing.")


def era_sentences(eras: Iterable[TemplateEra]) -> list[str]:
    """Return since when, or from when to when, a site looked as each pattern says.

    >>> era_sentences([TemplateEra(pattern_id=3, cluster_id=1, kind="article", articles=9, dated=9,
    ...     first_day="2019-03-04", last_day="2026-05-01", retired_at=None)])
    ['Since 2019-03-04 this site looks as pattern 3 says (9 articles, the last of 2026-05-01).']
    """
    found = []
    for era in eras:
        told = f"({era.articles} articles, the last of {era.last_day})"
        if era.first_day and era.retired_at is None:
            found.append(
                f"Since {era.first_day} this site looks as pattern {era.pattern_id} says {told}."
            )
        elif era.first_day:
            found.append(
                f"From {era.first_day} to {era.last_day} it looked as pattern {era.pattern_id}"
                f" says ({era.articles} articles)."
            )
    return found


def _rows(
    found: Iterable[TemplateEra | CoverageMonth | MissingPage],
) -> list[Mapping[str, Any]]:
    return [asdict(one) for one in found]


def _month(value: str) -> str:
    if not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", value):
        raise argparse.ArgumentTypeError(f"{value!r} is no month such as 2026-05")
    return value
