"""Generative grammar: symbols expand to alternatives, which may contain further symbols."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

Rules = Mapping[str, tuple[str, ...]]

_SLOT = re.compile(r"\{(?:(\d+)-(\d+)|(\w+))\}")
_ARTICLE = re.compile(r"\b([Aa]) (?=[aeiouAEIOU]|hour|8)(?!uni|one|eu|use)")


@dataclass(frozen=True, kw_only=True)
class Beat:
    """A subject of the newspaper: its headlines, vocabulary and facts."""

    tag: str
    """Name of the tag page."""
    angles: tuple[tuple[str, str, str], ...]
    """Matching triples of headline, standfirst and first sentence."""
    rules: Rules
    """Expansions of symbols; they override those of the language."""


@dataclass(frozen=True, kw_only=True)
class Language:
    """Vocabulary and page labels of one language."""

    code: str
    """ISO 639-1 code."""
    rules: Rules
    """Expansions of symbols shared by all beats."""
    labels: Mapping[str, str]
    """Labels outside the article: `by`, `related`, `comments` ..."""
    months: tuple[str, ...]
    """Names of the months, January first."""
    date: str
    """Date format with `day`, `month` and `year`."""
    space: str = " "
    """Separator of sentences."""


def dice(*key: object) -> Random:
    """Return a random generator seeded by the key.

    >>> dice(1, "a").random() == dice(1, "a").random() != dice(2, "a").random()
    True
    """
    return Random("/".join(map(str, key)))  # noqa: S311 - text for a demo, no secret


@dataclass(frozen=True)
class Teller:
    """Writes sentences; symbols in `fixed` keep their meaning in all of them.

    >>> rules = {"who": ("a {3-3} year old",), "say": ("{who} sang in {town}.",)}
    >>> Teller(rules, dice(1), {"town": "Ulm"}).tell("{say}")
    'A 3 year old sang in Ulm.'
    """

    rules: Rules
    dice: Random
    fixed: dict[str, str] = field(default_factory=dict)
    decks: dict[str, list[str]] = field(default_factory=dict)

    def fill(self, text: str) -> str:
        """Return the text with all symbols expanded recursively."""
        while "{" in text:
            text = _SLOT.sub(self._choose, text)
        return text

    def tell(self, text: str) -> str:
        """Return the expanded text as a sentence: capital letter, "an" before a vowel."""
        said = _ARTICLE.sub(r"\1n ", self.fill(text))
        return said[:1].upper() + said[1:]

    def fix(self, *symbols: str) -> None:
        """Choose a meaning of these symbols for all later sentences."""
        for symbol in symbols:
            self.fixed[symbol] = self.fill(f"{{{symbol}}}")

    def _choose(self, slot: re.Match[str]) -> str:
        low, high, symbol = slot.groups()
        if symbol is None:
            span = int(high) - int(low) + 1
            return str(int(low) + int(self.dice.random() * span))
        if symbol in self.fixed:
            return self.fixed[symbol]
        return self._draw(symbol)

    def _draw(self, symbol: str) -> str:
        """Return an unused alternative while there is one."""
        deck = self.decks.get(symbol)
        if not deck:
            deck = self.decks[symbol] = list(self.rules[symbol])
        return deck.pop(int(self.dice.random() * len(deck)))
