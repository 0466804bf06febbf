"""Crawler: the spider `site`, its link policy and its settings."""

from flong.crawler.arguments import BadArgument, CrawlArguments, read_arguments
from flong.crawler.bounds import Bound
from flong.crawler.decoding import decode
from flong.crawler.decompression import ENCODINGS, CorruptBody, TooLarge, decompress
from flong.crawler.json_log import set_up_log
from flong.crawler.rendering import BROWSERS, VIEWPORT, browser_settings, digest_of
from flong.crawler.settings import check_settings, flong_settings, lock_settings
from flong.crawler.signals import articles_wanted, walk_ended
from flong.crawler.spider import SiteSpider

__all__ = [
    "BROWSERS",
    "ENCODINGS",
    "VIEWPORT",
    "BadArgument",
    "Bound",
    "CorruptBody",
    "CrawlArguments",
    "SiteSpider",
    "TooLarge",
    "articles_wanted",
    "browser_settings",
    "check_settings",
    "decode",
    "decompress",
    "digest_of",
    "flong_settings",
    "lock_settings",
    "read_arguments",
    "set_up_log",
    "walk_ended",
]
