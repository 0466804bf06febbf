"""Planted rewrites: how many are found, and how many pairs are wrongly taken for redundant."""

import random
import re
from collections.abc import Sequence

from rensa import RMinHash

from benchmarks.search_store import Text
from flong.search import Signatures, containment, index_terms, signature
from flong.search.stories import REDUNDANT, estimate, term_trigrams

SAMPLE = 600
"""Articles that are rewritten."""
PAIRS = 26_000
"""Pairs of articles of one site that share words and are compared."""
MIXES = ((0.9, 0.0), (0.7, 0.0), (0.7, 0.1), (0.5, 0.0), (0.5, 0.3), (0.35, 0.5))
"""Share of the sentences that is kept, and of foreign ones that is added."""
_END = re.compile(r"(?<=[.!?。؟])\s*|\n+")


def measure_stories(texts: Sequence[Text], chance: random.Random) -> None:
    """Print recall on rewrites by exact containment, by signatures and by MinHash bands."""
    long = [text for text in texts if len(index_terms(text.body)) >= 60]
    sample = chance.sample(long, min(SAMPLE, len(long)))
    print(f"{'kept':>6}{'foreign':>9}{'exact':>9}{'flong':>9}{'MinHash 32x4':>14}{'42x3':>8}")
    for kept, foreign in MIXES:
        found = [_found(text, _rewritten(text, long, kept, foreign, chance)) for text in sample]
        shares = [sum(each) / len(found) for each in zip(*found, strict=True)]
        exact, ours, four, three = shares
        print(f"{kept:>6.0%}{foreign:>9.0%}{exact:>9.3f}{ours:>9.3f}{four:>14.3f}{three:>8.3f}")
    _measure_false(long, chance)


def _rewritten(
    text: Text, others: Sequence[Text], kept: float, foreign: float, chance: random.Random
) -> str:
    """Return a part of a text's sentences with some of another one, in disorder."""
    sentences = [each for each in _END.split(text.body) if each]
    other = chance.choice([each for each in others if each.language == text.language])
    added = [each for each in _END.split(other.body) if each]
    mix = chance.sample(sentences, max(1, round(kept * len(sentences))))
    mix += chance.sample(added, min(len(added), round(foreign * len(sentences))))
    chance.shuffle(mix)
    return " ".join(mix)


def _found(text: Text, rewrite: str) -> tuple[bool, bool, bool, bool]:
    exact = containment(text.body, rewrite) >= REDUNDANT
    own, other = index_terms(text.body), index_terms(rewrite)
    known = Signatures({1: signature(own)})
    ours = exact and any(known.resembling(signature(other)))
    one, two = _digest(text.body), _digest(rewrite)
    return exact, ours, exact and _share_band(one, two, 4), exact and _share_band(one, two, 3)


def _digest(text: str) -> list[int]:
    sketch = RMinHash(num_perm=128, seed=42)
    sketch.update([" ".join(trigram) for trigram in term_trigrams(text)])
    return list(sketch.digest())


def _share_band(one: Sequence[int], two: Sequence[int], rows: int) -> bool:
    starts = range(0, len(one) - rows + 1, rows)
    return any(one[at : at + rows] == two[at : at + rows] for at in starts)


def _measure_false(texts: Sequence[Text], chance: random.Random) -> None:
    """Print how many pairs of one site are redundant, and how well signatures say so."""
    hosts: dict[str, list[Text]] = {}
    for text in texts:
        hosts.setdefault(text.url.split("/")[2], []).append(text)
    lists = [each for each in hosts.values() if len(each) > 1]
    weights = [len(each) for each in lists]
    redundant = suggested = 0
    for among in chance.choices(lists, weights, k=PAIRS):
        one, other = chance.sample(among, 2)
        signed = [signature(index_terms(each.body)) for each in (one, other)]
        if estimate(*signed) >= 0.3:
            suggested += 1
            redundant += containment(one.body, other.body) >= REDUNDANT
    print(f"of {PAIRS} pairs of one site {suggested} are compared, {redundant} are redundant")
