"""Where many selectors lead on one page."""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from typing import NamedTuple

from patterns.pattern import Hashes, Ints
from trees import compiled


class Elements(NamedTuple):
    """What selectors ask of a page."""

    tag: Ints
    size: Ints
    class_start: Ints
    class_hash: Hashes
    id_hash: Hashes
    """Empty if no selector asks for an id."""


class Names(NamedTuple):
    """Tags, each alone, or with a class token or an id; 0 for none."""

    tag: Ints
    token: Hashes
    ident: Hashes


@compiled
def _find_class(page: Elements, tag: int, token: int, found: Ints) -> int:
    count = vertex = 0
    for row in range(len(page.class_hash)):
        if page.class_hash[row] == token:
            while page.class_start[vertex + 1] <= row:
                vertex += 1
            if page.tag[vertex] == tag:
                found[count] = vertex
                count += 1
    return count


@compiled
def _find_id(page: Elements, tag: int, ident: int, found: Ints) -> int:
    for vertex in range(len(page.id_hash)):
        if page.id_hash[vertex] == ident:
            found[0] = vertex
            return page.tag[vertex] == tag
    return 0


@compiled
def _find_named(page: Elements, names: Names, number: int, found: Ints) -> int:
    """Find the elements of a name in document order; of an id only the first counts."""
    tag = names.tag[number]
    if names.token[number] != 0:
        return _find_class(page, tag, names.token[number], found)
    if names.ident[number] != 0:
        return _find_id(page, tag, names.ident[number], found)
    count = 0
    for vertex in range(len(page.tag)):
        if page.tag[vertex] == tag:
            found[count] = vertex
            count += 1
    return count


@compiled
def follow(page: Elements, names: Names, selectors: Ints, named: Ints, leads: Ints) -> None:
    """Write for each selector the first vertex that it stands for, -1 for none, and how many.

    A selector is a name, and the name it lies in or -1. `named` has a row for each name, as long as
    the page has vertices, and one more column for their number.
    """
    last = len(page.tag)
    for number in range(len(names.tag)):
        named[number, last] = _find_named(page, names, number, named[number])
    for at in range(len(selectors)):
        inner, outer = selectors[at, 0], selectors[at, 1]
        first, count, passed, end = -1, 0, 0, 0 if outer >= 0 else last
        for row in range(named[inner, last]):
            vertex = named[inner, row]
            while outer >= 0 and passed < named[outer, last] and named[outer, passed] < vertex:
                end = max(end, named[outer, passed] + page.size[named[outer, passed]])
                passed += 1
            if vertex < end:
                first = vertex if count == 0 else first
                count += 1
        leads[at, 0] = first
        leads[at, 1] = count
