"""Stories of the portal, which are also its ground truth."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import cycle

from flong.demo.grammar import Teller, dice
from flong.demo.newsroom import Author, Section, author_of, beat_of, fate, kind_of, section_of
from flong.text import word_count

_CAST = (
    "lead second where there sum thing body role number club rival country country2 subject name"
).split()
_SHAPES = {"story": (7, 13), "feature": (22, 34), "column": (6, 10), "gallery": (4, 6)}
_RHYTHM = (
    ("fact", "fact"),
    ("quote",),
    ("context", "fact"),
    ("fact", "reaction"),
    ("quote", "fact"),
)


@dataclass(frozen=True, kw_only=True)
class Assignment:
    """A story as it appears in listings."""

    seed: int
    """Seed of the portal."""
    number: int
    """Position in the order of publication; identifies the story."""
    section: Section
    """Section."""
    kind: str
    """Template."""
    author: Author
    """Author."""
    published: datetime
    """Time of publication, in UTC."""
    title: str
    """Headline."""
    standfirst: str
    """Introductory sentence."""
    path: str
    """Path of the page."""
    tag: str
    """Name of the tag page."""

    @property
    def picture(self) -> str:
        """Path of the first picture."""
        return f"/pictures/{self.number}-0.svg"


@dataclass(frozen=True)
class StoryBlock:
    """A block of a body: `p`, `h2`, `quote`, `list` or `figure`."""

    kind: str
    """Kind of block."""
    lines: tuple[str, ...]
    """Texts: the items of a list, quotation and speaker, else one."""
    picture: str = ""
    """Path of a figure's picture."""


@dataclass(frozen=True)
class Comment:
    """A reader's comment."""

    name: str
    """Name of the reader."""
    when: datetime
    """Time, in UTC."""
    text: str
    """One paragraph."""


@dataclass(frozen=True, kw_only=True)
class WrittenStory:
    """A full article."""

    entry: Assignment
    """Headline, author and other fields."""
    sheets: tuple[tuple[StoryBlock, ...], ...]
    """Blocks, one tuple per page; nearly always one."""
    modified: datetime | None = None
    """Time of the edit, in UTC; None if never edited."""
    comments: tuple[Comment, ...] = ()
    """Comments, oldest first."""

    @property
    def body(self) -> str:
        """Text of the first page, one line per paragraph, heading or item; no captions."""
        return "\n".join(_lines(self.sheets[0]))

    @property
    def whole(self) -> str:
        """Text of all pages."""
        return "\n".join(line for sheet in self.sheets for line in _lines(sheet))


def _lines(sheet: tuple[StoryBlock, ...]) -> Iterator[str]:
    """Yield the lines of a page's text, without captions."""
    for block in sheet:
        if block.kind != "figure":
            yield from block.lines


def _teller(seed: int, number: int, what: str) -> Teller:
    """Return a text generator with the story's people and places fixed."""
    language, beat = section_of(number).language, beat_of(seed, number)
    rules = {
        "lead": ("{person}",),
        "second": ("{person}",),
        "where": ("{place}",),
        "there": ("{town}",),
        "sum": ("{money}",),
        **language.rules,
        **beat.rules,
    }
    teller = Teller(rules, dice(seed, number, "cast"))
    teller.fix(*(symbol for symbol in _CAST if symbol in rules))
    for who in ("lead", "second"):
        teller.fixed[f"{who}_last"] = teller.fixed[who].split()[-1]
    return Teller(rules, dice(seed, number, what), teller.fixed)


def slug(title: str) -> str:
    """Return the title as part of a URL; empty without Latin letters.

    >>> slug("Kettle & Daughters doubles profit"), slug("朝市")
    ('kettle-daughters-doubles-profit', '')
    """
    parts = re.findall(r"[a-z0-9]+", title.lower())
    return "-".join(parts)[:60].strip("-") if re.search("[a-z]", title) else ""


@lru_cache(maxsize=20_000)
def entry(seed: int, number: int, published: datetime) -> Assignment:
    """Return a story's headline and metadata, determined by the arguments."""
    section, teller = section_of(number), _teller(seed, number, "title")
    headline, standfirst, _ = _angle(seed, number)
    title = teller.tell(headline)
    name = "-".join(filter(None, (slug(title), str(number))))
    return Assignment(
        seed=seed,
        number=number,
        section=section,
        kind=kind_of(number),
        author=author_of(seed, number),
        published=published,
        title=title,
        standfirst=teller.tell(standfirst),
        path=f"/{section.key}/{published:%Y/%m}/{name}",
        tag=beat_of(seed, number).tag,
    )


def _angle(seed: int, number: int) -> tuple[str, str, str]:
    angles = beat_of(seed, number).angles
    return angles[fate(seed, number, "angle") % len(angles)]


@lru_cache(maxsize=512)
def write(entry: Assignment, edited: datetime | None = None) -> WrittenStory:
    """Return the full story; once edited it has an additional paragraph and a note."""
    teller = _teller(entry.seed, entry.number, "body")
    stop = "。" if entry.section.language.code == "ja" else "."
    lead = teller.tell(_angle(entry.seed, entry.number)[2]) + stop
    blocks = _note(teller, lead, entry) if entry.kind == "note" else _text(teller, lead, entry)
    if edited:
        teller = _teller(entry.seed, entry.number, f"edit {edited:%F}")
        late = [StoryBlock("p", (teller.tell(f"{{{part}}}"),)) for part in ("update", "correction")]
        blocks = [blocks[0], late[0], *blocks[1:], late[1]]
    return WrittenStory(
        entry=entry, sheets=_sheets(entry, blocks), modified=edited, comments=_comments(entry)
    )


def _sheets(entry: Assignment, blocks: list[StoryBlock]) -> tuple[tuple[StoryBlock, ...], ...]:
    """Split every third feature into two pages."""
    if entry.kind != "feature" or fate(entry.seed, entry.number, "sheets") % 3:
        return (tuple(blocks),)
    middle = len(blocks) // 2
    half = next((i for i in range(middle, len(blocks)) if blocks[i].kind == "h2"), middle)
    return (tuple(blocks[:half]), tuple(blocks[half:]))


def _note(teller: Teller, lead: str, entry: Assignment) -> list[StoryBlock]:
    """Return a short item of 40 to 80 words (about 100 characters in Japanese)."""
    enough = 90 if entry.section.language.code == "ja" else 42
    space, texts = entry.section.language.space, [lead]
    while word_count(" ".join(texts)) < enough:
        texts.append(teller.tell("{fact}"))
    return [StoryBlock("p", (space.join(texts),))]


def _text(teller: Teller, lead: str, entry: Assignment) -> list[StoryBlock]:
    low, high = _SHAPES[entry.kind]
    blocks = [StoryBlock("p", (_paragraph(teller, entry, ("fact",), lead),))]
    wanted, rhythm = teller.dice.randint(low, high), cycle(_RHYTHM)
    while len(blocks) < wanted:
        blocks.append(StoryBlock("p", (_paragraph(teller, entry, next(rhythm)),)))
        blocks += _ornament(teller, entry, len(blocks))
    return [*blocks, StoryBlock("p", (_paragraph(teller, entry, ("context", "close")),))]


def _paragraph(teller: Teller, entry: Assignment, parts: tuple[str, ...], start: str = "") -> str:
    sentences = [teller.tell(f"{{{part}}}") for part in parts]
    return entry.section.language.space.join(filter(None, (start, *sentences)))


def _ornament(teller: Teller, entry: Assignment, place: int) -> list[StoryBlock]:
    """Return the block between two paragraphs of a feature or a photo story."""
    picture = f"/pictures/{entry.number}-{place}.svg"
    if entry.kind == "gallery":
        return [StoryBlock("figure", (teller.tell("{caption}"),), picture)]
    if entry.kind != "feature" or place % 4:
        return []
    ornaments = {
        0: [StoryBlock("figure", (teller.tell("{caption}"),), picture)],
        1: [StoryBlock("quote", (_saying(teller), teller.fixed["lead"]))],
        2: [
            StoryBlock("p", (teller.tell("{list_intro}"),)),
            StoryBlock("list", tuple(teller.tell("{item}") for _ in range(3))),
        ],
    }
    return [*ornaments.get(place // 4 % 4, []), StoryBlock("h2", (teller.tell("{subhead}"),))]


def _saying(teller: Teller) -> str:
    """Return a quotation that no other story has."""
    second, where = teller.fixed["second"], teller.fixed["where"]
    return f"“{teller.tell('{reason}')}, as I told {second} in {where}.”"


def _comments(entry: Assignment) -> tuple[Comment, ...]:
    every = entry.section.comments
    if not every or entry.number % every:
        return ()
    teller = _teller(entry.seed, entry.number, "comments")
    when, comments = entry.published, []
    for _ in range(teller.dice.choice((2, 4, 7, 18))):
        when += timedelta(minutes=teller.dice.randint(3, 400))
        text = _paragraph(teller, entry, ("comment",) * teller.dice.randint(1, 3))
        comments.append(Comment(teller.fill("{handle}"), when, text))
    return tuple(comments)
