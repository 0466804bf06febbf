"""Arbitrary responses: no unexpected exception, no output beyond the limits."""

import gzip
import zlib
from datetime import UTC, datetime
from functools import partial

import brotli
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scrapy.http import Response
from scrapy.robotstxt import ProtegoRobotParser

from flong.crawler.decompression import CorruptBody, TooLarge, decompress
from flong.crawler.feeds import parse_feed
from flong.crawler.outcomes import redirect_target
from flong.crawler.robots import LARGEST, rules_in
from flong.crawler.throttling import retry_after_seconds
from flong.links import extract_links, refusal
from flong.packing import zstd
from flong.urls import Scope, canonical_url

HOME = "http://a.org/"
SCOPE = Scope.of(HOME)
NOW = datetime(2026, 5, 1, tzinfo=UTC)
PACKERS = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": partial(brotli.compress, quality=3),
    "zstd": zstd.compress,
}

pieces = st.sampled_from(
    "<urlset> <url> <loc> </loc> </url> http://a.org/x &amp; &e; <lastmod> 2026-05-01 </lastmod>"
    " <rss> <channel> <item> <link> </link> <pubDate> Fri, <sitemap> <!DOCTYPE <![CDATA[ ]]> <!--"
    " --> <a href=' '> <base href='//['> <link rel=canonical <meta http-equiv=refresh content='0;"
    " <?xml version='1.0' encoding='utf-16'?> \0 \ud800 ä User-agent: * Disallow: / $ #".split(" ")
)
markup = st.lists(pieces | st.text(max_size=8), max_size=40).map(" ".join)
bodies = st.binary(max_size=300) | markup.map(lambda text: text.encode("utf-8", "replace"))

unhurried = settings(deadline=None, max_examples=60)


@pytest.mark.parametrize("encoding", PACKERS)
@unhurried
@given(body=bodies, place=st.floats(0, 1))
def test_truncated_body_is_never_taken_as_whole(encoding, body, place):
    packed = PACKERS[encoding](body)
    assert decompress(packed, [encoding], most=10**6) == body
    cut = packed[: int(place * (len(packed) - 1))] or b"\0"
    with pytest.raises(CorruptBody):
        decompress(cut, [encoding], most=10**6)
    assert body.startswith(decompress(cut, [encoding], most=10**6, partly=True))


@unhurried
@given(bodies, st.lists(st.sampled_from([*PACKERS, "x-gzip", "odd", ""]), max_size=3))
def test_any_bytes_are_decompressed_or_refused(body, encodings):
    try:
        decompress(body, encodings, most=1000)
    except (CorruptBody, TooLarge):
        assert len(decompress(body, encodings, most=1000, partly=True)) <= 1000


@pytest.mark.parametrize("encoding", PACKERS)
def test_decompression_stops_at_the_limit(encoding):
    packed = PACKERS[encoding](b"a" * 30_000_000)
    with pytest.raises(TooLarge):
        decompress(packed, [encoding], most=1000)
    assert decompress(packed, [encoding], most=1000, partly=True) == b"a" * 1000


def test_gzip_members_are_concatenated():
    assert decompress(gzip.compress(b"a") + gzip.compress(b"b") + b"\0\0", ["gzip"], 10) == b"ab"


@unhurried
@given(st.text(max_size=60))
@example("Thu, 01 Jan 1970 00:00:00 -9999")
@example("9" * 400)
@example("Mon, 99 Foo 99999 99:99:99 GMT")
def test_any_retry_after_is_a_time(text):
    assert 0 <= retry_after_seconds(text, NOW) < 10**13


@unhurried
@given(st.binary(max_size=60), st.sampled_from([200, 301, 302, 304, 399]))
@example(b"http://[", 301)
@example(b"//[::1", 302)
def test_any_location_header_is_handled(value, status):
    target = redirect_target(Response(HOME, status=status, headers={"Location": value}))
    assert (target is None) == (status == 200)
    assert target is None or SCOPE.canonical(target) is None or canonical_url(target)


@unhurried
@given(bodies)
def test_any_robots_txt_is_read(body):
    rules = ProtegoRobotParser(rules_in(200, body) or b"", None)
    assert rules.allowed(HOME + "x", "flong") in (True, False)
    delay = rules.crawl_delay("flong")
    assert delay is None or delay >= 0


@pytest.mark.parametrize(("status", "rules"), [(404, b""), (403, b""), (301, b""), (500, None)])
@unhurried
@given(body=bodies)
def test_error_response_has_no_robots_rules(status, rules, body):
    assert rules_in(status, body) == rules


def test_truncated_robots_rule_is_ignored():
    body = b"User-agent: *\nDisallow: /early\n" + b"#" * (LARGEST - 50) + b"\nDisallow: /very-late"
    assert rules_in(200, body).endswith(b"#")


@unhurried
@given(bodies)
@example(
    b"<urlset><url><loc>http://a.org/x</loc><lastmod>0001-01-01T00:00:00+23:59</lastmod></url>"
)
@example(b"<rss><channel><item><link>http://a.org/x</link><pubDate>, , ,</pubDate></item>")
def test_any_sitemap_is_read(body):
    feed = parse_feed(body, HOME + "sitemap.xml", SCOPE, limit=5)
    assert len(feed.mentions) <= 5
    assert all(SCOPE.canonical(mention.url) == mention.url for mention in feed.mentions)


@unhurried
@given(markup, st.sampled_from([HOME, "http://a.org/x?y=1"]))
def test_any_page_is_read(html, url):
    reading = extract_links(html, url, SCOPE)
    assert all(SCOPE.canonical(link.url) == link.url for link in reading.links)
    assert all(refusal(link.url) is None for link in reading.links)
