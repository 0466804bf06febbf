"""Training a V-Wrapper from labelled pages; the only user of scikit-learn (extra `visual`)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flong.visual.block_tree import BlockTree, Ints, Mask, Numbers
from flong.visual.boosting import BoostedTrees
from flong.visual.features import BASIC, EXTENDED, FEATURES, PAGE, SECOND, columns_of, measure
from flong.visual.labels import CONTENT, OTHERS, TITLE, Labels, positive_blocks
from flong.visual.second_look import describe_page, look_again
from flong.visual.wrapper import (
    LeafScorers,
    PublishedWrapper,
    VWrapper,
    candidates,
    inner_scores,
    path_scores,
)

TREES, DEPTH = 40, 3
"""Trees of a classifier, and questions that each asks."""
MOST_POSITIVE, MOST_NEGATIVE = 4, 8
"""Blocks of a page that a classifier is trained from: of the class that is sought, and others."""
CONTENT_LEAVES, TITLE_LEAVES = (6, 12), (1, 16)
"""The same for the classifiers of leaves of the mended wrapper."""
PASSED = 0.99
"""Share of the training leaves with news that step 1 lets pass."""
ARTICLES_PASSED = 0.95
"""Share of the training articles that are recognised as such."""
PAGE_DEPTH = 2
"""Questions that each tree of the classifier of pages asks."""
PARTS = 3
"""Sites are parted so often to learn from scores on unseen ones."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelledBlocks:
    """A page that one learns from."""

    blocks: BlockTree
    """What a reader sees of it."""
    labels: Labels
    """What its leaves are."""
    site: str = ""
    """Where it is from."""


@dataclass(frozen=True, eq=False)
class _Measured:
    page: LabelledBlocks
    table: Numbers
    positive: Mask

    @property
    def is_article(self) -> bool:
        return bool((self.page.labels == CONTENT).any())

    @property
    def leaf_table(self) -> Numbers:
        return self.table[self.page.blocks.leaves]


def train_published(
    pages: Sequence[LabelledBlocks], names: Sequence[str] = BASIC + EXTENDED
) -> PublishedWrapper:
    """Return the wrapper as printed, from the paper's features."""
    measured = _measure(pages)
    inner = _train_inner(measured, names)
    tables, labels = [], []
    for each in measured:
        blocks = each.page.blocks
        reached = candidates(blocks, inner_scores(inner, blocks, each.table) > 0)
        tables.append(each.table[reached])
        labels.append(each.page.labels[np.searchsorted(blocks.leaves, reached)])
    return PublishedWrapper(inner=inner, leaf=_boost(tables, labels, names))


def train(pages: Sequence[LabelledBlocks], names: Sequence[str] = FEATURES + SECOND) -> VWrapper:
    """Return the mended wrapper.

    Its second look, and its look at whole pages, learn from first scores on pages of sites that
    the first classifiers did not see: on their own pages these are too sure.
    """
    measured, own = _measure(pages), [name for name in names if name in FEATURES]
    inner = _train_inner(measured, own)
    first = _train_leaves(measured, [each.leaf_table for each in measured], own)
    scored = _scored_unseen(measured, own)
    tables = [np.hstack([e.leaf_table, look_again(e.page.blocks, *s)]) for e, s in scored]
    second = _train_leaves([each for each, _ in scored], tables, names)
    rows = [describe_page(each.page.blocks, *scores) for each, scores in scored]
    page, page_cut = _train_page([each for each, _ in scored], rows)
    return VWrapper(
        inner=inner,
        inner_cut=_inner_cut(measured, inner),
        content=first.content,
        title=first.title,
        second_content=second.content,
        second_title=second.title,
        page=page,
        page_cut=page_cut,
    )


def _inner_cut(measured: Sequence[_Measured], inner: BoostedTrees) -> float:
    """Return the score of blocks through which nearly all leaves with news are reached."""
    lowest = [
        path_scores(each.page.blocks, inner_scores(inner, each.page.blocks, each.table))[
            each.page.labels != OTHERS
        ]
        for each in measured
    ]
    return float(np.quantile(np.concatenate(lowest), 1 - PASSED)) - 1e-6


def _train_leaves(
    measured: Sequence[_Measured], tables: Sequence[Numbers], names: Sequence[str]
) -> LeafScorers:
    """Return classifiers of leaves, from the pages that are articles."""
    chosen = [at for at, each in enumerate(measured) if each.is_article]
    rows, labels = [tables[at] for at in chosen], [measured[at].page.labels for at in chosen]
    return LeafScorers(
        content=_boost(rows, [each == CONTENT for each in labels], names, most=CONTENT_LEAVES),
        title=_boost(rows, [each == TITLE for each in labels], names, most=TITLE_LEAVES),
    )


def _scored_unseen(
    measured: Sequence[_Measured], names: Sequence[str]
) -> list[tuple[_Measured, tuple[Numbers, Numbers]]]:
    """Return pages with the scores of their leaves by classifiers trained on other sites."""
    parts, found = _parts(measured), []
    for part in range(PARTS):
        others = [each for each, own in zip(measured, parts, strict=True) if own != part]
        if any(each.is_article for each in others):
            first = _train_leaves(others, [each.leaf_table for each in others], names)
            found += [
                (each, first.scores(each.leaf_table))
                for each, own in zip(measured, parts, strict=True)
                if own == part and len(each.page.blocks.leaves)
            ]
    return found


def _parts(measured: Sequence[_Measured]) -> list[int]:
    """Return the part of each page, those of a site in one.

    Of few sites the pages are parted: better than scores on pages that were learned from.
    """
    sites = sorted({each.page.site for each in measured})
    number = {site: at for at, site in enumerate(sites)}
    return [
        (number[each.page.site] if len(sites) >= PARTS else at) % PARTS
        for at, each in enumerate(measured)
    ]


def _train_page(
    measured: Sequence[_Measured], rows: Sequence[Numbers]
) -> tuple[BoostedTrees, float]:
    """Return the classifier of pages, and the score that articles of unseen sites have at least."""
    labels = [np.array([each.is_article]) for each in measured]
    parts, found = np.array(_parts(measured)), []
    for part in range(PARTS):
        others = np.flatnonzero(parts != part).tolist()
        articles = [at for at in np.flatnonzero(parts == part).tolist() if labels[at][0]]
        if articles and others:
            page = _boost_pages([rows[at] for at in others], [labels[at] for at in others])
            found.append(page.score(np.concatenate([rows[at] for at in articles])))
    cut = np.quantile(np.concatenate(found), 1 - ARTICLES_PASSED) if found else -1.0
    return _boost_pages(rows, labels), float(cut) - 1e-6


def _boost_pages(rows: Sequence[Numbers], labels: Sequence[Mask]) -> BoostedTrees:
    empty = np.zeros((1, len(PAGE)))  # no article, even if all pages that were given are
    return _boost([*rows, empty], [*labels, np.array([False])], PAGE, depth=PAGE_DEPTH)


def _measure(pages: Sequence[LabelledBlocks]) -> list[_Measured]:
    return [
        _Measured(page, measure(page.blocks), positive_blocks(page.blocks, page.labels))
        for page in pages
    ]


def _train_inner(measured: Sequence[_Measured], names: Sequence[str]) -> BoostedTrees:
    inner = [(each, each.page.blocks.inner) for each in measured]
    return _boost(
        [each.table[blocks] for each, blocks in inner],
        [each.positive[blocks] for each, blocks in inner],
        names,
    )


def _boost(
    tables: Sequence[Numbers],
    labels: Sequence[Mask | Labels],
    names: Sequence[str],
    *,
    most: tuple[int, int] = (MOST_POSITIVE, MOST_NEGATIVE),
    depth: int = DEPTH,
) -> BoostedTrees:
    """Return AdaBoost's trees, from a table and labels for each page."""
    from sklearn.ensemble import AdaBoostClassifier  # noqa: PLC0415 - an extra
    from sklearn.tree import DecisionTreeClassifier  # noqa: PLC0415

    chance = np.random.default_rng(0)
    chosen = [_sample(label, chance, most) for label in labels]
    table = np.concatenate([rows[at] for rows, at in zip(tables, chosen, strict=True)])
    label = np.concatenate([rows[at] for rows, at in zip(labels, chosen, strict=True)])
    model = AdaBoostClassifier(
        DecisionTreeClassifier(max_depth=depth), n_estimators=TREES, random_state=0
    )
    model.fit(table[:, columns_of(names)].astype(np.float32), label.astype(np.int64))
    return export(model, names, classes=2 if label.dtype == np.bool_ else 3)


def _sample(label: Mask | Labels, chance: np.random.Generator, limits: tuple[int, int]) -> Ints:
    """Return rows of one page: every page counts alike, however long it is."""
    found = [
        chance.permutation(np.flatnonzero((label != OTHERS) == wanted))[:most]
        for wanted, most in zip((True, False), limits, strict=True)
    ]
    return np.concatenate(found)


def export(model: object, names: Sequence[str], classes: int) -> BoostedTrees:
    """Return the trees of a fitted AdaBoostClassifier."""
    count = len(model.estimators_)  # type: ignore[attr-defined]
    nodes = 2**DEPTH - 1
    feature, vote = np.zeros((count, nodes), np.int64), np.zeros((count, nodes + 1), np.int64)
    threshold = np.full((count, nodes), np.inf)
    for number, estimator in enumerate(model.estimators_):  # type: ignore[attr-defined]
        _lay_out(estimator, feature[number], threshold[number], vote[number])
    weight = np.array(model.estimator_weights_[:count], np.float64)  # type: ignore[attr-defined]
    return BoostedTrees(
        names=tuple(names),
        classes=classes,
        weight=weight / weight.sum(),
        feature=feature,
        threshold=np.where(np.isinf(threshold), 1e30, threshold),
        vote=vote,
    )


def _lay_out(estimator: object, feature: Ints, threshold: Numbers, vote: Ints) -> None:
    """Write a tree into the rows of a complete one; what ends early votes alike on both sides."""
    tree, nodes = estimator.tree_, len(feature)  # type: ignore[attr-defined]
    labels = estimator.classes_  # type: ignore[attr-defined]
    waiting = [(0, 0)]
    while waiting:
        node, place = waiting.pop()
        if place >= nodes:
            vote[place - nodes] = labels[int(np.argmax(tree.value[node]))]
        elif tree.children_left[node] < 0:
            waiting += [(node, 2 * place + 1), (node, 2 * place + 2)]
        else:
            feature[place], threshold[place] = tree.feature[node], tree.threshold[node]
            waiting += [
                (int(tree.children_left[node]), 2 * place + 1),
                (int(tree.children_right[node]), 2 * place + 2),
            ]
