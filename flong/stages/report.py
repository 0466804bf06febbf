"""What a night has to say about a site: as rows of a table, as JSON, as a page of HTML."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from typing import Any
from urllib.parse import quote, urlencode

from flong.console import Row, harmless, harmless_json, say, show_rows

LISTED = 20
"""Articles that a report names."""
LINKED = {"site": "/sites/", "pattern_id": "/patterns/"}
"""Columns that name what the inspector shows, and where it does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedArticle:
    """An article that a report names."""

    url: str
    """Its URL."""
    title: str
    """Its headline."""
    changes: str = ""
    """What was edited; empty for a new one."""
    page: int = 0
    """Id of its page, by which the inspector names it; 0 in reports of before it was noted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClippingNews:
    """What a night brought for a clipping."""

    name: str
    """The clipping."""
    new: int
    """New articles that fit it."""
    articles: Sequence[ReportedArticle] = ()
    """Some of them, one a story."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightReport:
    """One site, one night."""

    site: str
    """Name of the site."""
    run: int = 0
    """Id of the nightly run; 0 if it could not begin."""
    started: str = ""
    """When it began, ISO 8601."""
    seconds: float = 0.0
    """How long it took."""
    pages: Mapping[str, int] = field(default_factory=dict)
    """Pages `new`, `changed`, `unchanged`, `gone`, `failed`, and those `rested`: not asked for."""
    articles: Mapping[str, int] = field(default_factory=dict)
    """Articles `new`, `changed`, `gone`, `kept` although their page gives less, and in `total`."""
    patterns: Sequence[Mapping[str, Any]] = ()
    """Figures of each pattern on tonight's pages."""
    drifted: Sequence[str] = ()
    """What is wrong with which pattern."""
    done: Sequence[str] = ()
    """What was done about it, and what else was learned."""
    look: Sequence[str] = ()
    """What a person should look at; nothing on a quiet night."""
    fresh: Sequence[ReportedArticle] = ()
    """New articles, some of many."""
    edited: Sequence[ReportedArticle] = ()
    """Edited articles, some of many."""
    clippings: Sequence[ClippingNews] = ()
    """Saved searches that have new articles."""

    @property
    def needs_look(self) -> bool:
        """Whether a person should look."""
        return bool(self.look)

    def to_json(self) -> str:
        """Return the report as one line of JSON."""
        return json.dumps(asdict(self) | {"needs_look": self.needs_look}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "NightReport":
        """Return the report that `to_json` wrote.

        >>> fresh = [ReportedArticle(url="a", title="Rain")]
        >>> report = NightReport(site="news.example", fresh=fresh)
        >>> NightReport.from_json(report.to_json()).fresh[0].title
        'Rain'
        """
        values = json.loads(text)
        del values["needs_look"]
        told = {
            name: [ReportedArticle(**each) for each in values[name]] for name in ("fresh", "edited")
        }
        clippings = [
            ClippingNews(
                **(each | {"articles": [ReportedArticle(**told) for told in each["articles"]]})
            )
            for each in values.get("clippings", ())
        ]
        return cls(**(values | told | {"clippings": clippings}))

    def row(self) -> Row:
        """Return the report as a row of a table."""
        return {
            "site": self.site,
            "run": self.run,
            **{f"pages {name}": number for name, number in self.pages.items()},
            **{f"articles {name}": number for name, number in self.articles.items()},
            "seconds": self.seconds,
        }

    def sentences(self) -> list[str]:
        """Return all that is to be said in words, what a person should look at first."""
        return [*self.look, *self.drifted, *self.done]


def show_reports(reports: Sequence[NightReport], *, as_json: bool) -> None:
    """Print reports, each as a line of JSON, or all as a table with what is to be said below."""
    if as_json:
        for report in reports:
            print(harmless_json(report.to_json()))
        return
    rows = [report.row() for report in reports if report.run]
    show_rows("The night", rows, as_json=False, empty="No site could be visited.")
    for report in reports:
        for sentence in report.look:
            say(harmless(f"Look: {sentence}"))
        for sentence in (*report.drifted, *report.done):
            say(harmless(f"{report.site}: {sentence}"))
        for told in report.edited:
            say(harmless(f"Edited ({told.changes}): {told.title} {told.url}"))
        for line in _clipped(report):
            say(harmless(line))


def write_html(
    reports: Sequence[NightReport],
    summary: Mapping[str, Any] | None = None,
    rows: Sequence[Row] = (),
    inspector: str = "",
) -> str:
    """Return a small page with everything; nothing in it is taken for markup.

    With the reports go figures of all sites together, and rows of a table, if there are any.
    Sites, nights, patterns and articles are links to their views at the URL of the inspector.

    >>> "<script>" in write_html([NightReport(site="<script>")])
    False
    """
    views = inspector.rstrip("/")
    figures = (_table([] if summary is None else [summary]), _table(rows, views))
    sections = "\n".join((*figures, *(_section(report, views) for report in reports)))
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>flong: the night</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>:root{{color-scheme:light dark}}
body{{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;
overflow-wrap:anywhere}}
table{{border-collapse:collapse;display:block;overflow-x:auto;margin:.6em 0}}
td,th{{border:1px solid #8888;padding:.2em .6em;text-align:right;overflow-wrap:normal}}
th:first-child,td:first-child{{text-align:left}}
.look{{border-left:4px solid #c98a00;padding:.2em 0 .2em 2em}}</style>
</head><body><h1>The night</h1>
{sections}
</body></html>
"""


def _section(report: NightReport, views: str) -> str:
    counts = [{"": "pages", **report.pages}, {"": "articles", **report.articles}]
    night = urlencode({"day": report.started[:10], "site": report.site})
    run = f"Run {report.run}, {report.started}, {report.seconds:.0f} s"
    return "\n".join(
        (
            f"<h2>{_link(views, f'/sites/{_quoted(report.site)}', report.site)}</h2>",
            f"<p>{_link(views if report.started else '', f'/night?{night}', run)}</p>",
            _list(report.look, "look"),
            *map(_table, ([counts[0]], [counts[1]])),
            _articles([("new: ", told) for told in report.fresh], views),
            _articles([(f"edited ({told.changes}): ", told) for told in report.edited], views),
            *(_clipping(each, report.site, views) for each in report.clippings),
            _list(report.drifted),
            _list(report.done),
            _folded("Patterns", _table(report.patterns, views)),
        )
    )


def _articles(articles: Sequence[tuple[str, ReportedArticle]], views: str) -> str:
    """Return articles, each with what is said of it, its title and its URL."""
    items = "".join(
        f"<li>{escape(said)}{_article(told, views)} {escape(told.url)}</li>"
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
    """Return a link to a view of the inspector; the text alone if it is not known where that is."""
    return f'<a href="{escape(views + path)}">{escape(text)}</a>' if views else escape(text)


def _quoted(name: object) -> str:
    return quote(str(name), safe="")


def _clipped(report: NightReport) -> list[str]:
    lines = []
    for each in report.clippings:
        lines.append(f"Clipping {each.name}: {each.new} new on {report.site}.")
        lines += [f"{told.title} {told.url}" for told in each.articles]
    return lines


def _list(lines: Sequence[str], kind: str = "") -> str:
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
