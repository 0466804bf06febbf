"""A recipe: selectors that give the articles of a site to whoever has lxml and cssselect."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flong.recipes.documents import Element, xpath_of
from flong.recipes.reader import read_article, text_at


@dataclass(frozen=True, slots=True)
class Place:
    """Where a field stands: at the first element that a selector finds."""

    css: str
    """The selector, as CSS."""
    attribute: str = ""
    """The attribute that holds it; empty for the text of the element."""

    @property
    def xpath(self) -> str:
        """Return the XPath of the element or attribute, of the first that there is."""
        found = f"({xpath_of(self.css)})[1]"
        return f"{found}/@{self.attribute}" if self.attribute else found

    def read(self, root: Element) -> str:
        """Return what stands there on a page, in one line; empty if there is no such place."""
        return text_at(root, self.xpath)


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """Where the fields of an article stand on the pages of one template."""

    title: Place
    """The headline."""
    body: str
    """CSS of the element that holds the text; the first on a page counts."""
    exclude: tuple[str, ...] = ()
    """CSS of what in it is no part of the text."""
    only_if: str = ""
    """CSS of something that all its articles have and other pages lack; empty if not needed."""
    date: Place | None = None
    """The day of publication; None if no selector finds it."""
    author: Place | None = None
    """The names of the authors; None if no selector finds them."""
    patterns: tuple[int, ...] = ()
    """Ids of the patterns whose pages it reads."""

    @property
    def xpaths(self) -> Mapping[str, str]:
        """Return it as `reader.read_article` takes it: XPath by field, empty for none."""
        return {
            "only_if": xpath_of(self.only_if) if self.only_if else "",
            "title": self.title.xpath,
            "body": f"({xpath_of(self.body)})[1]",
            "exclude": xpath_of(", ".join(self.exclude)) if self.exclude else "",
            "date": self.date.xpath if self.date else "",
            "author": self.author.xpath if self.author else "",
        }

    def read(self, root: Element) -> "RecipeFinding | None":
        """Return the article of a page; None if it has no title or no text there."""
        found = read_article(root, [self.xpaths])
        return RecipeFinding(self, **found) if found else None


@dataclass(frozen=True, slots=True)
class RecipeFinding:
    """What a recipe finds on a page."""

    template: Template
    """By which template."""
    title: str
    """The headline."""
    body: str
    """The text, a line per block."""
    date: str
    """What stands where the day of publication does; empty if nothing does."""
    author: str
    """What stands where the authors' names do; empty if nothing does."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A page on which a recipe does not give the article that flong does."""

    url: str
    """Its URL."""
    why: str
    """What is different, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """On how many stored pages a recipe, or one of its templates, gives what flong does."""

    articles: int = 0
    """Pages with an article."""
    same: int = 0
    """Those on which the recipe gives the same title and, nearly, the same text."""
    dated: int = 0
    """Articles whose day of publication is known."""
    same_day: int = 0
    """Those on which the recipe finds that day."""
    signed: int = 0
    """Articles whose authors are known."""
    same_authors: int = 0
    """Those on which the recipe finds their names."""

    @property
    def share(self) -> float:
        """Return the share of articles that are the same."""
        return self.same / max(self.articles, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """The articles of a site as selectors; the first template that finds title and text counts."""

    site: str
    """Name of the site."""
    url: str
    """Its home page."""
    templates: tuple[Template, ...]
    """In the order in which they are tried."""
    links: str = ""
    """CSS of the links to articles on the home page; empty if none was found."""
    agreement: Agreement = Agreement()
    """How often all of it gives what flong does."""
    by_template: tuple[Agreement, ...] = ()
    """The same for the pages of each template."""
    others: int = 0
    """Stored pages without an article that it was tried on."""
    taken: int = 0
    """Those on which it finds one all the same."""
    differences: tuple[Difference, ...] = ()
    """Where it gives another article than flong, or none."""


def read_with(templates: Sequence[Template], root: Element) -> RecipeFinding | None:
    """Return the article of a page by the first template that gives one."""
    return next((found for one in templates if (found := one.read(root)) is not None), None)
