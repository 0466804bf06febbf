"""Labels of one pattern: its pages propose and vote, the witnesses are heard."""

from collections.abc import Iterable, Sequence
from statistics import median
from typing import NamedTuple

import numpy as np

from patterns.authors import Known, vote_byline
from patterns.bylines import Sample, vote_date
from patterns.dates import months_come_first, parse_date
from patterns.exclusions import Exclusions, vote_exclusions
from patterns.headlines import Called
from patterns.images import common_images, images_of
from patterns.labels import Labels, Reading, read_page
from patterns.looks import count_texts, look_at
from patterns.metadata import read_metadata
from patterns.names import line_at
from patterns.places import Place, Starts, find
from patterns.votes import Witness, clean, hear, hold_several, vote_body, vote_title
from trees import Tree

SAMPLE = 60
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
    return Labels(
        title=place,
        title_score=title.score if title else 0.0,
        body=body.place if body else None,
        body_score=body.score if body else 0.0,
        exclusions=vote_exclusions(pages, body.place, counts) if body else Exclusions(),
        constants=constants,
    )


def _by_name(place: Place | None) -> Place | None:
    """Return a place that can be found on pages of other patterns, too."""
    return place if place is not None and place.vertex < 0 else None


def label_bylines(
    labels: Labels,
    voters: Sequence[Voter],
    usual: Labels | None = None,
    names: frozenset[str] = frozenset(),
) -> Labels:
    """Return the labels with dates and authors, and how often the container is on a page.

    `usual` are the labels of the site's main articles: where their byline and date are found on
    most pages they need no vote. `names` are known authors, folded.
    """
    readings = [read_page(voter.tree, labels, voter.starts) for voter in voters]
    often = [reading.instances for reading in readings if reading.instances] or [1]
    labels = labels.replace(instances=int(median(often)))
    samples = [
        _sample(voter, reading)
        for voter, reading in zip(voters, readings, strict=True)
        if reading.title >= 0
    ]
    if not samples:
        return labels
    usual = usual or Labels()
    date, author = _by_name(usual.date), usual.author
    if date is None or sum(_dated(sample, date) for sample in samples) < 0.6 * len(samples):
        date = vote_date(samples)
    read = [author.read(one.tree, None) if author else () for one in samples]
    joints = usual.author.joints if usual.author else Known().joints
    known = Known(frozenset(labels.constants.tolist()), names, joints)
    if sum(map(bool, read)) < 0.6 * len(samples):
        author = vote_byline(samples, known)
    texts = [line_at(one.tree, find(one.tree, date, one.starts)) for one in samples]
    return labels.replace(
        date=date,
        month_first=months_come_first(texts),
        author=author,
        images=usual.images | common_images(_images(one, labels) for one in samples),
    )


def _images(sample: Sample, labels: Labels) -> list[str]:
    said = [one.value for one in read_metadata(sample.tree.head).image]
    shown = images_of(sample.tree, sample.reading, labels, sample.starts)
    return said + [address for _, address in shown]


def _dated(sample: Sample, date: Place) -> bool:
    return parse_date(line_at(sample.tree, find(sample.tree, date))) is not None


def _sample(voter: Voter, reading: Reading) -> Sample:
    said = read_metadata(voter.tree.head)
    dates = (parse_date(one.value) for one in said.published)
    return Sample(
        tree=voter.tree,
        reading=reading,
        starts=voter.starts,
        published=next((date for date in dates if date), None),
        authors=tuple(one.value for one in said.authors),
    )
