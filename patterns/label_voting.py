"""Label voting: title, body and byline of one pattern, elected by its pages."""

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flong.patterns.authors import BYLINE, BYLINES, KnownNames, elect_byline
from flong.patterns.body_election import (
    CONTAINER,
    EXCLUSION,
    Baseline,
    article_ends,
    ask_baselines,
    clean,
    elect_body,
    elect_exclusions,
)
from flong.patterns.corrections import NO_OVERRIDES, Overrides
from flong.patterns.dates import months_come_first, parse_date
from flong.patterns.field_elections import (
    DATE,
    SECTION,
    STANDFIRST,
    TAGS,
    BylineSample,
    elect_date,
    label_places,
)
from flong.patterns.labels import Exclusions, LabelledPage, Labels, read_page
from flong.patterns.lead_image import common_images, images_of
from flong.patterns.metadata import metadata_of
from flong.patterns.page_titles import PageNames, learn_breadcrumbs
from flong.patterns.person_names import Byline, line_at
from flong.patterns.selectors import Selector, Starts, find, first_leaf
from flong.patterns.thresholds import THRESHOLDS
from flong.patterns.title_election import (
    TITLE,
    Elected,
    PageCandidates,
    count_texts,
    elect_title,
    find_candidates,
)
from flong.states import CorrectedField
from flong.text import fold_text
from flong.tree import TEXT, Tree

TABLES = (TITLE, CONTAINER, EXCLUSION, BYLINE, BYLINES, DATE, STANDFIRST, SECTION, TAGS)
"""Features of all elections."""
SAMPLE = 60
"""Maximum number of pages of a pattern that vote."""


def spread(count: int, most: int = SAMPLE) -> list[int]:
    """Return at most `most` positions, spread evenly over all.

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
    page_names: PageNames
    """Its titles and anchor texts."""
    starts: Starts | None
    """Vertices of the page that its pattern maps to."""


class SiteTexts(NamedTuple):
    """Texts of a site that identify no page."""

    repeated: frozenset[int]
    """Hashes of texts on many pages."""
    headlines: NDArray[np.int64]
    """Sorted hashes of anchor texts that may be headlines."""


class ClusterTexts(NamedTuple):
    """Texts of the pages of one cluster."""

    shared: frozenset[int]
    """Hashes of texts on at least two pages."""
    constants: NDArray[np.int64]
    """Sorted hashes of texts on enough pages to be constant (`constant_pages`)."""


def label_pages(  # noqa: PLR0913 - all that is known of the pages
    voters: Sequence[Voter],
    *,
    baselines: Iterable[Baseline],
    site: SiteTexts,
    texts: ClusterTexts,
    usual: Labels | None = None,
    overrides: Overrides = NO_OVERRIDES,
) -> Labels:
    """Return the labels elected by sampled pages of one pattern.

    `usual` are the labels of the site's main articles, which win near-ties. `overrides` need no
    vote.
    """
    usual = usual or Labels()
    candidates = [
        find_candidates(voter.tree, voter.page_names, site.repeated, voter.starts)
        for voter in voters
    ]
    shared, constants = texts
    title = _said(overrides, CorrectedField.TITLE)
    title = title or elect_title(candidates, _by_name(usual.title))
    selector = title.selector if title else None
    heard = list(baselines)
    ends = article_ends(candidates, selector, site.headlines)
    pages = [
        ask_baselines(page, clean(page, selector, constants), heard, end)
        for page, end in zip(candidates, ends, strict=True)
    ]
    body = _said(overrides, CorrectedField.BODY)
    body = body or elect_body(pages, _by_name(usual.body))
    score = body.score if body else 0.0
    body = body if score >= THRESHOLDS.least_score else None
    labels = Labels(
        title=selector,
        breadcrumbs=learn_breadcrumbs(_lines(candidates, selector)),
        title_score=title.score if title else 0.0,
        body=body.selector if body else None,
        body_score=score,
        voters=len(voters),
        exclusions=elect_exclusions(pages, body.selector, shared) if body else Exclusions(),
        constants=constants,
    )
    return overrides.over(labels)


def _lines(pages: Sequence[PageCandidates], title: Selector | None) -> list[str]:
    """Return the texts of the pages at the place of the title."""
    leaves = [first_leaf(one.tree, find(one.tree, title, one.starts)) for one in pages]
    return [one.tree.text_of(leaf) for one, leaf in zip(pages, leaves, strict=True) if leaf >= 0]


def _said(overrides: Overrides, field: CorrectedField) -> Elected | None:
    selector = overrides.selectors.get(field)
    return None if selector is None else Elected(selector, 1.0)


def find_cluster_texts(
    alike: Sequence[Tree], site_texts: Counter[int] | None = None
) -> ClusterTexts:
    """Return the texts that recur on the pages of one cluster.

    The pages of all its patterns count together. A paragraph that some articles share is on most
    pages of a pattern composed from these, but not on most pages of the cluster.

    `site_texts` is the number of pages of the site with each text. Lines found only on these pages,
    and several times on each, are the labels of a form or a daily list, not constants. Without
    `site_texts` all recurring texts are constant.
    """
    counts = count_texts(alike)
    often = THRESHOLDS.shared_by(THRESHOLDS.constant_pages, len(alike))
    constant = {text for text, pages in counts.items() if pages >= often}
    if site_texts is not None:
        own = {text for text in constant if site_texts[text] == counts[text]}
        constant -= _several_times(own, alike)
    shared = frozenset(text for text, pages in counts.items() if pages > 1)
    return ClusterTexts(shared, np.array(sorted(constant), dtype=np.int64))


def _several_times(texts: set[int], trees: Sequence[Tree]) -> set[int]:
    """Return the texts that most of their pages have more than once."""
    pages: Counter[int] = Counter()
    for tree in trees:
        often = Counter(tree.text_hash[tree.tag == TEXT].tolist())
        pages.update({text: 1 if often[text] > 1 else -1 for text in texts & often.keys()})
    return {text for text, balance in pages.items() if balance > 0}


def _by_name(selector: Selector | None) -> Selector | None:
    """Return a selector that also works on pages of other patterns, or None."""
    return selector if selector is not None and selector.vertex < 0 else None


def label_bylines(
    labels: Labels,
    voters: Sequence[Voter],
    usual: Labels | None = None,
    names: frozenset[str] = frozenset(),
) -> Labels:
    """Return the labels with all fields that have a line of their own, beginning with the byline.

    `usual` are the labels of the site's main articles, `names` are known authors, folded.
    """
    labels, samples = label_imprint(labels, voters, usual, names)
    return label_places(labels, samples) if samples else labels


def label_imprint(
    labels: Labels,
    voters: Sequence[Voter],
    usual: Labels | None = None,
    names: frozenset[str] = frozenset(),
) -> tuple[Labels, list[BylineSample]]:
    """Return the labels with date, authors and usual number of containers; and the voting pages.

    `usual` are the labels of the site's main articles. Its date and byline need no vote if enough
    pages have them (`usual_byline`). `names` are known authors, folded. Pages without a title do
    not vote.
    """
    labelled_pages = [read_page(voter.tree, labels, voter.starts) for voter in voters]
    often = [labelled.instances for labelled in labelled_pages if labelled.instances] or [1]
    labels = labels.replace(instances=int(median(often)))
    samples = [
        _sample(voter, labelled)
        for voter, labelled in zip(voters, labelled_pages, strict=True)
        if labelled.title >= 0
    ]
    if not samples:
        return labels, samples
    usual = usual or Labels()
    date, author = _by_name(usual.date), usual.author
    most = THRESHOLDS.usual_byline * len(samples)
    if date is None or sum(_dated(sample, date) for sample in samples) < most:
        date = elect_date(samples)
    if CorrectedField.DATE in labels.corrected:
        date = labels.date
    read = [author.read(one.tree, None) if author else () for one in samples]
    joints = usual.author.joints if usual.author else KnownNames().joints
    known = KnownNames(frozenset(labels.constants.tolist()), names, joints)
    if sum(map(bool, read)) < most:
        author = elect_byline(samples, known)
    if CorrectedField.AUTHOR in labels.corrected:
        author = labels.author
    texts = [line_at(one.tree, find(one.tree, date, one.starts)) for one in samples]
    labels = labels.replace(
        date=date,
        month_first=months_come_first(texts),
        author=author,
        publishers=usual.publishers | _publishers(samples, author),
        first_year=_first_year(samples),
        images=usual.images | common_images(_images(one, labels) for one in samples),
    )
    return labels, samples


def _publishers(samples: Sequence[BylineSample], byline: Byline | None) -> frozenset[str]:
    """Return the names that nearly all pages state as author, except those in their bylines."""
    stated = Counter(name for one in samples for name in {*map(fold_text, one.authors)})
    least = max(THRESHOLDS.least_same, THRESHOLDS.same_author * len(samples))
    same = frozenset(name for name, pages in stated.items() if pages >= least)
    if not same or byline is None:
        return same
    printed = (name for one in samples for name in byline.read(one.tree, one.starts))
    return same.difference(map(fold_text, printed))


def _first_year(samples: Sequence[BylineSample]) -> int:
    """Return the earliest year on several pages; 0 if unknown."""
    years = Counter(one.published.year for one in samples if one.published)
    several = (year for year, pages in years.items() if pages >= THRESHOLDS.least_repeats)
    return min(several, default=0)


def _images(sample: BylineSample, labels: Labels) -> list[str]:
    said = [one.value for one in sample.metadata.image]
    shown = images_of(sample.tree, sample.labelled, labels, sample.starts)
    return said + [url for _, url in shown]


def _dated(sample: BylineSample, date: Selector) -> bool:
    line = line_at(sample.tree, find(sample.tree, date))
    return parse_date(line, language=sample.tree.head.language) is not None


def _sample(voter: Voter, labelled: LabelledPage) -> BylineSample:
    said = metadata_of(voter.tree)
    dates = (parse_date(one.value) for one in said.published)
    return BylineSample(
        tree=voter.tree,
        labelled=labelled,
        starts=voter.starts,
        published=next((date.day for date in dates if date), None),
        authors=tuple(one.value for one in said.authors),
        metadata=said,
    )
