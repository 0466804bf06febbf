"""CoreEx, against the survey's algorithm written out node by node."""

import numpy as np
import pytest
from hypothesis import given, settings

from flong.baselines import coreex, text_share
from flong.tree import build_tree
from tests.baselines.pages import SENTENCE, TREES, page, prose, texts


def slow_coreex(tree, threshold=0.9, *, counts_links=False):
    """Scores of all nodes; the leaves of the set of the first best."""
    plain = [int(tree.words[node] - tree.link_words[node]) for node in range(len(tree))]
    links = [-(-int(tree.link_words[node]) // 3) for node in range(len(tree))]
    if counts_links:
        links = [int(tree.links[n : n + int(tree.size[n])].sum()) for n in range(len(tree))]
    best, answer = 0.0, list[int]()
    for node in range(len(tree)):
        children = list(tree.children(node))
        text = {child: plain[child] + links[child] for child in children}
        chosen = [child for child in children if plain[child] > threshold * text[child]]
        total = sum(text[child] for child in chosen)
        if total:
            ratio = sum(plain[child] for child in chosen) / total
            score = 0.99 * ratio + 0.01 * total / (plain[0] + links[0])
            if score > best:
                best, answer = score, chosen
    return tuple(leaf for child in answer for leaf in tree.leaves(child))


@given(TREES)
@settings(deadline=None)
def test_coreex_equals_the_published_algorithm(tree):
    assert coreex(tree) == slow_coreex(tree)
    assert coreex(tree, counts_links=True) == slow_coreex(tree, counts_links=True)


def test_counted_link_is_one_word():
    long = f"<a href=/x>{SENTENCE * 4}</a>"
    tree = build_tree(f"<div>{prose(3)}<p>{SENTENCE} {long}</p></div>")
    text = {"ratio_weight": 0.5, "text_weight": 0.5}
    assert len(coreex(tree, counts_links=True, **text)) == 4
    assert len(coreex(tree, **text)) == 3


def test_ignored_links_do_not_count():
    linked = "<a href=/x>x</a> " * 9
    tree = build_tree(f"<div>{prose(2)}</div><ul><li>{linked}</li></ul>")
    ignored = np.array([tree.name(vertex) == "ul" for vertex in range(len(tree))])
    assert text_share(tree) < 1
    assert len(coreex(tree, ignored, counts_links=True)) == 2


def test_content_of_several_children_is_collected_without_links():
    related = "<ul><li><a href=/a>Another story</a><li><a href=/b>One more story</a></ul>"
    tree = build_tree(page(prose(2) + related + prose(3)))
    found = texts(tree, coreex(tree))
    assert len(found) == 5
    assert all(line.startswith("Part") for line in found)


def test_short_article_loses_to_a_longer_notice():
    notice = f"<aside><p>Cookies: {SENTENCE * 4}</p></aside>"
    tree = build_tree(page("<p>Short, see <a href=/x>the council's page</a>.</p>", extra=notice))
    found = texts(tree, coreex(tree))
    assert any(line.startswith("Cookies") for line in found)
    assert not any(line.startswith("Short") for line in found)


@pytest.mark.parametrize(
    ("weights", "first"), [((0.99, 0.01), "Pure"), ((0.5, 0.5), "Part 0")], ids=["paper", "text"]
)
def test_weights_decide_between_purity_and_length(weights, first):
    linked = prose(6).replace("Monday", "<a href=/m>Monday and all that</a>")
    tree = build_tree(f"<div>{linked}</div><section><p>Pure text, and short.</p></section>")
    found = coreex(tree, ratio_weight=weights[0], text_weight=weights[1])
    assert texts(tree, found)[0].startswith(first)
