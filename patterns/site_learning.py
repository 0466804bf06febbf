"""Learns a site's model from some of its pages, grouped by template."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flong.patterns.article_classifier import learn_prior
from flong.patterns.article_features import SiteContext, SiteNorms
from flong.patterns.candidates import count_texts
from flong.patterns.closing_paragraphs import PAGES, learn_closing_paragraphs
from flong.patterns.corrections import Correction, refused_urls
from flong.patterns.election import Baseline
from flong.patterns.label_voting import spread
from flong.patterns.labelled_pattern import LabelledPattern
from flong.patterns.labels import Fallback, without_boilerplate
from flong.patterns.metadata import metadata_of
from flong.patterns.model import ExtractionModel
from flong.patterns.page_groups import (
    ClusterOfPages,
    Composed,
    GroupAgain,
    GroupWork,
    PageGroup,
    Roles,
    SampledPage,
    SitePages,
)
from flong.patterns.page_titles import Anchor, TitleConventions, hash_headlines, learn_conventions
from flong.patterns.thresholds import THRESHOLDS
from flong.patterns.url_features import find_directories, find_newsless_directory
from flong.progress import Meter, Progress, unwatched
from flong.tree import SitePage, Tree

_STEPS = 4
"""Judging the patterns is told in so many steps."""


def learn_site(  # noqa: PLR0913 - the front door: all that is known about a site
    pages: Sequence[SitePage],
    clusters: Sequence[ClusterOfPages],
    *,
    baselines: Iterable[Baseline],
    anchors: Mapping[str, Sequence[Anchor]] | None = None,
    linking_pages: int = 0,
    tell: Progress = unwatched,
    fallback: Fallback | None = None,
    corrections: Sequence[Correction] = (),
) -> ExtractionModel:
    """Learn a site from pages that are grouped into clusters.

    `anchors` say what others call each page, by URL; `linking_pages` how many pages were read
    for that, if more than those given. `fallback` reads pages on which no label earned its
    place, as it does when the model reads pages. `tell` is told how far the patterns and labels
    have come. `corrections` count more than votes, where their pages are among those given.
    """
    anchors = anchors or {}
    heads = {page.url: page.tree.head for page in pages}
    conventions = learn_conventions(heads, anchors, linking_pages)
    counts = count_texts(page.tree for page in pages)
    often = max(THRESHOLDS.least_repeats, THRESHOLDS.repeated_text * len(pages))
    boilerplate = _boilerplate(counts, len(pages))
    site = SitePages(
        pages=pages,
        page_names=[
            conventions.name_page(page.tree.head, anchors.get(page.url, ())) for page in pages
        ],
        repeated=frozenset(h for h, k in counts.items() if k >= often),
        texts=counts,
        headlines=hash_headlines(anchors.values()),
        largest=max((len(cluster.members) for cluster in clusters), default=0),
        baselines=tuple(baselines),
        fallback=None
        if fallback is None
        else _remembered(without_boilerplate(fallback, boilerplate)),
        boilerplate=boilerplate,
        directories=find_directories(page.url for page in pages),
        corrections=corrections,
        cluster_of={at: n for n, cluster in enumerate(clusters) for at in cluster.members},
        positions={page.url: at for at, page in enumerate(pages)},
    )
    learner = _Learner(site=site, tell=tell)
    composed = learner.compose(clusters)
    model = learner.model(conventions, learner.label(composed))
    return replace(model, refused=refused_urls(corrections), fallback=fallback)


@dataclass(eq=False, slots=True, kw_only=True)
class _Learner:
    """Learns a site, one part after the other: the pages of one pattern."""

    site: SitePages
    tell: Progress
    work: GroupWork = field(init=False)
    parts: list[int] = field(default_factory=list)
    """Part that each group of pages belongs to; those of a part in a row."""

    def compose(self, clusters: Sequence[ClusterOfPages]) -> list[Composed]:
        """Return the patterns of all clusters, each with the cluster's position and the cluster."""
        meter = Meter(self.tell, "patterns", sum(len(cluster.members) for cluster in clusters))
        composed = []
        for number, cluster in enumerate(clusters):
            composed += self.site.compose(number, cluster)
            meter.advance(len(cluster.members))
        return composed

    def label(self, composed: Sequence[Composed]) -> list[PageGroup]:
        """Return the pages of each pattern, with the labels that they vote for."""
        meter, parts = Meter(self.tell, "labels", len(composed)), range(len(composed))
        self.work = GroupWork(self.site, composed)
        found = self._do(dict.fromkeys(parts, (GroupWork.label,)))
        self.parts.extend(part for part in parts for _ in found[part])
        meter.advance(len(composed))
        return [group for part in parts for group in found[part]]

    def _do(self, orders: Mapping[int, Any]) -> dict[int, Any]:
        """Return the result of each order, by part."""
        return {part: self.work(part, order) for part, order in orders.items()}

    def _ask(self, method: Callable[..., Any], *given: Any) -> list[Any]:
        """Return the result of a method for each part, in order."""
        parts = dict.fromkeys(self.parts)
        found = self._do(dict.fromkeys(parts, (method, *given)))
        return [found[part] for part in parts]

    def _ask_groups(self, method: Callable[..., Any], *given: Any) -> list[Any]:
        """Return the result of a method for each group, in order."""
        return [*chain.from_iterable(self._ask(method, *given))]

    def _number(self, group: int) -> int:
        """Return the position of a group among those of its part."""
        return group - self.parts.index(self.parts[group])

    def model(self, conventions: TitleConventions, groups: list[PageGroup]) -> ExtractionModel:
        """Judge the patterns, label mixed ones again by their articles, and put all together."""
        meter = Meter(self.tell, "articles", _STEPS)
        draft = self._judged(conventions, groups, SiteContext(norms=self._norms()))
        meter.advance()
        articles = [
            [at for at, page in enumerate(pages) if page.is_accepted(known)]
            for pages, known in zip(
                self._ask_groups(GroupWork.pages, draft.context), draft.patterns, strict=True
            )
        ]
        meter.advance()
        groups = self._labelled_again(groups, draft, articles)
        groups = self._trimmed(groups, articles)
        usual = self._usual(draft.context, articles)
        meter.advance()
        main = groups[draft.main].labels if draft.main is not None else None
        return self._judged(conventions, groups, SiteContext(norms=usual, main=main))

    def _labelled_again(
        self, groups: list[PageGroup], draft: ExtractionModel, articles: list[list[int]]
    ) -> list[PageGroup]:
        """Return the groups with dates and authors; mixed ones labelled by their articles alone."""
        main, names = None, frozenset[str]()
        if draft.main is not None:
            part = self.parts[draft.main]
            order = GroupWork.main, self._number(draft.main), articles[draft.main]
            main, names = self.work(part, order)
        again: dict[int, list[GroupAgain]] = {part: [] for part in dict.fromkeys(self.parts)}
        for at, (known, which) in enumerate(zip(draft.patterns, articles, strict=True)):
            alone = known.kind == "mixed" and len(which) >= THRESHOLDS.least_articles
            voting = which if alone else None
            again[self.parts[at]].append(GroupAgain(groups[at], voting, at == draft.main))
        found = self._do(
            {part: (GroupWork.label_again, some, main, names) for part, some in again.items()}
        )
        labels = chain.from_iterable(found[part] for part in range(len(again)))
        return [group.labelled(one) for group, one in zip(groups, labels, strict=True)]

    def _trimmed(self, groups: list[PageGroup], articles: list[list[int]]) -> list[PageGroup]:
        """Return the groups with what recurs at the end of the site's bodies."""
        read = [(number, at) for number, which in enumerate(articles) for at in which]
        chosen: dict[int, list[tuple[int, int]]] = {}
        for number, at in (read[one] for one in spread(len(read), PAGES)):
            chosen.setdefault(self.parts[number], []).append((self._number(number), at))
        bodies = self._do({part: (GroupWork.bodies, some) for part, some in chosen.items()})
        closing = learn_closing_paragraphs([*chain.from_iterable(bodies[part] for part in chosen)])
        self._ask(GroupWork.close, closing)
        return [group.labelled(group.labels.replace(closing=closing)) for group in groups]

    def _judged(
        self, conventions: TitleConventions, groups: list[PageGroup], context: SiteContext
    ) -> ExtractionModel:
        titles: Counter[int] = sum(self._ask(GroupWork.titles), Counter[int]())
        alone = sorted(title for title, pages in titles.items() if pages < THRESHOLDS.least_repeats)
        context = replace(
            context,
            titles=np.array(alone, dtype=np.int64),
            boilerplate=self.site.boilerplate,
            directories=self.site.directories,
        )
        patterns = self._patterns(context, groups)
        most = THRESHOLDS.mostly_articles
        best = max(patterns, key=lambda p: (p.articles > most, p.pages * p.articles), default=None)
        number = best.number if best is not None and _is_usual(best) else None
        return ExtractionModel(
            conventions=conventions,
            patterns=tuple(patterns),
            context=replace(context, main=groups[number].labels if number is not None else None),
            main=number,
        )

    def _patterns(self, context: SiteContext, groups: list[PageGroup]) -> list[LabelledPattern]:
        """Return the groups with what to expect of their pages; few pages lean on their cluster."""
        pages: list[list[SampledPage]] = self._ask_groups(GroupWork.pages, context)
        roles: list[Roles] = self._ask_groups(GroupWork.roles)
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
                roles=roles[number],
            )
            accepted = sum(page.is_accepted(known) for page in some)
            found.append(replace(known, articles=accepted / len(some)))
        return found

    def _norms(self) -> SiteNorms:
        said = [metadata_of(page.tree) for page in self.site.pages]
        count = max(len(said), 1)
        return SiteNorms(
            json_ld=sum(one.json_ld_article for one in said) / count,
            og_article=sum(one.og_article for one in said) / count,
            newsless_pages=sum(bool(find_newsless_directory(page.url)) for page in self.site.pages)
            / count,
        )

    def _usual(self, context: SiteContext, articles: list[list[int]]) -> SiteNorms:
        """Return the norms with how many of the likely articles are dated and signed."""
        sampled: list[list[SampledPage]] = self._ask_groups(GroupWork.pages, context)
        seen = [pages[at] for pages, which in zip(sampled, articles, strict=True) for at in which]
        count = len(seen)
        if count < THRESHOLDS.least_articles:
            return context.norms
        return replace(
            context.norms,
            dated=sum(page.imprint.dated is not None for page in seen) / count,
            signed=sum(bool(page.imprint.authors) for page in seen) / count,
            linked_title=sum(page.linked_title for page in seen) / count,
        )


def _is_usual(pattern: LabelledPattern) -> bool:
    """Return whether other articles of the site can be held against those of a pattern."""
    articles = pattern.articles * pattern.pages
    return pattern.articles > THRESHOLDS.main_articles and articles >= THRESHOLDS.least_articles


def _boilerplate(counts: Counter[int], pages: int) -> NDArray[np.int64]:
    """Return the texts that most pages of a site have, in order."""
    often = max(THRESHOLDS.least_repeats, THRESHOLDS.boilerplate * pages)
    return np.array(sorted(text for text, k in counts.items() if k > often), dtype=np.int64)


def _remembered(fallback: Fallback) -> Fallback:
    """Return the same answers, each asked for once: a page is looked at several times."""
    known: dict[int, Sequence[int]] = {}

    def ask(tree: Tree) -> Sequence[int]:
        if id(tree) not in known:
            known[id(tree)] = fallback(tree)
        return known[id(tree)]

    return ask
