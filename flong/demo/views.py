"""Views: the content of pages, independent of design."""

from dataclasses import dataclass
from typing import Protocol

from flong.demo.grammar import Language
from flong.demo.newsroom import Author, Section
from flong.demo.stories import Assignment, StoryBlock, WrittenStory


@dataclass(frozen=True, kw_only=True)
class StoryPage:
    """An article page, or a prose page in the same template."""

    story: WrittenStory
    """The story."""
    sheet: int = 1
    """Page of the story."""
    related: tuple[Assignment, ...] = ()
    """Earlier stories on the same subject."""
    most_read: tuple[Assignment, ...] = ()
    """Stories for the sidebar."""
    appendix: tuple[WrittenStory, ...] = ()
    """Further complete stories below."""
    locked: bool = False
    """True behind the paywall: the beginning and a subscription offer."""
    origin: str = ""
    """Scheme and host, for absolute links."""

    @property
    def blocks(self) -> tuple[StoryBlock, ...]:
        """Visible blocks of the body."""
        blocks = self.story.sheets[self.sheet - 1]
        return blocks[:1] if self.locked else blocks

    @property
    def path(self) -> str:
        """Path of this page of the story."""
        return self.at(self.sheet)

    def at(self, sheet: int) -> str:
        """Return the path of any page of the story."""
        path = self.story.entry.path
        return path if sheet == 1 else f"{path}/page/{sheet}"


@dataclass(frozen=True, kw_only=True)
class ListingPage:
    """A page of a section, a tag, an author or a month."""

    title: str
    """Heading."""
    path: str
    """Path, without the page number."""
    entries: tuple[Assignment, ...]
    """Stories, newest first."""
    language: Language
    """Language of the stories."""
    page: int = 1
    """Page number."""
    pages: int = 1
    """Number of pages."""
    blurb: str = ""
    """Introductory paragraph."""
    author: Author | None = None
    """Author, on an author's page."""
    most_read: tuple[Assignment, ...] = ()
    """Stories for the sidebar."""
    origin: str = ""
    """Scheme and host."""

    def at(self, page: int) -> str:
        """Return the path of any page of the listing."""
        return self.path if page == 1 else f"{self.path}?page={page}"


@dataclass(frozen=True, kw_only=True)
class Front:
    """The home page."""

    top: tuple[Assignment, ...]
    """Newest stories of all sections."""
    sections: tuple[tuple[Section, tuple[Assignment, ...]], ...]
    """Each section with its newest stories."""
    most_read: tuple[Assignment, ...]
    """Stories for the sidebar."""
    date: str
    """Date, as printed below the masthead."""
    origin: str = ""
    """Scheme and host."""


@dataclass(frozen=True, kw_only=True)
class Notice:
    """A short page: not found, gone, a calendar, a form."""

    title: str
    """Heading."""
    text: str
    """One paragraph."""
    links: tuple[tuple[str, str], ...] = ()
    """Paths and texts of links."""
    origin: str = ""
    """Scheme and host."""


class Design(Protocol):
    """A design: a module with these functions."""

    def article(self, page: StoryPage) -> str:
        """Return an article page."""

    def listing(self, listing: ListingPage) -> str:
        """Return a page of teasers."""

    def front(self, front: Front) -> str:
        """Return the home page."""

    def notice(self, notice: Notice) -> str:
        """Return a notice page."""
