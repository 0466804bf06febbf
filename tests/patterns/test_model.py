"""A learned model: articles, refused pages and reasons."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from flong.model_document import ModelDocument
from flong.patterns import Anchor, Selector, explain, read_model, write_model
from flong.patterns.article_classifier import Prior
from flong.patterns.body_election import hold_several
from flong.tree import build_tree
from tests.patterns import small_site as small


@pytest.fixture(scope="module")
def site():
    pages, stories = small.site_pages()
    anchors = small.anchors_of(pages, stories)
    return small.learn(pages, anchors), pages, stories, anchors


def new_page(number=900, **how):
    one = small.story(number, **how)
    return one, small.page_of(one.url, small.article_page(one))


def test_a_new_article_is_extracted_exactly(site):
    model, *_ = site
    one, page = new_page()
    found = model.read(page)
    assert found.verdict == "article"
    assert found.article.title == one.title
    assert found.article.body == one.body


def test_every_known_article_is_right(site):
    model, pages, stories, anchors = site
    for one in stories:
        found = model.read(small.page_of(one.url, pages[one.url]), anchors[one.url])
        assert (found.article.title, found.article.body) == (one.title, one.body)


def test_lists_are_not_articles(site):
    model, pages, _, _ = site
    for url, html in pages.items():
        if "/list/" in url:
            found = model.read(small.page_of(url, html))
            assert found.verdict == "other"
            assert found.article is None
            assert found.reason.startswith("not an article: ")


def test_a_page_in_every_menu_is_not_an_article(site):
    model, pages, _, anchors = site
    url = "http://news.example/about"
    found = model.read(small.page_of(url, pages[url]), anchors[url])
    assert found.verdict == "other"
    assert "link to it in the same words" in found.reason


def test_a_short_article_counts(site):
    model, *_ = site
    one, page = new_page(901, paragraphs=1)
    assert model.read(page).article.body == one.body


def test_dates_after_now_are_ignored(site):
    model, *_ = site
    one, page = new_page(905)
    printed = datetime(2015, 5, 3, tzinfo=UTC)
    assert model.read(page, now=datetime(2020, 1, 1, tzinfo=UTC)).article.published == printed
    assert model.read(page, now=datetime(2014, 1, 1, tzinfo=UTC)).article.published is None
    assert one.number == 905


def test_date_and_byline_are_found_without_metadata(site):
    model, *_ = site
    article = model.read(new_page(903)[1]).article
    assert article.published == datetime(2013, 5, 3, tzinfo=UTC)
    assert article.authors == ("Ann Lee",)
    assert article.language == "en"


def test_every_field_has_a_provenance(site):
    model, *_ = site
    article = model.read(new_page(902)[1]).article
    sources = {note.field: note for note in article.provenance}
    assert sources["title"].place.endswith("/h1")
    assert sources["title"].source == "wildcard"
    assert sources["body"].source == "container"
    assert {"title", "body", "published", "authors", "language"} <= set(sources)


def test_classes_are_not_needed():
    pages, stories = small.site_pages(names=False)
    model = small.learn(pages, small.anchors_of(pages, stories))
    one = small.story(950)
    found = model.read(small.page_of(one.url, small.article_page(one, names=False)))
    assert (found.article.title, found.article.body) == (one.title, one.body)


def without_headings(html):
    return re.sub("<(/?)h1[^>]*>", r"<\1div>", html)


@pytest.mark.parametrize("names", [True, False])
def test_headings_are_not_needed(names):
    pages, stories = small.site_pages(names=names)
    pages = {url: without_headings(html) for url, html in pages.items()}
    model = small.learn(pages, small.anchors_of(pages, stories))
    one = small.story(955)
    page = small.page_of(one.url, without_headings(small.article_page(one, names=names)))
    found = model.read(page)
    assert (found.article.title, found.article.body) == (one.title, one.body)
    assert len(model.context.titles) >= len(stories), "the site's titles are known"


def test_a_box_without_a_name_begins_no_second_article():
    html = (
        "<div class=story><div>Rain</div><div>by Ann</div><div>It rained all day long.</div></div>"
    )
    seen = [SimpleNamespace(tree=build_tree(html), starts=None)] * 3
    assert not hold_several(seen, Selector("div", inside=Selector("div", "story")))
    named = html.replace("<div>", "<h2 class=a>").replace("</div>", "</h2>")
    seen = [SimpleNamespace(tree=build_tree(named), starts=None)]
    assert hold_several(seen, Selector("h2", "a"))


def test_lines_that_link_to_other_pages_by_their_titles_are_counted():
    pages, stories = small.site_pages()
    model = small.learn(pages, small.anchors_of(pages, stories))
    lines = "".join(
        f"<p>3 May <a href=/{s.number}>{s.title}</a><br>{s.paragraphs[0][:90]}</p>"
        for s in stories[:6]
    )
    page = small.page_of("http://news.example/more", small.frame("More", f"<h1>More</h1>{lines}"))
    seen = model.examine(page)
    assert any("titles of other" in point.words for point in seen.judgement.points)
    assert not seen.judgement.article


def test_anchors_are_not_needed():
    pages, _ = small.site_pages()
    model = small.learn(pages)
    one, page = new_page(960)
    assert model.read(page).article.body == one.body


def test_comments_stay_out_though_they_are_longer():
    comments = (
        "<ol class=commentlist>" + "<li><p>I do not think so at all, not at all. " * 9 + "</ol>"
    )

    def with_comments(html):
        return html.replace("<div class=share>", comments + "<div class=share>")

    pages, stories = small.site_pages()
    pages = {url: with_comments(html) for url, html in pages.items()}
    model = small.learn(pages, small.anchors_of(pages, stories))
    one = small.story(970)
    page = small.page_of(one.url, with_comments(small.article_page(one)))
    assert model.read(page).article.body == one.body


def test_further_articles_below_stay_out():
    pages, stories = small.site_pages()
    for one, after in zip(stories, stories[1:] + stories[:1], strict=True):
        first = pages[one.url].split("</main>")[0]
        more = small.article_page(after).split("<main>")[1]
        pages[one.url] = first + more
    model = small.learn(pages, small.anchors_of(pages, stories))
    for one in stories[:5]:
        found = model.read(small.page_of(one.url, pages[one.url]))
        assert (found.article.title, found.article.body) == (one.title, one.body)


def test_a_page_without_a_pattern_is_marked_and_read_by_the_fallback(site):
    model, *_ = site
    one = small.story(980, paragraphs=9)
    odd = "".join(f"<p>{text}</p>" for text in one.paragraphs)
    html = f"<html><title>{one.title}</title><table><tr><td><h2>{one.title}</h2>{odd}</table>"
    page = small.page_of(one.url, html)
    assert replace(model, fallback=None).read(page).verdict == "unmatched"
    found = model.read(page, [Anchor(one.title)])
    assert found.fit == "none"
    assert found.verdict in ("article", "unmatched")
    if found.article:
        assert found.article.method == "fallback"
        assert found.article.confidence <= 0.5


def test_an_article_that_a_pattern_of_lists_accepts_is_read_as_main_articles_are(site):
    model, *_ = site
    main = model.patterns[model.main]
    lists = replace(
        main,
        number=0,
        labels=main.labels.replace(body=Selector("main")),
        articles=0.0,
        fitting=Prior(-3.0, 0.0),
    )
    era = replace(model.context.eras[0], pattern=1)
    context = replace(model.context, eras=(era,))
    both = replace(model, patterns=(lists, replace(main, number=1)), context=context)
    one, page = new_page()
    seen = both.examine(page)
    assert (seen.choice.best, seen.chosen.number, seen.prior) == (0, 1, None)
    assert both.read(page).article.body == one.body
    html = small.article_page(one).replace(f"<title>{one.title}", "<title>Garden ponds")
    assert both.examine(small.page_of(one.url, html)).chosen.number == 0


def test_an_era_that_was_not_learned_from_is_not_compared_with_the_main_articles(site):
    model, *_ = site
    one = small.story(981, paragraphs=9)
    text = "".join(f"<tr><td><font>{line}</font>" for line in one.paragraphs)

    def examine(day):
        head = f"<title>The Example</title>{day}"
        html = f"{head}<table><tr><td><b>{one.title}</b>{text}</table>"
        return model.examine(small.page_of(one.url, html), [Anchor(one.title)])

    dated = examine('<meta name="date" content="2001-05-03">')
    assert (dated.choice.match, dated.features.like_main) == (None, False)
    assert dated.judgement.article
    assert not examine("").judgement.article


def test_a_model_survives_json(site):
    model, pages, stories, anchors = site
    document = write_model(model)
    again = read_model(document)
    assert write_model(again) == document
    for one in stories[:5]:
        page = small.page_of(one.url, pages[one.url])
        assert (
            again.read(page, anchors[one.url]).article == model.read(page, anchors[one.url]).article
        )


def test_a_model_of_another_version_is_refused():
    with pytest.raises(ValueError, match="version 99"):
        read_model(ModelDocument(data='{"version": 99}', patterns=()))


def test_a_model_without_one_of_its_patterns_is_refused(site):
    document = write_model(site[0])
    with pytest.raises(ValueError, match=r"1 of its \d+ patterns"):
        read_model(replace(document, patterns=document.patterns[:1]))


def test_an_explanation_has_pattern_places_and_evidence(site):
    model, pages, stories, anchors = site
    one = stories[0]
    told = explain(model, small.page_of(one.url, pages[one.url]), anchors[one.url])
    assert told.decision.verdict == "article"
    assert dict(told.labels)["title"] == "h1.headline"
    assert dict(told.labels)["body"] == "div.text"
    values = {source.field: source.value for source in told.fields}
    assert values["title"] == told.decision.article.title
    assert values["body"] == told.decision.article.body[:200]
    assert told.others
    assert sum(point.points for point in told.points) == pytest.approx(told.decision.score)


def test_roles_are_vertices_of_the_pattern(site):
    model, *_ = site
    known = model.patterns[model.main]
    assert known.kind == "article"
    assert {role for _, role in known.roles} >= {"title", "body"}
    assert all(0 <= vertex < len(known.pattern) for vertex, _ in known.roles)


@pytest.mark.parametrize(
    "html",
    ["", "<p>", "<div>" * 5000 + "deep", "<p>x</p>" * 20_000, "\0\ufffd<h1></h1>"],
    ids=["empty", "no text", "deep", "huge", "strange"],
)
def test_any_page_can_be_learned_and_extracted(site, html):
    model, *_ = site
    page = small.page_of("http://news.example/odd", html)
    assert model.read(page).verdict in ("article", "other", "unmatched")
    assert small.learn({"http://a/": html}).read(page).article is None or html


def test_a_site_without_pages_yields_a_model():
    model = small.learn({})
    assert model.patterns == ()
    assert model.read(small.page_of("http://a/", "<p>x")).verdict == "unmatched"
    assert read_model(write_model(model)).patterns == ()
