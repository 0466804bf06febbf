"""Learn a site from pages that share templates, in the order of Reis et al. 2004.

Pages arrive clustered by template (section 4.1, `flong.clustering`). The functions below stand in
the order in which `learn_site` calls them:

- section 4.2: `compose_patterns` generalizes each cluster to ne-patterns; `split_by_title` divides
  a pattern whose pages have their titles in two places.
- section 4.3: `match_sample` matches a pattern with a sample of its pages.
- section 4.4: `elect_labels` lets the sample vote for title and body.

The paper stops here. flong adds:

- `classify` decides which pages are articles, from features of the pages and of the site.
- `find_eras` finds older templates: articles that are built unlike the main ones.
- `elect_again` repeats the election with the articles as the only voters, and elects the other
  fields; `trim_closings` finds paragraphs that recur at the end of bodies.
- `learn_norms` learns the norms of each era, with which `classify` decides again.
- `with_page_sections` finds the sections whose articles are pages, not news.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, compress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flong.page import Anchor
from flong.patterns.article_classifier import judge, learn_prior
from flong.patterns.article_evidence import Point, weigh
from flong.patterns.article_features import (
    Era,
    SiteContext,
    SiteNorms,
    extract_features,
    find_directories,
    find_newsless_directory,
)
from flong.patterns.body_election import Baseline
from flong.patterns.closing_paragraphs import PAGES, learn_closing_paragraphs
from flong.patterns.cluster_patterns import compose_cluster
from flong.patterns.corrections import (
    NO_OVERRIDES,
    Correction,
    Overrides,
    Own,
    overrides_of,
    points_of_corrections,
    refused_urls,
)
from flong.patterns.fields import Imprint, PageEvidence, read_imprint
from flong.patterns.label_voting import (
    ClusterTexts,
    SiteTexts,
    Voter,
    find_cluster_texts,
    label_bylines,
    label_imprint,
    label_pages,
    spread,
)
from flong.patterns.labels import (
    Fallback,
    LabelledPage,
    Labels,
    fits,
    is_believed,
    read_by_fallback,
    read_page,
    with_title,
    without_boilerplate,
)
from flong.patterns.match import Match, match
from flong.patterns.metadata import metadata_of
from flong.patterns.model import ExtractionModel, LabelledPattern
from flong.patterns.page_sections import SectionArticle, find_page_sections, section_of
from flong.patterns.page_titles import (
    PageNames,
    TitleConventions,
    hash_headlines,
    learn_conventions,
)
from flong.patterns.pattern import Pattern
from flong.patterns.selectors import find, first_leaf
from flong.patterns.thresholds import THRESHOLDS
from flong.patterns.title_election import (
    PageCandidates,
    count_texts,
    find_candidates,
    other_title,
    title_score,
)
from flong.progress import Meter, Progress, unwatched
from flong.states import TemplateKind
from flong.text import fold_text
from flong.tree import SitePage, Tree

Roles = tuple[tuple[int, str], ...]
"""Vertices of a pattern that hold fields, with the field's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterOfPages:
    """Pages of one template."""

    members: tuple[int, ...]
    """Positions of its pages."""
    distances: tuple[float, ...] = ()
    """Distance of each member to the medoid, in the same order; empty if unknown."""

    def part(self, positions: Iterable[int]) -> "ClusterOfPages":
        """Return some of its pages, by their positions among the members."""
        chosen = list(positions)
        return ClusterOfPages(
            members=tuple(self.members[at] for at in chosen),
            distances=tuple(self.distances[at] for at in chosen) if self.distances else (),
        )


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class PageGroup:
    """The pages of one pattern."""

    cluster: int
    """Position of their cluster."""
    pattern: Pattern
    """The ne-pattern, which accepts all of them."""
    pages: ClusterOfPages
    """All pages of the pattern, nearest to the medoid first."""
    matches: list[Match | None] = field(default_factory=list)
    """Match of the pattern with each page of the sample."""
    labels: Labels = field(default_factory=Labels)
    """Elected labels."""
    read: "dict[int, _ReadPage]" = field(default_factory=dict)
    """Cache: pages of the sample as read with these labels, by position in the sample."""

    @property
    def sample(self) -> list[int]:
        """Return the positions of the pages that vote."""
        return [self.pages.members[at] for at in spread(len(self.pages.members))]

    def labelled(self, labels: Labels) -> "PageGroup":
        """Return the group with other labels."""
        return replace(self, labels=labels, read={})


class _ReadPage(NamedTuple):
    """A page of the sample as its labels read it."""

    source: PageEvidence
    imprint: Imprint
    fits: bool


@dataclass(frozen=True, eq=False, slots=True)
class SampledPage:
    """Evidence for and against one page of the sample being an article."""

    points: tuple[Point, ...]
    """Weighed features."""
    fits: bool
    """Title and body are where the labels expect them."""
    imprint: Imprint
    """Date and authors."""
    linked_title: bool
    """The title is a link."""
    like_main: bool
    """Title or body is where the site's main articles have it."""

    @property
    def total(self) -> float:
        """Return the points that also apply to other pages of the pattern."""
        return sum(point.points for point in self.points if not point.alone)

    def is_accepted(self, known: LabelledPattern) -> bool:
        """Return True if the page is an article, as a page of this pattern."""
        return judge(self.points, known.fitting if self.fits else known.other).article


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class LearningSite:
    """Facts about the whole site that the steps of learning need."""

    pages: Sequence[SitePage]
    """Sample of the site's pages."""
    conventions: TitleConventions
    """Conventions of the site's head titles."""
    page_names: list[PageNames]
    """Head titles and anchor texts of each page."""
    repeated: frozenset[int]
    """Hashes of texts that many pages have."""
    texts: Counter[int]
    """Number of pages that have each text, by its hash."""
    headlines: NDArray[np.int64]
    """Sorted hashes of the anchor texts of its pages."""
    largest: int
    """Pages of the largest cluster."""
    baselines: tuple[Baseline, ...]
    """Extractors that vote for the body of a page."""
    fallback: Fallback | None
    """Reads pages whose labels yield no body."""
    boilerplate: NDArray[np.int64]
    """Sorted hashes of the texts that most pages have."""
    directories: frozenset[str]
    """URL paths below which several pages lie."""
    corrections: Sequence[Correction]
    """Corrections by people."""
    clusters: Sequence[ClusterOfPages]
    """Clusters of its pages."""
    cluster_texts: Sequence[ClusterTexts]
    """Texts that recur on the pages of each cluster."""
    positions: Mapping[str, int]
    """Position of each page, by its URL."""

    def tree(self, at: int) -> Tree:
        """Return the tree of a page."""
        return self.pages[at].tree


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

    `anchors` are the texts of links to each page, by URL. `linking_pages` is the number of pages
    whose links were read, if larger than the number of `pages`. `fallback` reads pages whose labels
    yield no body, here and later in the model. `tell` receives the progress. `corrections` overrule
    votes on the pages that they are about.
    """
    site = survey_site(
        pages,
        clusters,
        baselines=baselines,
        anchors=anchors or {},
        linking_pages=linking_pages,
        fallback=fallback,
        corrections=corrections,
    )
    composed = compose_patterns(site, clusters, tell)
    labels = Meter(tell, "labels", len(composed))
    groups = [part for group in composed for part in split_by_title(site, group)]
    groups = [match_sample(site, group) for group in groups]
    groups = [elect_labels(site, group) for group in groups]
    labels.advance(len(composed))

    steps = Meter(tell, "articles", 4)
    draft = classify(site, groups, SiteContext(norms=norms_of_heads(site, pages)))
    steps.advance()
    articles = find_articles(site, groups, draft)
    steps.advance()
    eras = find_eras(site, groups, draft, articles)
    groups = elect_again(site, groups, draft, articles)
    groups = trim_closings(site, groups, articles)
    steps.advance()
    model = classify(site, groups, learn_norms(site, groups, eras, articles))
    model = replace(model, context=with_page_sections(site, groups, model))
    steps.advance()
    return replace(model, refused=refused_urls(corrections), fallback=fallback)


def survey_site(  # noqa: PLR0913 - all that is known about a site
    pages: Sequence[SitePage],
    clusters: Sequence[ClusterOfPages],
    *,
    baselines: Iterable[Baseline],
    anchors: Mapping[str, Sequence[Anchor]],
    linking_pages: int,
    fallback: Fallback | None,
    corrections: Sequence[Correction],
) -> LearningSite:
    """Collect the facts about the whole site."""
    heads = {page.url: page.tree.head for page in pages}
    conventions = learn_conventions(heads, anchors, linking_pages)
    counts = count_texts(page.tree for page in pages)
    often = THRESHOLDS.shared_by(THRESHOLDS.repeated_text, len(pages))
    most = THRESHOLDS.shared_by(THRESHOLDS.boilerplate, len(pages))
    largest = max((len(cluster.members) for cluster in clusters), default=0)
    boilerplate = np.array(sorted(h for h, k in counts.items() if k >= most), dtype=np.int64)
    return LearningSite(
        pages=pages,
        conventions=conventions,
        page_names=[
            conventions.name_page(page.tree.head, anchors.get(page.url, ())) for page in pages
        ],
        repeated=frozenset(h for h, k in counts.items() if k >= often),
        texts=counts,
        headlines=hash_headlines(anchors.values()),
        largest=largest,
        baselines=tuple(baselines),
        fallback=None if fallback is None else without_boilerplate(fallback, boilerplate),
        boilerplate=boilerplate,
        directories=find_directories(page.url for page in pages),
        corrections=corrections,
        clusters=clusters,
        cluster_texts=[
            find_cluster_texts(
                [pages[at].tree for at in cluster.members],
                counts if 2 * len(cluster.members) < largest else None,
            )
            for cluster in clusters
        ],
        positions={page.url: at for at, page in enumerate(pages)},
    )


# Section 4.2: extraction pattern generation


def compose_patterns(
    site: LearningSite, clusters: Sequence[ClusterOfPages], tell: Progress = unwatched
) -> list[PageGroup]:
    """Return the ne-patterns of all clusters with their pages (section 4.2)."""
    meter = Meter(tell, "patterns", sum(len(cluster.members) for cluster in clusters))
    composed = []
    for number, cluster in enumerate(clusters):
        composed += _compose(site, number, cluster)
        meter.advance(len(cluster.members))
    return composed


def _compose(site: LearningSite, number: int, cluster: ClusterOfPages) -> list[PageGroup]:
    trees = [site.tree(at) for at in cluster.members]
    return [
        PageGroup(cluster=number, pattern=found.pattern, pages=cluster.part(found.pages))
        for found in compose_cluster(trees, cluster.distances or None)
    ]


def split_by_title(site: LearningSite, group: PageGroup) -> list[PageGroup]:
    """Return the group, or several if some of its pages certainly have their title elsewhere.

    An article and a list that contains only its teaser may have the same structure. Labels elected
    by one kind of page would be wrong on the other.
    """
    titles = other_title([_candidates(site, group, at) for at in group.sample])
    if titles is None:
        return [group]
    usual, other = titles
    parts: tuple[list[int], list[int]] = ([], [])
    for position, at in enumerate(group.pages.members):
        page = _candidates(site, group, at)
        parts[title_score(page, other) > title_score(page, usual)].append(position)
    return [
        part
        for positions in parts
        if positions
        for part in _compose(site, group.cluster, group.pages.part(positions))
    ]


def _candidates(site: LearningSite, group: PageGroup, at: int) -> PageCandidates:
    found = match(group.pattern, site.tree(at))
    starts = found.start if found else None
    return find_candidates(site.tree(at), site.page_names[at], site.repeated, starts)


# Section 4.3: data matching


def match_sample(site: LearningSite, group: PageGroup) -> PageGroup:
    """Return the group with the match of its pattern and each page of the sample (section 4.3)."""
    matches = [match(group.pattern, site.tree(at)) for at in group.sample]
    return replace(group, matches=matches)


# Section 4.4: data labelling


def elect_labels(
    site: LearningSite,
    group: PageGroup,
    voting: Sequence[int] | None = None,
    main: Labels | None = None,
) -> PageGroup:
    """Return the group with the labels for title and body that its pages elect (section 4.4).

    `voting` are the positions in the sample of the pages that vote; None for all. `main` are the
    labels of the site's main articles, which win near-ties.
    """
    voters = _voters(site, group, voting)
    texts = site.cluster_texts[group.cluster]
    if voting is not None:
        is_small = 2 * len(group.pages.members) < site.largest
        trees = [voter.tree for voter in voters]
        texts = find_cluster_texts(trees, site.texts if is_small else None)
    labels = label_pages(
        voters,
        baselines=site.baselines,
        site=SiteTexts(site.repeated, site.headlines),
        texts=texts,
        usual=main,
        overrides=_overrides(site, group) if site.corrections else NO_OVERRIDES,
    )
    return group.labelled(labels)


def _voters(site: LearningSite, group: PageGroup, voting: Sequence[int] | None) -> list[Voter]:
    """Return the pages of the sample that vote; all of them if `voting` is None."""
    sample = group.sample
    return [
        Voter(
            site.tree(sample[at]),
            site.page_names[sample[at]],
            found.start if (found := group.matches[at]) else None,
        )
        for at in (range(len(sample)) if voting is None else voting)
    ]


def _overrides(site: LearningSite, group: PageGroup) -> Overrides:
    """Return the corrections of pages of the group's cluster."""
    known: list[tuple[Correction, Own | None]] = []
    for correction in site.corrections:
        at = site.positions.get(correction.url, -1)
        if at not in site.clusters[group.cluster].members:
            continue
        own = None
        if at in group.pages.members:
            found = match(group.pattern, site.tree(at))
            own = site.tree(at), found.start if found else None
        known.append((correction, own))
    return overrides_of(known, [site.tree(at) for at in group.sample])


# Article or not


def classify(
    site: LearningSite, groups: Sequence[PageGroup], context: SiteContext
) -> ExtractionModel:
    """Return the model of the site: each pattern with its labels and its prior for articles."""
    titles: Counter[int] = Counter()
    for group in groups:
        titles.update(_title_hashes(site, group))
    unique = sorted(title for title, pages in titles.items() if pages < THRESHOLDS.least_repeats)
    context = replace(
        context,
        titles=np.array(unique, dtype=np.int64),
        boilerplate=site.boilerplate,
        directories=site.directories,
    )
    patterns = _label_patterns(site, groups, context)
    most = THRESHOLDS.mostly_articles
    best = max(patterns, key=lambda p: (p.articles > most, p.pages * p.articles), default=None)
    main = best.number if best is not None and _can_be_main(best) else None
    context = led_by(main, context).with_labels([group.labels for group in groups])
    return ExtractionModel(conventions=site.conventions, patterns=tuple(patterns), context=context)


def led_by(main: int | None, context: SiteContext) -> SiteContext:
    """Return a context with the era of the main pattern first, or without eras."""
    if main is None:
        return replace(context, eras=())
    if main in [era.pattern for era in context.eras]:
        eras = tuple(sorted(context.eras, key=lambda era: era.pattern != main))
    else:
        eras = (Era(pattern=main, norms=context.norms), *context.eras[1:])
    return replace(context, norms=eras[0].norms, eras=eras)


def _title_hashes(site: LearningSite, group: PageGroup) -> Iterator[int]:
    """Yield the hash of the title of each page of a group that has one."""
    selector = group.labels.title
    for tree in map(site.tree, group.pages.members):
        starts = None
        if selector is not None and selector.vertex >= 0:  # a vertex of the pattern needs a match
            found = match(group.pattern, tree)
            starts = None if found is None else found.start
        leaf = first_leaf(tree, find(tree, selector, starts))
        if leaf >= 0 and tree.words[leaf] >= THRESHOLDS.title_words:
            yield int(tree.text_hash[leaf])


def _label_patterns(
    site: LearningSite, groups: Sequence[PageGroup], context: SiteContext
) -> list[LabelledPattern]:
    """Return the patterns with their priors; the prior of the cluster counts as a few pages."""
    seen = [_see_sample(site, group, context) for group in groups]
    points: dict[int, list[float]] = {}
    for group, sample in zip(groups, seen, strict=True):
        points.setdefault(group.cluster, []).extend(page.total for page in sample)
    found, weight = [], THRESHOLDS.prior_pages
    shares = {n: learn_prior(some, weight=weight).share for n, some in points.items()}
    for number, (group, sample) in enumerate(zip(groups, seen, strict=True)):
        usual = shares[group.cluster]
        known = LabelledPattern(
            number=number,
            cluster=group.cluster,
            pattern=group.pattern,
            pages=len(group.pages.members),
            members=group.pages.members,
            labels=group.labels,
            fitting=learn_prior([page.total for page in sample if page.fits], usual, weight),
            other=learn_prior([page.total for page in sample if not page.fits], usual, weight),
            roles=_roles(group),
        )
        accepted = sum(page.is_accepted(known) for page in sample)
        found.append(replace(known, articles=accepted / len(sample)))
    return found


def _roles(group: PageGroup) -> Roles:
    """Return the vertices of the pattern that hold a field on most pages of the sample."""
    counts: Counter[tuple[int, str]] = Counter()
    for found in group.matches:
        if found is not None:
            labelled = read_page(found.tree, group.labels, found.start)
            counts.update(_roles_on_page(found, labelled, group.labels))
    often = THRESHOLDS.role_pages * len(group.matches)
    return tuple(sorted(role for role, pages in counts.items() if pages >= often))


def _roles_on_page(
    found: Match, labelled: LabelledPage, labels: Labels
) -> Iterator[tuple[int, str]]:
    tree = found.tree
    byline = labels.author.selector if labels.author else None
    vertices = {
        "title": labelled.title,
        "body": labelled.container,
        "date": first_leaf(tree, find(tree, labels.date, found.start)),
        "author": first_leaf(tree, find(tree, byline, found.start)),
    }
    for role, vertex in vertices.items():
        if vertex >= 0 and found.owner[vertex] >= 0:
            yield int(found.owner[vertex]), role


def _see_sample(site: LearningSite, group: PageGroup, context: SiteContext) -> list[SampledPage]:
    """Return the evidence of each page of the sample."""
    return [_see_page(site, group, at, context) for at in range(len(group.matches))]


def _see_page(site: LearningSite, group: PageGroup, at: int, context: SiteContext) -> SampledPage:
    if at not in group.read:
        group.read[at] = _read_page(site, group, at)
    source, imprint, is_fitting = group.read[at]
    context = context.of(source.tree)
    features = extract_features(source, imprint, context)
    points = weigh(features, context.norms) + points_of_corrections(group.labels)
    return SampledPage(points, is_fitting, imprint, features.linked_title, features.like_main)


def _read_page(site: LearningSite, group: PageGroup, at: int) -> _ReadPage:
    """Read a page of the sample by its labels, or by the fallback if they yield no body."""
    position, found, labels = group.sample[at], group.matches[at], group.labels
    page, page_names = site.pages[position], site.page_names[position]
    starts = found.start if found else None
    labelled = read_page(page.tree, labels, starts)
    believed = is_believed(labelled, page.tree, labels, site.fallback)
    if not believed and site.fallback is not None:
        labelled = read_by_fallback(labelled, page.tree, site.fallback, labels, starts)
    labelled = with_title(labelled, page.tree, labels, page_names, site.fallback)
    source = PageEvidence(
        url=page.url,
        tree=page.tree,
        labelled=labelled,
        labels=labels,
        page_names=page_names,
        metadata=metadata_of(page.tree),
        match=found,
    )
    return _ReadPage(source, read_imprint(source), believed and fits(labelled, labels))


def _can_be_main(pattern: LabelledPattern) -> bool:
    """Return True if other articles of the site can be compared with those of the pattern."""
    articles = pattern.articles * pattern.pages
    return pattern.kind is not TemplateKind.OTHER and articles >= THRESHOLDS.least_articles


def norms_of_heads(site: LearningSite, pages: Sequence[SitePage]) -> SiteNorms:
    """Return the norms of some pages that need no labels: metadata, URLs and links."""
    heads = [metadata_of(page.tree) for page in pages]
    count = max(len(heads), 1)
    return SiteNorms(
        json_ld=sum(head.json_ld_article for head in heads) / count,
        og_article=sum(head.og_article for head in heads) / count,
        newsless_pages=sum(bool(find_newsless_directory(page.url)) for page in pages) / count,
        linked_pages=sum(names.links > 0 for names in site.page_names) / max(len(site.pages), 1),
    )


def find_articles(
    site: LearningSite, groups: Sequence[PageGroup], draft: ExtractionModel
) -> list[list[int]]:
    """Return the articles in each group's sample, by position in the sample."""
    return [
        [
            at
            for at, page in enumerate(_see_sample(site, group, draft.context))
            if page.is_accepted(known)
        ]
        for group, known in zip(groups, draft.patterns, strict=True)
    ]


# Once more, from the articles


def elect_again(
    site: LearningSite,
    groups: Sequence[PageGroup],
    draft: ExtractionModel,
    articles: Sequence[Sequence[int]],
) -> list[PageGroup]:
    """Return the groups with the labels of all fields, elected by the articles.

    In a mixed group only the articles vote. A group whose pages have a body where the site's main
    articles have it is labelled again, too.
    """
    main, names = None, frozenset[str]()
    if draft.main is not None:
        group = groups[draft.main]
        voters = _voters(site, group, articles[draft.main])
        main, _ = label_imprint(group.labels, voters)
        names = _author_names(main, voters)
    again = []
    for number, (group, known) in enumerate(zip(groups, draft.patterns, strict=True)):
        some = articles[number]
        mixed = known.kind is TemplateKind.MIXED and len(some) >= THRESHOLDS.least_articles
        voting = some if mixed else None
        if mixed or (number != draft.main and _has_body(site, group, main)):
            group = elect_labels(site, group, voting, main)  # noqa: PLW2901 - one step more
        voters = _voters(site, group, voting)
        again.append(group.labelled(label_bylines(group.labels, voters, main, names)))
    return again


def _author_names(labels: Labels, voters: Sequence[Voter]) -> frozenset[str]:
    """Return the names in the bylines of some pages, folded."""
    if labels.author is None:
        return frozenset()
    read = [labels.author.read(voter.tree, voter.starts) for voter in voters]
    return frozenset(fold_text(name) for names in read for name in names)


def _has_body(site: LearningSite, group: PageGroup, main: Labels | None) -> bool:
    """Return True if most pages of a group have a body where the site's main articles do."""
    if main is None or main.body is None or main.body.vertex >= 0:
        return False
    found = [bool(read_page(site.tree(at), main).body) for at in group.sample]
    return sum(found) >= THRESHOLDS.usual_body * len(found)


def trim_closings(
    site: LearningSite, groups: Sequence[PageGroup], articles: Sequence[Sequence[int]]
) -> list[PageGroup]:
    """Return the groups with the paragraphs that recur at the end of the bodies of a cluster."""
    bodies: dict[int, list[list[str]]] = {}
    for group, some in zip(groups, articles, strict=True):
        for at in some:
            tree, found = site.tree(group.sample[at]), group.matches[at]
            page = read_page(tree, group.labels, found.start if found else None)
            own = bodies.setdefault(group.cluster, [])
            own.append([*map(tree.text_of, page.body)])
    every = [*chain.from_iterable(bodies.values())]
    known = learn_closing_paragraphs(every[at] for at in spread(len(every), PAGES))
    for own in bodies.values():  # columns of a small cluster may end in the same words
        sample = [own[at] for at in spread(len(own), PAGES)]
        known |= learn_closing_paragraphs(sample, THRESHOLDS.era_articles)
    return [group.labelled(group.labels.replace(closing=known)) for group in groups]


def find_eras(
    site: LearningSite,
    groups: Sequence[PageGroup],
    draft: ExtractionModel,
    articles: Sequence[Sequence[int]],
) -> list[int]:
    """Return the numbers of patterns that stand for an era of the site, the main one first.

    A further era has enough articles with neither title nor body where those of the others have
    them. Its labels have names: a bare tag is on other pages, too.
    """
    if draft.main is None:
        return []
    main = Era(pattern=draft.main, labels=groups[draft.main].labels)
    if not main.labels.named:
        return [draft.main]
    trees = [
        site.tree(group.sample[at])
        for group, some in zip(groups, articles, strict=True)
        for at in some
    ]
    eras = [draft.main]
    apart = [tree for tree in trees if not main.likeness(tree)]
    for known in sorted(draft.patterns, key=lambda known: -known.pages * known.articles):
        era = Era(pattern=known.number, labels=known.labels)
        own = [tree for tree in apart if era.likeness(tree)]
        is_full = len(own) >= THRESHOLDS.era_articles
        if is_full and _can_be_main(known) and known.labels.have_names:
            eras.append(known.number)
            apart = [tree for tree in apart if not era.likeness(tree)]
    return eras


def learn_norms(
    site: LearningSite,
    groups: Sequence[PageGroup],
    eras: Sequence[int],
    articles: Sequence[Sequence[int]],
) -> SiteContext:
    """Return the context with the norms of each era: of its pages, and of those of no era."""
    known = [Era(pattern=number, labels=groups[number].labels) for number in eras]
    found = []
    for era in known or [Era(pattern=-1)]:
        is_own = [
            era.likeness(page.tree) >= max((one.likeness(page.tree) for one in known), default=0)
            for page in site.pages
        ]
        own = [
            [at for at in some if is_own[group.sample[at]]]
            for group, some in zip(groups, articles, strict=True)
        ]
        norms = norms_of_heads(site, [*compress(site.pages, is_own)])
        found.append(replace(era, norms=norms_of_articles(site, groups, norms, tuple(known), own)))
    return SiteContext(norms=found[0].norms, eras=tuple(found) if known else ())


def norms_of_articles(
    site: LearningSite,
    groups: Sequence[PageGroup],
    norms: SiteNorms,
    eras: tuple[Era, ...],
    articles: Sequence[Sequence[int]],
) -> SiteNorms:
    """Return the norms with the fractions of articles that are dated, signed and linked."""
    seen = [
        _see_page(site, group, at, SiteContext(norms=norms, eras=eras))
        for group, some in zip(groups, articles, strict=True)
        for at in some
    ]
    if len(seen) < THRESHOLDS.least_articles:
        return norms
    return replace(
        norms,
        dated=sum(page.imprint.dated is not None for page in seen) / len(seen),
        signed=sum(bool(page.imprint.authors) for page in seen) / len(seen),
        linked_title=sum(page.linked_title for page in seen) / len(seen),
        like_main=sum(page.like_main for page in seen) / len(seen),
    )


def with_page_sections(
    site: LearningSite, groups: Sequence[PageGroup], model: ExtractionModel
) -> SiteContext:
    """Return the context with the sections of the site whose articles are pages, not news."""
    found = []
    for group, some in zip(groups, find_articles(site, groups, model), strict=True):
        for at in some:
            position = group.sample[at]
            names, section = site.page_names[position], section_of(site.pages[position].url)
            is_timed = names.announced or group.read[at].imprint.dated is not None
            found.append(SectionArticle(section, is_timed, names.links))
    sections = {section_of(page.url) for page in site.pages}
    return replace(model.context, page_sections=find_page_sections(found, sections))
