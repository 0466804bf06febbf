"""When a vertex of the left tree maps to one of the right, as far as the two alone decide."""

from patterns.kernel.records import PENALTY, Job
from patterns.kernel.sides import (
    ALIGN,
    CLASS,
    CLASS_END,
    DIGEST,
    GROUND,
    KID,
    KID_END,
    KIND,
    NEED,
    SIZE,
    TAG,
    TEXT,
)
from patterns.kernel.trials import NEVER, Trial
from patterns.pattern import OPTION, PLAIN, PLUS, SINGLE
from trees import compiled

DESCEND, APART, PAIR, ONLY, SAME = -5, -4, -3, -2, -1
"""How a pair of vertices stands: their children decide; nothing in them maps; only they map; they
map and the one leaf below the left takes all that is below the right; all map in turn."""


@compiled
def compare(job: Job, a: int, b: int) -> tuple[int, int]:
    """Return what mapping a to b costs without their children, and how the two stand."""
    if job.mode == ALIGN:
        return _compare_patterns(job, a, b)
    return _compare_loosely(job, a, b)


@compiled
def _compare_patterns(job: Job, a: int, b: int) -> tuple[int, int]:
    left, right = job.left.nodes, job.right.nodes
    if left[a, DIGEST] == right[b, DIGEST] and left[a, SIZE] == right[b, SIZE]:
        return 0, SAME
    sizes = int(left[a, SIZE] + right[b, SIZE])
    if not equal(job, a, b):
        return sizes - 1, APART
    if left[a, SIZE] == 1 or right[b, SIZE] == 1:
        return sizes - 2, PAIR
    if sizes == 4:
        return 0 if equal(job, a + 1, b + 1) else 1, ONLY
    return 0, DESCEND


@compiled
def compare_strictly(job: Trial, a: int, b: int) -> tuple[int, int]:
    """Return the same for a match that leaves nothing over."""
    left, right = job.left.nodes, job.right.nodes
    if left[a, GROUND]:
        return (0, SAME) if fits_whole(job, a, b) else (NEVER, APART)
    if left[a, TAG] != right[b, TAG] or left[a, NEED] > right[b, SIZE]:
        return NEVER, APART
    if not classes_fit(job, a, b):
        return NEVER, APART
    if left[a, SIZE] == 2:
        return _take_all(left[a + 1, KIND], right[b, KID_END] - right[b, KID])
    return 0, DESCEND


@compiled
def _take_all(kind: int, siblings: int) -> tuple[int, int]:
    """Return what it costs that an only child, a wildcard, takes so many siblings."""
    if (kind in (SINGLE, OPTION) and siblings > 1) or (kind in (SINGLE, PLUS) and siblings == 0):
        return NEVER, APART
    return 1 if siblings == 0 else 0, ONLY


@compiled
def _compare_loosely(job: Job, a: int, b: int) -> tuple[int, int]:
    left, right = job.left.nodes, job.right.nodes
    if left[a, GROUND] and fits_whole(job, a, b):
        return 0, SAME
    if not same_label(job, a, b):
        return int(left[a, NEED] + right[b, SIZE] - 1) * PENALTY, APART
    base = 0 if classes_fit(job, a, b) else PENALTY
    if left[a, SIZE] == 2 and left[a + 1, KIND] != PLAIN:
        cost, stand = _take_all(left[a + 1, KIND], right[b, KID_END] - right[b, KID])
        if stand == ONLY:
            return base + cost, ONLY
    if left[a, SIZE] == 2 and right[b, SIZE] == 2:
        same = same_label(job, a + 1, b + 1) and classes_fit(job, a + 1, b + 1)
        return (base, ONLY) if same else (base + PENALTY, PAIR)
    return base, DESCEND


@compiled
def equal(job: Job, a: int, b: int) -> bool:
    """Return whether two vertices of patterns are equal."""
    return same_label(job, a, b) and classes_meet(job, a, b)


@compiled
def same_label(job: Job | Trial, a: int, b: int) -> bool:
    """Return whether two vertices are of one kind and tag, and of one text if they are texts."""
    left, right = job.left.nodes, job.right.nodes
    return bool(
        left[a, KIND] == right[b, KIND]
        and left[a, TAG] == right[b, TAG]
        and left[a, TEXT] == right[b, TEXT]
    )


@compiled
def _shared_classes(job: Job | Trial, a: int, b: int) -> int:
    """Return how many class tokens two vertices have in common."""
    i, j, shared = job.left.nodes[a, CLASS], job.right.nodes[b, CLASS], 0
    end, other_end = job.left.nodes[a, CLASS_END], job.right.nodes[b, CLASS_END]
    while i < end and j < other_end:
        x, y = job.left.classes[i], job.right.classes[j]
        shared += 1 if x == y else 0
        i += 1 if x <= y else 0
        j += 1 if y <= x else 0
    return shared


@compiled
def classes_meet(job: Job, a: int, b: int) -> bool:
    """Return whether two vertices share a class token or one has none."""
    left, right = job.left.nodes, job.right.nodes
    return bool(
        left[a, CLASS] == left[a, CLASS_END]
        or right[b, CLASS] == right[b, CLASS_END]
        or _shared_classes(job, a, b) > 0
    )


@compiled
def classes_fit(job: Job | Trial, a: int, b: int) -> bool:
    """Return whether a page's vertex has all class tokens of the pattern's vertex."""
    wanted = job.left.nodes[a, CLASS_END] - job.left.nodes[a, CLASS]
    return bool(wanted == 0 or _shared_classes(job, a, b) == wanted)


@compiled
def fits_whole(job: Job | Trial, a: int, b: int) -> bool:
    """Return whether a sub-tree without wildcards fits a page's, vertex by vertex."""
    left, right = job.left.nodes, job.right.nodes
    if left[a, DIGEST] != right[b, DIGEST] or left[a, SIZE] != right[b, SIZE]:
        return False
    for k in range(left[a, SIZE]):
        if not (same_label(job, a + k, b + k) and classes_fit(job, a + k, b + k)):
            return False
    return True
