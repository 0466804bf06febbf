"""Views of articles: list, text, versions and story."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends

from flong.inspector.database import ReadOnlyDatabase, need
from flong.inspector.differences import Change, compare
from flong.inspector.paging import ROWS, Day, Id, Number, Part, PartNumber, Share, part_of
from flong.search import Descent
from flong.storage import ArticleFilters, ArticleLine, ArticleRow, ArticleVersion, Headline
from flong.storage.search import Search, Story


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleView:
    """An article and its surroundings."""

    row: ArticleRow
    """The article."""
    edits: int
    """Number of earlier versions."""
    story: Story | None
    """The story that it belongs to; None if no other article has much the same text."""
    earlier: Headline | None
    """Previous article of the site by time; None for the first."""
    later: Headline | None
    """Next article of the site by time; None for the latest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionsView:
    """Two versions of an article and their differences."""

    row: ArticleRow
    """The article; its current text is the last version."""
    versions: list[ArticleVersion]
    """Earlier versions, earliest first."""
    old: int
    """Number of the version to compare; 1 is the earliest."""
    new: int
    """Number of the version that it is compared with."""
    title: list[Change]
    """Differences of the headlines."""
    paragraphs: list[list[Change]]
    """Differences of the texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleStoryView:
    """The story of an article."""

    row: ArticleRow
    """The article."""
    members: list[Descent]
    """Articles of the story in order of appearance; empty if there is no other."""


def view_article(database: ReadOnlyDatabase, article_id: Id) -> ArticleView:
    """Show an article."""
    store, row = database.store, find_article(database, article_id)
    earlier, later = store.articles.neighbours(row)
    return ArticleView(
        row=row,
        edits=len(store.articles.versions(article_id)),
        story=Search(store).story_of(article_id),
        earlier=earlier,
        later=later,
    )


def find_article(database: ReadOnlyDatabase, article_id: int) -> ArticleRow:
    """Return the article of a page."""
    return need(database.store.articles.find(article_id), f"article {article_id}")


def view_article_page(database: ReadOnlyDatabase, article_id: Id) -> ArticleView:
    """Show an article beside its stored page."""
    return view_article(database, article_id)


def view_versions(
    database: ReadOnlyDatabase, article_id: Id, old: Number = None, new: Number = None
) -> VersionsView:
    """Compare two versions of an article word by word."""
    row = find_article(database, article_id)
    versions = database.store.articles.versions(article_id)
    texts = [(each.title, each.body) for each in versions]
    texts.append((row.article.title, row.article.body))
    last = len(texts)
    numbers = [min(max(1, old or last - 1), last), min(max(1, new or last), last)]
    before, after = (texts[number - 1] for number in numbers)
    return VersionsView(
        row=row,
        versions=versions,
        old=numbers[0],
        new=numbers[1],
        title=[change for line in compare(before[0], after[0]) for change in line],
        paragraphs=compare(before[1], after[1]),
    )


def view_article_story(database: ReadOnlyDatabase, article_id: Id) -> ArticleStoryView:
    """List the articles of the story of an article."""
    search, row = Search(database.store), find_article(database, article_id)
    story = search.story_of(article_id)
    return ArticleStoryView(row=row, members=search.lineage(story.id) if story else [])


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedArticles(ArticleFilters):
    """Filters of the list of articles, checked."""

    since: Day = ""
    until: Day = ""
    pattern: Number = None
    least: Share = None
    most: Share = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticlesView:
    """One part of the list of articles."""

    filters: ArticleFilters
    """Filters of the list."""
    articles: list[ArticleLine]
    """Articles of this part."""
    part: Part
    """Position of this part."""
    sites: list[str]
    """Names of all sites."""


def view_articles(
    database: ReadOnlyDatabase, filters: Annotated[AskedArticles, Depends()], page: PartNumber = 1
) -> ArticlesView:
    """List articles, those that need a look first."""
    lists = database.store.lists
    part = part_of(lists.count_articles(filters), page)
    rows = lists.articles(filters, first=part.first, rows=ROWS)
    names = [site.name for site in database.store.sites.all()]
    return ArticlesView(filters=filters, articles=rows, part=part, sites=names)


def chosen_articles(database: ReadOnlyDatabase, filters: ArticleFilters) -> Iterator[ArticleRow]:
    """Stream the filtered articles with their text, in the order of the list."""
    for page_id in database.store.lists.article_ids(filters):
        row = database.store.articles.find(page_id)
        if row is not None:
            yield row
