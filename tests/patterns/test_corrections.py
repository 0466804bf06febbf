"""Corrections of one page hold for all pages of its template."""

from functools import cache

import pytest

from flong.patterns import (
    Correction,
    choose_selector,
    correct_model,
    is_met,
    read_model,
    vertex_at,
    write_model,
    xpath_of,
)
from flong.patterns.selectors import Selector, find
from flong.states import CorrectedField, CorrectionKind
from flong.tree import build_tree
from tests.patterns.small_site import frame, learn, list_page, page_of, story

STORIES = [story(number) for number in range(16)]
TITLE, BODY, DATE = CorrectedField.TITLE, CorrectedField.BODY, CorrectedField.DATE


def odd_page(one):
    """A template whose head and heading hold a phrase for search engines, not the headline."""
    text = "".join(f"<p>{line}</p>" for line in one.paragraphs)
    other = story(100 + one.number)
    return frame(
        f"Latest {one.title.split()[0]} news number {one.number}",
        f"<div class=story><h1 class=phrase>Latest {one.title.split()[0]} news number {one.number}"
        f"</h1><p class=headline>{one.title}</p>"
        f"<p class=stamp>Updated 9 May 20{10 + one.number % 10} by the desk</p>"
        f"<p class=printed>3 April 20{10 + one.number % 10}</p><p class=signed>By Bo Ek</p>"
        f"<div class=text>{text}<p class=note>A reader: {other.paragraphs[0]}</p></div></div>",
    ).replace("<head>", '<head><meta property="og:type" content="article">')


PAGES = {one.url: odd_page(one) for one in STORIES}
PAGES |= {
    f"http://news.example/list/{n}": list_page(STORIES[n : n + 8], n) for n in range(0, 16, 4)
}


@cache
def learned(*corrections):
    return learn(PAGES, corrections=corrections)


def read(model, one):
    return model.read(page_of(one.url, PAGES[one.url])).article


def made(field, selector, kind=CorrectionKind.IS, number=0):
    tree = build_tree(PAGES[STORIES[number].url])
    found = choose_selector(tree, find(tree, selector), [build_tree(PAGES[s.url]) for s in STORIES])
    place = xpath_of(tree, find(tree, selector))
    return Correction(url=STORIES[number].url, field=field, kind=kind, place=place, selector=found)


HEADLINE = made(TITLE, Selector("p", "headline"))
NOTE = made(BODY, Selector("p", "note"), CorrectionKind.IS_NOT)
PRINTED = made(DATE, Selector("p", "printed"))
AUTHOR = made(CorrectedField.AUTHOR, Selector("p", "signed"))
ALONE = Correction(url=STORIES[0].url, field=CorrectedField.ARTICLE, kind=CorrectionKind.IS_NOT)
NONE = Correction(
    url=STORIES[0].url,
    field=CorrectedField.ARTICLE,
    kind=CorrectionKind.IS_NOT,
    place="/html/body",
)
WIDE = made(BODY, Selector("div", "story"))


def met(model, correction):
    page = page_of(correction.url, PAGES[correction.url])
    return is_met(correction, page.tree, model.examine(page))


def test_the_site_is_read_wrongly_at_first():
    articles = [read(learned(), one) for one in STORIES]
    assert [article.title.startswith("Latest") for article in articles] == [True] * len(STORIES)
    assert all("A reader" in article.body for article in articles)
    assert not any(met(learned(), each) for each in (HEADLINE, NOTE, NONE, WIDE))


def test_one_corrected_title_corrects_its_template():
    model = learned(HEADLINE)
    assert [read(model, one).title for one in STORIES] == [one.title for one in STORIES]
    assert met(model, HEADLINE)


def test_without_the_correction_the_model_is_unchanged():
    again = learn(PAGES, corrections=())
    assert write_model(again) == write_model(learned())


def test_an_excluded_block_is_excluded_on_all_pages():
    model = learned(NOTE)
    assert not any("A reader" in read(model, one).body for one in STORIES)
    assert all(one.paragraphs[0] in read(model, one).body for one in STORIES)
    assert met(model, NOTE)


def test_a_nameless_paragraph_is_excluded_by_its_text():
    """A note about the author is below the articles, in a paragraph like the others."""
    about = "Bo Ek lives by the sea and writes about everything that swims in it."
    pages = {
        url: html.replace("<p class=note>", f"<p>{about}</p><p class=note>", number in (0, 5, 9))
        for number, (url, html) in enumerate(PAGES.items())
    }
    tree = build_tree(pages[STORIES[0].url])
    vertex = next(leaf for leaf in tree.leaves() if tree.text_of(leaf) == about)
    trees = [build_tree(pages[one.url]) for one in STORIES]
    assert choose_selector(tree, int(tree.parent[vertex]), trees, first=False) is None
    said = Correction(
        url=STORIES[0].url,
        field=BODY,
        kind=CorrectionKind.IS_NOT,
        place=xpath_of(tree, int(tree.parent[vertex])),
    )
    before, after = (learn(pages, corrections=some) for some in ((), (said,)))
    for one in STORIES:
        page = page_of(one.url, pages[one.url])
        old, new = (model.read(page).article for model in (before, after))
        assert (about in old.body) is (about in pages[one.url])
        assert new.body == old.body.replace(f"{about}\n", "")


def test_a_corrected_container_is_the_body():
    model = learned(WIDE)
    assert met(model, WIDE)
    assert all(one.paragraphs[-1] in read(model, one).body for one in STORIES)


def test_corrected_dates_and_authors_are_read_where_they_are_printed():
    model = learned(PRINTED, AUTHOR)
    dates = [read(model, one).published for one in STORIES]
    assert {(date.month, date.day) for date in dates} == {(4, 3)}
    assert {read(model, one).authors for one in STORIES} == {("Bo Ek",)}
    assert met(model, PRINTED)
    assert met(model, AUTHOR)


def test_refused_templates_yield_no_articles_and_others_stay():
    model = learned(NONE)
    assert [read(model, one) for one in STORIES] == [None] * len(STORIES)
    found = model.read(page_of(STORIES[0].url, PAGES[STORIES[0].url]))
    assert "marked as not articles" in found.reason
    assert met(model, NONE)


@pytest.mark.parametrize("correction", [HEADLINE, NOTE, PRINTED, AUTHOR, NONE, ALONE])
def test_a_corrected_model_equals_a_relearned_one(correction):
    trees = [build_tree(PAGES[one.url]) for one in STORIES]
    base = learned()
    samples = {}
    for tree in trees:
        samples.setdefault(base.chooser.choose(tree).best, []).append(tree)
    quick = correct_model(base, [(correction, trees[0])], samples)
    assert met(quick, correction)

    def said(model):
        found = [read(model, one) for one in STORIES]
        return [one and (one.title, one.body, one.published, one.authors) for one in found]

    assert said(quick) == said(learned(correction))


def test_a_single_page_can_be_refused():
    model = read_model(write_model(learned(ALONE)))
    assert [read(model, one) is None for one in STORIES] == [True] + [False] * (len(STORIES) - 1)
    assert met(model, ALONE)
    assert not met(learned(), ALONE)


def test_a_model_keeps_its_corrections_when_it_is_stored():
    model = read_model(write_model(learned(HEADLINE, NOTE, NONE)))
    fields = {field for known in model.patterns for field in known.labels.corrected}
    assert fields == {TITLE, BODY, CorrectedField.ARTICLE}


def test_an_element_without_a_name_is_found_through_the_pattern():
    tree = build_tree("<div><p>One</p><p>Two</p></div>")
    assert choose_selector(tree, find(tree, Selector("p")), [tree]) is None
    bare = Correction(url="u", field=TITLE, place="/html/body/div/p[2]")
    assert bare.vertex_on(tree) == vertex_at(tree, "/html/body/div/p[2]")
    assert bare.vertex_on(build_tree("<p>x")) == -1


def test_a_page_without_the_element_does_not_break_a_correction():
    page = page_of(STORIES[0].url, PAGES[STORIES[0].url].replace("class=headline", "class=other"))
    assert is_met(HEADLINE, page.tree, learned().examine(page))
