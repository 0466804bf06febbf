"""Fields of an article beside its body, each with its provenance."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from html import unescape
from itertools import islice
from typing import Any, NamedTuple, TypeGuard, TypeVar

from flong.article import Article, Provenance
from flong.patterns.blocks import whole_url
from flong.patterns.dates import Moment, may_have_date, parse_date
from flong.patterns.field_elections import (
    lines_around,
    section_text,
    standfirst_text,
    tag_texts,
)
from flong.patterns.labels import LabelledPage, Labels
from flong.patterns.languages import guess_language
from flong.patterns.lead_image import lead_image, url_of
from flong.patterns.match import Match
from flong.patterns.metadata import Metadata, MetadataValue
from flong.patterns.page_titles import PageNames
from flong.patterns.person_names import line_at
from flong.patterns.selectors import Starts, find, xpath_of
from flong.states import Access, CorrectedField, Genre, Precision
from flong.text import fold_text
from flong.tree import Tree, remembered, tag_number

Value = TypeVar("Value")

_TIME = re.compile(
    rb"""<time(?=[^>]*\sdatetime=["']([^"']+)["'])[^>]*>"""
    rb"""|<abbr(?=[^>]*\sclass=["'][^"']*(?:published|updated))(?=[^>]*\stitle=["']([^"']+)["'])[^>]*>"""
)
"""Time for machines. Older pages use `abbr` (hAtom)."""
_STAMPS, _NEAR = 20, 2_000
"""Maximum number of times read, and bytes searched around title and body."""
_FIRST_YEAR = 1980
"""Earliest credible year; earlier dates in metadata are defaults of the system."""
_CHANGED = re.compile(rb"updated|modified", re.IGNORECASE)
_FOOTER = tag_number("footer")
_URL_DATE = re.compile(r"/((?:19|20)\d\d)/(\d{1,2})/(\d{1,2})(?:/|$)")
_TAG = re.compile(rb'<a(?=[^>]*\srel="(?:nofollow )?tag")[^>]*>(.{1,200}?)</a>', re.DOTALL)
_CATEGORY = re.compile(
    rb'<a(?=[^>]*\srel="(?:nofollow )?category(?: tag)?")[^>]*>(.{1,200}?)</a>', re.DOTALL
)
"""Links marked as tags and as sections."""
_MARKED = re.compile(rb'\srel="(?:nofollow )?(?:tag|category(?: tag)?)"')
"""Attribute of either kind."""
_MARK = {"tags": b'tag"', "sections": b"category"}
"""Byte string in every such link."""
_LINK_BYTES = 210
"""Maximum bytes of such a link after its first tag."""
_MARKUP = re.compile(rb"<[^>]*>")
_LIST = re.compile(r"[,;]\s*|\s\|\s")
_AROUND = 3_000
"""Bytes before the title and after the body that are searched for tags and sections."""
_LONGEST, _MOST = 80, 50
"""Maximum characters of a tag, and maximum number of tags."""
_SUMMARY = 2_000
"""Maximum characters of a description."""
_ACCESS = {
    "true": Access.FREE, "free": Access.FREE, "false": Access.PAYWALLED,
    "metered": Access.PAYWALLED, "locked": Access.PAYWALLED,
}  # fmt: skip
_GENRES = {
    "liveblog": Genre.LIVE_BLOG, "opinion": Genre.OPINION, "review": Genre.REVIEW,
    "analysis": Genre.ANALYSIS, "gallery": Genre.GALLERY, "video": Genre.VIDEO,
    "podcast": Genre.PODCAST, "newsarticle": Genre.NEWS,
}  # fmt: skip
"""Words in the types of structured data and OpenGraph, the most specific first."""
_CODE = re.compile(r"[A-Za-z]{2}(?=$|[-_])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """All fields but the body."""

    title: str = ""
    """The headline."""
    published: Moment | None = None
    """Date of publication."""
    modified: Moment | None = None
    """Date of the last change."""
    authors: tuple[str, ...] = ()
    """Names of the authors."""
    image: str | None = None
    """Absolute URL of the lead picture."""
    language: str | None = None
    """ISO 639-1 code."""
    sections: tuple[str, ...] = ()
    """The sections."""
    description: str | None = None
    """Summary of the article."""
    tags: tuple[str, ...] = ()
    """Topics."""
    publisher: str | None = None
    """Name of the publisher."""
    canonical_url: str | None = None
    """The absolute URL that the page names as its own."""
    access: Access | None = None
    """Free, partial or behind a paywall."""
    genre: Genre | None = None
    """Genre according to the site."""
    provenance: tuple[Provenance, ...] = ()
    """Provenance of each field."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class PageEvidence:
    """One page with its labels, names and metadata: the input for its fields."""

    url: str
    """Its URL."""
    tree: Tree
    """The page."""
    labelled: LabelledPage
    """Title and body as found by the labels."""
    labels: Labels
    """The labels."""
    page_names: PageNames
    """Head titles and anchor texts."""
    metadata: Metadata
    """Metadata of the head."""
    match: Match | None = None
    """Match with the pattern."""
    now: datetime | None = None
    """Time of reading; later dates are ignored. None accepts all dates."""

    @property
    def starts(self) -> Starts | None:
        """Return the vertices of the page that the pattern maps to."""
        return self.match.start if self.match is not None else None


Origin = Provenance | int
"""Source of a value: its provenance, or its vertex in the page."""
Dated = tuple[Moment, Origin]
"""A date and its source."""


class Imprint(NamedTuple):
    """Date and authors: fields that also count for an article."""

    dated: Dated | None = None
    """Date of publication."""
    authors: tuple[str, ...] = ()
    """Names of the authors."""
    signed: Origin = -1
    """Source of the authors."""


def read_imprint(source: PageEvidence) -> Imprint:
    """Return date and authors of a page."""
    return Imprint(_published(source), *_authors(source))


def read_fields(source: PageEvidence, imprint: Imprint | None = None) -> Fields:
    """Return the fields of a page, article or not; the imprint may be known."""
    dated, authors, signed = imprint or read_imprint(source)
    notes: list[Provenance] = []
    title = _title(source, notes)
    if source.labelled.container >= 0:
        notes.append(_provenance(source, "body", source.labelled.container, said="container"))
    elif source.labelled.body:
        notes.append(Provenance(field="body", source="fallback"))
    notes += [_provenance(source, "published", dated[1])] if dated else []
    published = dated[0] if dated else None
    modified = _modified(source, published, notes)
    notes += [_provenance(source, "authors", signed)] if authors else []
    metadata = source.metadata
    return Fields(
        title=title,
        published=published,
        modified=modified,
        authors=authors,
        image=_image(source, notes),
        language=_language(source, notes),
        sections=_listed(source, metadata.section, _CATEGORY, "sections", notes),
        description=_description(source, notes),
        tags=_listed(source, metadata.tags, _TAG, "tags", notes),
        publisher=_stated("publisher", _publisher(source), str, notes),
        canonical_url=_stated(
            "canonical_url", metadata.canonical_url, partial(whole_url, source.url), notes
        ),
        access=_access(source, notes),
        genre=_stated("genre", metadata.genre, _read_genre, notes),
        provenance=tuple(notes),
    )


def _title(source: PageEvidence, notes: list[Provenance]) -> str:
    leaf = source.labelled.title
    if leaf >= 0:
        notes.append(_provenance(source, "title", leaf))
        return source.labels.breadcrumbs.headline(source.tree.text_of(leaf))
    headline = next((said.value for said in source.metadata.headline), "")
    if source.page_names.shown or headline:
        notes.append(Provenance(field="title", source="head", place="title"))
    return source.page_names.shown or headline


def _provenance(
    source: PageEvidence, field: str, origin: Origin, said: str | None = None
) -> Provenance:
    """Return the provenance of a field; `said` is the kind of source if it is a vertex."""
    if not isinstance(origin, int):
        return origin
    found = source.match
    vertex = int(found.owner[origin]) if found is not None else -1
    wild = vertex >= 0 and found is not None and found.pattern.kind[vertex] != 0
    return Provenance(
        field=field,
        source=said or ("wildcard" if wild else "vertex" if vertex >= 0 else "place"),
        place=xpath_of(source.tree, origin),
        vertex=vertex if vertex >= 0 else None,
    )


def _believed(moment: Moment | None, now: datetime | None) -> TypeGuard[Moment]:
    if moment is None or moment.time.year < _FIRST_YEAR:
        return False
    return now is None or moment.time <= now


def _stated_dates(said: Iterable[MetadataValue], field: str) -> Iterator[Dated]:
    for one in said:
        moment = parse_date(one.value)
        if moment is not None:
            yield moment, Provenance(field=field, source=one.source, place=one.key)


def _published(source: PageEvidence) -> Dated | None:
    """Return the first credible date; a later source wins if only that has the time of day."""
    first: Dated | None = None
    for moment, origin in _publications(source):
        if not _believed(moment, source.now):
            continue
        if first is None:
            first = moment, origin
        is_corrected = CorrectedField.DATE in source.labels.corrected
        if first[0].precision is Precision.MINUTE or is_corrected:
            break
        near = abs(moment.day - first[0].day) <= timedelta(days=1)
        if near and moment.precision is Precision.MINUTE:
            return moment, origin
    return first


def _publications(source: PageEvidence) -> Iterator[Dated]:
    """Yield candidates for the date of publication, the most trusted first."""
    if CorrectedField.DATE in source.labels.corrected:
        yield from _printed(source)
    yield from _stated_dates(source.metadata.published, "published")
    stamps, _ = _time_elements(source.tree, source.labelled.title, source.labelled.container)
    for moment in stamps[:1]:
        yield moment, Provenance(field="published", source="time", place="datetime")
    yield from _printed(source)
    found = _URL_DATE.search(source.url)
    day = parse_date("-".join(part.zfill(2) for part in found.groups())) if found else None
    if day is not None:
        yield day, Provenance(field="published", source="url")


def _printed(source: PageEvidence) -> Iterator[Dated]:
    """Yield printed dates: at the elected place, else near title and body."""
    tree, labels = source.tree, source.labels
    place = find(tree, labels.date, source.starts)
    if place < 0:
        lines = lines_around(tree, source.labelled, with_digits=True)
    else:
        has_date = may_have_date(tree.text, tree.start[place], tree.end[place])
        lines = [place] if has_date else []
    for vertex in lines:
        moment = parse_date(
            line_at(tree, vertex), month_first=labels.month_first, language=tree.head.language
        )
        if moment is not None and (place >= 0 or _has_witness(source, moment, vertex)):
            yield moment, vertex


def _has_witness(source: PageEvidence, moment: Moment, vertex: int) -> bool:
    """Return False if a date in a footer, or in too early a year, is not confirmed by the URL."""
    is_odd = moment.time.year < source.labels.first_year or _is_in_footer(source.tree, vertex)
    return not is_odd or str(moment.time.year) in source.url


def _is_in_footer(tree: Tree, vertex: int) -> bool:
    while vertex > 0:
        if tree.tag[vertex] == _FOOTER:
            return True
        vertex = int(tree.parent[vertex])
    return False


def _modified(
    source: PageEvidence, published: Moment | None, notes: list[Provenance]
) -> Moment | None:
    """Return the latest credible date of a change; None if all are before the publication."""
    _, stamps = _time_elements(source.tree, source.labelled.title, source.labelled.container)
    note = Provenance(field="modified", source="time", place="datetime")
    said = [*_stated_dates(source.metadata.modified, "modified"), *((one, note) for one in stamps)]
    true = [
        dated
        for dated in said
        if _believed(dated[0], source.now) and not (published and dated[0].is_before(published))
    ]
    if not true:
        return None
    moment, origin = max(true, key=lambda dated: dated[0].time)
    notes.append(_provenance(source, "modified", origin))
    return moment


@remembered
def _time_elements(tree: Tree, title: int, container: int) -> tuple[list[Moment], list[Moment]]:
    """Return the times in `<time datetime>` near title and body: publications, changes."""
    dates: tuple[list[Moment], list[Moment]] = ([], [])
    if container < 0 and title < 0:
        return dates
    data = tree.source.data
    first = title if container < 0 or 0 <= title < container else container
    end = max(v + int(tree.size[v]) for v in (title, container) if v >= 0)
    if tree.tag_start[first] < 0:
        first = int(tree.parent[first])
    start = max(0, int(tree.tag_start[first]) - _NEAR)
    stop = tree.tag_from(end) + _NEAR
    if data.find(b"datetime=", start, stop) < 0 and data.find(b"<abbr", start, stop) < 0:
        return dates
    places = [*_TIME.finditer(data, start, stop)]
    if container < 0:  # a single page: another article may be just above the title
        places.sort(key=lambda found: found.start() < tree.tag_start[first])
    for found in places[:_STAMPS]:
        changed = bool(_CHANGED.search(found[0])) and b"published" not in found[0].lower()
        moment = parse_date((found[1] or found[2]).decode("utf-8", "replace"))
        if moment is not None:
            dates[changed].append(moment)
    return dates


def _authors(source: PageEvidence) -> tuple[tuple[str, ...], Origin]:
    """Return the authors: from the byline, unless structured data have them; else from metadata.

    The site's own name counts only if no other name is there, and not if every page has it.
    """
    tree, byline = source.tree, source.labels.author
    publishers = source.labels.publishers
    said = [one for one in source.metadata.authors if fold_text(one.value) not in publishers]
    if byline is None and not said:
        return (), -1
    own = {fold_text(one.value) for one in source.metadata.publisher}
    structured = any(one.source == "json-ld" and fold_text(one.value) not in own for one in said)
    if byline is not None and (byline.varies or not structured):
        printed = byline.read(tree, source.starts)
        persons = tuple(name for name in printed if fold_text(name) not in own)
        if printed:
            return persons or printed, find(tree, byline.selector, source.starts)
    trusted = [one for one in said if one.source == "json-ld" or fold_text(one.value) not in own]
    named = [one for one in trusted if fold_text(one.value) not in own] or trusted
    if not named:
        return (), -1
    origin = Provenance(field="authors", source=named[0].source, place=named[0].key)
    return tuple(dict.fromkeys(one.value for one in named)), origin


def _publisher(source: PageEvidence) -> Sequence[MetadataValue]:
    """Return the stated publishers, else an author that is stated on nearly all pages."""
    publishers, said = source.labels.publishers, source.metadata
    same = [one for one in said.authors if fold_text(one.value) in publishers]
    return said.publisher or same


def _image(source: PageEvidence, notes: list[Provenance]) -> str | None:
    found = lead_image(source.tree, source.labelled, source.labels, source.starts, source.metadata)
    if found is None:
        return None
    if isinstance(found, MetadataValue):
        url, note = found.value, Provenance(field="image", source=found.source, place=found.key)
    else:
        url, note = url_of(source.tree, found), _provenance(source, "image", found)
    whole = whole_url(source.url, url)
    notes += [note] if whole else []
    return whole


def _listed(
    source: PageEvidence,
    said: Sequence[MetadataValue],
    marked: re.Pattern[bytes],
    field: str,
    notes: list[Provenance],
) -> tuple[str, ...]:
    """Return short texts: those of the head, else marked links, else an elected place."""
    named = [part.strip() for one in said for part in _LIST.split(unescape(one.value))]
    if any(named):
        notes.append(Provenance(field=field, source=said[0].source, place=said[0].key))
    else:
        named = []
        if (part := _with_marked_links(source.tree, source.labelled)) is not None:
            links = _marked_links(source.tree.source.data, part, marked, _MARK[field])
            named = [_text(found[1]) for found in islice(links, _MOST)]
        if any(named):
            notes.append(Provenance(field=field, source="link", place="rel"))
        else:
            named = _at_place(source, field, notes)
    short = dict.fromkeys(text for text in named if 0 < len(text) <= _LONGEST)
    return tuple(list(short)[:_MOST])


def _at_place(source: PageEvidence, field: str, notes: list[Provenance]) -> list[str]:
    """Return the text at the elected place for sections or tags."""
    labels, tree = source.labels, source.tree
    is_tags = field == "tags"
    vertex = find(tree, labels.tags if is_tags else labels.section, source.starts)
    if vertex < 0:
        return []
    named = tag_texts(tree, vertex) if is_tags else [section_text(tree, vertex)]
    if any(named):
        notes.append(_provenance(source, field, vertex))
    return named


def _text(markup: bytes) -> str:
    return " ".join(unescape(_MARKUP.sub(b"", markup).decode("utf-8", "replace")).split())


@remembered
def _with_marked_links(tree: Tree, labelled: LabelledPage) -> tuple[int, int] | None:
    """Return the range of the source from before the title to after the body.

    Return None if no link there is marked as a tag or section.
    """
    if not labelled.body:
        return None
    title = labelled.title if labelled.title >= 0 else labelled.body[0]
    start = int(tree.tag_start[tree.parent[min(title, labelled.body[0])]]) - _AROUND
    part = max(0, start), tree.tag_from(labelled.body[-1] + 1) + _AROUND
    return part if _MARKED.search(tree.source.data, *part) else None


def _marked_links(
    data: bytes, part: tuple[int, int], marked: re.Pattern[bytes], mark: bytes
) -> Iterator[re.Match[bytes]]:
    """Yield the links with a mark in a part of a page; only bytes near marks are searched."""
    start, end = part
    first = data.find(mark, start, end)
    if first >= 0:
        begin, last = data.rfind(b"<a", start, first), data.rfind(mark, first, end)
        stop = data.find(b">", last) + _LINK_BYTES
        yield from marked.finditer(data, max(start, begin), min(stop, end))


def _description(source: PageEvidence, notes: list[Provenance]) -> str | None:
    for one in source.metadata.description:
        text = " ".join(_MARKUP.sub(b"", unescape(one.value).encode()).decode().split())
        if text:
            notes.append(Provenance(field="description", source=one.source, place=one.key))
            return text[:_SUMMARY]
    place = find(source.tree, source.labels.standfirst, source.starts)
    text = standfirst_text(source.tree, place)
    if text:
        notes.append(_provenance(source, "description", place))
    return text or None


def _stated(
    field: str,
    said: Iterable[MetadataValue],
    read: Callable[[str], Value | None],
    notes: list[Provenance],
) -> Value | None:
    """Return the first value in the metadata that can be read."""
    for one in said:
        value = read(one.value)
        if value is not None:
            notes.append(Provenance(field=field, source=one.source, place=one.key))
            return value
    return None


def _access(source: PageEvidence, notes: list[Provenance]) -> Access | None:
    said = source.metadata.access
    found = _stated("access", said, lambda value: _ACCESS.get(value.strip().lower()), notes)
    if found is None and source.tree.partial:
        notes.append(Provenance(field="access", source="parser"))
        return Access.PARTIAL
    return found


def _read_genre(kind: str) -> Genre | None:
    name = kind.rpartition("/")[2].lower()
    return next((genre for word, genre in _GENRES.items() if word in name), None)


def _language(source: PageEvidence, notes: list[Provenance]) -> str | None:
    own = source.tree.head.language
    said = [MetadataValue(own, "html", "lang")] if own else []
    found = _stated("language", [*said, *source.metadata.language], _CODE.match, notes)
    return found[0].lower() if found else None


def with_language(fields: Fields, body: str) -> Fields:
    """Return the fields with a language guessed from the body if the page has none."""
    code = guess_language(body) if fields.language is None else None
    if code is None:
        return fields
    note = Provenance(field="language", source="guess")
    return replace(fields, language=code, provenance=(*fields.provenance, note))


def fill_article(article: Article, fields: Fields) -> Article:
    """Return an article with title and body completed by the other fields."""
    return replace(article, **article_fields(fields))


def article_fields(fields: Fields) -> dict[str, Any]:
    """Return the fields of an article but for its title, by name."""
    published, modified = fields.published, fields.modified
    return {
        "published": published.utc if published else None,
        "published_precision": published.precision if published else None,
        "published_text": published.text if published else None,
        "modified": modified.utc if modified else None,
        "modified_precision": modified.precision if modified else None,
        "modified_text": modified.text if modified else None,
        "authors": fields.authors,
        "image": fields.image,
        "language": fields.language,
        "section": fields.sections[0] if fields.sections else None,
        "sections": fields.sections,
        "description": fields.description,
        "tags": fields.tags,
        "publisher": fields.publisher,
        "canonical_url": fields.canonical_url,
        "access": fields.access,
        "genre": fields.genre,
        "provenance": fields.provenance,
    }
