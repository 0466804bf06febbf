"""All baselines by name, as functions from pages of a site to articles."""

from collections.abc import Mapping, Sequence
from functools import partial

from flong.article import Article
from flong.baselines.article_builder import make_article, on_each_page
from flong.baselines.consensus import BASELINES, agree
from flong.baselines.coreex import coreex
from flong.baselines.interface import Extractor
from flong.baselines.nowonweb import RECOGNITION, nowonweb_article
from flong.baselines.rarity import common_texts, rarity, repeated
from flong.baselines.single_page import read_single_page_body
from flong.baselines.tsrec import match, prepare, twins
from flong.tree import SitePage

LEAST_AGREEMENT = 0.6
"""Minimum agreement of the members for an article."""


def by_tsrec(pages: Sequence[SitePage], *, repair: bool = True) -> list[Article | None]:
    """Return the articles found by TSReC, each page compared with the one of most similar URL."""
    ready = [prepare(page.tree, repair=repair) for page in pages]
    name, long_text = ("tsrec", 25) if repair else ("tsrec-r1", None)
    return [
        None
        if twin is None
        else make_article(page, match(own, ready[twin], long_text=long_text), name)
        for page, own, twin in zip(pages, ready, twins([page.url for page in pages]), strict=True)
    ]


def by_rarity(pages: Sequence[SitePage]) -> list[Article | None]:
    """Return the articles made of text that is rare among the pages."""
    return on_each_page("rarity", rarity([page.tree for page in pages]))(pages)


def by_consensus(pages: Sequence[SitePage]) -> list[Article | None]:
    """Return the articles by consensus of all baselines; the confidence is their agreement.

    With several pages of a site, texts that they share are removed first.
    """
    trees = [page.tree for page in pages]
    common, members = common_texts(trees), [*BASELINES.values(), rarity(trees)]
    articles = []
    for page in pages:
        leaves, agreement = agree(page.tree, repeated(page.tree, common), members=members)
        leaves = leaves if agreement >= LEAST_AGREEMENT else ()
        articles.append(make_article(page, leaves, "consensus", confidence=agreement))
    return articles


EXTRACTORS: Mapping[str, Extractor] = {
    "consensus": by_consensus,
    "coreex": on_each_page("coreex", partial(coreex, counts_links=True)),
    "econ": on_each_page("econ", BASELINES["econ"]),
    "first-half": on_each_page("first-half", BASELINES["first-half"]),
    "lone-page": lambda pages: [read_single_page_body(page) for page in pages],
    "nowonweb": lambda pages: [nowonweb_article(page) for page in pages],
    "nowonweb-recognition": lambda pages: [
        nowonweb_article(page, recognition=RECOGNITION) for page in pages
    ],
    "rarity": by_rarity,
    "readability-score": on_each_page("readability-score", BASELINES["readability-score"]),
    "tsrec": by_tsrec,
    "tsrec-r1": partial(by_tsrec, repair=False),
}
"""Extractors by name, as used by `--method`."""
