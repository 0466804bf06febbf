"""What to try when a site gives little to learn from."""

from enum import Enum

from flong.console import show_note
from flong.program import program
from flong.storage import Site, Store

FEW_PAGES = 10
"""Pages below which templates can hardly be told from content."""
FEW_WORDS = 25
"""Different words on a page below which nobody can read an article there."""
LOOKED_AT = 10
"""Pages whose words are counted."""


class Hint(Enum):
    """What a site lacks; the value is what to tell the user."""

    PAGES = "{site} has no stored page: is the URL right? {program} runs shows what happened."
    SCRIPTS = (
        "The pages of {site} have hardly any text until scripts have run. "
        "Try a browser: {program} crawl {url} -a render=1"
    )
    TEXT = "The pages of {site} have hardly any text: is the URL right?"
    MORE_PAGES = (
        "{site} has only {pages} stored pages, too few to learn templates from. Is the URL the "
        "one of the home page, and do depth and max_pages let more in? If its links come from "
        "scripts, try -a render=1"
    )


def find_hint(store: Store, site: Site, *, few_articles: bool = False) -> Hint | None:
    """Return what a site lacks, None if it has enough pages and is not known to be in want."""
    page_ids = store.pages.ids(site)
    if not page_ids:
        return Hint.PAGES
    if len(page_ids) >= FEW_PAGES and not few_articles:
        return None
    from flong.document import visible_words  # noqa: PLC0415 - loads the compiler

    some = [row.html for row in store.pages.sound_rows(site, only=page_ids[:LOOKED_AT])]
    bare = [html for html in some if len(visible_words(html)) < FEW_WORDS]
    if len(bare) > len(some) / 2:
        scripted = any("<script" in html.lower() for html in bare) and not site.settings.render
        return Hint.SCRIPTS if scripted else Hint.TEXT
    return Hint.MORE_PAGES if len(page_ids) < FEW_PAGES else None


def hint(store: Store, site: Site, *, few_articles: bool = False) -> str:
    """Return what to try, in a sentence or two; empty if nothing is lacking."""
    lack = find_hint(store, site, few_articles=few_articles)
    if lack is None:
        return ""
    pages = len(store.pages.ids(site))
    return lack.value.format(program=program(), site=site.name, url=site.url, pages=pages)


def show_hint(store: Store, site: Site, *, few_articles: bool = False) -> None:
    """Print the hint, if there is one, for a person."""
    words = hint(store, site, few_articles=few_articles)
    if words:
        show_note(words)
