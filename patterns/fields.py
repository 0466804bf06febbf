"""The fields of an article beside its body, each with where it comes from."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import urljoin

import numpy as np

from items import Provenance, fold_text, word_count
from patterns.bylines import line_at, lines_around, read_byline
from patterns.dates import parse_date
from patterns.headlines import Called
from patterns.labels import Labels, Reading
from patterns.match import Match
from patterns.metadata import Metadata, Said
from patterns.places import Starts, find, xpath_of
from trees import TEXT, Tree, tag_number

_TIME = re.compile(rb'<time[^>]*\sdatetime="([^"]+)"')
_URL_DATE = re.compile(r"/((?:19|20)\d\d)/(\d{1,2})/(\d{1,2})(?:/|$)")
_CODE = re.compile(r"[A-Za-z]{2}(?=$|[-_])")
_IMAGE = tag_number("img")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """All but the body."""

    title: str = ""
    """The headline."""
    published: datetime | None = None
    """Date of publication, in UTC."""
    modified: datetime | None = None
    """Date of the last change, in UTC."""
    authors: tuple[str, ...] = ()
    """Names of the authors."""
    image: str | None = None
    """Absolute address of the lead picture."""
    language: str | None = None
    """ISO 639-1 code."""
    section: str | None = None
    """The section."""
    provenance: tuple[Provenance, ...] = ()
    """Where each comes from."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Source:
    """Everything about one page that fields are read from."""

    url: str
    """Its address."""
    tree: Tree
    """The page."""
    reading: Reading
    """What the labels give."""
    labels: Labels
    """The labels."""
    called: Called
    """What the page is called."""
    metadata: Metadata
    """What its head says."""
    match: Match | None = None
    """How the pattern fits."""
    now: datetime | None = None
    """Dates after it are not believed; None believes all."""

    @property
    def starts(self) -> Starts | None:
        """Return where the vertices of the pattern are."""
        return self.match.start if self.match is not None else None


def read_fields(source: Source) -> Fields:
    """Return the fields of a page, whether or not it is an article."""
    notes: list[Provenance] = []
    title = _title(source, notes)
    if source.reading.container >= 0:
        body = in_page(source, "body", source.reading.container)
        notes.append(replace(body, source="container"))
    elif source.reading.body:
        notes.append(Provenance(field="body", source="fallback"))
    published = _published(source, notes)
    modified = _first_date(source.metadata.modified, source.now, "modified", notes)
    return Fields(
        title=title,
        published=published,
        modified=modified,
        authors=_authors(source, notes),
        image=_image(source, notes),
        language=_language(source, notes),
        section=_said(source.metadata.section, "section", notes),
        provenance=tuple(notes),
    )


def _title(source: Source, notes: list[Provenance]) -> str:
    leaf = _titled_leaf(source)
    if leaf >= 0:
        notes.append(in_page(source, "title", leaf))
        return " ".join(source.tree.text_of(leaf).split())
    headline = next((said.value for said in source.metadata.headline), "")
    if source.called.shown or headline:
        notes.append(Provenance(field="title", source="head", place="title"))
    return source.called.shown or headline


def _titled_leaf(source: Source) -> int:
    """Return the text leaf of the title.

    That is the labelled one; where there is none, or the label is not certain and the leaf
    nothing like the head title, one that says what the head says.
    """
    tree, called, leaf = source.tree, source.called, source.reading.title
    if leaf >= 0:
        likeness = called.by_heads(fold_text(tree.text_of(leaf)))
        if source.labels.title_score >= 0.8 or likeness >= 0.5:
            return leaf
    for head in called.heads:
        words = len(head.split())
        for other in np.flatnonzero((tree.tag == TEXT) & (tree.words == words)).tolist():
            if fold_text(tree.text_of(other)) == head:
                return int(other)
    return leaf


def in_page(source: Source, field: str, leaf: int) -> Provenance:
    """Return that a field comes from a text leaf of the page."""
    found = source.match
    vertex = int(found.owner[leaf]) if found is not None else -1
    wild = vertex >= 0 and found is not None and found.pattern.kind[vertex] != 0
    return Provenance(
        field=field,
        source="wildcard" if wild else "vertex" if vertex >= 0 else "place",
        place=xpath_of(source.tree, leaf),
        vertex=vertex if vertex >= 0 else None,
    )


def _believed(date: datetime | None, now: datetime | None) -> bool:
    return date is not None and date.year >= 1980 and (now is None or date <= now)


def _first_date(
    said: Iterable[Said], now: datetime | None, field: str, notes: list[Provenance]
) -> datetime | None:
    for one in said:
        date = parse_date(one.value)
        if _believed(date, now):
            notes.append(Provenance(field=field, source=one.source, place=one.key))
            return date
    return None


def _published(source: Source, notes: list[Provenance]) -> datetime | None:
    date = _first_date(source.metadata.published, source.now, "published", notes)
    if date is not None:
        return date
    tree, now = source.tree, source.now
    stamp = _time_element(tree, source.reading)
    if _believed(stamp, now):
        notes.append(Provenance(field="published", source="time", place="datetime"))
        return stamp
    printed = find(tree, source.labels.date, source.starts)
    lines = [printed] if printed >= 0 else lines_around(tree, source.reading)
    for vertex in lines:
        date = parse_date(line_at(tree, vertex), month_first=source.labels.month_first)
        if _believed(date, now):
            notes.append(in_page(source, "published", vertex))
            return date
    found = _URL_DATE.search(source.url)
    date = parse_date("-".join(part.zfill(2) for part in found.groups())) if found else None
    if _believed(date, now):
        notes.append(Provenance(field="published", source="url"))
        return date
    return None


def _time_element(tree: Tree, reading: Reading) -> datetime | None:
    """Return what the first `<time datetime>` near title and body says."""
    if reading.container < 0 and reading.title < 0:
        return None
    data = tree.source.data
    around = [v for v in (reading.title, reading.container) if v >= 0]
    first = min(int(tree.tag_start[tree.parent[v] if tree.tag_start[v] < 0 else v]) for v in around)
    end = max(v + int(tree.size[v]) for v in around)
    following = tree.tag_start[end:][tree.tag_start[end:] >= 0]
    stop = int(following[0]) + 2000 if len(following) else len(data)
    found = _TIME.search(data, max(0, first - 2000), stop)
    return parse_date(found[1].decode("utf-8", "replace")) if found else None


def _authors(source: Source, notes: list[Provenance]) -> tuple[str, ...]:
    tree = source.tree
    vertex = find(tree, source.labels.author, source.starts)
    printed = read_byline(line_at(tree, vertex), certain=True)
    said = source.metadata.authors
    structured = [one for one in said if one.source == "json-ld"]
    if printed and not structured:
        notes.append(in_page(source, "authors", vertex))
        return (printed,)
    if said:
        notes.append(Provenance(field="authors", source=said[0].source, place=said[0].key))
    names = dict.fromkeys(one.value for one in said if word_count(one.value) <= 8)
    return tuple(name for name in names if "://" not in name)


def _image(source: Source, notes: list[Provenance]) -> str | None:
    value = _said(source.metadata.image, "image", notes)
    if value is None and source.reading.container >= 0:
        tree, container = source.tree, source.reading.container
        inside = tree.tag[container : container + int(tree.size[container])] == _IMAGE
        for vertex in (np.flatnonzero(inside)[:3] + container).tolist():
            attributes = tree.attributes(vertex)
            value = attributes.get("data-src") or attributes.get("src")
            if value and not value.startswith("data:"):
                notes.append(in_page(source, "image", vertex))
                break
    return urljoin(source.url, value) if value and not value.startswith("data:") else None


def _language(source: Source, notes: list[Provenance]) -> str | None:
    head = source.tree.head
    said = [Said(head.language, "html", "lang")] if head.language else []
    for one in (*said, *source.metadata.language):
        found = _CODE.match(one.value)
        if found:
            notes.append(Provenance(field="language", source=one.source, place=one.key))
            return found[0].lower()
    return None


def _said(said: Iterable[Said], field: str, notes: list[Provenance]) -> str | None:
    for one in said:
        notes.append(Provenance(field=field, source=one.source, place=one.key))
        return one.value
    return None
