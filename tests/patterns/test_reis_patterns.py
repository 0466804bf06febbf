"""Patterns, labels and choice of Reis et al. as printed."""

import pytest

from flong.patterns import learn_as_published, pattern_of, raw_tree
from flong.patterns.reis import PublishedPatterns
from flong.tree import SitePage, build_tree

STORY = "<h1>On {0}</h1><p>{1}</p><ul><li>Home<li>About</ul>"
WORDS = ["rivers", "bridges", "markets"]


def page(html):
    return SitePage(url="https://news.example/a", tree=build_tree(html))


@pytest.fixture(scope="module")
def stories():
    return [page(STORY.format(word, f"{word} and <b>more</b> " * 60)) for word in WORDS]


@pytest.fixture(scope="module")
def learned(stories):
    return learn_as_published([raw_tree(story) for story in stories], [range(len(stories))])


def test_raw_trees_fold_nothing(stories):
    tree = raw_tree(stories[0])
    names = [tree.name(vertex) for vertex in range(len(tree))]
    assert names.count("b") == 60
    assert "b" not in [stories[0].tree.name(v) for v in range(len(stories[0].tree))]


def test_a_cluster_has_one_pattern_and_it_accepts_all_its_pages(stories, learned):
    assert len(learned.patterns) == 1
    assert all(learned.match(raw_tree(story)) for story in stories)


def test_classes_are_no_labels(stories, learned):
    html = stories[0].tree.source.data.decode().replace("<h1>", "<h1 class=big>")
    assert learned.match(raw_tree(page(html)))


def test_title_and_body_are_the_passages_that_the_paper_describes():
    pages = [page(f"<h1>On {w}</h1><p>{f'{w} ' * 101}</p>") for w in WORDS]
    learned = learn_as_published([raw_tree(each) for each in pages], [range(3)], bridge=0)
    article = learned.read(pages[1])
    assert article.title == "On bridges"
    assert article.body.split() == ["bridges"] * 101
    assert article.method == "paper"


def test_of_two_equally_similar_titles_the_nearest_is_taken():
    pages = [page(f"<h1>All {w}</h1><h2>New {w}</h2><p>{f'{w} ' * 101}</p>") for w in WORDS]
    learned = learn_as_published([raw_tree(each) for each in pages], [range(3)], bridge=0)
    assert learned.read(pages[0]).title == "New rivers"


def test_the_merge_across_three_vertices_makes_one_passage_of_title_and_body(stories):
    html = "<h1>On {0}</h1><hr><hr><hr><p>{0}</p><p>{1}</p>"
    pages = [page(html.format(w, f"{w} " * 101)) for w in WORDS]
    trees = [raw_tree(each) for each in pages]
    assert learn_as_published(trees, [range(3)], bridge=0).read(pages[0]).title
    flat = [raw_tree(page(f"{w}<hr>{f'{w} ' * 101}")) for w in WORDS]
    merged = learn_as_published(flat, [range(3)])
    assert len(merged.patterns[0].wildcards) == 1


def test_a_page_without_a_long_passage_is_not_an_article(learned):
    assert learned.read(page(STORY.format("rain", "short"))) is None


def test_an_unaccepted_page_is_not_an_article(learned):
    assert learned.read(page("<table><tr><td>" + "word " * 200 + "</table>")) is None


def test_the_cheapest_pattern_is_taken():
    one, two = (build_tree(html, raw=True) for html in ("<p>a</p>", "<p>a</p><hr>"))
    optional = learn_as_published([one, two], [[0, 1]]).patterns[0]
    exact = pattern_of(one)
    found = PublishedPatterns((optional, exact)).match(one)
    assert found.pattern is exact
    assert PublishedPatterns((optional, exact)).match(two).pattern is optional
