"""Hints for sites that give little to learn from."""

from flong.console import show_note
from flong.findings import Finding, sentence
from flong.states import FindingKind
from flong.storage import Site, Store

FEW_PAGES = 10
"""Minimum number of pages to distinguish templates from content."""
FEW_WORDS = 25
"""Minimum number of different words on a page that can be an article."""
LOOKED_AT = 10
"""Maximum number of pages whose words are counted."""


def find_hint(store: Store, site: Site, *, few_articles: bool = False) -> Finding | None:
    """Return why there is little to learn from a site, or None.

    The texts of a site with enough pages are only examined if it has `few_articles`.
    """
    page_ids = store.pages.ids(site)
    if not page_ids:
        return Finding(kind=FindingKind.NO_PAGES, site=site.name)
    if len(page_ids) >= FEW_PAGES and not few_articles:
        return None
    from flong.document import visible_words  # noqa: PLC0415 - loads the compiler

    some = [row.html for row in store.pages.sound_rows(site, only=page_ids[:LOOKED_AT])]
    bare = [html for html in some if len(visible_words(html)) < FEW_WORDS]
    if len(bare) > len(some) / 2:
        if any("<script" in html.lower() for html in bare) and not site.settings.render:
            return Finding(kind=FindingKind.NEEDS_BROWSER, site=site.name, detail=site.url)
        return Finding(kind=FindingKind.NO_TEXT, site=site.name)
    if len(page_ids) >= FEW_PAGES:
        return None
    return Finding(kind=FindingKind.FEW_PAGES, site=site.name, counts={"pages": len(page_ids)})


def show_hint(store: Store, site: Site) -> None:
    """Print the hint, if there is one."""
    found = find_hint(store, site)
    if found is not None:
        show_note(sentence(found))
