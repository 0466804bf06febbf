"""Settings: flong's own, then those that differ from Scrapy's defaults.

Sources of flong's own settings, in this order: the option `-s NAME=VALUE`, the environment variable
of the same name, the default below. See docs/settings.md.
"""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flong.storage import LockSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One of flong's own settings."""

    name: str
    """Name in the environment and with `-s`."""
    default: str | int | float
    """Default. Overrides are parsed as the same type."""
    help: str
    """Description in one sentence."""
    least: int = 0
    """Minimum value."""
    most: float = sys.float_info.max
    """Maximum value."""

    def value(self) -> str | int | float:
        """Return the value from the environment, or the default."""
        return self.read(os.environ.get(self.name, self.default))

    def read(self, given: str | int | float) -> str | int | float:
        """Parse a value as the type of the default; raise a `ValueError` if it is invalid."""
        if isinstance(self.default, str):
            return str(given)
        try:
            number = type(self.default)(given)
            if self.least <= number <= self.most:
                return number
        except ValueError:
            pass
        kind = "whole number" if isinstance(self.default, int) else "number"
        is_open = self.most == sys.float_info.max
        bounds = f">= {self.least}" if is_open else f"from {self.least} to {self.most:g}"
        raise ValueError(f"{self.name} is {given!r}: it must be a {kind} {bounds}")


FLONG_SETTINGS = (
    Setting(
        name="FLONG_BATCH",
        default=50,
        least=1,
        help="Number of pages written to the database in one transaction.",
    ),
    Setting(
        name="FLONG_CHROMIUM",
        default="",
        help="Path of the browser for `render=1`; if empty, the PATH is searched.",
    ),
    Setting(
        name="FLONG_CONTACT",
        default="",
        help="URL or mail address in the user agent, for the owners of crawled sites.",
    ),
    Setting(
        name="FLONG_DATABASE",
        default="sqlite:///flong.db",
        help="SQLAlchemy URL of the database.",
    ),
    Setting(
        name="FLONG_DEPTH",
        default=3,
        help="Maximum number of links from the home page if `depth` is not given.",
    ),
    Setting(
        name="FLONG_EXTRACT",
        default=1,
        most=1,
        help="Set to 0 to crawl without extracting articles.",
    ),
    Setting(
        name="FLONG_FLEET_GRACE_SECONDS",
        default=60.0,
        help="Seconds that running jobs have to finish when a fleet worker is stopped.",
    ),
    Setting(
        name="FLONG_FLEET_HOURS",
        default=6.0,
        help="Hours over which a fleet spreads the sites of a night.",
    ),
    Setting(
        name="FLONG_FLEET_RETRY_SECONDS",
        default=60.0,
        least=1,
        help="Seconds before a fleet retries a failed site; doubled with each retry.",
    ),
    Setting(
        name="FLONG_FLUSH_SECONDS",
        default=5.0,
        help="Seconds after which an incomplete batch of pages is written.",
    ),
    Setting(
        name="FLONG_HEARTBEAT_SECONDS",
        default=10.0,
        least=1,
        help="Seconds between two heartbeats of a process that has locked a site.",
    ),
    Setting(
        name="FLONG_HOST",
        default="",
        help="Host name recorded in the locks of sites; if empty, the system's.",
    ),
    Setting(
        name="FLONG_INSPECTOR",
        default="http://127.0.0.1:8180/",
        help="Public URL of the inspector, also for links in HTML reports; empty for no links.",
    ),
    Setting(
        name="FLONG_INTRANET",
        default=0,
        most=1,
        help="Set to 1 to allow sites with a public name at an internal IP address.",
    ),
    Setting(
        name="FLONG_LEARN",
        default=1,
        most=1,
        help="Set to 0 to crawl without learning new or changed templates.",
    ),
    Setting(
        name="FLONG_LISTED_PAGES",
        default=10_000,
        help="Maximum number of pages from all sitemaps and feeds of a site, newest first.",
    ),
    Setting(
        name="FLONG_LOG_JSON",
        default=0,
        most=1,
        help="Set to 1 to write logs as JSON lines.",
    ),
    Setting(
        name="FLONG_MAIL_FROM",
        default="",
        help="Sender address of clipping mails; if empty, the recipient's.",
    ),
    Setting(
        name="FLONG_MAIL_TO",
        default="",
        help="Recipients of clipping mails, separated by commas.",
    ),
    Setting(
        name="FLONG_MAX_CRAWL_DELAY",
        default=120.0,
        help="Maximum Crawl-delay in seconds; longer ones are shortened to it.",
    ),
    Setting(
        name="FLONG_MAX_MEGABYTES",
        default=20_000.0,
        help="Maximum size of all responses of a crawl in megabytes, decompressed.",
    ),
    Setting(
        name="FLONG_MAX_MINUTES",
        default=720.0,
        help="Maximum duration of a crawl in minutes.",
    ),
    Setting(
        name="FLONG_MAX_PAGES",
        default=100_000,
        least=1,
        help="Maximum number of pages of a crawl if `max_pages` is not given.",
    ),
    Setting(
        name="FLONG_MAX_RETRY_AFTER",
        default=120.0,
        help="Maximum pause in seconds; a host that needs a longer one ends its crawl.",
    ),
    Setting(
        name="FLONG_MAX_URLS",
        default=500_000,
        least=1,
        help="Maximum number of known URLs in a crawl; others are skipped.",
    ),
    Setting(
        name="FLONG_NIGHT",
        default=0,
        help="Id of the nightly run that a crawl belongs to; set by `flong nightly`.",
    ),
    Setting(
        name="FLONG_PAGE_SECONDS",
        default=20.0,
        help="Maximum CPU seconds for extracting one page.",
    ),
    Setting(
        name="FLONG_PASSWORD_HASH",
        default="",
        help="Password of the inspector, hashed by `flong inspect --hash-password`.",
    ),
    Setting(
        name="FLONG_READ_SECONDS",
        default=5.0,
        help="Maximum CPU seconds for extracting the links of one response.",
    ),
    Setting(
        name="FLONG_REPLACE_COST",
        default=1,
        most=2,
        help="Cost of replacing a tree vertex: 1 as in RTDM, 2 to disable replacement.",
    ),
    Setting(
        name="FLONG_RESUME_HOURS",
        default=24.0,
        help="Maximum age in hours at which an interrupted crawl is resumed.",
    ),
    Setting(
        name="FLONG_REVISIT_DAYS",
        default=7.0,
        help="Maximum number of days between two requests for an unchanged article.",
    ),
    Setting(
        name="FLONG_SAMPLE_SIZE",
        default=3000,
        least=2,
        help="Maximum number of pages clustered per site; others are matched.",
    ),
    Setting(
        name="FLONG_SEARCH_HALF_LIFE",
        default=0.0,
        help="Days after which an article's search score is halved; 0 to ignore age.",
    ),
    Setting(
        name="FLONG_SEARCH_WINDOW",
        default=0,
        help="Days covered by a search without `since:`; 0 for all.",
    ),
    Setting(
        name="FLONG_SIMILARITY",
        default=0.8,
        most=1,
        help="Minimum similarity, 0 to 1, of pages that share a template.",
    ),
    Setting(
        name="FLONG_SITEMAPS",
        default=50,
        help="Maximum number of sitemaps and feeds read per site.",
    ),
    Setting(
        name="FLONG_SMTP",
        default="",
        help="Mail server, as smtp://NAME:PASSWORD@HOST:587 or smtps://.... Never logged.",
    ),
    Setting(
        name="FLONG_TRAP_BUDGET",
        default=100,
        help="Maximum number of URLs followed in one calendar or filter combination.",
    ),
    Setting(
        name="FLONG_WEBHOOK",
        default="",
        help="URL to post the nightly report to as JSON. Never logged.",
    ),
)
"""All settings of flong, sorted by name."""


def _loaded(setting: Setting) -> str | int | float:
    """Return the value of a setting, or the raw text if it is invalid.

    Commands report invalid values; an exception at import would be a traceback.
    """
    try:
        return setting.value()
    except ValueError:
        return os.environ[setting.name]


def check_settings(settings: Mapping[str, Any]) -> None:
    """Raise a `ValueError` that names the first of flong's settings with an invalid value."""
    for setting in FLONG_SETTINGS:
        setting.read(settings[setting.name])


def lock_settings(settings: Mapping[str, Any]) -> LockSettings:
    """Return the lock settings."""
    return LockSettings(
        host=str(settings["FLONG_HOST"]),
        heartbeat_seconds=float(settings["FLONG_HEARTBEAT_SECONDS"]),
    )


def flong_settings() -> dict[str, str | int | float]:
    """Return the values of flong's own settings, by name."""
    return {setting.name: _loaded(setting) for setting in FLONG_SETTINGS}


vars().update(flong_settings())

# Entry points
BOT_NAME = "flong"
COMMANDS_MODULE = "flong.commands"
SPIDER_MODULES = ["flong.crawler.spider"]

# Throttling; `fast=1` and sites on this machine disable it
AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_MAX_DELAY = 30.0
AUTOTHROTTLE_START_DELAY = 2.0
CONCURRENT_REQUESTS_PER_DOMAIN = 2
DOWNLOAD_DELAY = 2.0
ROBOTSTXT_OBEY = True
ROBOTSTXT_USER_AGENT = "flong"

# Safety
COOKIES_ENABLED = False
# `data:` stays enabled: it fetches nothing, and the spider requests its articles by it.
DOWNLOAD_HANDLERS: dict[str, str | None] = {
    "file": None,
    "ftp": None,
    "http": "flong.crawler.download_handler.BoundedHandler",
    "https": "flong.crawler.download_handler.BoundedHandler",
    "s3": None,
}
DOWNLOAD_MAXSIZE = 10 * 1024 * 1024
DOWNLOAD_VERIFY_CERTIFICATES = True
DOWNLOAD_WARNSIZE = 0
REMOTE_CONTROL_ENABLED = False
TELNETCONSOLE_ENABLED = False

# Failures
DOWNLOAD_TIMEOUT = 30
RETRY_GIVE_UP_LOG_LEVEL = "DEBUG"
RETRY_TIMES = 2

# The spider follows redirects itself, so that each hop passes the link policy. The scheduler holds
# order, depth and identity of pages. Components of Scrapy that are not needed are disabled, because
# each costs time per request.
CONCURRENT_ITEMS = 1  # number of tasks that Scrapy starts per response
DOWNLOADER_MIDDLEWARES: dict[str, int | None] = {
    "scrapy.downloadermiddlewares.cookies.CookiesMiddleware": None,
    "scrapy.downloadermiddlewares.httpauth.HttpAuthMiddleware": None,
    "scrapy.downloadermiddlewares.httpcache.HttpCacheMiddleware": None,
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": None,
    "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    "scrapy.downloadermiddlewares.stats.DownloaderStats": None,
    "flong.crawler.robots.RobotsMiddleware": 100,
    "flong.crawler.decompression.DecompressionMiddleware": 590,
    "flong.crawler.ssrf_guard.SsrfGuard": 760,  # last, so that no request changes afterwards
}
SCHEDULER = "flong.crawler.scheduler.FrontierScheduler"
SPIDER_MIDDLEWARES: dict[str, int | None] = {
    "scrapy.spidermiddlewares.depth.DepthMiddleware": None,
    "scrapy.spidermiddlewares.httperror.HttpErrorMiddleware": None,
    "scrapy.spidermiddlewares.metacopy.MetaCopyDetectionMiddleware": None,
    "scrapy.spidermiddlewares.referer.RefererMiddleware": None,
    "scrapy.spidermiddlewares.start.StartSpiderMiddleware": None,
    "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware": None,
    "flong.crawler.callback_errors.CallbackFailures": 100,  # outermost
}
WARN_ON_GENERATOR_RETURN_VALUE = False  # checked by mypy

# Storing and reporting
EXTENSIONS: dict[str, int | None] = {
    "scrapy.extensions.logstats.LogStats": None,
    "scrapy.extensions.memdebug.MemoryDebugger": None,
    "scrapy.extensions.remote_control.RemoteControl": None,
    "scrapy.extensions.spiderstate.SpiderState": None,
    "scrapy.extensions.telnet.TelnetConsole": None,
    "flong.crawler.json_log.JsonLog": 0,
    "flong.crawler.throttling.Throttling": 500,
    "flong.stages.article_items.ArticleItems": 500,
}
FEED_EXPORTERS = {
    "csv": "flong.stages.exports.CsvExporter",
    "xlsx": "flong.stages.exports.XlsxExporter",
}
FEED_EXPORT_ENCODING = "utf-8"
ITEM_PIPELINES = {"flong.crawler.item_pipeline.StoragePipeline": 0}  # first: drops pages
LOG_DATEFORMAT = "%H:%M:%S"
LOG_FORMAT = "%(asctime)s %(levelname)s %(message)s"
LOG_LEVEL = "WARNING"  # `flong crawl` raises the level for flong's own loggers
STATS_DUMP = False
