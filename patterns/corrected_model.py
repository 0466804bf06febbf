"""A model with corrections in it, and whether its pages are read as they say."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from flong.patterns.corrections import Correction, Own, overrides_of, refused_urls
from flong.patterns.dates import parse_date
from flong.patterns.model import Examined, ExtractionModel
from flong.patterns.model_json import read_selector
from flong.patterns.person_names import line_at
from flong.patterns.selectors import first_leaf, xpath_of
from flong.states import CorrectedField, CorrectionKind
from flong.tree import Tree

Corrected = tuple[Correction, Tree]
"""A correction and the page that it was made on."""


def read_correction(
    *, url: str, field: CorrectedField, kind: CorrectionKind, place: str, selector: str | None
) -> Correction:
    """Return a correction whose selector is JSON, as `write_selector` gives it."""
    found = read_selector(json.loads(selector)) if selector else None
    return Correction(url=url, field=field, kind=kind, place=place, selector=found)


def correct_model(
    model: ExtractionModel, corrections: Sequence[Corrected], samples: Mapping[int, Sequence[Tree]]
) -> ExtractionModel:
    """Return a model whose labels say what was corrected, as if it had been learned so.

    `samples` are pages of some patterns, by number: these are corrected, if they are in the cluster
    of a corrected page. What is usual on the site stays as it was learned.
    """
    chosen = [(correction, tree, model.choose(tree)) for correction, tree in corrections]
    patterns = list(model.patterns)
    for number, sample in samples.items():
        known = patterns[number]
        said: list[tuple[Correction, Own | None]] = [
            (correction, (tree, choice.match.start) if choice.best == number else None)
            for correction, tree, choice in chosen
            if choice.best is not None
            and choice.match is not None
            and patterns[choice.best].cluster == known.cluster
        ]
        labels = overrides_of(said, sample).over(known.labels)
        patterns[number] = replace(known, labels=labels)
    main = patterns[model.main].labels if model.main is not None else None
    return replace(
        model,
        patterns=tuple(patterns),
        context=replace(model.context, main=main),
        refused=refused_urls(correction for correction, _ in corrections),
    )


def is_met(correction: Correction, tree: Tree, seen: Examined) -> bool:
    """Tell whether a correction's page is read as it says.

    A page that no longer has the corrected element says nothing against it.
    """
    vertex = correction.vertex_on(tree) if correction.place else 0
    if vertex < 0:
        return True
    if correction.kind is CorrectionKind.IS_NOT and correction.field is CorrectedField.BODY:
        return not set(seen.labelled.body) & set(range(vertex, vertex + int(tree.size[vertex])))
    return _CHECKS[correction.field](tree, vertex, seen)


def _is_dated(tree: Tree, vertex: int, seen: Examined) -> bool:
    said = parse_date(line_at(tree, vertex), language=tree.head.language)
    read = seen.fields.published
    return said is None or (read is not None and read.day == said.day)


def _is_signed(tree: Tree, vertex: int, seen: Examined) -> bool:
    place = xpath_of(tree, vertex)
    return any(note.field == "authors" and note.place == place for note in seen.fields.provenance)


_CHECKS: Mapping[CorrectedField, Callable[[Tree, int, Examined], bool]] = {
    CorrectedField.TITLE: lambda tree, at, seen: seen.labelled.title == first_leaf(tree, at),
    CorrectedField.BODY: lambda tree, at, seen: seen.labelled.container == at,
    CorrectedField.DATE: _is_dated,
    CorrectedField.AUTHOR: _is_signed,
    CorrectedField.ARTICLE: lambda tree, at, seen: (
        not (seen.judgement.article and seen.labelled.body)
    ),
}
