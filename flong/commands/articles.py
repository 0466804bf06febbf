"""`flong articles`: list articles."""

import argparse
from typing import ClassVar

from flong.command import DONE, Command, Group, add_sites_argument, chosen_sites
from flong.console import Row
from flong.listing import ALL, Listing, chosen_kinds, whole_number
from flong.stages.exports import values_of
from flong.states import ArticleKind
from flong.storage import ArticleChoice, ArticleRow, Store
from flong.text import word_count

LISTING = Listing(
    title="Articles",
    kinds=(*ArticleKind, ALL),
    when="dated",
    happened="published, or else found,",
    empty="No article yet.",
    shown=("article", "site", "published", "title"),
    one_line=True,
)


class ArticlesCommand(Command):
    """List the latest articles."""

    group = Group.LOOK
    summary: ClassVar[str] = "List the articles found"
    examples: ClassVar[str] = """
        flong articles
        flong articles news.example --limit 5
        flong articles --since 2026-01-31 --min-confidence 0.8 --json
        flong articles --pattern 3 --contains election
        flong articles --kind page
        flong articles --retired
    """

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add sites and filters."""
        add_sites_argument(parser)
        parser.add_argument(
            "--min-confidence", type=float, default=0.0, metavar="X", help="from 0 to 1"
        )
        parser.add_argument(
            "--pattern", type=whole_number, metavar="N", help="extracted by pattern N"
        )
        parser.add_argument(
            "--retired", action="store_true", help="only pages that are no longer articles"
        )
        LISTING.add_arguments(parser)
        parser.set_defaults(kind=ArticleKind.NEWS)

    def work(self, store: Store, options: argparse.Namespace) -> int:
        """Print one line per article, latest first and undated last; full articles as JSON."""
        chosen = ArticleChoice(
            sites=tuple(chosen_sites(store, options.sites)),
            min_confidence=options.min_confidence,
            pattern_id=options.pattern,
            retired=options.retired,
            kinds=chosen_kinds(options.kind),
            with_provenance=options.json,
        )
        options.kind = None  # chosen
        LISTING.show((_row(row, options) for row in store.articles.chosen(chosen)), options)
        return DONE


def _row(row: ArticleRow, options: argparse.Namespace) -> Row:
    published = {} if options.json else {"published": row.dated if row.article.published else ""}
    return {
        "article": row.page_id,
        "site": row.site,
        "kind": row.article.kind,
        "dated": row.article.published or row.first_seen,
        "words": word_count(row.article.body),
        "pattern": row.pattern_id,
        **values_of(row),
        **published,
    }
