"""The definitions written down as plainly as possible, on nested tuples, for tiny trees.

A vertex is `(label, classes, children)`; the label of a wildcard is its sign, that of a text
begins with a quote.
"""

from itertools import product

from hypothesis import settings
from hypothesis import strategies as st

from flong.patterns import match, match_bounded, read_text
from flong.tree import build_tree

WILDCARDS = ".+?*"
INFINITE = float("inf")

thorough = settings(max_examples=150, deadline=None)
"""The first example waits for the compiler."""


def size(tree):
    return 1 + sum(size(child) for child in tree[2])


def need(tree):
    return (tree[0] not in "?*") + sum(need(child) for child in tree[2])


def lines(tree, depth=0):
    label, classes, children = tree
    name = f'text "{label[1:]}"' if label.startswith('"') else label
    head = "  " * depth + ".".join([name, *sorted(classes)])
    return "\n".join([head, *(lines(child, depth + 1) for child in children)])


def pattern(tree):
    return read_text(lines(tree))[0]


def markup(tree):
    label, classes, children = tree
    if label.startswith('"'):
        return label[1:]
    return (
        f'<{label} class="{" ".join(sorted(classes))}">{"".join(map(markup, children))}</{label}>'
    )


def page(tree):
    """Return the page; the vertices of tuples and of the built tree are the same."""
    built = build_tree(markup(tree))
    assert len(built) == size(tree)
    return built


def accepted(pattern, tree):
    """Return a match that must be there."""
    found = match(pattern, tree)
    assert found is not None
    return found


def nearly(pattern, tree, tolerance=0.2):
    """Return a bounded match that must be there."""
    found = match_bounded(pattern, tree, tolerance)
    assert found is not None
    return found


def fits(vertex, other):
    return vertex[0] == other[0] and vertex[1] <= other[1]


def shares(parts, most):
    """Yield all divisions of the next siblings among the parts, in order."""
    for counts in product(range(most + 1), repeat=parts):
        if sum(counts) == most:
            yield counts


def match_cost(vertex, other):
    """Return the fewest optional wildcards that must be discarded; infinite if none fits."""
    if vertex[0] in WILDCARDS:
        return 0
    if not fits(vertex, other):
        return INFINITE
    best = INFINITE
    for counts in shares(len(vertex[2]), len(other[2])):
        cost, at = 0, 0
        for child, count in zip(vertex[2], counts, strict=True):
            cost += take_cost(child, other[2][at : at + count])
            at += count
        best = min(best, cost)
    return best


def take_cost(child, siblings):
    count = len(siblings)
    if child[0] not in WILDCARDS:
        return match_cost(child, siblings[0]) if count == 1 else INFINITE
    if child[0] in ".?" and count > 1:
        return INFINITE
    if count == 0:
        return 1 if child[0] in "?*" else INFINITE
    return 0


def left_over(vertex, other):
    """Return the fewest vertices of pattern and page without counterpart (roots map)."""
    return (not vertex[1] <= other[1]) + sequence_left_over(vertex[2], other[2])


def sequence_left_over(ours, theirs):
    if not ours:
        return sum(map(size, theirs))
    first, rest = ours[0], ours[1:]
    ways = [need(first) + sequence_left_over(rest, theirs)]
    if theirs:
        ways.append(size(theirs[0]) + sequence_left_over(ours, theirs[1:]))
        ways.append(pair_left_over(first, theirs[0]) + sequence_left_over(rest, theirs[1:]))
    if first[0] in "+*":
        ways += [sequence_left_over(rest, theirs[k:]) for k in range(2, len(theirs) + 1)]
    return min(ways)


def pair_left_over(ours, theirs):
    if ours[0] in WILDCARDS:
        return 0
    return left_over(ours, theirs) if ours[0] == theirs[0] else need(ours) + size(theirs) - 1


def equal(vertex, other):
    meet = not vertex[1] or not other[1] or vertex[1] & other[1]
    return vertex[0] == other[0] and bool(meet)


def distance(ours, theirs):
    """Return the RTDM distance of two patterns whose roots map."""
    return sequence_distance(ours[2], theirs[2])


def sequence_distance(ours, theirs):
    if not ours or not theirs:
        return sum(map(size, [*ours, *theirs]))
    a, b = ours[0], theirs[0]
    pair = distance(a, b) if equal(a, b) else size(a) + size(b) - 1
    return min(
        pair + sequence_distance(ours[1:], theirs[1:]),
        size(a) + sequence_distance(ours[1:], theirs),
        size(b) + sequence_distance(ours, theirs[1:]),
    )


classes = st.frozensets(st.sampled_from(["x", "y"]), max_size=2)
texts: st.SearchStrategy = st.sampled_from(['"one', '"two']).map(
    lambda label: (label, frozenset(), ())
)
wildcards: st.SearchStrategy = st.sampled_from(WILDCARDS).map(lambda sign: (sign, frozenset(), ()))


def _elements(children):
    return st.tuples(st.sampled_from(["div", "section"]), classes, children)


def _separate(children):
    """Return children without neighbouring texts: a page would join them."""
    kept: list[tuple[str, object, object]] = []
    for child in children:
        if not (kept and kept[-1][0][0] == child[0][0] == '"'):
            kept.append(child)
    return tuple(kept)


def _forests(leaves, depth, widest):
    trees = leaves
    for _ in range(depth):
        trees = leaves | _elements(st.lists(trees, max_size=widest).map(_separate))
    return st.lists(trees, max_size=widest).map(_separate)


def pages(depth=2, widest=3):
    """Return small pages."""
    leaves = texts | _elements(st.just(()))
    return st.tuples(st.just("body"), classes, _forests(leaves, depth, widest))


def patterns(depth=2, widest=3):
    """Return small patterns."""
    leaves = texts | wildcards | _elements(st.just(()))
    return st.tuples(st.just("body"), classes, _forests(leaves, depth, widest))


def instances(tree):
    """Return pages that a pattern accepts."""
    label, own, children = tree
    more = classes.map(lambda extra: own | extra) if not label.startswith('"') else st.just(own)
    below = st.tuples(*map(_takings, children)).map(lambda parts: sum(parts, ()))
    below = below.filter(lambda found: found == _separate(found))
    return st.tuples(st.just(label), more, below)


def _takings(child):
    least, most = {".": (1, 1), "+": (1, 2), "?": (0, 1), "*": (0, 2)}.get(child[0], (1, 1))
    anything = texts | _elements(st.just(())) if child[0] in WILDCARDS else instances(child)
    return st.lists(anything, min_size=least, max_size=most).map(tuple)
