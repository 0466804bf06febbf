"""Link policy: refused URLs and budgets of endless sites."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flong.links import ShapeBudget, is_continued, refusal


@pytest.mark.parametrize(
    "url",
    [
        "http://a.org/",
        "http://a.org/2026/05/01/some-story/",
        "http://a.org/11/11/11/",
        "http://a.org/news/page/2/",
        "http://a.org/news?page=2",
        "http://a.org/article.php?id=123",
        "http://a.org/index.php?option=com_content&view=article&id=7",
        "http://a.org/print/",
        "http://a.org/feeding-the-birds",
        "http://a.org/tag/login-problems/",
        "http://a.org/story.html",
        "http://a.org/story.aspx?key=7",
        "http://a.org/release-2.0",
        "http://a.org/?p=17",
        "http://a.org/?s=fire",
        "http://a.org/" + "%E6%9D%B1" * 80,
    ],
)
def test_pages_to_read_are_followed(url):
    assert refusal(url) is None


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://a.org/photo.JPG", "not a page"),
        ("http://a.org/paper.pdf?download=1", "not a page"),
        ("http://a.org/feed.xml", "not a page"),
        ("http://a.org/wp-login.php?redirect_to=x", "a service"),
        ("http://a.org/wp-json/wp/v2/posts", "a service"),
        ("http://a.org/xmlrpc.php", "a service"),
        ("http://a.org/cart/", "a service"),
        ("http://a.org/user/login", "a service"),
        ("http://a.org/feed/", "another form of a page"),
        ("http://a.org/story/feed/", "another form of a page"),
        ("http://a.org/story/print/", "another form of a page"),
        ("http://a.org/story/amp", "another form of a page"),
        ("http://a.org/story/comment-page-2/", "another form of a page"),
        ("http://a.org/story/?replytocom=55", "an action"),
        ("http://a.org/story/?share=facebook", "an action"),
        ("http://a.org/story?print=1", "an action"),
        ("http://a.org/story?format=pdf", "an action"),
        ("http://a.org/w/index.php?action=edit&title=X", "an action"),
        ("http://a.org/out?u=http%3A%2F%2Fb.org", "shares another URL"),
        ("http://a.org/a/a/a/", "repeats itself"),
        ("http://a.org/a/b/a/b/a/b", "repeats itself"),
        ("http://a.org/" + "/".join(map(str, range(20))), "repeats itself"),
        ("http://a.org/x?" + "&".join(f"p{n}=1" for n in range(9)), "too many parameters"),
        ("http://a.org/" + "x" * 1000, "too long"),
    ],
)
def test_refused_urls_have_a_reason(url, reason):
    assert refusal(url) == reason


@given(st.text(max_size=80))
def test_any_url_is_decided(rest):
    url = f"http://a.org/{rest}"
    assert refusal(url) is None or refusal(url)
    assert ShapeBudget(1).admits(url)


def admitted(budget, urls):
    return sum(budget.admits(url) for url in urls)


@pytest.mark.parametrize(
    "trap",
    [
        [
            f"http://a.org/calendar/{year}/{month}/"
            for year in range(2000, 2100)
            for month in range(12)
        ],
        [f"http://a.org/events/?date={year}-01-01" for year in range(2000, 2100)],
        [f"http://a.org/cal?month={m}&year={y}" for y in range(1000, 1030) for m in range(12)],
        [
            f"http://a.org/shop?color={c}&size={s}&sort={o}"
            for c in range(9)
            for s in range(9)
            for o in range(9)
        ],
    ],
    ids=["calendar in the path", "calendar in a parameter", "month and year", "facets"],
)
def test_a_trap_costs_about_its_budget(trap):
    assert 20 <= admitted(ShapeBudget(20), trap) <= 25


@pytest.mark.parametrize(
    "pages",
    [
        [f"http://a.org/2026/05/story-{n}/" for n in range(500)],
        [f"http://a.org/article.php?id={n}" for n in range(500)],
        [f"http://a.org/index.php?cat={n % 7}&id={n}" for n in range(500)],
        [f"http://a.org/index.php?option=content&view=article&id={n}" for n in range(500)],
        [f"http://a.org/news?page={n}" for n in range(500)],
        [f"http://a.org/2026/05/{n:02}/the-event-of-day-{n}/" for n in range(500)],
    ],
)
def test_ordinary_pages_have_no_budget(pages):
    assert admitted(ShapeBudget(20), pages) == 500


@pytest.mark.parametrize(
    ("url", "first", "continued"),
    [
        ("http://a.org/tag/x/page/2/", "http://a.org/tag/x/", True),
        ("http://a.org/story/2/", "http://a.org/story/", True),
        ("http://a.org/story?id=7&page=2", "http://a.org/story?id=7", True),
        ("http://a.org/story?page=2&z=7", "http://a.org/story?z=7", True),
        ("http://a.org/story", "http://a.org/story", False),
        ("http://a.org/amp/story", "http://a.org/story", False),
        ("http://a.org/other/2/", "http://a.org/story/", False),
    ],
)
def test_a_further_page_is_not_its_first_page(url, first, continued):
    assert is_continued(url, first) is continued
