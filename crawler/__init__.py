"""A site in, stored pages out: the spider `site`, its link policy and its settings."""

import crawler.loading  # noqa: F401 - before anything of Scrapy that it is about
from crawler.addresses import Scope, canonical_url, registered_domain
from crawler.arguments import BadArgument, CrawlArguments, read_arguments
from crawler.links import ShapeBudget, refusal
from crawler.reading import page_links
from crawler.rendering import browser_settings
from crawler.settings import check_settings
from crawler.spider import SiteSpider

__all__ = [
    "BadArgument",
    "CrawlArguments",
    "Scope",
    "ShapeBudget",
    "SiteSpider",
    "browser_settings",
    "canonical_url",
    "check_settings",
    "page_links",
    "read_arguments",
    "refusal",
    "registered_domain",
]
