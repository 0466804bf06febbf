"""`scrapy articles`: what was found."""

import argparse
from datetime import UTC, datetime
from itertools import islice
from typing import ClassVar

from items import word_count
from pipeline.command import (
    DONE,
    Command,
    add_json_argument,
    add_limit_argument,
    add_sites_argument,
    chosen_sites,
)
from pipeline.exports import values_of
from pipeline.screen import Row, show_rows
from storage import ArticleRow, Store


class ArticlesCommand(Command):
    """Lists the latest articles."""

    summary: ClassVar[str] = "List the articles found"
    examples: ClassVar[str] = """
        scrapy articles
        scrapy articles news.example --limit 5
        scrapy articles --since 2026-01-31 --min-confidence 0.8 --json
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take sites, filters, --limit and --json."""
        add_sites_argument(parser)
        add_limit_argument(parser)
        parser.add_argument("--since", type=_day, metavar="DAY", help="published or found since")
        parser.add_argument(
            "--min-confidence", type=float, default=0.0, metavar="X", help="from 0 to 1"
        )
        add_json_argument(parser)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Print a row for each article, the latest first; whole articles as JSON."""
        sites = {site.name for site in chosen_sites(store, options.sites)}
        only = store.find_site(options.sites[0]) if len(options.sites) == 1 else None
        found = store.articles(only, since=options.since, min_confidence=options.min_confidence)
        rows = islice((row for row in found if row.site in sites), options.limit)
        shape = values_of if options.json else _row
        show_rows(
            "Articles", [shape(row) for row in rows], as_json=options.json, empty="No article yet."
        )
        return DONE


def _day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def _row(row: ArticleRow) -> Row:
    article = row.article
    return {
        "site": row.site,
        "published": article.published,
        "title": article.title,
        "words": word_count(article.body),
        "sure": article.confidence,
        "by": article.method,
        "url": article.url,
    }
