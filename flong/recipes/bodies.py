"""Body selectors: the element that contains the text, and the blocks to exclude from it."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from flong.links import Element
from flong.recipes.documents import all_names, own_names, plainness, select
from flong.recipes.examples import SAME_BODY, Example, Words

CONTAINERS = 4
"""Maximum containers for which exclusions are learned."""
MOST_EXCLUSIONS = 20
"""Maximum exclusions per container."""
_TRIED = 40
_WHOLE = 0.95
"""Minimum fraction of an article's words in its container."""
_DEAR = 3
"""Cost of losing a word of the article, relative to keeping a word of boilerplate."""
_WORTH = 0.001
"""Minimum fraction of all words that an exclusion must remove."""
_TELLING = frozenset(
    "address aside center details figcaption figure footer form h1 header hgroup nav small"
    " time".split()
)
_RULES = ("hr",)
"""Tags of separators."""
_BEFORE = 12
"""Maximum preceding siblings usable in a selector."""
_OUTER = 3
"""Maximum ancestors of the smallest named container to consider."""


class Container(NamedTuple):
    """A container of the text and its quality."""

    css: str
    exclude: tuple[str, ...]
    share: float


def choose_body(examples: Sequence[Example], hint: str, hinted: Sequence[str]) -> Container | None:
    """Return the selectors that give the text of most examples, or None.

    `hint` is the learned container, `hinted` are the learned exclusions.
    """
    counts = Counter(name for one in examples for name in set(_candidates(one)))
    tried = sorted(counts, key=lambda name: (-counts[name], plainness(name), name))[:_TRIED]
    places = {css: _places(examples, css) for css in [*[hint] * bool(hint), *tried]}
    ranked = sorted(places, key=lambda css: _measure(examples, places[css]))
    # Keep the best name of each set of elements.
    several = {places[css]: css for css in reversed(ranked)}
    chosen = [css for css in ranked if several[places[css]] == css][:CONTAINERS]
    found = [_without(css, _insides(examples, places[css]), hinted) for css in chosen]
    best = max((one.share for one in found), default=0.0)
    good = [one for one in found if one.share >= best - 0.01]
    key = lambda one: (len(one.exclude), one.css != hint, plainness(one.css))  # noqa: E731
    return min(good, key=key, default=None)


Places = tuple[Element | None, ...]
"""Element of a container on each page; None where it is missing."""


def _places(examples: Sequence[Example], css: str) -> Places:
    return tuple(_first(one, css) for one in examples)


def _first(example: Example, css: str) -> Element | None:
    return next(iter(select(example.root, css)), None)


def _measure(examples: Sequence[Example], places: Places) -> tuple[float, int]:
    """Return a sort key for containers: fraction of incomplete bodies, then excess words."""
    both = [(one, place) for one, place in zip(examples, places, strict=True) if place is not None]
    whole = sum(one.held[True][place] >= _WHOLE * len(one.body) for one, place in both)
    excess = sum(one.held[False][place] for one, place in both)
    return -round(whole / max(len(examples), 1), 2), excess


def _insides(examples: Sequence[Example], places: Places) -> list["_Inside"]:
    return [_Inside.of(one, place) for one, place in zip(examples, places, strict=True)]


def _candidates(example: Example) -> Iterator[str]:
    """Yield names of the smallest element with nearly all the text, and of its ancestors."""
    held = example.held[True]
    total = min(held[example.root], len(example.body))  # a menu may contain words of the article
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
    """Words in a container on one page."""

    body: int
    """Words of the article."""
    words: list[tuple[Words, frozenset[str]]]
    """Each piece with the names of its ancestors inside the container."""

    @classmethod
    def of(cls, example: Example, place: Element | None) -> "_Inside":
        if place is None:
            return cls(len(example.body), [])
        names: dict[Element, frozenset[str]] = {place: frozenset()}
        inner = [one for one in example.words if _reach(one.piece.owner, names)]
        return cls(len(example.body), [(one, names[one.piece.owner]) for one in inner])

    def f1(self, out: frozenset[str] = frozenset()) -> float:
        """Return the approximate F1 after exclusions."""
        left = [one for one, names in self.words if not names & out]
        wanted = sum(one.count for one in left if one.wanted)
        return 2 * wanted / max(1, self.body + sum(one.count for one in left))


def _reach(element: Element, names: dict[Element, frozenset[str]]) -> bool:
    """Return True if an element is in the container; record names that can exclude it."""
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
    """Return selectors that can exclude an element.

    A tag without class counts only if writers do not use it in text: `figure`, but not `p` or `a`.
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
    """Yield names of preceding siblings: separators, and elements with a class or id."""
    for one in islice(element.itersiblings(preceding=True), _BEFORE):
        names = own_names(one) if isinstance(one.tag, str) else ()
        yield from (name for name in names if name in _RULES or name != one.tag)


def _without(css: str, insides: Sequence[_Inside], hinted: Sequence[str]) -> Container:
    """Return a container with its exclusions, chosen greedily by gain."""
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
