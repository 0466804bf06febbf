"""ECON: joint-para, snippet node, backtracking by punctuation."""

import pytest
from hypothesis import given, settings

from flong.baselines import econ
from flong.tree import build_tree
from tests.baselines.pages import SENTENCE, TREES, page, prose, texts


def test_climb_from_the_longest_paragraph_reaches_the_whole_article():
    body = f"<section>{prose(3)}</section><section><p>{SENTENCE}</p></section>"
    tree = build_tree(page(body))
    assert len(texts(tree, econ(tree))) == 4


def test_short_sibling_pieces_outweigh_one_long_noise():
    pieces = "".join(f"<p>Line {number}, short.</p>" for number in range(30))
    tree = build_tree(f"<div>{pieces}</div><div><div>{SENTENCE}</div></div><ul><li>Home</ul>")
    assert "Line 0, short." in texts(tree, econ(tree))


def test_a_text_without_full_stop_or_comma_is_noise():
    tree = build_tree(page(prose(3) + "<ul><li>Share<li>Print</ul>"))
    assert not {"Share", "Print"} & set(texts(tree, econ(tree)))


def test_wrapper_without_added_text_does_not_stop_the_climb():
    wrapped = "".join(f"<div><div>{SENTENCE} {number}</div></div>" for number in range(3))
    tree = build_tree(f"<main>{wrapped}</main><p>Home</p>")
    assert len(econ(tree)) == 3


@pytest.mark.parametrize(
    "sentence",
    [
        "東京は雨、大阪は雪。",
        "上海\uff0c下雨\uff0e",
        "ﾄｳｷｮｳ､ｱﾒ｡",
        "وصل الوفد، ثم\u06d4",
        "वह आया। वह गया।",
    ],
    ids=["Japanese", "Chinese", "half width", "Arabic", "Hindi"],
)
def test_punctuation_of_other_scripts_counts(sentence):
    tree = build_tree(f"<div><p>{sentence}<p>{sentence}</div><div>Menu Home</div>")
    assert texts(tree, econ(tree)) == [sentence, sentence]


def test_short_article_loses_to_a_longer_text():
    notice = f"<aside><div><p>We use cookies. {SENTENCE * 3}</p></div></aside>"
    tree = build_tree(page("<p>No game today.</p>", extra=notice))
    assert any(line.startswith("We use cookies") for line in texts(tree, econ(tree)))


@given(TREES)
@settings(max_examples=50, deadline=None)
def test_body_exists_only_with_punctuation(tree):
    marked = any(mark in tree.text_of(0) for mark in ".,。")
    assert bool(econ(tree)) == marked
