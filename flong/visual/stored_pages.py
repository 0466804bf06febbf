"""The V-Wrapper on stored pages: laid out without the network, read, learned from."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

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
"""Pages of a site that one learns from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrapperAgreement:
    """How far a wrapper finds on a site what is stored of it."""

    site: str
    """The site."""
    articles: int
    """Articles that were compared."""
    leaf_f1: float
    """Mean F1 of the leaves that are title and content, as the paper counts them."""
    title: float
    """Share of the articles with the same title."""
    others_taken: float
    """Share of the other pages on which it finds an article."""


def load_wrapper(method: str, path: Path | None = None) -> TrainedWrapper:
    """Return the wrapper in a file, or the one that comes with the program."""
    if path is None:
        return shipped_wrapper(method)
    try:
        return read_wrapper(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise PipelineError(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:
        raise PipelineError(f"{path} cannot be used: {error}.") from error


def read_article(
    wrapper: Wrapper, page: SitePage, blocks: BlockTree, method: str
) -> Article | None:
    """Return what a wrapper takes for the article of a page."""
    answer = wrapper.read(blocks)
    leaves = tuple(blocks.vertex[answer.content].tolist())
    titles = blocks.vertex[answer.titles].tolist()
    text = " ".join(" ".join(map(page.tree.text_of, titles)).split())
    return make_article(page, leaves, method, title=(text, None)) if leaves else None


def articles_by_wrapper(
    store: Store, site: Site, method: str, browser: Browser, seconds: float
) -> Iterator[ArticleRow]:
    """Yield what a V-Wrapper finds on all pages of a site; none is stored."""
    wrapper, ids = load_wrapper(method).wrapper, store.pages.ids(site)
    with progress_bar(f"Laying out {site.name}") as tell:
        found = told(read_pages(store, site, ids, seconds), tell, "pages", len(ids))
        for row, page, blocks in laid_out(store, found, browser):
            article = read_article(wrapper, page, blocks, method)
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
) -> Iterator[tuple[PageRow, SitePage, BlockTree]]:
    """Yield stored pages with their blocks; one that cannot be laid out is left out and logged.

    The blocks are those that were taken while crawling; else the page is laid out, as far as it
    holds its styles itself.
    """
    for row, page in pages:
        try:
            taken = store.pages.blocks(row)
            yield (
                row,
                page,
                unpack_blocks(taken)
                if taken is not None
                else browser.blocks(row.url, row.html, page.tree),
            )
        except RenderingError as error:
            logger.warning("%s", error)


def labelled_pages(
    store: Store, site: Site, browser: Browser, seconds: float
) -> Iterator[LabelledBlocks]:
    """Yield pages of a site, labelled by the articles that are stored of them: no hand labels."""
    articles = {row.page_id: row.article for row in store.articles.all(site, limit=MOST_ARTICLES)}
    decided = (row for row in store.extractions.of(site) if row.verdict == Verdict.OTHER)
    others = [row.page_id for row, _ in zip(decided, range(MOST_OTHERS), strict=False)]
    found = read_pages(store, site, [*articles, *others], seconds)
    for row, page, blocks in laid_out(store, found, browser):
        article = articles.get(row.id)
        title, body = (article.title, article.body) if article else ("", "")
        labels = label_leaves(page.tree, blocks, title, body)
        yield LabelledBlocks(blocks=blocks, labels=labels, site=site.name)


def train_on(
    store: Store, sites: Sequence[Site], browser: Browser, seconds: float, *, as_published: bool
) -> TrainedWrapper:
    """Return a wrapper learned from the articles of some sites."""
    pages = [page for site in sites for page in labelled_pages(store, site, browser, seconds)]
    if not any((page.labels == CONTENT).any() for page in pages):
        raise PipelineError(f"There is no article to learn from: {program()} extract, then again.")
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
    store: Store, site: Site, wrapper: Wrapper, browser: Browser, seconds: float
) -> WrapperAgreement:
    """Return how far a wrapper finds what is stored of a site."""
    scores, titles, taken = [], [], []
    for page in labelled_pages(store, site, browser, seconds):
        answer = wrapper.read(page.blocks)
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
    """Return the F1 of the leaves that are title or content, each with its label."""
    leaves = page.blocks.leaves
    expected = {
        (int(leaf), label) for label in (CONTENT, TITLE) for leaf in leaves[page.labels == label]
    }
    found = {(int(leaf), CONTENT) for leaf in answer.content}
    found |= {(int(leaf), TITLE) for leaf in answer.titles}
    return 2 * len(expected & found) / max(len(expected) + len(found), 1)
