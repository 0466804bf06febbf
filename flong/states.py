"""What is decided by: states that are stored as text and shown in words."""

from enum import Enum, StrEnum, auto


class Kept(StrEnum):
    """Why an earlier article stands although its page gives something else now."""

    NONE = "none"
    """It does not: the article is what the page gives."""
    NOTHING = "replaced_by_nothing"
    """The page gives no article any more."""
    PART = "replaced_by_part"
    """The page gives only a part of it."""
    SHORTER = "replaced_by_shorter"
    """The page gives something much shorter under the same title."""
    OTHER_TEXT = "replaced_by_other_text"
    """The page gives a text that has nothing in common with it."""
    ERROR_PAGE = "replaced_by_error_page"
    """The page says that nothing is there (a soft 404)."""
    WORSE = "replaced_by_worse"
    """No pattern reads the same document as well as the one that gave it."""
    PAYWALL = "paywall"
    """The page shows only its beginning, as many others of the site do."""

    @property
    def sentence(self) -> str:
        """The same for people; empty for `NONE`.

        >>> Kept.PART.sentence
        'The earlier article is kept: the page gives only a part of it now.'
        """
        return f"The earlier article is kept: {_WORDS[self]}." if self in _WORDS else ""


_WORDS = {
    Kept.NOTHING: "the page gives no article any more",
    Kept.PART: "the page gives only a part of it now",
    Kept.SHORTER: "in its place the page gives something shorter under the same title",
    Kept.OTHER_TEXT: "in its place the page gives a text that has nothing in common with it",
    Kept.ERROR_PAGE: "the page says that nothing is there",
    Kept.WORSE: "no pattern reads it as well",
    Kept.PAYWALL: "only its beginning is shown, as on many other pages: a paywall",
}


class Outcome(StrEnum):
    """What the last run that asked for a page found."""

    NEW = "new"
    """A page that was not stored before."""
    CHANGED = "changed"
    """Another document than before."""
    UNCHANGED = "unchanged"
    """The same document as before."""
    GONE = "gone"
    """That it is no longer there."""
    SOFT_404 = "soft_404"
    """The same, but with a status that says the opposite."""
    FAILED = "failed"
    """No page."""
    WALLED = "walled"
    """The same text as on many other pages; it was not stored."""
    BROKEN = "broken"
    """Something else in the place of its article, as on many other pages; it was not stored."""

    @property
    def counted_as(self) -> str:
        """Under which of the five counts of a run it goes: new, changed, unchanged, gone, failed.

        >>> Outcome.SOFT_404.counted_as, Outcome.NEW.counted_as
        ('gone', 'new')
        """
        if self in GONE_OUTCOMES:
            return "gone"
        return "failed" if self in FAILED_OUTCOMES else self.value

    @property
    def sentence(self) -> str:
        """Why there is nothing to be had, for people; empty where a status or error says so."""
        return _OUTCOME_WORDS.get(self, "")


STORED_OUTCOMES = (Outcome.NEW, Outcome.CHANGED, Outcome.UNCHANGED)
"""There is a page, and it is stored."""
GONE_OUTCOMES = (Outcome.GONE, Outcome.SOFT_404)
"""There was one."""
FAILED_OUTCOMES = (Outcome.FAILED, Outcome.WALLED, Outcome.BROKEN)
"""Whether there is one is not known."""
_OUTCOME_WORDS = {
    Outcome.SOFT_404: "It says that nothing is there, with a status that says the opposite.",
    Outcome.WALLED: "It showed the same text as many other pages: a wall, an error or a login.",
    Outcome.BROKEN: "It showed something else in the place of its article, as many others did.",
}


class RunStatus(StrEnum):
    """How far a run is."""

    RUNNING = "running"
    """Its process is at work."""
    DONE = "done"
    """It ended well."""
    FAILED = "failed"
    """It ended, and its note says what went wrong."""
    INTERRUPTED = "interrupted"
    """It was stopped, and can be resumed if it is a crawl or a night."""
    KILLED = "killed"
    """Its process ended without a word; it can be resumed likewise."""


class Verdict(StrEnum):
    """What extraction decided about a page."""

    ARTICLE = "article"
    """It is one."""
    OTHER = "other"
    """It is a page, but no article."""
    UNMATCHED = "unmatched"
    """No pattern fits, and nothing could be read."""
    FAILED = "failed"
    """It cannot be read."""


class Fit(StrEnum):
    """How a pattern fits a page."""

    STRICT = "strict"
    """It accepts the page."""
    BOUNDED = "bounded"
    """It nearly does."""
    NONE = "none"
    """No pattern does."""


class PageFate(Enum):
    """What a page shows in the place of an article that it gave before."""

    SHOWN = auto()
    """The article, though not where it was expected."""
    MISSING = auto()
    """That nothing is there (a soft 404)."""
    LOST = auto()
    """Something else."""


class Access(StrEnum):
    """Whether all of an article can be read on its page."""

    FREE = "free"
    """All of it."""
    PAYWALLED = "paywalled"
    """The site says that readers pay for it."""
    PARTIAL = "partial"
    """Part of the page could not be read."""


class Genre(StrEnum):
    """What sort of article the site says that it is."""

    NEWS = "news"
    OPINION = "opinion"
    REVIEW = "review"
    ANALYSIS = "analysis"
    LIVE_BLOG = "live_blog"
    GALLERY = "gallery"
    VIDEO = "video"
    PODCAST = "podcast"


class PageRole(StrEnum):
    """What a page is to the article of another page."""

    PAGE = "page"
    """One of the pages that the article is spread over; the first one, too."""
    COPY = "copy"
    """The same article at another URL."""


class Precision(StrEnum):
    """How exactly a time is known."""

    DAY = "day"
    """Only the day: the time of day that is stored with it means nothing."""
    MINUTE = "minute"
    """The time of day, too."""


class LookState(StrEnum):
    """What became of something that needed a look."""

    SEEN = "seen"
    """Somebody has looked; it comes again if a later night says so."""
    MUTED = "muted"
    """Nobody wants to hear of it again."""


class CorrectedField(StrEnum):
    """What a correction is about."""

    TITLE = "title"
    BODY = "body"
    DATE = "date"
    AUTHOR = "author"
    ARTICLE = "article"
    """The page as a whole."""


class CorrectionKind(StrEnum):
    """What a correction says about an element."""

    IS = "is"
    """It is the title, the body's container, the line with the date or with the authors."""
    IS_NOT = "is_not"
    """It is no part of the body; or the page is no article."""


class JobKind(StrEnum):
    """What a fleet does to each of many sites."""

    NIGHTLY = "nightly"
    """Visit it, as every night."""
    LEARN = "learn"
    """Learn it again."""
    EXTRACT = "extract"
    """Extract all of its pages again."""


class JobState(StrEnum):
    """How far a fleet has come with a site."""

    WAITING = "waiting"
    """Nobody works on it yet, or nobody any more."""
    RUNNING = "running"
    """A worker does."""
    DONE = "done"
    """It is done."""
    FAILED = "failed"
    """It could not be done, for this time."""
    SET_ASIDE = "set_aside"
    """It could not be done again and again: the site is paused until somebody resumes it."""

    @property
    def is_over(self) -> bool:
        """Whether nothing more is done about it."""
        return self not in (JobState.WAITING, JobState.RUNNING)
