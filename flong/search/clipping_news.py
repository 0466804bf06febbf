"""What a night brought for each clipping."""

from datetime import datetime

from flong.stages.report import LISTED, Clipped, Told
from flong.storage import SearchSettings, Site, Store


def new_clippings(store: Store, site: Site, since: datetime) -> list[Clipped]:
    """Return the clippings that new articles of a site fit, with some of these.

    What was found at `since` or later is new.
    """
    found = []
    for clipping in store.clippings.all():
        if clipping.sites and site.name not in clipping.sites:
            continue
        settings = SearchSettings(sites=frozenset({site.name}), found_since=since, limit=LISTED)
        new = store.search.find(clipping.query, settings)
        if new.total:
            told = [
                Told(url=row.article.url, title=row.article.title, page=row.page_id)
                for row in (each.row for each in new.results)
            ]
            found.append(Clipped(name=clipping.name, new=new.total, articles=told))
    return found
