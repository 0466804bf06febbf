"""Patterns of a cluster: they accept all pages and keep their constants."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flong.patterns import (
    Chooser,
    choose,
    compose_cluster,
    match,
    pattern_of,
    read_text,
    write_text,
)
from flong.tree import build_tree
from tests.patterns import slow_patterns as slow

MENU = "".join(f"<li>Entry {k}</li>" for k in range(20))
FOOT = "".join(f"<div class=f{k}>Line {k}</div>" for k in range(20))


def article(title, paragraphs=3):
    body = "".join(f"<p>{title} {k}</p>" for k in range(paragraphs))
    return build_tree(f"<ul>{MENU}</ul><main><h1>{title}</h1>{body}</main>{FOOT}")


def odd(k):
    return build_tree(f"<ul>{MENU}</ul><table><tr><td>{k}</td></tr></table>")


@slow.thorough
@given(st.lists(slow.pages(), max_size=6))
def test_every_page_is_accepted_by_the_one_pattern_it_belongs_to(pages):
    trees = [slow.page(page) for page in pages]
    learned = compose_cluster(trees)
    assert sorted(page for found in learned for page in found.pages) == list(range(len(trees)))
    for found in learned:
        assert all(match(found.pattern, trees[page]) for page in found.pages)
        assert 1 <= found.composed <= len(found.pages)


def test_an_odd_page_seeds_a_pattern_of_its_own_instead_of_ruining_the_first():
    trees = [*(article(f"T{k}", k) for k in range(2, 8)), odd(1), odd(2)]
    first, second = compose_cluster(trees, [*range(6), 8, 9])
    assert (first.pages, second.pages) == ((0, 1, 2, 3, 4, 5), (6, 7))
    assert first.pattern.constants > 80


def test_accepted_pages_are_not_composed():
    trees = [article(f"T{k}", 2 + k % 3) for k in range(30)]
    (found,) = compose_cluster(trees)
    assert found.composed <= 4
    assert len(found.pages) == 30


def test_the_medoid_comes_first():
    trees = [odd(1), article("A"), article("B")]
    assert compose_cluster(trees, [0.5, 0.0, 0.1])[0].pages[0] == 1


def test_a_wrong_number_of_distances_is_refused():
    with pytest.raises(ValueError, match="2 pages but 1 distances"):
        compose_cluster([odd(1), odd(2)], [0.0])


def test_the_most_specific_pattern_is_chosen_and_the_others_have_reasons():
    page = article("New")
    patterns = [
        read_text("body\n  +")[0],
        compose_cluster([article("A"), article("B")])[0].pattern,
        compose_cluster([odd(1), odd(2)])[0].pattern,
        pattern_of(article("Old")),
    ]
    choice = choose(patterns, page)
    assert choice.best == 1
    assert choice.match
    assert not choice.match.bounded
    reasons = [other.reason for other in choice.others]
    assert reasons[:2] == ["less specific: 1 constants", "less specific: 46 constants"]
    assert reasons[2].startswith("the page lacks the text 'Old")


def test_without_acceptance_the_nearest_pattern_is_chosen_and_marked():
    patterns = [pattern_of(odd(1)), compose_cluster([article("A"), article("B")])[0].pattern]
    changed = build_tree(f"<ul>{MENU}</ul><nav>new</nav><main><h1>C</h1><p>x</p></main>{FOOT}")
    choice = choose(patterns, changed)
    assert choice.best == 1
    assert choice.match
    assert choice.match.bounded


def test_patterns_in_reserve_are_matched_only_if_no_other_accepts():
    page = article("New")
    common = compose_cluster([article("A"), article("B")])[0].pattern
    patterns = [common, pattern_of(page)]
    assert Chooser(patterns).choose(page).best == 1
    assert Chooser(patterns, reserve=[1]).choose(page).best == 0
    assert Chooser(patterns, reserve=[0, 1]).choose(page).best == 1
    assert Chooser([pattern_of(odd(1)), patterns[1]], reserve=[1]).choose(page).best == 1


def test_a_pattern_with_more_constants_is_not_called_less_specific():
    page = article("New")
    common, own = compose_cluster([article("A"), article("B")])[0].pattern, pattern_of(page)
    assert own.constants > common.constants
    (refused,) = Chooser([common, own], reserve=[1]).choose(page).others
    assert refused.reason == "made from a single page, and another accepts the page"


def test_a_page_unlike_all_patterns_gets_none():
    choice = choose([pattern_of(article("A"))], build_tree("<table><tr><td>x</td></tr></table>"))
    assert (choice.best, choice.match) == (None, None)
    assert choice.others[0].reason.startswith("the page lacks")
    assert choose([], odd(1)).best is None


def test_a_page_without_the_container_of_the_body_does_not_take_it_from_the_others():
    def page(k, body):
        head = f"<header class=top><h1>Title {k}</h1></header>"
        return build_tree(f"<ul>{MENU}</ul><article>{head}{body}</article>{FOOT}")

    texts = [f"<p>{'word ' * 30}{k}</p>" * k for k in range(1, 6)]
    trees = [page(k, f"<div class=text>{text}</div>") for k, text in enumerate(texts)]
    first, second = compose_cluster([*trees, page(9, "<img>")])
    assert first.pages == (0, 1, 2, 3, 4)
    assert "div.text" in write_text(first.pattern)
    assert second.pages == (5,)
