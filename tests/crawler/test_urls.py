from urllib.parse import urljoin

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from flong.urls import _PLAIN, Scope, _normalized, canonical_url, registered_domain

letters = st.text("abAB019%/.?&=;:#~+ -_äß東\\\t[]@", max_size=40)
urls = st.builds(
    lambda scheme, host, rest: f"{scheme}://{host}{rest}",
    st.sampled_from(["http", "https", "HTTP"]),
    st.sampled_from(["a.org", "A.org:80", "www.b.co.uk:443", "[::1]:8000", "127.0.0.1:81", "ü.de"]),
    letters,
)


@given(urls | st.text(max_size=60))
@example("http://a.org/%%34%31")
@example("http://a.org/a;sid=1;sid=2?amp;amp;utm_source=1")
@example("http://a.org/x/index.html/index.html")
def test_canonical_form_is_idempotent(url):
    canonical = canonical_url(url)
    assert canonical is None or canonical_url(canonical) == canonical


@given(st.from_regex(_PLAIN, fullmatch=True))
def test_plain_url_is_already_canonical(url):
    if not url.endswith(("/index.html", "/index.htm")):
        assert _normalized(url) == url


@given(urls)
def test_a_canonical_url_is_plain_ascii_without_a_fragment(url):
    canonical = canonical_url(url)
    assert canonical is None or (canonical.isascii() and "#" not in canonical)


@given(urls)
def test_scope_spelling_is_idempotent(url):
    canonical = canonical_url(url)
    if canonical is not None:
        scope = Scope.of(url)
        ours = scope.canonical(url)
        assert ours is not None
        assert scope.canonical(ours) == ours


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("HTTP://Example.COM:80", "http://example.com/"),
        ("https://example.com:443/a", "https://example.com/a"),
        ("https://example.com:8443/a", "https://example.com:8443/a"),
        ("http://example.com/a#top", "http://example.com/a"),
        ("http://example.com/a?utm_source=x&utm_medium=y", "http://example.com/a"),
        ("http://example.com/a?fbclid=1&id=7&gclid=2&mc_cid=3", "http://example.com/a?id=7"),
        ("http://example.com/a?b=2&a=1", "http://example.com/a?a=1&b=2"),
        ("http://example.com/a?x=1&amp;amp;y=2", "http://example.com/a?x=1&y=2"),
        ("http://example.com/a;jsessionid=F00?PHPSESSID=1", "http://example.com/a"),
        ("http://example.com/a?sid=0123456789abcdef0123", "http://example.com/a"),
        ("http://example.com/a?sid=42", "http://example.com/a?sid=42"),
        ("http://example.com/a/index.html", "http://example.com/a/"),
        ("http://example.com/a/./b/../c", "http://example.com/a/c"),
        ("http://example.com//a///b", "http://example.com/a/b"),
        ("http://example.com/%7euser/%e4%20", "http://example.com/~user/%E4%20"),
        ("http://example.com/ä b", "http://example.com/%C3%A4%20b"),
        ("http://müller.example/", "http://xn--mller-kva.example/"),
        ("  http://example.com/a\n", "http://example.com/a"),
        ("http:\\\\example.com\\a", "http://example.com/a"),
        ("http://example.com/?article.php&7", "http://example.com/?7&article.php"),
    ],
)
def test_one_spelling_for_each_page(url, canonical):
    assert canonical_url(url) == canonical


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com",
        "mailto:a@example.com",
        "javascript:void(0)",
        "tel:+123",
        "ftp://example.com/",
        "file:///etc/passwd",
        "data:text/html,x",
        "http://",
        "http:///a",
        "http://user:password@example.com/",
        "http://a b.example/",
        "http://example.com:99999/",
        "http://[::1/",
        "http://example.com/" + "a" * 3000,
        f"http://{'ä' * 71}.example/",
        f"http://{'ä.' * 150}example/",
    ],
)
def test_urls_of_other_files_have_no_canonical_form(url):
    assert canonical_url(url) is None


@pytest.mark.parametrize(
    ("home", "url", "spelled"),
    [
        ("https://example.com/", "http://www.example.com/a", "https://example.com/a"),
        ("https://www.example.com/", "http://example.com/a", "https://www.example.com/a"),
        ("https://example.com/", "https://blog.example.com/", None),
        ("https://example.com/", "https://example.org/", None),
        ("https://example.com/", "https://example.com.evil.org/", None),
        ("https://example.com/", "https://example.com:8443/", None),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000/a", "http://127.0.0.1:8000/a"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8001/a", None),
        ("http://localhost:8000/", "http://localhost:8000/a", "http://localhost:8000/a"),
    ],
)
def test_a_site_is_its_host_with_and_without_www(home, url, spelled):
    assert Scope.of(home).canonical(url) == spelled


@given(st.text("ab/.?#:%\\=&", max_size=12))
def test_links_are_joined_as_browsers_do(href):
    scope, base = Scope.of("http://a.org/"), "http://a.org/x/y?z"
    try:
        expected = scope.canonical(urljoin(base, href.strip().replace("\\", "/")))
    except ValueError:
        expected = None
    assert scope.join(base, href) == expected


def test_subdomains_belong_to_the_site_on_request():
    scope = Scope.of("https://www.example.co.uk/", subdomains=True)
    assert scope.canonical("http://blog.example.co.uk/a") == "https://blog.example.co.uk/a"
    assert scope.canonical("https://other.co.uk/") is None


def test_blogs_of_one_host_are_separate_sites():
    assert registered_domain("https://one.blogspot.com/") == "one.blogspot.com"


def test_scope_without_a_host_is_refused():
    with pytest.raises(ValueError, match="'example' is not the URL of a web page"):
        Scope.of("example")
