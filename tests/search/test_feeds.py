"""Feeds, parsed by feedparser and checked against the rules of the formats."""

import json
import re
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime

import feedparser
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from flong.search import FEED_FORMATS, Entry, Feed

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
ATOM = "{http://www.w3.org/2005/Atom}"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def entry(number, **changes):
    values = {
        "url": f"https://news.example/{number}",
        "title": f"Rain & <b>sun</b> {number}",
        "summary": "It rained. 日本 <script>",
        "published": NOON - timedelta(days=number),
        "updated": NOON - timedelta(hours=number),
        "authors": ("Ann Lee", "Bo Kim"),
        "language": "en",
        "site": "news.example",
    }
    return Entry(**(values | changes))


def feed(*entries):
    return Feed(
        title='Rain "and" <sun>',
        home="https://feeds.example/",
        url="https://feeds.example/rain.xml?a=1&b=2",
        entries=entries,
    )


FULL = feed(entry(0), entry(1, body="One & two.\nThree <i>.", authors=()))


@pytest.mark.parametrize("format", ["rss", "atom"])
def test_feedparser_reads_all_entries(format):
    read = feedparser.parse(FEED_FORMATS[format](FULL))
    assert not read.bozo
    assert read.feed.title == FULL.title
    first, second = read.entries
    assert (first.title, first.link, first.id) == (
        "Rain & <b>sun</b> 0",
        "https://news.example/0",
        "https://news.example/0",
    )
    assert datetime(*first.published_parsed[:6], tzinfo=UTC) == NOON
    assert "Ann Lee" in first.author or "Ann Lee" in [each.name for each in first.authors]
    assert second.content[0].value.count("<p>") == 2
    assert "One &amp; two." in second.content[0].value
    # In Atom the text is plain; in RSS it is HTML, so it must be escaped.
    shown = "<script>" if format == "atom" else "&lt;script&gt;"
    assert first.summary.count(shown) == 1
    assert format == "rss" or first.summary_detail.type == "text/plain"


def test_rss_is_valid():
    root = etree.fromstring(FEED_FORMATS["rss"](FULL))
    assert root.get("version") == "2.0"
    (channel,) = root
    for name in ("title", "link", "description"):
        assert len(channel.findall(name)) == 1
    assert channel.find(f"{ATOM}link").get("rel") == "self"
    guids = [item.findtext("guid") for item in channel.findall("item")]
    assert len(set(guids)) == len(guids) == 2
    for item in channel.findall("item"):
        assert item.findtext("title") or item.findtext("description")
        assert parsedate_to_datetime(item.findtext("pubDate")).tzinfo is not None


def test_atom_is_valid():
    root = etree.fromstring(FEED_FORMATS["atom"](FULL))
    for node in (root, *root.findall(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            assert len(node.findall(f"{ATOM}{name}")) == 1
        assert TIME.fullmatch(node.findtext(f"{ATOM}updated"))
        assert node.find(f"{ATOM}link[@rel='alternate']").get("href").startswith("https://")
    for node in root.findall(f"{ATOM}entry"):
        assert node.findtext(f"{ATOM}author/{ATOM}name")


def test_json_feed_is_valid():
    document = json.loads(FEED_FORMATS["json"](FULL))
    assert document["version"] == "https://jsonfeed.org/version/1.1"
    assert document["title"]
    assert document["feed_url"] == FULL.url
    for item in document["items"]:
        assert item["id"]
        assert item["content_text"]
        assert TIME.fullmatch(item["date_published"])
    assert document["items"][1]["content_text"] == "One & two.\nThree <i>."


@given(st.text(max_size=20), st.text(max_size=40), st.text(max_size=40))
def test_no_text_breaks_a_feed(title, summary, body):
    made = feed(entry(0, title=title, summary=summary, body=body))
    for format, write in FEED_FORMATS.items():
        data = write(made)
        if format == "json":
            assert json.loads(data)["items"]
        else:
            assert len(etree.fromstring(data)) > 0


def test_bytes_do_not_depend_on_the_time_zone():
    other = FULL.entries[0].published.astimezone(timezone(timedelta(hours=5)))
    moved = feed(entry(0, published=other), FULL.entries[1])
    for write in FEED_FORMATS.values():
        assert write(FULL) == write(moved)


def test_empty_feed_is_valid():
    for write in FEED_FORMATS.values():
        assert write(feed())
