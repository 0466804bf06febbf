"""Composition: acceptance, alignment and the paper's table f."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flong.patterns import (
    KLEENE,
    OPTION,
    PLAIN,
    PLUS,
    SINGLE,
    compose,
    match,
    pattern_of,
    write_text,
)
from flong.patterns.compose import NOTHING, Item, compose_keeping, join, merge
from flong.patterns.kernel.align import compare_trees
from flong.patterns.kernel.layout import ALIGN
from flong.patterns.kernel.prepare import make_side
from flong.patterns.reis import promote
from flong.tree import build_tree
from tests.patterns import slow_patterns as slow

SIGNS = {".": SINGLE, "+": PLUS, "?": OPTION, "*": KLEENE, "n": PLAIN, "_": NOTHING}
TABLE = """
    n n .   . n .   . . .   + n +   + . +   + + +
    ? n ?   ? . ?   ? ? ?   + ? *
    * n *   * . *   * + *   * ? *   * * *
    n _ ?   . _ ?   ? _ ?   + _ *   * _ *
""".split()


@pytest.mark.parametrize(("a", "b", "result"), list(zip(*[iter(TABLE)] * 3, strict=True)))
def test_join_is_the_papers_f_in_both_orders(a, b, result):
    assert join(SIGNS[a], SIGNS[b]) == join(SIGNS[b], SIGNS[a]) == SIGNS[result]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (". . .", ". . ."),
        (". ?", "+"),
        ("? .", "+"),
        ("? ?", "*"),
        ("? * ?", "*"),
        ("+ .", "+"),
        ("* .", "+"),
        ("?", "?"),
        ("? n ?", "? n ?"),
        ("n ? ? n", "n * n"),
    ],
)
def test_neighbouring_wildcards_become_one(before, after):
    merged = merge([Item(SIGNS[sign], 0, 0) for sign in before.split()])
    assert [item.kind for item in merged] == [SIGNS[sign] for sign in after.split()]


@pytest.mark.parametrize(
    ("before", "bridge", "after"),
    [
        (". ?", 0, "+"),
        (". ? ?", 0, "+"),
        ("+ ?", 0, "+"),
        ("? ?", 0, "*"),
        ("* ?", 0, "*"),
        ("? .", 0, "? ."),
        (". . ?", 0, ". +"),
        ("+ . *", 0, "+ . *"),
        (". ? n ?", 0, "+ n ?"),
        ("? n ?", 1, "+"),
        (". n n n ? n", 3, "+ n"),
        (". n n n .", 3, "+"),
        (". n n n n .", 3, ". n n n n ."),
    ],
)
def test_as_published_a_wildcard_takes_only_the_options_after_it(before, bridge, after):
    promoted = promote([Item(SIGNS[sign], 0, 0) for sign in before.split()], bridge)
    assert [item.kind for item in promoted] == [SIGNS[sign] for sign in after.split()]


@pytest.mark.parametrize(("vertices", "merged"), [(2, True), (3, True), (4, False)])
def test_as_published_vertices_between_wildcards_are_counted_with_descendants(vertices, merged):
    block = "<div>" + "<hr>" * (vertices - 1) + "</div>"
    pages = [build_tree(f"{word}{block}{word}", raw=True) for word in ("one", "two")]
    both = compose(*map(pattern_of, pages), promote)
    assert write_text(both).split() == (
        ["body", "+"] if merged else ["body", ".", "div", *["hr"] * (vertices - 1), "."]
    )


@slow.thorough
@given(slow.patterns(), slow.patterns())
def test_the_mapping_is_as_short_as_an_exhaustive_search_finds(one, two):
    left, right = (make_side(slow.pattern(tree).arrays, ALIGN) for tree in (one, two))
    assert compare_trees(ALIGN, left, right)[0] == slow.distance(one, two)
    assert compare_trees(ALIGN, right, left)[0] == slow.distance(one, two)


@slow.thorough
@given(st.data(), st.sampled_from([merge, promote, partial(promote, bridge=0)]))
def test_the_composition_accepts_what_either_side_accepts(data, promotion):
    one, two = data.draw(slow.patterns()), data.draw(slow.patterns())
    both = compose(slow.pattern(one), slow.pattern(two), promotion)
    page = slow.page(data.draw(slow.instances(data.draw(st.sampled_from([one, two])))))
    assert match(both, page)


@slow.thorough
@given(st.lists(slow.pages(), min_size=1, max_size=5))
def test_the_composition_of_many_pages_accepts_all(pages):
    trees = [slow.page(page) for page in pages]
    pattern = pattern_of(trees[0])
    for tree in trees[1:]:
        pattern = compose(pattern, pattern_of(tree))
    assert all(match(pattern, tree) for tree in trees)


@slow.thorough
@given(slow.pages())
def test_a_page_composed_with_itself_is_itself(page):
    pattern = pattern_of(slow.page(page))
    assert compose(pattern, pattern) == pattern


@slow.thorough
@given(slow.patterns())
def test_a_composition_with_itself_changes_only_once(tree):
    once = compose(slow.pattern(tree), slow.pattern(tree))
    assert compose(once, once) == once


@slow.thorough
@given(slow.patterns(), slow.patterns(), st.integers(0, 8))
def test_a_composition_with_too_few_constants_is_refused(one, two, constants):
    left, right = slow.pattern(one), slow.pattern(two)
    whole = compose(left, right)
    kept = compose_keeping(left, right, constants)
    assert kept == (whole if whole.constants >= constants else None)


def composed(*pages):
    pattern = pattern_of(build_tree(pages[0]))
    for page in pages[1:]:
        pattern = compose(pattern, pattern_of(build_tree(page)))
    return write_text(pattern)


def test_titles_become_single_and_paragraphs_many():
    text = composed(
        "<div class='post x'><h1>One</h1><p>a</p><p>b</p></div><div>foot</div>",
        "<div class='post y'><h1>Two</h1><p>c</p><p>d</p><p>e</p><p>f</p></div><div>foot</div>",
        "<div class='post z'><h1>Three</h1><p>g</p></div><div>foot</div>",
    )
    assert text == (
        'body\n  div.post\n    h1\n      .\n    p\n      .\n    *\n  div\n    text "foot"\n'
    )


def test_equal_elements_stay_though_their_contents_differ():
    one, two = "<div><ul><li>a</li></ul></div>", "<div><table><tr><td>b</td></tr></table></div>"
    assert composed(one, two) == "body\n  div\n    .\n"


def test_elements_of_other_classes_become_a_wildcard_but_not_the_roots():
    one = "<body class=a><div class=x>a</div><p>b</p>"
    two = "<body class=b><div class=y>a</div><p>b</p>"
    assert composed(one, two) == 'body\n  .\n  p\n    text "b"\n'
