"""Run and train the V-Wrapper on stored pages, laid out without network access."""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from flong.article import Article
from flong.baselines import make_article
from flong.console import progress_bar, told
from flong.errors import PipelineError
from flong.program import program
from flong.stages.stored_pages import read_pages
from flong.states import Verdict
from flong.storage import ArticleRow, PageRow, Site, Store
from flong.tree import SitePage
from flong.visual.block_tree import BlockTree, unpack_blocks
from flong.visual.browser import Browser, RenderingError
from flong.visual.labels import CONTENT, TITLE, label_leaves
from flong.visual.model_json import TrainedWrapper, read_wrapper, shipped_wrapper
from flong.visual.training import LabelledBlocks, train, train_published
from flong.visual.wrapper import VisualAnswer, Wrapper

logger = logging.getLogger(__name__)

MOST_ARTICLES, MOST_OTHERS = 40, 20
"""Maximum pages per site for training: articles, others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrapperAgreement:
    """Agreement of a wrapper with the stored articles of a site."""

    site: str
    """Name of the site."""
    articles: int
    """Articles compared."""
    leaf_f1: float
    """Mean F1 of the title and content leaves, counted as in the paper."""
    title: float
    """Fraction of articles with the same title."""
    others_taken: float
    """Fraction of other pages on which the wrapper finds an article."""


Wrappers = Mapping[bool, Wrapper]
"""Wrappers for pages laid out with style sheets (True) and without (False)."""


class LaidOutPage(NamedTuple):
    """A stored page with its blocks."""

    row: PageRow
    page: SitePage
    blocks: BlockTree
    styled: bool
    """The blocks were taken by the crawl, which loads style sheets."""


def load_wrappers(method: str, path: Path | None = None) -> Wrappers:
    """Return the wrapper in a file, or the two shipped ones."""
    if path is None:
        return {styled: shipped_wrapper(method, styled=styled).wrapper for styled in (True, False)}
    try:
        return dict.fromkeys((True, False), read_wrapper(path.read_text(encoding="utf-8")).wrapper)
    except OSError as error:
        raise PipelineError(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:
        raise PipelineError(f"{path} is not usable: {error}.") from error


def read_article(
    wrapper: Wrapper, page: SitePage, blocks: BlockTree, method: str
) -> Article | None:
    """Return the article that a wrapper finds on a page, or None."""
    answer = wrapper.read(blocks)
    leaves = tuple(blocks.vertex[answer.content].tolist())
    titles = blocks.vertex[answer.titles].tolist()
    text = " ".join(" ".join(map(page.tree.text_of, titles)).split())
    return make_article(page, leaves, method, title=(text, None)) if leaves else None


def articles_by_wrapper(
    store: Store, site: Site, method: str, browser: Browser, seconds: float
) -> Iterator[ArticleRow]:
    """Yield the articles that a V-Wrapper finds on all pages of a site. Nothing is stored."""
    wrappers, ids = load_wrappers(method), store.pages.ids(site)
    with progress_bar(f"Laying out {site.name}") as tell:
        found = told(read_pages(store, site, ids, seconds), tell, "pages", len(ids))
        for row, page, blocks, styled in laid_out(store, found, browser):
            article = read_article(wrappers[styled], page, blocks, method)
            if article is not None:
                yield ArticleRow(
                    page_id=row.id,
                    site=site.name,
                    article=article,
                    pattern_id=None,
                    first_seen=row.first_seen,
                    extracted_at=datetime.now(UTC),
                )


def laid_out(
    store: Store, pages: Iterable[tuple[PageRow, SitePage]], browser: Browser
) -> Iterator[LaidOutPage]:
    """Yield stored pages with their blocks; log and skip pages that cannot be laid out.

    Blocks taken during the crawl are reused. Other pages are laid out with their inline styles
    only.
    """
    for row, page in pages:
        try:
            taken = store.pages.blocks(row)
            if taken is not None:
                yield LaidOutPage(row, page, unpack_blocks(taken), True)
            else:
                yield LaidOutPage(row, page, browser.blocks(row.url, row.html, page.tree), False)
        except RenderingError as error:
            logger.warning("%s", error)


def labelled_pages(
    store: Store, site: Site, browser: Browser, seconds: float
) -> Iterator[LabelledBlocks]:
    """Yield pages of a site, labelled by their stored articles."""
    articles = {row.page_id: row.article for row in store.articles.all(site, limit=MOST_ARTICLES)}
    decided = (row for row in store.extractions.of(site) if row.verdict == Verdict.OTHER)
    others = [row.page_id for row, _ in zip(decided, range(MOST_OTHERS), strict=False)]
    found = read_pages(store, site, [*articles, *others], seconds)
    for row, page, blocks, styled in laid_out(store, found, browser):
        article = articles.get(row.id)
        title, body = (article.title, article.body) if article else ("", "")
        labels = label_leaves(page.tree, blocks, title, body)
        yield LabelledBlocks(blocks=blocks, labels=labels, site=site.name, styled=styled)


def train_on(
    store: Store, sites: Sequence[Site], browser: Browser, seconds: float, *, as_published: bool
) -> TrainedWrapper:
    """Return a wrapper trained on the articles of some sites."""
    pages = [page for site in sites for page in labelled_pages(store, site, browser, seconds)]
    if not any((page.labels == CONTENT).any() for page in pages):
        raise PipelineError(f"There is no article to learn from. Run: {program()} extract")
    return TrainedWrapper(
        wrapper=train_published(pages) if as_published else train(pages),
        sites=tuple(site.name for site in sites),
        pages=len(pages),
        fingerprint=fingerprint(pages),
    )


def fingerprint(pages: Sequence[LabelledBlocks]) -> str:
    """Return a digest of pages and labels."""
    whole = sha256()
    for page in pages:
        whole.update(page.blocks.rows.tobytes() + page.labels.tobytes())
    return whole.hexdigest()[:16]


def compare(
    store: Store, site: Site, wrappers: Wrappers, browser: Browser, seconds: float
) -> WrapperAgreement:
    """Return the agreement of wrappers with the stored articles of a site."""
    scores, titles, taken = [], [], []
    for page in labelled_pages(store, site, browser, seconds):
        answer = wrappers[page.styled].read(page.blocks)
        if (page.labels == CONTENT).any():
            scores.append(leaf_f1(page, answer))
            titles.append([*answer.titles] == [*page.blocks.leaves[page.labels == TITLE]])
        else:
            taken.append(len(answer.content) > 0)
    return WrapperAgreement(
        site=site.name,
        articles=len(scores),
        leaf_f1=sum(scores) / max(len(scores), 1),
        title=sum(titles) / max(len(titles), 1),
        others_taken=sum(taken) / max(len(taken), 1),
    )


def leaf_f1(page: LabelledBlocks, answer: VisualAnswer) -> float:
    """Return the F1 of title and content leaves; labels must match."""
    leaves = page.blocks.leaves
    expected = {
        (int(leaf), label) for label in (CONTENT, TITLE) for leaf in leaves[page.labels == label]
    }
    found = {(int(leaf), CONTENT) for leaf in answer.content}
    found |= {(int(leaf), TITLE) for leaf in answer.titles}
    return 2 * len(expected & found) / max(len(expected) + len(found), 1)
