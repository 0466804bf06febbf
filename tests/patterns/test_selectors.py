"""Selectors and paths find the vertices that they were made from."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml.html import document_fromstring

from flong.patterns.labels import Exclusions, Labels, read_page
from flong.patterns.selectors import (
    Selector,
    find,
    find_all,
    first_leaf,
    plainness,
    selectors_of,
    vertex_at,
    xpath_of,
)
from flong.tree import TEXT, build_tree, tag_starts

tags = st.sampled_from(["div", "p", "section", "ul"])
tokens = st.sampled_from(["", " class=a", " class='a b'", " id=c", " class=post-1234"])
pages = st.recursive(
    st.just("x"),
    lambda inner: st.lists(
        st.builds(lambda t, k, i: f"<{t}{k}>{i}</{t}>", tags, tokens, inner), min_size=1, max_size=4
    ).map("".join),
    max_leaves=12,
)


@settings(deadline=None, max_examples=40)  # the first page compiles the builder
@given(pages)
def test_every_place_of_a_vertex_finds_it(html):
    tree = build_tree(html)
    for vertex in range(1, len(tree)):
        if tree.tag_start[vertex] >= 0:
            for selector in selectors_of(tree, vertex):
                if "#" not in str(selector):  # an id may be there twice: the first counts
                    assert vertex in find_all(tree, selector).tolist(), str(selector)


@settings(deadline=None)  # the first page compiles the builder
@given(pages)
def test_the_xpath_of_a_block_finds_it_in_the_page(html):
    tree = build_tree(html)
    document = document_fromstring(tag_starts(html)[0])
    for vertex in range(1, len(tree)):
        if tree.tag_start[vertex] >= 0:
            found = document.find("." + xpath_of(tree, vertex).removeprefix("/html"))
            assert found is not None
            assert found.tag == tree.name(vertex)


@given(pages)
def test_a_path_leads_back_to_its_vertex(html):
    tree = build_tree(html)
    for vertex in range(len(tree)):
        element = tree.parent[vertex] if tree.tag[vertex] == TEXT else vertex
        assert vertex_at(tree, xpath_of(tree, vertex)) == element


@pytest.mark.parametrize("path", ["/no", "//[", "datePublished", "/html/@x", "/html/body/p[9]", ""])
def test_a_path_to_nothing_has_no_vertex(path):
    assert vertex_at(build_tree("<div><p>a</p><p>b</p></div>"), path) is None


def test_a_place_inside_another_is_only_searched_there():
    tree = build_tree("<p class=x>a</p><div id=main><p class=x>b</p></div>")
    assert tree.text_of(find(tree, Selector("p", "x", inside=Selector("div", ident="main")))) == "b"


def test_a_vertex_of_the_pattern_is_found_through_the_match():
    tree = build_tree("<p>a</p><p>b</p>")
    starts = np.array([0, 3, -1], dtype=np.int32)
    assert find(tree, Selector(vertex=1), starts) == 3
    assert find(tree, Selector(vertex=2), starts) == -1
    assert find(tree, Selector(vertex=1)) == -1


def test_an_empty_selector_finds_nothing():
    tree = build_tree("")
    assert (
        find(tree, Selector("p", "x"))
        == find(tree, Selector("p", ident="x"))
        == find(tree, None)
        == -1
    )
    assert first_leaf(tree, -1) == first_leaf(tree, 0) == -1


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (Selector("h1", "title"), Selector("h1")),
        (Selector("h1", "title"), Selector("h1", "title", inside=Selector("div", "a"))),
        (Selector("h1", inside=Selector("div", "a")), Selector("h1")),
        (Selector("h1"), Selector(vertex=4)),
    ],
)
def test_a_name_of_its_own_is_the_better_place(better, worse):
    assert plainness(better) > plainness(worse)


@settings(deadline=None, max_examples=40)  # the first page compiles the builder
@given(pages)
def test_a_body_is_its_container_without_excluded_blocks(html):
    tree = build_tree(html)
    selectors = (
        Selector("div", "a"),
        Selector("p", "b"),
        Selector("ul"),
        Selector("section", ident="c"),
    )
    labels = Labels(body=Selector("div"), exclusions=Exclusions(selectors))
    container = find(tree, labels.body)
    out = {vertex for selector in selectors for vertex in find_all(tree, selector).tolist()} - {
        container
    }
    leaves = tree.leaves(container) if container >= 0 else []
    expected = [leaf for leaf in leaves if not out & _between(tree, leaf, container)]
    assert read_page(tree, labels).body == expected


def _between(tree, leaf, container):
    return {vertex for vertex in tree.ancestors(leaf) if vertex > container}
