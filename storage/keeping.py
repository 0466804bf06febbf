"""Which of two articles of one page is kept, and what is different between them."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from items import Article, fold_text, words
from storage.extractions import ExtractionRow

CUT = 0.6
"""Share of the earlier words below which an article is shorter than an edit makes it."""
INSIDE = 0.9
"""Share of its words that must have been there before for a text to be a part of another."""
WHOLE_LINES = 0.3
"""The same, of words in lines that are as they were: below them an offer may be new."""
SURE = 0.7
"""Confidence from which on an article that no pattern gave is defended too."""
NONE_LEFT = "the page gives no article any more"
OTHER_TEXT = "in its place the page gives something shorter under the same title"
PART_LEFT = "the page gives only a part of it now"
SAME = 0.9
"""F1 of two texts from which on another pattern may have read the same article."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What is stored of a page's article before it is decided on again."""

    article: Article | None
    """The article; None if it had none."""
    content_hash: str
    """Fingerprint of the document that was last looked at."""
    model_version: int
    """What was learned of the site when it was looked at."""
    pattern_id: int | None
    """The pattern that fitted it."""
    before_pattern_id: int | None
    """The pattern that fitted the document before that."""
    verdict: str
    """What was decided: `article`, `other` or `unmatched`."""
    created_at: datetime | None
    """When the article was first found."""
    changed_at: datetime | None
    """When it last changed."""


def why_keep(old: Standing, new: ExtractionRow) -> str:
    """Return why the earlier article is better than what the page gives now; empty if it is not.

    An article does not cease to be one: a page that gives none any more, or only a part of it,
    shows something else in its place, or is read by a pattern that was not made for it.
    """
    before = old.article
    if before is None or (before.method != "pattern" and before.confidence < SURE):
        return ""
    same_page = old.content_hash == new.content_hash
    if new.article is None:
        judged_anew = new.fit == "strict" and (same_page or new.pattern_id == old.pattern_id)
        return "" if judged_anew else NONE_LEFT
    if is_part(new.article.body, before.body):
        return PART_LEFT
    same_title = fold_text(before.title) == fold_text(new.article.title)
    if same_title and _is_shorter(new.article.body, before.body):
        return OTHER_TEXT
    fell_back = before.method == "pattern" and new.article.method not in ("pattern", "bounded")
    return "no pattern reads it as well" if same_page and fell_back else ""


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
    if before is None or after is None or old.content_hash == new.content_hash:
        return False
    if (before.title, before.body) == (after.title, after.body):
        return False
    if old.pattern_id == new.pattern_id or old.model_version == new.model_version:
        return True
    return fold_text(before.title) != fold_text(after.title) or _f1(before.body, after.body) < SAME


def _f1(one: str, other: str) -> float:
    a, b = Counter(words(one)), Counter(words(other))
    return 2 * (a & b).total() / max(1, a.total() + b.total())


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
