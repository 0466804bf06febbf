"""What each character is for the text of a page: a space, part of a word, a word by itself."""

import re
from functools import cache

import numpy as np
from numpy.typing import NDArray

from flong.text import UNSPACED

OTHER, SPACE, LETTER, WORD, NOTHING = range(5)
"""Kinds of characters; a WORD is one of a script that is written without spaces, NOTHING one that
no page means and no XML may hold."""

CONTROLS = r"\x00-\x08\x0b\x0e-\x1f\x7f\ufffe\uffff"
"""Those that are nothing, in the same form."""

_PATTERNS = (
    (SPACE, r"\s+"),
    (LETTER, r"[^\W_]+"),
    (WORD, f"[{UNSPACED}]+"),
    (NOTHING, f"[{CONTROLS}]+"),
)


@cache
def character_kinds() -> NDArray[np.uint8]:
    """Return the kind of each character by its number; all above the last are OTHER.

    >>> [int(character_kinds()[ord(c)]) for c in "- a東"]
    [0, 1, 2, 3]
    """
    kinds = np.full(0x40000, WORD, dtype=np.uint8)
    below = "".join(map(chr, range(0x20000)))  # then come only Chinese characters
    kinds[: len(below)] = OTHER
    for kind, pattern in _PATTERNS:
        for run in re.finditer(pattern, below):
            kinds[run.start() : run.end()] = kind
    return kinds
