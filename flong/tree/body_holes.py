"""What is left out of the blocks of a body when they are written, to be put in by others."""

from enum import IntEnum


class Hole(IntEnum):
    """What is to be put into a hole."""

    SPANS = 0
    """The words of a leaf: they are not clear, or have links that are to be resolved."""
    PICTURE = 1
    """A picture or the like; the boxes around it, if there are any, are written in its hole."""
    RAW_TEXT = 2
    """The text of a piece of code as it is."""
    STAMP = 3
    """What a time says to machines."""
    NOTE_ID = 4
    """The id of a footnote."""
