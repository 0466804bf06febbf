"""Feeds, sitemaps and robots.txt of the portal."""

from collections.abc import Iterable, Sequence
from email.utils import format_datetime
from html import escape as esc

from flong.demo.edition import Edition
from flong.demo.newsroom import MOTTO, PAPER
from flong.demo.stories import Assignment

PER_SITEMAP = 1000
_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
_NEWS = "http://www.google.com/schemas/sitemap-news/0.9"


def rss(entries: Iterable[Assignment], origin: str) -> str:
    """Return the newest stories as RSS 2.0, with a tracking parameter in the links."""
    rows = "".join(
        f"""<item><title>{esc(entry.title)}</title><link>{origin}{entry.path}?utm_source=rss</link>
<guid isPermaLink="true">{origin}{entry.path}</guid><pubDate>{format_datetime(entry.published)}</pubDate>
<category>{esc(entry.section.name)}</category><description>{esc(entry.standfirst)}</description></item>
"""
        for entry in entries
    )
    return f"""{_XML}<rss version="2.0"><channel><title>{PAPER}</title><link>{origin}/</link>
<description>{MOTTO}</description><language>en</language>
{rows}</channel></rss>
"""


def atom(entries: Sequence[Assignment], origin: str) -> str:
    """Return the newest stories as Atom."""
    rows = "".join(
        f"""<entry><title>{esc(entry.title)}</title><link href="{origin}{entry.path}"/>
<id>{origin}{entry.path}</id><updated>{entry.published.isoformat()}</updated>
<author><name>{esc(entry.author.name)}</name></author><summary>{esc(entry.standfirst)}</summary></entry>
"""
        for entry in entries
    )
    updated = entries[0].published.isoformat() if entries else "1871-03-04T00:00:00Z"
    return f"""{_XML}<feed xmlns="http://www.w3.org/2005/Atom"><title>{PAPER}</title>
<link href="{origin}/"/><id>{origin}/</id><updated>{updated}</updated>
{rows}</feed>
"""


def sitemap_index(edition: Edition, origin: str) -> str:
    """Return the sitemap index: one sitemap for pages, one for news, one per 1,000 stories."""
    lots = range(1, -(-len(edition.numbers) // PER_SITEMAP) + 1)
    names = ["pages", "news", *(f"stories-{lot}" for lot in lots)]
    rows = "".join(f"<sitemap><loc>{origin}/sitemap-{name}.xml</loc></sitemap>\n" for name in names)
    return f'{_XML}<sitemapindex xmlns="{_SITEMAP}">\n{rows}</sitemapindex>\n'


def page_sitemap(paths: Iterable[str], origin: str) -> str:
    """Return a sitemap of pages other than stories."""
    rows = "".join(f"<url><loc>{esc(origin + path)}</loc></url>\n" for path in paths)
    return f'{_XML}<urlset xmlns="{_SITEMAP}">\n{rows}</urlset>\n'


def story_sitemap(edition: Edition, lot: int, origin: str) -> str | None:
    """Return one sitemap of stories with their dates, or None."""
    numbers = edition.numbers[(lot - 1) * PER_SITEMAP : lot * PER_SITEMAP]
    if lot < 1 or not numbers:
        return None
    rows = "".join(
        f"<url><loc>{origin}{entry.path}</loc><lastmod>{changed.isoformat()}</lastmod></url>\n"
        for entry in map(edition.entry, numbers)
        for changed in (edition.edited.get(entry.number) or entry.published,)
    )
    return f'{_XML}<urlset xmlns="{_SITEMAP}">\n{rows}</urlset>\n'


def news_sitemap(entries: Iterable[Assignment], origin: str) -> str:
    """Return the newest stories with their headlines."""
    rows = "".join(
        f"""<url><loc>{origin}{entry.path}</loc><news:news><news:publication><news:name>{PAPER}</news:name>
<news:language>{entry.section.language.code}</news:language></news:publication>
<news:publication_date>{entry.published.isoformat()}</news:publication_date>
<news:title>{esc(entry.title)}</news:title></news:news></url>
"""
        for entry in entries
    )
    return f'{_XML}<urlset xmlns="{_SITEMAP}" xmlns:news="{_NEWS}">\n{rows}</urlset>\n'


def robots(origin: str) -> str:
    """Return robots.txt, with disallowed paths and the sitemap."""
    return f"""User-agent: *
Disallow: /account/
Disallow: /search

Sitemap: {origin}/sitemap.xml
"""
