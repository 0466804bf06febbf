"""Judge extracted articles against the ground truth."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from flong.article import Article
from flong.demo.portal import Truth
from flong.text import fold_text, words


@dataclass(frozen=True, kw_only=True)
class Score:
    """Counts of articles by result."""

    correct: int
    """Found, with the same title and a body F1 of at least 0.9."""
    wrong: int
    """Found with another title or body."""
    missed: int
    """Not found."""
    false: int
    """Known other pages classified as articles."""

    @property
    def share(self) -> float:
        """Fraction of correct articles; 1 if there are no articles."""
        judged = self.correct + self.wrong + self.missed
        return self.correct / judged if judged else 1.0


def judge(truth: Iterable[Truth], articles: Iterable[Article], others: Iterable[str] = ()) -> Score:
    """Compare extracted articles with the ground truth; `others` are paths of other pages.

    An article with several pages is compared with the text of all of them, any other with the text
    at its URL. URLs are compared without host, query and fragment. Of two articles at one URL the
    longer one counts. Articles at unknown URLs are ignored.

    >>> judge([], [Article(url="http://a.example/about", title="About", body="us")], ["/about"])
    Score(correct=0, wrong=0, missed=0, false=1)
    """
    found: dict[str, Article] = {}
    for article in articles:
        path = _path(article.url)
        if path not in found or len(article.body) > len(found[path].body):
            found[path] = article
    fates = Counter(_fate(true, found.get(_path(true.path))) for true in truth)
    false = len({_path(path) for path in others} & found.keys())
    return Score(
        correct=fates["correct"], wrong=fates["wrong"], missed=fates["missed"], false=false
    )


def _fate(true: Truth, article: Article | None) -> str:
    if article is None:
        return "missed"
    same_title = fold_text(true.title) == fold_text(article.title)
    body = true.whole if article.page_urls else true.body
    return "correct" if same_title and body_f1(body, article.body) >= 0.9 else "wrong"


def body_f1(true: str, found: str) -> float:
    """Return the F1 of two texts as bags of words.

    >>> body_f1("a b c d", "a b x y"), body_f1("", "")
    (0.5, 1.0)
    """
    expected, given = Counter(words(true)), Counter(words(found))
    if not expected or not given:
        return float(expected == given)
    return 2 * (expected & given).total() / (expected.total() + given.total())


def _path(url: str) -> str:
    return urlsplit(url).path or "/"
