"""Generated articles as blocks, independent of the markup of a site."""

from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random

from benchmarks.strangers.languages import PaperLanguage

FURNITURE = frozenset(("pull", "also", "letter", "ad"))
"""Kinds of blocks whose text is not the article's."""


@dataclass(frozen=True, slots=True)
class PaperBlock:
    """One block of an article."""

    kind: str
    """`p`, `h`, `ul`, `quote`, `table`, `figure`, `entry`, `embed` or `note` for text of the article;
    `pull`, `also`, `letter` or `ad` for insertions."""
    lines: tuple[str, ...]
    """Its text, a line per paragraph, item or cell."""


@dataclass(frozen=True, kw_only=True)
class PaperStory:
    """One article and all that is known about it."""

    number: int
    kind: str
    """`news`, `note`, `long`, `live`, `gallery` or `video`."""
    title: str
    kicker: str
    standfirst: str
    summary: str
    """Teaser in lists."""
    day: date
    authors: tuple[str, ...]
    section: str
    tags: tuple[str, ...]
    picture: str | None
    """File name of its lead picture."""
    blocks: tuple[PaperBlock, ...] = field(repr=False)

    @property
    def clock(self) -> str:
        """Return the time of day of its publication."""
        return f"{6 + 7 * self.number % 16:02}:{(13 * self.number + 7) % 60:02}"

    @property
    def body(self) -> str:
        """Return the text, one line per paragraph; captions are included in galleries."""
        others = FURNITURE if self.kind == "gallery" else FURNITURE | {"figure"}
        own = (block for block in self.blocks if block.kind not in others)
        return "\n".join(line for block in own for line in block.lines)


def write_stories(language: PaperLanguage, name: str, count: int) -> list[PaperStory]:
    """Return the stories of one site, the newest first."""
    dice = Random(name)  # noqa: S311 - made-up news, no secret
    sections = [language.things[at].split()[-1].capitalize() for at in (0, 3, 5, 7)]
    titles = list(dict.fromkeys(language.headline(dice) for _ in range(3 * count)))
    return [
        _story(language, Random(f"{name}/{number}"), number, titles[number], sections)  # noqa: S311
        for number in range(count)
    ]


def _story(
    language: PaperLanguage, dice: Random, number: int, title: str, sections: list[str]
) -> PaperStory:
    kind = dice.choices(
        ("news", "note", "long", "live", "gallery", "video"), (62, 14, 10, 5, 4, 5)
    )[0]
    several = dice.sample(language.names, 1 + (dice.random() < 0.15))
    return PaperStory(
        number=number,
        kind=kind,
        title=title,
        kicker=language.space.join(dice.sample(language.things, 1)),
        standfirst="" if kind == "note" else language.clause(dice).capitalize(),
        summary=language.paragraph(dice, dice.randint(1, 2)),
        day=date(2023, 11, 20) - timedelta(days=3 * number + dice.randint(0, 2)),
        authors=tuple(several),
        section=dice.choice(sections),
        tags=tuple(dice.sample(language.things, dice.randint(0, 4))),
        picture=f"photo-{number}.jpg" if dice.random() < 0.7 else None,
        blocks=tuple(_blocks(language, dice, kind)),
    )


def _blocks(language: PaperLanguage, dice: Random, kind: str) -> list[PaperBlock]:
    def prose(sentences: int) -> PaperBlock:
        return PaperBlock("p", (language.paragraph(dice, sentences),))

    if kind == "note":
        return [prose(1) for _ in range(2)] if dice.random() < 0.5 else [prose(2)]
    if kind == "video":
        return [PaperBlock("video", ()), prose(3)]
    if kind == "gallery":
        return [prose(2), *(PaperBlock("figure", (language.sentence(dice),)) for _ in range(7))]
    if kind == "live":
        return [prose(2), *_entries(language, dice)]
    count = dice.randint(18, 30) if kind == "long" else dice.randint(4, 11)
    blocks = [prose(2), *(_any(language, dice) for _ in range(count)), prose(2)]
    return [*blocks, PaperBlock("note", (language.sentence(dice),))] if kind == "long" else blocks


def _entries(language: PaperLanguage, dice: Random) -> list[PaperBlock]:
    """Return the entries of a live blog, the latest first."""
    times = sorted(dice.sample(range(6 * 60, 23 * 60), 9), reverse=True)
    return [
        PaperBlock(
            "entry",
            (f"{time // 60}:{time % 60:02}", language.headline(dice), language.paragraph(dice, 2)),
        )
        for time in times
    ]


def _any(language: PaperLanguage, dice: Random) -> PaperBlock:
    kinds = "p h ul quote table figure embed pull also letter ad".split()
    kind = dice.choices(kinds, (70, 7, 4, 4, 2, 4, 2, 2, 3, 2, 3))[0]
    if kind == "p":
        return PaperBlock("p", (language.paragraph(dice, dice.randint(1, 4)),))
    if kind in ("ul", "table"):
        return PaperBlock(
            kind, tuple(language.headline(dice) for _ in range(2 * dice.randint(2, 4)))
        )
    if kind in ("also", "letter", "ad"):
        return PaperBlock(kind, ())
    if kind == "h":
        return PaperBlock("h", (language.headline(dice),))
    return PaperBlock(kind, (language.sentence(dice),))
