"""What a search finds as a feed."""

from dataclasses import replace

from flong.search import Entry, Feed
from flong.storage.search.reader import Result, Search, SearchSettings


def search_feed(
    search: Search, query: str, settings: SearchSettings, feed: Feed, *, full_text: bool
) -> Feed:
    """Return a feed of what a query finds, the latest first, one entry a story."""
    results = search.find(query, replace(settings, is_latest_first=True)).results
    return replace(feed, entries=[_entry(each, full_text=full_text) for each in results])


def _entry(result: Result, *, full_text: bool) -> Entry:
    article = result.row.article
    published = article.published or result.row.first_seen
    return Entry(
        url=article.url,
        title=article.title,
        summary=" ".join(str(excerpt) for excerpt in result.excerpts),
        published=published,
        updated=max(published, article.modified or published),
        authors=article.authors,
        body=article.body if full_text else "",
        image=article.image,
        language=article.language,
        site=result.row.site,
    )
