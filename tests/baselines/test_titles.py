"""The headline of a page, and texts common to the pages of a site."""

import numpy as np
import pytest

from flong.baselines import (
    common_texts,
    find_title,
    first_half,
    rarity,
    readability_score,
    repeated,
)
from flong.tree import build_tree
from tests.baselines.pages import SENTENCE, prose, texts

HEAD = "<title>Bridge opens - The Paper</title>"


@pytest.mark.parametrize(
    ("html", "title"),
    [
        (f"{HEAD}<h1>Bridge opens</h1>", "Bridge opens"),
        (f"{HEAD}<h1>The Paper</h1><h2>Bridge opens</h2><p>Text", "Bridge opens"),
        (f"{HEAD}<h1><a href=/>The Paper</a></h1><div>Bridge opens</div><p>Text", "Bridge opens"),
        ("<title>The Paper</title><h1>Bridge opens</h1>", "Bridge opens"),
        (f"{HEAD}<p>Text</p>", "Bridge opens"),
        ("<title>A</title><meta property=og:title content='Bridge opens'><p>B", "Bridge opens"),
        ("<h2>Bridge<br>opens</h2><p>Text", "Bridge opens"),
        ("<p>Text", ""),
        ("", ""),
    ],
)
def test_the_headline_is_found(html, title):
    tree = build_tree(html)
    assert find_title(tree, first_half(tree))[0] == title


def test_title_has_the_leaf_that_shows_it():
    tree = build_tree(f"{HEAD}<h1>Bridge opens</h1>")
    assert find_title(tree) == ("Bridge opens", 2)
    assert find_title(build_tree(HEAD))[1] is None


def test_heading_above_the_body_wins_over_an_equal_one():
    html = f"<h2>First story</h2><hr><h2>Second story</h2><div>{prose(2)}</div><h2>Third</h2>"
    tree = build_tree(html)
    assert find_title(tree, first_half(tree))[0] == "Second story"


def test_text_is_common_on_a_tenth_and_three_pages():
    trees = [build_tree(f"<p>Menu<p>{'Twice' if n < 2 else n}") for n in range(30)]
    menu = int(trees[0].text_hash[2])
    assert common_texts(trees).tolist() == [menu]
    assert common_texts(trees[:2]).size == 0
    assert common_texts([]).size == 0
    assert np.flatnonzero(repeated(trees[0], common_texts(trees))).tolist() == [2]


def test_rare_text_is_the_body():
    box = f"<aside><p>{SENTENCE * 5}</p></aside>"
    trees = [build_tree(f"{box}<div>{prose(2, f'Topic {n}. {SENTENCE}')}</div>") for n in range(3)]
    assert all("Topic 1." in text for text in texts(trees[1], rarity(trees)(trees[1])))


def test_readability_prefers_paragraphs_over_links():
    linked = "".join(f"<p><a href=/{n}>{SENTENCE}</a></p>" for n in range(9))
    tree = build_tree(f"<div>{linked}</div><section>{prose(3)}</section>")
    assert len(readability_score(tree)) == 3


def test_the_first_container_with_half_of_the_best_text_wins():
    tree = build_tree(f"<div>{prose(3)}</div><div>{prose(5)}</div>")
    assert len(first_half(tree)) == 3
    tree = build_tree(f"<div>{prose(1)}</div><div>{prose(5)}</div>")
    assert len(first_half(tree)) == 5
