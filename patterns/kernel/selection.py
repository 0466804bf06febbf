"""Where many selectors lead on one page, and what the labels of a pattern give there."""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from typing import Any, NamedTuple

from flong.patterns.kernel.page_queries import find_place, is_known
from flong.patterns.pattern import Hashes, Ints
from flong.tree import TEXT, compiled

TITLE, BODY, DATE, BYLINE = range(4)
"""Rows of what labels ask for."""
FIRST, OFTEN, APART = range(3)
"""Where a selector leads: the first vertex that it stands for, -1 for none; how many there are; how
many of them lie in none of those before."""


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
    """Write where each selector leads, but for those without a name, of which it is known.

    A selector is a name, -1 for none, and the name it lies in or -1. `named` has a row for each
    name, as long as the page has vertices, and one more column for their number.
    """
    last = len(page.tag)
    for number in range(len(names.tag)):
        named[number, last] = _find_named(page, names, number, named[number])
    for at in range(len(selectors)):
        inner, outer = selectors[at, 0], selectors[at, 1]
        if inner < 0:
            continue
        first, count, passed, end = -1, 0, 0, 0 if outer >= 0 else last
        apart = apart_end = 0
        for row in range(named[inner, last]):
            vertex = named[inner, row]
            while outer >= 0 and passed < named[outer, last] and named[outer, passed] < vertex:
                end = max(end, named[outer, passed] + page.size[named[outer, passed]])
                passed += 1
            if vertex < end:
                first = vertex if count == 0 else first
                count += 1
                if vertex >= apart_end:
                    apart += 1
                    apart_end = vertex + page.size[vertex]
        leads[at, FIRST] = first
        leads[at, OFTEN] = count
        leads[at, APART] = apart


class LeftOut(NamedTuple):
    """What is left out of a body."""

    tokens: Hashes
    """Sorted hashes of class tokens: elements that have one are left out ..."""
    token_tags: Ints
    """... if they also have its tag."""
    idents: Hashes
    """Sorted hashes of ids: the first element that has one is left out ..."""
    ident_tags: Ints
    """... if it also has its tag."""
    blocks: Ints
    """Other elements."""
    texts: Hashes
    """Sorted hashes of texts."""
    line_words: int
    """Lines with date and byline of at most so many words."""


class Texts(NamedTuple):
    """What is asked of the texts of a page."""

    text_hash: Hashes
    words: Ints


@compiled
def _is_named(known: Hashes, tags: Ints, name: int, tag: int) -> bool:
    """Return whether a name is one of those known, with this tag."""
    at = find_place(name, known)
    while at < len(known) and known[at] == name:
        if tags[at] == tag:
            return True
        at += 1
    return False


@compiled
def _is_out(page: Elements, out: LeftOut, vertex: int) -> bool:
    """Return whether an element is left out with all that is in it."""
    for other in out.blocks:
        if other == vertex:
            return True
    for row in range(page.class_start[vertex], page.class_start[vertex + 1]):
        if _is_named(out.tokens, out.token_tags, page.class_hash[row], page.tag[vertex]):
            return True
    if len(out.idents) == 0 or page.id_hash[vertex] == 0:
        return False
    if not _is_named(out.idents, out.ident_tags, page.id_hash[vertex], page.tag[vertex]):
        return False
    first = 0
    while page.id_hash[first] != page.id_hash[vertex]:
        first += 1
    return first == vertex


@compiled
def _is_line(texts: Texts, leads: Ints, vertex: int, most: int) -> bool:
    """Return whether a vertex is the line with the date or the byline."""
    found = leads[DATE, FIRST] == vertex or leads[BYLINE, FIRST] == vertex
    return found and texts.words[vertex] <= most


@compiled
def _keep_leaves(page: Elements, texts: Texts, out: LeftOut, leads: Ints, kept: Ints) -> int:
    """Find the text leaves of a body; return how many there are."""
    container = vertex = leads[BODY, FIRST]
    if container < 0:
        return 0
    end, count = container + page.size[container], 0
    while vertex < end:
        is_text, is_line = page.tag[vertex] == TEXT, _is_line(texts, leads, vertex, out.line_words)
        if is_text and not is_known(texts.text_hash[vertex], out.texts):
            kept[count] = vertex
            count += 1
        if vertex > container and not is_text and (is_line or _is_out(page, out, vertex)):
            vertex += page.size[vertex]
        else:
            vertex += 1
    return count


@compiled
def read_labels(
    page: tuple[Any, ...],
    texts: tuple[Hashes, Ints],
    asked: tuple[Any, ...],
    out: tuple[Any, ...],
    found: tuple[Ints, Ints],
) -> tuple[int, int]:
    """Return the text leaf of the title, -1 for none, and how many there are of the body.

    The page is given as `Elements` and `Texts`. Asked are `Names`, and selectors in the order of
    `TITLE`, `BODY`, `DATE` and `BYLINE`; `LeftOut` says what is no body. All are plain tuples,
    which are read in half of the time. Found are a row for each name, of which the first gets the
    leaves of the body afterwards, and where the selectors lead.
    """
    elements, (names, selectors), (named, leads) = Elements(*page), asked, found
    follow(elements, Names(*names), selectors, named, leads)
    leaf, end = leads[TITLE, FIRST], 0
    if leaf >= 0:
        end = leaf + elements.size[leaf]
        while leaf < end and elements.tag[leaf] != TEXT:
            leaf += 1
    title = leaf if leaf < end else -1
    return title, _keep_leaves(elements, Texts(*texts), LeftOut(*out), leads, named[0])
