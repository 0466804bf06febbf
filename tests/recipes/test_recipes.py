"""Recipes learned from synthetic sites: selectors, judgement, and exported files."""

import ast
import json
from datetime import UTC, datetime
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from lxml.html import document_fromstring

from flong.article import Article
from flong.patterns import Labels, Selector
from flong.recipes import FORMS, ExamplePage, judge_recipe, learn_recipe, read_with, reader
from flong.recipes.documents import all_names, parse_page, select
from flong.recipes.learning import css_of
from flong.tree import DROPPED, INLINE, MEDIA

HOME = "https://news.example/"
SUBJECTS = "rain snow hail wind fog frost heat drought storm thaw dew sleet".split()
WORDS = "the council of {0} met again and said that after all a new bridge is needed for {0}"
PAGE = """<!doctype html><title>{title} - News</title><body class="{kind}"><div id="top">News</div>
<h1 class="headline">{title}</h1><div class="meta"><a rel="author">{author}</a>
<time datetime="2026-05-{day:02}">May</time></div>
<div class="story"><p>{one}.</p><!-- ad --><aside class="advert">Buy our own book of {word} now,
it is cheap and long</aside><p>{two} <i>indeed</i>.</p></div>
<div class="more"><p>Read more</p></div>"""
OTHER = """<!doctype html><title>{title}</title><body class="page"><h2>{title}</h2>
<section class="text"><b>{one}</b><br>{two}</section>"""


def sentence(word, number):
    return f"{WORDS.format(word)} on day {number}"


def page(word, number, html=PAGE, body=None, pattern=1):
    one, two = sentence(word, number), f"and so it is with {word} {number} in every town around"
    title = f"The {word} of day {number}"
    shown = html.format(
        title=title, kind="single", author="Ann Lee", day=number + 1, word=word, one=one, two=two
    )
    ending = " indeed." if html is PAGE else ""
    article = Article(
        url=f"{HOME}{word}",
        title=title,
        body=body or f"{one}\n{two}{ending}",
        authors=("Ann Lee",) if html is PAGE else (),
        published=datetime(2026, 5, number + 1, tzinfo=UTC) if html is PAGE else None,
    )
    return ExamplePage(url=article.url, html=shown, article=article, pattern=pattern)


def home():
    links = "".join(
        f'<li><a class="teaser" href="/{word}">The {word} of day {number}</a>'
        for number, word in enumerate(SUBJECTS)
    )
    html = f'<body class="front"><a href="/about">Who we really are</a><ul>{links}</ul>'
    return ExamplePage(url=HOME, html=html, article=None, pattern=None)


def about():
    html = page("rain", 0).html.replace("single", "fixed")
    return ExamplePage(url=f"{HOME}about", html=html, article=None, pattern=1)


@pytest.fixture(scope="module")
def pages():
    articles = [page(word, number) for number, word in enumerate(SUBJECTS)]
    return [*articles, home(), about()]


@pytest.fixture(scope="module")
def recipe(pages):
    labels = Labels(title=Selector("h1", "headline"), body=Selector("div", "story"))
    return learn_recipe("news.example", HOME, pages, {1: labels})


def test_shortest_robust_selectors_are_chosen(recipe):
    [template] = recipe.templates
    assert template.title.css == "h1.headline"
    assert (template.body, template.exclude) == ("div.story", ("aside.advert",))
    assert (template.date.css, template.date.attribute) == ("div.meta time", "datetime")
    assert template.author.css == 'a[rel="author"]'
    assert template.patterns == (1,)
    assert recipe.links == "a.teaser"


def test_recipe_finds_every_article_and_no_other_page(recipe):
    found = recipe.agreement
    assert (found.articles, found.same, found.share) == (12, 12, 1.0)
    assert (found.same_day, found.same_authors) == (found.dated, found.signed) == (12, 12)
    assert recipe.templates[0].only_if == "body.single"
    assert (recipe.others, recipe.taken, recipe.differences) == (2, 0, ())


def test_selectors_are_found_without_hints(pages, recipe):
    bare = learn_recipe("news.example", HOME, pages, {})
    assert (bare.agreement.share, bare.templates[0].body) == (1.0, recipe.templates[0].body)


def test_each_template_gets_its_own_selectors():
    pages = [page(word, number) for number, word in enumerate(SUBJECTS)]
    pages += [page(w, n, OTHER, pattern=2) for n, w in enumerate(["sun", "moon", "star", "sky"])]
    found = learn_recipe("news.example", HOME, pages, {})
    assert found.agreement.share == 1
    assert {one.patterns for one in found.templates} == {(1,), (2,)}
    assert sorted(one.articles for one in found.by_template) == [4, 12]


def test_differences_are_reported(pages):
    other = page("rain", 0, body="Something that is nowhere on this page at all")
    wrong = ExamplePage(url=f"{HOME}odd", html=other.html, article=other.article, pattern=1)
    bare = ExamplePage(url=f"{HOME}bare", html="<p>x", article=other.article, pattern=1)
    found = judge_recipe(learn_recipe("news.example", HOME, pages, {}), [*pages, wrong, bare])
    assert (found.agreement.articles, found.agreement.same) == (14, 12)
    why = {one.url: one.why for one in found.differences}
    assert "F1 of their words" in why[f"{HOME}odd"]
    assert why[f"{HOME}bare"] == "no template finds a title and a text"


def test_a_site_without_articles_has_no_recipe():
    assert learn_recipe("news.example", HOME, [home(), about()], {}) is None
    assert learn_recipe("news.example", HOME, [], {}) is None


def test_vertices_and_odd_classes_have_no_css():
    assert css_of(Selector("div", "a:b/c")) == css_of(Selector(vertex=2)) == css_of(None) == ""


def run_alone(source):
    """Execute the parts of an exported file that do not need the other tool."""
    kept = [
        node
        for node in ast.parse(source).body
        if not (isinstance(node, ast.ImportFrom | ast.Import | ast.ClassDef) and is_foreign(node))
    ]
    names = {}
    exec(compile(ast.Module(kept, []), "recipe", "exec"), names)  # noqa: S102 - we wrote it
    return names


def is_foreign(node):
    if isinstance(node, ast.ClassDef):
        return True
    modules = [node.module] if isinstance(node, ast.ImportFrom) else [n.name for n in node.names]
    return any(module.split(".")[0] in {"fundus", "scrapy"} for module in modules)


@pytest.mark.parametrize(("form", "attribute"), [("scrapy", "templates"), ("fundus", "_templates")])
def test_exported_python_reads_the_same_as_the_recipe(pages, recipe, form, attribute):
    source = FORMS[form]([recipe])
    assert "flong import" not in source
    assigned = [
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == attribute
    ]
    templates = ast.literal_eval(assigned[0])
    read = run_alone(source)["read_article"]
    for one in pages[:3]:
        found = read_with(recipe.templates, parse_page(one.html))
        # Keep comments, as Scrapy and Fundus do.
        given_by = read(document_fromstring(one.html), templates)
        assert (given_by["title"], given_by["body"]) == (found.title, found.body)
        assert (given_by["date"], given_by["author"]) == (found.date, "Ann Lee")
    assert read(document_fromstring(home().html), templates) is None


def test_css_and_xpath_in_json_are_equivalent(pages, recipe):
    data = json.loads(FORMS["json"]([recipe]))
    [site] = data["sites"]
    assert (site["share"], site["articles"], site["other_pages_taken"]) == (1.0, 12, 0)
    assert "0.95" in data["rules"]["same"]
    root = parse_page(pages[0].html)
    [template] = site["templates"]
    for place in (template["title"], template["body"], template["author"], *template["exclude"]):
        assert root.xpath(place["xpath"])[0] is root.cssselect(place["css"])[0]
    assert root.xpath(template["date"]["xpath"]) == ["2026-05-01"]


def test_freshrss_gets_links_and_selectors(pages, recipe):
    opml = etree.fromstring(FORMS["freshrss"]([recipe]).encode())
    [outline] = opml.iter("outline")
    said = {etree.QName(name).localname: value for name, value in outline.attrib.items()}
    assert (said["type"], said["xmlUrl"]) == ("HTML+XPath", HOME)
    items = parse_page(home().html).xpath(said["xPathItem"])
    assert [item.xpath(said["xPathItemUri"])[0] for item in items] == [f"/{w}" for w in SUBJECTS]
    assert parse_page(pages[0].html).cssselect(said["cssFullContent"])
    assert said["cssContentFilter"] == "aside.advert"


def test_rss_bridge_gets_a_query(recipe):
    *remarks, line = FORMS["rss-bridge"]([recipe]).splitlines()
    assert all(remark.startswith("#") for remark in remarks)
    said = parse_qs(line.removeprefix("?"))
    assert said["bridge"] == ["CssSelectorBridge"]
    assert (said["url_selector"], said["content_selector"]) == (["a.teaser"], ["div.story"])
    assert said["content_cleanup"] == ["aside.advert"]


def test_excluded_tags_are_those_of_the_trees():
    assert INLINE - {"br"} == reader.RUNNING
    without_text = {"head", "meta", "link", "base", "img"}
    assert without_text == (DROPPED | MEDIA) - reader.LEFT_OUT


tokens = st.text("ab1-_:/. \"'<>é", max_size=6)


@given(tokens, tokens, st.sampled_from(["div", "p", "h1"]))
def test_every_selector_of_an_element_finds_it(token, ident, tag):
    root = etree.Element("html")
    outer = etree.SubElement(etree.SubElement(root, "body"), "div", {"class": token})
    element = etree.SubElement(outer, tag, {"class": token, "id": ident})
    for name in all_names(element):
        assert element in select(root, name)
