"""The medoid, and blocks excluded before the baselines run."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flong.baselines import EXTRACTORS, agree, consensus, find_boilerplate, medoid
from flong.tree import SitePage, build_tree
from tests.baselines.pages import SENTENCE, mask, page, prose, texts

ANSWERS = st.lists(st.frozensets(st.integers(0, 7)), min_size=1, max_size=5)
WEIGHTS = st.lists(st.integers(0, 20), min_size=8, max_size=8)


def token_f1(one, other, weights):
    """F1 over multisets of words: each place stands for its own words."""
    first, second = (
        Counter({place: weights[place] for place in answer}) for answer in (one, other)
    )
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 0.0


@given(ANSWERS, WEIGHTS)
def test_the_medoid_has_the_highest_mean_agreement(answers, weights):
    best, agreement = medoid(answers, np.array(weights))
    means = [
        sum(token_f1(one, other, weights) for j, other in enumerate(answers) if i != j)
        / max(len(answers) - 1, 1)
        for i, one in enumerate(answers)
    ]
    assert means[best] == pytest.approx(max(means))
    assert agreement == pytest.approx(max(means))
    assert 0 <= agreement <= 1 + 1e-9


def test_medoid_of_no_answers_is_refused():
    with pytest.raises(ValueError, match="at least one answer"):
        medoid([], np.zeros(3, dtype=int))


def test_single_wrong_member_is_outvoted():
    tree = build_tree(page(prose(6)))
    body = tuple(leaf for leaf in tree.leaves() if tree.text_of(leaf).startswith("Part"))
    wrong = tuple(tree.leaves())[:2]
    members = [lambda *_: wrong, lambda *_: body, lambda *_: body[:-1]]
    assert agree(tree, members=members)[0] in {body, body[:-1]}


@pytest.mark.parametrize("name", ["class", "id"])
def test_comments_longer_than_the_article_are_ignored(name):
    html = page(prose(3), extra=f"<div {name}='comments'>{prose(9, 'I think so. ' * 30)}</div>")
    tree = build_tree(html)
    assert len(consensus(tree)) == 3


def test_comments_class_around_the_whole_page_is_ignored():
    tree = build_tree(f"<div class=comments><h1>Bridge</h1>{prose(5)}</div>")
    assert len(consensus(tree)) == 5


def test_articles_below_the_first_are_ignored():
    two = "".join(
        f"<article><h1 class=headline>{topic}</h1>{prose(size, topic + SENTENCE)}</article>"
        for topic, size in (("Snow ", 3), ("Rain ", 8))
    )
    tree = build_tree(f"<title>Snow</title><body><main>{two}</main>")
    assert all("Snow" in line for line in texts(tree, consensus(tree)))
    assert len(consensus(tree)) == 3


def test_subheadings_do_not_end_the_article():
    tree = build_tree(page(f"{prose(2)}<h2>Second thoughts</h2>{prose(3)}"))
    parts = [leaf for leaf in tree.leaves() if "Part" in tree.text_of(leaf)]
    assert not find_boilerplate(tree)[parts].any()


def test_leaves_ignored_by_the_caller_stay_ignored():
    tree = build_tree(page(prose(5)))
    first = next(leaf for leaf in tree.leaves() if tree.text_of(leaf).startswith("Part 0"))
    assert first not in consensus(tree, mask(tree, [first]))


def test_shared_texts_are_excluded_and_confidence_is_agreement():
    box = f"<div><p>About the author: {SENTENCE * 6}</p></div>"
    pages = [
        SitePage(
            url=f"http://paper.example/{n}",
            tree=build_tree(page(f"<p>Note {n}. {SENTENCE}</p>", title=f"Note {n}", extra=box)),
        )
        for n in range(4)
    ]
    for number, article in enumerate(EXTRACTORS["consensus"](pages)):
        assert article is not None
        assert article.body == f"Note {number}. {SENTENCE}"
        assert article.confidence > 0.9


def test_disagreement_gives_no_article():
    teaser = (
        "<div><h3><a href=/{0}>Story {0}</a></h3><p>{0} {1}<a href=/m>More of it</a></p>{2}</div>"
    )
    html = "".join(
        teaser.format(number, SENTENCE, "<ul><li>Tag</ul>" + "<hr>" * 5) for number in range(12)
    )
    listing = SitePage(url="http://paper.example/", tree=build_tree(f"<main>{html}</main>"))
    assert EXTRACTORS["consensus"]([listing]) == [None]
