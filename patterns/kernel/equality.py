"""Comparison of two vertices without their children."""

# The compiler treats integers of numpy and Python as one type, mypy does not.
# mypy: disable-error-code="arg-type,assignment,no-any-return,return-value"

from flong.patterns.kernel.layout import (
    ALIGN,
    APART,
    DESCEND,
    INFINITE,
    ONLY,
    PAIR,
    PENALTY,
    SAME,
    STRICT,
    Comparison,
)
from flong.patterns.pattern import OPTION, PLAIN, PLUS, SINGLE
from flong.tree import compiled


@compiled
def compare(job: Comparison, a: int, b: int) -> tuple[int, int]:
    """Return the cost of mapping a to b without their children, and the state of the pair."""
    if job.mode == ALIGN:
        return _compare_patterns(job, a, b)
    if job.mode == STRICT:
        return _compare_strictly(job, a, b)
    return _compare_loosely(job, a, b)


@compiled
def _compare_patterns(job: Comparison, a: int, b: int) -> tuple[int, int]:
    left, right = job.left.vertices[a], job.right.vertices[b]
    if left.digest == right.digest and left.size == right.size:
        return 0, SAME
    sizes = int(left.size + right.size)
    if not equal(job, a, b):
        return sizes - 1, APART
    if left.size == 1 or right.size == 1:
        return sizes - 2, PAIR
    if sizes == 4:
        return 0 if equal(job, a + 1, b + 1) else 1, ONLY
    return 0, DESCEND


@compiled
def _compare_strictly(job: Comparison, a: int, b: int) -> tuple[int, int]:
    left, right = job.left.vertices[a], job.right.vertices[b]
    if left.ground:
        return (0, SAME) if fits_whole(job, a, b) else (INFINITE, APART)
    if left.tag != right.tag or left.need > right.size:
        return INFINITE, APART
    if not classes_fit(job, a, b):
        return INFINITE, APART
    if left.size == 2:
        return _take_all(job.left.vertices[a + 1].kind, right.kids_end - right.kids)
    return 0, DESCEND


@compiled
def _take_all(kind: int, siblings: int) -> tuple[int, int]:
    """Return the cost of a wildcard, as only child, that takes this number of siblings."""
    if (kind in (SINGLE, OPTION) and siblings > 1) or (kind in (SINGLE, PLUS) and siblings == 0):
        return INFINITE, APART
    return 1 if siblings == 0 else 0, ONLY


@compiled
def _compare_loosely(job: Comparison, a: int, b: int) -> tuple[int, int]:
    left, right = job.left.vertices[a], job.right.vertices[b]
    if left.ground and fits_whole(job, a, b):
        return 0, SAME
    if not same_label(job, a, b):
        return int(left.need + right.size - 1) * PENALTY, APART
    base = 0 if classes_fit(job, a, b) else PENALTY
    if left.size == 2 and job.left.vertices[a + 1].kind != PLAIN:
        cost, stand = _take_all(job.left.vertices[a + 1].kind, right.kids_end - right.kids)
        if stand == ONLY:
            return base + cost, ONLY
    if left.size == 2 and right.size == 2:
        same = same_label(job, a + 1, b + 1) and classes_fit(job, a + 1, b + 1)
        return (base, ONLY) if same else (base + PENALTY, PAIR)
    return base, DESCEND


@compiled
def equal(job: Comparison, a: int, b: int) -> bool:
    """Return True if two vertices of patterns are equal."""
    return same_label(job, a, b) and classes_meet(job, a, b)


@compiled
def same_label(job: Comparison, a: int, b: int) -> bool:
    """Return True if two vertices have one kind and tag, and texts are equal."""
    left, right = job.left.vertices[a], job.right.vertices[b]
    return bool(left.kind == right.kind and left.tag == right.tag and left.text == right.text)


@compiled
def _shared_classes(job: Comparison, a: int, b: int) -> int:
    """Return the number of class tokens that two vertices share."""
    i, j, shared = job.left.vertices[a].classes, job.right.vertices[b].classes, 0
    end, other_end = job.left.vertices[a].classes_end, job.right.vertices[b].classes_end
    while i < end and j < other_end:
        x, y = job.left.classes[i], job.right.classes[j]
        shared += 1 if x == y else 0
        i += 1 if x <= y else 0
        j += 1 if y <= x else 0
    return shared


@compiled
def classes_meet(job: Comparison, a: int, b: int) -> bool:
    """Return True if two vertices share a class token or one has none."""
    left, right = job.left.vertices[a], job.right.vertices[b]
    return bool(
        left.classes == left.classes_end
        or right.classes == right.classes_end
        or _shared_classes(job, a, b) > 0
    )


@compiled
def classes_fit(job: Comparison, a: int, b: int) -> bool:
    """Return True if a page's vertex has all class tokens of the pattern's vertex."""
    wanted = job.left.vertices[a].classes_end - job.left.vertices[a].classes
    return bool(wanted == 0 or _shared_classes(job, a, b) == wanted)


@compiled
def fits_whole(job: Comparison, a: int, b: int) -> bool:
    """Return True if a sub-tree without wildcards fits a page's, vertex by vertex."""
    left, right = job.left.vertices[a], job.right.vertices[b]
    if left.digest != right.digest or left.size != right.size:
        return False
    for k in range(left.size):
        if not (same_label(job, a + k, b + k) and classes_fit(job, a + k, b + k)):
            return False
    return True
