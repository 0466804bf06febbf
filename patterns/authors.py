"""Who wrote an article: where its byline is and what of it is a name, voted by many pages.

What stands before and after a name ("By", "Von", "文／") is what bylines of different names share;
what stands between two names is learned from bylines of one author and of several. A name recurs
on other pages and is in no menu: so a byline is told from a date and from a section.
"""  # noqa: RUF002 - a byline in Japanese

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from flong.patterns.ballots import Candidates, Rated, elect
from flong.patterns.candidates import folded_line
from flong.patterns.date_line import BylineSample, line_vertices
from flong.patterns.dates import KEPT, without_date
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
from flong.text import UNSPACED, cached_if_short
from flong.tree import Tree, remembered, stable_hash

_OTHERWISE = re.compile(
    r"caption|photo|image|comment|related|share|social|\btags?\b|categor|section|title",
    re.IGNORECASE,
)
_TOKEN = re.compile(rf"[{UNSPACED}]|\w+|\W")
_TRIED = 100
"""So many selectors are tried at most."""
_NAME_WORDS = 4
"""A name after a label has no more words."""
_PARTICLE = 3
"""Words of a name with no more letters may begin with a small one: `van`, `de`."""
_AROUND_NAMES = 12
"""So many tokens at the ends of bylines are compared; a joint has no more letters."""


class KnownNames(NamedTuple):
    """What is known of the site before its bylines are looked for."""

    menus: frozenset[int] = frozenset()
    """Hashes of texts that most pages have: they name sections, not authors."""
    names: frozenset[str] = frozenset()
    """Folded names of its authors, as far as they are known."""
    joints: tuple[str, ...] = ("; ", " & ")
    """What may stand between two names."""


def elect_byline(samples: Sequence[BylineSample], site: KnownNames) -> Byline | None:
    """Return where the names of authors are on most pages; None if no selector convinces."""
    likely = _likely(samples, site)
    rated = []
    tried: dict[tuple[tuple[int, ...], str], tuple[float, Byline]] = {}
    for selector, mark in likely:
        places = tuple(find(sample.tree, selector, sample.starts) for sample in samples)
        if (places, mark) not in tried:  # many selectors lead to the same ones
            tried[places, mark] = _tried(samples, places, Byline(selector, mark), site)
        score, byline = tried[places, mark]
        rated.append(Rated(replace(byline, selector=selector), score, plainness(selector)))
    best = elect(rated)
    return best.choice if best is not None and best.score >= THRESHOLDS.least_score else None


def _likely(samples: Sequence[BylineSample], site: KnownNames) -> list[tuple[Selector, str]]:
    """Return the selectors and marks for which most speaks on the pages that propose them."""
    counts: defaultdict[tuple[int, str], float] = defaultdict(float)
    nominees = Candidates()
    for sample in samples:
        proposed = dict.fromkeys(
            (number, mark, worth)
            for numbers, mark, worth in dict.fromkeys(_proposals(sample, site, nominees))
            for number in numbers
        )
        for number, mark, worth in proposed:
            counts[number, mark] += worth
    selectors = nominees.selectors()
    likely = sorted(counts, key=lambda found: -counts[found])[:_TRIED]
    return [(selectors[number], mark) for number, mark in likely]


def _proposals(
    sample: BylineSample, site: KnownNames, nominees: Candidates
) -> Iterator[tuple[tuple[int, ...], str, float]]:
    """Yield selectors and marks of what could be names on one page, with what speaks for each."""
    tree = sample.tree
    title = " ".join(tree.text_of(sample.labelled.title).split())
    for vertex in dict.fromkeys(line_vertices(sample)):
        line = line_at(tree, vertex) if vertex > 0 else ""
        if not line or line == title:
            continue
        texts = dict([("", line), *reversed(pieces(tree, vertex, ""))])
        selectors, matched = selectors_of(tree, vertex), in_pattern(sample.starts, vertex)
        numbers = nominees.numbers(selectors) + nominees.numbers(matched)
        for mark, text in texts.items():
            byline = _marked(mark)
            if (names := byline.names(text)) and text != title:
                worth = _worth(_Read(sample, vertex, text, names), byline, site)
                yield numbers, mark, worth


@lru_cache(KEPT)
def _marked(mark: str) -> Byline:
    """Return a byline of which nothing but its mark is known, wherever it is."""
    return Byline(Selector(), mark)


def _tried(
    samples: Sequence[BylineSample], found: Sequence[int], plain: Byline, site: KnownNames
) -> tuple[float, Byline]:
    """Return how much speaks for a selector and mark, and the byline with what is learned of it.

    `found` are the vertices to which the selector leads.
    """
    said = [
        lines_of(sample.tree, vertex, plain.mark) if vertex >= 0 else []
        for sample, vertex in zip(samples, found, strict=True)
    ]
    byline = learn_byline(plain.selector, plain.mark, chain.from_iterable(said), site.joints)
    names = [[name for text in texts for name in byline.names(text)] for texts in said]
    worth = [
        _worth(_Read(sample, vertex, texts[0], some), byline, site)
        for sample, vertex, texts, some in zip(samples, found, said, names, strict=True)
        if some
    ]
    listed = [tuple(some) for some in names if some]
    several = len(listed) >= THRESHOLDS.least_repeats and len(set(listed)) > 1
    recurring = 1 - len(set(listed)) / len(listed) if several else 0.0
    stated = [sample.authors for sample in samples if sample.authors]
    varies = len(stated) >= THRESHOLDS.least_repeats and len(set(stated)) == 1 < len(set(listed))
    score = sum(worth) / len(samples) + THRESHOLDS.recurring_names * recurring
    return round(score, 2), replace(byline, varies=varies)


class _Read(NamedTuple):
    """What a candidate gives on one page."""

    sample: BylineSample
    vertex: int
    text: str
    names: list[str]


def _worth(read: _Read, byline: Byline, site: KnownNames) -> float:
    """Return how much one page speaks for a byline."""
    folded = {*map(folded_line, read.names)}
    known = not folded.isdisjoint(site.names)
    known = known or not folded.isdisjoint(map(folded_line, read.sample.authors))
    tree = read.sample.tree
    inner = [mark for mark, text in pieces(tree, read.vertex, "") if text in read.names]
    around = " ".join([byline.mark, *inner, _names_around(tree, read.vertex)])
    named, otherwise = _markup_says(around)
    if named:
        return 1.0 if known else THRESHOLDS.by_markup
    listed = any(stable_hash(name.encode()) in site.menus for name in read.names)
    if listed or known or otherwise:
        return float(known and not listed)
    if not byline.mark and BY.match(plain_line(read.text)):
        return THRESHOLDS.by_word
    label = LABEL.match(read.text)
    labelled = byline.before or byline.after or (label and label[0] != read.text)
    if labelled and all(map(_like_a_name, read.names)):
        return THRESHOLDS.by_label
    return THRESHOLDS.by_capitals if all(map(_capitals, read.names)) else 0.0


@cached_if_short(KEPT)
def _markup_says(around: str) -> tuple[bool, bool]:
    """Return whether markup names authors, and whether it names something else."""
    return bool(NAMED.search(around)), bool(_OTHERWISE.search(around))


@remembered
def _names_around(tree: Tree, vertex: int) -> str:
    """Return class, id and the like of an element and of the one around it."""
    said = []
    for at in (vertex, max(int(tree.parent[vertex]), 0)):
        attributes = tree.attributes(at)
        said += [attributes.get(key, "") for key in ("class", "id", "rel", "itemprop")]
        said.append(tree.name(at))
    return " ".join(said)


def _like_a_name(text: str) -> bool:
    """Return whether a text has at most four words and begins with no small letter.

    >>> [_like_a_name(text) for text in ("Ann", "山田太郎", "and more", "The End Of It All")]
    [True, True, False, False]
    """
    return len(text.split()) <= _NAME_WORDS and not text[:1].islower()


def _capitals(name: str) -> bool:
    """Return whether all words of a name but short ones begin with capitals, two at least.

    >>> [_capitals(text) for text in ("Ann van Lee", "the mayor", "Sports", "山田太郎")]
    [True, False, False, False]
    """
    words = [word for word in name.split() if len(word) > _PARTICLE or word[:1].isupper()]
    return len(words) >= 2 and all(word[:1].isupper() for word in words)


def learn_byline(
    selector: Selector, mark: str, lines: Iterable[str], joints: Iterable[str] = ()
) -> Byline:
    """Learn what stands around and between names from bylines of several pages.

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
    """Return the tokens with which four of five lines begin; none of fewer than three lines."""
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
    """Yield what stands between two names that are elsewhere alone."""
    first = [name for name in names if name != whole and whole.startswith(name)]
    last = [name for name in names if name != whole and whole.endswith(name)]
    for one in first:
        for two in last:
            joint = whole[len(one) : len(whole) - len(two)]
            if joint and len(one) + len(two) < len(whole) <= len(one) + len(two) + _AROUND_NAMES:
                yield joint
