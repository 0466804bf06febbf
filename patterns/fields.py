"""The fields of an article beside its body, each with where it comes from."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from html import unescape
from itertools import islice
from typing import Any, NamedTuple, TypeGuard

from flong.article import Article, Provenance
from flong.patterns.blocks import whole_url
from flong.patterns.date_line import lines_around
from flong.patterns.dates import Moment, may_have_date, parse_date
from flong.patterns.labelled_places import section_text, standfirst_text, tag_texts
from flong.patterns.labels import LabelledPage, Labels, with_title
from flong.patterns.languages import guess_language
from flong.patterns.lead_image import lead_image, url_of
from flong.patterns.match import Match
from flong.patterns.metadata import Metadata, MetadataValue, metadata_of
from flong.patterns.page_titles import PageNames, learn_conventions
from flong.patterns.person_names import line_at, next_tag
from flong.patterns.selectors import Starts, find, xpath_of
from flong.states import Access, CorrectedField, Genre, Precision
from flong.text import fold_text
from flong.tree import SitePage, Tree, remembered

_NO_CONVENTIONS = learn_conventions({}, {})
_TIME = re.compile(
    rb"""<time(?=[^>]*\sdatetime=["']([^"']+)["'])[^>]*>"""
    rb"""|<abbr(?=[^>]*\sclass=["'][^"']*(?:published|updated))(?=[^>]*\stitle=["']([^"']+)["'])[^>]*>"""
)
"""A time for machines; before there was an element for it, `abbr` was used (hAtom)."""
"""One of them is in all of these."""
_STAMPS, _NEAR = 20, 2_000
"""So many of them are looked at, so many bytes around title and body."""
_FIRST_YEAR = 1980
"""No page says in its metadata that it is older: it is a default of the system."""
_CHANGED = re.compile(rb"updated|modified", re.IGNORECASE)
_URL_DATE = re.compile(r"/((?:19|20)\d\d)/(\d{1,2})/(\d{1,2})(?:/|$)")
_TAG = re.compile(rb'<a(?=[^>]*\srel="(?:nofollow )?tag")[^>]*>(.{1,200}?)</a>', re.DOTALL)
_CATEGORY = re.compile(
    rb'<a(?=[^>]*\srel="(?:nofollow )?category(?: tag)?")[^>]*>(.{1,200}?)</a>', re.DOTALL
)
"""Links that are marked as tags and as sections, as most blogs do."""
_MARKED = re.compile(rb'\srel="(?:nofollow )?(?:tag|category(?: tag)?)"')
"""What one of both is known by."""
_MARK = {"tags": b'tag"', "sections": b"category"}
"""What is in all of them."""
_LINK_BYTES = 210
"""What they have from the end of their first tag on, at most."""
_MARKUP = re.compile(rb"<[^>]*>")
_LIST = re.compile(r"[,;]\s*|\s\|\s")
_AROUND = 3_000
"""Bytes before the title and after the body in which tags and sections stand."""
_LONGEST, _MOST = 80, 50
"""Characters of a tag, and how many are kept."""
_SUMMARY = 2_000
"""Characters of the longest description."""
_ACCESS = {
    "true": Access.FREE, "free": Access.FREE, "false": Access.PAYWALLED,
    "metered": Access.PAYWALLED, "locked": Access.PAYWALLED,
}  # fmt: skip
_GENRES = {
    "liveblog": Genre.LIVE_BLOG, "opinion": Genre.OPINION, "review": Genre.REVIEW,
    "analysis": Genre.ANALYSIS, "gallery": Genre.GALLERY, "video": Genre.VIDEO,
    "podcast": Genre.PODCAST, "newsarticle": Genre.NEWS,
}  # fmt: skip
"""Words in the types of structured data and OpenGraph; those that say more come first."""
_CODE = re.compile(r"[A-Za-z]{2}(?=$|[-_])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """All but the body."""

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
    """What the page says of the article."""
    tags: tuple[str, ...] = ()
    """What it is about."""
    publisher: str | None = None
    """Who publishes it."""
    canonical_url: str | None = None
    """The absolute URL that the page names as its own."""
    access: Access | None = None
    """Whether all of it can be read."""
    genre: Genre | None = None
    """What sort of article the site says that it is."""
    provenance: tuple[Provenance, ...] = ()
    """Where each comes from."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class PageEvidence:
    """Everything about one page that fields are read from."""

    url: str
    """Its URL."""
    tree: Tree
    """The page."""
    labelled: LabelledPage
    """What the labels give."""
    labels: Labels
    """The labels."""
    page_names: PageNames
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


Origin = Provenance | int
"""Where a value comes from: what says it, or the vertex of the page at which it stands."""
Dated = tuple[Moment, Origin]
"""A date and where it comes from."""


class Imprint(NamedTuple):
    """Who wrote a page, and when: fields that also say whether it is an article."""

    dated: Dated | None = None
    """Date of publication."""
    authors: tuple[str, ...] = ()
    """Names of the authors."""
    signed: Origin = -1
    """Where they come from."""


def read_imprint(source: PageEvidence) -> Imprint:
    """Return who wrote a page, and when."""
    return Imprint(_published(source), *_authors(source))


def read_single_page(page: SitePage, now: datetime) -> Fields:
    """Return the fields of a page of which no site is known; dates after `now` are ignored."""
    tree, labels = page.tree, Labels()
    page_names = _NO_CONVENTIONS.name_page(tree.head, ())
    nothing = LabelledPage(title=-1, container=-1, body=[], instances=0)
    source = PageEvidence(
        url=page.url,
        tree=tree,
        labelled=with_title(nothing, tree, labels, page_names),
        labels=labels,
        page_names=page_names,
        metadata=metadata_of(tree),
        match=None,
        now=now,
    )
    return read_fields(source, read_imprint(source))


def read_fields(source: PageEvidence, imprint: Imprint | None = None) -> Fields:
    """Return the fields of a page, whether or not it is an article; the imprint may be known."""
    dated, authors, signed = imprint or read_imprint(source)
    notes: list[Provenance] = []
    title = _title(source, notes)
    if source.labelled.container >= 0:
        notes.append(in_page(source, "body", source.labelled.container, said="container"))
    elif source.labelled.body:
        notes.append(Provenance(field="body", source="fallback"))
    notes += [_note(source, "published", dated[1])] if dated else []
    published = dated[0] if dated else None
    modified = _modified(source, published, notes)
    notes += [_note(source, "authors", signed)] if authors else []
    return Fields(
        title=title,
        published=published,
        modified=modified,
        authors=authors,
        image=_image(source, notes),
        language=_language(source, notes),
        sections=_listed(source, source.metadata.section, _CATEGORY, "sections", notes),
        description=_description(source, notes),
        tags=_listed(source, source.metadata.tags, _TAG, "tags", notes),
        publisher=_said(source.metadata.publisher, "publisher", notes),
        canonical_url=_canonical(source, notes),
        access=_access(source, notes),
        genre=_genre(source, notes),
        provenance=tuple(notes),
    )


def _title(source: PageEvidence, notes: list[Provenance]) -> str:
    leaf = source.labelled.title
    if leaf >= 0:
        notes.append(in_page(source, "title", leaf))
        return " ".join(source.tree.text_of(leaf).split())
    headline = next((said.value for said in source.metadata.headline), "")
    if source.page_names.shown or headline:
        notes.append(Provenance(field="title", source="head", place="title"))
    return source.page_names.shown or headline


def in_page(source: PageEvidence, field: str, leaf: int, said: str | None = None) -> Provenance:
    """Return that a field comes from a text leaf of the page, and `said` what is known of it."""
    found = source.match
    vertex = int(found.owner[leaf]) if found is not None else -1
    wild = vertex >= 0 and found is not None and found.pattern.kind[vertex] != 0
    return Provenance(
        field=field,
        source=said or ("wildcard" if wild else "vertex" if vertex >= 0 else "place"),
        place=xpath_of(source.tree, leaf),
        vertex=vertex if vertex >= 0 else None,
    )


def _note(source: PageEvidence, field: str, origin: Origin) -> Provenance:
    return in_page(source, field, origin) if isinstance(origin, int) else origin


def _believed(moment: Moment | None, now: datetime | None) -> TypeGuard[Moment]:
    if moment is None or moment.time.year < _FIRST_YEAR:
        return False
    return now is None or moment.time <= now


def _stated(said: Iterable[MetadataValue], field: str) -> Iterator[Dated]:
    for one in said:
        moment = parse_date(one.value)
        if moment is not None:
            yield moment, Provenance(field=field, source=one.source, place=one.key)


def _published(source: PageEvidence) -> Dated | None:
    """Return the first date that is believed; a later one if only that knows the time of day."""
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
    """Yield the dates that may be the one of publication, the most trusted first."""
    if CorrectedField.DATE in source.labels.corrected:
        yield from _printed(source)
    yield from _stated(source.metadata.published, "published")
    stamps, _ = _time_elements(source.tree, source.labelled.title, source.labelled.container)
    for moment in stamps[:1]:
        yield moment, Provenance(field="published", source="time", place="datetime")
    yield from _printed(source)
    found = _URL_DATE.search(source.url)
    day = parse_date("-".join(part.zfill(2) for part in found.groups())) if found else None
    if day is not None:
        yield day, Provenance(field="published", source="url")


def _printed(source: PageEvidence) -> Iterator[Dated]:
    """Yield dates that people read: at the elected place, else near title and body."""
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
        if moment is not None:
            yield moment, vertex


def _modified(
    source: PageEvidence, published: Moment | None, notes: list[Provenance]
) -> Moment | None:
    """Return the latest date of a change; None if all are before the article was there."""
    _, stamps = _time_elements(source.tree, source.labelled.title, source.labelled.container)
    note = Provenance(field="modified", source="time", place="datetime")
    said = [*_stated(source.metadata.modified, "modified"), *((one, note) for one in stamps)]
    true = [
        dated
        for dated in said
        if _believed(dated[0], source.now) and not _is_before(dated[0], published)
    ]
    if not true:
        return None
    moment, origin = max(true, key=lambda dated: dated[0].time)
    notes.append(_note(source, "modified", origin))
    return moment


def _is_before(one: Moment, other: Moment | None) -> bool:
    if other is None:
        return False
    if Precision.DAY in (one.precision, other.precision):
        return one.day < other.day
    return one.time < other.time


@remembered
def _time_elements(tree: Tree, title: int, container: int) -> tuple[list[Moment], list[Moment]]:
    """Return what `<time datetime>` near title and body says: publications, changes."""
    dates: tuple[list[Moment], list[Moment]] = ([], [])
    if container < 0 and title < 0:
        return dates
    data = tree.source.data
    first = title if container < 0 or 0 <= title < container else container
    end = max(v + int(tree.size[v]) for v in (title, container) if v >= 0)
    if tree.tag_start[first] < 0:
        first = int(tree.parent[first])
    start = max(0, int(tree.tag_start[first]) - _NEAR)
    stop = next_tag(tree, end) + _NEAR
    if data.find(b"datetime=", start, stop) < 0 and data.find(b"<abbr", start, stop) < 0:
        return dates
    for found in islice(_TIME.finditer(data, start, stop), _STAMPS):
        changed = bool(_CHANGED.search(found[0])) and b"published" not in found[0].lower()
        moment = parse_date((found[1] or found[2]).decode("utf-8", "replace"))
        if moment is not None:
            dates[changed].append(moment)
    return dates


def _authors(source: PageEvidence) -> tuple[tuple[str, ...], Origin]:
    """Return who wrote it: the printed byline, unless structured data says it; else metadata.

    The site's own name stands for nobody where another is named, nor in a tag that every page has.
    """
    tree, byline = source.tree, source.labels.author
    said = source.metadata.authors
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


def _image(source: PageEvidence, notes: list[Provenance]) -> str | None:
    found = lead_image(source.tree, source.labelled, source.labels, source.starts, source.metadata)
    if found is None:
        return None
    if isinstance(found, MetadataValue):
        url, note = found.value, Provenance(field="image", source=found.source, place=found.key)
    else:
        url, note = url_of(source.tree, found), in_page(source, "image", found)
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
    """Return a list of short texts: what the head says, else links marked as such, else a place."""
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
    """Return what stands at the place that was elected for sections or tags."""
    labels, tree = source.labels, source.tree
    is_tags = field == "tags"
    vertex = find(tree, labels.tags if is_tags else labels.section, source.starts)
    if vertex < 0:
        return []
    named = tag_texts(tree, vertex) if is_tags else [section_text(tree, vertex)]
    if any(named):
        notes.append(in_page(source, field, vertex))
    return named


def _text(markup: bytes) -> str:
    return " ".join(unescape(_MARKUP.sub(b"", markup).decode("utf-8", "replace")).split())


@remembered
def _with_marked_links(tree: Tree, labelled: LabelledPage) -> tuple[int, int] | None:
    """Return from where to where the page goes a little before the title and after the body.

    None if no link there is marked as a tag or section.
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
    """Yield the links in a part of a page that have a mark; only what is around it is searched."""
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
        notes.append(in_page(source, "description", place))
    return text or None


def _canonical(source: PageEvidence, notes: list[Provenance]) -> str | None:
    for one in source.metadata.canonical_url:
        url = whole_url(source.url, one.value)
        if url is not None:
            notes.append(Provenance(field="canonical_url", source=one.source, place=one.key))
            return url
    return None


def _access(source: PageEvidence, notes: list[Provenance]) -> Access | None:
    for one in source.metadata.access:
        found = _ACCESS.get(one.value.strip().lower())
        if found is not None:
            notes.append(Provenance(field="access", source=one.source, place=one.key))
            return found
    if source.tree.partial:
        notes.append(Provenance(field="access", source="parser"))
        return Access.PARTIAL
    return None


def _genre(source: PageEvidence, notes: list[Provenance]) -> Genre | None:
    for one in source.metadata.genre:
        name = one.value.rpartition("/")[2].lower()
        found = next((genre for word, genre in _GENRES.items() if word in name), None)
        if found is not None:
            notes.append(Provenance(field="genre", source=one.source, place=one.key))
            return found
    return None


def _language(source: PageEvidence, notes: list[Provenance]) -> str | None:
    head = source.tree.head
    said = [MetadataValue(head.language, "html", "lang")] if head.language else []
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


def fill_article(article: Article, fields: Fields) -> Article:
    """Return an article that has a title and a body with all other fields."""
    return replace(article, **article_fields(fields))


def article_fields(fields: Fields) -> dict[str, Any]:
    """Return what an article has of the fields beside its title, by name."""
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


def _said(said: Iterable[MetadataValue], field: str, notes: list[Provenance]) -> str | None:
    for one in said:
        notes.append(Provenance(field=field, source=one.source, place=one.key))
        return one.value
    return None
