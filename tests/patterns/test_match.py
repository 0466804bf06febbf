"""Matching, compared with an exhaustive search."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from time import sleep

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flong.patterns import (
    PLAIN,
    choose,
    compose,
    match,
    match_bounded,
    pattern_of,
    read_text,
)
from flong.patterns.kernel import align, layout
from flong.tree import build_tree, tag_number
from tests.patterns import slow_patterns as slow

ANY = 1.0


@slow.thorough
@given(slow.patterns(), slow.pages())
def test_acceptance_and_cost_are_those_of_an_exhaustive_search(pattern, page):
    check_cost(pattern, page)


@slow.thorough
@given(st.data())
def test_instances_of_a_pattern_are_accepted_at_the_exhaustive_cost(data):
    pattern = data.draw(slow.patterns())
    check_cost(pattern, data.draw(slow.instances(pattern)))


@slow.thorough
@given(st.data())
def test_a_pattern_that_accepts_a_page_is_never_ruled_out_unmatched(data):
    pattern = data.draw(slow.patterns())
    tree = slow.page(data.draw(slow.instances(pattern)))
    found = choose([slow.pattern(pattern)], tree)
    assert found.best == 0
    assert not found.match.bounded


def check_cost(pattern, page):
    found = match(slow.pattern(pattern), slow.page(page))
    cost = slow.match_cost(pattern, page)
    assert (found.cost if found else slow.INFINITE) == cost


@slow.thorough
@given(slow.patterns(widest=3), slow.pages(widest=3))
def test_a_bounded_match_leaves_over_as_little_as_possible(pattern, page):
    found = slow.nearly(slow.pattern(pattern), slow.page(page), ANY)
    assert found.left_over == slow.left_over(pattern, page)
    strict = match(slow.pattern(pattern), slow.page(page))
    assert found.bounded == (strict is None)
    if strict:
        assert found.cost == strict.cost


@slow.thorough
@given(st.data())
def test_every_vertex_of_an_accepted_page_is_mapped_or_taken_once(data):
    pattern = data.draw(slow.patterns())
    tree = slow.page(data.draw(slow.instances(pattern)))
    found = slow.accepted(slow.pattern(pattern), tree)
    owners = [0] * len(tree)
    for v in range(len(found.pattern)):
        taken = found.taken(v)
        if found.pattern.kind[v] == PLAIN:
            assert len(taken) == 1
            assert tree.tag[taken[0]] == found.pattern.tag[v]
            owners[taken[0]] += 1
        else:
            least, most = {".": (1, 1), "+": (1, 99), "?": (0, 1), "*": (0, 99)}[
                found.pattern.name(v)
            ]
            assert least <= len(taken) <= most
            parent = found.start[found.pattern.parent[v]] if v else -1
            for root in taken:
                assert tree.parent[root] == parent
                for below in range(root, root + tree.size[root]):
                    owners[below] += 1
    assert owners == [1] * len(tree)
    assert (found.owner >= 0).all()


@pytest.mark.parametrize(
    ("signs", "siblings", "taken"),
    [
        ("* .", 3, [2, 1]),
        (". *", 3, [1, 2]),
        ("* +", 3, [2, 1]),
        ("* *", 3, [2, 1]),
        ("+ ? *", 2, [1, 1, 0]),
        ("? .", 1, [0, 1]),
        ("? ?", 1, [1, 0]),
        ("* section *", 3, [1, 1, 1]),
        ("section * section", 2, [1, 0, 1]),
    ],
)
def test_optional_wildcards_are_used_first_and_those_to_the_left_take_most(signs, siblings, taken):
    pattern, _ = read_text("body\n" + "\n".join(f"  {sign}" for sign in signs.split()))
    found = slow.accepted(pattern, build_tree("<body>" + "<section></section>" * siblings))
    assert [len(found.taken(v)) for v in pattern.children(0)] == taken
    assert found.cost == taken.count(0)


@pytest.mark.parametrize(
    ("pattern", "page", "accepted"),
    [
        ("body\n  div.a", "<div class='b a'>", True),
        ("body\n  div.a", "<div class=b>", False),
        ("body\n  div", "<div class=b>", True),
        ('body\n  text "one"', "one", True),
        ('body\n  text "one"', "two", False),
        ("body\n  .", "<p>one</p><p>two</p>", False),
        ("body\n  .", "", False),
        ("body\n  ?", "", True),
        ("body\n  +", "<p>one</p><p>two</p>", True),
        (".", "<p>one</p>", True),
    ],
)
def test_definition_7(pattern, page, accepted):
    assert (match(read_text(pattern)[0], build_tree(page)) is not None) == accepted


def test_a_bounded_match_is_marked_and_maps_the_rest():
    old = build_tree("<div class=top><h1>A</h1></div><div class=main><p>text</p></div>")
    new = build_tree("<div class=top><h1>A</h1><hr></div><div class=body><p>text</p></div>")
    assert match(pattern_of(old), new) is None
    found = slow.nearly(pattern_of(old), new)
    assert (found.bounded, found.left_over, found.constants) == (True, 2, len(old))
    assert found.owner.tolist().count(-1) == 1


def test_a_bounded_match_is_refused_beyond_its_tolerance():
    one = build_tree("<div><h1>A</h1></div>")
    other = build_tree("<table><tr><td>B</td></tr></table>")
    assert match_bounded(pattern_of(one), other) is None
    assert match_bounded(pattern_of(one), other, ANY) is not None


def test_a_page_of_100_000_siblings_is_matched():
    rows = "".join(f"<p>line {k}</p>" for k in range(49_900))
    tree = build_tree(f"<div><h1>A</h1>{rows}</div><div>foot</div>")
    assert len(tree) > 99_000
    assert slow.accepted(pattern_of(tree), tree).cost == 0
    small = build_tree("<div><h1>B</h1><p>one line</p></div><div>foot</div>")
    pattern = compose(pattern_of(small), pattern_of(tree))
    assert match(pattern, tree)
    assert match(pattern, small)
    assert match_bounded(pattern, tree)


class SlowList(list):
    """A list on which a look takes so long that another thread may change it meanwhile."""

    def __bool__(self):
        found = len(self) > 0
        sleep(0.001)
        return found


def test_concurrent_matches_equal_sequential_ones(monkeypatch):
    pages = [build_tree("<ul>" + "<li>x</li>" * count + "</ul>") for count in range(1, 9)]
    pattern, _ = read_text("body\n  ul\n    li\n      .\n    *")
    alone = [match(pattern, page).stop.tolist() for page in pages]
    monkeypatch.setattr(align, "_spare", SlowList([layout.make_scratch()]))
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda page: match(pattern, page), pages * 10))
    assert [each.stop.tolist() for each in found] == alone * 10


def chain(levels):
    """A page of one branch, deeper than any parser lets through."""
    none, numbers = np.zeros(levels, np.int32), np.arange(levels, dtype=np.int32)
    return replace(
        build_tree(""),
        tag=np.array([tag_number("body"), *[tag_number("div")] * (levels - 1)], np.int32),
        parent=numbers - 1,
        size=levels - numbers,
        class_start=np.zeros(levels + 1, np.int32),
        text_hash=none.astype(np.int64),
        start=none,
        end=none,
        words=none,
        link_words=none,
        links=none,
        place=numbers,
        tag_start=none,
    )


def test_a_page_of_5_000_levels_is_matched():
    deep, deeper = chain(5_000), chain(5_001)
    pattern = pattern_of(deep)
    assert match(pattern, deep).cost == 0
    assert match(pattern, deeper) is None
    assert match_bounded(pattern, deeper).left_over == 1
    both = compose(pattern, pattern_of(deeper))
    assert len(both) == 5_001
    assert both.name(5_000) == "?"
    assert (match(both, deep).cost, match(both, deeper).cost) == (1, 0)
    assert choose([pattern, both], deeper).best == 1
    assert len(match(both, deeper).taken(5_000)) == 1
