"""`scrapy sites`: which sites there are, and how they are visited."""

import argparse
from dataclasses import replace
from datetime import datetime
from typing import ClassVar

from scrapy.exceptions import UsageError

from pipeline.command import DONE, Command, chosen_sites
from pipeline.listing import Listing
from pipeline.screen import Row, say
from storage import SiteSettings, Store, UnknownSite

VERBS = ("add", "remove", "pause", "resume", "set")
LISTING = Listing(
    title="Sites",
    kinds="visited or paused",
    when="last_started_at",
    happened="last worked on",
    empty="No site yet: scrapy sites add https://...",
    shown=(
        "site", "kind", "pages", "failed", "gone", "articles", "clusters", "patterns", "last_run",
        "last_status", "last_started_at", "last_note",
    ),
)  # fmt: skip


class SitesCommand(Command):
    """Lists sites, adds and removes them, and says how they are crawled."""

    summary: ClassVar[str] = "List the sites; add, remove, pause, resume or set them"
    arguments: ClassVar[str] = "[add|remove|pause|resume|set] [SITE ...]"
    examples: ClassVar[str] = """
        scrapy sites
        scrapy sites news.example --json
        scrapy sites add https://news.example --depth 2 --delay 1
        scrapy sites set news.example --render 1
        scrapy sites pause news.example
        scrapy sites remove news.example
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take what to do, sites, how they are crawled, and filters."""
        parser.add_argument(
            "words", nargs="*", metavar="SITE", help="what to do, and names or addresses of sites"
        )
        parser.add_argument("--depth", type=_whole, metavar="N", help="links that are followed")
        parser.add_argument("--delay", type=_seconds, metavar="S", help="seconds between requests")
        parser.add_argument("--max-pages", type=_whole, metavar="N", help="pages of a crawl")
        parser.add_argument("--render", type=_choice, metavar="1|0", help="use a browser")
        parser.add_argument("--subdomains", type=_choice, metavar="1|0", help="follow them too")
        LISTING.add_arguments(parser)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Do what the first word says, and print a row for each site."""
        verb, names = "", list(options.words)
        if names and names[0] in VERBS:
            verb, *names = names
            if not names:
                raise UsageError(f"Say which site: scrapy sites {verb} SITE")
        if verb == "add":
            names = [_add(store, name, options) for name in names]
        sites = chosen_sites(store, names)
        if verb == "remove":
            for site in sites:
                with store.lock_site(site):
                    store.remove_site(site)
                say(f"{site.name} and all that was stored of it is removed.")
            return DONE
        for site in sites:
            if verb in ("pause", "resume"):
                store.set_paused(site, verb == "pause")
            elif verb == "set":
                store.add_site(site.url, _settings(site.settings, options))
        rows = map(_row, store.view("v_site_summary", sites))
        LISTING.show(rows, options)
        return DONE


def _row(row: Row) -> Row:
    kind = "paused" if row["paused"] else "visited"
    rest = {name: value for name, value in row.items() if name not in ("site", "paused")}
    started = row["last_started_at"]  # a view gives times as text
    rest["last_started_at"] = datetime.fromisoformat(str(started)) if started else None
    return {"site": row["site"], "kind": kind, **rest}


def _add(store: Store, name: str, options: argparse.Namespace) -> str:
    url = name if "://" in name else f"https://{name}/"
    try:
        known = store.find_site(url).settings
    except UnknownSite:
        known = SiteSettings()
    return store.add_site(url, _settings(known, options)).name


def _settings(known: SiteSettings, options: argparse.Namespace) -> SiteSettings:
    """Return the settings with what was said on the command line."""
    names = ("depth", "delay", "max_pages", "render", "subdomains")
    said = {name: getattr(options, name) for name in names}
    return replace(known, **{name: value for name, value in said.items() if value is not None})


def _whole(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 86400:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return seconds


def _choice(text: str) -> bool:
    if text not in ("0", "1"):
        raise argparse.ArgumentTypeError(f"{text!r} is neither 1 nor 0")
    return text == "1"
