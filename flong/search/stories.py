"""Stories: groups of redundant articles across all sites.

Two articles are redundant if at least half of the shorter one's word trigrams are in the other
(containment). To find such pairs, each article keeps a signature: the trigram hashes below a limit.
This sample is the same for the same text wherever it occurs (A. Broder, On the resemblance and
containment of documents, 1997: sampling by hash value). MinHash bands find pairs of high Jaccard
similarity; this estimates containment, including a short text in a long one. docs/search.md
compares the two. Candidates are verified with all trigrams.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from flong.search.terms import index_terms
from flong.text import trigrams

REDUNDANT = 0.5
"""Minimum containment of articles in one story."""
SUGGESTED = 0.3
"""Minimum containment of samples for a full comparison; finds 99 % of redundant pairs."""
SHORTEST = 20
"""Minimum trigrams of a text for comparison; shorter texts are captions and link posts."""
RATE = 32
"""Sampling rate: one trigram in 32 is in the signature, four bytes each."""
LEAST = 64
"""Minimum trigrams in a signature, if the text has enough; shorter texts are in it completely."""
AT_ONCE = 100
"""Maximum articles whose trigrams are cached during comparison."""
HASHES_KEPT = 50_000
"""Maximum terms in the hash cache; consecutive texts share most of their terms."""
MOST_COMPARED = 20
"""Maximum stories an article is compared with; on a site of form letters all are candidates."""

_LIMIT = 2**32 // RATE


class Candidate(NamedTuple):
    """An article that may be redundant to another one."""

    key: int
    """Id of the article."""
    estimate: float
    """Containment of the samples."""


@dataclass(frozen=True, slots=True)
class Membership:
    """Assignment of an article to a story."""

    key: int
    """Id of the article."""
    representative: int
    """First article of the story; all others are compared with it."""
    shared: float
    """Containment between the two."""


def containment(one: str, other: str) -> float:
    """Return the fraction of the shorter text's trigrams in the other; 0 if a text is too short.

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
    """Return a sample of a text's trigram hashes, given its index terms.

    The sample consists of sorted 32-bit numbers, little endian: all hashes below 1/`RATE` of the
    range, plus the smallest others up to `LEAST`. Empty for a text that is too short to compare.
    """
    import numpy as np  # noqa: PLC0415 - a night with nothing new does not wait for it

    if len(terms) < SHORTEST + 2:
        return b""
    hashes = _hashed_trigrams(terms).astype(np.uint32)
    sample = np.unique(hashes[hashes < _LIMIT])
    if len(sample) < LEAST:  # short text: take the smallest of the other hashes too
        hashes = np.unique(hashes)
        sample = hashes[:LEAST] if len(hashes) >= SHORTEST else hashes[:0]
    return sample.astype("<u4").tobytes()


class _Hashes(dict[str, int]):
    """Cache of term hashes."""

    def __missing__(self, term: str) -> int:
        if len(self) >= HASHES_KEPT:
            self.clear()
        self[term] = found = zlib.crc32(term.encode())
        return found


_hashes = _Hashes()


def _hashed_trigrams(terms: Sequence[str]) -> Any:
    """Return a 64-bit hash for each run of three terms."""
    import numpy as np  # noqa: PLC0415 - as above

    words = np.fromiter(map(_hashes.__getitem__, terms), np.uint64, len(terms))
    # Three odd constants make the hash depend on word order; then splitmix64's mixing.
    mixed = words[:-2] * np.uint64(0x9E3779B97F4A7C15)
    mixed += words[1:-1] * np.uint64(0xC2B2AE3D27D4EB4F)
    mixed += words[2:] * np.uint64(0x165667B19E3779F9)
    mixed ^= mixed >> np.uint64(30)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(32)
    return mixed


class Signatures:
    """Signatures of many articles, searchable for similar ones.

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
        # Owner and hash as one sorted number: counts an owner's hashes up to a limit.
        self._owned = (owners << 32) + data
        self._sizes, self._starts = sizes, np.cumsum(sizes) - sizes
        self._largest = data[self._starts + sizes - 1]

    def resembling(self, wanted: bytes) -> Iterator[Candidate]:
        """Yield articles to which a text with this signature may be redundant, most similar first.

        All candidates are estimated in one pass: on a site of similar texts there are thousands.
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
        else:  # for this many, counting is faster than sorting
            places = np.arange(len(self._keys))
        limits = np.maximum(_LIMIT - 1, np.minimum(own[-1], self._largest[places]))
        compared = owners[np.repeat(own, last - first) <= limits[owners]]
        common = np.bincount(compared, minlength=len(places))
        # Most candidates share only a closing line. A short text has few hashes in the range that
        # a long text samples, so one of them is enough for the full comparison.
        is_short = np.minimum(len(own), self._sizes[places]) < LEAST
        some = np.flatnonzero(np.bincount(owners, minlength=len(places)) + is_short > 1)
        places, limits = places[some], limits[some]
        theirs = np.searchsorted(self._owned, (places << 32) + limits, "right")
        shorter = np.minimum(np.searchsorted(own, limits, "right"), theirs - self._starts[places])
        estimates = common[some] / np.maximum(1, shorter)
        likely = estimates >= SUGGESTED
        keys, estimates = self._keys[places[likely]], estimates[likely]
        order = np.lexsort((keys, -estimates))
        return map(Candidate, keys[order].tolist(), estimates[order].tolist())


def estimate(one: bytes, other: bytes) -> float:
    """Return the containment of two texts, estimated from their signatures.

    Only the range where both samples are complete is compared. `Signatures` does the same for many
    texts.
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
    """Return the stories of new articles, given in order of arrival.

    `known` contains the signatures of all articles, including new ones. `representatives` maps each
    article compared earlier to its representative (itself if it is the only one). Groups do not
    chain:
    an article joins a story only if it is redundant to the representative. Each article is compared
    only with earlier ones, so stories do not depend on how articles are divided into batches.
    """
    stories = dict(representatives)
    joined = []

    @lru_cache(maxsize=AT_ONCE)  # hashes need a fraction of the time and memory of words
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
