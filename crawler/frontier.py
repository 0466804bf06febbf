"""Crawl frontier: the URLs still to request, nearest to the home page first.

The set of stored pages does not depend on the order of responses or on restarts: it is all pages
within the maximum depth. If a shorter path to a page is found after its response, its links are
followed again with the new depth. The page is not requested again.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence


class Frontier:
    """Breadth-first queue over one site that returns each URL once.

    - `links_of` returns the links of a page that needs no request, else None. Its links are
      followed directly.
    - `target_of` returns the target of an alias that needs no request, else None.
    - `admits` is called once per new URL.
    - `has_room` takes the number of known and of waiting URLs. If it returns False, the new URL is
      dropped until it is found again.

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
        """True if a URL was dropped because `has_room` returned False."""
        self._links_of = links_of
        self._admits = admits
        self._target_of = target_of
        self._depths: dict[str, int] = {}
        self._waiting: set[str] = set()
        self._asked: set[str] = set()  # returned by next(), no response yet
        self._refused: set[str] = set()
        self._links: dict[str, Sequence[str]] = {}  # of received pages, until stored
        self._moved: dict[str, str] = {}
        self._queues: dict[int, deque[str]] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, url: str) -> bool:
        return url in self._depths

    @property
    def is_idle(self) -> bool:
        """True if no URL is waiting and no response is outstanding."""
        return not self._waiting and not self._asked

    @property
    def known(self) -> int:
        """Number of URLs found within the maximum depth."""
        return len(self._depths)

    def depth(self, url: str) -> int:
        """Return the number of links from the home page on the shortest known path."""
        return self._depths[url]

    @property
    def depths(self) -> Mapping[str, int]:
        """Shortest known distances from the home page, in links, by URL."""
        return self._depths

    def next(self) -> str | None:
        """Return the next URL to request, or None if no URL is waiting."""
        for depth in sorted(self._queues):
            queue = self._queues[depth]
            while queue:
                url = queue.popleft()
                # A shorter path may also have put it into another queue.
                if url in self._waiting:
                    self._waiting.remove(url)
                    self._asked.add(url)
                    return url
            del self._queues[depth]
        return None

    def arrived(
        self, url: str, links: Sequence[str] | None = None, moved_to: str | None = None
    ) -> None:
        """Record the response of a URL and follow its links.

        Without `links`, the links from `links_of` are followed. `moved_to` is another URL of the
        same page and gets the same depth.
        """
        self._asked.discard(url)
        if moved_to is not None:
            self._moved[url] = moved_to
        if links:
            self._links[url] = links
        self._follow(self._ways_on(url, links))

    def stored(self, urls: Iterable[str]) -> None:
        """Drop the links of pages that `links_of` can now return."""
        for url in urls:
            self._links.pop(url, None)

    def reach(self, url: str, depth: int) -> None:
        """Add a URL at a depth, unless it is too deep or already known at that depth."""
        self._follow([(url, depth)])

    def reach_all(self, urls: Iterable[str], depth: int) -> None:
        """Add many URLs in one traversal, so each target is looked up once."""
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
        """Return the links of a URL that needs no request, or None if it needs one."""
        target = self._target_of(url)
        if target is None:
            return self._links_of(url)
        self._moved[url] = target
        return ()

    def _ways_on(self, url: str, links: Sequence[str] | None) -> Iterator[tuple[str, int]]:
        """Yield targets and links of a processed URL that are new or now at a smaller depth."""
        depth = self._depths[url]
        if url in self._moved:
            yield self._moved[url], depth
        if depth < self._max_depth:
            for link in self._links_of(url) or () if links is None else links:
                # Nearly all links of a site lead to known pages.
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
