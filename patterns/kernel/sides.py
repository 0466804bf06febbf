"""The two trees of a comparison in the form that compiled code reads."""

from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]

ALIGN, MATCH = range(2)
"""What is asked: the RTDM mapping of two patterns; a match of pattern and page."""

KIND, TAG, SIZE, TEXT, CLASS, CLASS_END, KID, KID_END, DIGEST, NEED, GROUND = range(11)
"""Columns of a side: as in a pattern; where classes and children begin and end in their lists; a
number that is equal for equal sub-trees (for a match: but for the classes); how many vertices of
the sub-tree a match cannot do without; whether there is no wildcard in it."""

ZERO = cast(int, np.int64(0))
"""A literal 0 as argument makes the compiler do all that is called a second time."""


class Side(NamedTuple):
    """One tree, all in numbers of one type, because each type is compiled for itself."""

    nodes: Numbers
    """A row for each vertex."""
    kids: Numbers
    """Children of v are `kids[nodes[v, KID] : nodes[v, KID_END]]`."""
    classes: Numbers
    """Class tokens of v are `classes[nodes[v, CLASS] : nodes[v, CLASS_END]]`."""
