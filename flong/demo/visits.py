"""One request to the portal, with all that its answer depends on."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qs

from flong.demo import broadsheet, tabloid
from flong.demo.edition import Edition
from flong.demo.responses import Response
from flong.demo.views import Design

DESIGNS: dict[str, Design] = {"broadsheet": broadsheet, "tabloid": tabloid}
"""The clothes that the portal can wear."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Visit:
    """One request, and the state of the portal that answers it."""

    path: str
    """Without the query."""
    query: str
    """What comes after the question mark."""
    origin: str
    """Scheme and host by which the portal was reached."""
    edition: Edition
    """The stories of the night."""
    design: str
    """The clothes."""
    paywall: int = 0
    """Per cent of the stories that are locked."""
    restless: bool = False
    """Whether the boxes beside a story change every night."""

    @property
    def page(self) -> int:
        """The page of a listing that was asked for; 0 if that is no number."""
        asked = parse_qs(self.query).get("page", ["1"])[0]
        return int(asked) if asked.isdecimal() and len(asked) < 7 else 0

    @property
    def dress(self) -> Design:
        """The design."""
        return DESIGNS[self.design]


Handler = Callable[[Visit, re.Match[str]], Response | None]
"""Answers a visit to a URL that matched; None if nothing is there after all."""
