"""`flong sites`: manage sites and their crawl settings."""

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import ClassVar

from scrapy.exceptions import UsageError

from flong.command import DONE, FAILED, Command, Group, chosen_sites
from flong.console import Row, say, show_error
from flong.listing import Listing
from flong.program import program
from flong.storage import (
    BusyDatabase,
    InvalidUrl,
    Site,
    SiteSettings,
    Store,
    UnknownSite,
    site_name,
)

VERBS = ("add", "remove", "pause", "resume", "set")
LISTING = Listing(
    title="Sites",
    kinds=("visited", "paused"),
    when="last_started_at",
    happened="last worked on",
    empty=f"There is no site yet. Run: {program()} sites add https://...",
    shown=(
        "site", "kind", "pages", "failed", "gone", "articles", "clusters", "patterns", "last_run",
        "last_status", "last_started_at", "last_note",
    ),
)  # fmt: skip


class SitesCommand(Command):
    """List, add and remove sites, and change their crawl settings."""

    group = Group.CRAWL
    summary: ClassVar[str] = "List sites; add, remove, pause, resume or configure them"
    arguments: ClassVar[str] = "[add|remove|pause|resume|set] [SITE ...]"
    examples: ClassVar[str] = """
        flong sites
        flong sites news.example --json
        flong sites add https://news.example --depth 2 --delay 1
        flong sites set news.example --render 1
        flong sites pause news.example
        flong sites remove news.example --yes
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the action, sites, crawl settings and filters."""
        parser.add_argument(
            "words", nargs="*", metavar="SITE", help="action, then names or URLs of sites"
        )
        parser.add_argument("--depth", type=_whole, metavar="N", help="maximum link depth")
        parser.add_argument("--delay", type=_seconds, metavar="S", help="seconds between requests")
        parser.add_argument("--max-pages", type=_whole, metavar="N", help="maximum pages per crawl")
        parser.add_argument("--render", type=_choice, metavar="1|0", help="use a browser")
        parser.add_argument("--visual", type=_choice, metavar="1|0", help="store visual blocks")
        parser.add_argument("--subdomains", type=_choice, metavar="1|0", help="follow them too")
        parser.add_argument("--include", type=_pattern, metavar="REGEX", help="only matching URLs")
        parser.add_argument("--exclude", type=_pattern, metavar="REGEX", help="skip matching URLs")
        parser.add_argument("--cookies", metavar="FILE", help="cookies of your own subscription")
        parser.add_argument(
            "--importance", type=_whole, metavar="N", help="priority in a fleet, highest first"
        )
        parser.add_argument("--yes", action="store_true", help="do not ask for confirmation")
        LISTING.add_arguments(parser)

    def creates(self, options: argparse.Namespace) -> bool:
        """Return True for the action `add`, after checking its URL."""
        verb, *names = options.words or [""]
        if verb == "add":
            for name in names:
                site_name(_url(name))
        return bool(verb == "add")

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Run the action, and print a row per site."""
        verb, names = "", list(options.words)
        if names and names[0] in VERBS:
            verb, *names = names
            if not names:
                raise UsageError(f"A site is missing. Run: {program()} sites {verb} SITE")
        if verb == "add":
            names = [_add(store, name, options) for name in names]
        sites = chosen_sites(store, names)
        if verb == "remove":
            return _remove(store, sites, is_sure=options.yes)
        for site in sites:
            if verb in ("pause", "resume"):
                store.sites.set_paused(site, verb == "pause")
            elif verb == "set":
                store.sites.add(site.url, _settings(site.settings, options))
                if options.importance is not None:
                    store.sites.set_importance(site, options.importance)
        # The view does not detect dead processes.
        last = {site.name: run.status for site in sites for run in store.runs.all(site, limit=1)}
        found = store.overview.view("v_site_summary", sites)
        rows = (_row({**row, "last_status": last.get(row["site"])}) for row in found)
        LISTING.show(rows, options)
        return DONE


def _remove(store: Store, sites: Sequence[Site], *, is_sure: bool) -> int:
    """Remove sites after confirmation, and free their disk space."""
    if not is_sure and not sys.stdin.isatty():
        raise UsageError("Removal cannot be undone. Add --yes to confirm.")
    for site in sites:
        kept = f"{len(store.pages.urls(site))} pages and {store.articles.count(site)} articles"
        if not is_sure and not _is_meant(f"Remove {site.name} with {kept}?"):
            say(f"{site.name} is kept.")
            return FAILED
        with store.locks.hold(site):
            store.sites.remove(site)
        say(f"{site.name} and all its data were removed.")
    try:
        store.give_back_space()
    except BusyDatabase:
        show_error("The disk space is not free yet: another process uses the database.")
    return DONE


def _is_meant(question: str) -> bool:
    return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")


def _row(row: Row) -> Row:
    kind = "paused" if row["paused"] else "visited"
    rest = {name: value for name, value in row.items() if name not in ("site", "paused")}
    started = row["last_started_at"]  # views return times as text
    rest["last_started_at"] = datetime.fromisoformat(str(started)) if started else None
    return {"site": row["site"], "kind": kind, **rest}


def _url(name: str) -> str:
    """Return the URL of a new site, given a URL or a host name."""
    if "://" in name:
        return name
    if "." not in name:
        raise InvalidUrl(f"{name!r} is not a host name such as news.example, nor a URL.")
    return f"https://{name}/"


def _add(store: Store, name: str, options: argparse.Namespace) -> str:
    url = _url(name)
    try:
        known = store.sites.find(url).settings
    except UnknownSite:
        known = SiteSettings()
    return store.sites.add(url, _settings(known, options)).name


def _settings(known: SiteSettings, options: argparse.Namespace) -> SiteSettings:
    """Return the settings, updated with options of the command line."""
    names = tuple(SiteSettings.__dataclass_fields__)
    said = {name: getattr(options, name) for name in names}
    return replace(known, **{name: value for name, value in said.items() if value is not None})


def _whole(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    if len(text) > 9:
        raise argparse.ArgumentTypeError(f"{text[:20]} is too large")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 86400:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return seconds


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a valid regex: {error}") from error
    return text


def _choice(text: str) -> bool:
    if text not in ("0", "1"):
        raise argparse.ArgumentTypeError(f"{text!r} is neither 1 nor 0")
    return text == "1"
