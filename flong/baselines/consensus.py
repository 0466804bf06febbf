"""Consensus: the result that agrees most with those of the other baselines."""

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from flong.baselines.boilerplate import find_boilerplate
from flong.baselines.coreex import coreex
from flong.baselines.econ import econ
from flong.baselines.first_half import first_half
from flong.baselines.interface import Baseline, Leaves, Mask
from flong.baselines.nowonweb import nowonweb
from flong.baselines.readability_score import readability_score
from flong.tree import Tree

BASELINES: Mapping[str, Baseline] = {
    "coreex": coreex,
    "econ": econ,
    "first-half": first_half,
    "nowonweb": nowonweb,
    "readability-score": readability_score,
}
"""Single-page methods that vote when patterns are labelled, by name."""


def medoid(answers: Sequence[Collection[int]], weights: NDArray[np.integer]) -> tuple[int, float]:
    """Return the position of the answer with the highest mean F1 with the others, and that F1.

    Answers are sets of positions, such as text leaves. Each position has a weight, such as its
    number of words. The first of equal answers wins. The agreement of a single answer is 0.

    >>> medoid([(1, 2), (1, 2, 3), (4,)], np.ones(5, dtype=int))
    (0, 0.4)
    """
    if not answers:
        raise ValueError("medoid needs at least one answer")
    chosen = np.zeros((len(answers), len(weights)), dtype=np.float64)
    for row, answer in zip(chosen, answers, strict=True):
        row[list(answer)] = 1
    both = (chosen * weights) @ chosen.T
    sizes = np.diag(both)
    sums = np.maximum(sizes[:, None] + sizes[None, :], 1)
    agreement = (2 * both / sums).sum(axis=1) - (sizes > 0)
    best = int(np.argmax(agreement))
    return best, float(agreement[best]) / max(len(answers) - 1, 1)


def agree(
    tree: Tree, ignored: Mask | None = None, *, members: Iterable[Baseline] = BASELINES.values()
) -> tuple[Leaves, float]:
    """Return the medoid of the members' bodies, and their agreement from 0 to 1.

    >>> from flong.tree import build_tree
    >>> text = "<p>" + "This is what the article says, more or less. " * 5 + "</p>"
    >>> leaves, agreement = agree(build_tree(f"<article>{text * 3}</article>"))
    >>> len(leaves), agreement
    (3, 1.0)
    """
    dull = find_boilerplate(tree)
    unseen = dull if ignored is None else dull | ignored
    answers = [answer for member in members if (answer := member(tree, unseen))]
    if not answers:
        return (), 0.0
    best, agreement = medoid(answers, tree.words)
    return answers[best], agreement


def consensus(tree: Tree, ignored: Mask | None = None) -> Leaves:
    """Return the text leaves of the body, by vote of the baselines without boilerplate.

    >>> from flong.tree import build_tree
    >>> consensus(build_tree("<p></p>"))
    ()
    """
    return agree(tree, ignored)[0]
