"""The pages of one pattern: what is found out about them while a site is learned.

All of it concerns one pattern only, so that several processes can share the patterns of a site.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flong.patterns.article_classifier import judge
from flong.patterns.article_evidence import Point, weigh
from flong.patterns.article_features import SiteContext, extract_features
from flong.patterns.candidates import PageCandidates, find_candidates
from flong.patterns.closing_paragraphs import ClosingParagraphs
from flong.patterns.cluster_patterns import ClusterPattern, compose_cluster
from flong.patterns.corrections import (
    NO_OVERRIDES,
    Correction,
    Overrides,
    Own,
    overrides_of,
    points_of_corrections,
)
from flong.patterns.election import Baseline, other_title, title_score
from flong.patterns.fields import Imprint, PageEvidence, read_imprint
from flong.patterns.label_voting import (
    SiteTexts,
    Voter,
    count_pattern_texts,
    label_bylines,
    label_imprint,
    label_pages,
    spread,
)
from flong.patterns.labelled_pattern import LabelledPattern, roles_of
from flong.patterns.labels import (
    Fallback,
    Labels,
    fits,
    is_believed,
    read_by_consensus,
    read_page,
    with_title,
)
from flong.patterns.match import Match, match
from flong.patterns.metadata import metadata_of
from flong.patterns.page_titles import PageNames
from flong.patterns.selectors import Selector, find, first_leaf
from flong.patterns.thresholds import THRESHOLDS
from flong.text import fold_text
from flong.tree import SitePage, Tree

_LARGE = 100
"""Vertices of a page beyond which it is hardly more work: lines around title and body are."""

Roles = tuple[tuple[int, str], ...]
"""Vertices of a pattern that hold fields, with the field's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterOfPages:
    """Pages of one template."""

    members: tuple[int, ...]
    """Positions of its pages."""
    distances: tuple[float, ...] = ()
    """Distance of each member to the medoid, in the same order; empty if not known."""

    def part(self, positions: Iterable[int]) -> "ClusterOfPages":
        """Return some of its pages, by their positions among the members."""
        chosen = list(positions)
        return ClusterOfPages(
            members=tuple(self.members[at] for at in chosen),
            distances=tuple(self.distances[at] for at in chosen) if self.distances else (),
        )


Composed = tuple[int, ClusterPattern, ClusterOfPages]
"""Position of a cluster, a pattern of it, and the pages to which the pattern's positions refer."""


@dataclass(frozen=True, eq=False, slots=True)
class SampledPage:
    """What learning sees on one page of its sample."""

    points: tuple[Point, ...]
    """For and against its being an article."""
    fits: bool
    """Whether title and body are where the labels say."""
    imprint: Imprint
    """Who wrote it, and when."""
    linked_title: bool
    """Whether its title is a link."""

    @property
    def total(self) -> float:
        """All points together that say what is to be expected of pages that are built alike."""
        return sum(point.points for point in self.points if not point.alone)

    def is_accepted(self, known: LabelledPattern) -> bool:
        """Say whether it would be taken for an article as a page of this pattern."""
        return judge(self.points, known.fitting if self.fits else known.other).article


class _ReadPage(NamedTuple):
    """A sampled page as labels read it, whatever else is known about the site."""

    source: PageEvidence
    imprint: Imprint
    fits: bool


@dataclass(frozen=True, eq=False, slots=True)
class PageGroup:
    """The pages of one pattern, and those of them that are looked at."""

    cluster: int
    """Position of the cluster."""
    learned: ClusterPattern
    """The pattern."""
    members: tuple[int, ...]
    """Positions of its pages."""
    sample: list[int]
    """Positions of those that are looked at."""
    matches: list[Match | None]
    """How the pattern fits these; none of them where the group is only known about."""
    labels: Labels
    """What they voted for."""
    read: "dict[int, _ReadPage]" = field(default_factory=dict)
    """Sampled pages as these labels read them: pages are judged several times."""

    def labelled(self, labels: Labels) -> "PageGroup":
        """Return the pages with other labels."""
        return replace(self, labels=labels, read={})

    def title_of(self, tree: Tree) -> int:
        """Return the text leaf of the title on a page, -1 if it has none."""
        selector, starts = self.labels.title, None
        if (
            selector is not None and selector.vertex >= 0
        ):  # without a name it is found by the match alone
            found = match(self.learned.pattern, tree)
            starts = None if found is None else found.start
        return first_leaf(tree, find(tree, selector, starts))


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class SitePages:
    """What learning needs of the whole site."""

    pages: Sequence[SitePage]
    """Its pages."""
    page_names: list[PageNames]
    """What each of them is called."""
    repeated: frozenset[int]
    """Hashes of texts that many pages have."""
    texts: Counter[int]
    """How many pages have each text, by its hash."""
    headlines: NDArray[np.int64]
    """Sorted hashes of what links call its pages."""
    largest: int
    """Pages of the largest cluster."""
    baselines: tuple[Baseline, ...]
    """Who says what the body of a page is."""
    fallback: Fallback | None
    """Reads pages on which no label earned its place."""
    boilerplate: NDArray[np.int64]
    """Sorted hashes of the texts that most pages have."""
    directories: frozenset[str]
    """Paths of addresses below which several pages lie."""
    corrections: Sequence[Correction]
    """What people said about pages."""
    cluster_of: Mapping[int, int]
    """The cluster of each page, by its position."""
    positions: Mapping[str, int]
    """Position of each page, by its URL."""

    def compose(self, number: int, cluster: ClusterOfPages) -> list[Composed]:
        """Return the patterns of a cluster."""
        trees = [self.pages[at].tree for at in cluster.members]
        found = compose_cluster(trees, cluster.distances or None)
        return [(number, learned, cluster) for learned in found]

    def parted(
        self, number: int, learned: ClusterPattern, cluster: ClusterOfPages
    ) -> list[Composed]:
        """Return a pattern, or two for one whose pages have their titles in different places.

        An article and the list that holds just its teaser may be built alike; labels that most
        pages vote for would then be wrong on all others.
        """
        return [
            made
            for part in self._parts(learned, cluster)
            for made in (
                [(number, learned, cluster)] if part is cluster else self.compose(number, part)
            )
        ]

    def _parts(self, learned: ClusterPattern, cluster: ClusterOfPages) -> list[ClusterOfPages]:
        sample = [learned.pages[at] for at in spread(len(learned.pages))]
        pages = [self._candidates(cluster.members[at], learned) for at in sample]
        titles = other_title(pages)
        if titles is None:
            return [cluster]
        parts: tuple[list[int], list[int]] = ([], [])
        for at in learned.pages:
            page = self._candidates(cluster.members[at], learned)
            parts[_is_better(page, *titles)].append(at)
        return [cluster.part(some) for some in parts if some]

    def _candidates(self, at: int, learned: ClusterPattern) -> PageCandidates:
        tree = self.pages[at].tree
        fit = match(learned.pattern, tree)
        starts = fit.start if fit else None
        return find_candidates(tree, self.page_names[at], self.repeated, starts)

    def group(self, number: int, learned: ClusterPattern, cluster: ClusterOfPages) -> PageGroup:
        """Return the pages of a pattern, with the labels that they vote for."""
        members = tuple(cluster.members[at] for at in learned.pages)
        sample = [members[at] for at in spread(len(members))]
        group = self.matched(PageGroup(number, learned, members, sample, [], Labels()))
        return group.labelled(self.label(group))

    def matched(self, group: PageGroup) -> PageGroup:
        """Return a group with how its pattern fits the pages that are looked at."""
        pattern = group.learned.pattern
        matches = [match(pattern, self.pages[at].tree) for at in group.sample]
        return replace(group, matches=matches)

    def label(
        self, group: PageGroup, voting: list[int] | None = None, main: Labels | None = None
    ) -> Labels:
        """Return the labels that a group's sampled pages, or some of them, vote for."""
        voters = self.voters(group, voting)
        return label_pages(
            voters,
            baselines=self.baselines,
            site=SiteTexts(self.repeated, self.headlines),
            texts=count_pattern_texts(
                [one.tree for one in voters]
                if voting is not None
                else [self.pages[at].tree for at in group.members],
                self.texts if 2 * len(group.members) < self.largest else None,
            ),
            usual=main,
            overrides=self._overrides(group) if self.corrections else NO_OVERRIDES,
        )

    def _overrides(self, group: PageGroup) -> Overrides:
        """Return what corrections say about the pages of a group."""
        sample = [self.pages[at].tree for at in group.sample]
        said: list[tuple[Correction, Own | None]] = []
        for correction in self.corrections:
            at = self.positions.get(correction.url, -1)
            if self.cluster_of.get(at) == group.cluster:
                tree = self.pages[at].tree
                found = match(group.learned.pattern, tree) if at in group.members else None
                own = tree, found.start if found else None
                said.append((correction, own if at in group.members else None))
        return overrides_of(said, sample)

    def voters(self, group: PageGroup, voting: list[int] | None) -> list[Voter]:
        """Return a group's sampled pages, or some of them, as those who vote."""
        which = range(len(group.sample)) if voting is None else voting
        return [
            Voter(
                self.pages[group.sample[at]].tree,
                self.page_names[group.sample[at]],
                found.start if (found := group.matches[at]) else None,
            )
            for at in which
        ]

    def has_body(self, group: PageGroup, main: Labels | None) -> bool:
        """Return whether most pages of a group have a body where the site's main articles do."""
        if main is None or main.body is None or main.body.vertex >= 0:
            return False
        found = [bool(read_page(self.pages[at].tree, main).body) for at in group.sample]
        return sum(found) >= THRESHOLDS.usual_place * len(found)

    def roles(self, group: PageGroup) -> Roles:
        """Return the vertices of the pattern that hold a field on most sampled pages."""
        counts: Counter[tuple[int, str]] = Counter()
        for found in group.matches:
            if found is not None:
                labelled = read_page(found.tree, group.labels, found.start)
                counts.update(roles_of(found, labelled, group.labels))
        often = THRESHOLDS.usual_place * len(group.matches)
        return tuple(sorted(role for role, pages in counts.items() if pages >= often))

    def titles(self, group: PageGroup) -> Counter[int]:
        """Return for the hash of each title how many pages of a group have it."""
        counts: Counter[int] = Counter()
        for at in group.members:
            tree = self.pages[at].tree
            leaf = group.title_of(tree)
            if leaf >= 0 and tree.words[leaf] >= THRESHOLDS.title_words:
                counts[int(tree.text_hash[leaf])] += 1
        return counts

    def body_lines(self, group: PageGroup, at: int) -> list[str]:
        """Return the lines of the body of a sampled page."""
        tree, fit = self.pages[group.sample[at]].tree, group.matches[at]
        page = read_page(tree, group.labels, fit.start if fit else None)
        return [*map(tree.text_of, page.body)]

    def sampled(self, context: SiteContext, group: PageGroup, at: int) -> SampledPage:
        """Return what is seen on a sampled page: by its labels, else by the fallback."""
        read = self._read(group, at)
        features = extract_features(read.source, read.imprint, context)
        return SampledPage(
            weigh(features, context.norms) + points_of_corrections(group.labels),
            read.fits,
            read.imprint,
            features.linked_title,
        )

    def _read(self, group: PageGroup, at: int) -> _ReadPage:
        if at not in group.read:
            group.read[at] = self._read_anew(group, at)
        return group.read[at]

    def _read_anew(self, group: PageGroup, at: int) -> _ReadPage:
        page, page_names = self.pages[group.sample[at]], self.page_names[group.sample[at]]
        labels, fit = group.labels, group.matches[at]
        labelled = read_page(page.tree, labels, fit.start if fit else None)
        believed = is_believed(labelled, page.tree, labels, self.fallback)
        if not believed and self.fallback is not None:
            starts = fit.start if fit else None
            labelled = read_by_consensus(labelled, page.tree, self.fallback, labels, starts)
        labelled = with_title(labelled, page.tree, labels, page_names)
        source = PageEvidence(
            url=page.url,
            tree=page.tree,
            labelled=labelled,
            labels=labels,
            page_names=page_names,
            metadata=metadata_of(page.tree),
            match=fit,
        )
        return _ReadPage(source, read_imprint(source), believed and fits(labelled, labels))


Order = tuple[Callable[..., Any], *tuple[Any, ...]]
"""A method of `GroupWork`, and with what it is called besides the part that it concerns."""


class GroupAgain(NamedTuple):
    """The pages of one pattern, to be labelled again."""

    group: PageGroup
    """All but how the pattern fits."""
    voting: list[int] | None
    """Which of the sampled pages vote; None for all."""
    is_main: bool
    """Whether they are the site's main articles."""


class GroupWork:
    """Carries out what learning asks for; a part is a pattern as it was composed.

    What was found out about a part is kept here: another process that got a copy of this knows
    nothing of it.
    """

    def __init__(self, site: SitePages, composed: Sequence[Composed]) -> None:
        self._site, self._composed = site, composed
        self._groups: dict[int, list[PageGroup]] = {}

    def __call__(self, part: int, order: Order) -> Any:
        """Carry an order out."""
        method, *given = order
        return method(self, part, *given)

    def label(self, part: int) -> list[PageGroup]:
        """Return the groups of pages that a part falls into, labelled, without their matches."""
        site = self._site
        self._groups[part] = [site.group(*made) for made in site.parted(*self._composed[part])]
        return [replace(group, matches=[], read={}) for group in self._groups[part]]

    def titles(self, part: int) -> Counter[int]:
        """Return for the hash of each title how many pages have it."""
        return sum(map(self._site.titles, self._groups[part]), Counter[int]())

    def pages(self, part: int, context: SiteContext) -> list[list[SampledPage]]:
        """Return what is seen on the sampled pages of each group."""
        return [
            [self._site.sampled(context, group, at) for at in range(len(group.sample))]
            for group in self._groups[part]
        ]

    def roles(self, part: int) -> list[Roles]:
        """Return the vertices of each group's pattern that hold a field."""
        return [*map(self._site.roles, self._groups[part])]

    def main(self, part: int, number: int, voting: list[int]) -> tuple[Labels, frozenset[str]]:
        """Return the labels of the site's main articles with date and byline, and known authors."""
        group = self._groups[part][number]
        voters = self._site.voters(group, voting)
        labels, _ = label_imprint(group.labels, voters)
        return labels, _names(labels, voters)

    def label_again(
        self, part: int, groups: Sequence[GroupAgain], usual: Labels | None, names: frozenset[str]
    ) -> list[Labels]:
        """Return the labels of each group with dates and authors; some by their articles alone.

        `usual` are the labels of the site's main articles, `names` known authors. The groups need
        not be known here.
        """
        site, again = self._site, []
        known = self._groups.get(part) or [site.matched(given.group) for given in groups]
        for group, (_, some, is_main) in zip(known, groups, strict=True):
            anew = some or (not is_main and site.has_body(group, usual))
            labels = site.label(group, some, usual) if anew else group.labels
            labels = label_bylines(labels, site.voters(group, some), usual, names)
            again.append(group.labelled(labels))
        self._groups[part] = again
        return [group.labels for group in again]

    def bodies(self, part: int, pages: Sequence[tuple[int, int]]) -> list[list[str]]:
        """Return the lines of the bodies of some sampled pages, by group and position."""
        groups = self._groups[part]
        return [self._site.body_lines(groups[number], at) for number, at in pages]

    def close(self, part: int, closing: ClosingParagraphs) -> None:
        """Let the labels know what recurs at the end of the site's bodies."""
        self._groups[part] = [
            group.labelled(group.labels.replace(closing=closing)) for group in self._groups[part]
        ]


def _is_better(page: PageCandidates, usual: Selector, other: Selector) -> bool:
    return title_score(page, other) > title_score(page, usual)


def _names(labels: Labels, voters: Sequence[Voter]) -> frozenset[str]:
    """Return the authors that some pages name, folded."""
    if labels.author is None:
        return frozenset()
    read = [labels.author.read(voter.tree, voter.starts) for voter in voters]
    return frozenset(fold_text(name) for names in read for name in names)
