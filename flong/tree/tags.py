"""Tag numbers, the same in every process, and what each tag means for the block tree."""

from enum import IntEnum

from flong.tree.hashes import stable_hash

TEXT = 0
"""The number of a text leaf."""

DROPPED = frozenset(
    "area base basefont bgsound button canvas datalist head input keygen link map math meta "
    "noembed noframes noscript optgroup option param script select source style svg template "
    "textarea track".split()
)
"""Neither they nor what is in them reaches the tree."""

MEDIA = frozenset("audio embed iframe img object picture video".split())
"""Leaves: what is in them does not reach the tree."""

INLINE = frozenset(
    "a abbr acronym b bdi bdo big br cite code data del dfn em font i ins kbd label mark nobr q rp "
    "rt ruby s samp small span strike strong sub sup time tt u var wbr".split()
)
"""Folded into the running text around them."""

TEXT_BLOCKS = frozenset(
    "address blockquote caption dd dt figcaption h1 h2 h3 h4 h5 h6 legend li p pre summary td "
    "th".split()
)
"""Always hold running text: inline elements directly in them are folded even side by side."""

PROSE = frozenset("address blockquote dl figure h1 h2 h3 h4 h5 h6 p pre".split())
"""What writers write with: leaves of the clustering view."""

FLOW = PROSE | MEDIA | {"#text", "hr", "ol", "ul"}
"""Come in any number and order in an article: of siblings, the clustering view keeps one each."""

_OTHER = frozenset(
    "article aside body center col colgroup details dialog dir div dl fieldset figure footer form "
    "frame frameset header hgroup hr html main marquee menu nav ol plaintext section table tbody "
    "tfoot thead title tr ul xmp".split()
)

VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source "
    "track wbr".split()
)
"""Have no end tag and nothing in them."""

RAW = frozenset("iframe noembed noframes noscript plaintext script style xmp".split())
"""What is in them is text, whatever it looks like."""

NAMES: tuple[str, ...] = ("#text", *sorted(DROPPED | MEDIA | INLINE | TEXT_BLOCKS | _OTHER))
"""Names of the known tags by number."""

NUMBERS = {name: number for number, name in enumerate(NAMES)}

FIRST_UNKNOWN = 256
"""Tags that HTML does not know have numbers from here on."""

_unknown: dict[int, str] = {}


class Role(IntEnum):
    """What a tag means for the block tree."""

    OTHER = 0
    DROPPED = 1
    MEDIA = 2
    INLINE = 3
    TEXT_BLOCK = 4


_ROLES = {
    Role.DROPPED: DROPPED,
    Role.MEDIA: MEDIA,
    Role.INLINE: INLINE,
    Role.TEXT_BLOCK: TEXT_BLOCKS,
}


def tag_role(name: str) -> Role:
    """Return what a tag means for the block tree.

    >>> tag_role("b").name, tag_role("x-card").name
    ('INLINE', 'OTHER')
    """
    return next((role for role, names in _ROLES.items() if name in names), Role.OTHER)


def tag_number(name: str) -> int:
    """Return the number of a tag; names that HTML does not know get a stable one above 255.

    >>> tag_number("#text"), tag_number("x-card") > 255
    (0, True)
    """
    number = NUMBERS.get(name)
    if number is None:
        number = FIRST_UNKNOWN + (stable_hash(name.encode()) & 0x3FFFFFFF)
        _unknown[number] = name
    return number


def is_known(number: int) -> bool:
    """Return whether this process knows the name of a tag number.

    >>> is_known(tag_number("div")), is_known(FIRST_UNKNOWN)
    (True, False)
    """
    return number < len(NAMES) or number in _unknown


def tag_name(number: int) -> str:
    """Return the name of a tag number; an unknown one's if this process has met it.

    >>> tag_name(tag_number("div")), tag_name(tag_number("x-card"))
    ('div', 'x-card')
    """
    return NAMES[number] if number < len(NAMES) else _unknown.get(number, f"x-{number}")
