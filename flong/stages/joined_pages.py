"""Join pages of a site that are one article: the pages of a story, and copies at other URLs.

Joining pages to a story needs three pieces of evidence together: a pager links from one to the
other and back, they have one template, and they have one title. The form of a URL is not enough.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from urllib.parse import unquote, urlsplit

from flong.article import block_targets
from flong.links import page_number
from flong.stages.article_merge import is_same_text
from flong.states import PageRole
from flong.storage import JoinedPage, ReadPage, Site, Store, TitledPage
from flong.text import fold_text, shared_trigrams, words

MOST_PAGES = 100
"""Maximum number of pages of a story; a longer pager belongs to an archive."""
MOST_ALIKE = 1000
"""Maximum number of pages with one title; a more frequent title is no evidence."""
READ_AT_ONCE = 200
"""Number of pages in memory; pages of one title are always read together."""
COPY_WORDS = 20
"""Minimum number of words of copies; shorter texts are captions and link posts."""
COLUMN_TEXTS = 3
"""Minimum number of different texts under the title of a column; copies there need a date."""
CONTAINED = 0.9
"""Minimum fraction of the trigrams of words of a page that is part of the first page."""
SHARED = 0.5
"""Minimum fraction of files that two copies both show or link to."""
PAGER_TEXT = 24
"""Maximum number of characters of the text of a pager's link."""

_TITLE_END = re.compile(
    r"[\s(\[|:,\u2013\u2014-]{1,4}(?:page|seite|p[áa]gina|sida|side|strona|str[áa]nka|страница|sayfa|sivu)"
    r"\s+\d{1,3}(?:\W+(?:\w{1,4}\W+)?\d{1,3})?\W*$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[^\d]{0,12}?(\d{1,3})(?:[^\d]{1,6}\d{1,3})?[^\d\w]*")


def join_pages(store: Store, site: Site) -> int:
    """Find and store which pages of a site are one article; return how many belong to others.

    The result depends only on the stored pages, so a repetition changes nothing.
    """
    stored = {row.page_id: row for row in store.articles.joined_pages(site)}
    found: list[JoinedPage] = []
    waiting: list[int] = []
    groups = _groups(store.articles.titles(site), stored)
    for number, ids in enumerate(groups, 1):
        waiting += ids
        if len(waiting) >= READ_AT_ONCE or number == len(groups):
            found += decide(store.articles.read_pages(waiting), stored)
            waiting = []
    store.retry_while_busy(lambda: store.articles.join_pages(site, found))
    return sum(row.page_id != row.article_id for row in found)


def title_key(title: str) -> str:
    """Return a title without its page number, for comparison.

    >>> title_key("Rain: a history - Page 2 of 3"), title_key("Rain, part 2")
    ('rain a history', 'rain part 2')
    """
    return fold_text(_TITLE_END.sub("", title))


def decide(
    pages: Iterable[ReadPage], stored: Mapping[int, JoinedPage] | None = None
) -> list[JoinedPage]:
    """Return the pages that belong to the article of another page, by id.

    `stored` is the earlier result. It is kept for pages that no longer show their article: a page
    that is gone or hidden tonight is no evidence against it.
    """
    groups: dict[str, list[ReadPage]] = defaultdict(list)
    known = {page.page_id: page for page in pages}
    for page in known.values():
        groups[_key(page, known, stored or {})].append(page)
    found = [
        row
        for key, group in groups.items()
        if key and 1 < len(group) <= MOST_ALIKE
        for row in _Group(group, stored or {}).rows()
    ]
    return sorted(found, key=lambda row: row.page_id)


def _key(
    page: ReadPage | TitledPage,
    known: Mapping[int, ReadPage | TitledPage],
    stored: Mapping[int, JoinedPage],
) -> str:
    """Return the title for comparison, if known that of the page that it belonged to before."""
    before = stored.get(page.page_id)
    first = known.get(before.article_id, page) if before is not None else page
    return title_key(first.title)


def _groups(
    titles: Sequence[TitledPage], stored: Mapping[int, JoinedPage]
) -> Sequence[Sequence[int]]:
    """Return groups of pages that share a title."""
    known = {page.page_id: page for page in titles}
    groups: dict[str, list[int]] = defaultdict(list)
    for page in titles:
        groups[_key(page, known, stored)].append(page.page_id)
    return [ids for key, ids in groups.items() if key and 1 < len(ids) <= MOST_ALIKE]


@dataclass(frozen=True)
class _Group:
    """Pages with one title."""

    pages: Sequence[ReadPage]
    stored: Mapping[int, JoinedPage]
    by_id: Mapping[int, ReadPage] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", {page.page_id: page for page in self.pages})

    def rows(self) -> Iterator[JoinedPage]:
        """Yield the pages that belong to another page of the group."""
        belongs: dict[int, int] = {}
        for first, numbers in self._stories():
            for page_id, number in numbers.items():
                is_copy = page_id != first.page_id and _is_contained(self.by_id[page_id], first)
                belongs[page_id] = first.page_id
                yield _row(page_id, first.page_id, 0 if is_copy else number)
        for copy, main in self.copies.items():
            yield _row(copy, belongs.get(main, main), 0)

    @cached_property
    def copies(self) -> Mapping[int, int]:
        """The main page of each copy."""
        classes: dict[str, list[ReadPage]] = defaultdict(list)
        for page in self.pages:
            text = _folded(page.body)
            classes[text if len(text.split()) >= COPY_WORDS else f"{page.page_id}"].append(page)
        found: dict[int, int] = {}
        is_column = _is_column([*classes.values()])
        for alike in classes.values():
            if len(alike) == 1:
                continue
            named = {page.canonical_url for page in alike}
            main = min(alike, key=lambda page: self._preference(page, named))
            others = (page for page in alike if page is not main)
            same = [page for page in others if _same_day(page, main) and _same_targets(page, main)]
            found |= {
                page.page_id: main.page_id
                for page in same
                if not is_column or None not in (page.published, main.published)
            }
        return found | self._named_copies(found)

    def _named_copies(self, found: Mapping[int, int]) -> dict[int, int]:
        """Return near-copies: they declare their main page, or were copies before."""
        urls = {page.url: page for page in self.pages}
        named: dict[int, int] = {}
        for page in self.pages:
            main = urls.get(page.canonical_url or "") or self._stored_main(page)
            if main is None or main is page or {page.page_id, main.page_id} & {*found, *named}:
                continue
            kept = self._stored_main(page) is main and not (page.is_shown and main.is_shown)
            if main.page_id not in named.values() and (kept or _is_same(page, main)):
                named[page.page_id] = main.page_id
        return named

    def _stored_main(self, page: ReadPage) -> ReadPage | None:
        before = self.stored.get(page.page_id)
        is_copy = before is not None and before.role is PageRole.COPY
        return self.by_id.get(before.article_id) if before is not None and is_copy else None

    def _preference(self, page: ReadPage, named: Container[str | None]) -> tuple[object, ...]:
        """Return a sort key: the smallest is the main page of its copies."""
        before = self.stored.get(page.page_id)
        was_copy = before is not None and before.role is PageRole.COPY
        slug = set(words(unquote(urlsplit(page.url).path)))
        title = set(_folded(page.title).split())
        return was_copy, page.url not in named, -len(slug & title), len(page.url), page.url

    def _stories(self) -> Iterator[tuple[ReadPage, Mapping[int, int]]]:
        """Yield the first page of each story, and the page numbers of all its pages, in order."""
        edges = self._edges()
        for members in _connected(edges):
            numbers = self._numbers(members)
            first = min(numbers, key=lambda key: numbers[key], default=0)
            if numbers and numbers[first] == 1 and len(members) <= MOST_PAGES:
                ordered = sorted(numbers.items(), key=lambda item: item[1])
                yield self.by_id[first], dict(ordered)

    def _edges(self) -> Iterator[tuple[int, int]]:
        """Yield pairs of pages that belong to one story."""
        for one, targets in self._links.items():
            for other in targets:
                a, b = self.by_id[one], self.by_id[other]
                is_mutual = one in self._links.get(other, ())
                if is_mutual and self._leads(a, b) and _belong_together(a, b):
                    yield one, other
        for page in self.pages:
            before = self.stored.get(page.page_id)
            first = self.by_id.get(before.article_id) if before is not None else None
            if before is None or first is None or before.role is not PageRole.PAGE:
                continue
            if not (page.is_shown and first.is_shown) and page is not first:
                yield page.page_id, first.page_id

    @cached_property
    def _links(self) -> Mapping[int, Mapping[int, str]]:
        """Links between the pages, with their texts."""
        if len(self.pages) - len(self.copies) < 2:
            return {}
        ids = {page.url: self.copies.get(page.page_id, page.page_id) for page in self.pages}
        found: dict[int, dict[int, str]] = defaultdict(dict)
        for page in self.pages:
            if page.page_id in self.copies:
                continue
            for link in page.links:
                target = ids.get(link.url)
                if target is not None and target != page.page_id:
                    found[page.page_id].setdefault(target, link.text)
        return found

    def _leads(self, one: ReadPage, other: ReadPage) -> bool:
        """Return True if a page has a pager that links to the other page."""
        text = self._links[one.page_id][other.page_id]
        if _number(text) is not None:
            return True
        names_it = fold_text(text) and fold_text(text) in fold_text(other.title)
        return _same_base(one, other) and len(text) <= PAGER_TEXT and not names_it

    def _numbers(self, members: Sequence[int]) -> Mapping[int, int]:
        """Return the page number of each page; empty if the numbers are not unique."""
        said: dict[int, Counter[int]] = defaultdict(Counter)
        for one in members:
            for other, text in self._links.get(one, {}).items():
                number = _number(text)
                if number is not None:
                    said[other][number] += 1
        bases = Counter(page_number(self.by_id[each].url)[0] for each in members)
        base, sharing = bases.most_common(1)[0]
        numbers = {}
        for each in members:
            before = self.stored.get(each)
            own_base, number = page_number(self.by_id[each].url)
            if sharing == 1 or own_base != base:
                number = said[each].most_common(1)[0][0] if said[each] else 0
            if not number and before is not None and before.role is PageRole.PAGE:
                number = before.position
            numbers[each] = number
        unknown = [each for each, number in numbers.items() if not number]
        if len(unknown) == 1 and 1 not in numbers.values():
            numbers[unknown[0]] = 1
        is_clear = 0 not in numbers.values() and len({*numbers.values()}) == len(numbers)
        return numbers if is_clear else {}


def _row(page_id: int, article_id: int, position: int) -> JoinedPage:
    role = PageRole.PAGE if position else PageRole.COPY
    return JoinedPage(page_id=page_id, article_id=article_id, position=position, role=role)


def _number(text: str) -> int | None:
    """Return the page number in the text of a link, or None.

    >>> [_number(text) for text in ("2", "Page 2 of 5", "3/4", "Next", "2 comments", "In 2024")]
    [2, 2, 3, None, None, None]
    """
    found = _NUMBER.fullmatch(text.strip())
    return int(found[1]) if found and len(text) <= PAGER_TEXT else None


def _same_base(one: ReadPage, other: ReadPage) -> bool:
    return page_number(one.url)[0] == page_number(other.url)[0]


def _is_column(texts: Sequence[Sequence[ReadPage]]) -> bool:
    """Return True if a title is that of a series; `texts` has the pages of each different text.

    All words of such pages may be the same: the cartoon of the day is a picture.
    """
    recurring = sum(len(pages) > 1 for pages in texts)
    return len(texts) > 1 and (recurring == len(texts) or len(texts) >= COLUMN_TEXTS)


def _same_day(one: ReadPage, other: ReadPage) -> bool:
    days = [page.published.date() for page in (one, other) if page.published is not None]
    return len({*days}) <= 1


def _same_targets(one: ReadPage, other: ReadPage) -> bool:
    """Return True if two pages show and link to the same files, as texts may be similar."""
    a, b = _targets(one.structure or "[]"), _targets(other.structure or "[]")
    return not (a and b) or len(a & b) > SHARED * len(a | b)


@lru_cache(maxsize=64)
def _folded(text: str) -> str:
    """Return a text reduced to its words; pages with one title often have one text."""
    return fold_text(text)


@lru_cache(maxsize=1024)
def _targets(structure: str) -> frozenset[str]:
    """Return the names of the files that a text shows or links to."""
    return frozenset(url.rstrip("/").rpartition("/")[2] for url in block_targets(structure))


def _belong_together(one: ReadPage, other: ReadPage) -> bool:
    """Return True if two pages that are linked by a pager can be pages of one story."""
    if one.pattern_id is None or one.pattern_id != other.pattern_id or not _same_day(one, other):
        return False
    # Separate articles of a series have different dates, or unrelated URLs.
    dated = one.published is not None and other.published is not None
    return dated or _same_base(one, other)


def _is_same(one: ReadPage, other: ReadPage) -> bool:
    return _same_day(one, other) and is_same_text(
        (title_key(one.title), one.body), (title_key(other.title), other.body)
    )


def _is_contained(page: ReadPage, first: ReadPage) -> bool:
    return shared_trigrams(page.body, first.body) >= CONTAINED


def _connected(edges: Iterable[tuple[int, int]]) -> Sequence[Sequence[int]]:
    """Return the connected components of a graph.

    >>> _connected([(1, 2), (3, 2), (5, 6)])
    [[1, 2, 3], [5, 6]]
    """
    leaders: dict[int, int] = {}

    def leader(each: int) -> int:
        while leaders.setdefault(each, each) != each:
            leaders[each] = leaders[leaders[each]]
            each = leaders[each]
        return each

    for one, other in edges:
        leaders[leader(one)] = leader(other)
    groups: dict[int, list[int]] = defaultdict(list)
    for each in sorted(leaders):
        groups[leader(each)].append(each)
    return list(groups.values())
