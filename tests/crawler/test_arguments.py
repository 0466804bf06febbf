import pytest

from flong.crawler import BadArgument, CrawlArguments, read_arguments


def test_all_arguments_are_read():
    given = {"url": " https://a.org/ ", "depth": "0", "max_pages": "9", "delay": "1.5"}
    assert read_arguments(given | {"subdomains": "1", "render": "no"}) == CrawlArguments(
        url="https://a.org/", depth=0, max_pages=9, delay=1.5, subdomains=True, render=False
    )


def test_missing_arguments_are_none():
    assert read_arguments({"url": "http://a.org"}) == CrawlArguments(url="http://a.org")


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({}, "no URL"),
        ({"url": ""}, "no URL"),
        ({"url": "a.org"}, "write https://a.org"),
        ({"url": "//a.org"}, "write https://a.org"),
        ({"url": "a.org:8000/x"}, "write https://a.org:8000/x"),
        ({"url": "ftp://a.org"}, "a URL for ftp"),
        ({"url": "http://me:secret@a.org/"}, "^URLs with a user name and password cannot"),
        ({"url": "http://"}, "not the URL of a web page"),
        ({"url": "http://a.org", "depth": "three"}, "depth is 'three'"),
        ({"url": "http://a.org", "depth": "-1"}, "depth is '-1'"),
        ({"url": "http://a.org", "max_pages": "0"}, "max_pages is '0'"),
        ({"url": "http://a.org", "delay": "nan"}, "delay is 'nan'"),
        ({"url": "http://a.org", "delay": "soon"}, "delay is 'soon'"),
        ({"url": "http://a.org", "render": "maybe"}, "render is 'maybe'"),
        ({"url": "http://a.org", "dept": "3"}, "unknown argument 'dept'"),
    ],
)
def test_wrong_argument_is_named_in_one_line(given, complaint):
    with pytest.raises(BadArgument, match=complaint) as error:
        read_arguments(given)
    assert "\n" not in str(error.value)
