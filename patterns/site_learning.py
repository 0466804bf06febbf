"""Learns a site's model from some of its pages, grouped by template."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from items import Meter, Progress, fold_text, unwatched
from patterns.addresses import find_directories, find_newsless_directory
from patterns.article_classifier import judge, learn_prior
from patterns.article_evidence import Point, weigh
from patterns.article_features import SiteContext, SiteNorms, extract_features
from patterns.candidates import PageCandidates, count_texts, find_candidates
from patterns.closing_paragraphs import PAGES, learn_closing_paragraphs
from patterns.cluster_patterns import ClusterPattern, compose_cluster
from patterns.corrections import (
    NO_OVERRIDES,
    Correction,
    Overrides,
    Own,
    overrides_of,
    points_of_corrections,
    refused_urls,
)
from patterns.election import Witness, other_title, title_score
from patterns.fields import Imprint, PageEvidence, read_imprint
from patterns.label_voting import (
    SiteTexts,
    Voter,
    count_pattern_texts,
    label_bylines,
    label_pages,
    spread,
)
from patterns.labelled_pattern import LabelledPattern, roles_of
from patterns.labels import (
    Fallback,
    Labels,
    fits,
    is_believed,
    read_by_consensus,
    read_page,
    with_title,
    without_boilerplate,
)
from patterns.match import Match, match
from patterns.metadata import metadata_of
from patterns.model import ExtractionModel
from patterns.page_titles import (
    Anchor,
    PageNames,
    TitleConventions,
    hash_headlines,
    learn_conventions,
)
from patterns.selectors import Selector, find, first_leaf
from patterns.thresholds import THRESHOLDS
from trees import SitePage, Tree


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


_STEPS = 4
"""Judging the patterns is told in so many steps."""
_Composed = tuple[int, ClusterPattern, ClusterOfPages]
"""Position of a cluster, a pattern of it, and the pages to which the pattern's positions refer."""


def learn_site(  # noqa: PLR0913 - the front door: all that is known about a site
    pages: Sequence[SitePage],
    clusters: Sequence[ClusterOfPages],
    *,
    witnesses: Iterable[Witness],
    anchors: Mapping[str, Sequence[Anchor]] | None = None,
    linking_pages: int = 0,
    labelling: str = "vote",
    tell: Progress = unwatched,
    fallback: Fallback | None = None,
    corrections: Sequence[Correction] = (),
) -> ExtractionModel:
    """Learn a site from pages that are grouped into clusters.

    `anchors` say what others call each page, by URL; `linking_pages` how many pages were read
    for that, if more than those given. `labelling` is `vote`, or `paper` for the paper's own
    heuristics, which need no labels. `fallback` reads pages on which no label earned its
    place, as it does when pages are extracted. `tell` is told how far the patterns and labels have
    come. `corrections` count more than votes, where their pages are among those given.
    """
    if labelling not in ("vote", "paper"):
        raise ValueError(f"labelling must be vote or paper, not {labelling!r}")
    anchors = anchors or {}
    heads = {page.url: page.tree.head for page in pages}
    conventions = learn_conventions(heads, anchors, linking_pages)
    counts = count_texts(page.tree for page in pages)
    often = max(THRESHOLDS.several, THRESHOLDS.common * len(pages))
    boilerplate = _boilerplate(counts, len(pages))
    site = _Site(
        pages=pages,
        page_names=[
            conventions.name_page(page.tree.head, anchors.get(page.url, ())) for page in pages
        ],
        repeated=frozenset(h for h, k in counts.items() if k >= often),
        texts=counts,
        headlines=hash_headlines(anchors.values()),
        largest=max((len(cluster.members) for cluster in clusters), default=0),
        witnesses=tuple(witnesses),
        fallback=None
        if fallback is None
        else _remembered(without_boilerplate(fallback, boilerplate)),
        boilerplate=boilerplate,
        directories=find_directories(page.url for page in pages),
        tell=tell,
        corrections=corrections,
        cluster_of={at: n for n, cluster in enumerate(clusters) for at in cluster.members},
        positions={page.url: at for at, page in enumerate(pages)},
    )
    composed = site.compose(clusters)
    if labelling == "paper":
        return _unlabelled(conventions, composed)
    model = site.model(conventions, site.label_all(site.parted(composed)))
    return replace(model, refused=refused_urls(corrections))


def _unlabelled(conventions: TitleConventions, composed: Sequence[_Composed]) -> ExtractionModel:
    """Return a model whose pages are labelled one by one."""
    patterns = tuple(
        LabelledPattern(
            number=number,
            cluster=cluster,
            pattern=learned.pattern,
            pages=len(learned.pages),
            labels=Labels(),
        )
        for number, (cluster, learned, _) in enumerate(composed)
    )
    return ExtractionModel(conventions=conventions, patterns=patterns, labelling="paper")


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
class _Group:
    """The pages of one pattern, and those of them that are looked at."""

    cluster: int
    learned: ClusterPattern
    members: tuple[int, ...]
    sample: list[int]
    matches: list[Match | None]
    labels: Labels

    @classmethod
    def of(
        cls, site: "_Site", number: int, learned: ClusterPattern, cluster: ClusterOfPages
    ) -> "_Group":
        members = tuple(cluster.members[at] for at in learned.pages)
        sample = [members[at] for at in spread(len(members))]
        matches = [match(learned.pattern, site.pages[at].tree) for at in sample]
        group = cls(number, learned, members, sample, matches, Labels())
        return replace(group, labels=site.label(group))

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
class _Site:
    """What learning needs of the whole site."""

    pages: Sequence[SitePage]
    page_names: list[PageNames]
    repeated: frozenset[int]
    texts: Counter[int]
    headlines: NDArray[np.int64]
    largest: int
    witnesses: tuple[Witness, ...]
    fallback: Fallback | None
    boilerplate: NDArray[np.int64]
    directories: frozenset[str]
    tell: Progress
    corrections: Sequence[Correction]
    cluster_of: Mapping[int, int]
    positions: Mapping[str, int]
    read: dict[tuple[int, int], "_ReadPage"] = field(default_factory=dict)
    """Sampled pages as labels read them, by position and identity of the labels: pages are judged
    twice with the same ones."""

    def compose(self, clusters: Sequence[ClusterOfPages]) -> list[_Composed]:
        """Return the patterns of all clusters, each with the cluster's position and the cluster."""
        meter = Meter(self.tell, "patterns", sum(len(cluster.members) for cluster in clusters))
        composed = []
        for number, cluster in enumerate(clusters):
            composed += self._compose(number, cluster)
            meter.advance(len(cluster.members))
        return composed

    def _compose(self, number: int, cluster: ClusterOfPages) -> list[_Composed]:
        trees = [self.pages[at].tree for at in cluster.members]
        found = compose_cluster(trees, cluster.distances or None)
        return [(number, learned, cluster) for learned in found]

    def parted(self, composed: Sequence[_Composed]) -> list[_Composed]:
        """Return the patterns, with two for one whose pages have their titles in different places.

        An article and the list that holds just its teaser may be built alike; labels that most
        pages vote for would then be wrong on all others.
        """
        return [
            made
            for number, learned, cluster in composed
            for part in self._parts(learned, cluster)
            for made in (
                [(number, learned, cluster)] if part is cluster else self._compose(number, part)
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

    def label_all(self, composed: Sequence[_Composed]) -> list[_Group]:
        """Return the pages of each pattern, with the labels that they vote for."""
        meter = Meter(self.tell, "labels", len(composed))
        groups = []
        for parts in composed:
            groups.append(_Group.of(self, *parts))
            meter.advance()
        return groups

    def label(
        self, group: _Group, voting: list[int] | None = None, main: Labels | None = None
    ) -> Labels:
        """Return the labels that a group's sampled pages, or some of them, vote for."""
        voters = self._voters(group, voting)
        return label_pages(
            voters,
            witnesses=self.witnesses,
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

    def _overrides(self, group: _Group) -> Overrides:
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

    def _voters(self, group: _Group, voting: list[int] | None) -> list[Voter]:
        which = range(len(group.sample)) if voting is None else voting
        return [
            Voter(
                self.pages[group.sample[at]].tree,
                self.page_names[group.sample[at]],
                found.start if (found := group.matches[at]) else None,
            )
            for at in which
        ]

    def _has_body(self, group: _Group, main: Labels | None) -> bool:
        """Return whether most pages of a group have a body where the site's main articles do."""
        if main is None or main.body is None or main.body.vertex >= 0:
            return False
        found = [bool(read_page(self.pages[at].tree, main).body) for at in group.sample]
        return sum(found) >= THRESHOLDS.majority * len(found)

    def model(self, conventions: TitleConventions, groups: list[_Group]) -> ExtractionModel:
        """Judge the patterns, label mixed ones again by their articles, and put all together."""
        meter = Meter(self.tell, "articles", _STEPS)
        draft = self._judged(conventions, groups, SiteContext(norms=self._norms()))
        meter.advance()
        articles = [
            [
                at
                for at, page in enumerate(self._pages(draft.context, group))
                if page.is_accepted(known)
            ]
            for group, known in zip(groups, draft.patterns, strict=True)
        ]
        meter.advance()
        again = self._labelled_again(groups, draft, articles)
        again = self._trimmed(again, articles)
        usual = self._usual(draft.context, again, articles)
        meter.advance()
        main = again[draft.main].labels if draft.main is not None else None
        return self._judged(conventions, again, SiteContext(norms=usual, main=main))

    def _labelled_again(
        self, groups: list[_Group], draft: ExtractionModel, articles: list[list[int]]
    ) -> list[_Group]:
        """Return the groups with dates and authors; mixed ones labelled by their articles alone."""
        main, names = None, frozenset[str]()
        if draft.main is not None:
            voters = self._voters(groups[draft.main], articles[draft.main])
            main = label_bylines(groups[draft.main].labels, voters)
            names = _names(main, voters)
        again = []
        for group, known, which in zip(groups, draft.patterns, articles, strict=True):
            voting = which if known.kind == "mixed" and len(which) >= THRESHOLDS.several else None
            anew = voting or (known.number != draft.main and self._has_body(group, main))
            labels = self.label(group, voting, main) if anew else group.labels
            labels = label_bylines(labels, self._voters(group, voting), main, names)
            again.append(replace(group, labels=labels))
        return again

    def _trimmed(self, groups: list[_Group], articles: list[list[int]]) -> list[_Group]:
        """Return the groups with what recurs at the end of the site's bodies."""
        read = [
            (self.pages[group.sample[at]].tree, group.labels, group.matches[at])
            for group, which in zip(groups, articles, strict=True)
            for at in which
        ]
        bodies = []
        for at in spread(len(read), PAGES):
            tree, labels, fit = read[at]
            page = read_page(tree, labels, fit.start if fit else None)
            bodies.append([*map(tree.text_of, page.body)])
        found = learn_closing_paragraphs(bodies)
        return [replace(group, labels=group.labels.replace(closing=found)) for group in groups]

    def _judged(
        self, conventions: TitleConventions, groups: list[_Group], context: SiteContext
    ) -> ExtractionModel:
        titles = self._titles(groups)
        alone = sorted(title for title, pages in titles.items() if pages < THRESHOLDS.several)
        context = replace(
            context,
            titles=np.array(alone, dtype=np.int64),
            boilerplate=self.boilerplate,
            directories=self.directories,
        )
        patterns = self._patterns(context, groups)
        most = THRESHOLDS.majority
        best = max(patterns, key=lambda p: (p.articles > most, p.pages * p.articles), default=None)
        number = best.number if best is not None and _is_usual(best) else None
        return ExtractionModel(
            conventions=conventions,
            patterns=tuple(patterns),
            context=replace(context, main=groups[number].labels if number is not None else None),
            main=number,
        )

    def _patterns(self, context: SiteContext, groups: list[_Group]) -> list[LabelledPattern]:
        """Return the groups with what to expect of their pages; few pages lean on their cluster."""
        pages = [self._pages(context, group) for group in groups]
        cluster: dict[int, list[float]] = {}
        for group, some in zip(groups, pages, strict=True):
            cluster.setdefault(group.cluster, []).extend(page.total for page in some)
        shares = {number: learn_prior(points).share for number, points in cluster.items()}
        found, weight = [], THRESHOLDS.prior_pages
        for number, (group, some) in enumerate(zip(groups, pages, strict=True)):
            usual = shares[group.cluster]
            known = LabelledPattern(
                number=number,
                cluster=group.cluster,
                pattern=group.learned.pattern,
                pages=len(group.members),
                members=group.members,
                labels=group.labels,
                fitting=learn_prior([page.total for page in some if page.fits], usual, weight),
                other=learn_prior([page.total for page in some if not page.fits], usual, weight),
                roles=self._roles(group),
            )
            accepted = sum(page.is_accepted(known) for page in some)
            found.append(replace(known, articles=accepted / len(some)))
        return found

    def _roles(self, group: _Group) -> tuple[tuple[int, str], ...]:
        """Return the vertices of the pattern that hold a field on most sampled pages."""
        counts: Counter[tuple[int, str]] = Counter()
        for found in group.matches:
            if found is not None:
                labelled = read_page(found.tree, group.labels, found.start)
                counts.update(roles_of(found, labelled, group.labels))
        often = THRESHOLDS.majority * len(group.matches)
        return tuple(sorted(role for role, pages in counts.items() if pages >= often))

    def _titles(self, groups: list[_Group]) -> Counter[int]:
        """Return for the hash of each title how many pages have it."""
        counts: Counter[int] = Counter()
        for group in groups:
            for at in group.members:
                tree = self.pages[at].tree
                leaf = group.title_of(tree)
                if leaf >= 0 and tree.words[leaf] >= THRESHOLDS.several:
                    counts[int(tree.text_hash[leaf])] += 1
        return counts

    def _norms(self) -> SiteNorms:
        said = [metadata_of(page.tree) for page in self.pages]
        count = max(len(said), 1)
        return SiteNorms(
            json_ld=sum(one.json_ld_article for one in said) / count,
            og_article=sum(one.og_article for one in said) / count,
            newsless_pages=sum(bool(find_newsless_directory(page.url)) for page in self.pages)
            / count,
        )

    def _usual(
        self, context: SiteContext, groups: list[_Group], articles: list[list[int]]
    ) -> SiteNorms:
        """Return the norms with how many of the likely articles are dated and signed."""
        seen = [
            page
            for group, which in zip(groups, articles, strict=True)
            for at, page in enumerate(self._pages(context, group))
            if at in which
        ]
        count = len(seen)
        if count < THRESHOLDS.several:
            return context.norms
        return replace(
            context.norms,
            dated=sum(page.imprint.dated is not None for page in seen) / count,
            signed=sum(bool(page.imprint.authors) for page in seen) / count,
            linked_title=sum(page.linked_title for page in seen) / count,
        )

    def _pages(self, context: SiteContext, group: _Group) -> list[SampledPage]:
        """Return what is seen on each sampled page of a group."""
        return [self._sampled(context, group, at) for at in range(len(group.sample))]

    def _sampled(self, context: SiteContext, group: _Group, at: int) -> SampledPage:
        """Return what is seen on a sampled page: by its labels, else by the fallback."""
        read = self._read(group, at)
        features = extract_features(read.source, read.imprint, context)
        return SampledPage(
            weigh(features, context.norms) + points_of_corrections(group.labels),
            read.fits,
            read.imprint,
            features.linked_title,
        )

    def _read(self, group: _Group, at: int) -> _ReadPage:
        key = group.sample[at], id(group.labels)
        if key not in self.read:
            self.read[key] = self._read_anew(group, at)
        return self.read[key]

    def _read_anew(self, group: _Group, at: int) -> _ReadPage:
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


def _is_usual(pattern: LabelledPattern) -> bool:
    """Return whether other articles of the site can be held against those of a pattern."""
    articles = pattern.articles * pattern.pages
    return pattern.articles > THRESHOLDS.habit and articles >= THRESHOLDS.several


def _boilerplate(counts: Counter[int], pages: int) -> NDArray[np.int64]:
    """Return the texts that most pages of a site have, in order."""
    often = max(THRESHOLDS.several, THRESHOLDS.majority * pages)
    return np.array(sorted(text for text, k in counts.items() if k > often), dtype=np.int64)


def _remembered(fallback: Fallback) -> Fallback:
    """Return the same answers, each asked for once: a page is looked at several times."""
    known: dict[int, Sequence[int]] = {}

    def ask(tree: Tree) -> Sequence[int]:
        if id(tree) not in known:
            known[id(tree)] = fallback(tree)
        return known[id(tree)]

    return ask


def _is_better(page: PageCandidates, usual: Selector, other: Selector) -> bool:
    return title_score(page, other) > title_score(page, usual)


def _names(labels: Labels, voters: Sequence[Voter]) -> frozenset[str]:
    """Return the authors that some pages name, folded."""
    if labels.author is None:
        return frozenset()
    read = [labels.author.read(voter.tree, voter.starts) for voter in voters]
    return frozenset(fold_text(name) for names in read for name in names)
