"""A site in, stored pages out: the spider `site`, its link policy and its settings."""

from crawler.arguments import BadArgument, CrawlArguments, read_arguments
from crawler.bounds import Bound
from crawler.decoding import decode
from crawler.json_log import set_up_log
from crawler.rendering import BROWSERS, VIEWPORT, browser_settings
from crawler.settings import check_settings, flong_settings, lock_settings
from crawler.signals import articles_wanted, walk_ended
from crawler.spider import SiteSpider

__all__ = [
    "BROWSERS",
    "VIEWPORT",
    "BadArgument",
    "Bound",
    "CrawlArguments",
    "SiteSpider",
    "articles_wanted",
    "browser_settings",
    "check_settings",
    "decode",
    "flong_settings",
    "lock_settings",
    "read_arguments",
    "set_up_log",
    "walk_ended",
]
