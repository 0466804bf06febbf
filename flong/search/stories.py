"""Stories: articles that are redundant to each other, across all sites.

Two articles are redundant if at least half of the shorter one's word trigrams are in the other
(containment). To find such pairs among many articles, each keeps a signature: those of its
trigrams' hashes that are small, a sample that is the same for the same text wherever it stands
(A. Broder, On the resemblance and containment of documents, 1997: sampling by hash value).
MinHash bands find pairs of large Jaccard similarity; this estimates containment itself, also of
a short text in a long one (docs/search.md compares them). What the sample suggests is checked
with all trigrams.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from flong.search.terms import index_terms
from flong.text import trigrams

REDUNDANT = 0.5
"""Containment from which on two articles tell one story."""
SUGGESTED = 0.3
"""Containment of the samples from which on a pair is checked: finds 99 % of the redundant."""
SHORTEST = 20
"""Trigrams of the shortest text that is compared; shorter ones are captions and link posts."""
RATE = 32
"""One trigram in so many is in the signature; 190 bytes an article, 3 % of its text."""
LEAST = 32
"""Trigrams in a signature at least, of texts that have so many."""
AT_ONCE = 100
"""Articles whose trigrams are in memory while they are compared."""
HASHES_KEPT = 50_000
"""Terms whose hashes are kept: most terms of a text are those of the texts before it."""
MOST_COMPARED = 20
"""Stories that an article is compared with at most: on a site of forms all resemble it."""

_LIMIT = 2**32 // RATE


class Candidate(NamedTuple):
    """An article that another one may be redundant to."""

    key: int
    """Which one."""
    estimate: float
    """Containment of the samples."""


@dataclass(frozen=True, slots=True)
class Membership:
    """Which story an article belongs to."""

    key: int
    """The article."""
    representative: int
    """The first article of the story, with which all others are compared."""
    shared: float
    """Containment between the two."""


def containment(one: str, other: str) -> float:
    """Return the share of the shorter text's trigrams that are in the other; 0 for too short ones.

    >>> words = " ".join(map(str, range(50)))
    >>> containment(words, words + " and more of it"), containment("a b c", words)
    (1.0, 0.0)
    """
    return _contained(term_trigrams(one), term_trigrams(other))


def term_trigrams(text: str) -> frozenset[tuple[str, ...]]:
    """Return all runs of three index terms of a text.

    >>> sorted(term_trigrams("To be or nöt"))
    [('be', 'or', 'not'), ('to', 'be', 'or')]
    """
    return trigrams(index_terms(text))


def _contained(a: Set[object], b: Set[object]) -> float:
    shorter = min(len(a), len(b))
    return len(a & b) / shorter if shorter >= SHORTEST else 0.0


def signature(terms: Sequence[str]) -> bytes:
    """Return a sample of the trigrams of a text, given its index terms.

    Sorted 32-bit numbers, little endian: those below a 32nd of their range, and the smallest
    ones above if there are too few. Empty for a text that is too short to be compared.
    """
    import numpy as np  # noqa: PLC0415 - a night with nothing new does not wait for it

    if len(terms) < SHORTEST + 2:
        return b""
    hashes = _hashed_trigrams(terms).astype(np.uint32)
    sample = np.unique(hashes[hashes < _LIMIT])
    if len(sample) < LEAST:  # of a short text the next ones are taken too
        hashes = np.unique(hashes)
        sample = hashes[:LEAST] if len(hashes) >= SHORTEST else hashes[:0]
    return sample.astype("<u4").tobytes()


class _Hashes(dict[str, int]):
    """A number for each term, the same for the same; those of terms that recur are kept."""

    def __missing__(self, term: str) -> int:
        if len(self) >= HASHES_KEPT:
            self.clear()
        self[term] = found = zlib.crc32(term.encode())
        return found


_hashes = _Hashes()


def _hashed_trigrams(terms: Sequence[str]) -> Any:
    """Return an array of a 64-bit number for each run of three terms; the same for the same."""
    import numpy as np  # noqa: PLC0415 - as above

    words = np.fromiter(map(_hashes.__getitem__, terms), np.uint64, len(terms))
    # Three odd constants keep the order of the words; the last lines are splitmix64's mixing.
    mixed = words[:-2] * np.uint64(0x9E3779B97F4A7C15)
    mixed += words[1:-1] * np.uint64(0xC2B2AE3D27D4EB4F)
    mixed += words[2:] * np.uint64(0x165667B19E3779F9)
    mixed ^= mixed >> np.uint64(30)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(32)
    return mixed


class Signatures:
    """The signatures of many articles, to be asked for those that resemble one.

    >>> text = [str(number) for number in range(99)]
    >>> known = Signatures({7: signature(text), 8: signature(text[::-1])})
    >>> list(known.resembling(signature(text[:60])))
    [Candidate(key=7, estimate=1.0)]
    """

    def __init__(self, signatures: Mapping[int, bytes]) -> None:
        import numpy as np  # noqa: PLC0415 - as above

        known = {key: value for key, value in signatures.items() if value}
        self._keys = np.fromiter(known, np.int64, len(known))
        data = np.frombuffer(b"".join(known.values()), "<u4").astype(np.int64)
        sizes = np.fromiter(map(len, known.values()), np.int64, len(known)) // 4
        owners = np.repeat(np.arange(len(sizes)), sizes)
        order = np.argsort(data, kind="stable")
        self._hashes, self._owners = data[order], owners[order]
        # Owner and hash as one number, sorted: finds how many hashes of an owner are up to a limit.
        self._owned = (owners << 32) + data
        self._starts = np.cumsum(sizes) - sizes
        self._largest = data[self._starts + sizes - 1]

    def resembling(self, wanted: bytes) -> Iterator[Candidate]:
        """Give the articles that a text with this signature may be redundant to.

        The most similar come first. All are estimated at once: where a site's texts are much alike,
        thousands have something in common.
        """
        import numpy as np  # noqa: PLC0415 - as above

        own = np.frombuffer(wanted, "<u4").astype(np.int64)
        first = np.searchsorted(self._hashes, own, "left")
        last = np.searchsorted(self._hashes, own, "right")
        if not (last > first).any():
            return iter(())
        owners = np.concatenate([self._owners[a:b] for a, b in zip(first, last, strict=True)])
        if len(owners) < len(self._keys):
            places, owners = np.unique(owners, return_inverse=True)
        else:  # as many as that are counted faster than sorted
            places = np.arange(len(self._keys))
        limits = np.maximum(_LIMIT - 1, np.minimum(own[-1], self._largest[places]))
        compared = owners[np.repeat(own, last - first) <= limits[owners]]
        common = np.bincount(compared, minlength=len(places))
        # Most have but a closing line in common.
        some = np.flatnonzero(np.bincount(owners, minlength=len(places)) > 1)
        places, limits = places[some], limits[some]
        theirs = np.searchsorted(self._owned, (places << 32) + limits, "right")
        shorter = np.minimum(np.searchsorted(own, limits, "right"), theirs - self._starts[places])
        estimates = common[some] / np.maximum(1, shorter)
        likely = estimates >= SUGGESTED
        keys, estimates = self._keys[places[likely]], estimates[likely]
        order = np.lexsort((keys, -estimates))
        return map(Candidate, keys[order].tolist(), estimates[order].tolist())


def estimate(one: bytes, other: bytes) -> float:
    """Return the containment of two texts as their signatures show it.

    Only hashes up to where both samples are complete are compared. What `Signatures` finds for
    many at once.
    """
    import numpy as np  # noqa: PLC0415 - as above

    a, b = (np.frombuffer(sample, "<u4").tolist() for sample in (one, other))
    if not a or not b:
        return 0.0
    limit = max(_LIMIT - 1, min(a[-1], b[-1]))
    x, y = ({each for each in sample if each <= limit} for sample in (a, b))
    return len(x & y) / max(1, min(len(x), len(y)))


def assign(
    new: Iterable[tuple[int, bytes]],
    known: Signatures,
    representatives: Mapping[int, int],
    text_of: Callable[[int], str],
) -> list[Membership]:
    """Return which stories new articles belong to, given in the order they came in.

    `known` holds the signatures of all articles, new ones too; `representatives` names the
    representative of each article that was compared before (itself if it is alone). Groups do
    not chain: an article joins a story only by being redundant to its representative. Each is
    compared with those before it only, so that the same articles in the same order give the
    same stories, however they are cut into nights.
    """
    stories = dict(representatives)
    joined = []

    @lru_cache(maxsize=AT_ONCE)  # numbers take a fraction of the time and memory of the words
    def trigrams_of(key: int) -> frozenset[int]:
        return frozenset(_hashed_trigrams(index_terms(text_of(key))).tolist())

    for key, own in new:
        firsts: dict[int, None] = {}
        for each in known.resembling(own) if own else ():
            if each.key in stories and each.key != key:
                firsts[stories[each.key]] = None
                if len(firsts) == MOST_COMPARED:
                    break
        shares = [(_contained(trigrams_of(key), trigrams_of(first)), first) for first in firsts]
        shared, first = max(shares, key=lambda each: (each[0], -each[1]), default=(0.0, key))
        if shared >= REDUNDANT:
            joined.append(Membership(key, first, shared))
        stories[key] = first if shared >= REDUNDANT else key
    return joined
