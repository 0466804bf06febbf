"""A site's model as JSON, to be read back exactly."""

import json
from dataclasses import fields
from typing import Any

import numpy as np

from flong.model_document import ModelDocument, PatternDocument
from flong.patterns.article_classifier import Prior
from flong.patterns.article_features import SiteContext, SiteNorms
from flong.patterns.closing_paragraphs import ClosingParagraphs
from flong.patterns.exclusions import Exclusions
from flong.patterns.labelled_pattern import LabelledPattern
from flong.patterns.labels import Fallback, Labels
from flong.patterns.model import ExtractionModel
from flong.patterns.page_titles import Affixes, TitleConventions
from flong.patterns.pattern import SYMBOLS, WILDCARD, Hashes, Ints, Pattern, hash_of
from flong.patterns.person_names import Byline
from flong.patterns.selectors import Selector
from flong.states import CorrectedField
from flong.tree import tag_name, tag_number

VERSION = 5
"""Of the format; another one is refused."""


def write_model(model: ExtractionModel) -> ModelDocument:
    """Return a model as it is stored: what holds for the site, and its patterns."""
    conventions = model.conventions
    data = {
        "version": VERSION,
        "naming": {
            "pages": conventions.pages,
            "prefixes": sorted(conventions.affixes.prefixes),
            "suffixes": sorted(conventions.affixes.suffixes),
            "common_heads": sorted(conventions.common_heads),
            "common_anchors": sorted(conventions.common_anchors),
        },
        "norms": _plain(model.context.norms),
        "titles": to_hex(model.context.titles),
        "boilerplate": to_hex(model.context.boilerplate),
        "directories": sorted(model.context.directories),
        "closing": _write_closing(model),
        "main": model.main,
        "refused": sorted(model.refused),
        "labelling": "vote",
        "patterns": len(model.patterns),
    }
    return ModelDocument(
        data=_json(data), patterns=tuple(_write_pattern(known) for known in model.patterns)
    )


def read_model(document: ModelDocument, fallback: Fallback | None = None) -> ExtractionModel:
    """Return the model that `write_model` wrote; ValueError if another version of flong did."""
    try:
        return _read_model(document, fallback)
    except (KeyError, TypeError) as error:
        raise ValueError("it cannot be read") from error


def _read_model(document: ModelDocument, fallback: Fallback | None) -> ExtractionModel:
    data = json.loads(document.data)
    if data.get("version") != VERSION:
        raise ValueError(f"a model of version {data.get('version')!r} cannot be read: learn again")
    if data["patterns"] != len(document.patterns):
        raise ValueError(f"{len(document.patterns)} of its {data['patterns']} patterns are stored")
    conventions = data["naming"]
    closing = _read_closing(data["closing"])
    patterns = tuple(
        _read_pattern(number, row, closing) for number, row in enumerate(document.patterns)
    )
    return ExtractionModel(
        conventions=TitleConventions(
            pages=conventions["pages"],
            affixes=Affixes(frozenset(conventions["prefixes"]), frozenset(conventions["suffixes"])),
            common_heads=frozenset(conventions["common_heads"]),
            common_anchors=frozenset(conventions["common_anchors"]),
        ),
        context=SiteContext(
            norms=SiteNorms(**data["norms"]),
            titles=from_hex(data["titles"]),
            boilerplate=from_hex(data.get("boilerplate", "")),
            directories=frozenset(data.get("directories", ())),
            main=patterns[data["main"]].labels if data["main"] is not None else None,
        ),
        main=data["main"],
        refused=frozenset(data.get("refused", ())),
        patterns=patterns,
        fallback=fallback,
        version=document.version,
    )


def _write_closing(model: ExtractionModel) -> list[str]:
    """Return what recurs at the end of bodies, which all patterns share."""
    found = model.patterns[0].labels.closing if model.patterns else ClosingParagraphs()
    return [" ".join(wording) for wording in found.wordings]


def _read_closing(data: list[str]) -> ClosingParagraphs:
    return ClosingParagraphs(tuple(tuple(wording.split()) for wording in data))


def _write_pattern(known: LabelledPattern) -> PatternDocument:
    labels = {
        **_write_labels(known.labels),
        "fitting": _plain(known.fitting),
        "other": _plain(known.other),
    }
    return PatternDocument(
        id=known.id,
        cluster_id=known.cluster,
        data=_json(encode_pattern(known.pattern)),
        labels=_json(labels),
        made_from=known.pages,
        article_share=known.articles,
        roles=known.roles,
    )


def _read_pattern(
    number: int, document: PatternDocument, closing: ClosingParagraphs
) -> LabelledPattern:
    labels = json.loads(document.labels)
    return LabelledPattern(
        number=number,
        id=document.id,
        cluster=-1 if document.cluster_id is None else document.cluster_id,
        pattern=decode_pattern(json.loads(document.data)),
        pages=document.made_from,
        labels=_read_labels(labels).replace(closing=closing),
        fitting=Prior(**labels["fitting"]),
        other=Prior(**labels["other"]),
        articles=document.article_share,
        roles=document.roles,
    )


_SELECTORS = ("title", "body", "date", "standfirst", "section", "tags")
_NUMBERS = ("title_score", "body_score", "instances", "month_first")


def _write_labels(labels: Labels) -> dict[str, Any]:
    return {
        **{name: write_selector(getattr(labels, name)) for name in _SELECTORS},
        **{name: getattr(labels, name) for name in _NUMBERS},
        "author": _write_byline(labels.author),
        "images": sorted(labels.images),
        "excluded": [write_selector(selector) for selector in labels.exclusions.selectors],
        "trailing_links": labels.exclusions.trailing_links,
        "constants": to_hex(labels.constants),
        "corrected": sorted(labels.corrected),
    }


def _read_labels(data: dict[str, Any]) -> Labels:
    plain = {name: data[name] for name in _NUMBERS}
    selectors = {name: read_selector(data.get(name)) for name in _SELECTORS}
    return Labels().replace(
        **plain,
        **selectors,
        author=_read_byline(data["author"]),
        images=frozenset(data["images"]),
        exclusions=Exclusions(
            tuple(selector for one in data["excluded"] if (selector := read_selector(one))),
            data["trailing_links"],
        ),
        constants=from_hex(data["constants"]),
        corrected=frozenset(map(CorrectedField, data.get("corrected", ()))),
    )


def _write_byline(byline: Byline | None) -> list[Any] | None:
    """Return a byline as a list of its fields."""
    if byline is None:
        return None
    selector, *rest = (getattr(byline, field.name) for field in fields(byline))
    return [write_selector(selector), *rest]


def _read_byline(data: list[Any] | None) -> Byline | None:
    selector = read_selector(data[0]) if data else None
    if data is None or selector is None:
        return None
    _, mark, before, after, joints, varies = data
    return Byline(selector, mark, before, after, tuple(joints), varies)


def write_selector(selector: Selector | None) -> list[Any] | None:
    """Return a selector as `[tag, class, id, the selector around it, vertex of the pattern]`."""
    if selector is None:
        return None
    return [
        selector.tag,
        selector.token,
        selector.ident,
        write_selector(selector.inside),
        selector.vertex,
    ]


def read_selector(data: list[Any] | None) -> Selector | None:
    """Return the selector that `write_selector` wrote."""
    if data is None:
        return None
    tag, token, ident, inside, vertex = data
    return Selector(tag, token, ident, read_selector(inside), vertex)


def _plain(value: SiteNorms | Prior) -> dict[str, float]:
    return {field.name: getattr(value, field.name) for field in fields(value)}


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def encode_pattern(pattern: Pattern) -> dict[str, Any]:
    r"""Return a pattern as values that JSON can hold.

    >>> from flong.patterns import read_text
    >>> columns = encode_pattern(read_text("body\n  h1.big\n    .\n  *")[0])
    >>> columns["kind"], columns["tags"], columns["tag"], columns["parent"], columns["names"]
    ('  .*', ['body', 'h1'], [0, 1, -1, -1], [-1, 0, 1, 0], ['big'])
    """
    tags = [number for number in np.unique(pattern.tag).tolist() if number != WILDCARD]
    position = {WILDCARD: WILDCARD, **{number: at for at, number in enumerate(tags)}}
    return {
        "kind": "".join(SYMBOLS[kind] for kind in pattern.kind.tolist()),
        "tags": [tag_name(number) for number in tags],
        "tag": [position[number] for number in pattern.tag.tolist()],
        "parent": pattern.parent.tolist(),
        "classes": np.diff(pattern.class_start).tolist(),
        "class_hash": to_hex(pattern.class_hash),
        "names": list(pattern.names.values()),
        "text_hash": to_hex(pattern.text_hash),
        "texts": [pattern.texts.get(text, "") for text in _texts(pattern.text_hash)],
    }


def decode_pattern(data: dict[str, Any]) -> Pattern:
    r"""Return the pattern that `encode_pattern` wrote.

    >>> from flong.patterns import read_text, write_text
    >>> text = 'body.home\n  text "Home"\n  +\n'
    >>> write_text(decode_pattern(encode_pattern(read_text(text)[0]))) == text
    True
    """
    tags = np.array([*map(tag_number, data["tags"]), WILDCARD], np.int32)
    text_hash = from_hex(data["text_hash"])
    return Pattern(
        kind=np.array([SYMBOLS.index(symbol) for symbol in data["kind"]], np.int8),
        tag=tags[data["tag"]],
        parent=np.array(data["parent"], np.int32),
        size=_sizes(data["parent"]),
        class_start=np.cumsum([0, *data["classes"]], dtype=np.int32),
        class_hash=from_hex(data["class_hash"]),
        text_hash=text_hash,
        names={hash_of(name): name for name in data["names"]},
        texts=dict(zip(_texts(text_hash), data["texts"], strict=True)),
    )


def _texts(text_hash: Hashes) -> list[int]:
    """Return the hashes of the constant texts, each once."""
    texts: list[int] = np.unique(text_hash[text_hash != 0]).tolist()
    return texts


def _sizes(parents: list[int]) -> Ints:
    """Return the number of vertices of each sub-tree."""
    sizes = [1] * len(parents)
    for vertex in range(len(parents) - 1, 0, -1):
        sizes[parents[vertex]] += sizes[vertex]
    return np.array(sizes, np.int32)


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
