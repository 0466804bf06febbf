"""Articles whose pages show something else tonight: a redesign, a soft 404, or a broken site.

A redesign shows the same texts in other templates; then the site is learned again. Error pages do
not show them. If many articles are replaced by other texts, the site is broken. Then all such pages
get their earlier documents back, also those where part of an article was left, as after an edit.
Pages that were not articles before do not become articles on such a night.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from flong.findings import Finding
from flong.stages.article_merge import SURE, merge_other_text
from flong.states import ArticleMethod, FindingKind, KeepReason, Outcome, PageFate
from flong.storage import ReplacedArticle, Run, Site, Store
from flong.workers.pool import PAGE_SECONDS

FEWEST_LOST = 3
"""Minimum number of lost articles of a broken night, and..."""
LOST_SHARE = 0.3
"""...their minimum fraction of the articles whose pages changed tonight."""
FEWEST_REPLACED = 5
"""Minimum number of lost and replaced articles of a broken night, and..."""
REPLACED_SHARE = 0.15
"""...their minimum fraction of all articles. A few pages show another text every day."""
ON_BROKEN_NIGHT = "not an article: its first text is of a night when the site was broken"
"""Reason of the decision about a known page that became an article on a broken night."""


def is_broken(replaced: Sequence[ReplacedArticle], *, changed: int, articles: int) -> bool:
    """Return True if too many articles are no longer shown.

    `changed` is the number of articles with a changed document, `articles` that of all articles.
    """
    lost = sum(each.kept is KeepReason.NOTHING for each in replaced)
    return lost >= max(FEWEST_LOST, LOST_SHARE * changed) or len(replaced) >= max(
        FEWEST_REPLACED, REPLACED_SHARE * articles
    )


def judge_replaced(store: Store, site: Site, crawl: Run, *, seconds: float = PAGE_SECONDS) -> int:
    """Decide on the articles that the pages of a crawl no longer show; return how many are broken.

    Soft 404s are marked as gone. On a broken night the other pages get their earlier documents
    back, and so do pages whose articles were edited or cut. On other nights an unrelated text
    replaces an article, and an article of low confidence is retired.
    """
    replaced = store.runs.replaced_articles(crawl)
    fates = _fates(store, site, replaced, seconds) if replaced else {}
    store.pages.mark_soft_404([page for page, fate in fates.items() if fate is PageFate.MISSING])
    lost = [each for each in replaced if fates.get(each.page_id, PageFate.LOST) is PageFate.LOST]
    changed, articles = store.runs.count_changed_articles(crawl), store.articles.count(site)
    known_broken = store.runs.count_outcome(crawl, Outcome.BROKEN) > 0
    if known_broken or is_broken(lost, changed=changed, articles=articles):
        if _reject(store, site, crawl, lost):
            _extract(store, site, seconds)
    elif lost:
        _believe(store, site, crawl, lost, seconds)
    return store.runs.count_outcome(crawl, Outcome.BROKEN)


def _reject(store: Store, site: Site, crawl: Run, lost: Sequence[ReplacedArticle]) -> bool:
    """Restore the pages of a broken night; return True if there were any."""
    with store.transaction():
        edited = store.runs.edited_articles(crawl)
        store.articles.undo_edits(edited, KeepReason.OTHER_TEXT)
        store.articles.withhold(store.runs.begun_articles(crawl), crawl, ON_BROKEN_NIGHT)
        pages = {each.page_id for each in lost}.union(edited, store.runs.cut_articles(crawl))
        store.pages.reject(site, crawl, sorted(pages), Outcome.BROKEN)
    return bool(pages)


def reject_unread(store: Store, site: Site, crawl: Run, *, seconds: float = PAGE_SECONDS) -> None:
    """Undo the error pages of a broken night before the site is learned from them."""
    changed = store.runs.replaced_articles(crawl, unread=True)
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


def _believe(
    store: Store, site: Site, crawl: Run, lost: Sequence[ReplacedArticle], seconds: float
) -> None:
    others = [each.page_id for each in lost if each.kept is KeepReason.OTHER_TEXT]
    if others:
        _extract(store, site, seconds, only=others)
    store.articles.retire(
        [
            each.page_id
            for each in lost
            if each.kept is KeepReason.NOTHING
            and each.method != ArticleMethod.PATTERN
            and each.confidence < SURE
        ],
        crawl,
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
"""Minimum number of articles that is reported."""
SHARE = 0.3
"""Report an outage when at least this fraction of requested articles is concerned."""
FEW_LINKS = 2
"""Maximum number of links of any maintenance page to its site."""
LEFT_LINKS = 0.2
"""Maximum fraction of the links of a home page that is left on a maintenance page."""
MANY_LINKS = 5
"""Minimum number of links that a home page had before their loss is reported."""
REASONS = 3
"""Maximum number of reasons that are named, the most frequent first."""


def find_outages(store: Store, site: Site, crawl: Run) -> list[Finding]:
    """Return findings about missing articles and an empty home page."""
    found, fetches = [], store.runs.article_fetches(crawl)
    links = store.runs.home_links(crawl)
    if (
        links is not None
        and links.before >= MANY_LINKS
        and links.now <= max(FEW_LINKS, LEFT_LINKS * links.before)
    ):
        counts = {"now": links.now, "before": links.before}
        found.append(Finding(kind=FindingKind.EMPTY_HOME, site=site.name, counts=counts))
    reasons = sorted(fetches.failed.items(), key=lambda each: -each[1])
    named = ", ".join(f"{reason} ({count})" for reason, count in reasons[:REASONS])
    for kind, name, number, detail in (
        (FindingKind.ARTICLES_FAILED, "failed", sum(fetches.failed.values()), named),
        (FindingKind.ARTICLES_GONE, "gone", fetches.gone, ""),
        (FindingKind.ARTICLES_MOVED, "moved", fetches.redirected, ""),
    ):
        if number >= max(FEWEST, SHARE * fetches.asked):
            counts = {name: number, "requested": fetches.asked}
            found.append(Finding(kind=kind, site=site.name, counts=counts, detail=detail))
    return found
