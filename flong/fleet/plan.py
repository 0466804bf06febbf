"""Which site's night begins when: the most important first, then what takes longest.

Sites of one host are done one after another, so what counts is how long all that is left of a host
will take (the longest chain first, as in list scheduling by critical path). Beginnings are spread
over the hours of the night, but no later than lets a chain end in time.
"""

import socket
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from flong.storage.fleet import PlannedJob

UNKNOWN_SECONDS = 600.0
"""What is expected of a site that was never visited."""
MARGIN = 1.25
"""A night may take so many times as long as those before it and still end in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteToVisit:
    """A site that is to be visited."""

    site_id: int
    """The site."""
    host: str
    """Whom it asks."""
    importance: int = 0
    """A higher number goes first."""
    seconds: float = UNKNOWN_SECONDS
    """How long it will take."""


def plan(candidates: Sequence[SiteToVisit], *, begin: datetime, hours: float) -> list[PlannedJob]:
    """Return when each site's job is due, and before which others it is done.

    >>> noon = datetime(2026, 5, 1, 12)
    >>> sites = [SiteToVisit(site_id=1, host="a", seconds=60),
    ...          SiteToVisit(site_id=2, host="b", seconds=3000),
    ...          SiteToVisit(site_id=3, host="c", seconds=60, importance=1)]
    >>> [(job.site_id, f"{job.due_at:%H:%M}") for job in plan(sites, begin=noon, hours=3)]
    [(3, '12:00'), (2, '13:00'), (1, '14:00')]
    """
    left = _left_of_hosts(candidates)
    ordered = sorted(candidates, key=lambda c: (-c.importance, -left[c.site_id], c.site_id))
    window = 3600 * hours
    return [
        PlannedJob(
            site_id=each.site_id,
            host=each.host,
            priority=len(ordered) - rank,
            due_at=begin
            + timedelta(seconds=_delay(rank / len(ordered), left[each.site_id], window)),
            expected_seconds=each.seconds,
        )
        for rank, each in enumerate(ordered)
    ]


def _left_of_hosts(candidates: Sequence[SiteToVisit]) -> dict[int, float]:
    """Return, for each site, how long it and all of its host that come after it will take."""
    hosts = defaultdict(list)
    for each in candidates:
        hosts[each.host].append(each)
    left = {}
    for of_host in hosts.values():
        seconds = 0.0
        for each in sorted(of_host, key=lambda c: (c.importance, c.seconds, -c.site_id)):
            seconds += each.seconds
            left[each.site_id] = seconds
    return left


def _delay(share: float, left: float, window: float) -> float:
    """Return how many seconds to wait; of one host the first never waits longer than the second."""
    return max(0.0, min(share * window, window - MARGIN * left))


THREADS = 32
"""Names that are asked for at a time."""


def politeness_names(urls: Sequence[str]) -> list[str]:
    """Return the name of the server behind each URL: where its host's alias leads, else its host.

    >>> politeness_names(["http://127.0.0.1:8000/", "http://127.0.0.1:9000/news"])
    ['127.0.0.1', '127.0.0.1']
    """
    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(_name, urls))


def _name(url: str) -> str:
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    try:
        found = socket.getaddrinfo(urlsplit(url).hostname, None, flags=socket.AI_CANONNAME)
    except (OSError, UnicodeError):  # the night will say so
        return host
    return (found[0][3] or host).rstrip(".").lower().removeprefix("www.")
