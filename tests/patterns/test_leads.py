"""What is done at once is what was done one by one."""

import re
from typing import NamedTuple

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from flong.patterns import compose, pattern_of
from flong.patterns.candidates import _attributes_with
from flong.patterns.compose import _Composition
from flong.patterns.leads import find_leads
from flong.patterns.selectors import Selector, find_all, selectors_of
from flong.tree import Tree, build_tree
from tests.patterns import slow_patterns as slow
from tests.patterns.test_selectors import pages


class Page(NamedTuple):
    tree: Tree
    starts: np.ndarray | None


@settings(deadline=None, max_examples=40)  # the first page compiles the builder
@given(st.lists(pages, min_size=1, max_size=3), st.randoms(use_true_random=False))
def test_selectors_lead_to_what_each_of_them_finds(sources, random):
    trees = [build_tree(source) for source in sources]
    selectors = [
        selector
        for tree in trees
        for vertex in range(1, len(tree))
        for selector in selectors_of(tree, vertex)
    ]
    selectors += [Selector(vertex=at) for at in range(4)]
    random.shuffle(selectors)
    matched = [np.array([random.randrange(-1, len(t)) for _ in range(4)], np.int32) for t in trees]
    voting = [
        Page(tree, random.choice([starts, None]))
        for tree, starts in zip(trees, matched, strict=True)
    ]
    for page, leads in zip(voting, find_leads(selectors, voting), strict=True):
        for selector, (first, often) in zip(selectors, leads, strict=True):
            found = find_all(page.tree, selector, page.starts).tolist()
            assert (first, often) == (found[0] if found else -1, len(found)), str(selector)


def test_no_selectors_lead_nowhere():
    assert find_leads([], [Page(build_tree("<p>x"), None)]) == [[]]


@slow.thorough
@given(slow.pages(), slow.pages())
def test_a_sub_tree_that_both_sides_have_need_not_be_walked(one, other):
    left, right = (pattern_of(slow.page(page)) for page in (one, other))
    quick = compose(left, right)
    walked = _Composition._alike
    try:
        _Composition._alike = lambda self, *_: [False] * len(self.partner)
        slowly = compose(left, right)
    finally:
        _Composition._alike = walked
    for name in ("kind", "tag", "parent", "size", "class_start", "class_hash", "text_hash"):
        assert getattr(quick, name).tolist() == getattr(slowly, name).tolist()
    assert (quick.names, quick.texts) == (slowly.names, slowly.texts)


marks = st.sampled_from(
    [
        'class="',
        'id="',
        'xid="',
        '"',
        "comment",
        "respond",
        "replies",
        "x",
        " ",
        'data-class="',
        "<p>",
    ]
)


@given(st.lists(marks).map("".join))
def test_attributes_with_a_word_are_those_that_an_expression_finds(text):
    words = [b"comment", b"respond", b"replies"]
    expression = re.compile(rb"(?:class|id)=\"[^\"]*(?:" + b"|".join(words) + rb")")
    data = text.encode()
    expected = [found.start() for found in expression.finditer(data)]
    assert sorted(_attributes_with(data, words)) == expected
