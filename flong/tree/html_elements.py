"""What a tag opens and closes: the part of the rules of HTML that pages without mistakes need.

Which end tags may be left out, what ends a paragraph, what is between the cells of a table. Where
elements overlap, or stand where they may not, the answer is `GIVE_UP`: only the parser knows then.
"""

# To the compiler the whole numbers of numpy and of Python are one type, to mypy they are not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

import numpy as np
from numpy.typing import NDArray

from flong.tree.hashes import stable_hash
from flong.tree.html_text import Numbers, find_slot, free_slot
from flong.tree.jit import compiled

_KINDS = {
    "formatting": "b big code em font i s small strike strong tt u",
    "anchor": "a",
    "division": "address div",
    "block": """article aside blockquote center details dir dl fieldset figcaption figure footer
        header hgroup main nav section summary""",
    "paragraph": "p",
    "heading": "h1 h2 h3 h4 h5 h6",
    "item": "li",
    "definition": "dd dt",
    "preformatted": "pre",
    "list": "ol ul",
    "empty": "area embed img input param source track wbr",
    "break": "br",
    "rule": "hr",
    "link": "base link meta",
    "raw": "noframes noscript script style",
    "frame": "iframe noembed",
    "title": "title",
    "textarea": "textarea",
    "table": "table",
    "section": "tbody tfoot thead",
    "row": "tr",
    "cell": "td th",
    "caption": "caption",
    "columns": "colgroup",
    "column": "col",
    "form": "form",
    "select": "select",
    "option": "option",
    "options": "optgroup",
    "button": "button",
    "object": "applet marquee object",
    "html": "html",
    "head": "head",
    "body": "body",
    "strange": """basefont bgsound dialog frame frameset image isindex keygen listing math menu
        menuitem nobr plaintext rb rp rt rtc ruby search template xmp""",
    "drawing": "svg",
}
"""What the elements are to the parser. Of those that are not here it makes nothing special."""
(
    FORMATTING,
    ANCHOR,
    DIVISION,
    BLOCK,
    PARAGRAPH,
    HEADING,
    ITEM,
    DEFINITION,
    PREFORMATTED,
    LIST,
    EMPTY,
    BREAK,
    RULE,
    LINK,
    RAW,
    FRAME,
    TITLE,
    TEXTAREA,
    TABLE,
    SECTION,
    ROW,
    CELL,
    CAPTION,
    COLUMNS,
    COLUMN,
    FORM,
    SELECT,
    OPTION,
    OPTIONS,
    BUTTON,
    OBJECT,
    HTML,
    HEAD,
    BODY,
    STRANGE,
    DRAWING,
) = range(1, len(_KINDS) + 1)
ORDINARY = 0
DRAWN = len(_KINDS) + 1
"""What is in a drawing."""
CAPTIONED = DRAWN + 1
"""What is in a drawing and holds nothing but text."""

_DRAWN_TAGS = """
animate animateMotion animateTransform circle clipPath defs desc ellipse feBlend feColorMatrix
feComponentTransfer feComposite feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge
feMergeNode feMorphology feOffset filter g line linearGradient marker mask metadata path pattern
polygon polyline radialGradient rect set stop switch symbol text textPath title tspan use view
"""
_DRAWN_ATTRIBUTES = """
attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits diffuseConstant
edgeMode filterUnits glyphRef gradientTransform gradientUnits kernelMatrix kernelUnitLength
keyPoints keySplines keyTimes lengthAdjust limitingConeAngle markerHeight markerUnits markerWidth
maskContentUnits maskUnits numOctaves pathLength patternContentUnits patternTransform patternUnits
pointsAtX pointsAtY pointsAtZ preserveAlpha preserveAspectRatio primitiveUnits refX refY repeatCount
repeatDur requiredExtensions requiredFeatures specularConstant specularExponent spreadMethod
startOffset stdDeviation stitchTiles surfaceScale systemLanguage tableValues targetX targetY
textLength viewBox viewTarget xChannelSelector yChannelSelector zoomAndPan
"""
"""Names of a drawing are not written in small letters, whatever the page does."""


def _set_of(*kinds: int) -> np.int64:
    return np.int64(sum(1 << kind for kind in kinds))


NONE = np.int64(0)


FORMATS = _set_of(FORMATTING, ANCHOR)
IN_TABLE = _set_of(TABLE, SECTION, ROW, COLUMNS)
"""Between whose tags there is neither text nor another element."""
_PARTS = _set_of(SECTION, ROW, CELL, CAPTION, COLUMNS, COLUMN)
_OF_TABLE = IN_TABLE | _set_of(CELL, CAPTION)
_IN_SELECT = _set_of(SELECT, OPTION, OPTIONS)
_LEFT_OUT = _set_of(ITEM, DEFINITION, PARAGRAPH, OPTION, OPTIONS)
"""Whose end tag may be left out."""
_UNSPECIAL = FORMATS | _set_of(ORDINARY, OPTION, OPTIONS)
"""Which the end tag of any other element may close."""
_NOT_ORDINARY = ~_set_of(ORDINARY)
SCOPE = _set_of(OBJECT, CAPTION, HTML, TABLE, CELL)
"""Beyond which nothing is closed."""
_ENDS_PARAGRAPH = _set_of(
    *(DIVISION, BLOCK, PARAGRAPH, HEADING, ITEM, DEFINITION, PREFORMATTED, LIST),
    *(RULE, FORM),
)
WITHOUT_END = _set_of(EMPTY, BREAK, RULE, LINK, COLUMN)
WITH_TEXT = _set_of(RAW, FRAME, TITLE, TEXTAREA)
OF_HEAD = _set_of(LINK, RAW, TITLE)
_OUT_OF_PLACE = _set_of(STRANGE, HTML, HEAD, BODY, OPTION, OPTIONS)

GIVE_UP, IGNORE, ALONE = -1, -2, -3
"""Answers: only the parser knows; the tag does nothing; an end tag that makes an empty element."""
KIND, NAME, FROM, TO = range(4)
"""Of an open element: its kind, the hash of its name, and where that is in what is written."""
SCRIPT, STYLE, NOSCRIPT, DESC, TITLE_NAME = (
    np.int64(stable_hash(name)) for name in (b"script", b"style", b"noscript", b"desc", b"title")
)
_SLOTS = 1 << 10
_MOST_KINDS = 64
_ENDS_ITSELF = _set_of(ANCHOR, ITEM, DEFINITION)
_NEVER_BETWEEN = FORMATS | _set_of(PARAGRAPH, BREAK, FORM, STRANGE, DRAWING)
"""Whose end tags do something also between the parts of a table."""
_ENDS = {
    _set_of(ORDINARY): (~_UNSPECIAL, IGNORE),
    FORMATS: (NONE, IGNORE),
    _set_of(DIVISION, BLOCK, PREFORMATTED, LIST, BUTTON, OBJECT, DEFINITION): (SCOPE, IGNORE),
    _set_of(ITEM): (SCOPE | 1 << LIST, IGNORE),
    _set_of(PARAGRAPH): (SCOPE | 1 << BUTTON, ALONE),
    _set_of(BREAK): (-1, ALONE),
    _set_of(FORM): (~_LEFT_OUT, GIVE_UP),
    _set_of(STRANGE, SELECT, OPTION, OPTIONS, DRAWING): (-1, GIVE_UP),
}
"""Beyond which an end tag ends nothing, by kinds, and what it does then. What is open in a form
when that ends would stay open. Those of other kinds do nothing: they are never open."""


def _kinds() -> tuple[Numbers, Numbers]:
    """Return the hashes of tags, where they lead or further on, and what each is."""
    hashes, kinds = np.zeros(_SLOTS, np.int64), np.zeros(_SLOTS, np.int64)
    for kind, tags in enumerate(_KINDS.values(), 1):
        for tag in tags.split():
            kinds[free_slot(hashes, stable_hash(tag.encode()))] = kind
    return hashes, kinds


def _drawn() -> tuple[Numbers, Numbers, NDArray[np.uint8]]:
    """Return the hashes of names in a drawing, from where to where each is, and the letters.

    They are those of the names in small letters; those of attributes begin with a space.
    """
    hashes, places = np.zeros(_SLOTS, np.int64), np.zeros((_SLOTS, 2), np.int64)
    letters = bytearray()
    for name in (*_DRAWN_TAGS.split(), *(f" {name}" for name in _DRAWN_ATTRIBUTES.split())):
        slot = free_slot(hashes, stable_hash(name.lower().encode()))
        places[slot] = len(letters), len(letters) + len(name)
        letters += name.encode()
    return hashes, places, np.frombuffer(bytes(letters), np.uint8)


def _rules_of_ends() -> tuple[Numbers, Numbers]:
    """Return for each kind beyond which its end tag ends nothing, and what it does then."""
    within, otherwise = np.full(_MOST_KINDS, -1), np.full(_MOST_KINDS, IGNORE)
    for kinds, (around, answer) in _ENDS.items():
        for kind in range(_MOST_KINDS):
            if kinds >> kind & 1:
                within[kind], otherwise[kind] = around, answer
    return within, otherwise


_HASHES, _KIND_OF = _kinds()
_WITHIN, _OTHERWISE = _rules_of_ends()
DRAWN_HASHES, DRAWN_PLACES, DRAWN_LETTERS = _drawn()


@compiled
def kind_of(name: int) -> int:
    """Return what an element is, by the hash of its name."""
    slot = find_slot(_HASHES, name)
    return _KIND_OF[slot] if slot >= 0 else np.int64(ORDINARY)


@compiled
def is_in(kinds: int, kind: int) -> bool:
    """Return whether a kind is one of some."""
    return (kinds >> kind) & 1 == 1


@compiled
def nearest(opened: Numbers, depth: int, wanted: int, within: int) -> int:
    """Return the depth of the innermost open element of some kinds.

    -1 if there is none, or one of those `within` which it would have to be is further in.
    """
    k = depth - 1
    while k >= 0 and not is_in(wanted | within, opened[KIND, k]):
        k -= 1
    return k if k >= 0 and is_in(wanted, opened[KIND, k]) else -1


@compiled
def _named(opened: Numbers, depth: int, name: int, within: int) -> int:
    """Return the same for the innermost element of a name."""
    k = depth - 1
    while k >= 0 and opened[NAME, k] != name and not is_in(within, opened[KIND, k]):
        k -= 1
    return k if k >= 0 and opened[NAME, k] == name else -1


@compiled
def after_start(opened: Numbers, depth: int, kind: int, name: int, form: bool) -> int:
    """Return how many elements a start tag leaves open, without its own.

    `form` says whether a form was begun and not ended.
    """
    top = opened[KIND, depth - 1]
    if is_in(_PARTS, kind) and not is_in(_IN_SELECT, top):
        return _after_part(opened, depth, kind)
    if is_in(_IN_SELECT | IN_TABLE, top):
        return _after_start_between(opened, depth, kind, name)
    if _is_misplaced(opened, depth, kind, form):
        return GIVE_UP
    left = depth
    if is_in(_ENDS_ITSELF, kind):
        left = _after_another(opened, depth, kind)
    if is_in(_ENDS_PARAGRAPH, kind):
        before = nearest(opened, left, 1 << PARAGRAPH, SCOPE | 1 << BUTTON)
        left = before if before >= 0 else left
    return GIVE_UP if kind == HEADING and opened[KIND, left - 1] == HEADING else left


@compiled
def _is_misplaced(opened: Numbers, depth: int, kind: int, form: bool) -> bool:
    """Return whether an element may not begin here."""
    if kind == BUTTON:
        return nearest(opened, depth, 1 << BUTTON, SCOPE) >= 0
    if kind == TABLE:  # whether it ends a paragraph depends on how old the page is
        return nearest(opened, depth, 1 << PARAGRAPH, SCOPE | 1 << BUTTON) >= 0
    return is_in(_OUT_OF_PLACE, kind) or (kind == FORM and form)


@compiled
def _after_another(opened: Numbers, depth: int, kind: int) -> int:
    """Return how many elements one leaves open that ends the last of its kind."""
    around = NONE if kind == ANCHOR else ~(_UNSPECIAL | 1 << DIVISION | 1 << PARAGRAPH)
    before = nearest(opened, depth, 1 << kind, around)
    if before >= 0 and kind == ANCHOR and nearest(opened, depth, _NOT_ORDINARY, NONE) != before:
        return GIVE_UP
    return before if before >= 0 else depth


@compiled
def _after_start_between(opened: Numbers, depth: int, kind: int, name: int) -> int:
    """Return the same in a list of options, or between the parts of a table."""
    top = opened[KIND, depth - 1]
    if is_in(IN_TABLE, top):
        return depth if name in (SCRIPT, STYLE) and top != COLUMNS else GIVE_UP
    if kind not in (OPTION, OPTIONS):
        return GIVE_UP
    depth -= top == OPTION
    return depth - (kind == OPTIONS and opened[KIND, depth - 1] == OPTIONS)


@compiled
def _after_part(opened: Numbers, depth: int, kind: int) -> int:
    """Return the same of a part of a table."""
    around = nearest(opened, depth, _OF_TABLE, NONE)
    if around < 0 or opened[KIND, around] == CAPTION:
        return GIVE_UP
    left = around + (opened[KIND, around] != CELL)
    left -= opened[KIND, left - 1] == COLUMNS and kind != COLUMN
    left -= opened[KIND, left - 1] == ROW and kind != CELL
    return left - (opened[KIND, left - 1] == SECTION and kind not in (CELL, ROW))


@compiled
def after_end(opened: Numbers, depth: int, kind: int, name: int) -> int:
    """Return how many elements an end tag leaves open."""
    top = opened[KIND, depth - 1]
    if is_in(_IN_SELECT, top):
        return _after_option_end(opened, depth, kind)
    if is_in(_PARTS | 1 << TABLE, kind):
        return _after_part_end(opened, depth, kind, name)
    if is_in(IN_TABLE, top):
        return GIVE_UP if is_in(_NEVER_BETWEEN, kind) or top == COLUMNS else IGNORE
    if kind == HEADING:  # that of any heading ends it
        found = nearest(opened, depth, 1 << HEADING, SCOPE)
    else:
        found = _named(opened, depth, name, _WITHIN[kind])
    if found < 0:
        return _OTHERWISE[kind]
    is_nested = not is_in(FORMATS, kind) or nearest(opened, depth, _NOT_ORDINARY, NONE) == found
    return found if is_nested else GIVE_UP


@compiled
def _after_option_end(opened: Numbers, depth: int, kind: int) -> int:
    """Return the same in a list of options."""
    if kind == SELECT:
        return nearest(opened, depth, 1 << SELECT, NONE)
    if kind != OPTION:
        return GIVE_UP
    return depth - 1 if opened[KIND, depth - 1] == OPTION else IGNORE


@compiled
def _after_part_end(opened: Numbers, depth: int, kind: int, name: int) -> int:
    """Return the same of a table, or a part of one."""
    around = nearest(opened, depth, _OF_TABLE, NONE)
    if around < 0 or kind == COLUMN:
        return IGNORE
    inner = opened[KIND, around]
    if inner in (CAPTION, COLUMNS) and kind not in (inner, TABLE):
        return GIVE_UP
    found = nearest(opened, around + 1, 1 << kind, 1 << TABLE)
    if found >= 0 and opened[NAME, found] != name:
        return GIVE_UP
    return found if found >= 0 else IGNORE
