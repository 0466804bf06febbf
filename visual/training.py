"""Training a V-Wrapper from labelled pages; the only user of scikit-learn (extra `visual`)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from visual.block_tree import TEXT_LENGTH, BlockTree, Ints, Mask, Numbers
from visual.boosting import BoostedTrees
from visual.features import BASIC, EXTENDED, FEATURES, columns_of, measure
from visual.labels import CONTENT, OTHERS, TITLE, Labels, positive_blocks
from visual.wrapper import PublishedWrapper, VWrapper, candidates, inner_scores, path_scores

TREES, DEPTH = 40, 3
"""Trees of a classifier, and questions that each asks."""
MOST_POSITIVE, MOST_NEGATIVE = 4, 8
"""Blocks of a page that a classifier is trained from: of the class that is sought, and others."""
PASSED = 0.98
"""Share of the training leaves with news that step 1 lets pass."""
LEAST_SHARE = 0.02
"""Of the training articles, so many may have less predicted text than what counts as an article."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelledPage:
    """A page that one learns from."""

    blocks: BlockTree
    """What a reader sees of it."""
    labels: Labels
    """What its leaves are."""


@dataclass(frozen=True, eq=False)
class _Measured:
    page: LabelledPage
    table: Numbers
    positive: Mask


def train_published(
    pages: Sequence[LabelledPage], names: Sequence[str] = BASIC + EXTENDED
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
    return PublishedWrapper(inner=inner, leaf=_boost(tables, labels, names, classes=3))


def train(pages: Sequence[LabelledPage], names: Sequence[str] = FEATURES) -> VWrapper:
    """Return the mended wrapper."""
    measured = _measure(pages)
    inner = _train_inner(measured, names)
    scores = [inner_scores(inner, each.page.blocks, each.table) for each in measured]
    lowest = np.concatenate(
        [
            path_scores(each.page.blocks, score)[each.page.labels != OTHERS]
            for each, score in zip(measured, scores, strict=True)
        ]
    )
    inner_cut = float(np.quantile(lowest, 1 - PASSED)) - 1e-6
    tables, labels = [], []
    for each, score in zip(measured, scores, strict=True):
        blocks = each.page.blocks
        reached = candidates(blocks, score > inner_cut)
        tables.append(each.table[reached])
        labels.append(each.page.labels[np.searchsorted(blocks.leaves, reached)])
    content = _boost(tables, [each == CONTENT for each in labels], names)
    title = _boost(tables, [each == TITLE for each in labels], names)
    wrapper = VWrapper(inner=inner, inner_cut=inner_cut, content=content, title=title, least_text=0)
    return _with_least_text(wrapper, pages)


def _with_least_text(wrapper: VWrapper, pages: Sequence[LabelledPage]) -> VWrapper:
    """Return the wrapper with the text below which hardly any article of the training lies."""
    sizes = [
        page.blocks.rows[wrapper.read(page.blocks).content, TEXT_LENGTH].sum()
        for page in pages
        if (page.labels == CONTENT).any()
    ]
    return replace(wrapper, least_text=float(np.quantile(sizes, LEAST_SHARE)))


def _measure(pages: Sequence[LabelledPage]) -> list[_Measured]:
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
    classes: int = 2,
) -> BoostedTrees:
    """Return AdaBoost's trees, from a table and labels for each page."""
    from sklearn.ensemble import AdaBoostClassifier  # noqa: PLC0415 - an extra
    from sklearn.tree import DecisionTreeClassifier  # noqa: PLC0415

    chance = np.random.default_rng(0)
    chosen = [_sample(label, chance) for label in labels]
    table = np.concatenate([rows[at] for rows, at in zip(tables, chosen, strict=True)])
    label = np.concatenate([rows[at] for rows, at in zip(labels, chosen, strict=True)])
    model = AdaBoostClassifier(
        DecisionTreeClassifier(max_depth=DEPTH), n_estimators=TREES, random_state=0
    )
    model.fit(table[:, columns_of(names)].astype(np.float32), label.astype(np.int64))
    return export(model, names, classes)


def _sample(label: Mask | Labels, chance: np.random.Generator) -> Ints:
    """Return rows of one page: every page counts alike, however long it is."""
    found = [
        chance.permutation(np.flatnonzero((label != OTHERS) == wanted))[:most]
        for wanted, most in ((True, MOST_POSITIVE), (False, MOST_NEGATIVE))
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
