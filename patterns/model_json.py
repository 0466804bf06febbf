"""A site's model as JSON, to be read back exactly.

The classes of the model are the format: msgspec writes their fields and checks types on reading.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
import numpy as np

from flong.model_document import ModelDocument, PatternDocument
from flong.patterns.article_classifier import Prior
from flong.patterns.article_features import SiteContext
from flong.patterns.closing_paragraphs import ClosingParagraphs
from flong.patterns.labels import Fallback, Labels
from flong.patterns.model import ExtractionModel, LabelledPattern
from flong.patterns.page_titles import TitleConventions
from flong.patterns.pattern import Hashes
from flong.patterns.pattern_text import read_text, write_text
from flong.patterns.selectors import Selector

VERSION = 8
"""Version of the format; models of other versions are refused."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Version:
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _SiteData:
    """The part of a model that all patterns share."""

    version: int
    conventions: TitleConventions
    context: SiteContext
    """Without the labels of its eras, which are those of their patterns."""
    closing: ClosingParagraphs
    refused: frozenset[str]
    patterns: int
    """Number of patterns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _PatternData:
    """The part of a labelled pattern that has no column of its own."""

    labels: Labels
    """Without `closing`, which all patterns share."""
    fitting: Prior
    other: Prior


def write_model(model: ExtractionModel) -> ModelDocument:
    """Return a model as it is stored: the data of the site, and its patterns."""
    patterns = model.patterns
    data = _SiteData(
        version=VERSION,
        conventions=model.conventions,
        context=model.context.with_labels([Labels()] * len(patterns)),
        closing=patterns[0].labels.closing if patterns else ClosingParagraphs(),
        refused=model.refused,
        patterns=len(patterns),
    )
    return ModelDocument(data=write_json(data), patterns=tuple(map(_write_pattern, patterns)))


def read_model(document: ModelDocument, fallback: Fallback | None = None) -> ExtractionModel:
    """Return the model that `write_model` wrote.

    Raise `ValueError` if another version of flong wrote it, or if it is damaged: compiled code
    follows its numbers without checking them again.
    """
    found = read_json(document.data, _Version).version
    if found != VERSION:
        raise ValueError(f"a model of version {found!r} cannot be read: learn again")
    data = read_json(document.data, _SiteData)
    if data.patterns != len(document.patterns):
        raise ValueError(f"{len(document.patterns)} of its {data.patterns} patterns are stored")
    patterns = tuple(
        _read_pattern(number, row, data.closing) for number, row in enumerate(document.patterns)
    )
    for era in data.context.eras:
        if not 0 <= era.pattern < len(patterns):
            raise ValueError(f"it has no pattern {era.pattern}")
    return ExtractionModel(
        conventions=data.conventions,
        context=data.context.with_labels([known.labels for known in patterns]),
        refused=data.refused,
        patterns=patterns,
        fallback=fallback,
        version=document.version,
    )


def _write_pattern(known: LabelledPattern) -> PatternDocument:
    data = _PatternData(
        labels=known.labels.replace(closing=ClosingParagraphs()),
        fitting=known.fitting,
        other=known.other,
    )
    return PatternDocument(
        id=known.id,
        cluster_id=known.cluster,
        text=write_text(known.pattern),
        labels=write_json(data),
        made_from=known.pages,
        article_share=known.articles,
        roles=known.roles,
    )


def _read_pattern(
    number: int, document: PatternDocument, closing: ClosingParagraphs
) -> LabelledPattern:
    data = read_json(document.labels, _PatternData)
    pattern, _ = read_text(document.text)
    vertices = [*(vertex for vertex, _ in document.roles), *_vertices(data.labels)]
    if any(not -1 <= vertex < len(pattern) for vertex in vertices):
        raise ValueError(f"a label of pattern {number} is outside of its {len(pattern)} vertices")
    return LabelledPattern(
        number=number,
        id=document.id,
        cluster=-1 if document.cluster_id is None else document.cluster_id,
        pattern=pattern,
        pages=document.made_from,
        labels=data.labels.replace(closing=closing),
        fitting=data.fitting,
        other=data.other,
        articles=document.article_share,
        roles=document.roles,
    )


def _vertices(labels: Labels) -> Iterator[int]:
    """Yield the vertices of the pattern that labels refer to, -1 for a selector by name."""
    named = (labels.title, labels.body, labels.date, labels.standfirst, labels.section, labels.tags)
    byline = labels.author.selector if labels.author else None
    for selector in (*named, byline, *labels.exclusions.selectors):
        around = selector
        while around is not None:
            yield around.vertex
            around = around.inside


def write_selector(selector: Selector | None) -> str:
    """Return a selector as JSON: `[tag, class, id, the selector around it, vertex]`.

    >>> write_selector(Selector("p", "lead"))
    '["p","lead","",null,-1]'
    """
    return write_json(selector)


def read_selector(text: str) -> Selector | None:
    """Return the selector that `write_selector` wrote; ValueError for any other text."""
    found: Selector | None = read_json(text, Selector | None)  # type: ignore[arg-type]
    return found


def write_json(value: object) -> str:
    """Return a dataclass or tuple as JSON; equal values give equal texts."""
    return msgspec.json.encode(value, enc_hook=_write_array, order="deterministic").decode()


def read_json(text: str, kind: type[T]) -> T:
    """Return a value of a class that `write_json` wrote; ValueError if it is not one."""
    try:
        return msgspec.json.decode(text, type=kind, dec_hook=_read_array)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(f"it cannot be read ({error})") from error


def _write_array(value: Any) -> str:
    if not isinstance(value, np.ndarray):
        raise TypeError(f"{type(value).__name__} cannot be written")
    return to_hex(value)


def _read_array(kind: Any, value: Any) -> Hashes:
    try:
        return from_hex(value)
    except (TypeError, ValueError) as error:
        raise msgspec.ValidationError(f"hashes expected: {error}") from error


def to_hex(hashes: Hashes) -> str:
    """Return hashes as one line of hexadecimal digits, sixteen for each.

    >>> to_hex(np.array([1, -1]))
    '0000000000000001ffffffffffffffff'
    """
    return hashes.astype(">i8").tobytes().hex()


def from_hex(digits: str) -> Hashes:
    """Return the hashes that `to_hex` wrote.

    >>> from_hex("0000000000000001ffffffffffffffff").tolist()
    [1, -1]
    """
    return np.frombuffer(bytes.fromhex(digits), dtype=">i8").astype(np.int64)
