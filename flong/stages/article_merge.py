"""Merge of a new decision about a page with its stored state: the better article is kept."""

from collections import Counter
from dataclasses import replace
from datetime import datetime

from flong.article import Article
from flong.decision import Decision
from flong.states import ArticleMethod, Fit, KeepReason, Verdict
from flong.storage import ArticleVersion, DecisionAndVersion, StoredState, TitleAndBody
from flong.text import fold_text, shared_trigrams, token_f1, words

CUT = 0.6
"""Minimum fraction of the earlier words that an edit leaves; below it the article was cut."""
INSIDE = 0.9
"""Minimum fraction of the words of an incomplete text that are in the whole one."""
WHOLE_LINES = 0.3
"""The same for words in unchanged lines; an offer to subscribe may follow them."""
RELATED = 0.1
"""Minimum fraction of shared trigrams of words between two versions of one article..."""
RELATED_RETITLED = 0.5
"""...if the title has changed: a list or quotation may be left on an error page."""
SURE = 0.7
"""Minimum confidence at which an article without a pattern is kept like one with a pattern."""
SAME = 0.9
"""Minimum F1 of two readings of one text by different patterns."""


def merge(new: Decision, old: StoredState | None, time: datetime) -> DecisionAndVersion:
    """Merge a decision with the stored state of its page.

    A stored article that is better than the new one is kept. An edit adds a version.
    """
    return _merge(new, old, time, frozenset())


def merge_other_text(new: Decision, old: StoredState | None, time: datetime) -> DecisionAndVersion:
    """Merge, and let an unrelated text replace the stored article."""
    return _merge(new, old, time, frozenset({KeepReason.OTHER_TEXT}))


def merge_corrected(new: Decision, old: StoredState | None, time: datetime) -> DecisionAndVersion:
    """Merge, and prefer the new article of an unchanged document: people corrected it."""
    same_page = old is not None and old.article_hash == new.content_hash
    return _merge(new, old, time, frozenset(KeepReason) if same_page else frozenset())


def _merge(
    new: Decision, old: StoredState | None, time: datetime, refused: frozenset[KeepReason]
) -> DecisionAndVersion:
    if old is None:
        return new, None
    same_page = old.content_hash == new.content_hash
    new = replace(new, before_pattern_id=old.before_pattern_id if same_page else old.pattern_id)
    kept = why_keep(old, new)
    if kept is not KeepReason.NONE and kept not in refused:
        return replace(new, verdict=Verdict.ARTICLE, kept=kept), None
    new = replace(new, reason=new.reason + _turn(old, new, same_page=same_page))
    return new, _version(old, new, time) if has_changed(old, new) else None


def why_keep(old: StoredState, new: Decision) -> KeepReason:
    """Return the reason to keep the earlier article, or `NONE`.

    An article stays an article when its page shows something else. Only its own document can be
    judged again, by newly learned patterns that fit it exactly.
    """
    before = old.article
    if before is None or old.is_retired:
        return KeepReason.NONE
    same_document = old.article_hash == new.content_hash
    if new.article is None:
        learned_anew = new.model_version != old.model_version
        judged_anew = same_document and learned_anew and new.fit == Fit.STRICT
        return KeepReason.NONE if judged_anew else KeepReason.NOTHING
    if not same_document and not _is_related(before, new.article):
        # Every error page has some text. Only a pattern of articles shows that it is an article.
        return KeepReason.NOTHING if _fell_back(before, new.article) else KeepReason.OTHER_TEXT
    if before.method != ArticleMethod.PATTERN and before.confidence < SURE:
        return KeepReason.NONE
    return _why_better(before, new.article, same_document=same_document)


def _why_better(before: Article, after: Article, *, same_document: bool) -> KeepReason:
    """Return the reason why one article is better than another of the same page, or `NONE`."""
    if is_part(after.body, before.body):
        return KeepReason.PART
    same_title = fold_text(before.title) == fold_text(after.title)
    if same_title and _is_shorter(after.body, before.body):
        return KeepReason.SHORTER
    return KeepReason.WORSE if same_document and _fell_back(before, after) else KeepReason.NONE


def _fell_back(before: Article, after: Article) -> bool:
    """Return True if a pattern read the article before, and no pattern reads it now."""
    by_pattern = (ArticleMethod.PATTERN, ArticleMethod.BOUNDED)
    return before.method == ArticleMethod.PATTERN and after.method not in by_pattern


def _is_related(one: Article, other: Article) -> bool:
    """Return True if two articles can be versions of one: their wording overlaps."""
    shorter, longer = sorted((one.body, other.body), key=len)
    same_title = fold_text(one.title) == fold_text(other.title)
    least = RELATED if same_title else RELATED_RETITLED
    return shared_trigrams(shorter, longer) >= least


def is_part(short: str, whole: str) -> bool:
    """Return True if a text is the rest of a longer one.

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
    """Return True if a text is shorter than an edit of the other one would be."""
    return len(words(short)) < CUT * len(words(whole))


def has_changed(old: StoredState, new: Decision) -> bool:
    """Return True if an article was edited; newly learned patterns may only read it differently."""
    before, after = old.article, new.article
    if before is None or after is None or old.article_hash == new.content_hash:
        return False
    if (before.title, before.body) == (after.title, after.body):
        return False
    if old.pattern_id == new.pattern_id or old.model_version == new.model_version:
        return True
    return not is_same_text((before.title, before.body), (after.title, after.body))


def is_same_text(one: TitleAndBody, other: TitleAndBody) -> bool:
    """Return True if two readings, each a title and a body, can be of the same text.

    >>> is_same_text(("Rain", "It rains."), ("RAIN", "It rains."))
    True
    """
    if fold_text(one[0]) != fold_text(other[0]):
        return False
    return token_f1(words(one[1]), words(other[1])) >= SAME


def changes(before: Article, after: Article) -> str:
    r"""Return a short description of an edit.

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


def _turn(old: StoredState, new: Decision, *, same_page: bool) -> str:
    """Return a sentence about the earlier decision if the new one differs, else nothing."""
    if (old.verdict == Verdict.ARTICLE) == (new.verdict == Verdict.ARTICLE):
        return ""
    before = "an article" if old.verdict == Verdict.ARTICLE else "no article"
    why = "the site was learned again" if same_page else "the page has changed"
    return f" It was {before} until {why}."


def _version(old: StoredState, new: Decision, time: datetime) -> ArticleVersion:
    before, after = old.article, new.article
    if before is None or after is None:
        raise ValueError("an edited article must exist before and after the edit")
    return ArticleVersion(
        title=before.title,
        body=before.body,
        seen_from=old.changed_at or time,
        seen_until=time,
        changes=changes(before, after),
        content_hash=old.article_hash,
    )
