"""What was learned about a site: patterns with labels; and how a page is extracted with it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from flong.article import Article
from flong.patterns.article_classifier import Judgement, Prior, judge
from flong.patterns.article_evidence import weigh
from flong.patterns.article_features import ArticleFeatures, SiteContext, extract_features
from flong.patterns.blocks import structure_of
from flong.patterns.corrections import REFUSED_PAGE, points_of_corrections
from flong.patterns.fields import (
    Fields,
    Imprint,
    PageEvidence,
    article_fields,
    read_fields,
    read_imprint,
    with_language,
)
from flong.patterns.labelled_pattern import LabelledPattern
from flong.patterns.labels import (
    Fallback,
    LabelledPage,
    Labels,
    fits,
    folded_text,
    is_believed,
    read_by_consensus,
    read_page,
    with_title,
    without_boilerplate,
)
from flong.patterns.match import Match, match_nearly
from flong.patterns.metadata import Metadata, metadata_of
from flong.patterns.page_titles import Anchor, PageNames, TitleConventions
from flong.patterns.pattern_choice import Choice, Chooser
from flong.patterns.thresholds import THRESHOLDS
from flong.states import CorrectedField, Fit, Verdict
from flong.text import fold_text
from flong.tree import Head, SitePage, Tree

_BY_CONSENSUS = 0.5
"""Confidence in what no pattern gives, at most."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Extraction:
    """What came out of one page."""

    verdict: Verdict
    """What it is."""
    article: Article | None
    """The article; None unless the verdict is `article`."""
    reason: str
    """Why, in plain words."""
    score: float
    """Points for being an article."""
    pattern: int | None
    """Number of the chosen pattern; None if none fits."""
    match: Fit
    """How it fits."""
    cost: int
    """Cost of the match."""
    constants: int
    """Constant vertices matched."""
    page_words: int
    """Number of words on the page."""
    partial: bool
    """Whether a part of the page is too deep, or too far down, to be read."""
    agrees: bool | None
    """Whether the page's metadata has the title of the article; None without either."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Examined:
    """All that was found out about one page on the way to its extraction."""

    choice: Choice
    """Which pattern was chosen."""
    chosen: LabelledPattern | None
    """The pattern whose labels were used: the chosen one, or the site's main one if that reads
    nothing; None if there is no pattern."""
    by_consensus: bool
    """The body is what the fallback says: no label that earned its place gives one."""
    source: PageEvidence
    """What fields are read from: what the labels give, what the page is called, its head."""
    imprint: Imprint
    """Who wrote it, and when."""
    features: ArticleFeatures
    """What speaks for or against an article."""
    prior: Prior | None
    """What is to be expected of the pages of its pattern; None without one."""
    judgement: Judgement
    """Article or not."""

    @property
    def labelled(self) -> LabelledPage:
        """Return what the labels give."""
        return self.source.labelled

    @property
    def page_names(self) -> PageNames:
        """Return what the page is called."""
        return self.source.page_names

    @property
    def metadata(self) -> Metadata:
        """Return what its head says."""
        return self.source.metadata

    @cached_property
    def fields(self) -> Fields:
        """Return title, dates and the other fields; most are read only for who asks."""
        return read_fields(self.source, self.imprint)


@dataclass(frozen=True, eq=False, kw_only=True)
class ExtractionModel:
    """Everything that was learned about a site; extracts articles from its pages."""

    conventions: TitleConventions
    """How the site names its pages."""
    patterns: tuple[LabelledPattern, ...]
    """Its patterns, by number."""
    context: SiteContext = field(default_factory=SiteContext)
    """What pages are judged with."""
    main: int | None = None
    """Number of the pattern whose labels are tried on pages that fit none."""
    refused: frozenset[str] = frozenset()
    """URLs of pages that a person has said to be no articles."""
    fallback: Fallback | None = None
    """Reads the body of pages on which no label yields one."""
    version: int = 0
    """Version of the model in the database; 0 outside of one."""

    def read(
        self, page: SitePage, anchors: Sequence[Anchor] = (), now: datetime | None = None
    ) -> Extraction:
        """Return the decision about a page, with its article if it is one.

        `anchors` are the texts of links to the page. Dates after `now` are ignored.
        """
        return self.conclude(page, self.examine(page, anchors, now))

    def pattern_id(self, number: int | None) -> int | None:
        """Return the id that a pattern of the model has in the database."""
        return None if number is None else self.patterns[number].id

    def conclude(self, page: SitePage, seen: "Examined") -> Extraction:
        """Return the extraction that follows from what was found out about a page."""
        article = None
        if seen.judgement.article and seen.labelled.body:
            article = _article(page, seen)
        judged = seen.judgement
        reason = judged.reason if article or not judged.article else "no article: it has no body"
        return _extraction(page.tree, seen.choice, article, reason=reason, score=judged.score)

    def examine(
        self, page: SitePage, anchors: Sequence[Anchor] = (), now: datetime | None = None
    ) -> Examined:
        """Return everything that leads to the extraction of a page."""
        tree = page.tree
        choice = self.choose(tree)
        known = self.patterns[choice.best] if choice.best is not None else None
        page_names = self.conventions.name_page(tree.head, anchors)
        fallback = self.fallback
        if fallback is not None:
            fallback = without_boilerplate(fallback, self.context.boilerplate)
        read = self._read(tree, page_names, choice, fallback)
        chosen, labelled = read.chosen, read.labelled
        metadata = metadata_of(tree)
        labels = chosen.labels if chosen else self._loose
        source = PageEvidence(
            url=page.url,
            tree=tree,
            labelled=labelled,
            labels=labels,
            page_names=page_names,
            metadata=metadata,
            match=read.match,
            now=now,
        )
        imprint = read_imprint(source)
        prior = None
        if known is not None:
            sure = read.match is not None and not read.by_consensus and fits(labelled, labels)
            prior = chosen.fitting if chosen is not None and sure else known.other
        features = extract_features(source, imprint, self.context)
        points = weigh(features, self.context.norms)
        if known is not None:
            points += points_of_corrections(known.labels)
        points += (REFUSED_PAGE,) if page.url in self.refused else ()
        return Examined(
            choice=choice,
            chosen=chosen,
            by_consensus=read.by_consensus,
            source=source,
            imprint=imprint,
            features=features,
            prior=prior,
            judgement=judge(points, prior),
        )

    def choose(self, tree: Tree) -> Choice:
        """Return which pattern fits a page."""
        return self._chooser.choose(tree)

    @cached_property
    def _chooser(self) -> Chooser:
        """Return what chooses a pattern; those of one page alone are tried last.

        They accept hardly a page but their own, and a site may have many.
        """
        alone = [known.number for known in self.patterns if known.pages == 1]
        return Chooser([known.pattern for known in self.patterns], alone)

    @cached_property
    def _loose(self) -> Labels:
        """Return where dates and authors are on pages without a pattern."""
        main = self.patterns[self.main].labels if self.main is not None else Labels()
        return Labels(date=main.date, author=main.author, month_first=main.month_first)

    def _read(
        self, tree: Tree, page_names: PageNames, choice: Choice, fallback: Fallback | None
    ) -> "_Read":
        """Read a page by its pattern, else by the site's main one, else by the fallback.

        Also by the main one if only that gives a title like what the head of the page says, or a
        text that the witnesses do not contradict. Pages of a pattern that never held an article are
        not worth the fallback's time.
        """
        own = _Read(None, None, LabelledPage(title=-1, container=-1, body=[], instances=0))
        known = self.patterns[choice.best] if choice.best is not None else None
        fallback = fallback if known is None or known.kind != "other" else None
        if known is not None and choice.match is not None:
            own = _read_by(known, choice.match, tree, page_names, fallback)
            if own.sound and own.believed:
                return own.titled(tree, page_names)
        if self.main is not None and choice.best != self.main:
            usual, fits_main = self.patterns[self.main], bool(own.labelled.body)
            # Its match takes as long as all the rest: mostly names lead to title and body.
            early = fits_main and usual.labels.need_match
            found = match_nearly(usual.pattern, tree) if early else None
            main = _read_by(usual, found, tree, page_names, fallback)
            if main.believed and (main.sound or not own.believed):
                if fits_main and not early:
                    main = main._replace(match=match_nearly(usual.pattern, tree))
                return main.titled(tree, page_names)
        own = own.titled(tree, page_names)
        if fallback is None or own.believed:
            return own
        labels = own.chosen.labels if own.chosen else self._loose
        starts = own.match.start if own.match is not None else None
        labelled = read_by_consensus(own.labelled, tree, fallback, labels, starts)
        labelled = with_title(labelled, tree, labels, page_names)
        return _Read(own.chosen, own.match, labelled, by_consensus=True)


class _Read(NamedTuple):
    """A page, read in one way."""

    chosen: LabelledPattern | None
    match: Match | None
    labelled: LabelledPage
    sound: bool = False
    """There is a body, and at the title's place nothing that is unlike what the head says."""
    believed: bool = False
    """There is a body, and the witnesses do not contradict it."""
    by_consensus: bool = False
    like_heads: bool = False
    """The title is like what the head of the page says."""

    def titled(self, tree: Tree, page_names: PageNames) -> "_Read":
        """Return it with the title that the head of the page says, if the label is not believed."""
        if self.chosen is None or self.like_heads:
            return self
        labelled = with_title(self.labelled, tree, self.chosen.labels, page_names)
        return self if labelled is self.labelled else self._replace(labelled=labelled)


def _read_by(
    known: LabelledPattern,
    found: Match | None,
    tree: Tree,
    page_names: PageNames,
    fallback: Fallback | None,
) -> _Read:
    labelled = read_page(tree, known.labels, found.start if found is not None else None)
    believed = is_believed(labelled, tree, known.labels, fallback)
    sound, like_heads = bool(labelled.body), False
    is_corrected = CorrectedField.TITLE in known.labels.corrected
    if sound and labelled.title >= 0 and page_names.heads and not is_corrected:
        likeness = page_names.by_heads(folded_text(tree, labelled.title))
        sound = like_heads = likeness >= THRESHOLDS.like_head
    return _Read(known, found, labelled, sound, believed, like_heads=like_heads)


def _extraction(
    tree: Tree, choice: Choice, article: Article | None, *, reason: str, score: float
) -> Extraction:
    found = choice.match
    return Extraction(
        verdict=_verdict(article, found),
        article=article,
        reason=reason,
        score=score,
        pattern=choice.best if found is not None else None,
        match=fit_of(found),
        cost=found.cost if found is not None else 0,
        constants=found.constants if found is not None else 0,
        page_words=int(tree.words[0]) if len(tree) else 0,
        partial=tree.partial,
        agrees=None if article is None else _agrees(article, tree.head),
    )


def fit_of(found: Match | None) -> Fit:
    """Return how a pattern fits by its match."""
    if found is None:
        return Fit.NONE
    return Fit.BOUNDED if found.bounded else Fit.STRICT


def _verdict(article: Article | None, found: Match | None) -> Verdict:
    if article is not None:
        return Verdict.ARTICLE
    return Verdict.UNMATCHED if found is None else Verdict.OTHER


def _agrees(article: Article, head: Head) -> bool | None:
    """Tell whether the head of a page has the title of its article; None if it has no title."""
    said = fold_text(f"{head.meta.get('og:title', '')} {head.title}")
    return fold_text(article.title) in said if said else None


def _article(page: SitePage, seen: Examined) -> Article:
    found, structure = seen.choice.match, structure_of(page.tree, seen.labelled, page.url)
    body = structure.text
    fields = with_language(seen.fields, body)
    method = "pattern" if found is not None else "fallback"
    if found is not None and found.bounded:
        method = "bounded"
    if seen.by_consensus:
        method = "fallback"
    sure = 1 / (1 + 2.0 ** -(seen.judgement.score - THRESHOLDS.enough))
    return Article(
        url=page.url,
        title=fields.title,
        body=body,
        structure=structure.blocks,
        confidence=round(min(sure, _BY_CONSENSUS) if method == "fallback" else sure, 3),
        method=method,
        **article_fields(fields),
    )
