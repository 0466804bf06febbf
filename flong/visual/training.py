"""Train V-Wrappers from labelled pages; the only module that uses scikit-learn (extra `visual`)."""

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
    inner_scores,
    path_scores,
)

TREES, DEPTH = 40, 3
"""Number of trees per classifier, and their depth."""
MOST_POSITIVE, MOST_NEGATIVE = 4, 8
"""Maximum blocks per page for training: positive, negative."""
CONTENT_LEAVES, TITLE_LEAVES = (6, 12), (1, 16)
"""The same limits for leaf classifiers of `VWrapper`."""
PASSED = 0.99
"""Minimum fraction of training leaves with news that pass step 1."""
ARTICLES_PASSED = 0.95
"""Minimum fraction of training articles that are recognised."""
PAGE_DEPTH = 2
"""Depth of the trees of the page classifier."""
PARTS = 3
"""Number of cross-validation folds, by site."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelledBlocks:
    """A training page."""

    blocks: BlockTree
    """Visual blocks."""
    labels: Labels
    """Labels of the leaves."""
    site: str = ""
    """Name of the site."""
    styled: bool = True
    """The page was laid out with its style sheets."""


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
    """Train the wrapper as published: the paper's features, all blocks of all pages with news.

    Pages without an article are ignored: the paper has none.
    """
    measured = [each for each in _measure(pages) if each.is_article]
    inner = _train_inner(measured, names, most=None)
    tables, labels = [], []
    for each in measured:
        blocks = each.page.blocks
        predicted = inner_scores(inner, blocks, each.table) > 0
        reached = predicted[blocks.parent[blocks.leaves]]
        tables.append(each.leaf_table[reached])
        labels.append(each.page.labels[reached])
    return PublishedWrapper(inner=inner, leaf=_boost(tables, labels, names, most=None))


def train(pages: Sequence[LabelledBlocks], names: Sequence[str] = FEATURES + SECOND) -> VWrapper:
    """Train the extended wrapper.

    The second pass and the page classifier learn from out-of-fold first scores: on their own
    training pages the first classifiers are overconfident.
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
    """Return the threshold that nearly all leaves with news pass in step 1."""
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
    """Train the leaf classifiers on pages with an article."""
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
    """Return the fold of each page; pages of a site share a fold.

    With few sites the pages are divided instead, which still beats in-sample scores.
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
    """Train the page classifier; also return the threshold for articles of unseen sites."""
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
    empty = np.zeros((1, len(PAGE)))  # a negative example, in case all given pages are articles
    return _boost([*rows, empty], [*labels, np.array([False])], PAGE, depth=PAGE_DEPTH)


def _measure(pages: Sequence[LabelledBlocks]) -> list[_Measured]:
    return [
        _Measured(page, measure(page.blocks), positive_blocks(page.blocks, page.labels))
        for page in pages
    ]


def _train_inner(
    measured: Sequence[_Measured],
    names: Sequence[str],
    most: tuple[int, int] | None = (MOST_POSITIVE, MOST_NEGATIVE),
) -> BoostedTrees:
    inner = [(each, each.page.blocks.inner) for each in measured]
    return _boost(
        [each.table[blocks] for each, blocks in inner],
        [each.positive[blocks] for each, blocks in inner],
        names,
        most=most,
    )


def _boost(
    tables: Sequence[Numbers],
    labels: Sequence[Mask | Labels],
    names: Sequence[str],
    *,
    most: tuple[int, int] | None = (MOST_POSITIVE, MOST_NEGATIVE),
    depth: int = DEPTH,
) -> BoostedTrees:
    """Train AdaBoost on a table and labels for each page; `most` limits rows per page."""
    from sklearn.ensemble import AdaBoostClassifier  # noqa: PLC0415 - an extra
    from sklearn.tree import DecisionTreeClassifier  # noqa: PLC0415

    if most is not None:
        chance = np.random.default_rng(0)
        chosen = [_sample(label, chance, most) for label in labels]
        tables = [rows[at] for rows, at in zip(tables, chosen, strict=True)]
        labels = [rows[at] for rows, at in zip(labels, chosen, strict=True)]
    table, label = np.concatenate(tables), np.concatenate(labels)
    model = AdaBoostClassifier(
        DecisionTreeClassifier(max_depth=depth), n_estimators=TREES, random_state=0
    )
    model.fit(table[:, columns_of(names)].astype(np.float32), label.astype(np.int64))
    return export(model, names, classes=2 if label.dtype == np.bool_ else 3)


def _sample(label: Mask | Labels, chance: np.random.Generator, limits: tuple[int, int]) -> Ints:
    """Sample rows of one page, so that every page has the same weight."""
    found = [
        chance.permutation(np.flatnonzero((label != OTHERS) == wanted))[:most]
        for wanted, most in zip((True, False), limits, strict=True)
    ]
    return np.concatenate(found)


def export(model: object, names: Sequence[str], classes: int) -> BoostedTrees:
    """Convert a fitted AdaBoostClassifier."""
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
    """Write a tree into a complete one; an early leaf votes the same on both sides."""
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
