"""`flong crawl`: Scrapy's command, with checked arguments and meaningful exit codes."""

import argparse
import logging
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import cast

from scrapy import signals
from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.crawler import Crawler, CrawlerProcessBase
from scrapy.settings import SETTINGS_PRIORITIES, Settings

from flong.command import FAILED, NEEDS_ATTENTION, WRONG_USAGE, Group, open_store, show_usage
from flong.console import harmless, show_error, show_note
from flong.crawler import (
    Bound,
    SiteSpider,
    browser_settings,
    check_settings,
    lock_settings,
    read_arguments,
    walk_ended,
)
from flong.findings import Finding, sentence
from flong.program import program
from flong.stages.article_items import ArticleItems
from flong.stages.crawl_summary import next_lines, summary_lines
from flong.stages.hints import show_hint
from flong.storage import StorageError, Store, UnknownSite

logger = logging.getLogger(__name__)

OUTCOMES = ("new", "changed", "unchanged", "gone", "failed")
QUIET = {
    "alembic": logging.WARNING,
    "scrapy": logging.WARNING,
    # Scrapy logs a traceback for an unreachable robots.txt; our error message suffices.
    "scrapy.downloadermiddlewares.robotstxt": logging.CRITICAL,
    "scrapy-playwright": logging.CRITICAL,
}
MOST_FINDINGS = 5
"""Maximum number of findings that are printed; the inspector shows all."""
EXAMPLES = """\
  flong crawl https://news.example/
  flong crawl https://news.example/ -O articles.csv
  flong crawl https://news.example/ -a items=pages -a learn=0 -O pages.jsonl
  flong crawl https://news.example/ -a depth=2 -a max_pages=500 -a subdomains=1
  flong crawl https://news.example/ -a delay=5 -a render=1
"""


class CrawlCommand(ScrapyCrawl):
    """Crawl a site, learn it if it is new, and extract its articles."""

    group = Group.CRAWL

    def short_desc(self) -> str:
        """Return one line for the list of commands."""
        return "Crawl a site, learn it if it is new, and get its articles."

    @property
    def _settings(self) -> Settings:
        return cast(Settings, self.settings)  # set by `scrapy`

    @property
    def _process(self) -> CrawlerProcessBase:
        return cast(CrawlerProcessBase, self.crawler_process)  # set by `scrapy`

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add all options of Scrapy's command."""
        show_usage(parser, "crawl", self.syntax(), EXAMPLES)
        super().add_options(parser)

    def syntax(self) -> str:
        """Return the arguments that follow the command's name."""
        return "[options] URL"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Check the arguments, crawl, and print a summary."""
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
        """Run a spider of the user's own project, or suggest the command that crawls a site."""
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
        """Fill in missing arguments from the stored settings of the site.

        Raises `ValueError` for invalid arguments, before anything is written.
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
        """Print the outcome and set the exit code."""
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
            pages = {name: crawler.stats.get_value(f"flong/{name}", 0) for name in OUTCOMES}
            items = crawler.get_extension(ArticleItems)
            if items is None:
                _show(summary_lines(spider.scope.host, pages))
                self._say_bounds(spider, reason)
            else:
                self._show_articles(spider, items, reason, pages)

    def _say_bounds(self, spider: SiteSpider, reason: str) -> None:
        """Print the limits that the crawl reached; unless requested, they need attention."""
        for bound in spider.reached(reason):
            sentence = spider.bounds.sentence(bound)
            if spider.bounds.is_asked_for and bound == Bound.PAGES:
                show_note(sentence)
            else:
                self.exitcode = NEEDS_ATTENTION
                show_error(sentence)

    def _show_articles(
        self, spider: SiteSpider, items: ArticleItems, reason: str, pages: Mapping[str, int]
    ) -> None:
        """Print a summary, what needs attention, and the commands to run next."""
        try:
            with self._open_store() as store:
                site = store.sites.find(spider.arguments.url)
                articles = store.articles.summarise(site) if items.is_extracted else None
                _show(summary_lines(site.name, pages, articles, items.fresh))
                self._say_bounds(spider, reason)
                self._show_findings(items.findings)
                if items.error:
                    self.exitcode = FAILED
                    show_error(items.error)
                    return
                if reason == "finished" and (items.articles or not items.is_extracted):
                    show_hint(store, site)
                if items.articles:
                    _show(next_lines(site.name))
        except StorageError as error:
            self.exitcode = FAILED
            show_error(str(error))

    def _show_findings(self, findings: Sequence[Finding]) -> None:
        """Print the findings; those that need attention come first."""
        found = sorted(findings, key=lambda each: not each.kind.needs_attention)
        for finding in found[:MOST_FINDINGS]:
            (show_error if finding.kind.needs_attention else show_note)(sentence(finding))
        if len(found) > MOST_FINDINGS:
            show_note(f"{len(found) - MOST_FINDINGS} more findings: {program()} inspect")
        if found and found[0].kind.needs_attention:
            self.exitcode = NEEDS_ATTENTION


def _show(lines: Iterable[str]) -> None:
    for line in lines:
        show_note(harmless(line))


def _let_only_us_speak(settings: Settings) -> None:
    """Log messages of flong; of Scrapy and other libraries only errors."""
    if (settings.getpriority("LOG_LEVEL") or 0) >= SETTINGS_PRIORITIES["cmdline"]:
        return
    for name, level in QUIET.items():
        logging.getLogger(name).setLevel(level)
    if not sys.stderr.isatty():  # a terminal has a progress bar
        settings.set("LOG_LEVEL", "INFO", priority="cmdline")


@contextmanager
def _progress(crawler: Crawler, url: str) -> Iterator[None]:
    """Show the number of pages on a terminal while the block runs."""
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
            bar.stop()  # learning has its own progress bar

        crawler.signals.connect(show, signal=signals.response_received)
        crawler.signals.connect(stop, signal=walk_ended)
        yield
