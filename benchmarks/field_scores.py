"""Scores of fields and structure of articles, for any method."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from benchmarks.corpus import CorpusSite
from flong.article import Article, BlockKind, clock_of_entry, entries_of, text_of_blocks
from flong.text import fold_text, token_f1, words

STRUCTURE = ("h", "ul", "quote", "table", "figure", "note")
"""Kinds of blocks in the truth: headings, items, quotations, cells, captions, footnotes."""
_DESCRIBED = 0.9
"""Minimum F1 of the words of equal descriptions."""
_NEAR = 40
"""Maximum characters between a time of day and its year."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Result of a method on one page."""

    published: datetime | None = None
    """Time of publication."""
    published_text: str = ""
    """Time of publication as printed."""
    authors: tuple[str, ...] = ()
    """Names of the authors."""
    description: str = ""
    """Its standfirst."""
    sections: tuple[str, ...] = ()
    """Its sections."""
    tags: tuple[str, ...] = ()
    """Keywords."""
    image: str = ""
    """URL of its lead picture."""
    blocks: tuple[tuple[str, str], ...] = ()
    """Kind and text of blocks other than plain paragraphs."""
    links: frozenset[str] = frozenset()
    """URLs that its text links to."""
    entries: tuple[tuple[str, str], ...] = ()
    """Entries of a live blog: time and text."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Numbers of right, wrong and missing values."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.right + other.right, self.wrong + other.wrong, self.missed + other.missed)

    @property
    def share(self) -> float | None:
        """Fraction of true values that were found, or None without true values."""
        expected = self.right + self.missed
        return self.right / expected if expected else None

    @property
    def f1(self) -> float | None:
        """F1, or None without values."""
        return (
            2 * self.right / (2 * self.right + self.wrong + self.missed)
            if self.share is not None
            else None
        )


def reading_of(article: Article) -> Reading:
    """Return the result of flong on a page."""
    blocks = article.blocks
    return Reading(
        published=article.published,
        published_text=article.published_text or "",
        authors=article.authors,
        description=article.description or "",
        sections=article.sections,
        tags=article.tags,
        image=article.image or "",
        blocks=tuple(_structure_of(article)),
        links=frozenset(span.url for block in blocks for span in block.spans if span.url),
        entries=tuple(
            (clock_of_entry(entry) or "", text_of_blocks(entry)) for entry in entries_of(blocks)
        ),
    )


def _structure_of(article: Article) -> Iterator[tuple[str, str]]:
    """Yield the blocks of an article other than plain paragraphs, named as in the truth."""
    for block in article.blocks:
        tags = {box.tag for box in block.boxes}
        kinds = {BlockKind.HEADING: "h", BlockKind.IMAGE: "figure", BlockKind.NOTE: "note"}
        kind = kinds.get(block.kind)
        named = {"li": "ul", "blockquote": "quote", "table": "table"}
        kind = kind or next((name for tag, name in named.items() if tag in tags), None)
        if kind is not None and block.words:
            yield kind, fold_text(block.words)


def judge_fields(site: CorpusSite, readings: Mapping[str, Reading]) -> dict[str, Tally]:
    """Return the tally of each field over the pages of a site with known truth."""
    known = [(path, reading) for path, reading in readings.items() if path in site.truth]
    return {
        name: sum((judge(site, path, reading) for path, reading in known), Tally())
        for name, judge in _JUDGES.items()
    }


def _day(site: CorpusSite, path: str, reading: Reading) -> Tally:
    day = site.truth[path].day
    if day is None:
        return Tally()
    given = reading.published
    return _one(given is not None, given is not None and abs((given.date() - day).days) <= 1)


def _minute(site: CorpusSite, path: str, reading: Reading) -> Tally:
    """Judge the printed time of day, because the truth has no time zone."""
    time = site.truth[path].minute
    if time is None or not prints_time(site.page(path).html, time):
        return Tally()
    given = reading.published
    near = given is not None and abs(given.date() - time.date()) <= timedelta(days=1)
    written = bool(_clock(time).search(reading.published_text))
    return _one(given is not None, near and written)


def prints_time(html: str, time: datetime) -> bool:
    """Return True if a page prints a time of day near its year, in 24 or 12 hours.

    >>> prints_time("On 3 May 2024, 5:07 pm", datetime(2024, 5, 3, 17, 7))
    True
    >>> prints_time("17:07", datetime(2024, 5, 3, 17, 7))
    False
    """
    year = str(time.year)
    return any(
        year in html[max(0, found.start() - _NEAR) : found.end() + _NEAR]
        for found in _clock(time).finditer(html)
    )


def _clock(time: datetime) -> re.Pattern[str]:
    hours = {time.hour, time.hour % 12 or 12}
    return re.compile(
        rf"(?<!\d)0?(?:{'|'.join(map(str, hours))})[:.h時시]\s?{time.minute:02}(?!\d)"
    )


def _authors(site: CorpusSite, path: str, reading: Reading) -> Tally:
    said = site.truth[path].author
    return _many(said.split(";"), reading.authors) if said else Tally()


def _description(site: CorpusSite, path: str, reading: Reading) -> Tally:
    said = site.truth[path].description
    if not said:
        return Tally()
    right = token_f1(words(said), words(reading.description)) >= _DESCRIBED
    return _one(bool(reading.description), right)


def _section(site: CorpusSite, path: str, reading: Reading) -> Tally:
    said = site.truth[path].section
    if not said:
        return Tally()
    return _one(bool(reading.sections), fold_text(said) in map(fold_text, reading.sections))


def _tags(site: CorpusSite, path: str, reading: Reading) -> Tally:
    said = site.truth[path].tags
    return _many(said, reading.tags) if said else Tally()


def _image(site: CorpusSite, path: str, reading: Reading) -> Tally:
    said = site.truth[path].image
    return _one(bool(reading.image), reading.image.endswith(f"/{said}")) if said else Tally()


def _blocks(site: CorpusSite, path: str, reading: Reading) -> Tally:
    """Judge blocks of the kinds that the truth of the page has."""
    truth = site.truth[path].blocks
    kinds = {kind for kind, _ in truth}
    return _counted(
        Counter((kind, fold_text(text)) for kind, text in truth),
        Counter(each for each in reading.blocks if each[0] in kinds),
    )


def _links(site: CorpusSite, path: str, reading: Reading) -> Tally:
    """Judge whether true links are kept; additional links are not wrong."""
    truth = {url for _, url in site.truth[path].links}
    return Tally(len(truth & reading.links), 0, len(truth - reading.links))


def _entries(site: CorpusSite, path: str, reading: Reading) -> Tally:
    truth = site.truth[path].entries
    if not truth:
        return Tally()
    right = sum(
        time == found and fold_text(text) in fold_text(whole)
        for (time, text), (found, whole) in zip(truth, reading.entries, strict=False)
    )
    return Tally(right, len(reading.entries) - right, len(truth) - right)


def _one(is_given: bool, is_right: bool) -> Tally:
    return Tally(1) if is_right else Tally(0, int(is_given), 1)


def _many(truth: Iterable[str], found: Iterable[str]) -> Tally:
    return _counted(Counter({*map(fold_text, truth)}), Counter({*map(fold_text, found)}))


def _counted(truth: Counter[object], found: Counter[object]) -> Tally:
    right = (truth & found).total()
    return Tally(right, found.total() - right, truth.total() - right)


_JUDGES: Mapping[str, Callable[[CorpusSite, str, Reading], Tally]] = {
    "dates": _day,
    "minutes": _minute,
    "authors": _authors,
    "description": _description,
    "section": _section,
    "tags": _tags,
    "image": _image,
    "structure": _blocks,
    "links": _links,
    "entries": _entries,
}
FIELDS = tuple(_JUDGES)
"""Functions that judge fields other than title and body, by name."""
SHARES = frozenset(["dates", "minutes", "description", "section", "image", "links"])
"""Fields with one value, judged by the fraction of right values; the others are judged by F1."""


def figure(name: str, tally: Tally) -> float | None:
    """Return the figure of a field, or None without values."""
    return tally.share if name in SHARES else tally.f1
