import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flong.search import Signatures, assign, containment, index_terms, signature
from flong.search.stories import LEAST, MOST_COMPARED, REDUNDANT, SHORTEST, estimate, term_trigrams

WORDS = [f"w{number}" for number in range(3000)]


def text(seed, size=300):
    return " ".join(random.Random(seed).choices(WORDS, k=size))


def rewritten(original, foreign, kept):
    """Keep a fraction of the 15-word sentences and insert others between them."""
    lines = [original.split()[i : i + 15] for i in range(0, len(original.split()), 15)]
    chance = random.Random(original)
    taken = chance.sample(lines, round(kept * len(lines)))
    others = foreign.split()[: 15 * len(lines) // 10]
    return " ".join(word for line in [*taken, others] for word in line)


def signed(texts):
    return {key: signature(index_terms(each)) for key, each in texts.items()}


def slow_containment(one, other):
    a, b = index_terms(one), index_terms(other)
    first, second = ({tuple(x[i : i + 3]) for i in range(len(x) - 2)} for x in (a, b))
    shorter = first if len(first) <= len(second) else second
    if len(shorter) < SHORTEST:
        return 0.0
    return sum(each in first and each in second for each in shorter) / len(shorter)


small = st.lists(st.sampled_from("abcde"), max_size=60).map(" ".join)


@given(small, small)
def test_containment_is_a_fraction_of_the_shorter_text(one, other):
    assert containment(one, other) == slow_containment(one, other) == containment(other, one)


@given(small)
def test_a_text_contains_itself(one):
    assert containment(one, one) == (len(term_trigrams(one)) >= SHORTEST)


@given(st.integers(0, 10**6), st.integers(30, 2000))
def test_signature_is_sorted_and_depends_only_on_the_text(seed, size):
    terms = index_terms(text(seed, size))
    sample = memoryview(signature(terms)).cast("I").tolist()
    assert sample == sorted(set(sample))
    assert len(sample) >= min(LEAST, len(set(zip(terms, terms[1:], terms[2:], strict=False))))
    assert signature(terms) == signature(list(terms))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_samples_estimate_containment(seed):
    whole = text(seed, 4000)
    half = " ".join(whole.split()[:2000] + text(seed + 1, 2000).split())
    shown = estimate(*signed({1: whole, 2: half}).values())
    assert abs(shown - containment(whole, half)) < 0.25


def test_a_short_text_is_found_in_a_long_one():
    whole = text(1, 5000)
    part = " ".join(whole.split()[2000:2100])
    assert [
        each.key
        for each in Signatures(signed({1: whole, 2: text(2)})).resembling(
            signature(index_terms(part))
        )
    ] == [1]


@pytest.mark.parametrize(("words", "found"), [(300, 1.0), (500, 0.95), (1000, 0.75)])
def test_copy_of_35_words_is_found_in_a_longer_text(words, found):
    """The sample of a long text has few of the short text's trigrams."""
    tried = range(200)
    hits = 0
    for seed in tried:
        whole = text(seed, words)
        part = " ".join(whole.split()[100:135])
        known = Signatures(signed({1: whole, 2: text(seed + 1000)}))
        hits += 1 in {each.key for each in known.resembling(signature(index_terms(part)))}
    assert hits >= found * len(tried)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 400), min_size=2, max_size=8), st.integers(2, 3000))
def test_batch_estimates_equal_pairwise_estimates(sizes, vocabulary):
    """Texts with a small vocabulary all overlap; those with a large one only with their copies."""
    sizes = [*sizes, *sizes]
    chance = random.Random(vocabulary)
    texts = {
        key: " ".join(chance.choices(WORDS[:vocabulary], k=size)) for key, size in enumerate(sizes)
    }
    texts[len(texts)] = texts[0]
    signatures = signed(texts)
    known = Signatures(signatures)
    for key, own in signatures.items():
        found = {each.key: each.estimate for each in known.resembling(own)}
        pairs = {other: estimate(own, each) for other, each in signatures.items() if each and own}
        common = {
            other
            for other, each in signatures.items()
            if len(hashes(own) & hashes(each)) > (min(len(own), len(each)) >= 4 * LEAST)
        }
        assert found == {o: share for o, share in pairs.items() if share >= 0.3 and o in common}
        assert not own or found[key] == 1


def hashes(signed_text):
    return set(np.frombuffer(signed_text, "<u4").tolist())


def test_too_short_texts_have_no_story():
    assert signature(index_terms("one two three four")) == b""
    assert assign([(1, b""), (2, b"")], Signatures({}), {}, {1: "", 2: ""}.__getitem__) == []


def test_article_is_compared_only_with_the_likeliest_stories():
    """Texts with a small vocabulary all resemble each other; one of them is a copy."""
    chance = random.Random(4)
    texts = {key: " ".join(chance.choices(WORDS[:6], k=60)) for key in range(100)}
    texts[100] = texts[50]
    signatures, read = signed(texts), []
    [joined] = assign(
        [(100, signatures[100])],
        Signatures(signatures),
        {key: key for key in range(100)},
        lambda key: read.append(key) or texts[key],
    )
    assert (joined.representative, joined.shared) == (50, 1.0)
    assert len(read) == 1 + MOST_COMPARED


def grouped(texts, cuts=()):
    """Return the story of each text, assigned in several batches."""
    signatures, stories = signed(texts), {}
    keys = list(texts)
    bounds = [0, *sorted(cuts), len(keys)]
    for first, last in pairwise(bounds):
        night = keys[first:last]
        known = Signatures({key: signatures[key] for key in keys[:last]})
        found = assign([(k, signatures[k]) for k in night], known, dict(stories), texts.__getitem__)
        stories |= {key: key for key in night} | {each.key: each.representative for each in found}
    return stories


def slowly_grouped(texts):
    """Compare every text with every representative."""
    stories = {}
    for key, each in texts.items():
        firsts = sorted(set(stories.values()))
        shares = [(slow_containment(each, texts[first]), -first) for first in firsts]
        shared, first = max(shares, default=(0, 0))
        stories[key] = -first if shared >= REDUNDANT else key
    return stories


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from([0.9, 0.7, 0.3])), max_size=10), st.data()
)
def test_stories_equal_brute_force_for_any_batches(made, data):
    texts = {
        key: rewritten(text(origin), text(100 + key), kept)
        for key, (origin, kept) in enumerate(made, 1)
    }
    cuts = data.draw(st.lists(st.integers(0, len(texts)), max_size=3))
    assert grouped(texts, cuts) == slowly_grouped(texts)


def test_groups_do_not_chain():
    words = text(5, 900).split()
    texts = {
        number: " ".join(words[start : start + 300])
        for number, start in ((1, 0), (2, 140), (3, 280))
    }
    assert containment(texts[1], texts[2]) >= REDUNDANT <= containment(texts[2], texts[3])
    assert grouped(texts) == {1: 1, 2: 1, 3: 3}


@pytest.mark.parametrize(("kept", "recall"), [(0.9, 1.0), (0.7, 0.98), (0.5, 0.8)])
def test_rewrites_are_found(kept, recall):
    originals = {number: text(number) for number in range(100)}
    texts = originals | {
        100 + number: rewritten(each, text(1000 + number), kept)
        for number, each in originals.items()
    }
    stories = grouped(texts)
    assert sum(stories[100 + number] == number for number in originals) >= recall * 100
    assert all(stories[number] == number for number in originals)
