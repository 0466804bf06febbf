"""Explanation of the decision about a page: pattern, labels, evidence and fields."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from flong.article import Provenance
from flong.decision import Decision
from flong.page import Anchor
from flong.patterns.article_evidence import Point
from flong.patterns.fields import Fields
from flong.patterns.model import ExtractionModel
from flong.patterns.pattern_choice import Refusal
from flong.tree import SitePage

_SHOWN = 200
"""Maximum characters of a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSource:
    """Origin of one field of a page."""

    field: str
    """Name of the field."""
    value: str
    """Beginning of its value."""
    source: str
    """Kind of source: a wildcard, a container, metadata ..."""
    place: str
    """XPath in the page, or key of the metadata."""
    vertex: int | None
    """Vertex of the pattern; None if the value is not from a match."""
    doubt: str
    """Reason to check it; empty if it is sure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """The decision about one page, with the evidence for it."""

    decision: Decision
    """The decision."""
    labels: tuple[tuple[str, str], ...]
    """Roles and selectors of the chosen pattern."""
    others: tuple[Refusal, ...]
    """Patterns that were not chosen, with reasons."""
    points: tuple[Point, ...]
    """Evidence for and against an article."""
    fields: tuple[FieldSource, ...]
    """Origin of each field."""
    names: tuple[str, ...]
    """Head titles and anchor texts of the page, folded."""


def explain(
    model: ExtractionModel,
    page: SitePage,
    anchors: Sequence[Anchor] = (),
    now: datetime | None = None,
) -> Explanation:
    """Return the explanation of the decision about a page."""
    seen = model.examine(page, anchors, now)
    chosen = seen.chosen
    labels = chosen.labels if chosen else None
    selectors = [
        (role, str(selector))
        for role in ("title", "body", "date", "author", "standfirst", "section", "tags")
        if labels is not None and (selector := getattr(labels, role)) is not None
    ]
    excluded = labels.exclusions.selectors if labels is not None else ()
    decision = model.conclude(page, seen)
    body = decision.article.body if decision.article else ""
    doubts = decision.article.doubts if decision.article else {}
    return Explanation(
        decision=decision,
        labels=(*selectors, *(("excluded", str(selector)) for selector in excluded)),
        others=seen.choice.others,
        points=seen.judgement.points,
        fields=tuple(
            _field_source(seen.fields, body, note, doubts.get(note.field, ""))
            for note in seen.fields.provenance
        ),
        names=(*seen.source.page_names.heads, *seen.source.page_names.anchors),
    )


def _field_source(fields: Fields, body: str, note: Provenance, doubt: str) -> FieldSource:
    value = body if note.field == "body" else getattr(fields, note.field, "")
    text = ", ".join(value) if isinstance(value, tuple) else str(value)
    return FieldSource(
        field=note.field,
        value=text[:_SHOWN],
        source=note.source,
        place=note.place,
        vertex=note.vertex,
        doubt=doubt,
    )
