"""Folders, URL filters and cookies of a crawl."""

import time

import pytest

from flong.crawler.url_filter import UrlFilter

PAGES = ("/", "/news/", "/news/1", "/news/2", "/newsletter", "/sport/", "/sport/1")


@pytest.fixture
def sections(portal):
    """A portal on which every page links to every other."""
    for path in PAGES:
        portal.page(path, *PAGES)
    return portal


def asked(portal):
    return {path for path in portal.asked if path in PAGES}


def test_a_crawl_of_a_folder_stays_below_it(crawl, sections):
    crawl.run(f"{sections.url}/news/")
    assert asked(sections) == {"/news/", "/news/1", "/news/2"}


def test_folder_can_redirect_to_its_name_without_a_slash(crawl, portal):
    portal.redirect("/news/", "/news")
    portal.page("/news", "/news/1", "/sport/1")
    portal.page("/news/1")
    crawl.run(f"{portal.url}/news/")
    assert {"/news", "/news/1"} <= set(portal.asked)
    assert "/sport/1" not in portal.asked


def test_home_page_redirecting_to_a_folder_means_the_whole_site(crawl, portal):
    portal.redirect("/", "/en/")
    portal.page("/en/", "/sport/1")
    portal.page("/sport/1")
    crawl.run(portal.url)
    assert "/sport/1" in portal.asked


def test_include_and_exclude_are_applied_and_remembered(crawl, sections):
    crawl.run(sections.url, include="/(news|sport)/", exclude=r"/\d$")
    assert asked(sections) == {"/", "/news/", "/sport/"}
    sections.asked.clear()
    crawl.run(sections.url)
    assert asked(sections) == {"/", "/news/", "/sport/"}
    sections.asked.clear()
    crawl.run(sections.url, include="", exclude="")
    assert asked(sections) == set(PAGES)


def test_narrower_crawl_keeps_pages_of_a_wider_one(crawl, sections):
    crawl.run(sections.url)
    sections.asked.clear()
    crawl.run(f"{sections.url}/news/")
    assert asked(sections) == {"/news/", "/news/1", "/news/2"}
    assert crawl.paths(sections.url) == set(PAGES)


def test_cookies_of_a_subscription_are_sent_to_their_site_only(crawl, portal, tmp_path):
    later = int(time.time()) + 3600
    file = tmp_path / "cookies.txt"
    file.write_text(
        "# Netscape HTTP Cookie File\n"
        f"127.0.0.1\tFALSE\t/\tFALSE\t{later}\tsession\tmine\n"
        f"127.0.0.1\tFALSE\t/members/\tFALSE\t{later}\tmember\tyes\n"
        f"elsewhere.example\tFALSE\t/\tFALSE\t{later}\tother\tsecret\n"
    )
    portal.page("/", "/members/1")
    portal.page("/members/1")
    crawl.run(portal.url, cookies=file)
    sent = dict(
        zip(portal.asked, (headers.get("Cookie") for headers in portal.headers), strict=True)
    )
    assert sent["/"] == "session=mine"
    assert set(sent["/members/1"].split("; ")) == {"session=mine", "member=yes"}
    assert sent["/robots.txt"] is None


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [
        ({"include": "("}, "include is '(', not a regular expression: "),
        ({"exclude": "*"}, "exclude is '*', not a regular expression: "),
        ({"cookies": "/nowhere"}, "cookies is '/nowhere', which cannot be read: No such file"),
        ({"cookies": __file__}, "cannot be read: it is not a cookies.txt file."),
        ({"cookies": __file__, "render": 1}, "a browser cannot use cookies"),
    ],
)
def test_invalid_argument_is_named(crawl, portal, argument, sentence):
    done = crawl.run(portal.url, **argument)
    assert done.returncode == 2
    assert sentence in done.stderr


def test_url_ending_in_a_slash_is_a_folder():
    assert UrlFilter.of("https://a.example/news/").below == "/news/"
    assert UrlFilter.of("https://a.example/home").below == "/"
