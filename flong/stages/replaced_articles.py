"""Articles whose pages show something else tonight: a redesign, a soft 404, or a broken site.

A redesign shows the same texts in other templates; then the site is learned again. An error page
does not show them. Where many articles are replaced by what does not show them, the site is broken,
and nothing that it showed in the place of articles is believed, also where a good part of one was
left and passed for an edit: the pages get back what they were.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from flong.stages.article_merge import SURE, merge_other_text
from flong.states import Kept, Outcome, PageFate
from flong.storage import ArticleFetches, ReplacedArticle, Run, Site, Store
from flong.workers.pool import PAGE_SECONDS

FEWEST_LOST = 3
"""Articles replaced by nothing that make a broken night, if they are a good share of..."""
LOST_SHARE = 0.3
"""...the articles whose pages changed tonight."""
FEWEST_REPLACED = 5
"""Articles replaced by nothing or by another text that make one, if they are a good share of..."""
REPLACED_SHARE = 0.15
"""...all articles of the site: some pages show another text every day, but never so many."""


def is_broken(replaced: Sequence[ReplacedArticle], *, changed: int, articles: int) -> bool:
    """Tell whether so many articles are no longer shown that the site cannot be believed.

    `changed` is how many articles have another document tonight, `articles` how many there are.
    """
    lost = sum(each.kept is Kept.NOTHING for each in replaced)
    return lost >= max(FEWEST_LOST, LOST_SHARE * changed) or len(replaced) >= max(
        FEWEST_REPLACED, REPLACED_SHARE * articles
    )


def judge_replaced(store: Store, site: Site, crawl: Run, *, seconds: float = PAGE_SECONDS) -> int:
    """Decide on the articles that pages of a crawl no longer give; return how many were broken.

    Soft 404s are marked as gone. On a broken night the other pages are given back what they
    were, and so are those of articles that were edited or cut. On any other night a text replaces
    the article that it has nothing in common with, and one that nobody was sure of is retired.
    """
    replaced = store.crawls.replaced_articles(crawl)
    fates = _fates(store, site, replaced, seconds) if replaced else {}
    store.pages.mark_soft_404([page for page, fate in fates.items() if fate is PageFate.MISSING])
    lost = [each for each in replaced if fates.get(each.page_id, PageFate.LOST) is PageFate.LOST]
    changed, articles = store.crawls.count_changed_articles(crawl), store.articles.count(site)
    known_broken = store.crawls.count(crawl, Outcome.BROKEN) > 0
    if known_broken or is_broken(lost, changed=changed, articles=articles):
        if _reject(store, site, crawl, lost):
            _extract(store, site, seconds)
    elif lost:
        _believe(store, site, lost, seconds)
    return store.crawls.count(crawl, Outcome.BROKEN)


def _reject(store: Store, site: Site, crawl: Run, lost: Sequence[ReplacedArticle]) -> bool:
    """Give pages of a broken night back what they were; tell whether there were any."""
    with store.transaction():
        edited = store.crawls.edited_articles(crawl)
        store.articles.undo_edits(edited, Kept.OTHER_TEXT)
        pages = {each.page_id for each in lost}.union(edited, store.crawls.cut_articles(crawl))
        store.pages.reject(site, crawl, sorted(pages), Outcome.BROKEN)
    return bool(pages)


def reject_unread(store: Store, site: Site, crawl: Run, *, seconds: float = PAGE_SECONDS) -> None:
    """Undo the error pages of a broken night before the site is learned anew from them."""
    changed = store.crawls.replaced_articles(crawl, unread=True)
    fates = _fates(store, site, changed, seconds) if changed else {}
    lost = [
        each for each in changed if fates.get(each.page_id, PageFate.LOST) is not PageFate.SHOWN
    ]
    if is_broken(lost, changed=len(changed), articles=store.articles.count(site)):
        store.pages.reject(site, crawl, [each.page_id for each in lost], Outcome.BROKEN)


def _fates(
    store: Store, site: Site, replaced: Sequence[ReplacedArticle], seconds: float
) -> Mapping[int, PageFate]:
    from flong.document import Document  # noqa: PLC0415 - a quiet night needs no trees
    from flong.stages.stored_pages import document_of, results  # noqa: PLC0415

    bodies = {each.page_id: each.body for each in replaced}
    rows = store.pages.sound_rows(site, only=list(bodies))
    documents = (replace(document_of(row), article=bodies[row.id]) for row in rows)
    return {each.page_id: fate for each, fate in results(documents, Document.fate, seconds)}


def _believe(store: Store, site: Site, lost: Sequence[ReplacedArticle], seconds: float) -> None:
    others = [each.page_id for each in lost if each.kept is Kept.OTHER_TEXT]
    if others:
        _extract(store, site, seconds, only=others)
    store.articles.retire(
        [
            each.page_id
            for each in lost
            if each.kept is Kept.NOTHING and each.method != "pattern" and each.confidence < SURE
        ]
    )


def _extract(
    store: Store, site: Site, seconds: float, *, only: Sequence[int] | None = None
) -> None:
    from flong.stages.extraction import extract  # noqa: PLC0415 - loads the compiler

    if only is None:
        extract(store, site, seconds=seconds)
    else:
        extract(store, site, only=only, merge=merge_other_text, seconds=seconds)


FEWEST = 3
"""Articles that must be concerned before a person should look."""
SHARE = 0.3
"""Share of the articles that were asked for from which on that is no matter of single pages."""
FEW_LINKS = 2
"""Links that a page of maintenance may have to the site."""
MANY_LINKS = 5
"""Links that a home page has at least if the want of them is worth a look."""


def find_outages(store: Store, site: Site, crawl: Run) -> list[str]:
    """Return what a person should know about, a sentence each; nothing after a usual night."""
    return [*_home(store, site, crawl), *_articles(site, store.crawls.article_fetches(crawl))]


def _home(store: Store, site: Site, crawl: Run) -> Iterator[str]:
    links = store.crawls.home_links(crawl)
    if links is not None and links.now <= FEW_LINKS and links.before >= MANY_LINKS:
        yield (
            f"The home page of {site.name} leads to {links.now or 'none'} of its pages, "
            f"{links.before} before: it may be empty, or under maintenance."
        )


def _articles(site: Site, found: ArticleFetches) -> Iterator[str]:
    enough = max(FEWEST, SHARE * found.asked)
    failed = sum(found.failed.values())
    if failed >= enough:
        reasons = sorted(found.failed.items(), key=lambda each: -each[1])
        words = ", ".join(f"{reason} ({count})" for reason, count in reasons[:3])
        yield (
            f"{failed} of {found.asked} articles of {site.name} that were asked for could not be "
            f"had: {words}. What is known of them was kept."
        )
    if found.gone >= enough:
        yield (
            f"{found.gone} of {found.asked} articles of {site.name} that were asked for are gone "
            "since the last night. What is known of them was kept."
        )
    if found.redirected >= enough:
        yield (
            f"{found.redirected} of {found.asked} articles of {site.name} that were asked for lead "
            "to another URL now. What is known of them was kept."
        )
