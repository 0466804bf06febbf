"""What a night looks at before it believes a site: articles that are gone or cut."""

from collections.abc import Sequence

from pipeline.worker import PAGE_SECONDS
from storage import Decision, Figures, Run, Site, Store

SHARE = 0.3
"""Share of the articles from which on a site has a paywall."""
FEWEST_CUT = 3
"""Articles shown only in part that make a paywall."""


def find_missing(store: Store, site: Site, crawl: Run, seconds: float = PAGE_SECONDS) -> list[int]:
    """Return the pages that no longer have their article and say that nothing is there."""
    lost = store.lost_articles(crawl)
    if not lost:
        return []
    from pipeline.reader import Document  # noqa: PLC0415 - a quiet night needs no trees
    from pipeline.stored import answers, document_of  # noqa: PLC0415

    documents = map(document_of, store.page_rows(site, only=lost))
    read = answers(documents, Document.is_missing, seconds)
    return [document.page_id for document, missing in read if missing]


def find_cut(decisions: Sequence[Decision]) -> int:
    """Return how many articles are shown only in part since tonight.

    None unless that befell a good share of the articles that changed.
    """
    known = [each for each in decisions if each.title is not None and not each.is_new]
    cut = [each for each in known if each.is_kept and "a part" in each.reason]
    changed = [each for each in known if each.before_pattern_id]
    return len(cut) if len(cut) >= max(FEWEST_CUT, SHARE * len(changed)) else 0


def is_cut_lastingly(cut: int, articles: int) -> bool:
    """Tell whether so many of the articles of a site are shown only in part that it has a paywall.

    >>> is_cut_lastingly(30, 80), is_cut_lastingly(10, 80)
    (True, False)
    """
    return cut >= max(FEWEST_CUT, SHARE * articles)


def find_short(decisions: Sequence[Decision], past: Sequence[Figures]) -> list[int]:
    """Return the new articles that have less than half the usual length."""
    usual = max((each.words or 0.0 for each in past if each.articles), default=0.0)
    fresh = [each for each in decisions if each.title is not None and each.is_new]
    return [each.page_id for each in fresh if each.words < usual / 2]
