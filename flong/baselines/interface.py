"""Types shared by all baselines."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from flong.article import Article
from flong.tree import SitePage, Tree

Mask = NDArray[np.bool_]
"""One truth value per vertex of a tree."""

Leaves = tuple[int, ...]
"""Text leaves of a tree, in document order."""


Title = tuple[str, int | None]
"""A headline and the text leaf that shows it; None if only the head of the page has it."""


class Baseline(Protocol):
    """A method that finds the body of a single page.

    The result is empty if the page is not an article. `ignored` vertices are hidden from the
    method together with their descendants.
    """

    def __call__(self, tree: Tree, ignored: Mask | None = None) -> Leaves:
        """Return the text leaves of the body."""


Extractor = Callable[[Sequence[SitePage]], list[Article | None]]
"""A method on pages of one site: for each page, in order, its article or None."""
