"""`scrapy crawl`: Scrapy's own command, with arguments checked first and an honest exit code."""

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

from crawler import SiteSpider, browser_settings, check_settings, read_arguments
from pipeline.command import FAILED, NEEDS_A_LOOK, WRONG_USAGE, PipelineError
from pipeline.nightly_intake import take_in
from pipeline.screen import show_error, show_rows
from storage import Site, StorageError, Store, UnknownSite

logger = logging.getLogger(__name__)

OUTCOMES = ("new", "changed", "unchanged", "gone", "failed")
QUIET = {
    "alembic": logging.WARNING,
    "scrapy": logging.WARNING,
    # A robots.txt that cannot be had comes with a traceback; the home page says it in words.
    "scrapy.downloadermiddlewares.robotstxt": logging.CRITICAL,
    "scrapy-playwright": logging.CRITICAL,
}
EXAMPLES = """\
examples:
  scrapy crawl site -a url=https://news.example
  scrapy crawl site -a url=https://news.example -a depth=2 -a max_pages=500 -a subdomains=1
  scrapy crawl site -a url=https://news.example -a delay=2 -a render=1
"""


class CrawlCommand(ScrapyCrawl):
    """Crawls a portal; stores its pages; registers the site."""

    def short_desc(self) -> str:
        """Return one line for the list of commands."""
        return "Crawl a site and store its pages: scrapy crawl site -a url=https://..."

    @property
    def _settings(self) -> Settings:
        return cast(Settings, self.settings)  # `scrapy` has set it

    @property
    def _process(self) -> CrawlerProcessBase:
        return cast(CrawlerProcessBase, self.crawler_process)  # `scrapy` has set it

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Take all options of Scrapy's command."""
        parser.formatter_class = argparse.RawDescriptionHelpFormatter
        parser.epilog = EXAMPLES
        super().add_options(parser)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Check the arguments, crawl, and say what came of it."""
        if args != ["site"]:
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
        known = self._process.spider_loader.list()
        if len(args) == 1 and args[0] not in known:
            self.exitcode = WRONG_USAGE
            show_error(f"There is no spider {args[0]!r}: known are {', '.join(known)}.")
        else:
            super().run(args, opts)

    def _complete(self, given: dict[str, str]) -> dict[str, str]:
        """Return the arguments, with what is stored of the site where they say nothing.

        A wrong one is a `ValueError`; nothing has been written then.
        """
        check_settings(self._settings)
        arguments = read_arguments(given)
        if arguments.render:
            browser_settings(self._settings["FLONG_CHROMIUM"])
        with Store.open(str(self._settings["FLONG_DATABASE"])) as store:
            try:
                stored = asdict(store.find_site(arguments.url).settings)
            except UnknownSite:
                return given
        known = {name: str(value) for name, value in stored.items() if value is not None}
        return known | given

    def _report(self, crawler: Crawler, url: str) -> None:
        """Say how it ended, with the exit code to match."""
        spider, reason = crawler.spider, crawler.stats.get_value("finish_reason")
        if self._process.bootstrap_failed or not isinstance(spider, SiteSpider):
            self.exitcode = FAILED
        elif spider.trouble:
            self.exitcode = FAILED
            show_error(f"{url} could not be crawled: {spider.trouble.rstrip('.')}.")
        elif reason not in ("finished", "max_pages"):
            self.exitcode = FAILED
            show_error(f"Stopped with {spider.stored} pages; the same command goes on from there.")
        else:
            _show_summary(crawler, spider)
            self._take_in(url)

    def _take_in(self, url: str) -> None:
        """Label what was crawled, by the patterns of the site if it has any."""
        if not self._settings.getbool("FLONG_EXTRACT"):
            return
        try:
            with Store.open(str(self._settings["FLONG_DATABASE"])) as store:
                site = store.find_site(url)
                if store.model_version(site):
                    self._extract(store, site)
        except (StorageError, PipelineError) as error:
            self.exitcode = FAILED
            show_error(str(error))

    def _extract(self, store: Store, site: Site) -> None:
        crawled = next(run for run in store.runs(site) if run.kind == "crawl")
        with store.lock_site(site):
            seconds = self._settings.getfloat("FLONG_PAGE_SECONDS")
            walled = take_in(store, site, crawled, seconds=seconds)
        logger.info("%s: %d articles", site.name, store.count_articles(site))
        if walled:
            self.exitcode = NEEDS_A_LOOK
            show_error(f"{walled} pages showed one and the same text: nothing of it was stored.")


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
    from pipeline.terminal import elapsing_bar  # noqa: PLC0415 - slow to load

    with elapsing_bar() as bar:
        task = bar.add_task(url)

        def show(spider: SiteSpider) -> None:
            to_go = len(spider.frontier)
            bar.update(task, description=f"{url}: {spider.stored} pages, {to_go} addresses to go")

        crawler.signals.connect(show, signal=signals.response_received)
        yield
