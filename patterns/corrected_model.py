"""Corrections applied to a model, and a check that its pages are read accordingly."""

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
"""A correction and its page."""


def read_correction(
    *, url: str, field: CorrectedField, kind: CorrectionKind, place: str, selector: str | None
) -> Correction:
    """Return a correction whose selector is JSON from `write_selector`."""
    found = read_selector(selector) if selector else None
    return Correction(url=url, field=field, kind=kind, place=place, selector=found)


def correct_model(
    model: ExtractionModel, corrections: Sequence[Corrected], samples: Mapping[int, Sequence[Tree]]
) -> ExtractionModel:
    """Return the model that would have been learned with these corrections.

    `samples` are pages of some patterns, by number. Only patterns in the cluster of a corrected
    page change. The norms of the site stay.
    """
    chosen = [(correction, tree, model.chooser.choose(tree)) for correction, tree in corrections]
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
    return replace(
        model,
        patterns=tuple(patterns),
        context=model.context.with_labels([known.labels for known in patterns]),
        refused=refused_urls(correction for correction, _ in corrections),
    )


def is_met(correction: Correction, tree: Tree, seen: Examined) -> bool:
    """Return True if a correction's page is read accordingly.

    A page that no longer has the corrected element passes.
    """
    vertex = correction.vertex_on(tree) if correction.place else 0
    if vertex < 0:
        return True
    if correction.kind is CorrectionKind.IS_NOT and correction.field is CorrectedField.BODY:
        end = vertex + int(tree.size[vertex])
        return not any(vertex <= leaf < end for leaf in seen.source.labelled.body)
    return _CHECKS[correction.field](tree, vertex, seen)


def _is_dated(tree: Tree, vertex: int, seen: Examined) -> bool:
    said = parse_date(line_at(tree, vertex), language=tree.head.language)
    read = seen.fields.published
    return said is None or (read is not None and read.day == said.day)


def _is_signed(tree: Tree, vertex: int, seen: Examined) -> bool:
    place = xpath_of(tree, vertex)
    return any(note.field == "authors" and note.place == place for note in seen.fields.provenance)


_CHECKS: Mapping[CorrectedField, Callable[[Tree, int, Examined], bool]] = {
    CorrectedField.TITLE: lambda tree, at, seen: seen.source.labelled.title == first_leaf(tree, at),
    CorrectedField.BODY: lambda tree, at, seen: seen.source.labelled.container == at,
    CorrectedField.DATE: _is_dated,
    CorrectedField.AUTHOR: _is_signed,
    CorrectedField.ARTICLE: lambda tree, at, seen: (
        not (seen.judgement.article and seen.source.labelled.body)
    ),
}
