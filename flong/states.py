"""States: decisions that are stored as text and worded only when shown."""

from enum import Enum, StrEnum, auto


class KeepReason(StrEnum):
    """Reason to keep an earlier article although its page now yields another one."""

    NONE = "none"
    """Not kept: the article is the page's."""
    NOTHING = "replaced_by_nothing"
    """The page no longer yields an article."""
    PART = "replaced_by_part"
    """The page yields only a part of it."""
    SHORTER = "replaced_by_shorter"
    """The page yields a much shorter text under the same title."""
    OTHER_TEXT = "replaced_by_other_text"
    """The page yields an unrelated text."""
    ERROR_PAGE = "replaced_by_error_page"
    """The page is an error page (a soft 404)."""
    WORSE = "replaced_by_worse"
    """No pattern reads the same document as well as the earlier one."""
    PAYWALL = "paywall"
    """The page shows only the beginning, like many others of the site."""

    @property
    def sentence(self) -> str:
        """The reason for people; empty for `NONE`.

        >>> KeepReason.PART.sentence
        'The earlier article is kept: the page now yields only a part of it.'
        """
        return f"The earlier article is kept: {_WORDS[self]}." if self in _WORDS else ""


_WORDS = {
    KeepReason.NOTHING: "the page no longer yields an article",
    KeepReason.PART: "the page now yields only a part of it",
    KeepReason.SHORTER: "the page yields a much shorter text under the same title",
    KeepReason.OTHER_TEXT: "the page yields an unrelated text",
    KeepReason.ERROR_PAGE: "the page is an error page",
    KeepReason.WORSE: "no pattern reads it as well",
    KeepReason.PAYWALL: "the page shows only its beginning, like many others: a paywall",
}


class Outcome(StrEnum):
    """Outcome of the last request for a page."""

    NEW = "new"
    """The page was not stored before."""
    CHANGED = "changed"
    """The document changed."""
    UNCHANGED = "unchanged"
    """The document is the same."""
    GONE = "gone"
    """The page no longer exists."""
    SOFT_404 = "soft_404"
    """The page no longer exists, but the status is a success."""
    FAILED = "failed"
    """The page could not be fetched."""
    WALLED = "walled"
    """The text is the same as on many other pages; not stored."""
    BROKEN = "broken"
    """The page shows something else in place of its article, like many others; not stored."""

    @property
    def counted_as(self) -> str:
        """The count of a run it belongs to: new, changed, unchanged, gone or failed.

        >>> Outcome.SOFT_404.counted_as, Outcome.NEW.counted_as
        ('gone', 'new')
        """
        if self in GONE_OUTCOMES:
            return "gone"
        return "failed" if self in FAILED_OUTCOMES else self.value

    @property
    def sentence(self) -> str:
        """The outcome for people; empty if a status or an error explains it."""
        return _OUTCOME_WORDS.get(self, "")


STORED_OUTCOMES = (Outcome.NEW, Outcome.CHANGED, Outcome.UNCHANGED)
"""The page exists and is stored."""
GONE_OUTCOMES = (Outcome.GONE, Outcome.SOFT_404)
"""The page existed before."""
FAILED_OUTCOMES = (Outcome.FAILED, Outcome.WALLED, Outcome.BROKEN)
"""It is unknown if the page exists."""
_OUTCOME_WORDS = {
    Outcome.SOFT_404: "It is an error page, although its status is a success.",
    Outcome.WALLED: "It showed the same text as many other pages: a wall, an error or a login.",
    Outcome.BROKEN: "It showed something else in place of its article, like many others.",
}


class RunKind(StrEnum):
    """Stage of work that a run does."""

    CRAWL = "crawl"
    LOAD = "load"
    LEARN = "learn"
    EXTRACT = "extract"
    NIGHTLY = "nightly"


class TemplateKind(StrEnum):
    """Kind of the pages of a cluster or a pattern."""

    ARTICLE = "article"
    """Nearly all are articles."""
    MIXED = "mixed"
    """Some are articles."""
    LISTING = "listing"
    """Not articles, and most of the text is links; of clusters only."""
    OTHER = "other"
    """Not articles."""


class ArticleMethod(StrEnum):
    """Method that read an article. Baselines use their own names."""

    PATTERN = "pattern"
    """A pattern that accepts the page."""
    BOUNDED = "bounded"
    """A pattern that nearly accepts it."""
    FALLBACK = "fallback"
    """No pattern."""


class RunStatus(StrEnum):
    """State of a run."""

    RUNNING = "running"
    """Its process is at work."""
    DONE = "done"
    """It succeeded."""
    FAILED = "failed"
    """It failed; its note has the reason."""
    INTERRUPTED = "interrupted"
    """It was stopped; a crawl or a night can be resumed."""
    KILLED = "killed"
    """Its process died; it can also be resumed."""


class Verdict(StrEnum):
    """Decision about a page."""

    ARTICLE = "article"
    """It is one."""
    OTHER = "other"
    """A page that is not an article."""
    UNMATCHED = "unmatched"
    """No pattern fits, and no text was found."""
    FAILED = "failed"
    """The page cannot be read."""


class Fit(StrEnum):
    """Fit of a pattern and a page."""

    STRICT = "strict"
    """The pattern accepts the page."""
    BOUNDED = "bounded"
    """The pattern nearly accepts the page."""
    NONE = "none"
    """No pattern fits."""


class PageFate(Enum):
    """Content of a page in place of its previous article."""

    SHOWN = auto()
    """The article, though elsewhere than expected."""
    MISSING = auto()
    """An error message (a soft 404)."""
    LOST = auto()
    """Something else."""


class Access(StrEnum):
    """Access to the text of an article on its page."""

    FREE = "free"
    """All of it is readable."""
    PAYWALLED = "paywalled"
    """According to the site, readers pay for it."""
    PARTIAL = "partial"
    """Part of the page could not be parsed."""


class Genre(StrEnum):
    """Genre of an article according to the site."""

    NEWS = "news"
    OPINION = "opinion"
    REVIEW = "review"
    ANALYSIS = "analysis"
    LIVE_BLOG = "live_blog"
    GALLERY = "gallery"
    VIDEO = "video"
    PODCAST = "podcast"


class ArticleKind(StrEnum):
    """Kind of an article."""

    NEWS = "news"
    """News. Lists, counts and exports contain only these by default."""
    PAGE = "page"
    """A page in prose that is not news, such as a course or a service."""


class PageRole(StrEnum):
    """Relation of a page to the article of another page."""

    PAGE = "page"
    """One of the pages of a divided article, including the first."""
    COPY = "copy"
    """The same article at another URL."""


class Precision(StrEnum):
    """Precision of a time."""

    DAY = "day"
    """Day only; the stored time of day has no meaning."""
    MINUTE = "minute"
    """Day and time of day."""


class FindingState(StrEnum):
    """State of a finding after a person has dealt with it."""

    SEEN = "seen"
    """Hidden until a later night has the same finding."""
    MUTED = "muted"
    """Hidden for good."""


class FindingKind(StrEnum):
    """Kind of a finding. Its counts are named in `flong.findings.SENTENCES`."""

    WALL = "wall"
    """Many pages show one text, such as a consent wall."""
    BROKEN = "broken"
    """Many article pages show something else in place of their articles."""
    EMPTY_HOME = "empty_home"
    """The home page has lost nearly all of its links."""
    ARTICLES_FAILED = "articles_failed"
    """Many requested articles could not be fetched."""
    ARTICLES_GONE = "articles_gone"
    """Many requested articles are gone."""
    ARTICLES_MOVED = "articles_moved"
    """Many requested articles are redirected."""
    PAYWALL = "paywall"
    """Many articles are shown only in part."""
    REDESIGN = "redesign"
    """Patterns of articles drifted, and the site was learned again."""
    RETIRED = "retired"
    """Many articles were retired when the site was learned again."""
    FEW_ARTICLES = "few_articles"
    """Far fewer new articles than usual on this weekday."""
    NO_ARTICLE_PATTERN = "no_article_pattern"
    """Learning found no pattern of articles."""
    READABLE = "readable"
    """The baselines agree on long texts on a site without a pattern of articles."""
    NO_PAGES = "no_pages"
    """The site has no stored page."""
    NEEDS_BROWSER = "needs_browser"
    """Most pages have scripts and hardly any text."""
    NO_TEXT = "no_text"
    """Most pages have hardly any text."""
    FEW_PAGES = "few_pages"
    """Too few pages to learn templates from."""
    CORRECTION_UNMET = "correction_unmet"
    """A correction that its own page does not follow; the subject is the page's URL."""
    MODEL_KEPT = "model_kept"
    """The newly learned patterns were dropped for the earlier ones."""
    CRAWL_FAILED = "crawl_failed"
    """The crawl ended without a reason."""
    CRAWL_STOPPED = "crawl_stopped"
    """The crawl was interrupted."""
    CRAWL_REFUSED = "crawl_refused"
    """The site could not be crawled; the detail is the reason."""
    CRAWL_BOUNDED = "crawl_bounded"
    """The crawl ended at a bound; the detail is the note of its run."""
    NIGHT_FAILED = "night_failed"
    """The night of the site could not be run; the detail is the error."""
    EARLIER = "earlier"
    """A sentence of a report stored before findings had kinds; the subject is without digits."""

    DRIFT_ACCEPTED = "drift_accepted"
    """Pages that a pattern fitted are no longer read; the subject is the pattern's id."""
    DRIFT_DATED = "drift_dated"
    """Fewer articles of a pattern have a date."""
    DRIFT_AUTHORED = "drift_authored"
    """Fewer articles of a pattern have an author."""
    DRIFT_AGREEING = "drift_agreeing"
    """Fewer articles of a pattern have the title in the metadata."""
    DRIFT_WORDS = "drift_words"
    """The articles of a pattern are much shorter."""
    DRIFT_PARAGRAPHS = "drift_paragraphs"
    """The articles of a pattern have far fewer paragraphs."""
    DRIFT_CAPTURED = "drift_captured"
    """A pattern takes a far smaller part of the text of its pages."""
    DRIFT_STRICT = "drift_strict"
    """A pattern fits fewer of its pages exactly."""
    DRIFT_EARLIER = "drift_earlier"
    """Like `EARLIER`, for a pattern."""

    LEARN_FIRST = "learn_first"
    """The site was learned because it is new."""
    LEARN_OUTDATED = "learn_outdated"
    """It was learned again because another version of the program had learned it."""
    LEARN_DRIFT = "learn_drift"
    """It was learned again because patterns drifted."""
    LEARN_UNFITTED = "learn_unfitted"
    """It was learned again because many pages fit no pattern."""
    LEARN_GROWN = "learn_grown"
    """It was learned again because many pages are new."""
    LEARNED = "learned"
    """The result of learning."""
    NOTE_EARLIER = "note_earlier"
    """Like `EARLIER`, for finished work."""

    @property
    def needs_attention(self) -> bool:
        """True if a person should see it: exit code 3.

        >>> FindingKind.WALL.needs_attention, FindingKind.LEARNED.needs_attention
        (True, False)
        """
        return not (self.is_drift or self in NOTES)

    @property
    def is_drift(self) -> bool:
        """True if a pattern performs worse than before."""
        return self.value.startswith("drift_")


LEARN_REASONS = (
    FindingKind.LEARN_FIRST,
    FindingKind.LEARN_OUTDATED,
    FindingKind.LEARN_DRIFT,
    FindingKind.LEARN_UNFITTED,
    FindingKind.LEARN_GROWN,
)
"""Reasons for learning a site."""
NOTES = (*LEARN_REASONS, FindingKind.LEARNED, FindingKind.NOTE_EARLIER)
"""Findings about finished work."""


class CorrectedField(StrEnum):
    """Field that a correction changes."""

    TITLE = "title"
    BODY = "body"
    DATE = "date"
    AUTHOR = "author"
    ARTICLE = "article"
    """The page as a whole."""


class CorrectionKind(StrEnum):
    """Kind of a correction."""

    IS = "is"
    """The element is the title, the body's container, or the line with date or authors."""
    IS_NOT = "is_not"
    """The element is no part of the body, or the page is not an article."""


class JobKind(StrEnum):
    """Work that a fleet does for each site."""

    NIGHTLY = "nightly"
    """A nightly run."""
    LEARN = "learn"
    """Learn the site again."""
    EXTRACT = "extract"
    """Extract all of its pages again."""


class JobState(StrEnum):
    """State of a site's job in a fleet."""

    WAITING = "waiting"
    """Not taken, or given back."""
    RUNNING = "running"
    """A worker has taken it."""
    DONE = "done"
    """It succeeded."""
    FAILED = "failed"
    """It failed and may be tried again."""
    SET_ASIDE = "set_aside"
    """It failed repeatedly: the site is paused until somebody resumes it."""

    @property
    def is_over(self) -> bool:
        """True if no worker will take it."""
        return self not in (JobState.WAITING, JobState.RUNNING)
