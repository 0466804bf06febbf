"""The learned model of a site: labelled patterns, and the decision about a page."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from flong.article import Article
from flong.decision import Decision
from flong.page import Anchor
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
from flong.patterns.labels import (
    Fallback,
    LabelledPage,
    Labels,
    fits,
    folded_text,
    is_believed,
    read_by_fallback,
    read_page,
    with_title,
    without_boilerplate,
)
from flong.patterns.match import Match, match_nearly
from flong.patterns.metadata import metadata_of
from flong.patterns.page_sections import section_of
from flong.patterns.page_titles import PageNames, TitleConventions
from flong.patterns.pattern import Pattern
from flong.patterns.pattern_choice import Choice, Chooser
from flong.patterns.thresholds import THRESHOLDS
from flong.states import ArticleKind, ArticleMethod, CorrectedField, Fit, TemplateKind, Verdict
from flong.text import fold_text
from flong.tree import SitePage, Tree

PARTLY = "; the page is too deeply nested or too large, so only part of it was read"
"""End of the reason for a page that was cut."""
_BY_FALLBACK = 0.5
"""Maximum confidence in an article that no pattern gives."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class LabelledPattern:
    """A pattern, its labels, and the priors for its pages."""

    number: int
    """Position in the model."""
    id: int | None = None
    """Id in the database; None outside of one."""
    cluster: int = -1
    """Its cluster: the position or, once stored, the id."""
    pattern: Pattern = field(repr=False)
    """The ne-pattern."""
    pages: int
    """Number of pages that it was learned from."""
    members: tuple[int, ...] = ()
    """Positions of these pages; empty once stored."""
    labels: Labels
    """Places of title, body and the other fields."""
    fitting: Prior = field(default_factory=Prior)
    """Prior of pages on which the labels find title and body."""
    other: Prior = field(default_factory=Prior)
    """Prior of its other pages."""
    articles: float = 0.0
    """Fraction of articles among its sampled pages."""
    roles: tuple[tuple[int, str], ...] = ()
    """Vertices of the pattern that contain fields, with the field's name."""

    @property
    def kind(self) -> TemplateKind:
        """Return the kind of its pages: article, mixed or other."""
        if self.articles >= THRESHOLDS.articles_only:
            return TemplateKind.ARTICLE
        is_mixed = self.articles > THRESHOLDS.articles_some
        return TemplateKind.MIXED if is_mixed else TemplateKind.OTHER


@dataclass(frozen=True, eq=False, kw_only=True)
class Examined:
    """Evidence about one page, from which its decision follows."""

    choice: Choice
    """The chosen pattern."""
    chosen: LabelledPattern | None
    """Pattern whose labels were used: the chosen one, or the main one if that yields nothing; or
    None."""
    by_fallback: bool
    """The body is from the fallback: no trusted label yields one."""
    source: PageEvidence
    """Page, labels and metadata: the input for its fields."""
    imprint: Imprint
    """Date and authors."""
    features: ArticleFeatures
    """Features for the decision."""
    prior: Prior | None
    """Prior of the pages of its pattern; None without a pattern, or on an exception in it."""
    judgement: Judgement
    """Article or not."""

    @cached_property
    def fields(self) -> Fields:
        """Return title, dates and the other fields. Read on demand: most pages need only some."""
        return read_fields(self.source, self.imprint)


@dataclass(frozen=True, eq=False, kw_only=True)
class ExtractionModel:
    """The learned model of a site; extracts articles from its pages."""

    conventions: TitleConventions
    """Conventions of the site's titles."""
    patterns: tuple[LabelledPattern, ...]
    """Its patterns, by number."""
    context: SiteContext = field(default_factory=SiteContext)
    """Facts about the site that the decision on a page needs."""
    refused: frozenset[str] = frozenset()
    """URLs of pages that a person has marked as not articles."""
    fallback: Fallback | None = None
    """Reads the body of pages on which no label yields one."""
    version: int = 0
    """Version of the model in the database; 0 outside of one."""

    def read(
        self, page: SitePage, anchors: Sequence[Anchor] = (), now: datetime | None = None
    ) -> Decision:
        """Return the decision about a page, with its article if it is one.

        `anchors` are the texts of links to the page. Dates after `now` are ignored.
        """
        return self.conclude(page, self.examine(page, anchors, now))

    @property
    def main(self) -> int | None:
        """Return the number of the pattern of the site's main articles, if there is one."""
        return self.context.main_pattern

    def main_of(self, tree: Tree) -> LabelledPattern | None:
        """Return the main pattern of the era of a page, if there is one."""
        number = self.context.of(tree).main_pattern
        return None if number is None else self.patterns[number]

    def pattern_id(self, number: int | None) -> int | None:
        """Return the id that a pattern of the model has in the database."""
        return None if number is None else self.patterns[number].id

    def conclude(self, page: SitePage, seen: "Examined") -> Decision:
        """Return the decision that follows from the evidence about a page."""
        is_page = section_of(page.url) in self.context.page_sections
        is_page = is_page and not seen.source.page_names.announced
        article = None
        if seen.judgement.article and seen.source.labelled.body:
            article = _article(page, seen, ArticleKind.PAGE if is_page else ArticleKind.NEWS)
        tree, judged, found = page.tree, seen.judgement, seen.choice.match
        verdict = Verdict.OTHER if found is not None else Verdict.UNMATCHED
        said = fold_text(f"{tree.head.meta.get('og:title', '')} {tree.head.title}")
        has_body = article is not None or not judged.article
        reason = judged.reason if has_body else "not an article: it has no body"
        if article is not None and is_page:
            reason = "a page, not news: menus link to the articles of its section, few are dated"
        known = self.patterns[seen.choice.best] if seen.choice.best is not None else None
        pattern_id = None
        if known is not None and found is not None:
            pattern_id = known.number if known.id is None else known.id
        return Decision(
            verdict=verdict if article is None or is_page else Verdict.ARTICLE,
            reason=reason + PARTLY * tree.partial,
            article=article,
            score=judged.score,
            fit=fit_of(found),
            pattern_id=pattern_id,
            cost=found.cost if found is not None else 0,
            constants=found.constants if found is not None else 0,
            page_words=int(tree.words[0]) if len(tree) else 0,
            agrees=fold_text(article.title) in said if article is not None and said else None,
            model_version=self.version,
        )

    def examine(
        self, page: SitePage, anchors: Sequence[Anchor] = (), now: datetime | None = None
    ) -> Examined:
        """Return the evidence about a page."""
        tree = page.tree
        choice = self.chooser.choose(tree)
        known = self.patterns[choice.best] if choice.best is not None else None
        page_names = self.conventions.name_page(tree.head, anchors)
        read = self._read(tree, page_names, choice)
        chosen, labelled = read.chosen, read.labelled
        labels = chosen.labels if chosen else self._loose
        source = PageEvidence(
            url=page.url,
            tree=tree,
            labelled=labelled,
            labels=labels,
            page_names=page_names,
            metadata=metadata_of(tree),
            match=read.match,
            now=now,
        )
        imprint = read_imprint(source)
        prior = None
        if known is not None and not read.is_exception:
            sure = read.match is not None and not read.by_fallback and fits(labelled, labels)
            prior = chosen.fitting if chosen is not None and sure else known.other
        context = self.context.of(tree)
        features = extract_features(source, imprint, context)
        points = weigh(features, context.norms)
        if known is not None:
            points += points_of_corrections(known.labels)
        points += (REFUSED_PAGE,) if page.url in self.refused else ()
        return Examined(
            choice=choice,
            chosen=chosen,
            by_fallback=read.by_fallback,
            source=source,
            imprint=imprint,
            features=features,
            prior=prior,
            judgement=judge(points, prior),
        )

    @cached_property
    def chooser(self) -> Chooser:
        """Return the chooser; patterns of a single page are tried last.

        These accept hardly any other page, and a site may have many.
        """
        alone = [known.number for known in self.patterns if known.pages == 1]
        return Chooser([known.pattern for known in self.patterns], alone)

    @cached_property
    def _loose(self) -> Labels:
        """Return the labels for dates and authors on pages without a pattern."""
        main = self.patterns[self.main].labels if self.main is not None else Labels()
        return Labels(date=main.date, author=main.author, month_first=main.month_first)

    def _read(self, tree: Tree, page_names: PageNames, choice: Choice) -> "_Read":
        """Try the page's own pattern, then the main pattern of its era, then the fallback.

        The main pattern also wins if only its title is like the head title, or only its body agrees
        with the baselines. On patterns that are not of articles it wins if title and body are where
        the main articles have them: a pattern of lists may accept an article. The fallback is not
        tried on patterns without any article.
        """
        own = _Read(None, None, LabelledPage(title=-1, container=-1, body=[], instances=0))
        known = self.patterns[choice.best] if choice.best is not None else None
        fallback = None
        if self.fallback and (known is None or known.kind is not TemplateKind.OTHER):
            fallback = without_boilerplate(self.fallback, self.context.boilerplate)
        if known is not None and choice.match is not None:
            own = _read_by(known, choice.match, tree, page_names, fallback)
            if own.sound and own.believed:
                main = self._read_as_main(tree, page_names, known, fallback)
                return (main or own).titled(tree, page_names, fallback)
        usual = self.main_of(tree)
        if usual is not None and choice.best != usual.number:
            fits_main = bool(own.labelled.body)
            # A match takes as long as all the rest, and names usually find title and body.
            early = fits_main and usual.labels.need_match
            found = match_nearly(usual.pattern, tree) if early else None
            main = _read_by(usual, found, tree, page_names, fallback)
            if main.believed and (main.sound or not own.believed):
                if fits_main and not early:
                    main = main._replace(match=match_nearly(usual.pattern, tree))
                return main.titled(tree, page_names, fallback)
        own = own.titled(tree, page_names, fallback)
        if fallback is None or own.believed:
            return own
        labels = own.chosen.labels if own.chosen else self._loose
        starts = own.match.start if own.match is not None else None
        labelled = read_by_fallback(own.labelled, tree, fallback, labels, starts)
        labelled = with_title(labelled, tree, labels, page_names, fallback)
        return _Read(own.chosen, own.match, labelled, by_fallback=True)

    def _read_as_main(
        self, tree: Tree, page_names: PageNames, known: LabelledPattern, fallback: Fallback | None
    ) -> "_Read | None":
        """Return the page as the main labels read it if they find a title and body of an article.

        Patterns of articles, and those with the body where main articles have it, read by their
        own labels. The page is an exception in its pattern, whose prior says nothing about it.
        """
        usual = self.main_of(tree)
        if usual is None or known.kind is TemplateKind.ARTICLE:
            return None
        if known.labels.body == usual.labels.body:
            return None
        main = _read_by(usual, None, tree, page_names, fallback)
        is_article = main.like_heads and main.believed and fits(main.labelled, usual.labels)
        return main._replace(is_exception=True) if is_article else None


class _Read(NamedTuple):
    """Result of one way to read a page."""

    chosen: LabelledPattern | None
    match: Match | None
    labelled: LabelledPage
    sound: bool = False
    """There is a body, and the title, if any, is like the head title."""
    believed: bool = False
    """There is a body that the baselines do not contradict."""
    by_fallback: bool = False
    like_heads: bool = False
    """The title is like the head title."""
    is_exception: bool = False
    """It is built like the main articles, unlike the other pages of its pattern."""

    def titled(self, tree: Tree, page_names: PageNames, fallback: Fallback | None) -> "_Read":
        """Return it with the head title if the label of the title is not trusted."""
        if self.chosen is None or self.like_heads:
            return self
        labelled = with_title(self.labelled, tree, self.chosen.labels, page_names, fallback)
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


def fit_of(found: Match | None) -> Fit:
    """Return the fit of a match."""
    if found is None:
        return Fit.NONE
    return Fit.BOUNDED if found.bounded else Fit.STRICT


def _article(page: SitePage, seen: Examined, kind: ArticleKind) -> Article:
    found, structure = seen.choice.match, structure_of(page.tree, seen.source.labelled, page.url)
    body = structure.text
    fields = with_language(seen.fields, body)
    method = ArticleMethod.FALLBACK
    if found is not None and not seen.by_fallback:
        method = ArticleMethod.BOUNDED if found.bounded else ArticleMethod.PATTERN
    sure = 1 / (1 + 2.0 ** -(seen.judgement.score - THRESHOLDS.enough))
    return Article(
        url=page.url,
        title=fields.title,
        body=body,
        structure=structure.blocks,
        kind=kind,
        confidence=round(min(sure, _BY_FALLBACK) if method is ArticleMethod.FALLBACK else sure, 3),
        method=method,
        **article_fields(fields),
    )
