"""When a site no longer fits what was learned about it."""

from flong.storage import Site, Store

UNFITTED = 10
"""Pages that fit no pattern at which a site is learned again; more on a large site."""
UNFITTED_SHARE = 0.1
"""Share of the pages of a site that may fit no pattern."""
GROWN_SHARE = 0.25
"""Share of the pages of a site that may have come since it was learned."""


def outgrown(store: Store, site: Site) -> str:
    """Return in what way a site has outgrown what was learned about it; empty if it has not."""
    pages = len(store.pages.urls(site))
    unfitted = store.extractions.unfitted(site)
    if unfitted >= max(UNFITTED, UNFITTED_SHARE * pages):
        return f"{unfitted} pages fit no pattern"
    new = store.models.pages_since_learned(site)
    if new >= max(UNFITTED, GROWN_SHARE * pages):
        return f"{new} of {pages} pages have come since it was last learned"
    return ""
