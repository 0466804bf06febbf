"""Trained wrappers as JSON, with their training data's origin."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from flong.visual.boosting import BoostedTrees
from flong.visual.wrapper import PublishedWrapper, VWrapper

VERSION = 2
"""Version of the format; files of other versions are refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedWrapper:
    """A wrapper and its origin."""

    wrapper: VWrapper | PublishedWrapper
    """Classifiers."""
    sites: tuple[str, ...]
    """Training sites."""
    pages: int
    """Number of training pages."""
    fingerprint: str
    """Digest of the training pages and labels."""
    figures: Mapping[str, float] = field(default_factory=dict)
    """Scores on sites outside the training set, by name."""


WRAPPERS = {
    "v-wrapper": ("model.json", "model-plain.json"),
    "v-wrapper-as-published": ("model-as-published.json", "model-as-published-plain.json"),
}
"""Files with the shipped wrappers by method: for pages with style sheets, and without."""


@cache
def shipped_wrapper(method: str, *, styled: bool = True) -> TrainedWrapper:
    """Return a wrapper shipped with flong, for pages laid out with or without style sheets.

    >>> shipped_wrapper("v-wrapper").pages > 500
    True
    """
    name = WRAPPERS[method][0 if styled else 1]
    return read_wrapper(files("flong.visual").joinpath(name).read_text(encoding="utf-8"))


def write_wrapper(trained: TrainedWrapper) -> str:
    """Return the wrapper in the form that `read_wrapper` reads."""
    wrapper = trained.wrapper
    parts = {
        name: value.to_json() if isinstance(value, BoostedTrees) else round(value, 6)
        for name in wrapper.__dataclass_fields__
        for value in [getattr(wrapper, name)]
    }
    whole = {
        "version": VERSION,
        "sites": list(trained.sites),
        "pages": trained.pages,
        "fingerprint": trained.fingerprint,
        "figures": dict(trained.figures),
        "as_published": isinstance(wrapper, PublishedWrapper),
        "wrapper": parts,
    }
    return json.dumps(whole, separators=(",", ":")) + "\n"


def read_wrapper(text: str) -> TrainedWrapper:
    """Return a wrapper from JSON; raise `ValueError` if the text is invalid."""
    try:
        whole = json.loads(text)
        if whole["version"] != VERSION:
            raise ValueError(f"it has version {whole['version']}, not {VERSION}")
        parts: dict[str, Any] = {
            name: BoostedTrees.from_json(value) if isinstance(value, dict) else float(value)
            for name, value in whole["wrapper"].items()
        }
        kind = PublishedWrapper if whole["as_published"] else VWrapper
        return TrainedWrapper(
            wrapper=kind(**parts),
            sites=tuple(whole["sites"]),
            pages=int(whole["pages"]),
            fingerprint=str(whole["fingerprint"]),
            figures=whole["figures"],
        )
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"not a V-Wrapper ({error!r})") from error
