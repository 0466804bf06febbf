"""Query language: parse user input into conditions. Every input is a valid query.

Words and "phrases in quotes" must all occur in an article's title or text; a leading `-` excludes.
`title:`, `author:`, `section:`, `site:`, `language:`, `since:` and `until:` filter. Invalid filters
(`since:soon`, `12:30`) are treated as words.
"""

import re
from calendar import monthrange
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum

from flong.search.terms import Phrase, phrase_of


class Field(StrEnum):
    """Part of an article that a condition applies to."""

    TEXT = "text"
    """Title or body."""
    TITLE = "title"
    AUTHOR = "author"
    SECTION = "section"


@dataclass(frozen=True, slots=True)
class Condition:
    """A phrase that an article must, or must not, contain."""

    phrase: Phrase
    """Terms of the phrase."""
    where: Field = Field.TEXT
    """Part of the article."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Conditions on an article; an empty query matches every article."""

    required: tuple[Condition, ...] = ()
    """Conditions that must all hold."""
    excluded: tuple[Condition, ...] = ()
    """Conditions that must not hold."""
    sites: frozenset[str] = frozenset()
    """Names of sites, subdomains included; empty for all."""
    excluded_sites: frozenset[str] = frozenset()
    """Names of sites to exclude."""
    languages: frozenset[str] = frozenset()
    """ISO 639-1 codes; empty for all."""
    since: date | None = None
    """First day, in UTC; None for no limit."""
    until: date | None = None
    """Last day, in UTC; None for no limit."""

    @property
    def terms(self) -> tuple[str, ...]:
        """Return the distinct terms required in title or text, in the order typed."""
        looked_for = (each for each in self.required if each.where in (Field.TEXT, Field.TITLE))
        return tuple(dict.fromkeys(term for each in looked_for for term in each.phrase.terms))


_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "‟": '"', "＂": '"', "：": ":"})  # noqa: RUF001 - typed
_PART = re.compile(r'(?P<minus>-?)(?:(?P<name>[a-z]+):)?(?:"(?P<quoted>[^"]*)"?|(?P<bare>\S+))')
_DAYS = re.compile(r"(\d{1,5})d")
_DATE = re.compile(r"(\d{4})(?:-(\d\d?))?(?:-(\d\d?))?")


@dataclass(slots=True)
class _Parts:
    """A query while it is being parsed."""

    today: date
    required: list[Condition] = field(default_factory=list)
    excluded: list[Condition] = field(default_factory=list)
    sites: set[str] = field(default_factory=set)
    excluded_sites: set[str] = field(default_factory=set)
    languages: set[str] = field(default_factory=set)
    since: date | None = None
    until: date | None = None

    def add_phrase(self, text: str, where: Field, *, is_excluded: bool) -> bool:
        phrase = phrase_of(text)
        if phrase is not None:
            conditions = self.excluded if is_excluded else self.required
            conditions.append(Condition(phrase, where))
        return phrase is not None

    def add_filter(self, name: str, value: str, *, is_excluded: bool) -> bool:
        """Add a filter; return False if it is not valid."""
        if name in (Field.TITLE, Field.AUTHOR, Field.SECTION):
            return self.add_phrase(value, Field(name), is_excluded=is_excluded)
        if name == "site" and value:
            sites = self.excluded_sites if is_excluded else self.sites
            sites.add(_host(value))
            return True
        if is_excluded:
            return False
        if name == "language" and value:
            self.languages.add(value.lower())
            return True
        return self.add_day(name, value)

    def add_day(self, name: str, value: str) -> bool:
        period = _period(value, self.today)
        if period is None or name not in ("since", "until"):
            return False
        if name == "since":
            self.since = max(self.since or period[0], period[0])
        else:
            self.until = min(self.until or period[1], period[1])
        return True


def parse_query(text: str, today: date) -> Query:
    """Parse user input; every text is a valid query.

    `since:` and `until:` take a year, a month, a day or a number of days before `today`.

    >>> day = date(2026, 5, 20)
    >>> query = parse_query('"climate change" -coal site:news.example since:7d', day)
    >>> [each.phrase.terms for each in query.required], query.excluded[0].phrase.terms
    ([('climate', 'change')], ('coal',))
    >>> query.sites, query.since
    (frozenset({'news.example'}), datetime.date(2026, 5, 13))
    >>> parse_query("since:soon", day).required[0].phrase.terms
    ('since', 'soon')
    """
    parts = _Parts(today)
    for part in _PART.finditer(text.translate(_QUOTES)):
        is_excluded, name = bool(part["minus"]), part["name"]
        value = part["bare"] if part["quoted"] is None else part["quoted"]
        if name and parts.add_filter(name, value, is_excluded=is_excluded):
            continue
        typed = f"{name}:{value}" if name else value
        parts.add_phrase(typed, Field.TEXT, is_excluded=is_excluded)
    return Query(
        required=tuple(dict.fromkeys(parts.required)),
        excluded=tuple(dict.fromkeys(parts.excluded)),
        sites=frozenset(parts.sites),
        excluded_sites=frozenset(parts.excluded_sites),
        languages=frozenset(parts.languages),
        since=parts.since,
        until=parts.until,
    )


def _host(value: str) -> str:
    """Return the name of a site, given a name or a URL.

    >>> _host("https://www.News.example/a"), _host("news.example")
    ('news.example', 'news.example')
    """
    host = value.lower().split("://")[-1].split("/")[0]
    return host.removeprefix("www.")


def _period(value: str, today: date) -> tuple[date, date] | None:
    """Return the first and last day of a year, a month, a day or `7d`; None for other values.

    >>> _period("2024-02", date(2026, 5, 20))[1].isoformat()
    '2024-02-29'
    """
    ago, day = _DAYS.fullmatch(value), _DATE.fullmatch(value)
    try:
        if ago:
            first = today - timedelta(days=int(ago[1]))
            return first, first
        if not day:
            return None
        year, month, number = (int(part) if part else None for part in day.groups())
        first = date(year or 0, month or 1, number or 1)
        last_month = month or 12
        last = number or monthrange(first.year, last_month)[1]
        return first, date(first.year, last_month, last)
    except (ValueError, OverflowError):
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Weights of the ranking, which `storage` computes in SQL."""

    title_weight: float = 5.0
    """Weight of a word in the title, relative to the body."""
    half_life: float = 0.0
    """Days after which an article's score is halved; 0 disables it."""
    window: int = 0
    """Maximum age in days, unless the query contains `since:`; 0 for no limit."""

    def freshness(self, age: float) -> float:
        """Return the factor for the score of an article, given its age in days.

        The decay is hyperbolic, which plain SQL can compute.

        >>> Ranking(half_life=7).freshness(7), Ranking().freshness(7)
        (0.5, 1.0)
        """
        return 1.0 if not self.half_life else self.half_life / (self.half_life + max(age, 0.0))
