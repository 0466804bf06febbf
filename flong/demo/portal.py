"""Portal: the pages served tonight, and their ground truth."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from flong.demo import assets, pages, plain
from flong.demo.edition import PER_PAGE, Edition, EditionNight, edition
from flong.demo.faults import FAULTS, error_page, is_faulty
from flong.demo.prose import PROSE
from flong.demo.responses import HTML, Response, conditional, failure
from flong.demo.visits import DESIGNS, Handler, Visit

_KINDS = {"h2": "h", "list": "ul", "quote": "quote", "figure": "figure"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """Ground truth of an article page."""

    path: str
    """Path of the page."""
    title: str
    """Headline."""
    body: str
    """Text of the first page, one line per paragraph, heading, list item, quotation or caption."""
    whole: str
    """Text of all pages."""
    pages: int
    """Number of pages."""
    published: datetime
    """Time of publication, in UTC."""
    modified: datetime | None
    """Time of the last edit, in UTC; None if never edited."""
    author: str
    """Name as printed."""
    section: str
    """Name of the section."""
    language: str
    """ISO 639-1 code."""
    kind: str
    """Template: `story`, `note`, `feature`, `column` or `gallery`."""
    tag: str
    """Tag."""
    description: str
    """Standfirst."""
    picture: str
    """Path of the first picture."""
    blocks: tuple[tuple[str, str], ...]
    """Headings (`h`), items (`ul`), quotations (`quote`) and captions (`figure`) of the first page.
    """


@dataclass(frozen=True, kw_only=True)
class Portal:
    """A news site generated from a seed. Equal portals serve the same bytes.

    >>> portal = Portal(seed=7, articles=40)
    >>> portal.get("/").status, portal.get("/nowhere").status
    (200, 404)
    >>> truth = next(portal.truth())
    >>> truth.title in portal.get(truth.path).text
    True
    """

    seed: int = 1
    """Seed of all text."""
    articles: int = 120
    """Number of articles on the first night."""
    design: str = "broadsheet"
    """Current design: `broadsheet` or `tabloid`."""
    nights: tuple[EditionNight, ...] = ()
    """Changes since the first night."""
    consent_wall: bool = False
    """Replace every page by a consent wall."""
    paywall: int = 0
    """Percentage of stories behind a paywall."""
    soft_404: bool = False
    """Serve missing pages with status 200."""
    restless: bool = False
    """Change the boxes beside an article every night."""
    fault: str = ""
    """Kind of broken article pages, with status 200 (see `flong.demo.faults`); empty for no fault.
    """
    faulty: float = 1.0
    """Fraction of article pages that are broken."""

    def __post_init__(self) -> None:
        if self.design not in DESIGNS:
            raise ValueError(f"unknown design {self.design!r}; use one of{', '.join(DESIGNS)}")
        if self.fault and self.fault not in FAULTS:
            raise ValueError(f"unknown fault {self.fault!r}; use one of{', '.join(FAULTS)}")
        if self.articles < 1:
            raise ValueError(f"a portal cannot have {self.articles} articles")

    @property
    def edition(self) -> Edition:
        """Stories of tonight."""
        return edition(self.seed, self.articles, self.nights)

    def get(self, target: str, headers: Mapping[str, str] | None = None) -> Response:
        """Return the response to a GET of a path, with or without a query."""
        asked = headers or {}
        host = next(
            (value for name, value in asked.items() if name.lower() == "host"), "courier.example"
        )
        return conditional(_rendered(self, target, f"http://{host}"), asked)

    def truth(self) -> Iterator[Truth]:
        """Yield the ground truth of every readable article, newest first."""
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
        """Yield paths of pages that are not articles: listings, prose, forms."""
        yield from ("/", "/archive/", "/newsletter", "/whats-on/2024/11", *PROSE)
        yield from self.edition.months
        for path, numbers in self.edition.listings.items():
            yield path
            yield from (
                f"{path}?page={page}" for page in range(2, -(-len(numbers) // PER_PAGE) + 1)
            )

    def with_changes(self, new: int = 0, edited: int = 0, removed: int = 0) -> "Portal":
        """Return the portal a day later, with these numbers of new, edited and removed stories.

        >>> later = Portal(articles=40).with_changes(new=3, removed=1)
        >>> len(list(later.truth()))
        42
        """
        night = EditionNight(new=new, edited=edited, removed=removed)
        return replace(self, nights=(*self.nights, night))

    def redesigned(self) -> "Portal":
        """Return the portal a day later, with the same content in the other design."""
        other = next(name for name in DESIGNS if name != self.design)
        return replace(self, design=other, nights=(*self.nights, EditionNight(redesign=True)))

    def behind_consent_wall(self) -> "Portal":
        """Return the portal with a consent wall, status 200, in place of every page."""
        return replace(self, consent_wall=True)

    def behind_paywall(self, share: float) -> "Portal":
        """Return the portal with this fraction of stories cut off after the first paragraph."""
        return replace(self, paywall=round(share * 100))

    def broken(self, fault: str, share: float = 1.0) -> "Portal":
        """Return the portal with error pages in place of this fraction of articles."""
        return replace(self, fault=fault, faulty=share)

    def night(self, number: int) -> "Portal":
        """Return the portal in the given night of an eventful week.

        1: the first state. 2: three new stories, one edited, one removed. 3: redesigned, with three
        new stories. 4: unchanged. 5: behind a consent wall. 6: without it again.
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


def respond(visit: Visit) -> Response:
    """Return the response at a URL, or a 404 page."""
    for route, handler in _ROUTES:
        if (found := route.fullmatch(visit.path)) and (response := handler(visit, found)):
            return response
    return pages.missing(visit, 404)


_ROUTES: tuple[tuple[re.Pattern[str], Handler], ...] = tuple(
    (re.compile(route), handler)
    for route, handler in (
        (
            r"(?P<path>/\w+/\d{4}/\d\d/(?:[a-z0-9-]+-)?(?P<number>\d{1,9}))(?:/page/(?P<sheet>\d))?",
            pages.article,
        ),
        ("/", pages.front),
        (r"/pictures/(?P<key>\d+-\d+)\.(?P<type>svg|png)", assets.picture),
        (r"/portraits/(?P<key>[a-z-]+)\.svg", assets.portrait),
        (r"/style/(?P<name>broadsheet\.css|tabloid\.css)", assets.style),
        (r"/favicon\.png", assets.icon),
        (r"/robots\.txt", assets.robots),
        (r"/(feed|atom|sitemap-news)\.xml", assets.feed),
        (r"/sitemap(-pages|-stories-(?P<lot>\d{1,6}))?\.xml", assets.sitemap),
        (r"/print/(?P<number>\d{1,9})", pages.printed),
        (r"/whats-on/(?P<year>\d{4})/(?P<month>\d\d)", pages.calendar),
        (r"/archive/(\d{4}/\d\d/)?", pages.archive),
        ("|".join(pages.FORMS), pages.form),
        (r"/\w+", pages.prose),
        (r"/.+", pages.listing),
    )
)
