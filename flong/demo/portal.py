"""The portal as a value: what it serves tonight, and what is true about it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from flong.demo import plain
from flong.demo.edition import PER_PAGE, Edition, EditionNight, edition
from flong.demo.faults import FAULTS, error_page, is_faulty
from flong.demo.prose import PROSE
from flong.demo.responses import HTML, Response, conditional, failure
from flong.demo.routes import respond
from flong.demo.visits import DESIGNS, Visit

_KINDS = {"h2": "h", "list": "ul", "quote": "quote", "figure": "figure"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What is to be found on an article page."""

    path: str
    """Its URL below the portal's root."""
    title: str
    """The headline."""
    body: str
    """Its text, a line per paragraph, heading, list item, quotation or caption; of a story that
    is spread over several pages, that of the first."""
    whole: str
    """The same of all its pages."""
    pages: int
    """How many there are."""
    published: datetime
    """In UTC."""
    modified: datetime | None
    """In UTC; None if it was never edited."""
    author: str
    """Name as printed."""
    section: str
    """As the site names it."""
    language: str
    """ISO 639-1 code."""
    kind: str
    """The template: `story`, `note`, `feature`, `column` or `gallery`."""
    tag: str
    """What it is about, as the site names it."""
    description: str
    """Its standfirst."""
    picture: str
    """The path of its first picture."""
    blocks: tuple[tuple[str, str], ...]
    """Headings (`h`), items (`ul`), quotations (`quote`) and captions (`figure`) of its first page,
    each with its text."""


@dataclass(frozen=True, kw_only=True)
class Portal:
    """A news site made from a seed. Two portals that are equal serve the same bytes.

    >>> portal = Portal(seed=7, articles=40)
    >>> portal.get("/").status, portal.get("/nowhere").status
    (200, 404)
    >>> truth = next(portal.truth())
    >>> truth.title in portal.get(truth.path).text
    True
    """

    seed: int = 1
    """Decides on every word."""
    articles: int = 120
    """How many there were on the first night."""
    design: str = "broadsheet"
    """`broadsheet` or `tabloid`: the clothes it wears tonight."""
    nights: tuple[EditionNight, ...] = ()
    """What has happened since the first night."""
    consent_wall: bool = False
    """Whether every page asks for consent instead of showing what is there."""
    paywall: int = 0
    """Per cent of the stories of which only the beginning is shown."""
    soft_404: bool = False
    """Whether pages that do not exist are served with status 200."""
    restless: bool = False
    """Whether the boxes beside an article change from night to night."""
    fault: str = ""
    """What broken article pages show, with status 200 (`flong.demo.faults`); empty: none is broken."""
    faulty: float = 1.0
    """Share of the article pages that are broken."""

    def __post_init__(self) -> None:
        if self.design not in DESIGNS:
            raise ValueError(f"no design is called {self.design!r}; there are {', '.join(DESIGNS)}")
        if self.fault and self.fault not in FAULTS:
            raise ValueError(f"no fault is called {self.fault!r}; there are {', '.join(FAULTS)}")
        if self.articles < 1:
            raise ValueError(f"a portal cannot have {self.articles} articles")

    @property
    def edition(self) -> Edition:
        """The stories of tonight."""
        return edition(self.seed, self.articles, self.nights)

    def get(self, target: str, headers: Mapping[str, str] | None = None) -> Response:
        """Return the response to a GET of a path with or without a query."""
        asked = headers or {}
        host = next(
            (value for name, value in asked.items() if name.lower() == "host"), "courier.example"
        )
        return conditional(_rendered(self, target, f"http://{host}"), asked)

    def truth(self) -> Iterator[Truth]:
        """Yield what is true about every article that can be read tonight, newest first."""
        paper = self.edition
        for number in paper.numbers:
            story = paper.story(number)
            entry = story.entry
            yield Truth(
                path=entry.path,
                title=entry.title,
                body=story.body,
                whole=story.whole,
                pages=len(story.sheets),
                published=entry.published,
                modified=story.modified,
                author=entry.author.name,
                section=entry.section.name,
                language=entry.section.language.code,
                kind=entry.kind,
                tag=entry.tag,
                description=entry.standfirst,
                picture=entry.picture,
                blocks=tuple(
                    (_KINDS[block.kind], line)
                    for block in story.sheets[0]
                    if block.kind in _KINDS
                    for line in block.lines
                ),
            )

    def others(self) -> Iterator[str]:
        """Yield URLs of pages that are certainly no articles: listings, prose, forms."""
        yield from ("/", "/archive/", "/newsletter", "/whats-on/2024/11", *PROSE)
        yield from self.edition.months
        for path, numbers in self.edition.listings.items():
            yield path
            yield from (
                f"{path}?page={page}" for page in range(2, -(-len(numbers) // PER_PAGE) + 1)
            )

    def with_changes(self, new: int = 0, edited: int = 0, removed: int = 0) -> "Portal":
        """Return the portal a day later, with so many stories new, edited, taken down.

        >>> later = Portal(articles=40).with_changes(new=3, removed=1)
        >>> len(list(later.truth()))
        42
        """
        night = EditionNight(new=new, edited=edited, removed=removed)
        return replace(self, nights=(*self.nights, night))

    def redesigned(self) -> "Portal":
        """Return the portal a day later, with the same content in other clothes."""
        other = next(name for name in DESIGNS if name != self.design)
        return replace(self, design=other, nights=(*self.nights, EditionNight(redesign=True)))

    def behind_consent_wall(self) -> "Portal":
        """Return the portal with a demand for consent, status 200, in the place of every page."""
        return replace(self, consent_wall=True)

    def behind_paywall(self, share: float) -> "Portal":
        """Return the portal with this share of its stories cut off after the first paragraph."""
        return replace(self, paywall=round(share * 100))

    def broken(self, fault: str, share: float = 1.0) -> "Portal":
        """Return the portal with error pages in the place of this share of its articles."""
        return replace(self, fault=fault, faulty=share)

    def night(self, number: int) -> "Portal":
        """Return the portal in the given night of a week in which everything happens.

        1 as it is; 2 three new stories, one edited, one taken down; 3 redesigned, with three
        new ones; 4 as the night before; 5 behind a consent wall; 6 without it again.
        """
        if not 1 <= number <= 6:
            raise ValueError(f"the week has nights 1 to 6, not {number}")
        portal = self
        if number >= 2:
            portal = portal.with_changes(new=3, edited=1, removed=1)
        if number >= 3:
            portal = portal.redesigned().with_changes(new=3)
        return portal.behind_consent_wall() if number == 5 else portal


@lru_cache(maxsize=4096)
def _rendered(portal: Portal, target: str, origin: str) -> Response:
    path, _, query = target.partition("?")
    visit = Visit(
        path=path,
        query=query,
        origin=origin,
        edition=portal.edition,
        design=portal.design,
        paywall=portal.paywall,
        restless=portal.restless,
    )
    response = respond(visit)
    if response.header("Content-Type") != HTML:
        return response
    if portal.consent_wall:
        return failure(200, plain.consent(origin))
    if portal.fault and is_faulty(path, portal.faulty) and path in _titles(portal):
        titles = _titles(portal)
        broken = error_page(portal.fault, path, response.text, titles[path], list(titles.values()))
        return failure(200, broken)
    if portal.soft_404 and response.status in (404, 410):
        return failure(200, response.text)
    return response


@lru_cache(maxsize=64)
def _titles(portal: Portal) -> Mapping[str, str]:
    """Return the headlines of all articles, by path."""
    entries = map(portal.edition.entry, portal.edition.numbers)
    return {entry.path: entry.title for entry in entries}
