"""Recipe: a site's extraction rules as CSS/XPath selectors, usable without flong."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flong.links import Element
from flong.recipes.documents import xpath_of
from flong.recipes.reader import read_article, text_at


@dataclass(frozen=True, slots=True)
class Place:
    """Location of a field: the first element that matches a selector."""

    css: str
    """CSS selector."""
    attribute: str = ""
    """Attribute that contains the value; empty for the element's text."""

    @property
    def xpath(self) -> str:
        """Return the XPath of the first matching element, or of its attribute."""
        found = f"({xpath_of(self.css)})[1]"
        return f"{found}/@{self.attribute}" if self.attribute else found

    def read(self, root: Element) -> str:
        """Return the value on one line, or "" if nothing matches."""
        return text_at(root, self.xpath)


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """Locations of the article's fields on the pages of one template."""

    title: Place
    """Headline."""
    body: str
    """CSS selector of the body's container; the first match counts."""
    exclude: tuple[str, ...] = ()
    """CSS selectors of excluded blocks."""
    only_if: str = ""
    """CSS selector that matches on articles of this template only; empty if not needed."""
    date: Place | None = None
    """Day of publication; None if no selector finds it."""
    author: Place | None = None
    """Names of the authors; None if no selector finds them."""
    patterns: tuple[int, ...] = ()
    """Ids of the patterns that this template covers."""

    @property
    def xpaths(self) -> Mapping[str, str]:
        """Return the template as input for `reader.read_article`: XPath or "" for each field."""
        return {
            "only_if": xpath_of(self.only_if) if self.only_if else "",
            "title": self.title.xpath,
            "body": f"({xpath_of(self.body)})[1]",
            "exclude": xpath_of(", ".join(self.exclude)) if self.exclude else "",
            "date": self.date.xpath if self.date else "",
            "author": self.author.xpath if self.author else "",
        }

    def read(self, root: Element) -> "RecipeFinding | None":
        """Return the page's article, or None if title or text is missing."""
        found = read_article(root, [self.xpaths])
        return RecipeFinding(self, **found) if found else None


@dataclass(frozen=True, slots=True)
class RecipeFinding:
    """Values that a recipe finds on a page."""

    template: Template
    """Matching template."""
    title: str
    """Headline."""
    body: str
    """Text, one line per block."""
    date: str
    """Text at the date's location; empty if absent."""
    author: str
    """Text at the authors' location; empty if absent."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A page where the recipe's result differs from flong's."""

    url: str
    """URL of the page."""
    why: str
    """Description of the difference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Counts of pages on which a recipe, or one of its templates, agrees with flong."""

    articles: int = 0
    """Pages with an article."""
    same: int = 0
    """Articles with the same title and nearly the same text."""
    dated: int = 0
    """Articles whose day of publication is known."""
    same_day: int = 0
    """Articles on which the recipe finds that day."""
    signed: int = 0
    """Articles whose authors are known."""
    same_authors: int = 0
    """Articles on which the recipe finds their names."""

    @property
    def share(self) -> float:
        """Return the fraction of articles that are the same."""
        return self.same / max(self.articles, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Selectors for the articles of a site; the first template that finds title and text counts."""

    site: str
    """Name of the site."""
    url: str
    """Home page."""
    templates: tuple[Template, ...]
    """Templates, in the order of trial."""
    links: str = ""
    """CSS selector of article links on the home page; empty if unknown."""
    agreement: Agreement = Agreement()
    """Agreement with flong on all pages."""
    by_template: tuple[Agreement, ...] = ()
    """Agreement on the pages of each template."""
    others: int = 0
    """Number of tested pages without an article."""
    taken: int = 0
    """Number of these on which the recipe finds an article nevertheless."""
    differences: tuple[Difference, ...] = ()
    """Pages where the result differs from flong's."""


def read_with(templates: Sequence[Template], root: Element) -> RecipeFinding | None:
    """Return the article by the first template that finds one, or None."""
    return next((found for one in templates if (found := one.read(root)) is not None), None)
