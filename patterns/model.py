"""What was learned about a site: patterns with labels; and how a page is extracted with it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from items import Article, fold_text
from patterns.choose import Choice, Chooser
from patterns.fields import Fields, Source, read_fields, with_language
from patterns.headlines import Anchor, Called, Naming
from patterns.labelled import LabelledPattern
from patterns.labels import Labels, Reading, fits, read_page, text_of_leaves, with_title
from patterns.match import Match, match, match_bounded
from patterns.metadata import Metadata, read_metadata
from patterns.paper import label_by_paper
from patterns.signs import Sense, see
from patterns.verdict import Judgement, judge, weigh
from trees import SitePage, Tree

Fallback = Callable[[Tree], Sequence[int]]
"""Says which text leaves of a page without a pattern are its body."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Extraction:
    """What came out of one page."""

    verdict: str
    """`article`, `other`, or `unmatched` if no pattern fits and nothing could be read."""
    article: Article | None
    """The article; None unless the verdict is `article`."""
    reason: str
    """Why, in plain words."""
    score: float
    """Points for being an article."""
    pattern: int | None
    """Number of the chosen pattern; None if none fits."""
    match: str
    """How it fits: `strict`, `bounded` or `none`."""
    cost: int
    """Cost of the match."""
    constants: int
    """Constant vertices matched."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Examined:
    """All that was found out about one page on the way to its extraction."""

    choice: Choice
    """Which pattern was chosen."""
    chosen: LabelledPattern | None
    """The pattern whose labels were used: the chosen one, or the site's main one if that reads
    nothing; None if the fallback was used."""
    reading: Reading
    """What the labels give."""
    called: Called
    """What the page is called."""
    metadata: Metadata
    """What its head says."""
    fields: Fields
    """Title, dates and the other fields."""
    judgement: Judgement
    """Article or not."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SiteModel:
    """Everything that was learned about a site; extracts articles from its pages."""

    naming: Naming
    """How the site names its pages."""
    patterns: tuple[LabelledPattern, ...]
    """Its patterns, by number."""
    sense: Sense = field(default_factory=Sense)
    """What pages are judged with."""
    main: int | None = None
    """Number of the pattern whose labels are tried on pages that fit none."""
    labelling: str = "vote"
    """`vote`, or `paper` for the paper's own heuristics, page by page."""

    def to_json(self) -> str:
        """Return the model as JSON."""
        from patterns.model_json import write_model  # noqa: PLC0415 - it is built on this module

        return write_model(self)

    @classmethod
    def from_json(cls, text: str) -> "SiteModel":
        """Return the model that `to_json` wrote."""
        from patterns.model_json import read_model  # noqa: PLC0415 - it is built on this module

        return read_model(text)

    def extract(
        self,
        page: SitePage,
        anchors: Sequence[Anchor] = (),
        *,
        now: datetime | None = None,
        fallback: Fallback | None = None,
    ) -> Extraction:
        """Return what a page is, and its article if it is one.

        `anchors` are what others call the page; dates after `now` are not believed; `fallback`
        reads pages that fit no pattern.
        """
        if self.labelling == "paper":
            return self._extract_by_paper(page)
        return self.conclude(page, self.examine(page, anchors, now=now, fallback=fallback))

    def _extract_by_paper(self, page: SitePage) -> Extraction:
        """Return what the paper's labels give: an article if a passage is long enough."""
        choice = self._chooser.choose(page.tree)
        labelled = label_by_paper(choice.match) if choice.match is not None else None
        article = None
        if labelled is not None:
            title, body = labelled
            article = Article(
                url=page.url,
                title=text_of_leaves(page.tree, title.leaves) if title else "",
                body=text_of_leaves(page.tree, body.leaves),
            )
        reason = "the longest passage of the pattern has %s than 100 words"
        return _extraction(
            choice, article, reason=reason % ("more" if article else "no more"), score=0.0
        )

    def conclude(self, page: SitePage, seen: "Examined") -> Extraction:
        """Return the extraction that follows from what was found out about a page."""
        article = None
        if seen.judgement.article and seen.reading.body:
            article = _article(page, seen)
        judged = seen.judgement
        reason = judged.reason if article or not judged.article else "no article: it has no body"
        return _extraction(seen.choice, article, reason=reason, score=judged.score)

    def examine(
        self,
        page: SitePage,
        anchors: Sequence[Anchor] = (),
        *,
        now: datetime | None = None,
        fallback: Fallback | None = None,
    ) -> Examined:
        """Return everything that leads to the extraction of a page."""
        tree = page.tree
        choice = self._chooser.choose(tree)
        known = self.patterns[choice.best] if choice.best is not None else None
        called = self.naming.call(tree.head, anchors)
        read = self._read(tree, called, choice, fallback)
        chosen, reading = read.chosen, read.reading
        metadata = read_metadata(tree.head)
        labels = chosen.labels if chosen else self._loose
        source = Source(
            url=page.url,
            tree=tree,
            reading=reading,
            labels=labels,
            called=called,
            metadata=metadata,
            match=read.match,
            now=now,
        )
        fields = read_fields(source)
        prior = None
        if known is not None:
            sure = read.match is not None and fits(reading, labels)
            prior = chosen.fitting if chosen is not None and sure else known.other
        return Examined(
            choice=choice,
            chosen=chosen,
            reading=reading,
            called=called,
            metadata=metadata,
            fields=fields,
            judgement=judge(weigh(see(source, fields, self.sense), self.sense.norms), prior),
        )

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
        self, tree: Tree, called: Called, choice: Choice, fallback: Fallback | None
    ) -> "_Read":
        """Read a page by its pattern, else by the site's main one, else by the fallback.

        Also by the main one if only that gives a title like what the head of the page says.
        """
        own = _Read(None, None, Reading(title=-1, container=-1, body=[], instances=0))
        if choice.best is not None and choice.match is not None:
            own = _read_by(self.patterns[choice.best], choice.match, tree, called)
            if own.sound or choice.best == self.main:
                return own
        if self.main is not None:
            known, found = self.patterns[self.main], None
            if own.reading.body:
                found = match(known.pattern, tree) or match_bounded(known.pattern, tree)
            main = _read_by(known, found, tree, called)
            if main.reading.body and (not own.reading.body or main.sound):
                return main
        if own.chosen is not None or fallback is None:
            return own
        body = Reading(title=-1, container=-1, body=list(fallback(tree)), instances=1)
        return _Read(None, None, body)


class _Read(NamedTuple):
    """A page, read in one way."""

    chosen: LabelledPattern | None
    match: Match | None
    reading: Reading
    sound: bool = False
    """There is a body, and at the title's place nothing that is unlike what the head says."""


def _read_by(known: LabelledPattern, found: Match | None, tree: Tree, called: Called) -> _Read:
    reading = read_page(tree, known.labels, found.start if found is not None else None)
    sound = bool(reading.body)
    if sound and reading.title >= 0 and called.heads:
        sound = called.by_heads(fold_text(tree.text_of(reading.title))) >= 0.5
    return _Read(known, found, with_title(reading, tree, known.labels, called), sound)


def _extraction(
    choice: Choice, article: Article | None, *, reason: str, score: float
) -> Extraction:
    found = choice.match
    return Extraction(
        verdict="article" if article else "other" if found is not None else "unmatched",
        article=article,
        reason=reason,
        score=score,
        pattern=choice.best if found is not None else None,
        match="none" if found is None else "bounded" if found.bounded else "strict",
        cost=found.cost if found is not None else 0,
        constants=found.constants if found is not None else 0,
    )


def _article(page: SitePage, seen: Examined) -> Article:
    found, body = seen.choice.match, text_of_leaves(page.tree, seen.reading.body)
    fields = with_language(seen.fields, body)
    method = "pattern" if found is not None else "fallback"
    if found is not None and found.bounded:
        method = "bounded"
    sure = 1 / (1 + 2.0 ** -(seen.judgement.score - 1.5))
    return Article(
        url=page.url,
        title=fields.title,
        body=body,
        published=fields.published,
        modified=fields.modified,
        authors=fields.authors,
        image=fields.image,
        language=fields.language,
        section=fields.section,
        confidence=round(min(sure, 0.5) if found is None else sure, 3),
        method=method,
        provenance=fields.provenance,
    )
