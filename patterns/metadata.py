"""What a page says about itself for machines: JSON-LD, OpenGraph, other meta tags."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from trees import Head

_ARTICLES = ("article", "blogposting", "liveblogposting", "report", "review")


@dataclass(frozen=True, slots=True)
class Said:
    """One value and where it was said."""

    value: str
    """As written."""
    source: str
    """`json-ld`, `opengraph` or `meta`."""
    key: str
    """Name of the property."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """What a page's head says; each list has the most trusted source first."""

    published: tuple[Said, ...] = ()
    """Dates of publication."""
    modified: tuple[Said, ...] = ()
    """Dates of the last change."""
    authors: tuple[Said, ...] = ()
    """Names of authors, all of one source."""
    image: tuple[Said, ...] = ()
    """Addresses of lead pictures."""
    section: tuple[Said, ...] = ()
    """Sections."""
    headline: tuple[Said, ...] = ()
    """Headlines in structured data."""
    language: tuple[Said, ...] = ()
    """Language codes."""
    json_ld_article: bool = False
    """Structured data speaks of an article."""
    og_article: bool = False
    """`og:type` is article."""


_META = {
    "published": (
        "article:published_time", "datepublished", "date", "dc.date", "dc.date.issued",
        "dcterms.created", "parsely-pub-date", "pubdate", "sailthru.date", "publishdate",
    ),
    "modified": ("article:modified_time", "datemodified", "og:updated_time", "last-modified"),
    "authors": (
        "author", "article:author", "dc.creator", "parsely-author", "sailthru.author", "byl",
    ),
    "image": ("og:image", "og:image:url", "twitter:image", "twitter:image:src"),
    "section": ("article:section", "parsely-section"),
    "language": ("og:locale", "language", "dc.language"),
}  # fmt: skip


def read_metadata(head: Head) -> Metadata:
    """Return what a head says about the page's article.

    >>> head = Head(json_ld=('{"@type": "NewsArticle", "datePublished": "2024-05-01"}',))
    >>> found = read_metadata(head)
    >>> found.json_ld_article, found.published[0].value
    (True, '2024-05-01')
    """
    nodes = [node for script in head.json_ld for node in _nodes(_parsed(script))]
    node = next(filter(_is_article, nodes), None)
    known = {one["@id"]: one for one in nodes if isinstance(one.get("@id"), str)}
    said: dict[str, list[Said]] = {name: [] for name in (*_META, "headline")}
    if node is not None:
        for name, key in _JSON_LD:
            said[name].extend(
                Said(value, "json-ld", key) for value in _values(node.get(key), known)
            )
    for name, keys in _META.items():
        for key in keys:
            value = head.meta.get(key, "")
            if value and not (name == "authors" and ("://" in value or said["authors"])):
                source = "opengraph" if key.startswith(("og:", "article:")) else "meta"
                said[name].append(Said(value, source, key))
    return Metadata(
        **{name: tuple(values) for name, values in said.items()},
        json_ld_article=node is not None,
        og_article=head.meta.get("og:type", "").lower() == "article",
    )


_JSON_LD = (
    ("published", "datePublished"),
    ("modified", "dateModified"),
    ("authors", "author"),
    ("image", "image"),
    ("image", "thumbnailUrl"),
    ("section", "articleSection"),
    ("headline", "headline"),
    ("language", "inLanguage"),
)


def _parsed(script: str) -> Any:
    try:
        return json.loads(script, strict=False)
    except (ValueError, RecursionError):
        return None


def _is_article(node: Mapping[str, Any]) -> bool:
    kinds = node.get("@type", "")
    names = kinds if isinstance(kinds, list) else [kinds]
    return any(str(name).lower().endswith(_ARTICLES) for name in names)


def _nodes(data: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the objects on the top levels of structured data."""
    waiting = [data]
    while waiting:
        item = waiting.pop(0)
        if isinstance(item, list):
            waiting.extend(item)
        elif isinstance(item, dict):
            yield item
            waiting.extend(item[key] for key in ("@graph", "mainEntity") if key in item)


def _values(value: Any, known: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the texts that a property holds: itself, or names and addresses of objects.

    An object may stand elsewhere and be named by its `@id` only.
    """
    waiting = [value]
    while waiting:
        item = waiting.pop(0)
        if isinstance(item, list):
            waiting[:0] = item
        elif isinstance(item, dict):
            whole = {**known.get(str(item.get("@id")), {}), **item}
            waiting.insert(0, whole.get("name") or whole.get("url") or whole.get("@value"))
        elif isinstance(item, str) and item.strip():
            yield item.strip()
