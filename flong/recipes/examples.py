"""Example pages: stored pages with flong's result, used to learn and judge recipes."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from flong.article import Article
from flong.links import Element
from flong.patterns import parse_date
from flong.recipes.documents import TextPiece, parse_page, pieces_of
from flong.recipes.recipe import RecipeFinding
from flong.text import fold_text, token_f1, trigrams, words

SAME_BODY = 0.95
"""Minimum word F1 of two bodies that count as the same."""
_ALIKE = 0.6
"""Minimum fraction of a line's word trigrams in the article for the line to belong to it."""
_MORE_WORDS = 3
"""Maximum additional words in a byline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamplePage:
    """A stored page with flong's result."""

    url: str
    """URL of the page."""
    html: str
    """Stored HTML."""
    article: Article | None
    """The article; None if the page is not an article."""
    pattern: int | None
    """Id of the chosen pattern; None if no pattern matches."""


@dataclass(frozen=True, slots=True)
class Words:
    """A piece of text with its word count."""

    piece: TextPiece
    """Location of the text."""
    count: int
    """Number of words."""
    wanted: bool
    """True if it is part of the article."""


class Example:
    """A page with an article, parsed by lxml."""

    def __init__(self, page: ExamplePage, root: Element, article: Article) -> None:
        self.url, self.pattern = page.url, page.pattern
        self.root, self.article = root, article
        self._elements = list(root.iter())  # keep lxml's element proxies alive
        self.title = fold_text(article.title)
        self.body = words(article.body)
        self.authors = [fold_text(name) for name in article.authors]

    @classmethod
    def of(cls, page: ExamplePage) -> "Example | None":
        """Return the page as an example; None if it has no article or lxml cannot parse it."""
        root = parse_page(page.html) if page.article is not None else None
        return cls(page, root, page.article) if root is not None and page.article else None

    @cached_property
    def day(self) -> date | None:
        """Return the day of publication in the page's own time zone."""
        said = parse_date(self.article.published_text or "")
        if said is not None:
            return said.day
        return self.article.published.date() if self.article.published else None

    @cached_property
    def lines(self) -> Mapping[int, list[TextPiece]]:
        """Return the page's pieces of text by line."""
        found: dict[int, list[TextPiece]] = {}
        for piece in pieces_of(self.root):
            if piece.text.strip():
                found.setdefault(piece.line, []).append(piece)
        return found

    @cached_property
    def words(self) -> list[Words]:
        """Return all pieces with words, marked if they are part of the article."""
        body, runs = f" {' '.join(self.body)} ", trigrams(self.body)
        found = []
        for pieces in self.lines.values():
            wanted = _is_in("".join(piece.text for piece in pieces), body, runs)
            for piece in pieces:
                count = len(words(piece.text))
                if count:
                    is_wanted = wanted or (len(pieces) > 1 and _is_in(piece.text, body, runs))
                    found.append(Words(piece, count, is_wanted))
        return found

    @cached_property
    def held(self) -> Mapping[bool, Counter[Element]]:
        """Return each element's number of words inside and outside the article."""
        found: dict[bool, Counter[Element]] = {True: Counter(), False: Counter()}
        for one in self.words:
            around = [one.piece.owner, *one.piece.owner.iterancestors()]
            found[one.wanted].update(dict.fromkeys(around, one.count))
        return found

    def has_title(self, text: str) -> bool:
        """Return True if the text is the title."""
        return fold_text(text) == self.title

    def has_day(self, text: str) -> bool:
        """Return True if the text contains the day of publication."""
        months = {parse_date(text, month_first=first) for first in (False, True)}
        return self.day is not None and any(said and said.day == self.day for said in months)

    def has_authors(self, text: str) -> bool:
        """Return True if the text consists of the authors' names and few other words."""
        said = f" {fold_text(text)} "
        most = sum(len(name.split()) for name in self.authors) + _MORE_WORDS
        named = all(f" {name} " in said for name in self.authors)
        return bool(self.authors) and named and len(said.split()) <= most

    def body_f1(self, body: str) -> float:
        """Return the word F1 of a text and the article's body."""
        return token_f1(self.body, words(body))

    def is_given_by(self, found: RecipeFinding | None) -> bool:
        """Return True if a recipe found the same article."""
        return (
            found is not None
            and self.has_title(found.title)
            and (self.body_f1(found.body) >= SAME_BODY)
        )

    def difference(self, found: RecipeFinding | None) -> str:
        """Return a description of the difference from a recipe's result."""
        if found is None:
            return "no template finds a title and a text"
        if not self.has_title(found.title):
            return f"the title is {found.title[:80]!r}, not {self.article.title[:80]!r}"
        own, other = len(self.body), len(words(found.body))
        f1 = self.body_f1(found.body)
        return f"the text has {other} words, not {own}; F1 of their words {f1:.2f}"


def _is_in(text: str, body: str, runs: frozenset[tuple[str, ...]]) -> bool:
    said = words(text)
    if f" {' '.join(said)} " in body:
        return True
    own = trigrams(said)
    return len(said) > 3 and len(own & runs) >= _ALIKE * len(own)
