"""Labels of one pattern: its pages propose and vote, the witnesses are heard."""

from collections.abc import Iterable, Sequence
from statistics import median
from typing import NamedTuple

import numpy as np

from patterns.bylines import Sample, line_at, vote_author, vote_date
from patterns.dates import months_come_first, parse_date
from patterns.exclusions import Exclusions, vote_exclusions
from patterns.headlines import Called
from patterns.labels import Labels, Reading, read_page
from patterns.looks import Look, count_texts, look_at
from patterns.metadata import read_metadata
from patterns.places import Place, Starts, find
from patterns.votes import Witness, clean, hear, hold_several, vote_body, vote_title
from trees import Tree

SAMPLE = 30
"""So many pages of a pattern are looked at."""


def spread(count: int, most: int = SAMPLE) -> list[int]:
    """Return at most so many positions, spread evenly over all.

    >>> spread(3), spread(10, 4)
    ([0, 1, 2], [0, 2, 5, 7])
    """
    if count <= most:
        return list(range(count))
    return [at * count // most for at in range(most)]


class Voter(NamedTuple):
    """One page that votes."""

    tree: Tree
    """The page."""
    called: Called
    """What it is called."""
    starts: Starts | None
    """Where the vertices of its pattern are."""


def label_pages(
    voters: Sequence[Voter],
    *,
    witnesses: Iterable[Witness],
    repeated: frozenset[int],
    alike: Sequence[Tree],
    usual: Labels | None = None,
) -> Labels:
    """Return the labels that sampled pages of one pattern vote for.

    `alike` are all its known pages, among which constants and repeated texts are counted;
    `usual` the labels of the site's main articles, which win where they do about as well.
    """
    usual = usual or Labels()
    looks = [look_at(voter.tree, voter.called, repeated, voter.starts) for voter in voters]
    counts = count_texts(alike)
    often = max(3, 0.5 * len(alike))
    constants = np.array(sorted(h for h, k in counts.items() if k >= often), dtype=np.int64)
    title = vote_title(looks, _by_name(usual.title))
    place = title.place if title else None
    heard = list(witnesses)
    several = hold_several(looks, place)
    pages = [hear(look, clean(look, place, constants, several=several), heard) for look in looks]
    body = vote_body(pages, _by_name(usual.body))
    labels = Labels(
        title=place,
        title_score=title.score if title else 0.0,
        body=body.place if body else None,
        body_score=body.score if body else 0.0,
        exclusions=vote_exclusions(pages, body.place, counts) if body else Exclusions(),
        constants=constants,
    )
    return _with_bylines(labels, looks)


def _by_name(place: Place | None) -> Place | None:
    """Return a place that can be found on pages of other patterns, too."""
    return place if place is not None and place.vertex < 0 else None


def _with_bylines(labels: Labels, looks: Sequence[Look]) -> Labels:
    """Return the labels with dates and authors, and how often the container is on a page."""
    readings = [read_page(look.tree, labels, look.starts) for look in looks]
    often = [reading.instances for reading in readings if reading.instances] or [1]
    samples = [
        _sample(look, reading)
        for look, reading in zip(looks, readings, strict=True)
        if reading.title >= 0
    ]
    date = vote_date(samples) if samples else None
    texts = [line_at(s.tree, find(s.tree, date, s.starts)) for s in samples]
    return labels.replace(
        instances=int(median(often)),
        date=date,
        month_first=months_come_first(texts),
        author=vote_author(samples) if samples else None,
    )


def _sample(look: Look, reading: Reading) -> Sample:
    said = read_metadata(look.tree.head)
    dates = (parse_date(one.value) for one in said.published)
    return Sample(
        tree=look.tree,
        reading=reading,
        starts=look.starts,
        published=next((date for date in dates if date), None),
        authors=tuple(one.value for one in said.authors),
    )
