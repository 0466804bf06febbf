"""Which pictures of a page stand in its text, in compiled code."""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

import numpy as np
from numpy.typing import NDArray

from flong.patterns.kernel.page_queries import find_place
from flong.patterns.pattern import Ints
from flong.tree import compiled


@compiled
def _has_any(numbers: Ints, start: int, end: int) -> bool:
    """Return whether any of some numbers, which are in order, is in a range."""
    low = find_place(start, numbers)
    return low < len(numbers) and numbers[low] < end


@compiled
def find_in_text(
    tree: tuple[Ints, Ints, Ints, Ints],
    leaves: Ints,
    first: int,
    vertices: Ints,
    found: NDArray[np.bool_],
) -> None:
    """Find out around which vertices the nearest words are of some leaves.

    A tree is given by its parents and sizes, and by where texts start and end; `first` is the
    element that all is in.
    """
    parent, size, start, end = tree
    for number in range(len(vertices)):
        around = np.int64(parent[vertices[number]])
        found[number] = False
        while around >= first and not found[number]:
            found[number] = _has_any(leaves, around, around + np.int64(size[around]))
            if end[around] > start[around]:  # it has words
                break
            around = np.int64(parent[around])


@compiled
def find_going_on(
    tree: tuple[Ints, Ints], inline: NDArray[np.bool_], leaves: Ints, found: NDArray[np.bool_]
) -> int:
    """Find leaves that do not begin an element, or only an inline one; return how many there are.

    A tree is given by its tags and parents; the last of `inline` stands for tags that HTML does not
    know.
    """
    tag, parent = tree
    count = 0
    for number in range(len(leaves)):
        above = parent[leaves[number]]
        known = np.int64(min(tag[above], len(inline) - 1))
        found[number] = above != leaves[number] - 1 or inline[known]
        count += found[number]
    return count
