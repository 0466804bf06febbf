"""Tag numbers, stable between processes, and the role of each tag in the block tree."""

from enum import IntEnum

from flong.tree.hashes import stable_hash

TEXT = 0
"""Number of a text leaf."""

DROPPED = frozenset(
    "area base basefont bgsound button canvas datalist head input keygen link map math meta "
    "noembed noframes noscript optgroup option param script select source style svg template "
    "textarea track".split()
)
"""Tags omitted from the tree with all of their content."""

MEDIA = frozenset("audio embed iframe img object picture video".split())
"""Tags that become leaves; their content is omitted."""

INLINE = frozenset(
    "a abbr acronym b bdi bdo big br cite code data del dfn em font i ins kbd label mark nobr q rp "
    "rt ruby s samp small span strike strong sub sup time tt u var wbr".split()
)
"""Tags folded into the surrounding text."""

TEXT_BLOCKS = frozenset(
    "address blockquote caption dd dt figcaption h1 h2 h3 h4 h5 h6 legend li p pre summary td "
    "th".split()
)
"""Tags that contain running text: their inline children are always folded."""

PROSE = frozenset("address blockquote dl figure h1 h2 h3 h4 h5 h6 p pre".split())
"""Tags of prose, which are leaves in the skeleton."""

FLOW = PROSE | MEDIA | {"#text", "hr", "ol", "ul"}
"""Tags that occur in any number and order in articles: the skeleton keeps one per tag."""

_OTHER = frozenset(
    "article aside body center col colgroup details dialog dir div dl fieldset figure footer form "
    "frame frameset header hgroup hr html main marquee menu nav ol plaintext section table tbody "
    "tfoot thead title tr ul xmp".split()
)

VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source "
    "track wbr".split()
)
"""Tags without content and end tag."""

RAW = frozenset("iframe noembed noframes noscript plaintext script style xmp".split())
"""Tags whose content is raw text."""

NAMES: tuple[str, ...] = ("#text", *sorted(DROPPED | MEDIA | INLINE | TEXT_BLOCKS | _OTHER))
"""Known tag names, by number."""

NUMBERS = {name: number for number, name in enumerate(NAMES)}

FIRST_UNKNOWN = 256
"""First number of tags unknown to HTML."""

_unknown: dict[int, str] = {}


class Role(IntEnum):
    """Role of a tag in the block tree."""

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
    """Return the role of a tag in the block tree.

    >>> tag_role("b").name, tag_role("x-card").name
    ('INLINE', 'OTHER')
    """
    return next((role for role, names in _ROLES.items() if name in names), Role.OTHER)


def tag_number(name: str) -> int:
    """Return the number of a tag; unknown names get a stable number >= `FIRST_UNKNOWN`.

    >>> tag_number("#text"), tag_number("x-card") > 255
    (0, True)
    """
    number = NUMBERS.get(name)
    if number is None:
        number = FIRST_UNKNOWN + (stable_hash(name.encode()) & 0x3FFFFFFF)
        _unknown[number] = name
    return number


def is_known(number: int) -> bool:
    """Return True if this process has a name for the tag number.

    >>> is_known(tag_number("div")), is_known(FIRST_UNKNOWN)
    (True, False)
    """
    return number < len(NAMES) or number in _unknown


def tag_name(number: int) -> str:
    """Return the name of a tag number, or a placeholder if this process has not met the tag.

    >>> tag_name(tag_number("div")), tag_name(tag_number("x-card"))
    ('div', 'x-card')
    """
    return NAMES[number] if number < len(NAMES) else _unknown.get(number, f"x-{number}")
