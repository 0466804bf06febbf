"""Character classes for text: space, letter, word of its own, or invalid."""

import re
from functools import cache

import numpy as np
from numpy.typing import NDArray

from flong.text import UNSPACED

OTHER, SPACE, LETTER, WORD, NOTHING = range(5)
"""Classes of characters. WORD is a character of a script without spaces; NOTHING is a control
character that XML does not allow."""

CONTROLS = r"\x00-\x08\x0b\x0e-\x1f\x7f\ufffe\uffff"
"""Regular expression class of the characters in NOTHING."""

_PATTERNS = (
    (SPACE, r"\s+"),
    (LETTER, r"[^\W_]+"),
    (WORD, f"[{UNSPACED}]+"),
    (NOTHING, f"[{CONTROLS}]+"),
)


@cache
def character_kinds() -> NDArray[np.uint8]:
    """Return the class of each character by code point; later code points are OTHER.

    >>> [int(character_kinds()[ord(c)]) for c in "- a東"]
    [0, 1, 2, 3]
    """
    kinds = np.full(0x40000, WORD, dtype=np.uint8)
    below = "".join(map(chr, range(0x20000)))  # above are only Chinese characters
    kinds[: len(below)] = OTHER
    for kind, pattern in _PATTERNS:
        for run in re.finditer(pattern, below):
            kinds[run.start() : run.end()] = kind
    return kinds
