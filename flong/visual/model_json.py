"""Wrappers as JSON: small enough for a repository, with what they were trained on."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from flong.visual.boosting import BoostedTrees
from flong.visual.wrapper import PublishedWrapper, VWrapper

VERSION = 2
"""Of the form; a file of another one is refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedWrapper:
    """A wrapper and where it comes from."""

    wrapper: VWrapper | PublishedWrapper
    """The classifiers."""
    sites: tuple[str, ...]
    """What it was trained on."""
    pages: int
    """Pages of them."""
    fingerprint: str
    """Digest of the training pages and labels: the same data give the same one."""
    figures: Mapping[str, float] = field(default_factory=dict)
    """How right it was on sites that it was not trained on, by name."""


WRAPPERS = {"v-wrapper": "model.json", "v-wrapper-as-published": "model-as-published.json"}
"""Methods that look at pages, and the files here that hold what they learned."""


@cache
def shipped_wrapper(method: str) -> TrainedWrapper:
    """Return a wrapper that comes with the program.

    >>> shipped_wrapper("v-wrapper").pages > 500
    True
    """
    return read_wrapper(
        files("flong.visual").joinpath(WRAPPERS[method]).read_text(encoding="utf-8")
    )


def write_wrapper(trained: TrainedWrapper) -> str:
    """Return what `read_wrapper` reads."""
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
    """Return a wrapper that was written as JSON; `ValueError` says what is wrong with it."""
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
        raise ValueError(f"it is no V-Wrapper ({error!r})") from error
