"""Settings of the project: flong's own, then what differs from Scrapy's defaults.

Each of flong's own can be given as an option (`-s NAME=VALUE`), else as an environment
variable of the same name, else it has the default below. `docs/settings.md` explains them.
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
    """As in the environment and with `-s`."""
    default: str | int | float
    """Its value if nobody says otherwise; what is given is read as the same type."""
    help: str
    """What it does, in a sentence."""
    least: int = 0
    """The smallest number that makes sense."""
    most: float = sys.float_info.max
    """The largest."""

    def value(self) -> str | int | float:
        """Return what the environment says, or the default."""
        return self.read(os.environ.get(self.name, self.default))

    def read(self, given: str | int | float) -> str | int | float:
        """Return a value as the type that it must have, or raise a `ValueError` that names it."""
        if isinstance(self.default, str):
            return str(given)
        try:
            number = type(self.default)(given)
            if self.least <= number <= self.most:
                return number
        except ValueError:
            pass
        kind = "whole number" if isinstance(self.default, int) else "number"
        end = "on" if self.most == sys.float_info.max else f"to {self.most:g}"
        raise ValueError(f"{self.name} is {given!r}, which is no {kind} from {self.least} {end}")


FLONG_SETTINGS = (
    Setting(
        name="FLONG_BATCH",
        default=50,
        least=1,
        help="Pages that are written to the database in one transaction.",
    ),
    Setting(
        name="FLONG_CHROMIUM",
        default="",
        help="Path of the browser for `render=1`; searched for if empty.",
    ),
    Setting(
        name="FLONG_CONTACT",
        default="",
        help="URL or mail address that the user agent gives to those who are crawled.",
    ),
    Setting(
        name="FLONG_DATABASE",
        default="sqlite:///flong.db",
        help="Where everything is stored, as an SQLAlchemy URL.",
    ),
    Setting(
        name="FLONG_DEPTH",
        default=3,
        help="Links from the home page that are followed if `depth` is not given.",
    ),
    Setting(
        name="FLONG_EXTRACT",
        default=1,
        most=1,
        help="Whether a crawl of a site that was learned extracts its new pages: 1 or 0.",
    ),
    Setting(
        name="FLONG_FLEET_GRACE_SECONDS",
        default=60.0,
        help="Time that the jobs of a fleet's worker have to finish when it is told to stop.",
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
        help="Time until a fleet tries a site again that failed; then twice as long.",
    ),
    Setting(
        name="FLONG_FLUSH_SECONDS",
        default=5.0,
        help="Time after which pages are written even if a batch is not full.",
    ),
    Setting(
        name="FLONG_HEARTBEAT_SECONDS",
        default=10.0,
        least=1,
        help="Time after which a process that works on a site says again that it is there.",
    ),
    Setting(
        name="FLONG_HOST",
        default="",
        help="Name of this machine in the locks of sites; the system's if empty.",
    ),
    Setting(
        name="FLONG_INSPECTOR",
        default="http://127.0.0.1:8180/",
        help="URL of the inspector, to which reports in HTML link; empty for no links.",
    ),
    Setting(
        name="FLONG_INTRANET",
        default=0,
        most=1,
        help="Whether a site with a public name may be at an inner IP address: 1 or 0.",
    ),
    Setting(
        name="FLONG_LEARN",
        default=1,
        most=1,
        help="Whether a crawl learns a site that is new or has outgrown what was learned: 1 or 0.",
    ),
    Setting(
        name="FLONG_LISTED_PAGES",
        default=10_000,
        help="Pages that are taken from all sitemaps and feeds of a site, newest first.",
    ),
    Setting(
        name="FLONG_LOG_JSON",
        default=0,
        most=1,
        help="Whether logs are JSON lines, for programs that collect them: 1 or 0.",
    ),
    Setting(
        name="FLONG_MAIL_FROM",
        default="",
        help="Address that mail about clippings comes from; empty for that of the recipient.",
    ),
    Setting(
        name="FLONG_MAIL_TO",
        default="",
        help="Addresses that are mailed what a night brought for clippings, parted by commas.",
    ),
    Setting(
        name="FLONG_MAX_CRAWL_DELAY",
        default=30.0,
        help="Longest Crawl-delay of a robots.txt, in seconds, that is honoured in full.",
    ),
    Setting(
        name="FLONG_MAX_MEGABYTES",
        default=20_000.0,
        help="Megabytes of responses, decompressed, after which a crawl ends.",
    ),
    Setting(
        name="FLONG_MAX_MINUTES",
        default=720.0,
        help="Minutes after which a crawl ends.",
    ),
    Setting(
        name="FLONG_MAX_PAGES",
        default=100_000,
        least=1,
        help="Pages after which a crawl ends if `max_pages` is not given.",
    ),
    Setting(
        name="FLONG_MAX_RETRY_AFTER",
        default=120.0,
        help="Longest Retry-After of a server, in seconds, that is honoured in full.",
    ),
    Setting(
        name="FLONG_MAX_URLS",
        default=500_000,
        least=1,
        help="URLs that a crawl keeps in mind; further ones are not followed.",
    ),
    Setting(
        name="FLONG_NIGHT",
        default=0,
        help="The nightly run that a crawl is a part of; `flong nightly` sets it.",
    ),
    Setting(
        name="FLONG_PAGE_SECONDS",
        default=20.0,
        help="Processor time for reading one page; one that takes longer is given up.",
    ),
    Setting(
        name="FLONG_READ_SECONDS",
        default=5.0,
        help="Processor time for finding the links of one response; one that takes longer failed.",
    ),
    Setting(
        name="FLONG_REPLACE_COST",
        default=1,
        most=2,
        help="What it costs to replace a vertex of a page's tree: 1 as in RTDM, 2 never does it.",
    ),
    Setting(
        name="FLONG_RESUME_HOURS",
        default=24.0,
        help="Age up to which a crawl that was killed is taken up again instead of begun anew.",
    ),
    Setting(
        name="FLONG_REVISIT_DAYS",
        default=7.0,
        help="Longest time in days between two requests for an article that does not change.",
    ),
    Setting(
        name="FLONG_SAMPLE_SIZE",
        default=3000,
        least=2,
        help="Pages of a site that are clustered; further ones are matched.",
    ),
    Setting(
        name="FLONG_SEARCH_HALF_LIFE",
        default=0.0,
        help="Days after which an article counts half as much in a search; 0 for no difference.",
    ),
    Setting(
        name="FLONG_SEARCH_WINDOW",
        default=0,
        help="Days that a search without `since:` looks back; 0 for all.",
    ),
    Setting(
        name="FLONG_SIMILARITY",
        default=0.8,
        most=1,
        help="Similarity of two pages, from 0 to 1, from which on they share a template.",
    ),
    Setting(
        name="FLONG_SITEMAPS",
        default=50,
        help="Sitemaps and feeds of a site that are read.",
    ),
    Setting(
        name="FLONG_SMTP",
        default="",
        help="Mail server, as smtp://NAME:PASSWORD@HOST:587 or smtps://...; it is never logged.",
    ),
    Setting(
        name="FLONG_TRAP_BUDGET",
        default=100,
        help="URLs of one calendar or one combination of filters that are followed.",
    ),
    Setting(
        name="FLONG_WEBHOOK",
        default="",
        help="URL to which the report of a night is posted as JSON; it is never logged.",
    ),
)
"""Every setting that Scrapy does not know, by name."""


def _loaded(setting: Setting) -> str | int | float:
    """Return the value of a setting; as it was given if it is unusable.

    Commands say so in a sentence; an error while this file is read would be a traceback.
    """
    try:
        return setting.value()
    except ValueError:
        return os.environ[setting.name]


def check_settings(settings: Mapping[str, Any]) -> None:
    """Raise a `ValueError` that names the first of flong's settings with an unusable value."""
    for setting in FLONG_SETTINGS:
        setting.read(settings[setting.name])


def lock_settings(settings: Mapping[str, Any]) -> LockSettings:
    """Return how the settings say that sites are held."""
    return LockSettings(
        host=str(settings["FLONG_HOST"]),
        heartbeat_seconds=float(settings["FLONG_HEARTBEAT_SECONDS"]),
    )


def flong_settings() -> dict[str, str | int | float]:
    """Return the values of flong's own settings, by name, as the environment says."""
    return {setting.name: _loaded(setting) for setting in FLONG_SETTINGS}


vars().update(flong_settings())

# What is run
BOT_NAME = "flong"
COMMANDS_MODULE = "flong.commands"
SPIDER_MODULES = ["flong.crawler.spider"]

# Throttling
AUTOTHROTTLE_ENABLED = True
AUTOTHROTTLE_MAX_DELAY = 30.0
AUTOTHROTTLE_START_DELAY = 1.0
CONCURRENT_REQUESTS_PER_DOMAIN = 8
DOWNLOAD_DELAY = 0.5
ROBOTSTXT_OBEY = True
ROBOTSTXT_USER_AGENT = "flong"

# Safety
COOKIES_ENABLED = False
# `data:` stays: it fetches nothing, and the spider asks for its articles by it.
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

# The walk: the spider follows redirects itself, so that each step keeps to the link policy,
# and the scheduler keeps the order, depth and identity of pages. Parts of Scrapy that have nothing
# to do then are off: each takes its time with every request.
CONCURRENT_ITEMS = 1  # Scrapy starts so many tasks for each response, and one is enough
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
    "flong.crawler.ssrf_guard.SsrfGuard": 760,  # nothing changes a request after it
}
SCHEDULER = "flong.crawler.scheduler.FrontierScheduler"
SPIDER_MIDDLEWARES: dict[str, int | None] = {
    "scrapy.spidermiddlewares.depth.DepthMiddleware": None,
    "scrapy.spidermiddlewares.httperror.HttpErrorMiddleware": None,
    "scrapy.spidermiddlewares.metacopy.MetaCopyDetectionMiddleware": None,
    "scrapy.spidermiddlewares.referer.RefererMiddleware": None,
    "scrapy.spidermiddlewares.start.StartSpiderMiddleware": None,
    "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware": None,
    "flong.crawler.callback_errors.CallbackFailures": 100,  # the outermost
}
WARN_ON_GENERATOR_RETURN_VALUE = False  # mypy sees to that

# Storing and reporting
EXTENSIONS: dict[str, int | None] = {
    "scrapy.extensions.logstats.LogStats": None,
    "scrapy.extensions.memdebug.MemoryDebugger": None,
    "scrapy.extensions.remote_control.RemoteControl": None,
    "scrapy.extensions.spiderstate.SpiderState": None,
    "scrapy.extensions.telnet.TelnetConsole": None,
    "flong.crawler.json_log.JsonLog": 0,
    "flong.crawler.throttling.Throttling": 500,
    "flong.stages.harvest.Harvest": 500,
}
FEED_EXPORT_ENCODING = "utf-8"
ITEM_PIPELINES = {"flong.crawler.item_pipeline.StoragePipeline": 0}  # keeps pages from all others
LOG_DATEFORMAT = "%H:%M:%S"
LOG_FORMAT = "%(asctime)s %(levelname)s %(message)s"
LOG_LEVEL = "WARNING"  # `flong crawl` shows what the crawler itself has to say
STATS_DUMP = False
