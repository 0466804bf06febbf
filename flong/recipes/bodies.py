"""Which element holds the text of an article, and what in it does not belong to it."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from flong.recipes.documents import Element, all_names, own_names, plainness, select
from flong.recipes.examples import SAME_BODY, Example, Words

CONTAINERS = 4
"""Containers for which it is tried what to leave out."""
MOST_EXCLUSIONS = 20
"""So much is left out at the most."""
_TRIED = 40
_WHOLE = 0.95
"""Share of the words of an article that its container has."""
_DEAR = 3
"""So much worse it is to lose a word of the article than to keep one that is none of it."""
_WORTH = 0.001
"""Share of all words that an exclusion takes away at least."""
_TELLING = frozenset(
    "address aside center details figcaption figure footer form h1 header hgroup nav small"
    " time".split()
)
_RULES = ("hr",)
"""Tags of elements that part what does not belong together."""
_BEFORE = 12
"""Siblings before an element by which it may be known."""
_OUTER = 3
"""Elements around the smallest container with a name that may be the better one."""


class Container(NamedTuple):
    """An element with the text, and how good it is."""

    css: str
    exclude: tuple[str, ...]
    share: float


def choose_body(examples: Sequence[Example], hint: str, hinted: Sequence[str]) -> Container | None:
    """Return the selectors that give the text of most examples; None if there is none.

    `hint` is the container that was learned, `hinted` what was learned to leave out of it.
    """
    counts = Counter(name for one in examples for name in set(_candidates(one)))
    tried = sorted(counts, key=lambda name: (-counts[name], plainness(name), name))[:_TRIED]
    places = {css: _places(examples, css) for css in [*[hint] * bool(hint), *tried]}
    ranked = sorted(places, key=lambda css: _measure(examples, places[css]))
    # Of names for the same elements the first is the best.
    several = {places[css]: css for css in reversed(ranked)}
    chosen = [css for css in ranked if several[places[css]] == css][:CONTAINERS]
    found = [_without(css, _insides(examples, places[css]), hinted) for css in chosen]
    best = max((one.share for one in found), default=0.0)
    good = [one for one in found if one.share >= best - 0.01]
    key = lambda one: (len(one.exclude), one.css != hint, plainness(one.css))  # noqa: E731
    return min(good, key=key, default=None)


Places = tuple[Element | None, ...]
"""Where a container is on each of some pages; None where it is not."""


def _places(examples: Sequence[Example], css: str) -> Places:
    return tuple(_first(one, css) for one in examples)


def _first(example: Example, css: str) -> Element | None:
    return next(iter(select(example.root, css)), None)


def _measure(examples: Sequence[Example], places: Places) -> tuple[float, int]:
    """Return what to sort containers by: how seldom it is whole, then what it has too much."""
    both = [(one, place) for one, place in zip(examples, places, strict=True) if place is not None]
    whole = sum(one.held[True][place] >= _WHOLE * len(one.body) for one, place in both)
    excess = sum(one.held[False][place] for one, place in both)
    return -round(whole / max(len(examples), 1), 2), excess


def _insides(examples: Sequence[Example], places: Places) -> list["_Inside"]:
    return [_Inside.of(one, place) for one, place in zip(examples, places, strict=True)]


def _candidates(example: Example) -> Iterator[str]:
    """Yield the names of the smallest element with nearly all the text, and of some around it."""
    held = example.held[True]
    total = min(held[example.root], len(example.body))  # a menu may have words of the article
    element = example.root
    while True:
        inner = max(element, key=lambda child: held[child], default=None)
        if inner is None or not total or held[inner] < _WHOLE * total:
            break
        element = inner
    around = (one for one in _up(element) if one.tag != "html")
    names = ([css for css in all_names(one) if _first(example, css) is one] for one in around)
    yield from chain.from_iterable(islice(filter(None, names), _OUTER + 1))


def _up(element: Element) -> list[Element]:
    return [element, *element.iterancestors()]


class _Inside(NamedTuple):
    """The words in a container on one page."""

    body: int
    """Words of the article."""
    words: list[tuple[Words, frozenset[str]]]
    """Each piece, with the names of the elements around it that are in the container."""

    @classmethod
    def of(cls, example: Example, place: Element | None) -> "_Inside":
        if place is None:
            return cls(len(example.body), [])
        names: dict[Element, frozenset[str]] = {place: frozenset()}
        inner = [one for one in example.words if _reach(one.piece.owner, names)]
        return cls(len(example.body), [(one, names[one.piece.owner]) for one in inner])

    def f1(self, out: frozenset[str] = frozenset()) -> float:
        """Return about how much of what is left is the article."""
        left = [one for one, names in self.words if not names & out]
        wanted = sum(one.count for one in left if one.wanted)
        return 2 * wanted / max(1, self.body + sum(one.count for one in left))


def _reach(element: Element, names: dict[Element, frozenset[str]]) -> bool:
    """Tell whether an element is in the container; note by which names it could be left out."""
    path: list[Element] = []
    for one in _up(element):
        if one in names:
            break
        path.append(one)
    else:
        return False
    for one in reversed(path):
        parent = one.getparent()
        around = names[parent] if parent is not None else frozenset()
        names[one] = around | frozenset(_handles(one))
    return True


def _handles(element: Element) -> list[str]:
    """Return the names by which an element can be left out.

    A tag alone is one only if writers do not write with it: `figure`, but not `p` or `a`.
    """
    names, parent = own_names(element), element.getparent()
    named = [*names[:-1], *(name for name in names[-1:] if name in _TELLING)]
    if parent is None or not names:
        return named
    after = [f"{before} ~ {one}" for before in _marks_before(element) for one in (names[-1], "*")]
    if named:
        return [*named, *after]
    return [*(f"{outer} > {names[-1]}" for outer in own_names(parent)[:-1]), *after]


def _marks_before(element: Element) -> Iterator[str]:
    """Yield the names of what an element comes after: a rule, or something that has a name."""
    for one in islice(element.itersiblings(preceding=True), _BEFORE):
        names = own_names(one) if isinstance(one.tag, str) else ()
        yield from (name for name in names if name in _RULES or name != one.tag)


def _without(css: str, insides: Sequence[_Inside], hinted: Sequence[str]) -> Container:
    """Return a container with what to leave out of it, the largest gain first."""
    chosen: list[str] = []
    left = [page.words for page in insides]
    total = sum(page.body for page in insides)
    known = frozenset(hinted)
    while len(chosen) < MOST_EXCLUSIONS:
        gains: dict[str, int] = defaultdict(int)
        for page in left:
            for one, names in page:
                for name in names:
                    gains[name] += one.count if not one.wanted else -_DEAR * one.count
        best = max(
            gains, key=lambda name: (gains[name], name in known, _shortness(name)), default=""
        )
        if not best or gains[best] <= max(2, _WORTH * total):
            break
        chosen.append(best)
        left = [[(one, names) for one, names in page if best not in names] for page in left]
    out = frozenset(chosen)
    share = sum(page.f1(out) >= SAME_BODY for page in insides) / max(len(insides), 1)
    return Container(css, tuple(chosen), share)


def _shortness(css: str) -> tuple[int, ...]:
    return tuple(-part for part in plainness(css))
