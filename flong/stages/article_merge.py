"""Which of two articles of one page is better: the stored one, or what the page gives now."""

from collections import Counter
from dataclasses import replace
from datetime import datetime

from flong.article import Article
from flong.states import Fit, Kept, Verdict
from flong.storage import ArticleVersion, ExtractionRow, Merged, Standing, TitleAndBody
from flong.text import fold_text, shared_trigrams, token_f1, words

CUT = 0.6
"""Share of the earlier words below which an article is shorter than an edit makes it."""
INSIDE = 0.9
"""Share of its words that must have been there before for a text to be a part of another."""
WHOLE_LINES = 0.3
"""The same, of words in lines that are as they were: below them an offer may be new."""
RELATED = 0.1
"""Share of runs of three words that two versions of one article have in common at least..."""
RELATED_RETITLED = 0.5
"""...if it has another title now: of an error page a list or a quotation may be left."""
SURE = 0.7
"""Confidence from which on an article that no pattern gave is defended too."""
SAME = 0.9
"""F1 of two texts from which on another pattern may have read the same article."""


def merge(row: ExtractionRow, old: Standing | None, time: datetime) -> Merged:
    """Return what becomes of a decision where there was an earlier one, or none.

    An article that is better than what its page gives now stays; one that was edited leaves what
    it was as a version.
    """
    return _merge(row, old, time, frozenset())


def merge_other_text(row: ExtractionRow, old: Standing | None, time: datetime) -> Merged:
    """Do the same, but let a text replace an article that it has nothing in common with."""
    return _merge(row, old, time, frozenset({Kept.OTHER_TEXT}))


def merge_corrected(row: ExtractionRow, old: Standing | None, time: datetime) -> Merged:
    """Do the same, but believe what is read now where the page is as it was: people said so."""
    same_page = old is not None and old.article_hash == row.content_hash
    return _merge(row, old, time, frozenset(Kept) if same_page else frozenset())


def _merge(
    row: ExtractionRow, old: Standing | None, time: datetime, refused: frozenset[Kept]
) -> Merged:
    if old is None:
        return Merged(row=row, created_at=time, changed_at=time)
    same_page = old.content_hash == row.content_hash
    before = old.before_pattern_id if same_page else old.pattern_id
    row = replace(row, before_pattern_id=before)
    created, changed = old.created_at or time, old.changed_at or time
    kept = why_keep(old, row)
    if kept is not Kept.NONE and kept not in refused:
        row = replace(row, verdict=Verdict.ARTICLE, kept=kept)
        return Merged(row=row, created_at=created, changed_at=changed)
    row = replace(row, reason=row.reason + _turn(old, row, same_page=same_page))
    if not has_changed(old, row):
        return Merged(row=row, created_at=created, changed_at=changed)
    version = _version(old, row, changed, time)
    return Merged(row=row, created_at=created, changed_at=time, version=version)


def why_keep(old: Standing, new: ExtractionRow) -> Kept:
    """Return why the earlier article is better than what the page gives now.

    An article does not cease to be one because its page shows something else. Only the document
    that gave it can be judged anew, by newly learned patterns that fit it exactly.
    """
    before = old.article
    if before is None or old.is_retired:
        return Kept.NONE
    same_document = old.article_hash == new.content_hash
    if new.article is None:
        learned_anew = new.model_version != old.model_version
        judged_anew = same_document and learned_anew and new.fit == Fit.STRICT
        return Kept.NONE if judged_anew else Kept.NOTHING
    if not same_document and not _is_related(before, new.article):
        # Some text stands on every error page; only one in the place of articles is another one.
        return Kept.NOTHING if _fell_back(before, new.article) else Kept.OTHER_TEXT
    if before.method != "pattern" and before.confidence < SURE:
        return Kept.NONE
    return _why_better(before, new.article, same_document=same_document)


def _why_better(before: Article, after: Article, *, same_document: bool) -> Kept:
    """Return why one article is better than another of the same page; `NONE` if it is not."""
    if is_part(after.body, before.body):
        return Kept.PART
    same_title = fold_text(before.title) == fold_text(after.title)
    if same_title and _is_shorter(after.body, before.body):
        return Kept.SHORTER
    return Kept.WORSE if same_document and _fell_back(before, after) else Kept.NONE


def _fell_back(before: Article, after: Article) -> bool:
    """Tell whether a page whose article a pattern read is now read without one."""
    return before.method == "pattern" and after.method not in ("pattern", "bounded")


def _is_related(one: Article, other: Article) -> bool:
    """Tell whether two can be versions of one: the shorter shares some of its wording."""
    shorter, longer = sorted((one.body, other.body), key=len)
    same_title = fold_text(one.title) == fold_text(other.title)
    least = RELATED if same_title else RELATED_RETITLED
    return shared_trigrams(shorter, longer) >= least


def is_part(short: str, whole: str) -> bool:
    """Tell whether a text is what is left of a longer one.

    >>> is_part("one two", "one two three four"), is_part("one two three", "one two three four")
    (True, False)
    >>> is_part("five six", "one two three four")
    False
    """
    if not _is_shorter(short, whole):
        return False
    left, all_words = Counter(words(short)), Counter(words(whole))
    if (left & all_words).total() >= INSIDE * left.total():
        return True
    before = set(whole.split("\n"))
    same = sum(len(words(line)) for line in short.split("\n") if line in before)
    return same >= WHOLE_LINES * left.total()


def _is_shorter(short: str, whole: str) -> bool:
    """Tell whether a text has so few of the words of another one that no edit explains it."""
    return len(words(short)) < CUT * len(words(whole))


def has_changed(old: Standing, new: ExtractionRow) -> bool:
    """Tell whether an article was edited since; one learned anew may be read in another way."""
    before, after = old.article, new.article
    if before is None or after is None or old.article_hash == new.content_hash:
        return False
    if (before.title, before.body) == (after.title, after.body):
        return False
    if old.pattern_id == new.pattern_id or old.model_version == new.model_version:
        return True
    return not is_same_text((before.title, before.body), (after.title, after.body))


def is_same_text(one: TitleAndBody, other: TitleAndBody) -> bool:
    """Tell whether two readings, each a title and a body, may be of one and the same text.

    >>> is_same_text(("Rain", "It rains."), ("RAIN", "It rains."))
    True
    """
    if fold_text(one[0]) != fold_text(other[0]):
        return False
    return token_f1(words(one[1]), words(other[1])) >= SAME


def changes(before: Article, after: Article) -> str:
    r"""Return in a few words what was edited.

    >>> old = Article(url="", title="Rain", body="One.\nTwo.")
    >>> changes(old, Article(url="", title="Snow", body="One.\nThree.\nFour."))
    'title; body: 2 paragraphs new, 1 gone'
    """
    old, new = Counter(before.body.split("\n")), Counter(after.body.split("\n"))
    added, removed = (new - old).total(), (old - new).total()
    parts = ["title"] if before.title != after.title else []
    said = [f"{added} paragraph{'s' * (added > 1)} new"] if added else []
    said += [f"{removed} gone"] if removed else []
    parts += [f"body: {', '.join(said)}"] if said else []
    return "; ".join(parts) or "order of the body"


def _turn(old: Standing, new: ExtractionRow, *, same_page: bool) -> str:
    """Return what to add to a reason if it was decided otherwise before: that, and why anew."""
    if (old.verdict == Verdict.ARTICLE) == (new.verdict == Verdict.ARTICLE):
        return ""
    before = "an article" if old.verdict == Verdict.ARTICLE else "no article"
    why = "the site was learned again" if same_page else "the page has changed"
    return f" It was {before} until {why}."


def _version(old: Standing, new: ExtractionRow, since: datetime, until: datetime) -> ArticleVersion:
    before, after = old.article, new.article
    if before is None or after is None:
        raise ValueError("an article that was edited was there before and is there now")
    return ArticleVersion(
        title=before.title,
        body=before.body,
        seen_from=since,
        seen_until=until,
        changes=changes(before, after),
        content_hash=old.article_hash,
    )
