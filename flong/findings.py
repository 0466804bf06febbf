"""Findings about a site, from a crawl, a night or learning, as data.

A finding is stored by its kind and counts. `sentence` words it when it is shown, so that a message
can be reworded without touching a stored row.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from flong.program import program
from flong.states import FindingKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that needs attention or was noted about a site."""

    kind: FindingKind
    """Kind. A finding is muted by kind, site and subject."""
    site: str
    """Name of the site."""
    subject: str = ""
    """Id or URL of the part of the site that is concerned; empty for the whole site."""
    counts: Mapping[str, float] = field(default_factory=dict)
    """Numbers, by the names that the kind's sentence uses."""
    detail: str = ""
    """Text that comes from outside, such as an error message, or a key of `DETAILS`."""

    def to_json(self) -> dict[str, Any]:
        """Return the finding as stored."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Finding":
        """Return the finding from the output of `to_json` or `shown`.

        >>> found = Finding(kind=FindingKind.WALL, site="news.example", counts={"pages": 7})
        >>> Finding.from_json(shown(found)) == found
        True
        """
        known = {name: values[name] for name in cls.__dataclass_fields__ if name in values}
        return cls(**known | {"kind": FindingKind(values["kind"])})


def needing_attention(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings that a person should see."""
    return [finding for finding in findings if finding.kind.needs_attention]


def sentence(finding: Finding) -> str:
    """Return a finding in words.

    >>> sentence(Finding(kind=FindingKind.CRAWL_FAILED, site="news.example"))
    'The crawl of news.example ended badly.'
    """
    return SENTENCES[finding.kind].format(
        site=finding.site,
        subject=finding.subject,
        detail=DETAILS.get(finding.detail, finding.detail),
        program=program(),
        **finding.counts,
    )


def shown(finding: Finding) -> dict[str, Any]:
    """Return a finding for programs: its stored form and its sentence."""
    return finding.to_json() | {"sentence": sentence(finding)}


DETAILS: Mapping[str, str] = {
    "title is": "where the title is",
    "body is": "where the body is",
    "body is_not": "a block that is not part of the body",
    "date is": "where the date is",
    "author is": "where the author is",
    "article is_not": "it is not an article",
}
"""Words for details that are data: field and kind of a correction."""
_KEPT = "The stored articles were kept."
_PATTERN = "Pattern {subject} ({detail}): "
SENTENCES: Mapping[FindingKind, str] = {
    FindingKind.WALL: (
        "{pages} pages of {site} showed one and the same text, such as a consent wall. They were "
        "not stored; earlier pages were kept."
    ),
    FindingKind.BROKEN: (
        "{pages} article pages of {site} showed something else in place of their articles, such "
        "as error pages. They were not stored, and the site was not learned again. " + _KEPT
    ),
    FindingKind.EMPTY_HOME: (
        "The home page of {site} leads to {now} of its pages, {before} before. It may be empty, or "
        "under maintenance."
    ),
    FindingKind.ARTICLES_FAILED: (
        "{failed} of {requested} requested articles of {site} could not be fetched: {detail}. "
        + _KEPT
    ),
    FindingKind.ARTICLES_GONE: (
        "{gone} of {requested} requested articles of {site} are gone since the last night. " + _KEPT
    ),
    FindingKind.ARTICLES_MOVED: (
        "{moved} of {requested} requested articles of {site} are now redirected. " + _KEPT
    ),
    FindingKind.PAYWALL: (
        "{articles} articles of {site} are shown only in part, as behind a paywall. Earlier "
        "articles were kept. {withheld} new ones were not stored."
    ),
    FindingKind.REDESIGN: (
        "The templates of {site} have changed. It was learned and extracted again. Articles kept "
        "because their pages now yield less: {kept}. Check a few new articles."
    ),
    FindingKind.RETIRED: (
        "{retired} articles of {site} no longer count as articles since it was learned again. They "
        "are retired, not deleted: {program} articles --retired"
    ),
    FindingKind.FEW_ARTICLES: (
        "{site} has {new} new articles; the mean on such a day is {usual:.0f}. A section, a feed "
        "or a page of its listings may be missing."
    ),
    FindingKind.NO_ARTICLE_PATTERN: "No pattern of articles was found on {site}.",
    FindingKind.READABLE: (
        "Yet the other methods read a text on {pages} pages of {site}. Run {program} explain URL "
        "to see why they do not count as articles."
    ),
    FindingKind.NO_PAGES: (
        "{site} has no stored page. Check its URL; {program} runs shows what happened."
    ),
    FindingKind.NEEDS_BROWSER: (
        "The pages of {site} have hardly any text until scripts have run. Try a browser: {program} "
        "crawl {detail} -a render=1"
    ),
    FindingKind.NO_TEXT: "The pages of {site} have hardly any text. Check its URL.",
    FindingKind.FEW_PAGES: (
        "{site} has only {pages} stored pages, too few to learn templates from. Check that the URL "
        "is that of the home page, and that depth and max_pages let more in. If its links come "
        "from scripts, try -a render=1"
    ),
    FindingKind.CORRECTION_UNMET: "A correction of {subject} ({detail}) would no longer hold.",
    FindingKind.MODEL_KEPT: "The earlier patterns of {site} were kept.",
    FindingKind.CRAWL_FAILED: "The crawl of {site} ended badly.",
    FindingKind.CRAWL_STOPPED: "The crawl of {site} was stopped; the next night continues it.",
    FindingKind.CRAWL_REFUSED: "{site} could not be crawled: {detail}.",
    FindingKind.CRAWL_BOUNDED: "{detail}",
    FindingKind.NIGHT_FAILED: "{site}: {detail}",
    FindingKind.EARLIER: "{detail}",
    FindingKind.DRIFT_ACCEPTED: (
        _PATTERN + "{accepted} of {before} pages that it fitted are still read."
    ),
    FindingKind.DRIFT_DATED: (
        _PATTERN + "{now:.0%} of its articles have a date, {before:.0%} before."
    ),
    FindingKind.DRIFT_AUTHORED: (
        _PATTERN + "{now:.0%} of its articles have an author, {before:.0%} before."
    ),
    FindingKind.DRIFT_AGREEING: (
        _PATTERN + "{now:.0%} of its articles have the title that the metadata gives, "
        "{before:.0%} before."
    ),
    FindingKind.DRIFT_WORDS: _PATTERN + "its articles have {now:.0f} words, {before:.0f} before.",
    FindingKind.DRIFT_PARAGRAPHS: (
        _PATTERN + "its articles have {now:.0f} paragraphs, {before:.0f} before."
    ),
    FindingKind.DRIFT_CAPTURED: (
        _PATTERN + "it takes {now:.0%} of the text of a page, {before:.0%} before."
    ),
    FindingKind.DRIFT_STRICT: (
        _PATTERN + "it fits {now:.0%} of its pages exactly, {before:.0%} before."
    ),
    FindingKind.DRIFT_EARLIER: "{detail}",
    FindingKind.LEARN_FIRST: "{site} was learned for the first time.",
    FindingKind.LEARN_OUTDATED: (
        "{site} had been learned by another version, so it was learned again."
    ),
    FindingKind.LEARN_DRIFT: "The templates of {site} have changed, so it was learned again.",
    FindingKind.LEARN_UNFITTED: (
        "{unfitted} pages of {site} fit no pattern, so it was learned again."
    ),
    FindingKind.LEARN_GROWN: (
        "{new} of {pages} pages were added since {site} was last learned, so it was learned again."
    ),
    FindingKind.LEARNED: (
        "{pages} pages of {site} fall into {clusters} clusters and {patterns} patterns, "
        "{article_patterns} of them of articles. Articles and other pages share {mixed_clusters} "
        "of the clusters."
    ),
    FindingKind.NOTE_EARLIER: "{detail}",
}
