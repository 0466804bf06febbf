"""`flong crawl`: Scrapy's own command, with arguments checked first and an honest exit code."""

import argparse
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import cast

from scrapy import signals
from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.crawler import Crawler, CrawlerProcessBase
from scrapy.settings import SETTINGS_PRIORITIES, Settings

from flong.command import FAILED, NEEDS_A_LOOK, WRONG_USAGE, Group, open_store, show_usage
from flong.console import show_error, show_note, show_rows
from flong.crawler import (
    Bound,
    SiteSpider,
    browser_settings,
    check_settings,
    lock_settings,
    read_arguments,
    walk_ended,
)
from flong.program import program
from flong.stages.harvest import Harvest
from flong.stages.hints import show_hint
from flong.storage import StorageError, Store, UnknownSite

logger = logging.getLogger(__name__)

OUTCOMES = ("new", "changed", "unchanged", "gone", "failed")
QUIET = {
    "alembic": logging.WARNING,
    "scrapy": logging.WARNING,
    # A robots.txt that cannot be had comes with a traceback; the home page says it in words.
    "scrapy.downloadermiddlewares.robotstxt": logging.CRITICAL,
    "scrapy-playwright": logging.CRITICAL,
}
NEXT = (
    "{site} has {articles} articles, {fresh} of them from this crawl. Next: {program} articles "
    "{site}, {program} search WORDS, {program} inspect, {program} export --format jsonl"
)
EXAMPLES = """\
  flong crawl https://news.example/
  flong crawl https://news.example/ -O articles.jsonl
  flong crawl https://news.example/ -a items=pages -a learn=0 -O pages.jsonl
  flong crawl https://news.example/ -a depth=2 -a max_pages=500 -a subdomains=1
  flong crawl https://news.example/ -a delay=2 -a render=1
"""


class CrawlCommand(ScrapyCrawl):
    """Crawls a portal, learns it if it is new, and gives its articles."""

    group = Group.CRAWL

    def short_desc(self) -> str:
        """Return one line for the list of commands."""
        return "Crawl a site, learn it if it is new, and get its articles."

    @property
    def _settings(self) -> Settings:
        return cast(Settings, self.settings)  # `scrapy` has set it

    @property
    def _process(self) -> CrawlerProcessBase:
        return cast(CrawlerProcessBase, self.crawler_process)  # `scrapy` has set it

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Take all options of Scrapy's command."""
        show_usage(parser, "crawl", self.syntax(), EXAMPLES)
        super().add_options(parser)

    def syntax(self) -> str:
        """Return the arguments that follow the command's name."""
        return "[options] URL"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Check the arguments, crawl, and say what came of it."""
        if len(args) == 1 and "://" in args[0]:
            opts.spargs = {"url": args[0]} | opts.spargs
        elif args != ["site"]:
            self._run_other(args, opts)
            return
        _let_only_us_speak(self._settings)
        try:
            arguments = self._complete(opts.spargs)
        except ValueError as error:
            self.exitcode = WRONG_USAGE
            show_error(f"{error}.")
        except StorageError as error:
            self.exitcode = FAILED
            show_error(str(error))
        else:
            crawler = self._create_crawler("site")
            with _progress(crawler, arguments["url"]):
                self._process.crawl(crawler, **arguments)
                self._process.start()
            self._report(crawler, arguments["url"])

    def _run_other(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run a spider of the user's own project, or name the command that crawls a site."""
        known = self._process.spider_loader.list()
        if len(args) == 1 and args[0] in known:
            super().run(args, opts)
            return
        self.exitcode = WRONG_USAGE
        url = args[-1] if args and "." in args[-1] else "https://news.example/"
        url = url if "://" in url else f"https://{url}"
        others = [name for name in known if name != "site"]
        show_error(
            f"To crawl a site, run: {program()} crawl {url}"
            + f" (spiders of this project: {', '.join(others)})" * bool(others)
        )

    def _complete(self, given: dict[str, str]) -> dict[str, str]:
        """Return the arguments, with what is stored of the site where they say nothing.

        A wrong one is a `ValueError`; nothing has been written then.
        """
        check_settings(self._settings)
        arguments = read_arguments(given)
        if arguments.render:
            browser_settings(self._settings["FLONG_CHROMIUM"])
        with self._open_store() as store:
            try:
                stored = asdict(store.sites.find(arguments.url).settings)
            except UnknownSite:
                return given
        known = {name: str(value) for name, value in stored.items() if value is not None}
        return known | given

    def _open_store(self) -> Store:
        database = str(self._settings["FLONG_DATABASE"])
        return open_store(database, lock_settings(self._settings), create=True)

    def _report(self, crawler: Crawler, url: str) -> None:
        """Say how it ended, with the exit code to match."""
        spider, reason = crawler.spider, crawler.stats.get_value("finish_reason")
        if self._process.bootstrap_failed or not isinstance(spider, SiteSpider):
            self.exitcode = FAILED
        elif spider.trouble:
            self.exitcode = FAILED
            show_error(f"{url} could not be crawled: {spider.trouble.rstrip('.')}.")
        elif reason not in ("finished", *Bound):
            self.exitcode = FAILED
            show_error(
                f"Interrupted after {spider.stored} pages; run the same command to continue."
            )
        else:
            _show_summary(crawler, spider)
            self._say_bounds(spider, reason)
            harvest = crawler.get_extension(Harvest)
            if harvest is not None:
                self._tell_harvest(harvest, url, reason)

    def _say_bounds(self, spider: SiteSpider, reason: str) -> None:
        """Say what the crawl came to the end of; unless it was told so, that needs a look."""
        for bound in spider.reached(reason):
            sentence = spider.bounds.sentence(bound)
            if spider.bounds.is_asked_for and bound == Bound.PAGES:
                show_note(sentence)
            else:
                self.exitcode = NEEDS_A_LOOK
                show_error(sentence)

    def _tell_harvest(self, harvest: Harvest, url: str, reason: str) -> None:
        """Say what articles there are, and what can be done next."""
        found = harvest.harvested
        for sentence in found.learned if found else ():
            show_note(sentence)
        if harvest.error:
            self.exitcode = FAILED
            show_error(harvest.error)
            return
        for sentence in found.look if found else ():
            self.exitcode = NEEDS_A_LOOK
            show_error(sentence)
        try:
            with self._open_store() as store:
                site = store.sites.find(url)
                if reason == "finished" and (found is None or found.articles):
                    show_hint(store, site)
        except StorageError as error:
            self.exitcode = FAILED
            show_error(str(error))
        else:
            if found is not None and found.articles:
                counts = {"articles": found.articles, "fresh": found.fresh}
                show_note(NEXT.format(program=program(), site=site.name, **counts))


def _let_only_us_speak(settings: Settings) -> None:
    """Show what the crawler itself has to say; of Scrapy and others only what went wrong."""
    if (settings.getpriority("LOG_LEVEL") or 0) >= SETTINGS_PRIORITIES["cmdline"]:
        return
    for name, level in QUIET.items():
        logging.getLogger(name).setLevel(level)
    if not sys.stderr.isatty():  # a terminal has a progress bar
        settings.set("LOG_LEVEL", "INFO", priority="cmdline")


def _show_summary(crawler: Crawler, spider: SiteSpider) -> None:
    """Print a table on a terminal; one line into a log."""
    counts = {name: crawler.stats.get_value(f"flong/{name}", 0) for name in OUTCOMES}
    logger.info("%s: %s", spider.scope.host, ", ".join(f"{n} {name}" for name, n in counts.items()))
    if sys.stdout.isatty():
        depths = {
            f"at depth {n}": pages
            for n in range(spider.depth + 1)
            if (pages := crawler.stats.get_value(f"flong/depth/{n}"))
        }
        rows = [{"pages": label, "number": number} for label, number in (counts | depths).items()]
        show_rows(spider.scope.host, rows, as_json=False, empty="")


@contextmanager
def _progress(crawler: Crawler, url: str) -> Iterator[None]:
    """Show on a terminal how many pages there are, while the block runs."""
    if not sys.stderr.isatty():
        yield
        return
    from flong.rich_console import elapsing_bar  # noqa: PLC0415 - slow to load

    with elapsing_bar() as bar:
        task = bar.add_task(url)

        def show(spider: SiteSpider) -> None:
            to_go = len(spider.frontier)
            bar.update(task, description=f"{url}: {spider.stored} pages, {to_go} URLs to go")

        def stop() -> None:
            bar.stop()  # learning has a bar of its own

        crawler.signals.connect(show, signal=signals.response_received)
        crawler.signals.connect(stop, signal=walk_ended)
        yield
