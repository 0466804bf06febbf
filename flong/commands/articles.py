"""`flong articles`: what was found."""

import argparse
from typing import ClassVar

from flong.command import DONE, Command, Group, add_sites_argument, chosen_sites
from flong.console import Row
from flong.listing import Listing
from flong.stages.exports import values_of
from flong.storage import ArticleRow, Store
from flong.text import word_count

LISTING = Listing(
    title="Articles",
    kinds=("pattern", "bounded", "fallback"),
    when="dated",
    happened="published, or else found,",
    empty="No article yet.",
    shown=(
        "article", "site", "kind", "dated", "title", "words", "confidence", "pattern", "url",
    ),
)  # fmt: skip


class ArticlesCommand(Command):
    """Lists the latest articles."""

    group = Group.LOOK
    summary: ClassVar[str] = "List the articles found"
    examples: ClassVar[str] = """
        flong articles
        flong articles news.example --limit 5
        flong articles --since 2026-01-31 --min-confidence 0.8 --json
        flong articles --pattern 3 --contains election
        flong articles --retired
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take sites and filters."""
        add_sites_argument(parser)
        parser.add_argument(
            "--min-confidence", type=float, default=0.0, metavar="X", help="from 0 to 1"
        )
        parser.add_argument("--pattern", type=int, metavar="N", help="read by pattern N")
        parser.add_argument(
            "--retired", action="store_true", help="those that were articles and are none now"
        )
        LISTING.add_arguments(parser)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Print a row for each article, the latest first; whole articles as JSON."""
        sites = {site.name for site in chosen_sites(store, options.sites)}
        only = store.sites.find(options.sites[0]) if len(options.sites) == 1 else None
        found = store.articles.all(
            only,
            min_confidence=options.min_confidence,
            pattern_id=options.pattern,
            retired=options.retired,
        )
        rows = (_row(row) for row in found if row.site in sites)
        LISTING.show(rows, options)
        return DONE


def _row(row: ArticleRow) -> Row:
    return {
        "article": row.page_id,
        "site": row.site,
        "kind": row.article.method,
        "dated": row.article.published or row.first_seen,
        "words": word_count(row.article.body),
        "pattern": row.pattern_id,
        **values_of(row),
    }
