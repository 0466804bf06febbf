"""What a design is given to set: the content of a page, and nothing about its looks."""

from dataclasses import dataclass
from typing import Protocol

from flong.demo.grammar import Language
from flong.demo.newsroom import Author, Section
from flong.demo.stories import Assignment, StoryBlock, WrittenStory


@dataclass(frozen=True, kw_only=True)
class StoryPage:
    """One article page, or a page of prose that is set like one."""

    story: WrittenStory
    """What is printed."""
    sheet: int = 1
    """Which page of the story."""
    related: tuple[Assignment, ...] = ()
    """Earlier stories on the same thing."""
    most_read: tuple[Assignment, ...] = ()
    """For the column at the side."""
    appendix: tuple[WrittenStory, ...] = ()
    """Further whole stories below."""
    locked: bool = False
    """Whether only the beginning is shown, and an offer to subscribe."""
    origin: str = ""
    """Scheme and host, for links that must be absolute."""

    @property
    def blocks(self) -> tuple[StoryBlock, ...]:
        """What is shown of the body."""
        blocks = self.story.sheets[self.sheet - 1]
        return blocks[:1] if self.locked else blocks

    @property
    def path(self) -> str:
        """The URL of this page of the story."""
        return self.at(self.sheet)

    def at(self, sheet: int) -> str:
        """Return the URL of any page of the story."""
        path = self.story.entry.path
        return path if sheet == 1 else f"{path}/page/{sheet}"


@dataclass(frozen=True, kw_only=True)
class ListingPage:
    """One page of a section, a tag, an author or a month."""

    title: str
    """What it is headed with."""
    path: str
    """Its URL, without the number of the page."""
    entries: tuple[Assignment, ...]
    """Newest first."""
    language: Language
    """That of its stories."""
    page: int = 1
    """Which page."""
    pages: int = 1
    """How many there are."""
    blurb: str = ""
    """A paragraph about it."""
    author: Author | None = None
    """Whose page it is, if it is somebody's."""
    most_read: tuple[Assignment, ...] = ()
    """For the column at the side."""
    origin: str = ""
    """Scheme and host."""

    def at(self, page: int) -> str:
        """Return the URL of any page of the listing."""
        return self.path if page == 1 else f"{self.path}?page={page}"


@dataclass(frozen=True, kw_only=True)
class Front:
    """The home page."""

    top: tuple[Assignment, ...]
    """The newest stories of all sections."""
    sections: tuple[tuple[Section, tuple[Assignment, ...]], ...]
    """Every section with its newest stories."""
    most_read: tuple[Assignment, ...]
    """For the column at the side."""
    date: str
    """The day, as printed below the name of the paper."""
    origin: str = ""
    """Scheme and host."""


@dataclass(frozen=True, kw_only=True)
class Notice:
    """A page that says one thing: not found, gone, a calendar, a form."""

    title: str
    """What it is headed with."""
    text: str
    """One paragraph."""
    links: tuple[tuple[str, str], ...] = ()
    """URLs and words of links to go on with."""
    origin: str = ""
    """Scheme and host."""


class Design(Protocol):
    """A way to set pages. A module with these functions is one."""

    def article(self, page: StoryPage) -> str:
        """Return an article page."""

    def listing(self, listing: ListingPage) -> str:
        """Return a page of teasers."""

    def front(self, front: Front) -> str:
        """Return the home page."""

    def notice(self, notice: Notice) -> str:
        """Return a page with one thing to say."""
