"""One article: to be read, its versions side by side, and its story."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from flong.article import Block, paragraphs_of
from flong.inspector.database import ReadOnlyDatabase, need
from flong.inspector.differences import Change, compare
from flong.inspector.paging import ROWS, Day, Number, Part, Share, part_of
from flong.inspector.search import LineageView, lineage_of
from flong.storage import ArticleFilters, ArticleLine, ArticleRow, Headline
from flong.storage.search import Search


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleView:
    """An article to be read."""

    article: int
    """Id of its page."""
    site: str
    """Name of its site."""
    url: str
    """Its URL."""
    page_urls: tuple[str, ...]
    """URLs of all its pages, in order, if it is spread over several."""
    other_urls: tuple[str, ...]
    """Other URLs at which it stands, too."""
    description: str | None
    """What the page says of it in a sentence or two."""
    tags: tuple[str, ...]
    """What it is about, as the site tags it."""
    title: str
    """The headline."""
    authors: tuple[str, ...]
    """Names as printed."""
    dated: str
    """When it was published, or else first seen."""
    language: str | None
    """ISO 639-1 code."""
    section: str | None
    """As the site names it."""
    image: str | None
    """URL of the lead picture."""
    body: str
    """The text, a line a paragraph."""
    blocks: tuple[Block, ...]
    """The same with its structure; pictures and embeds are named, not shown."""
    retired_at: datetime | None
    """Since when its page is no longer taken for an article; None while it is."""
    edits: int
    """How often it was changed."""
    story: int | None
    """The story that others tell too; None if no other does."""
    copies: int
    """How many others do."""
    earlier: Headline | None
    """The article of the site just before it; None for the first."""
    later: Headline | None
    """The one just after it; None for the latest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """An article as it was for some time."""

    title: str
    """The headline then."""
    body: str
    """The text then."""
    seen_from: datetime | None
    """Since when it was known so; None if that is not known."""
    seen_until: datetime | None
    """When it was replaced; None for the latest version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionsView:
    """Two versions of an article, and what is different."""

    article: ArticleView
    """The article."""
    versions: list[Version]
    """All versions, the earliest first."""
    old: int
    """The one that is compared; 1 is the earliest."""
    new: int
    """The one that it is compared with."""
    title: list[Change]
    """What was changed in the headline."""
    paragraphs: list[list[Change]]
    """What was changed in the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleStoryView:
    """Who else tells the story of an article."""

    article: ArticleView
    """The article."""
    members: list[LineageView]
    """The articles of the story, the first one first; empty if no other tells it."""


def view_article(database: ReadOnlyDatabase, page_id: int) -> ArticleView:
    """Return an article to be read."""
    store = database.store
    row = need(store.articles.find(page_id), f"article {page_id}")
    story = Search(store).story_of(page_id)
    earlier, later = store.articles.neighbours(row)
    article = row.article
    return ArticleView(
        article=page_id,
        site=row.site,
        url=article.url,
        page_urls=article.page_urls,
        other_urls=article.other_urls,
        description=article.description,
        tags=article.tags,
        title=article.title,
        authors=article.authors,
        dated=row.dated,
        language=article.language,
        section=article.section,
        image=article.image,
        body=article.body,
        blocks=article.blocks or paragraphs_of(article.body),
        retired_at=row.retired_at,
        edits=len(store.articles.versions(page_id)),
        story=story.id if story else None,
        copies=len(story.members) - 1 if story else 0,
        earlier=earlier,
        later=later,
    )


def view_versions(
    database: ReadOnlyDatabase, page_id: int, old: int | None, new: int | None
) -> VersionsView:
    """Return two versions of an article, the last two unless others are asked for."""
    article = view_article(database, page_id)
    versions = _versions(database, article)
    last = len(versions)
    two = [min(max(1, old or last - 1), last), min(max(1, new or last), last)]
    before, after = (versions[at - 1] for at in two)
    return VersionsView(
        article=article,
        versions=versions,
        old=two[0],
        new=two[1],
        title=[change for line in compare(before.title, after.title) for change in line],
        paragraphs=compare(before.body, after.body),
    )


def _versions(database: ReadOnlyDatabase, article: ArticleView) -> list[Version]:
    past = [
        Version(title=old.title, body=old.body, seen_from=old.seen_from, seen_until=old.seen_until)
        for old in database.store.articles.versions(article.article)
    ]
    latest = Version(
        title=article.title,
        body=article.body,
        seen_from=past[-1].seen_until if past else None,
        seen_until=None,
    )
    return [*past, latest]


def view_article_story(database: ReadOnlyDatabase, page_id: int) -> ArticleStoryView:
    """Return who had the story of an article first, and who copied how much."""
    article = view_article(database, page_id)
    members = [] if article.story is None else lineage_of(database, article.story)
    return ArticleStoryView(article=article, members=members)


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
