"""Article classifier: evidence of a page and priors of patterns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flong.patterns.article_classifier import Prior, judge, learn_prior
from flong.patterns.article_evidence import EVIDENCE, Point, weigh
from flong.patterns.article_features import ArticleFeatures, SiteNorms
from flong.patterns.thresholds import THRESHOLDS

ARTICLE = ArticleFeatures(
    words=300, link_share=0.02, longest=60, teasers=0, other_share=0.0,
    more_instances=False, below_teaser=False, like_head=1.0, like_anchor=1.0,
    linked_title=False, linked_by=0.01, links=30,
    in_menu=True, headline_anchor=True, json_ld=False, og_article=False, like_main=True,
    dated=True, signed=True,
)  # fmt: skip


def _like(*, norms=None, **changes):
    return ARTICLE._replace(**changes), norms or SiteNorms()


_META, _OG = SiteNorms(json_ld=0.5), SiteNorms(og_article=0.5)
_USUAL = SiteNorms(dated=1.0, signed=1.0)
_MENU = {"linked_by": 0.5, "headline_anchor": False}

SHOWN = {
    "a line, or a link": _like(words=10),
    "40 to 150 words": _like(words=100),
    "150 words or more": _like(),
    "a paragraph of 20 words": _like(),
    "no paragraph of 12 words": _like(longest=5),
    "a third of it links": _like(link_share=0.5),
    "no head title": _like(like_head=None),
    "title like the head's": _like(),
    "title unlike the head's": _like(like_head=0.1),
    "title like links to it": _like(),
    "no link to it is known": _like(like_anchor=None, links=0),
    "title is a link": _like(linked_title=True, norms=SiteNorms(linked_title=0.0)),
    "in every menu": _like(linked_by=0.9, headline_anchor=False),
    "in a menu": _like(**_MENU),
    "in a menu, but a headline elsewhere": _like(linked_by=0.5),
    "linked from many pages": _like(linked_by=0.5, in_menu=False),
    "linked headings, little text": _like(teasers=5),
    "some linked headings": _like(teasers=2),
    "a third are titles of others": _like(other_share=0.5),
    "below a linked heading": _like(below_teaser=True),
    "built unlike the main articles": _like(like_main=False),
    "more bodies than one": _like(more_instances=True),
    "in a directory without news": _like(newsless_directory="shop"),
    "pages are below its URL": _like(is_directory=True),
    "metadata of an article": _like(json_ld=True, norms=_META),
    "no metadata of an article": _like(norms=_META),
    "dated as articles are": _like(norms=_USUAL),
    "undated as articles are not": _like(dated=False, norms=_USUAL),
    "unsigned as articles are not": _like(signed=False, norms=_USUAL),
}
"""A page for each row of evidence, and the norms of its site."""

SPEAK_FOR = {
    "40 to 150 words",
    "150 words or more",
    "a paragraph of 20 words",
    "no head title",
    "title like the head's",
    "title like links to it",
    "no link to it is known",
    "metadata of an article",
    "dated as articles are",
}
"""All other rows count against an article."""

OF_ANY_ARTICLE = {
    "150 words or more",
    "a paragraph of 20 words",
    "title like the head's",
    "title like links to it",
}


def points(features, norms=None):
    return sum(point.points for point in weigh(features, norms or SiteNorms()))


def test_a_plain_article_needs_no_pattern():
    assert judge(weigh(ARTICLE, SiteNorms())).article


@pytest.mark.parametrize(
    "against",
    [
        {"words": 2},
        {"teasers": 8, "other_share": 0.5},
        {"linked_by": 0.9, "headline_anchor": False},
        {"more_instances": True, "below_teaser": True, "like_head": 0.2},
    ],
    ids=["no body", "list", "menu", "blog home page"],
)
def test_one_strong_feature_outweighs_a_pattern_of_articles(against):
    features = ARTICLE._replace(**against)
    assert points(features) < points(ARTICLE) - 2.5
    assert not judge(weigh(features, SiteNorms()), Prior(0.5, 0.6)).article


@pytest.mark.parametrize(
    ("name", "worse"),
    [
        ("words", 10), ("link_share", 0.9), ("longest", 3), ("teasers", 5), ("other_share", 0.5),
        ("more_instances", True), ("below_teaser", True), ("like_head", 0.1), ("like_anchor", 0.1),
        ("linked_by", 0.5), ("like_main", False),
        ("dated", False), ("signed", False), ("newsless_directory", "shop"),
    ],
)  # fmt: skip
def test_evidence_against_never_adds_points(name, worse):
    norms = SiteNorms(dated=1.0, signed=1.0)
    assert points(ARTICLE._replace(**{name: worse}), norms) < points(ARTICLE, norms)


def test_a_feature_of_all_pages_is_no_evidence():
    everywhere = SiteNorms(og_article=0.99)
    assert points(ARTICLE._replace(og_article=True), everywhere) == points(ARTICLE, everywhere)


def test_directories_with_most_pages_are_no_evidence():
    shop = ARTICLE._replace(newsless_directory="shop")
    assert points(shop, SiteNorms(newsless_pages=0.95)) == points(ARTICLE)
    assert not judge(weigh(shop, SiteNorms(newsless_pages=0.1)), Prior(0.5, 0.6)).article


def test_a_short_note_is_an_article_only_by_its_pattern():
    note = ARTICLE._replace(words=12, longest=5, link_share=0.9, like_head=None, like_anchor=None)
    assert judge(weigh(note, SiteNorms()), learn_prior([4.0] * 30)).article
    assert not judge(weigh(note, SiteNorms())).article


@given(st.lists(st.floats(-9, 9), max_size=40), st.floats(0, 1), st.floats(0.5, 5))
def test_the_prior_is_limited_and_follows_the_share(own, others, weight):
    prior = learn_prior(own, others, weight)
    assert -THRESHOLDS.most_points <= prior.points <= THRESHOLDS.most_points
    assert 0 <= prior.share <= 1
    assert (prior.points > 0) == (prior.share > 0.5)


@given(st.lists(st.floats(3.5, 9), min_size=5, max_size=30))
def test_a_mixed_pattern_leaves_its_articles_articles(own):
    prior = learn_prior([*own, *([-4.0] * len(own))])
    assert all(point + prior.points >= THRESHOLDS.enough for point in own)


def test_the_reason_has_the_strongest_evidence():
    told = judge([Point(-3.0, "it is a list"), Point(1.0, "it is long")], Prior(0.0, 0.5))
    assert told.reason == "not an article: it is a list"


def test_a_share_of_links_needs_a_count():
    few = ARTICLE._replace(linked_by=0.3, links=2)
    assert points(few) == points(ARTICLE)
    assert points(few._replace(links=30)) < points(ARTICLE) - 1.5


@pytest.mark.parametrize("row", EVIDENCE, ids=lambda row: row.name)
def test_each_row_applies_to_some_page(row):
    """Without its row no page would be judged by it."""
    page, norms = SHOWN[row.name]
    point = next(each for each in weigh(page, norms) if each.words == row.words.format(page=page))
    assert (point.points, point.weak) == (row.points, row.weak)
    assert row.points > 0 if row.name in SPEAK_FOR else row.points < 0
    assert not row.is_seen(ARTICLE, SiteNorms()) or row.name in OF_ANY_ARTICLE


def test_another_structure_counts_only_where_most_articles_have_one():
    other = ARTICLE._replace(like_main=False)
    assert points(other, SiteNorms(like_main=0.4)) == points(ARTICLE, SiteNorms(like_main=0.4))
    assert points(other, SiteNorms(like_main=0.6)) < points(other, SiteNorms(like_main=0.4))


def test_names_of_evidence_are_unique():
    assert len({row.name for row in EVIDENCE}) == len(EVIDENCE) == len(SHOWN)


def test_unlinked_pages_are_usual_only_where_links_are_not_known():
    page = ARTICLE._replace(like_anchor=None, links=0)
    assert points(page, SiteNorms(linked_pages=0.1)) > points(page, SiteNorms(linked_pages=0.9))
