"""News among pages in prose: courses, services, profiles."""

import pytest

from flong import learn
from flong.patterns import Anchor, page_sections, read_model, write_model
from flong.patterns.page_sections import SectionArticle, find_page_sections
from flong.states import ArticleKind, Verdict
from tests.patterns import small_site as small

NEWS = [SectionArticle("news", is_timed=True, links=1)] * 20
COURSES = [SectionArticle("courses", is_timed=False, links=12)] * 80
ARCHIVE = [SectionArticle("archive", is_timed=False, links=1)] * 80


def sections(*articles):
    return find_page_sections(articles, {each.section for each in articles})


def test_undated_sections_that_many_pages_link_to_are_pages():
    assert sections(*NEWS, *COURSES) == {"courses"}


@pytest.mark.parametrize(
    "articles",
    [
        pytest.param(COURSES, id="undated site"),
        pytest.param([*COURSES, *ARCHIVE], id="undated site of two sections"),
        pytest.param([*NEWS, *ARCHIVE], id="undated archive"),
        pytest.param([*NEWS[:9], *COURSES], id="few dated articles"),
        pytest.param([*NEWS, *COURSES[:9]], id="few undated articles"),
    ],
)
def test_other_sites_have_only_news(articles):
    assert not sections(*articles)


def test_an_undated_archive_beside_courses_is_news():
    assert sections(*NEWS, *ARCHIVE, *COURSES) == {"courses"}


def test_small_undated_sections_are_like_most_undated_articles():
    assert sections(*NEWS, *ARCHIVE[:9], *COURSES) == {"archive", "courses"}


def test_a_tiny_dated_section_does_not_make_pages_of_a_large_site():
    assert not sections(*NEWS[:10], *COURSES * 5)


def test_menus_that_link_to_news_too_prove_nothing():
    linked = [each._replace(links=12) for each in NEWS]
    assert not sections(*linked, *COURSES)


def test_announced_articles_count_like_dated_ones():
    announced = [each._replace(is_timed=True) for each in COURSES[:30]]
    assert not sections(*NEWS, *announced, *COURSES[30:])


def test_single_dates_on_pages_do_not_make_them_news():
    dated = [each._replace(is_timed=True) for each in COURSES[:8]]
    assert sections(*NEWS, *dated, *COURSES[8:]) == {"courses"}


@pytest.mark.parametrize(
    ("name", "off", "articles"),
    [
        ("TIMED", 0.0, [*NEWS, *COURSES]),
        ("NEWS", 0.0, [*NEWS[:10], *COURSES * 5]),
        ("FEWEST", 1, [*NEWS[:9], *COURSES]),
        ("MORE_LINKS", 0, [*NEWS, *ARCHIVE]),
        ("MOSTLY", 0.0, [*NEWS, *ARCHIVE, *COURSES]),
        ("MOSTLY", 1.0, [*NEWS, *ARCHIVE[:9], *COURSES]),
    ],
)
def test_each_rule_is_noticed(monkeypatch, name, off, articles):
    before = sections(*articles)
    monkeypatch.setattr(page_sections, name, off)
    assert sections(*articles) != before


# A whole site


def course_page(one, others):
    """A page built like an article, without a date, with a menu of its section."""
    html = small.article_page(one, dated=False)
    menu = "".join(f"<a href=/courses/{each.number}>{each.title}</a> " for each in others)
    return html.replace("<footer>", f"<div class=menu>{menu}</div><footer>")


@pytest.fixture(scope="module")
def pages():
    """A press room and courses, as HTML by URL."""
    found = {
        f"http://news.example/press/{n}": small.article_page(small.story(n)) for n in range(30)
    }
    for number in range(0, 30, 5):
        titles = [small.story(n) for n in range(number, number + 5)]
        html = small.list_page(titles, number).replace("href=/", "href=/press/")
        found[f"http://news.example/list/{number}"] = html.replace(
            "href=/press/about", "href=/about"
        )
    courses = [small.story(n) for n in range(100, 140)]
    for at, one in enumerate(courses):
        others = courses[at // 10 * 10 :][:10]
        found[f"http://news.example/courses/{one.number}"] = course_page(one, others)
    return found


def kinds(pages):
    """Return the URLs that a learned site reads as articles, by section."""
    site = learn(pages.items())
    read = [url for url, html in pages.items() if site.read(url, html) is not None]
    return {name: sum(f"/{name}/" in url for url in read) for name in ("press", "courses")}


def test_only_news_is_read_as_an_article(pages):
    assert kinds(pages) == {"press": 30, "courses": 0}


def test_an_undated_release_is_news(pages):
    undated = small.article_page(small.story(3), dated=False)
    assert kinds(pages | {"http://news.example/press/3": undated})["press"] == 30


def test_a_site_that_dates_nothing_has_only_news(pages):
    undated = {
        url: small.article_page(small.story(int(url.rpartition("/")[2])), dated=False)
        if "/press/" in url
        else html
        for url, html in pages.items()
    }
    assert kinds(undated) == {"press": 30, "courses": 40}


def test_a_page_has_its_text_and_a_reason(pages):
    model = learn(pages.items()).model
    url = "http://news.example/courses/103"
    found = model.read(small.page_of(url, pages[url]))
    assert (found.verdict, found.news) == (Verdict.OTHER, None)
    assert found.article.kind is ArticleKind.PAGE
    assert found.article.body == small.story(103).body
    assert found.reason.startswith("a page, not news: ")


@pytest.mark.parametrize(
    ("source", "kind"), [("feed", "news"), ("news", "news"), ("sitemap", "page"), ("link", "page")]
)
def test_a_page_in_a_feed_is_news(pages, source, kind):
    model = read_model(write_model(learn(pages.items()).model))
    url = "http://news.example/courses/103"
    anchor = Anchor(small.story(103).title, source=source)
    assert model.read(small.page_of(url, pages[url]), [anchor]).article.kind == kind
