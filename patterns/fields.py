"""The fields of an article beside its body, each with where it comes from."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import urljoin

from items import Provenance
from patterns.bylines import lines_around
from patterns.dates import parse_date
from patterns.headlines import Called
from patterns.images import address_of, lead_image
from patterns.labels import Labels, Reading
from patterns.languages import guess_language
from patterns.match import Match
from patterns.metadata import Metadata, Said
from patterns.names import is_name, line_at
from patterns.places import Starts, find, xpath_of
from trees import Tree

_TIME = re.compile(rb'<time(?=[^>]*\sdatetime="([^"]+)")([^>]*)>')
_CHANGED = re.compile(rb"updated|modified", re.IGNORECASE)
_URL_DATE = re.compile(r"/((?:19|20)\d\d)/(\d{1,2})/(\d{1,2})(?:/|$)")
_CODE = re.compile(r"[A-Za-z]{2}(?=$|[-_])")


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
    modified = _modified(source, published, notes)
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
    leaf = source.reading.title
    if leaf >= 0:
        notes.append(in_page(source, "title", leaf))
        return " ".join(source.tree.text_of(leaf).split())
    headline = next((said.value for said in source.metadata.headline), "")
    if source.called.shown or headline:
        notes.append(Provenance(field="title", source="head", place="title"))
    return source.called.shown or headline


def in_page(source: Source, field: str, leaf: int) -> Provenance:
    """Return that a field comes from a text leaf of the page."""
    found = source.match
    vertex = found.owner_of(leaf) if found is not None else -1
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
    stamp, _ = _time_elements(tree, source.reading)
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


def _modified(
    source: Source, published: datetime | None, notes: list[Provenance]
) -> datetime | None:
    """Return the date of the last change; None if that would be before the article was there."""
    some: list[Provenance] = []
    date = _first_date(source.metadata.modified, source.now, "modified", some)
    if date is None:
        _, date = _time_elements(source.tree, source.reading)
        some = [Provenance(field="modified", source="time", place="datetime")]
    if date is None or not _believed(date, source.now) or date < (published or date):
        return None
    notes += some
    return date


def _time_elements(tree: Tree, reading: Reading) -> tuple[datetime | None, datetime | None]:
    """Return what `<time datetime>` near title and body says: first the publication, the change."""
    if reading.container < 0 and reading.title < 0:
        return None, None
    data = tree.source.data
    around = [v for v in (reading.title, reading.container) if v >= 0]
    first = min(int(tree.tag_start[tree.parent[v] if tree.tag_start[v] < 0 else v]) for v in around)
    end = max(v + int(tree.size[v]) for v in around)
    following = tree.tag_start[end:][tree.tag_start[end:] >= 0]
    stop = int(following[0]) + 2000 if len(following) else len(data)
    dates: dict[bool, datetime | None] = {}
    for found in _TIME.finditer(data, max(0, first - 2000), stop):
        changed = bool(_CHANGED.search(found[2])) and b"published" not in found[2].lower()
        dates.setdefault(changed, parse_date(found[1].decode("utf-8", "replace")))
        if len(dates) == 2:
            break
    return dates.get(False), dates.get(True)


def _authors(source: Source, notes: list[Provenance]) -> tuple[str, ...]:
    tree, byline = source.tree, source.labels.author
    said = source.metadata.authors
    structured = any(one.source == "json-ld" for one in said)
    if byline is not None and (byline.varies or not structured):
        printed = byline.read(tree, source.starts)
        if printed:
            notes.append(in_page(source, "authors", find(tree, byline.place, source.starts)))
            return printed
    names = [one for one in said if is_name(one.value) and "://" not in one.value]
    if names:
        notes.append(Provenance(field="authors", source=said[0].source, place=said[0].key))
    return tuple(dict.fromkeys(one.value for one in names))


def _image(source: Source, notes: list[Provenance]) -> str | None:
    found = lead_image(source.tree, source.reading, source.labels, source.starts, source.metadata)
    if found is None:
        return None
    if isinstance(found, Said):
        address, note = found.value, Provenance(field="image", source=found.source, place=found.key)
    else:
        address, note = address_of(source.tree, found), in_page(source, "image", found)
    whole = _joined(source.url, address)
    notes += [note] if whole else []
    return whole


def _joined(base: str, address: str) -> str | None:
    """Return an address as a browser asks for it; None if it would not, or would run it.

    >>> _joined("http://a.org/b", "/c.png"), _joined("http://a.org/", "javascript:alert(1)")
    ('http://a.org/c.png', None)
    """
    try:
        whole = urljoin(base, address)
    except ValueError:  # such as http://[
        return None
    return whole if whole.startswith(("http://", "https://")) else None


def _language(source: Source, notes: list[Provenance]) -> str | None:
    head = source.tree.head
    said = [Said(head.language, "html", "lang")] if head.language else []
    for one in (*said, *source.metadata.language):
        found = _CODE.match(one.value)
        if found:
            notes.append(Provenance(field="language", source=one.source, place=one.key))
            return found[0].lower()
    return None


def with_language(fields: Fields, body: str) -> Fields:
    """Return the fields with the language of the body, guessed, if the page says none."""
    code = guess_language(body) if fields.language is None else None
    if code is None:
        return fields
    note = Provenance(field="language", source="guess")
    return replace(fields, language=code, provenance=(*fields.provenance, note))


def _said(said: Iterable[Said], field: str, notes: list[Provenance]) -> str | None:
    for one in said:
        notes.append(Provenance(field=field, source=one.source, place=one.key))
        return one.value
    return None
