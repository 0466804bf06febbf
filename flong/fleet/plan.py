"""Plan the start of each site's job: by importance, then longest first.

Sites of one host run one after another, so the remaining time of the whole host counts (list
scheduling by critical path). Starts are spread over the hours of the night, but early enough for
each chain to end in time.
"""

import socket
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from flong.storage import PlannedJob

UNKNOWN_SECONDS = 600.0
"""Expected seconds for a site without earlier visits."""
MARGIN = 1.25
"""Factor on expected durations that still lets a night end in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteToVisit:
    """A site to visit."""

    site_id: int
    """Id of the site."""
    host: str
    """Host that receives the requests."""
    importance: int = 0
    """Priority; higher numbers go first."""
    seconds: float = UNKNOWN_SECONDS
    """Expected duration in seconds."""


def plan(candidates: Sequence[SiteToVisit], *, begin: datetime, hours: float) -> list[PlannedJob]:
    """Return the due time and priority of each site's job.

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
    """Return, for each site, the seconds left for it and the later sites of its host."""
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
    """Return the delay in seconds; sites of one host keep their order."""
    return max(0.0, min(share * window, window - MARGIN * left))


THREADS = 32
"""Maximum concurrent DNS lookups."""


def politeness_names(urls: Sequence[str]) -> list[str]:
    """Return the server name behind each URL: the canonical name of its host, else the host.

    >>> politeness_names(["http://127.0.0.1:8000/", "http://127.0.0.1:9000/news"])
    ['127.0.0.1', '127.0.0.1']
    """
    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(_name, urls))


def _name(url: str) -> str:
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    try:
        found = socket.getaddrinfo(urlsplit(url).hostname, None, flags=socket.AI_CANONNAME)
    except (OSError, UnicodeError):  # the job will report it
        return host
    return (found[0][3] or host).rstrip(".").lower().removeprefix("www.")
