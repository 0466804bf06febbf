"""Newsroom: sections, staff, and the assignment of stories to them.

All assignments are computed from a story's number, so the listings of 50,000 stories need no text.
"""

from dataclasses import dataclass
from functools import cache
from zlib import crc32

from flong.demo.english import (
    COLUMN,
    COMPANIES,
    ELECTION,
    ENGLISH,
    HOUSING,
    MATCH,
    RESEARCH,
    STORM,
    TRANSPORT,
)
from flong.demo.german import DEICH, GERMAN, SCHULE
from flong.demo.grammar import Beat, Language
from flong.demo.japanese import JAPANESE, MATSURI, MINATO

PAPER = "The Merrow Courier"
MOTTO = "News from the estuary since 1871"


@dataclass(frozen=True, kw_only=True, eq=False)
class Section:
    """A section of the newspaper and its conventions."""

    key: str
    """First path segment of its URLs."""
    name: str
    """Name as printed."""
    language: Language
    """Language of its stories."""
    beats: tuple[Beat, ...]
    """Subjects."""
    kinds: tuple[str, ...]
    """Article templates, in turn: `story`, `note`, `feature`, `column`, `gallery`."""
    staff: tuple["Author", ...]
    """Authors."""
    metadata: str = "json-ld"
    """Kind of metadata: `json-ld`, `opengraph`, or `none` (not even a title)."""
    comments: int = 0
    """Interval of stories with comments; 0 for no comments."""
    endless: bool = False
    """True if further complete stories follow below each story."""


@dataclass(frozen=True, kw_only=True)
class Author:
    """An author."""

    name: str
    """Name as printed."""
    desk: str
    """Role."""
    key: str
    """Last path segment of the author's page."""


def _author(name: str, desk: str, key: str = "") -> Author:
    return Author(name=name, desk=desk, key=key or name.lower().replace(" ", "-"))


ADA = _author("Ada Quillfeather", "city editor")
BEN = _author("Ben Marlowe", "city reporter")
CORA = _author("Cora Vandermeer", "foreign correspondent")
DREW = _author("Drew Ashby-Lund", "business editor")
ELLA = _author("Ella Brightwater", "science editor")
FINN = _author("Finn O'Darragh", "sports editor", "finn-odarragh")
GUS = _author("Gus Penhaligon", "columnist")
HETTY = _author("Hetty Sandringham", "columnist")
IMKE = _author("Imke Brüning", "Korrespondentin", "imke-bruening")
JUN = _author("潮見純", "記者", "shiomi-jun")
DESK = _author("Courier staff", "the news desk")

SECTIONS = (
    Section(
        key="city",
        name="City",
        language=ENGLISH,
        beats=(TRANSPORT, HOUSING),
        kinds=("story", "note", "story", "gallery", "story", "feature"),
        staff=(ADA, BEN, DESK),
        comments=2,
    ),
    Section(
        key="world",
        name="World",
        language=ENGLISH,
        beats=(STORM, ELECTION),
        kinds=("story", "story", "note", "story"),
        staff=(CORA, DESK),
    ),
    Section(
        key="business",
        name="Business",
        language=ENGLISH,
        beats=(COMPANIES,),
        kinds=("story", "note", "story"),
        staff=(DREW, BEN),
        metadata="opengraph",
    ),
    Section(
        key="science",
        name="Science",
        language=ENGLISH,
        beats=(RESEARCH,),
        kinds=("feature", "story", "gallery", "feature"),
        staff=(ELLA,),
    ),
    Section(
        key="sport",
        name="Sport",
        language=ENGLISH,
        beats=(MATCH,),
        kinds=("story", "story", "note"),
        staff=(FINN, DESK),
        metadata="none",
        endless=True,
    ),
    Section(
        key="opinion",
        name="Opinion",
        language=ENGLISH,
        beats=(COLUMN,),
        kinds=("column",),
        staff=(GUS, HETTY),
        metadata="none",
        comments=1,
    ),
    Section(
        key="deutsch",
        name="Deutsch",
        language=GERMAN,
        beats=(DEICH, SCHULE),
        kinds=("story", "story", "note"),
        staff=(IMKE,),
        metadata="opengraph",
        comments=3,
    ),
    Section(
        key="nihongo",
        name="日本語",
        language=JAPANESE,
        beats=(MINATO, MATSURI),
        kinds=("story", "note", "story"),
        staff=(JUN,),
    ),
)

_TURN = (
    "city world business city sport science opinion city deutsch world nihongo sport "
    "city business world opinion science deutsch sport nihongo"
).split()


def fate(seed: int, number: int, what: str) -> int:
    """Return a pseudo-random number that depends only on the arguments.

    >>> fate(1, 7, "author") == fate(1, 7, "author")
    True
    """
    check = crc32(f"{seed}/{number}/{what}".encode())
    # The low bits of neighbouring checksums are similar; those of this product are not.
    return check * 0x9E3779B1 >> 20


@cache
def _turn(place: int) -> tuple[Section, int, int]:
    key = _TURN[place]
    section = next(section for section in SECTIONS if section.key == key)
    return section, _TURN[:place].count(key), _TURN.count(key)


def section_of(number: int) -> Section:
    """Return the section of a story.

    >>> [section_of(number).name for number in (0, 1, 10)]
    ['City', 'World', '日本語']
    """
    return _turn(number % len(_TURN))[0]


def ordinal(number: int) -> int:
    """Return the number of earlier stories in the same section.

    >>> ordinal(0), ordinal(3), ordinal(20)
    (0, 1, 4)
    """
    _, before, each = _turn(number % len(_TURN))
    return number // len(_TURN) * each + before


def kind_of(number: int) -> str:
    """Return the template of a story.

    >>> kind_of(0), kind_of(3), kind_of(6)
    ('story', 'note', 'column')
    """
    kinds = section_of(number).kinds
    return kinds[ordinal(number) % len(kinds)]


def author_of(seed: int, number: int) -> Author:
    """Return the author of a story."""
    staff = section_of(number).staff
    return staff[fate(seed, number, "author") % len(staff)]


def beat_of(seed: int, number: int) -> Beat:
    """Return the subject of a story."""
    beats = section_of(number).beats
    return beats[fate(seed, number, "beat") % len(beats)]


AUTHORS = {author.key: author for section in SECTIONS for author in section.staff}
"""All authors, by the last path segment of their page."""

BEATS = {beat.tag: (section, beat) for section in SECTIONS for beat in section.beats}
"""All beats with their section, by tag."""
