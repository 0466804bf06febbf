"""Edition: the stories of a night, their listings and removals."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property, lru_cache
from urllib.parse import quote

from flong.demo.grammar import dice
from flong.demo.newsroom import AUTHORS, BEATS, SECTIONS, author_of, beat_of, section_of
from flong.demo.stories import Assignment, WrittenStory, entry, write

FIRST_NIGHT = datetime(2024, 11, 4, 23, tzinfo=UTC)
PER_PAGE = 10


@dataclass(frozen=True, kw_only=True)
class EditionNight:
    """Changes of one day."""

    new: int = 0
    """Number of new stories."""
    edited: int = 0
    """Number of edited stories."""
    removed: int = 0
    """Number of removed stories."""
    redesign: bool = False
    """True if the design changed."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Edition:
    """The stories of one night. Listings are newest first."""

    seed: int
    """Seed of the portal."""
    numbers: Sequence[int]
    """Readable stories, newest first."""
    published: dict[int, datetime]
    """Publication time of stories of later nights."""
    edited: dict[int, datetime]
    """Time of edits."""
    removed: frozenset[int]
    """Removed stories."""
    first: int
    """Number of stories on the first night."""
    today: datetime
    """End of the day."""
    redesigned: datetime | None
    """Time of the last redesign; None if it never changed."""

    def entry(self, number: int) -> Assignment:
        """Return a story as it appears in listings."""
        return entry(self.seed, number, self.published.get(number) or self._before(number))

    def story(self, number: int) -> WrittenStory:
        """Return the full story."""
        return write(self.entry(number), self.edited.get(number))

    def _before(self, number: int) -> datetime:
        """Spread the stories of the first night over the time before it, at most five years."""
        step = min(timedelta(hours=7), timedelta(days=1800) / max(self.first, 1))
        when = FIRST_NIGHT - step * (self.first - number) - timedelta(minutes=number * 17 % 53)
        return when.replace(second=0, microsecond=0)

    @cached_property
    def live(self) -> frozenset[int]:
        """Readable stories, for lookups."""
        return frozenset(self.numbers)

    @cached_property
    def listings(self) -> dict[str, list[int]]:
        """Stories of every section, tag and author page, by path; never empty."""
        found: dict[str, list[int]] = defaultdict(list)
        for number in self.numbers:
            found[f"/{section_of(number).key}/"].append(number)
            found[tag_path(beat_of(self.seed, number).tag)].append(number)
            found[f"/author/{author_of(self.seed, number).key}"].append(number)
        return dict(found)

    @cached_property
    def months(self) -> dict[str, list[int]]:
        """Stories of every month, by the path of its archive page."""
        found: dict[str, list[int]] = defaultdict(list)
        for number in self.numbers:
            when = self.published.get(number) or self._before(number)
            found[f"/archive/{when:%Y/%m}/"].append(number)
        return dict(found)

    def earlier(self, number: int, many: int) -> list[Assignment]:
        """Return the earlier stories of the same section, latest first.

        Removed stories are included: text printed below a story does not change.
        """
        section = section_of(number)
        found: list[Assignment] = []
        for other in range(number - 1, -1, -1):
            if len(found) == many:
                break
            if section_of(other) is section:
                found.append(self.entry(other))
        return found

    def most_read(self, restless: bool) -> list[Assignment]:
        """Return up to five stories; the same every night unless `restless`."""
        chosen = dice(self.seed, "most read", self.today if restless else "")
        gone = self.removed if restless else ()
        numbers = chosen.sample(range(self.first), min(5, self.first))
        return [self.entry(number) for number in numbers if number not in gone]


@lru_cache(maxsize=16)
def edition(seed: int, articles: int, nights: tuple[EditionNight, ...]) -> Edition:
    """Return the edition after these nights."""
    published: dict[int, datetime] = {}
    edited: dict[int, datetime] = {}
    removed: set[int] = set()
    live, total, today, redesigned = list(range(articles)), articles, FIRST_NIGHT, None
    for place, night in enumerate(nights, 1):
        today = FIRST_NIGHT + timedelta(days=place)
        fate = dice(seed, "night", place)
        at_hand = [n for n in live if n not in edited and not section_of(n).endless]
        touched = fate.sample(at_hand, min(night.edited + night.removed, len(at_hand)))
        edited |= dict.fromkeys(touched[: night.edited], today - timedelta(hours=5))
        removed |= set(touched[night.edited :])
        for new in range(total, total + night.new):
            published[new] = today - timedelta(minutes=41 * (total + night.new - new))
        live = [n for n in live if n not in removed] + list(range(total, total + night.new))
        total += night.new
        redesigned = today if night.redesign else redesigned
    return Edition(
        seed=seed,
        numbers=live[::-1],
        published=published,
        edited=edited,
        removed=frozenset(removed),
        first=articles,
        today=today,
        redesigned=redesigned,
    )


def tag_path(tag: str) -> str:
    """Return the path of a tag's page.

    >>> tag_path("Weather"), tag_path("港")
    ('/tag/weather', '/tag/%E6%B8%AF')
    """
    return "/tag/" + quote(tag.lower())


def listing_name(path: str) -> str:
    """Return the heading of a listing.

    >>> listing_name("/city/"), listing_name("/author/ada-quillfeather")
    ('City', 'Ada Quillfeather')
    """
    return _NAMES[path]


def _names() -> Iterable[tuple[str, str]]:
    yield from ((f"/{section.key}/", section.name) for section in SECTIONS)
    yield from ((tag_path(tag), tag) for tag in BEATS)
    yield from ((f"/author/{key}", author.name) for key, author in AUTHORS.items())


_NAMES = dict(_names())
