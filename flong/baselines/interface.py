"""What every method takes and gives."""

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
    """A method that needs one page: it says which text leaves are the body, none if no article.

    `ignored` are vertices that the method must not see, with all that is below them.
    """

    def __call__(self, tree: Tree, ignored: Mask | None = None) -> Leaves:
        """Return the text leaves of the body."""


Extractor = Callable[[Sequence[SitePage]], list[Article | None]]
"""A method on pages of one site: for each page, in order, its article or None."""
