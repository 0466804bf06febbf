"""A site in, stored pages out: the spider `site`, its link policy and its settings."""

from flong.crawler.arguments import BadArgument, CrawlArguments, read_arguments
from flong.crawler.bounds import Bound
from flong.crawler.decoding import decode
from flong.crawler.json_log import set_up_log
from flong.crawler.link_extractor import ParsingTimeout, extract_links, page_links
from flong.crawler.link_policy import ShapeBudget, page_number, refusal
from flong.crawler.rendering import BROWSERS, VIEWPORT, browser_settings
from flong.crawler.settings import check_settings, flong_settings, lock_settings
from flong.crawler.signals import articles_wanted, walk_ended
from flong.crawler.spider import SiteSpider

__all__ = [
    "BROWSERS",
    "VIEWPORT",
    "BadArgument",
    "Bound",
    "CrawlArguments",
    "ParsingTimeout",
    "ShapeBudget",
    "SiteSpider",
    "articles_wanted",
    "browser_settings",
    "check_settings",
    "decode",
    "extract_links",
    "flong_settings",
    "lock_settings",
    "page_links",
    "page_number",
    "read_arguments",
    "refusal",
    "set_up_log",
    "walk_ended",
]
