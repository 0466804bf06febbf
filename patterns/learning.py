"""Learns a site's model from some of its pages, grouped by template."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from items import fold_text
from patterns.cluster import Learned, compose_cluster
from patterns.headlines import Anchor, Called, Naming, learn_naming
from patterns.labelled import LabelledPattern, roles_of
from patterns.labelling import Voter, label_bylines, label_pages, spread
from patterns.labels import Labels, read_page
from patterns.looking import Seen, look
from patterns.looks import count_texts
from patterns.match import Match, match
from patterns.metadata import read_metadata
from patterns.model import SiteModel
from patterns.places import find, first_leaf
from patterns.signs import Norms, Sense
from patterns.verdict import learn_prior
from patterns.votes import Witness
from trees import SitePage, Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterOfPages:
    """Pages of one template."""

    members: tuple[int, ...]
    """Positions of its pages."""
    distances: tuple[float, ...] = ()
    """Distance of each member to the medoid, in the same order; empty if not known."""


def learn_site(  # noqa: PLR0913 - the front door: all that is known about a site
    pages: Sequence[SitePage],
    clusters: Sequence[ClusterOfPages],
    *,
    witnesses: Iterable[Witness],
    anchors: Mapping[str, Sequence[Anchor]] | None = None,
    linking_pages: int = 0,
    labelling: str = "vote",
) -> SiteModel:
    """Learn a site from pages that are grouped into clusters.

    `anchors` say what others call each page, by URL; `linking_pages` how many pages were read
    for that, if more than those given. `labelling` is `vote`, or `paper` for the paper's own
    heuristics, which need no labels.
    """
    if labelling not in ("vote", "paper"):
        raise ValueError(f"labelling must be vote or paper, not {labelling!r}")
    anchors = anchors or {}
    heads = {page.url: page.tree.head for page in pages}
    naming = learn_naming(heads, anchors, linking_pages)
    counts = count_texts(page.tree for page in pages)
    often = max(3, 0.02 * len(pages))
    site = _Site(
        pages=pages,
        called=[naming.call(page.tree.head, anchors.get(page.url, ())) for page in pages],
        repeated=frozenset(h for h, k in counts.items() if k >= often),
        witnesses=tuple(witnesses),
    )
    composed = [
        (number, learned, cluster)
        for number, cluster in enumerate(clusters)
        for learned in compose_cluster(
            [pages[at].tree for at in cluster.members], cluster.distances or None
        )
    ]
    if labelling == "paper":
        return _unlabelled(naming, composed)
    return site.model(naming, [_Group.of(site, *parts) for parts in composed])


def _unlabelled(
    naming: Naming, composed: Sequence[tuple[int, Learned, ClusterOfPages]]
) -> SiteModel:
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
    return SiteModel(naming=naming, patterns=patterns, labelling="paper")


@dataclass(frozen=True, eq=False, slots=True)
class _Group:
    """The pages of one pattern, and those of them that are looked at."""

    cluster: int
    learned: Learned
    members: tuple[int, ...]
    sample: list[int]
    matches: list[Match | None]
    labels: Labels

    @classmethod
    def of(cls, site: "_Site", number: int, learned: Learned, cluster: ClusterOfPages) -> "_Group":
        members = tuple(cluster.members[at] for at in learned.pages)
        sample = [members[at] for at in spread(len(members))]
        matches = [match(learned.pattern, site.pages[at].tree) for at in sample]
        group = cls(number, learned, members, sample, matches, Labels())
        return replace(group, labels=site.label(group))

    def title_of(self, tree: Tree) -> int:
        """Return the text leaf of the title on a page, -1 if it has none."""
        place, starts = self.labels.title, None
        if place is not None and place.vertex >= 0:  # without a name it is found by the match alone
            found = match(self.learned.pattern, tree)
            starts = None if found is None else found.start
        return first_leaf(tree, find(tree, place, starts))


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class _Site:
    """What learning needs of the whole site."""

    pages: Sequence[SitePage]
    called: list[Called]
    repeated: frozenset[int]
    witnesses: tuple[Witness, ...]

    def label(
        self, group: _Group, voting: list[int] | None = None, main: Labels | None = None
    ) -> Labels:
        """Return the labels that a group's sampled pages, or some of them, vote for."""
        voters = self._voters(group, voting)
        return label_pages(
            voters,
            witnesses=self.witnesses,
            repeated=self.repeated,
            alike=[one.tree for one in voters]
            if voting is not None
            else [self.pages[at].tree for at in group.members],
            usual=main,
        )

    def _voters(self, group: _Group, voting: list[int] | None) -> list[Voter]:
        which = range(len(group.sample)) if voting is None else voting
        return [
            Voter(
                self.pages[group.sample[at]].tree,
                self.called[group.sample[at]],
                found.start if (found := group.matches[at]) else None,
            )
            for at in which
        ]

    def _has_body(self, group: _Group, main: Labels | None) -> bool:
        """Return whether most pages of a group have a body where the site's main articles do."""
        if main is None or main.body is None or main.body.vertex >= 0:
            return False
        found = [bool(read_page(self.pages[at].tree, main).body) for at in group.sample]
        return sum(found) >= 0.5 * len(found)

    def model(self, naming: Naming, groups: list[_Group]) -> SiteModel:
        """Judge the patterns, label mixed ones again by their articles, and put all together."""
        draft = self._judged(naming, groups, Sense(norms=self._norms()))
        articles = [
            [
                at
                for at, page in enumerate(self._pages(draft.sense, group))
                if page.is_accepted(known)
            ]
            for group, known in zip(groups, draft.patterns, strict=True)
        ]
        again = self._labelled_again(groups, draft, articles)
        usual = self._usual(draft.sense, again, articles)
        main = again[draft.main].labels if draft.main is not None else None
        return self._judged(naming, again, Sense(norms=usual, main=main))

    def _labelled_again(
        self, groups: list[_Group], draft: SiteModel, articles: list[list[int]]
    ) -> list[_Group]:
        """Return the groups with dates and authors; mixed ones labelled by their articles alone."""
        main, names = None, frozenset[str]()
        if draft.main is not None:
            voters = self._voters(groups[draft.main], articles[draft.main])
            main = label_bylines(groups[draft.main].labels, voters)
            names = _names(main, voters)
        again = []
        for group, known, which in zip(groups, draft.patterns, articles, strict=True):
            voting = which if known.kind == "mixed" and len(which) >= 3 else None
            anew = voting or (known.number != draft.main and self._has_body(group, main))
            labels = self.label(group, voting, main) if anew else group.labels
            labels = label_bylines(labels, self._voters(group, voting), main, names)
            again.append(replace(group, labels=labels))
        return again

    def _judged(self, naming: Naming, groups: list[_Group], sense: Sense) -> SiteModel:
        titles = self._titles(groups)
        alone = sorted(title for title, pages in titles.items() if pages < 3)
        sense = replace(
            sense,
            titles=np.array(alone, dtype=np.int64),
            shared=frozenset(titles) - frozenset(alone),
        )
        patterns = self._patterns(sense, groups)
        best = max(patterns, key=lambda p: (p.articles > 0.5, p.pages * p.articles), default=None)
        number = best.number if best is not None and best.articles > 0.1 else None
        return SiteModel(
            naming=naming,
            patterns=tuple(patterns),
            sense=replace(sense, main=groups[number].labels if number is not None else None),
            main=number,
        )

    def _patterns(self, sense: Sense, groups: list[_Group]) -> list[LabelledPattern]:
        """Return the groups with what to expect of their pages; few pages lean on their cluster."""
        pages = [self._pages(sense, group) for group in groups]
        cluster: dict[int, list[float]] = {}
        for group, some in zip(groups, pages, strict=True):
            cluster.setdefault(group.cluster, []).extend(page.total for page in some)
        shares = {number: learn_prior(points).share for number, points in cluster.items()}
        found = []
        for number, (group, some) in enumerate(zip(groups, pages, strict=True)):
            usual = shares[group.cluster]
            known = LabelledPattern(
                number=number,
                cluster=group.cluster,
                pattern=group.learned.pattern,
                pages=len(group.members),
                labels=group.labels,
                fitting=learn_prior([page.total for page in some if page.fits], usual, 3.0),
                other=learn_prior([page.total for page in some if not page.fits], usual, 3.0),
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
                reading = read_page(found.tree, group.labels, found.start)
                counts.update(roles_of(found, reading, group.labels))
        often = 0.5 * len(group.matches)
        return tuple(sorted(role for role, pages in counts.items() if pages >= often))

    def _titles(self, groups: list[_Group]) -> Counter[int]:
        """Return for the hash of each title how many pages have it."""
        counts: Counter[int] = Counter()
        for group in groups:
            for at in group.members:
                tree = self.pages[at].tree
                leaf = group.title_of(tree)
                if leaf >= 0 and tree.words[leaf] >= 3:
                    counts[int(tree.text_hash[leaf])] += 1
        return counts

    def _norms(self) -> Norms:
        said = [read_metadata(page.tree.head) for page in self.pages]
        count = max(len(said), 1)
        return Norms(
            json_ld=sum(one.json_ld_article for one in said) / count,
            og_article=sum(one.og_article for one in said) / count,
        )

    def _usual(self, sense: Sense, groups: list[_Group], articles: list[list[int]]) -> Norms:
        """Return the norms with how many of the likely articles are dated and signed."""
        seen = [
            page
            for group, which in zip(groups, articles, strict=True)
            for at, page in enumerate(self._pages(sense, group))
            if at in which
        ]
        count = max(len(seen), 1)
        return replace(
            sense.norms,
            dated=sum(page.fields.published is not None for page in seen) / count,
            signed=sum(bool(page.fields.authors) for page in seen) / count,
            linked_title=sum(page.linked_title for page in seen) / count,
        )

    def _pages(self, sense: Sense, group: _Group) -> list[Seen]:
        """Return what is seen on each sampled page of a group."""
        return [
            look(self.pages[at], self.called[at], group.labels, fit, sense)
            for at, fit in zip(group.sample, group.matches, strict=True)
        ]


def _names(labels: Labels, voters: Sequence[Voter]) -> frozenset[str]:
    """Return the authors that some pages name, folded."""
    if labels.author is None:
        return frozenset()
    read = [labels.author.read(voter.tree, voter.starts) for voter in voters]
    return frozenset(fold_text(name) for names in read for name in names)
