"""Which URLs are still to be asked for, nearest to the home page first.

A walk whose result does not depend on the order in which responses arrive: what is stored in
the end is what lies within the depth, however the requests raced each other or how often the
crawl was killed. When a shorter way to a page shows up after the page came in, its links are
walked again with the new depth; the page itself is not asked for again.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence


class Frontier:
    """The walk over one site; each URL is given out once.

    `links_of` returns the links of a page that this run has already stored, None for any
    other; such a page is not asked for, its links are followed from there. `target_of` returns
    where a URL leads that need not be asked for, None for any other. `admits` is asked
    once for each URL that is new, and `has_room` whether one more is taken when so many are
    kept in mind and so many of them wait; it is left out if not, until it is found again.

    >>> walk = Frontier(max_depth=1)
    >>> walk.reach("home", 0)
    >>> walk.next(), walk.next()
    ('home', None)
    >>> walk.arrived("home", ["a", "b"])
    >>> walk.next(), walk.depth("b"), len(walk)
    ('a', 1, 1)
    >>> walk.arrived("a", ["far"])
    >>> walk.next(), walk.next()
    ('b', None)
    """

    def __init__(
        self,
        max_depth: int,
        links_of: Callable[[str], Sequence[str] | None] = lambda url: None,
        admits: Callable[[str], bool] = lambda url: True,
        target_of: Callable[[str], str | None] = lambda url: None,
        has_room: Callable[[int, int], bool] = lambda kept, waiting: True,
    ) -> None:
        self._max_depth = max_depth
        self._has_room = has_room
        self.is_overflown = False
        """Whether a URL was left out because there was no room for it."""
        self._links_of = links_of
        self._admits = admits
        self._target_of = target_of
        self._depths: dict[str, int] = {}
        self._waiting: set[str] = set()
        self._asked: set[str] = set()  # given out, not answered yet
        self._refused: set[str] = set()
        self._links: dict[str, Sequence[str]] = {}  # of pages that are answered and not stored
        self._moved: dict[str, str] = {}
        self._queues: dict[int, deque[str]] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, url: str) -> bool:
        return url in self._depths

    @property
    def is_idle(self) -> bool:
        """Whether all that was asked for has been answered, and nothing waits."""
        return not self._waiting and not self._asked

    @property
    def known(self) -> int:
        """Number of URLs seen so far within the depth."""
        return len(self._depths)

    def depth(self, url: str) -> int:
        """Return the number of links from the home page, as far as known."""
        return self._depths[url]

    @property
    def depths(self) -> Mapping[str, int]:
        """The shortest ways known, in links from the home page, by URL."""
        return self._depths

    def next(self) -> str | None:
        """Return the next URL to ask for; None when there is none at the moment."""
        for depth in sorted(self._queues):
            queue = self._queues[depth]
            while queue:
                url = queue.popleft()
                # A shorter way may have put it into a nearer queue too.
                if url in self._waiting:
                    self._waiting.remove(url)
                    self._asked.add(url)
                    return url
            del self._queues[depth]
        return None

    def arrived(
        self, url: str, links: Sequence[str] | None = None, moved_to: str | None = None
    ) -> None:
        """Note that a URL was answered, and follow what it links to.

        Without links those are followed that `links_of` knows, if any. `moved_to` is another
        URL of the same page: it is as far from the home page.
        """
        self._asked.discard(url)
        if moved_to is not None:
            self._moved[url] = moved_to
        if links:
            self._links[url] = links
        self._follow(self._ways_on(url, links))

    def stored(self, urls: Iterable[str]) -> None:
        """Note that `links_of` knows these pages by now, so that they need no memory here."""
        for url in urls:
            self._links.pop(url, None)

    def reach(self, url: str, depth: int) -> None:
        """Note a way to a URL; it will be asked for unless that is too far or was done."""
        self._follow([(url, depth)])

    def reach_all(self, urls: Iterable[str], depth: int) -> None:
        """Note ways to many URLs at once: where each leads is looked up only once then."""
        self._follow((url, depth) for url in urls)

    def _follow(self, found: Iterable[tuple[str, int]]) -> None:
        ways = deque(found)
        while ways:
            url, depth = ways.popleft()
            before = self._depths.get(url)
            if depth > self._max_depth or (before is not None and before <= depth):
                continue
            if before is None and not self._is_admitted(url):
                continue
            self._depths[url] = depth
            links = self._known(url) if before is None else self._links.get(url)
            if before is None and links is None:
                self._waiting.add(url)
            if url in self._waiting:
                self._queues.setdefault(depth, deque()).append(url)
            elif url not in self._asked:
                ways.extend(self._ways_on(url, links))

    def _known(self, url: str) -> Sequence[str] | None:
        """Return the links of a URL that need not be asked for; None if it must be."""
        target = self._target_of(url)
        if target is None:
            return self._links_of(url)
        self._moved[url] = target
        return ()

    def _ways_on(self, url: str, links: Sequence[str] | None) -> Iterator[tuple[str, int]]:
        """Yield where a URL leads that is answered, or stored, with depths that are new."""
        depth = self._depths[url]
        if url in self._moved:
            yield self._moved[url], depth
        if depth < self._max_depth:
            for link in self._links_of(url) or () if links is None else links:
                # Nearly all links of a site lead to what is known.
                if self._depths.get(link, self._max_depth + 1) > depth + 1:
                    yield link, depth + 1

    def _is_admitted(self, url: str) -> bool:
        if url in self._refused:
            return False
        if not self._has_room(len(self._depths) + len(self._refused), len(self._waiting)):
            self.is_overflown = True
            return False
        if not self._admits(url):
            self._refused.add(url)
        return url not in self._refused
