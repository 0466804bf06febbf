"""The list of articles: those that need a look first, or the latest."""

from collections.abc import Iterator
from dataclasses import dataclass

from flong.inspector.database import ReadOnlyDatabase
from flong.inspector.paging import ROWS, Day, Number, Part, Share, part_of
from flong.storage import ArticleFilters, ArticleLine, ArticleRow


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedArticles(ArticleFilters):
    """Which articles are asked for, in the bounds of what can be."""

    since: Day = ""
    until: Day = ""
    pattern: Number = None
    least: Share = None
    most: Share = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticlesView:
    """Articles, a part of the list."""

    filters: ArticleFilters
    """What was asked for."""
    articles: list[ArticleLine]
    """Those of this part."""
    part: Part
    """Which part."""
    sites: list[str]
    """Names of all sites."""


def view_articles(database: ReadOnlyDatabase, filters: ArticleFilters, page: int) -> ArticlesView:
    """Return a part of the articles asked for."""
    lists = database.store.lists
    part = part_of(lists.count_articles(filters), page)
    rows = lists.articles(filters, first=part.first, rows=ROWS)
    names = [site.name for site in database.store.sites.all()]
    return ArticlesView(filters=filters, articles=rows, part=part, sites=names)


def chosen_articles(database: ReadOnlyDatabase, filters: ArticleFilters) -> Iterator[ArticleRow]:
    """Stream the articles asked for, whole, in the order of the list."""
    for page_id in database.store.lists.article_ids(filters):
        row = database.store.articles.find(page_id)
        if row is not None:
            yield row
