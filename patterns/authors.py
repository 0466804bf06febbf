"""Election of the byline, and the words around the names in it.

Words before and after a name ("By", "Von", "文／") are those that bylines of different names share.
Words between two names are learned from bylines of one author and of several. Names recur on other
pages and are in no menu, unlike dates and sections.
"""  # noqa: RUF002 - a byline in Japanese

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from flong.patterns.cldr import and_words
from flong.patterns.dates import KEPT, without_date
from flong.patterns.election import Candidates, Feature, FeatureTable, Rated, elect
from flong.patterns.field_elections import BylineSample, line_vertices, names_around
from flong.patterns.person_names import (
    BY,
    LABEL,
    NAMED,
    Byline,
    line_at,
    lines_of,
    pieces,
    plain_line,
)
from flong.patterns.selectors import Selector, find, in_pattern, plainness, selectors_of
from flong.patterns.thresholds import THRESHOLDS
from flong.patterns.title_election import folded_line
from flong.text import UNSPACED, cached_if_short
from flong.tree import stable_hash

_OTHER = re.compile(
    r"caption|photo|image|comment|related|share|social|\btags?\b|categor|section|title",
    re.IGNORECASE,
)
_TOKEN = re.compile(rf"[{UNSPACED}]|\w+|\W")
_TRIED = 100
"""Maximum number of selectors that are scored."""
_NAME_WORDS = 4
"""Maximum words of a name after a label."""
_ATTRIBUTES = ("class", "id", "rel", "itemprop")
"""Attributes that name authors."""
_PARTICLE = 3
"""Maximum letters of a word in a name that may begin with a small one: `van`, `de`."""
_FIRST_LINES = 3
"""Number of lines at the start of a body that may be a byline."""
_AROUND_NAMES = 12
"""Number of tokens compared at the ends of bylines; maximum letters between two names."""


class KnownNames(NamedTuple):
    """Facts about the site before its bylines are elected."""

    menus: frozenset[int] = frozenset()
    """Hashes of texts that most pages have: names of sections, not authors."""
    names: frozenset[str] = frozenset()
    """Folded names of known authors."""
    joints: tuple[str, ...] = ("; ", " & ")
    """Words and signs between two names."""


class AuthorLine(NamedTuple):
    """A line of one page that may be the byline."""

    known: bool
    """A name in it is known from the metadata or from other bylines."""
    named: bool
    """Its markup is named as that of an author."""
    listed: bool
    """Menus list a name in it."""
    other: bool
    """Its markup is named as that of something else."""
    text: str
    names: list[str]
    """Names in the text."""
    byline: Byline
    """The byline that is tried."""

    @property
    def is_labelled(self) -> bool:
        """Return True if markup, metadata or the word before it name it as an author."""
        return self.named or self.known or self.has_by

    @property
    def is_open(self) -> bool:
        """Return True if neither markup nor metadata nor menus decide."""
        return not (self.named or self.known or self.listed or self.other)

    @property
    def has_by(self) -> bool:
        """Return True if the line begins with `by` in some language."""
        return not self.byline.mark and BY.match(plain_line(self.text)) is not None

    @property
    def has_label(self) -> bool:
        """Return True if the name is beside a label or a text that bylines share."""
        label = LABEL.match(self.text)
        labelled = self.byline.before or self.byline.after or (label and label[0] != self.text)
        return bool(labelled) and all(map(_is_like_name, self.names))


BYLINE = FeatureTable[AuthorLine](
    "byline",
    Feature(
        "a known author", 1.0, "metadata or other bylines have the name; menus may list columnists",
        lambda seen: seen.known and (seen.named or not seen.listed),
    ),
    Feature(
        "named as an author", 0.6, "class, id or rel name the field",
        lambda seen: seen.named and not seen.known,
    ),
    Feature(
        "begins with `by`", 0.5, "so do bylines in many languages",
        lambda seen: seen.is_open and seen.has_by,
    ),
    Feature(
        "beside a shared text", 0.35, "bylines of different names share the words around them",
        lambda seen: seen.is_open and not seen.has_by and seen.has_label,
    ),
    Feature(
        "in capitals", 0.25, "all words of a name begin with capitals",
        lambda seen: seen.is_open
        and not seen.has_by
        and not seen.has_label
        and all(map(_has_capitals, seen.names)),
    ),
)  # fmt: skip
"""Features of a line as the byline of its page; at most one row applies."""

BYLINES = FeatureTable[float](
    "byline, over all pages",
    Feature("names recur", 0.3, "authors write more than one article", lambda recurring: recurring),
)
"""Features of a byline over all pages, by the fraction of names that recur."""


def elect_byline(samples: Sequence[BylineSample], site: KnownNames) -> Byline | None:
    """Return the byline with the most points over all pages, or None if none has `least_score`."""
    rated = []
    tried: dict[tuple[tuple[int, ...], str], tuple[float, Byline]] = {}
    for selector, mark in _shortlist(samples, site):
        places = tuple(find(sample.tree, selector, sample.starts) for sample in samples)
        if (places, mark) not in tried:  # many selectors lead to the same places
            tried[places, mark] = _try_byline(samples, places, Byline(selector, mark), site)
        score, byline = tried[places, mark]
        rated.append(Rated(replace(byline, selector=selector), score, plainness(selector)))
    best = elect(rated, least=THRESHOLDS.least_score)
    return best.choice if best is not None else None


def find_byline(sample: BylineSample) -> tuple[tuple[str, ...], int]:
    """Return the names in the byline of a page of an unknown site, and their vertex.

    A byline begins with `by` in some language, or its markup is named as that of an author. The
    first such line near title or body wins; markup around the names has precedence.
    """
    tree, joints = sample.tree, and_words(sample.tree.head.language)
    best: tuple[float, tuple[str, ...], int] = 0.0, (), -1
    inside = {*sample.labelled.body[_FIRST_LINES:]}
    for vertex in dict.fromkeys(line_vertices(sample, inside)):
        line = line_at(tree, vertex) if vertex > 0 else ""
        texts = dict([("", line), *reversed(pieces(tree, vertex, ""))]) if line else {}
        for mark, text in texts.items():
            byline = _marked(mark)
            names = byline.names(text, joints)
            if not names or not all(map(_is_like_name, names)) or _is_rest(text, names):
                continue
            seen = _see_line(sample, vertex, text, names, byline, KnownNames())
            score = 0.0 if seen.other or not seen.is_labelled else BYLINE.score(seen)
            if score > best[0]:
                said = lines_of(tree, vertex, mark)
                best = score, tuple(n for one in said for n in byline.names(one, joints)), vertex
    return tuple(dict.fromkeys(best[1])), best[2]


def _is_rest(text: str, names: Sequence[str]) -> bool:
    """Return True if the names are what is left of a label or a date (`Written by:`, `Mar 3`)."""
    if any(character.isdigit() for name in names for character in name):
        return True
    single = all(len(name.split()) == 1 for name in names)
    return single and (text.endswith((":", "\uff1a")) or any(map(str.isdigit, text)))


def is_same(found: Sequence[Hashable], pages: int) -> bool:
    """Return True if nearly all pages have the same value.

    >>> is_same(["Ann"] * 19 + ["Bob"], 20), is_same(["Ann"] * 3, 3)
    (True, False)
    """
    often = max(Counter(found).values(), default=0)
    return often >= max(THRESHOLDS.least_same, THRESHOLDS.same_author * pages)


def _shortlist(samples: Sequence[BylineSample], site: KnownNames) -> list[tuple[Selector, str]]:
    """Return the selectors and marks with the most points on the pages that propose them."""
    points: defaultdict[tuple[int, str], float] = defaultdict(float)
    candidates = Candidates()
    for sample in samples:
        proposed = dict.fromkeys(
            (number, mark, score)
            for numbers, mark, score in dict.fromkeys(_propose(sample, site, candidates))
            for number in numbers
        )
        for number, mark, score in proposed:
            points[number, mark] += score
    selectors = candidates.selectors()
    likely = sorted(points, key=lambda found: -points[found])[:_TRIED]
    return [(selectors[number], mark) for number, mark in likely]


def _propose(
    sample: BylineSample, site: KnownNames, candidates: Candidates
) -> Iterator[tuple[tuple[int, ...], str, float]]:
    """Yield selectors, mark and points of each line of a page that may contain names."""
    tree = sample.tree
    title = " ".join(tree.text_of(sample.labelled.title).split())
    for vertex in dict.fromkeys(line_vertices(sample)):
        line = line_at(tree, vertex) if vertex > 0 else ""
        if not line or line == title:
            continue
        texts = dict([("", line), *reversed(pieces(tree, vertex, ""))])
        selectors, matched = selectors_of(tree, vertex), in_pattern(sample.starts, vertex)
        numbers = candidates.numbers(selectors) + candidates.numbers(matched)
        for mark, text in texts.items():
            byline = _marked(mark)
            if (names := byline.names(text)) and text != title:
                seen = _see_line(sample, vertex, text, names, byline, site)
                yield numbers, mark, BYLINE.score(seen)


@lru_cache(KEPT)
def _marked(mark: str) -> Byline:
    """Return a byline with only a mark."""
    return Byline(Selector(), mark)


def _try_byline(
    samples: Sequence[BylineSample], found: Sequence[int], plain: Byline, site: KnownNames
) -> tuple[float, Byline]:
    """Return the points of a selector and mark, and the byline learned there.

    `found` are the vertices that the selector finds.
    """
    lines = [
        lines_of(sample.tree, vertex, plain.mark) if vertex >= 0 else []
        for sample, vertex in zip(samples, found, strict=True)
    ]
    byline = learn_byline(plain.selector, plain.mark, chain.from_iterable(lines), site.joints)
    names = [[name for text in texts for name in byline.names(text)] for texts in lines]
    seen = [
        _see_line(sample, vertex, texts[0], some, byline, site)
        for sample, vertex, texts, some in zip(samples, found, lines, names, strict=True)
        if some
    ]
    points = map(BYLINE.score, seen)
    listed = [tuple(some) for some in names if some]
    if is_same(listed, len(samples)) and not any(each.is_labelled for each in seen):
        return 0.0, byline  # a menu, or the publisher
    several = len(listed) >= THRESHOLDS.least_repeats and len(set(listed)) > 1
    recurring = 1 - len(set(listed)) / len(listed) if several else 0.0
    stated = [sample.authors for sample in samples if sample.authors]
    varies = len(stated) >= THRESHOLDS.least_repeats and len(set(stated)) == 1 < len(set(listed))
    score = sum(points) / len(samples) + BYLINES.score(recurring)
    return round(score, 2), replace(byline, varies=varies)


def _see_line(  # noqa: PLR0913, PLR0917 - a line, its place, and how it is read
    sample: BylineSample, vertex: int, text: str, names: list[str], byline: Byline, site: KnownNames
) -> AuthorLine:
    """Return the features of a line of one page as the byline."""
    folded = {*map(folded_line, names)}
    known = not folded.isdisjoint(site.names)
    known = known or not folded.isdisjoint(map(folded_line, sample.authors))
    tree = sample.tree
    inner = [mark for mark, piece in pieces(tree, vertex, "") if piece in names]
    around = " ".join([byline.mark, *inner, names_around(tree, vertex, _ATTRIBUTES)])
    named, other = _match_markup(around)
    listed = any(stable_hash(name.encode()) in site.menus for name in names)
    return AuthorLine(known, named, listed, other, text, names, byline)


@cached_if_short(KEPT)
def _match_markup(around: str) -> tuple[bool, bool]:
    """Return whether markup is named as that of an author, and as that of something else."""
    return bool(NAMED.search(around)), bool(_OTHER.search(around))


def _is_like_name(text: str) -> bool:
    """Return True if a text has at most `_NAME_WORDS` words and begins with no small letter.

    >>> [_is_like_name(text) for text in ("Ann", "山田太郎", "and more", "The End Of It All")]
    [True, True, False, False]
    """
    return len(text.split()) <= _NAME_WORDS and not text[:1].islower()


def _has_capitals(name: str) -> bool:
    """Return True if two or more words, and all but short ones, begin with capitals.

    >>> [_has_capitals(text) for text in ("Ann van Lee", "the mayor", "Sports", "山田太郎")]
    [True, False, False, False]
    """
    words = [word for word in name.split() if len(word) > _PARTICLE or word[:1].isupper()]
    return len(words) >= 2 and all(word[:1].isupper() for word in words)


def learn_byline(
    selector: Selector, mark: str, lines: Iterable[str], joints: Iterable[str] = ()
) -> Byline:
    """Learn the words around and between names from bylines of several pages.

    >>> lines = ["Автор: Анна", "Автор: Пётр", "Автор: Анна и Пётр", "Автор: Юрий"]
    >>> found = learn_byline(Selector("p"), "", lines)
    >>> found.before, " и " in found.joints
    ('Автор: ', True)
    """
    dated = [without_date(line).strip(" .,|-") for line in lines]
    clean = [line if mark else plain_line(line) for line in dated]
    different = [_TOKEN.findall(line.strip()) for line in dict.fromkeys(clean) if line.strip()]
    before = _common(different)
    after = _common([line[: len(before) : -1] for line in different])[::-1]
    plain = Byline(selector, mark, "".join(before), "".join(after))
    names = {name for line in clean for name in plain.names(line)}
    whole = {_inner(line, plain) for line in dated}
    learned = {joint for one in whole for joint in _joints(one, names)}
    ordered = sorted({*learned, *joints}, key=lambda joint: (-len(joint), joint))
    return Byline(selector, mark, plain.before, plain.after, tuple(ordered))


def _common(lines: Sequence[Sequence[str]]) -> list[str]:
    """Return the tokens with which most lines (`around_names`) begin; few lines share none."""
    if len(lines) < THRESHOLDS.least_repeats:
        return []
    found: list[str] = []
    for tokens in zip(*(line[:_AROUND_NAMES] for line in lines), strict=False):
        token, often = Counter(tokens).most_common(1)[0]
        if often < THRESHOLDS.around_names * len(lines):
            break
        found.append(token)
    return found


def _inner(line: str, byline: Byline) -> str:
    return line.removeprefix(byline.before).removesuffix(byline.after).strip()


def _joints(whole: str, names: Iterable[str]) -> Iterator[str]:
    """Yield the text between two names that are known from bylines of one author."""
    first = [name for name in names if name != whole and whole.startswith(name)]
    last = [name for name in names if name != whole and whole.endswith(name)]
    for one in first:
        for two in last:
            joint = whole[len(one) : len(whole) - len(two)]
            if joint and len(one) + len(two) < len(whole) <= len(one) + len(two) + _AROUND_NAMES:
                yield joint
