"""Learns a site's model from some of its pages, grouped by template."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from patterns.cluster import Learned, compose_cluster
from patterns.fields import Fields, Source, read_fields
from patterns.headlines import Anchor, Called, Naming, learn_naming
from patterns.labelling import label_pages, spread
from patterns.labels import Labels, fits, read_page
from patterns.looks import count_texts
from patterns.match import Match, match
from patterns.metadata import read_metadata
from patterns.model import LabelledPattern, SiteModel, roles_of
from patterns.verdict import Norms, Point, judge, learn_prior, see, weigh
from patterns.votes import Witness
from trees import SitePage


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterOfPages:
    """Pages of one template."""

    members: tuple[int, ...]
    """Positions of its pages."""
    distances: tuple[float, ...] = ()
    """Distance of each member to the medoid, in the same order; empty if not known."""


def learn_site(
    pages: Sequence[SitePage],
    clusters: Sequence[ClusterOfPages],
    *,
    witnesses: Iterable[Witness],
    anchors: Mapping[str, Sequence[Anchor]] | None = None,
    linking_pages: int = 0,
) -> SiteModel:
    """Learn a site from pages that are grouped into clusters.

    `anchors` say what others call each page, by URL; `linking_pages` how many pages were read
    for that, if more than those given.
    """
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
    groups = [
        _Group.of(site, number, learned, cluster)
        for number, cluster in enumerate(clusters)
        for learned in _compose(pages, cluster)
    ]
    return site.model(naming, groups)


def _compose(pages: Sequence[SitePage], cluster: ClusterOfPages) -> list[Learned]:
    trees = [pages[at].tree for at in cluster.members]
    return compose_cluster(trees, cluster.distances or None)


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
        which = range(len(group.sample)) if voting is None else voting
        chosen = [group.sample[at] for at in which]
        return label_pages(
            [self.pages[at].tree for at in chosen],
            [self.called[at] for at in chosen],
            [found.start if (found := group.matches[at]) else None for at in which],
            witnesses=self.witnesses,
            repeated=self.repeated,
            alike=[self.pages[at].tree for at in group.members],
            usual=main,
        )

    def _has_body(self, group: _Group, main: Labels | None) -> bool:
        """Return whether most pages of a group have a body where the site's main articles do."""
        if main is None or main.body is None or main.body.vertex >= 0:
            return False
        found = [bool(read_page(self.pages[at].tree, main).body) for at in group.sample]
        return sum(found) >= 0.5 * len(found)

    def model(self, naming: Naming, groups: list[_Group]) -> SiteModel:
        """Judge the patterns, label mixed ones again by their articles, and put all together."""
        draft = self._judged(naming, groups, self._norms())
        articles = [
            [at for at, page in enumerate(self._pages(draft, group)) if _accepted(page, known)]
            for group, known in zip(groups, draft.patterns, strict=True)
        ]
        main = draft.main_labels
        again = []
        for group, known, which in zip(groups, draft.patterns, articles, strict=True):
            voting = which if known.kind == "mixed" and len(which) >= 3 else None
            if voting or (known.number != draft.main and self._has_body(group, main)):
                group = replace(group, labels=self.label(group, voting, main))
            again.append(group)
        usual = self._usual(draft, again, articles)
        main = again[draft.main].labels if draft.main is not None else None
        return self._judged(naming, again, usual, main)

    def _judged(
        self, naming: Naming, groups: list[_Group], norms: Norms, main: Labels | None = None
    ) -> SiteModel:
        shared = self._shared_titles(groups)
        model = SiteModel(naming=naming, patterns=(), norms=norms, shared=shared)
        patterns = self._patterns(model, groups, main)
        best = max(patterns, key=lambda p: (p.articles > 0.5, p.pages * p.articles), default=None)
        number = best.number if best is not None and best.articles > 0.1 else None
        titles = self._titles(groups, patterns)
        return replace(model, patterns=tuple(patterns), main=number, titles=titles)

    def _patterns(
        self, model: SiteModel, groups: list[_Group], main: Labels | None
    ) -> list[LabelledPattern]:
        """Return the groups with what to expect of their pages; few pages lean on their cluster."""
        pages = [self._pages(model, group, main) for group in groups]
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
            accepted = sum(_accepted(page, known) for page in some)
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

    def _shared_titles(self, groups: list[_Group]) -> frozenset[int]:
        """Return the hashes of titles that three pages or more have."""
        counts: Counter[int] = Counter()
        for group in groups:
            for at in group.members:
                tree = self.pages[at].tree
                leaf = read_page(tree, group.labels).title
                if leaf >= 0:
                    counts[int(tree.text_hash[leaf])] += 1
        return frozenset(text for text, pages in counts.items() if pages >= 3)

    def _norms(self) -> Norms:
        said = [read_metadata(page.tree.head) for page in self.pages]
        count = max(len(said), 1)
        return Norms(
            json_ld=sum(one.json_ld_article for one in said) / count,
            og_article=sum(one.og_article for one in said) / count,
        )

    def _usual(self, model: SiteModel, groups: list[_Group], articles: list[list[int]]) -> Norms:
        """Return the norms with how many of the likely articles are dated and signed."""
        seen = [
            page.fields
            for group, which in zip(groups, articles, strict=True)
            for at, page in enumerate(self._pages(model, group))
            if at in which
        ]
        count = max(len(seen), 1)
        return replace(
            model.norms,
            dated=sum(fields.published is not None for fields in seen) / count,
            signed=sum(bool(fields.authors) for fields in seen) / count,
        )

    def _pages(self, model: SiteModel, group: _Group, main: Labels | None = None) -> list["_Seen"]:
        """Return what is seen on each sampled page of a group."""
        found = []
        for at, match_ in zip(group.sample, group.matches, strict=True):
            page = self.pages[at]
            reading = read_page(page.tree, group.labels, match_.start if match_ else None)
            said = read_metadata(page.tree.head)
            fields = read_fields(
                Source(
                    url=page.url,
                    tree=page.tree,
                    reading=reading,
                    labels=group.labels,
                    called=self.called[at],
                    metadata=said,
                    match=match_,
                )  # fmt: skip
            )
            signs = see(
                page.tree, reading, group.labels, self.called[at],
                titles=model.titles, shared=model.shared,
                kinds=(said.json_ld_article, said.og_article), fields=fields, main=main,
            )  # fmt: skip
            found.append(_Seen(weigh(signs, model.norms), fits(reading, group.labels), fields))
        return found

    def _titles(self, groups: list[_Group], patterns: list[LabelledPattern]) -> NDArray[np.int64]:
        """Return the hashes of the titles of known articles."""
        found = set()
        for group, known in zip(groups, patterns, strict=True):
            if known.kind != "article":
                continue
            for at in group.members:
                tree = self.pages[at].tree
                leaf = read_page(tree, group.labels).title
                if leaf >= 0 and tree.words[leaf] >= 3:
                    found.add(int(tree.text_hash[leaf]))
        return np.array(sorted(found - self.repeated), dtype=np.int64)


@dataclass(frozen=True, eq=False, slots=True)
class _Seen:
    """What is seen on one sampled page."""

    points: tuple[Point, ...]
    fits: bool
    fields: Fields

    @property
    def total(self) -> float:
        return sum(point.points for point in self.points)


def _accepted(page: _Seen, known: LabelledPattern) -> bool:
    return judge(page.points, known.fitting if page.fits else known.other).article
