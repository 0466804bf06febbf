"""The compiled builder against the slow one, and what it promises on bad pages."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.trees.slow_build import slow_build
from trees import build_tree, place_xpath, stable_hash

TAGS = "div p span a b br pre img ul li table td h1 em script style title x-y time button svg"
ATTRIBUTES = ['class="a b"', "class='a  a&#10;c&amp;d'", "class", "href=x", "id=p>", 'class="post-123"']
texts = st.one_of(
    st.sampled_from(
        ["one", " ", " two words ", "|", "&amp;", "&lt;p&gt;", "\n", "a_b", "東京x", "&nbsp;", "é"]
    ),
    st.text(max_size=5),
)
starts = st.builds(
    lambda tag, attributes: f"<{' '.join([tag, *attributes])}>",
    st.sampled_from(TAGS.split()),
    st.lists(st.sampled_from(ATTRIBUTES), max_size=2),
)
ends = st.sampled_from([f"</{tag}>" for tag in TAGS.split()])
heads = st.sampled_from(
    [
        "",
        "<html lang=de><title> A &amp; b\n</title><meta name=K content=' v '><link rel=Canonical href=u>",
        "<script type=application/ld+json>{\"a\": \"<b>\"}</script><meta property='og:x' content='\"'>",
        "<frameset><frame src=a><p>x",
        "<!DOCTYPE html><body class='q r'>",
    ]
)
pages = st.builds(
    lambda head, parts: head + "".join(parts), heads, st.lists(st.one_of(starts, starts, texts, ends))
)


def assert_same(html):
    """Compare every field of every vertex with the slow builder's."""
    tree = build_tree(html)
    slow, head = slow_build(html)
    assert [tree.name(v) for v in range(len(tree))] == [v.name for v in slow]
    for column in ("parent", "size", "words", "link_words", "place"):
        assert getattr(tree, column).tolist() == [getattr(v, column) for v in slow], column
    for v, vertex in enumerate(slow):
        assert tree.text_of(v) == vertex.text
        assert tree.attributes(v) == vertex.attributes
        hashes = tree.class_hash[tree.class_start[v] : tree.class_start[v + 1]]
        assert hashes.tolist() == vertex.classes
        text = vertex.text.encode("utf-8", "replace")
        assert tree.text_hash[v] == (stable_hash(text) if vertex.name == "#text" else 0)
    assert tree.head == head


@given(pages)
@settings(max_examples=400, deadline=None)
def test_the_compiled_builder_agrees_with_the_slow_one(html):
    assert_same(html)
