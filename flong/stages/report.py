"""Reports of nights, as table rows, JSON and HTML."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from typing import Any
from urllib.parse import quote, urlencode

from flong.article import doubts_text
from flong.console import Row, harmless, harmless_json, say, show_rows
from flong.findings import Finding, needing_attention, sentence, shown
from flong.states import FindingKind

LISTED = 20
"""Maximum number of new, edited or missing articles that a report lists."""
LINKED = {"site": "/sites/", "pattern_id": "/patterns/"}
"""Paths of the inspector's views, by column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedArticle:
    """An article in a report."""

    url: str
    """URL."""
    title: str
    """Headline."""
    changes: str = ""
    """Description of the edit; empty for a new article."""
    page: int = 0
    """Id of its page, for links to the inspector; 0 in old reports."""
    doubts: Mapping[str, str] = field(default_factory=dict)
    """Reasons to check its fields, by name of the field."""

    @property
    def doubted(self) -> str:
        """Doubts in brackets; empty without."""
        return f" (check {doubts_text(self.doubts)})" if self.doubts else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClippingNews:
    """New articles of a clipping."""

    name: str
    """Name of the clipping."""
    new: int
    """Number of new articles that match it."""
    articles: Sequence[ReportedArticle] = ()
    """Some of them, one per story."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightReport:
    """Report of one night of one site."""

    site: str
    """Name of the site."""
    run: int = 0
    """Id of the nightly run; 0 if it could not start."""
    started: str = ""
    """Start time, ISO 8601."""
    seconds: float = 0.0
    """Duration in seconds."""
    pages: Mapping[str, int] = field(default_factory=dict)
    """Pages `new`, `changed`, `unchanged`, `gone`, `failed`, and `rested` (not requested)."""
    articles: Mapping[str, int] = field(default_factory=dict)
    """Articles that are `new`, `changed`, `gone`, `kept` (the page shows less), and the `total`."""
    patterns: Sequence[Mapping[str, Any]] = ()
    """Figures of each pattern on the pages of the night."""
    findings: Sequence[Finding] = ()
    """Findings, also about work such as learning; empty on a quiet night."""
    fresh: Sequence[ReportedArticle] = ()
    """Some of the new articles."""
    edited: Sequence[ReportedArticle] = ()
    """Some of the edited articles."""
    gone: Sequence[ReportedArticle] = ()
    """Some of the articles that were taken down."""
    clippings: Sequence[ClippingNews] = ()
    """Clippings with new articles."""

    @property
    def needs_attention(self) -> bool:
        """True if a person should look at it."""
        return bool(needing_attention(self.findings))

    @property
    def is_dead(self) -> bool:
        """True if no page of the site could be fetched."""
        return not any(self.pages.get(name) for name in ("new", "changed", "unchanged"))

    @property
    def notes(self) -> list[Finding]:
        """Findings that need no attention: drift, and work such as learning."""
        return [finding for finding in self.findings if not finding.kind.needs_attention]

    def to_json(self) -> str:
        """Return the report as one line of JSON, for the database."""
        values = asdict(self) | {"needs_attention": self.needs_attention}
        return json.dumps(values, ensure_ascii=False)

    def shown(self) -> dict[str, Any]:
        """Return the report for programs: the stored JSON, with a sentence for each finding."""
        values: dict[str, Any] = json.loads(self.to_json())
        return values | {"findings": [shown(finding) for finding in self.findings]}

    @classmethod
    def from_json(cls, text: str) -> "NightReport":
        """Return the report from the JSON of `to_json` or `shown`.

        >>> fresh = [ReportedArticle(url="a", title="Rain")]
        >>> report = NightReport(site="news.example", fresh=fresh)
        >>> NightReport.from_json(report.to_json()).fresh[0].title
        'Rain'
        """
        values = json.loads(text)
        del values["needs_attention"]
        findings = [Finding.from_json(each) for each in values["findings"]]
        told = {
            name: [ReportedArticle(**each) for each in values.get(name, ())]
            for name in ("fresh", "edited", "gone")
        }
        clippings = [
            ClippingNews(
                **(each | {"articles": [ReportedArticle(**told) for told in each["articles"]]})
            )
            for each in values.get("clippings", ())
        ]
        return cls(**(values | told | {"clippings": clippings, "findings": findings}))

    def row(self) -> Row:
        """Return the report as a row of a table."""
        return {
            "site": self.site,
            "run": self.run,
            **{f"articles {name}": number for name, number in self.articles.items()},
            **{f"pages {name}": number for name, number in self.pages.items()},
            "seconds": self.seconds,
        }


def failed_night(site: str, error: str, run: int = 0) -> NightReport:
    """Return the report of a night that could not be run."""
    finding = Finding(kind=FindingKind.NIGHT_FAILED, site=site, detail=error)
    return NightReport(site=site, run=run, findings=[finding])


def by_urgency(reports: Iterable[NightReport]) -> list[NightReport]:
    """Return reports of dead sites first, then those with findings that need attention."""
    return sorted(reports, key=lambda each: (not each.is_dead, not each.needs_attention))


def summary(reports: Sequence[NightReport]) -> str:
    """Return a night in one line.

    >>> visited = NightReport(site="a.example", pages={"new": 3}, articles={"new": 2})
    >>> summary([visited, failed_night("b.example", "The server does not answer.")])
    'Sites: 1 dead, 0 others need attention, 1 quiet. Articles: 2 new, 0 edited, 0 gone.'
    """
    dead = sum(each.is_dead for each in reports)
    others = sum(each.needs_attention and not each.is_dead for each in reports)
    new, edited, gone = (
        sum(each.articles.get(name, 0) for each in reports) for name in ("new", "changed", "gone")
    )
    quiet = len(reports) - dead - others
    return (
        f"Sites: {dead} dead, {others} others need attention, {quiet} quiet. "
        f"Articles: {new} new, {edited} edited, {gone} gone."
    )


def show_reports(reports: Sequence[NightReport], *, as_json: bool) -> None:
    """Print reports as lines of JSON, or a summary with a table, findings and articles below."""
    if as_json:
        for report in reports:
            print(harmless_json(json.dumps(report.shown(), ensure_ascii=False)))
        return
    say(summary(reports))
    reports = by_urgency(reports)
    rows = [report.row() for report in reports if report.pages]
    show_rows("The night", rows, as_json=False, empty="No site could be visited.")
    for report in reports:
        show_attention(report)
        for finding in report.notes:
            say(harmless(sentence(finding)))
        for change, told in _changes(report):
            say(harmless(f"{change}: {told.title} {told.url}{told.doubted}"))
        for line in _clipped(report):
            say(harmless(line))


def show_attention(report: NightReport) -> None:
    """Print the findings of a report that need attention."""
    for finding in needing_attention(report.findings):
        say(harmless(f"Attention: {sentence(finding)}"))


def write_html(
    reports: Sequence[NightReport], fleet: Mapping[str, Any] | None = None, inspector: str = ""
) -> str:
    """Return the reports as an HTML page; all texts are escaped.

    With the figures of a `fleet`, quiet sites are in the table only. Sites, nights, patterns and
    articles link to their views if the URL of an inspector is given.

    >>> "<script>" in write_html([NightReport(site="<script>")])
    False
    """
    views = inspector.rstrip("/")
    listed = by_urgency(reports)
    sections = "\n".join(
        (
            f"<p>{summary(reports)}</p>",
            _table([] if fleet is None else [fleet]),
            _table([report.row() for report in listed if report.pages], views),
            *(_section(each, views) for each in listed if fleet is None or each.needs_attention),
        )
    )
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>flong: the night</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>:root{{color-scheme:light dark}}
body{{font:16px/1.5 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em;
overflow-wrap:anywhere}}
table{{border-collapse:collapse;display:block;overflow-x:auto;margin:.6em 0;font-size:.85em}}
td,th{{border:1px solid #8888;padding:.2em .6em;text-align:right;overflow-wrap:normal}}
th:first-child,td:first-child{{text-align:left}}
.attention{{border-left:4px solid #c98a00;padding:.2em 0 .2em 2em}}</style>
</head><body><h1>The night</h1>
{sections}
</body></html>
"""


def _section(report: NightReport, views: str) -> str:
    night = urlencode({"day": report.started[:10], "site": report.site})
    run = f"Run {report.run}, {report.started}, {report.seconds:.0f} s"
    return "\n".join(
        (
            f"<h2>{_link(views, f'/sites/{_quoted(report.site)}', report.site)}</h2>",
            f"<p>{_link(views if report.started else '', f'/night?{night}', run)}</p>",
            _list(map(sentence, needing_attention(report.findings)), "attention"),
            _articles([(f"{change}: ", told) for change, told in _changes(report)], views),
            *(_clipping(each, report.site, views) for each in report.clippings),
            _list(map(sentence, report.notes)),
            _folded("Patterns", _table(report.patterns, views)),
        )
    )


def _changes(report: NightReport) -> Iterator[tuple[str, ReportedArticle]]:
    """Yield the new, edited and missing articles of a report, each with its kind of change."""
    yield from (("New", told) for told in report.fresh)
    yield from ((f"Edited ({told.changes})", told) for told in report.edited)
    yield from (("Gone", told) for told in report.gone)


def _articles(articles: Sequence[tuple[str, ReportedArticle]], views: str) -> str:
    """Return a list of articles, each with its prefix, title and URL."""
    items = "".join(
        f"<li>{escape(said)}{_article(told, views)} {escape(told.url + told.doubted)}</li>"
        for said, told in articles
    )
    return f"<ul>{items}</ul>" if items else ""


def _article(told: ReportedArticle, views: str) -> str:
    if told.page:
        path = f"/articles/{told.page}" + "/versions" * bool(told.changes)
    else:
        path = f"/go?{urlencode({'q': told.url})}"
    return _link(views, path, told.title or told.url)


def _clipping(clipped: ClippingNews, site: str, views: str) -> str:
    heading = f"<p>Clipping {escape(clipped.name)}: {clipped.new} new on {escape(site)}.</p>"
    return heading + _articles([("", told) for told in clipped.articles], views)


def _folded(name: str, inside: str) -> str:
    return f"<details><summary>{name}</summary>{inside}</details>" if inside else ""


def _link(views: str, path: str, text: str) -> str:
    """Return a link to a view of the inspector; plain text if its URL is unknown."""
    return f'<a href="{escape(views + path)}">{escape(text)}</a>' if views else escape(text)


def _quoted(name: object) -> str:
    return quote(str(name), safe="")


def _clipped(report: NightReport) -> list[str]:
    lines = []
    for each in report.clippings:
        lines.append(f"Clipping {each.name}: {each.new} new on {report.site}.")
        lines += [f"{told.title} {told.url}" for told in each.articles]
    return lines


def _list(lines: Iterable[str], kind: str = "") -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<ul class="{kind}">{items}</ul>' if items else ""


def _table(rows: Sequence[Mapping[str, Any]], views: str = "") -> str:
    if not rows:
        return ""
    head = "".join(f"<th>{escape(str(name))}</th>" for name in rows[0])
    body = "".join(
        f"<tr>{''.join(_cell(name, value, views) for name, value in row.items())}</tr>"
        for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"


def _cell(name: str, value: object, views: str) -> str:
    text = "" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)
    path = LINKED.get(name, "")
    return f"<td>{_link(views if path else '', f'{path}{_quoted(value)}', text)}</td>"
