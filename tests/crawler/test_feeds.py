from datetime import UTC, datetime

import pytest

from flong.crawler.feeds import parse_feed
from flong.urls import Scope

SCOPE = Scope.of("http://a.org/")
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
NEWS = "http://www.google.com/schemas/sitemap-news/0.9"


def read(xml, limit=100):
    xml = xml if isinstance(xml, bytes) else xml.encode()
    return parse_feed(xml, "http://a.org/list.xml", SCOPE, limit)


def mentions_in(xml):
    return [(m.url, m.source, m.title, m.published) for m in read(xml).mentions]


MAY = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("xml", "expected"),
    [
        (
            f"<urlset xmlns='{SITEMAP}'><url><loc> http://a.org/x?utm_source=1 </loc>"
            "<lastmod>2026-05-01T14:00:00+02:00</lastmod></url></urlset>",
            ("http://a.org/x", "sitemap", "", MAY),
        ),
        (
            f"<urlset xmlns='{SITEMAP}' xmlns:n='{NEWS}'><url><loc>http://a.org/x</loc><n:news>"
            "<n:publication><n:name>A</n:name></n:publication><n:title>Big  news</n:title>"
            "<n:publication_date>2026-05-01T12:00:00Z</n:publication_date></n:news></url></urlset>",
            ("http://a.org/x", "news", "Big news", MAY),
        ),
        (
            "<rss version='2.0'><channel><title>A</title><link>http://a.org/</link><item>"
            "<title><![CDATA[Fire & flood]]></title><link>http://a.org/x</link>"
            "<pubDate>Fri, 01 May 2026 14:00:00 +0200</pubDate></item></channel></rss>",
            ("http://a.org/x", "feed", "Fire & flood", MAY),
        ),
        (
            "<rss><channel><item><title>A</title><guid isPermaLink='true'>http://a.org/x</guid>"
            "</item></channel></rss>",
            ("http://a.org/x", "feed", "A", None),
        ),
        (
            "<feed xmlns='http://www.w3.org/2005/Atom'><title>A</title><entry><title>One</title>"
            "<link rel='edit' href='/edit'/><link href='/x'/>"
            "<updated>2026-06-01T00:00:00Z</updated><published>2026-05-01T12:00:00Z</published></entry></feed>",
            ("http://a.org/x", "feed", "One", MAY),
        ),
        (
            "<rdf:RDF xmlns:rdf='r' xmlns='http://purl.org/rss/1.0/' xmlns:dc='d'><item>"
            "<title>Old</title><link>http://a.org/x</link><dc:date>2026-05-01T12:00:00Z</dc:date>"
            "</item></rdf:RDF>",
            ("http://a.org/x", "feed", "Old", MAY),
        ),
    ],
    ids=["sitemap", "news sitemap", "RSS", "permanent guid", "Atom", "RDF"],
)
def test_every_feed_and_sitemap_format_is_read(xml, expected):
    assert mentions_in(xml) == [expected]


def test_sitemap_index_is_sorted_newest_first():
    xml = "<sitemapindex>" + "".join(
        f"<sitemap><loc>http://a.org/{n}.xml</loc><lastmod>202{n}-01-01</lastmod></sitemap>"
        for n in (4, 6, 5)
    )
    assert read(xml + "</sitemapindex>").sitemaps == (
        "http://a.org/6.xml",
        "http://a.org/5.xml",
        "http://a.org/4.xml",
    )


def test_the_newest_pages_are_taken_up_to_the_limit():
    entries = "".join(
        f"<url><loc>http://a.org/{n}</loc><lastmod>2026-01-{n:02}</lastmod></url>"
        for n in range(1, 32)
    )
    found = read(f"<urlset>{entries}</urlset>", limit=2).mentions
    assert [mention.url for mention in found] == ["http://a.org/31", "http://a.org/30"]


@pytest.mark.parametrize(
    "xml",
    [
        b"",
        b"not xml",
        b"<html><body><item><link>http://a.org/x</link></item></body></html>",
        b"<urlset><url><loc>http://b.org/x</loc></url></urlset>",
        b"<urlset><url><loc>http://a.org/x.pdf</loc></url></urlset>",
        b"<urlset><url></url></urlset>",
        b"\x1f\x8b\x08 broken",
        b"\xff\xfe\x00",
    ],
)
def test_document_without_urls_of_the_site_is_empty(xml):
    assert read(xml).mentions == ()


def test_broken_xml_is_read_as_far_as_it_goes():
    xml = "<rss><channel><item><title>A & B</title><link>http://a.org/x</link></item><item><tit"
    assert [mention.url for mention in read(xml).mentions] == ["http://a.org/x"]


ITEM = "<rss><channel><item><title>{}</title><link>http://a.org/x</link></item></channel></rss>"


@pytest.mark.parametrize(
    ("entities", "used"),
    [
        ("<!ENTITY a 'ha'>" + "<!ENTITY b '&a;&a;'>", "&b;"),
        ("".join(f"<!ENTITY e{n + 1} '{f'&e{n};' * 10}'>" for n in range(11)), "&e11;"),
        ("<!ENTITY file SYSTEM 'file:///etc/passwd'>", "&file;"),
        ("<!ENTITY % dtd SYSTEM 'file:///etc/passwd'>", ""),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_xml_with_entities_is_refused(entities, used, encoding):
    xml = f"<!DOCTYPE rss [{entities}]>" + ITEM.format(used)
    assert mentions_in(xml.encode(encoding)) == []


def test_doctype_without_entities_is_accepted():
    doctype = '<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "rss-0.91.dtd">'
    assert mentions_in(doctype + ITEM.format("Caf&eacute;"))[0][0] == "http://a.org/x"


def test_ten_thousand_entries_are_read():
    entries = "".join(f"<url><loc>http://a.org/{n}</loc></url>" for n in range(10_000))
    assert len(read(f"<urlset>{entries}</urlset>", limit=20_000).mentions) == 10_000
