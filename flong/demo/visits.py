"""Visits: a request with the state of the portal that serves it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qs

from flong.demo import broadsheet, tabloid
from flong.demo.edition import Edition
from flong.demo.responses import Response
from flong.demo.views import Design

DESIGNS: dict[str, Design] = {"broadsheet": broadsheet, "tabloid": tabloid}
"""Available designs."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Visit:
    """A request with the state of the portal that serves it."""

    path: str
    """Path, without the query."""
    query: str
    """Query string."""
    origin: str
    """Scheme and host of the request."""
    edition: Edition
    """Stories of the night."""
    design: str
    """Name of the design."""
    paywall: int = 0
    """Percentage of locked stories."""
    restless: bool = False
    """Change the boxes beside a story every night."""

    @property
    def page(self) -> int:
        """Requested page of a listing; 0 if it is not a number."""
        asked = parse_qs(self.query).get("page", ["1"])[0]
        return int(asked) if asked.isdecimal() and len(asked) < 7 else 0

    @property
    def dress(self) -> Design:
        """Design of the portal."""
        return DESIGNS[self.design]


Handler = Callable[[Visit, re.Match[str]], Response | None]
"""Handles a visit to a matching URL; returns None if nothing is there."""
