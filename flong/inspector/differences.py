"""Word differences between two texts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import groupby

from flong.search import PAIRED

MOST = 4000
"""Maximum number of words to compare; longer texts count as replaced."""

_WORD = re.compile(rf"\n|(?:[{PAIRED}]|[^\W{PAIRED}]+|[^\w\n])[^\S\n]*")


class Kind(StrEnum):
    """Kind of a difference."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Change:
    """A run of words that was kept, removed or added."""

    kind: Kind
    """Kind of the difference."""
    text: str
    """The words."""


def compare(old: str, new: str) -> list[list[Change]]:
    """Return the differences of two texts by paragraph.

    Equal paragraphs are not split into words, so that long articles are compared quickly.

    >>> [[change.text for change in line] for line in compare("It rained.", "It snowed.")]
    [['It ', 'rained', 'snowed', '.']]
    """
    changes: list[Change] = []
    before, after = (text.splitlines(keepends=True) for text in (old + "\n", new + "\n"))
    for is_same, removed, added in _steps(before, after):
        if is_same:
            changes.append(Change(Kind.SAME, "".join(added)))
        else:
            changes += _compare_words("".join(removed), "".join(added))
    return [*_paragraphs(changes)]


def _compare_words(old: str, new: str) -> Iterator[Change]:
    for is_same, removed, added in _steps(_WORD.findall(old), _WORD.findall(new)):
        if is_same:
            yield Change(Kind.SAME, "".join(added))
            continue
        yield Change(Kind.REMOVED, "".join(removed))
        yield Change(Kind.ADDED, "".join(added))


def _steps(
    old: Sequence[str], new: Sequence[str]
) -> Iterator[tuple[bool, Sequence[str], Sequence[str]]]:
    """Yield equal and unequal runs in order."""
    if max(len(old), len(new)) > MOST:
        yield False, old, new
        return
    for kind, *at in SequenceMatcher(None, old, new).get_opcodes():
        yield kind == "equal", old[at[0] : at[1]], new[at[2] : at[3]]


def _paragraphs(changes: Sequence[Change]) -> Iterator[list[Change]]:
    """Yield the differences of each paragraph of either text."""
    pieces = [
        (change.kind, piece)
        for change in changes
        for piece in re.split(r"(\n)", change.text)
        if piece
    ]
    for is_end, line in groupby(pieces, key=lambda pair: pair[1] == "\n"):
        if not is_end:
            yield [Change(kind, text) for kind, text in line]
