"""Metadata of pages: title, description, OpenGraph, JSON-LD, links to feeds."""

import json
from dataclasses import dataclass

from flong.demo.markup import esc, given
from flong.demo.newsroom import PAPER
from flong.demo.views import StoryPage


@dataclass(frozen=True, kw_only=True)
class ArticleHead:
    """Markup before `<body>`."""

    title: str
    """Window title, with the name of the newspaper."""
    design: str
    """Design with the style sheet."""
    origin: str
    """Scheme and host."""
    path: str = ""
    """Canonical path; empty for error pages."""
    lang: str = "en"
    """ISO 639-1 code."""
    more: str = ""
    """Further markup."""

    def __str__(self) -> str:
        canonical = f'<link rel="canonical" href="{esc(self.origin + self.path)}">\n'
        return f"""<!DOCTYPE html>
<html lang="{self.lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{esc(self.title)}</title>
<link rel="stylesheet" href="/style/{self.design}.css">
<link rel="icon" type="image/png" href="/favicon.png">
<link rel="alternate" type="application/rss+xml" title="{PAPER}" href="/feed.xml">
<link rel="alternate" type="application/atom+xml" title="{PAPER}" href="/atom.xml">
{given(bool(self.path), canonical)}{self.more}</head>
"""


def article_head(page: StoryPage, design: str, separator: str) -> ArticleHead:
    """Return the head of an article page, with the metadata of its section."""
    entry = page.story.entry
    silent = entry.section.metadata == "none"
    return ArticleHead(
        title=PAPER if silent else f"{entry.title} {separator} {PAPER}",
        path=page.path,
        origin=page.origin,
        design=design,
        lang=entry.section.language.code,
        more=given(not silent, _open_graph(page))
        + given(entry.section.metadata == "json-ld", _json_ld(page)),
    )


def _open_graph(page: StoryPage) -> str:
    entry = page.story.entry
    kind = "website" if entry.kind == "page" else "article"
    rows = {
        "og:site_name": PAPER,
        "og:type": kind,
        "og:title": entry.title,
        "og:description": entry.standfirst,
        "og:url": page.origin + page.path,
        "og:image": f"{page.origin}{entry.picture.removesuffix('.svg')}.png",
    }
    if kind == "article":
        rows |= {
            "article:published_time": entry.published.isoformat(),
            "article:section": entry.section.name,
        }
    description = f'<meta name="description" content="{esc(entry.standfirst)}">\n'
    metas = (f'<meta property="{name}" content="{esc(value)}">\n' for name, value in rows.items())
    return description + "".join(metas)


def _json_ld(page: StoryPage) -> str:
    story, entry = page.story, page.story.entry
    data = {
        "@context": "https://schema.org",
        "@type": "WebPage" if entry.kind == "page" else "NewsArticle",
        "headline": entry.title,
        "datePublished": entry.published.isoformat(),
        "dateModified": (story.modified or entry.published).isoformat(),
        "author": {"@type": "Person", "name": entry.author.name},
        "publisher": {"@type": "NewsMediaOrganization", "name": PAPER},
        "mainEntityOfPage": page.origin + page.path,
        "image": [f"{page.origin}{entry.picture.removesuffix('.svg')}.png"],
    }
    # A "</script>" in a headline would otherwise end the element.
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/ld+json">{text}</script>\n'
