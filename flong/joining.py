"""Joining the pages of a divided article into one text."""

from collections.abc import Sequence
from dataclasses import replace

from flong.article import Block, BlockKind, Box, paragraphs_of, text_of_blocks
from flong.text import words

PAGER_WORDS = 4
"""Maximum words, beside numbers, of a line with links to the pages."""
MANY = 4
"""Number of pages above which such a line may omit some."""


def join_texts(texts: Sequence[str]) -> str:
    r"""Return the text of an article from those of its pages.

    >>> join_texts(["By Ann\nIt rained.\n1 | 2 | Next", "By Ann\nIt stopped.\nPrevious | 1 | 2"])
    'By Ann\nIt rained.\nIt stopped.'
    """
    return text_of_blocks(join_blocks([paragraphs_of(text) for text in texts]))


def join_blocks(pages: Sequence[Sequence[Block]]) -> tuple[Block, ...]:
    """Return the blocks of an article from those of its pages.

    Text that a further page repeats from the beginning or end of the first one is dropped, and so
    are lines with links to the pages.
    """
    joined: list[Block] = []
    boxes = 0
    first = _without_pagers(pages[0], len(pages)) if pages else []
    for number, blocks in enumerate(pages):
        own = _without_repeats(_without_pagers(blocks, len(pages)), first) if number else first
        moved = [_moved(block, boxes) for block in _with_own_notes(own, number)]
        boxes = max((box.number + 1 for block in moved for box in block.boxes), default=boxes)
        joined += moved
    return tuple(joined)


def is_pager(line: str, pages: int) -> bool:
    """Return True for a line of links to the pages of an article.

    >>> is_pager("Chapters: | Previous | 1 | 2 | 3 | Next |", 3), is_pager("1 2 3", 2)
    (True, True)
    >>> is_pager("He won 1 of 2.", 3), is_pager("2", 3)
    (False, False)
    """
    found = words(line)
    at = [place for place, word in enumerate(found) if word.isdecimal() and len(word) < 5]
    numbers = [int(found[place]) for place in at]
    if len(at) < 2 or at[-1] - at[0] >= len(at) or len(found) - len(at) > PAGER_WORDS:
        return False
    # the number of the page itself may be missing
    is_run = numbers == sorted(set(numbers)) and numbers[-1] - numbers[0] <= len(numbers)
    return is_run and numbers[0] <= 2 and len(numbers) >= min(pages, MANY) - 1


def _without_pagers(blocks: Sequence[Block], pages: int) -> list[Block]:
    return [block for block in blocks if not (block.is_text and is_pager(block.words, pages))]


def _without_repeats(blocks: Sequence[Block], first: Sequence[Block]) -> Sequence[Block]:
    """Drop blocks that are also at the beginning or at the end of the first page."""
    start = _alike(blocks, first)
    rest = blocks[start:]
    end = len(rest) - _alike(rest[::-1], first[::-1])
    return rest[:end]


def _alike(one: Sequence[Block], other: Sequence[Block]) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if (a.kind, a.words, a.url) != (b.kind, b.words, b.url):
            break
        count += 1
    return count


def _with_own_notes(blocks: Sequence[Block], number: int) -> Sequence[Block]:
    """Return the blocks of a page with footnote ids that differ from those of earlier pages.

    >>> from flong.article import BlockKind, Span
    >>> note = Block(kind=BlockKind.NOTE, url="fn1", spans=(Span("1", (), "#fn1"),))
    >>> note = _with_own_notes([note], 1)[0]
    >>> note.url, note.spans[0].url
    ('fn1-2', '#fn1-2')
    """
    notes = {f"#{block.url}" for block in blocks if block.kind is BlockKind.NOTE}
    if not number or not notes:
        return blocks
    end = f"-{number + 1}"
    return [
        replace(
            block,
            url=f"{block.url}{end}" if block.kind is BlockKind.NOTE else block.url,
            spans=tuple(
                replace(span, url=f"{span.url}{end}") if span.url in notes else span
                for span in block.spans
            ),
        )
        for block in blocks
    ]


def _moved(block: Block, boxes: int) -> Block:
    """Return a block whose boxes have other numbers than those of earlier pages."""
    if not boxes or not block.boxes:
        return block
    return replace(block, boxes=tuple(Box(box.tag, box.number + boxes) for box in block.boxes))
