"""Why a page gave what it gave: every decision on the way, to be shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from flong.article import Provenance
from flong.patterns.article_evidence import Point
from flong.patterns.fields import Fields
from flong.patterns.model import Extraction, ExtractionModel
from flong.patterns.page_titles import Anchor
from flong.patterns.pattern_choice import Refusal
from flong.tree import SitePage

_SHOWN = 200
"""Characters of a value that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSource:
    """Where one field of a page comes from."""

    field: str
    """Its name."""
    value: str
    """The beginning of its value."""
    source: str
    """What gave it: a wildcard, a container, metadata ..."""
    place: str
    """Where that is: an XPath in the page, or a key of the metadata."""
    vertex: int | None
    """Vertex of the pattern that gave it; None if none did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Everything that led to the extraction of one page."""

    extraction: Extraction
    """What came out."""
    labels: tuple[tuple[str, str], ...]
    """Roles and the selectors that find them, by the chosen pattern."""
    others: tuple[Refusal, ...]
    """Patterns that were not chosen, each with why."""
    points: tuple[Point, ...]
    """What speaks for and against an article."""
    fields: tuple[FieldSource, ...]
    """Where each field comes from."""
    names: tuple[str, ...]
    """What the page is called, by itself and by others, folded."""


def explain(
    model: ExtractionModel,
    page: SitePage,
    anchors: Sequence[Anchor] = (),
    now: datetime | None = None,
) -> Explanation:
    """Return why a page gave what it gave."""
    seen = model.examine(page, anchors, now)
    chosen = seen.chosen
    labels = chosen.labels if chosen else None
    selectors = [
        (role, str(selector))
        for role in ("title", "body", "date", "author", "standfirst", "section", "tags")
        if labels is not None and (selector := getattr(labels, role)) is not None
    ]
    excluded = labels.exclusions.selectors if labels is not None else ()
    extraction = model.conclude(page, seen)
    body = extraction.article.body if extraction.article else ""
    return Explanation(
        extraction=extraction,
        labels=(*selectors, *(("excluded", str(selector)) for selector in excluded)),
        others=seen.choice.others,
        points=seen.judgement.points,
        fields=tuple(_field_source(seen.fields, body, note) for note in seen.fields.provenance),
        names=(*seen.page_names.heads, *seen.page_names.anchors),
    )


def _field_source(fields: Fields, body: str, note: Provenance) -> FieldSource:
    value = body if note.field == "body" else getattr(fields, note.field, "")
    text = ", ".join(value) if isinstance(value, tuple) else str(value)
    return FieldSource(
        field=note.field,
        value=text[:_SHOWN],
        source=note.source,
        place=note.place,
        vertex=note.vertex,
    )
