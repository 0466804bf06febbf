from dataclasses import replace

import pytest

from flong.article import Article
from flong.demo import Portal, Score, judge

PORTAL = Portal(seed=6, articles=20)
TRUTH = list(PORTAL.truth())
PERFECT = [Article(url="http://127.0.0.1:8000" + t.path, title=t.title, body=t.body) for t in TRUTH]


def test_the_truth_is_correct():
    assert judge(TRUTH, PERFECT, PORTAL.others()) == Score(correct=20, wrong=0, missed=0, false=0)
    assert judge(TRUTH, PERFECT).share == 1


def test_case_spaces_and_punctuation_of_titles_are_ignored():
    shouted = [replace(a, title=f" {a.title.upper()}! ") for a in PERFECT]
    assert judge(TRUTH, shouted).correct == 20


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"title": "The Merrow Courier"}, Score(correct=19, wrong=1, missed=0, false=0)),
        ({"body": "Read our newsletter."}, Score(correct=19, wrong=1, missed=0, false=0)),
        ({"body": ""}, Score(correct=19, wrong=1, missed=0, false=0)),
        ({"url": "http://127.0.0.1:8000/"}, Score(correct=19, wrong=0, missed=1, false=1)),
        ({"url": "http://127.0.0.1:8000/x"}, Score(correct=19, wrong=0, missed=1, false=0)),
    ],
)
def test_one_article_that_differs_is_counted(change, expected):
    articles = [replace(PERFECT[0], **change), *PERFECT[1:]]
    assert judge(TRUTH, articles, PORTAL.others()) == expected


def test_longer_of_two_articles_at_one_url_counts():
    short = replace(PERFECT[0], url=PERFECT[0].url + "?utm_source=x", body="cut off")
    assert judge(TRUTH, [short, *PERFECT]).correct == judge(TRUTH, [*PERFECT, short]).correct == 20


def test_no_articles_found_and_no_articles_expected():
    assert judge(TRUTH, []) == Score(correct=0, wrong=0, missed=20, false=0)
    assert judge([], []).share == 1
