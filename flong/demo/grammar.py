"""Sentences from rules: a symbol stands for alternatives, which may hold further symbols."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

Rules = Mapping[str, tuple[str, ...]]

_SLOT = re.compile(r"\{(?:(\d+)-(\d+)|(\w+))\}")
_ARTICLE = re.compile(r"\b([Aa]) (?=[aeiouAEIOU]|hour|8)(?!uni|one|eu|use)")


@dataclass(frozen=True, kw_only=True)
class Beat:
    """One thing a paper writes about: its headlines, its words, its facts."""

    tag: str
    """The name of its tag page."""
    angles: tuple[tuple[str, str, str], ...]
    """Headline, standfirst and first sentence that belong together."""
    rules: Rules
    """What its symbols stand for; these win over the language's."""


@dataclass(frozen=True, kw_only=True)
class Language:
    """One language's words, and what a page in that language says around an article."""

    code: str
    """ISO 639-1."""
    rules: Rules
    """What the symbols of all its beats stand for."""
    labels: Mapping[str, str]
    """Words of the page's furniture: `by`, `related`, `comments` ..."""
    months: tuple[str, ...]
    """Their names, January first."""
    date: str
    """How a day is written, with `day`, `month` and `year`."""
    space: str = " "
    """What stands between two sentences."""


def dice(*key: object) -> Random:
    """Return a source of choices that depends on the key alone.

    >>> dice(1, "a").random() == dice(1, "a").random() != dice(2, "a").random()
    True
    """
    return Random("/".join(map(str, key)))  # noqa: S311 - text for a demo, no secret


@dataclass(frozen=True)
class Teller:
    """Writes sentences; what is in `fixed` stays the same in all of them.

    >>> rules = {"who": ("a {3-3} year old",), "say": ("{who} sang in {town}.",)}
    >>> Teller(rules, dice(1), {"town": "Ulm"}).tell("{say}")
    'A 3 year old sang in Ulm.'
    """

    rules: Rules
    dice: Random
    fixed: dict[str, str] = field(default_factory=dict)
    decks: dict[str, list[str]] = field(default_factory=dict)

    def fill(self, text: str) -> str:
        """Return the text with every symbol replaced, again and again until none is left."""
        while "{" in text:
            text = _SLOT.sub(self._choose, text)
        return text

    def tell(self, text: str) -> str:
        """Return the text filled, as a sentence: capital letter, "an" before a vowel."""
        said = _ARTICLE.sub(r"\1n ", self.fill(text))
        return said[:1].upper() + said[1:]

    def fix(self, *symbols: str) -> None:
        """Decide on a meaning of these symbols that all later sentences share."""
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
        """Return an alternative that was not used before, as long as there is one."""
        deck = self.decks.get(symbol)
        if not deck:
            deck = self.decks[symbol] = list(self.rules[symbol])
        return deck.pop(int(self.dice.random() * len(deck)))
