"""Metadata of a page: JSON-LD, OpenGraph, other meta tags."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from flong.patterns.person_names import BY, stated_names
from flong.tree import Head, Tree, remembered

_ARTICLES = ("article", "blogposting", "liveblogposting", "report", "review")


class MetadataValue(NamedTuple):
    """One value and its source."""

    value: str
    """As written."""
    source: str
    """`json-ld`, `opengraph` or `meta`."""
    key: str
    """Name of the property."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """Metadata of a page; each list has the most trusted source first."""

    published: tuple[MetadataValue, ...] = ()
    """Dates of publication."""
    modified: tuple[MetadataValue, ...] = ()
    """Dates of the last change."""
    authors: tuple[MetadataValue, ...] = ()
    """Names of authors, all of one source, persons before organisations."""
    publisher: tuple[MetadataValue, ...] = ()
    """Names of the site or its publisher."""
    image: tuple[MetadataValue, ...] = ()
    """URLs of lead pictures."""
    section: tuple[MetadataValue, ...] = ()
    """Sections."""
    description: tuple[MetadataValue, ...] = ()
    """Summaries."""
    tags: tuple[MetadataValue, ...] = ()
    """Topics, all of one source."""
    access: tuple[MetadataValue, ...] = ()
    """Values for free or restricted access."""
    genre: tuple[MetadataValue, ...] = ()
    """Types of structured data and `og:type`."""
    canonical_url: tuple[MetadataValue, ...] = ()
    """Canonical URLs."""
    headline: tuple[MetadataValue, ...] = ()
    """Headlines in structured data."""
    language: tuple[MetadataValue, ...] = ()
    """Language codes."""
    json_ld_article: bool = False
    """Structured data contain an article."""
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
    "publisher": ("og:site_name", "application-name", "dc.publisher"),
    "description": ("og:description", "description", "twitter:description", "dc.description"),
    "tags": ("news_keywords", "keywords", "parsely-tags", "sailthru.tags", "article:tag"),
    "access": ("article:content_tier",),
    "genre": ("og:type",),
    "canonical_url": ("og:url",),
}  # fmt: skip


_OF_ONE_SOURCE = frozenset(["tags", "authors"])
_SAID_IN = tuple(
    (name, key, "opengraph" if key.startswith(("og:", "article:")) else "meta")
    for name, keys in _META.items()
    for key in keys
)
"""Field, name and source of each meta tag that is read, the most trusted first."""
_RANKS = {key: rank for rank, (_, key, _) in enumerate(_SAID_IN)}


@remembered
def metadata_of(tree: Tree) -> Metadata:
    """Return the metadata of a page; cached."""
    return read_metadata(tree.head)


def read_metadata(head: Head) -> Metadata:
    """Return the metadata of a head.

    >>> head = Head(json_ld=('{"@type": "NewsArticle", "datePublished": "2024-05-01"}',))
    >>> found = read_metadata(head)
    >>> found.json_ld_article, found.published[0].value
    (True, '2024-05-01')
    """
    nodes = [node for script in head.json_ld for node in _nodes(script)]
    node = next(filter(_is_article, nodes), None)
    known = {one["@id"]: one for one in nodes if isinstance(one.get("@id"), str)}
    said: defaultdict[str, list[MetadataValue]] = defaultdict(list)
    if node is not None:
        for name, key in _JSON_LD:
            if key in node:
                said[name] += [
                    MetadataValue(value, "json-ld", key) for value in _values(node[key], known)
                ]
        free = node.get("isAccessibleForFree")
        if isinstance(free, bool | str):
            said["access"].append(MetadataValue(str(free), "json-ld", "isAccessibleForFree"))
        language = head.language
        said["authors"] += [
            MetadataValue(name, "json-ld", "author")
            for stated in _creators(node.get("author") or node.get("creator"), known)
            for name in stated_names(stated, language)
        ]
    if head.canonical:
        said["canonical_url"].append(MetadataValue(head.canonical, "link", "canonical"))
    for rank in sorted([_RANKS[key] for key in head.meta if key in _RANKS]):
        name, key, source = _SAID_IN[rank]
        value = head.meta[key]
        if not value or (name in _OF_ONE_SOURCE and said[name]):
            continue
        values = stated_names(value, head.language) if name == "authors" else [value]
        said[name] += [MetadataValue(one, source, key) for one in values]
    if not said["authors"] and BY.search(head.meta.get("twitter:label1", "") + " "):
        names = stated_names(head.meta.get("twitter:data1", ""), head.language)
        said["authors"] += [MetadataValue(name, "meta", "twitter:data1") for name in names]
    return Metadata(
        **{name: tuple(values) for name, values in said.items()},
        json_ld_article=node is not None,
        og_article=head.meta.get("og:type", "").lower() == "article",
    )


_JSON_LD = (
    ("published", "datePublished"),
    ("modified", "dateModified"),
    ("image", "image"),
    ("image", "thumbnailUrl"),
    ("section", "articleSection"),
    ("headline", "headline"),
    ("language", "inLanguage"),
    ("publisher", "publisher"),
    ("description", "description"),
    ("tags", "keywords"),
    ("genre", "@type"),
)


def _is_article(node: Mapping[str, Any]) -> bool:
    kinds = node.get("@type", "")
    names = kinds if isinstance(kinds, list) else [kinds]
    return any(str(name).lower().endswith(_ARTICLES) for name in names)


def _nodes(script: str) -> Iterator[Mapping[str, Any]]:
    """Yield the objects on the top levels of structured data."""
    try:
        waiting = [json.loads(script, strict=False)]
    except (ValueError, RecursionError):
        return
    while waiting:
        item = waiting.pop(0)
        if isinstance(item, list):
            waiting.extend(item)
        elif isinstance(item, dict):
            yield item
            waiting.extend(item[key] for key in ("@graph", "mainEntity") if key in item)


def _creators(value: Any, known: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the names of persons, then those of organisations; URLs and paths are skipped."""
    items = value if isinstance(value, list) else [value]
    named: dict[bool, list[str]] = {False: [], True: []}
    for item in items:
        whole = {**known.get(str(item.get("@id")), {}), **item} if isinstance(item, dict) else {}
        is_group = str(whole.get("@type", "")).endswith("Organization")
        named[is_group] += _values(whole.get("name") if whole else item, known)
    return named[False] + named[True]


def _values(value: Any, known: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the texts of a property, also in lists and objects, which may be given by `@id`."""
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
