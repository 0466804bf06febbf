"""A site's model as JSON, to be read back exactly."""

import json
from dataclasses import fields
from typing import Any

import numpy as np

from patterns.columns import from_hex, read_columns, to_hex, write_columns
from patterns.exclusions import Exclusions
from patterns.headlines import Affixes, Naming
from patterns.labelled import LabelledPattern
from patterns.labels import Labels
from patterns.model import SiteModel
from patterns.names import Byline
from patterns.places import Place
from patterns.signs import Norms, Sense
from patterns.verdict import Prior

VERSION = 2
"""Of the format; another one is refused."""


def write_model(model: SiteModel) -> str:
    """Return a model as JSON."""
    naming = model.naming
    data = {
        "version": VERSION,
        "naming": {
            "pages": naming.pages,
            "prefixes": sorted(naming.affixes.prefixes),
            "suffixes": sorted(naming.affixes.suffixes),
            "common_heads": sorted(naming.common_heads),
            "common_anchors": sorted(naming.common_anchors),
        },
        "norms": _plain(model.sense.norms),
        "titles": to_hex(model.sense.titles),
        "shared": to_hex(np.array(sorted(model.sense.shared), dtype=np.int64)),
        "main": model.main,
        "labelling": model.labelling,
        "patterns": [_write_pattern(known) for known in model.patterns],
    }
    return json.dumps(data, ensure_ascii=False)


def read_model(text: str) -> SiteModel:
    """Return the model that `write_model` wrote; ValueError for another version of it."""
    data = json.loads(text)
    if data.get("version") != VERSION:
        raise ValueError(f"a model of version {data.get('version')!r} cannot be read: learn again")
    naming = data["naming"]
    patterns = tuple(map(_read_pattern, data["patterns"]))
    return SiteModel(
        naming=Naming(
            pages=naming["pages"],
            affixes=Affixes(frozenset(naming["prefixes"]), frozenset(naming["suffixes"])),
            common_heads=frozenset(naming["common_heads"]),
            common_anchors=frozenset(naming["common_anchors"]),
        ),
        sense=Sense(
            norms=Norms(**data["norms"]),
            titles=from_hex(data["titles"]),
            shared=frozenset(from_hex(data["shared"]).tolist()),
            main=patterns[data["main"]].labels if data["main"] is not None else None,
        ),
        main=data["main"],
        labelling=data["labelling"],
        patterns=patterns,
    )


def _write_pattern(known: LabelledPattern) -> dict[str, Any]:
    return {
        "number": known.number,
        "cluster": known.cluster,
        "pattern": write_columns(known.pattern),
        "pages": known.pages,
        "labels": _write_labels(known.labels),
        "fitting": _plain(known.fitting),
        "other": _plain(known.other),
        "articles": known.articles,
        "roles": [list(role) for role in known.roles],
    }


def _read_pattern(data: dict[str, Any]) -> LabelledPattern:
    return LabelledPattern(
        number=data["number"],
        cluster=data["cluster"],
        pattern=read_columns(data["pattern"]),
        pages=data["pages"],
        labels=_read_labels(data["labels"]),
        fitting=Prior(**data["fitting"]),
        other=Prior(**data["other"]),
        articles=data["articles"],
        roles=tuple((vertex, role) for vertex, role in data["roles"]),
    )


_PLACES = ("title", "body", "date")
_NUMBERS = ("title_score", "body_score", "instances", "month_first")


def _write_labels(labels: Labels) -> dict[str, Any]:
    return {
        **{name: _write_place(getattr(labels, name)) for name in _PLACES},
        **{name: getattr(labels, name) for name in _NUMBERS},
        "author": _write_byline(labels.author),
        "images": sorted(labels.images),
        "excluded": [_write_place(place) for place in labels.exclusions.places],
        "trailing_links": labels.exclusions.trailing_links,
        "constants": to_hex(labels.constants),
    }


def _read_labels(data: dict[str, Any]) -> Labels:
    plain = {name: data[name] for name in _NUMBERS}
    places = {name: _read_place(data[name]) for name in _PLACES}
    return Labels().replace(
        **plain,
        **places,
        author=_read_byline(data["author"]),
        images=frozenset(data["images"]),
        exclusions=Exclusions(
            tuple(place for one in data["excluded"] if (place := _read_place(one))),
            data["trailing_links"],
        ),
        constants=from_hex(data["constants"]),
    )


def _write_byline(byline: Byline | None) -> list[Any] | None:
    """Return a byline as a list of its fields."""
    if byline is None:
        return None
    place, *rest = (getattr(byline, field.name) for field in fields(byline))
    return [_write_place(place), *rest]


def _read_byline(data: list[Any] | None) -> Byline | None:
    place = _read_place(data[0]) if data else None
    if data is None or place is None:
        return None
    _, mark, before, after, joints, varies = data
    return Byline(place, mark, before, after, tuple(joints), varies)


def _write_place(place: Place | None) -> list[Any] | None:
    """Return a place as `[tag, class, id, the place around it, vertex of the pattern]`."""
    if place is None:
        return None
    return [place.tag, place.token, place.ident, _write_place(place.inside), place.vertex]


def _read_place(data: list[Any] | None) -> Place | None:
    if data is None:
        return None
    tag, token, ident, inside, vertex = data
    return Place(tag, token, ident, _read_place(inside), vertex)


def _plain(value: Norms | Prior) -> dict[str, float]:
    return {field.name: getattr(value, field.name) for field in fields(value)}
