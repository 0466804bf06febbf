"""Entries of a live blog, each with the time of day that it begins with."""

import re
from collections.abc import Iterable, Sequence

from flong.blocks import Block, BlockKind, Box

_CLOCK = (
    r"(?:[01]?\d|2[0-4])(?:[:.]|\s?h\s?|時|시\s?|点)[0-5]\d(?::[0-5]\d)?[分분]?"
    r"(?:\s?[APap]\.?\s?[Mm]\b\.?)?"
)
_ALONE = re.compile(rf"\W{{0,3}}({_CLOCK})(?:\s(?:Uhr|[A-Z]{{2,4}}))?\W{{0,3}}")
_BEGINS = re.compile(rf"\W{{0,3}}({_CLOCK})(?![\w.]|:\d)")


def is_clock(text: str) -> bool:
    """Return whether a text is a time of day and nothing else.

    >>> is_clock("14:05 Uhr"), is_clock("9.30 a.m."), is_clock("14:05 Rain"), is_clock("3-2")
    (True, True, False, False)
    """
    return _ALONE.fullmatch(text) is not None


def clock_of(text: str) -> str | None:
    """Return the time of day that a text begins with; None if it begins with something else.

    >>> clock_of("14:05 Rain stops play"), clock_of("14:05 Uhr"), clock_of("2 rain")
    ('14:05', '14:05', None)
    """
    found = _ALONE.fullmatch(text) or _BEGINS.match(text)
    return found[1] if found else None


def entries_of(blocks: Iterable[Block]) -> list[tuple[Block, ...]]:
    """Return the entries of a live blog, each with its blocks; none of any other text.

    >>> from flong.blocks import Span
    >>> noon = Block(kind=BlockKind.TIME, spans=(Span("12:00"),), boxes=(Box("entry", 1),))
    >>> rain = Block(kind=BlockKind.PARAGRAPH, spans=(Span("Rain"),), boxes=(Box("entry", 1),))
    >>> entries_of([noon, rain]) == [(noon, rain)], entries_of([Block(kind=BlockKind.RULE)])
    (True, [])
    """
    found: dict[Box, list[Block]] = {}
    for block in blocks:
        if block.boxes and block.boxes[0].tag == "entry":
            found.setdefault(block.boxes[0], []).append(block)
    return [tuple(some) for some in found.values()]


def clock_of_entry(entry: Sequence[Block]) -> str | None:
    """Return the time of day of an entry as the page writes it; None if it has none."""
    times = [block for block in entry if block.kind is BlockKind.TIME] or entry[:1]
    return clock_of(times[0].words) if times else None
