"""How a time grows with the size of what takes it."""

import math
from collections.abc import Sequence


def exponent(sizes: Sequence[float], times: Sequence[float]) -> float:
    """Return the slope of log time over log size between the first and the last: 1 is linear.

    >>> exponent([1, 10], [3, 300])
    2.0
    """
    return round(math.log(times[-1] / times[0]) / math.log(sizes[-1] / sizes[0]), 2)
