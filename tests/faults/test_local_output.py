"""Texts of pages are shown and exported as text, never as code or markup."""

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from lxml import etree, html

from flong.article import Article
from flong.console import harmless, harmless_json, show_error, show_rows
from flong.decision import Decision
from flong.findings import Finding, sentence
from flong.page import Page
from flong.stages.exports import FORMATS
from flong.stages.report import NightReport, ReportedArticle, write_html
from flong.states import FindingKind
from flong.storage import Store

SCRIPT = "<script>alert(1)</script>"
ATTACKS = (
    SCRIPT,
    "=HYPERLINK(\"http://evil.example\")",
    "+1+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(1)",
    "\t=1",
    "\x1b]0;owned\x07\x1b[31mred\x9b31m",
    "\u202etxt.exe",
    "[bold]markup[/] [link=file:///etc/passwd]x[/link]",
    "]]></title>&amp;",
    "{{ 7 * 7 }}",
)  # fmt: skip
COMMANDS = "\x1b\x07\x9b\u202e"
"""What a terminal would obey."""


@pytest.fixture(scope="module")
def articles(tmp_path_factory):
    url = f"sqlite:///{tmp_path_factory.mktemp('hostile') / 'flong.db'}"
    with Store.open(url) as store:
        site = store.sites.add("https://hostile.example/")
        run = store.runs.start(site, "crawl")
        now = datetime(2026, 5, 1, tzinfo=UTC)
        pages = [
            Page(url=f"https://hostile.example/{n}/{text}", html=text, fetched_at=now)
            for n, text in enumerate(ATTACKS)
        ]
        store.pages.save(site, run, pages)
        rows = []
        for row, text in zip(store.pages.rows(site), ATTACKS, strict=True):
            article = Article(url=row.url, title=text, body=f"{text}\n{text}", authors=(text,))
            article = replace(article, section=text, image="javascript:alert(1)")
            rows.append(
                Decision(
                    page_id=row.id,
                    content_hash=row.content_hash,
                    model_version=0,
                    verdict="article",
                    article=article,
                    reason=text,
                )
            )
        store.extractions.save(site, run, rows)
        yield list(store.articles.all(site))


def written(articles, form):
    stream = io.BytesIO()
    FORMATS[form](articles, stream)
    return stream.getvalue().decode()


def test_no_cell_of_a_spreadsheet_is_a_formula(articles):
    rows = list(csv.reader(io.StringIO(written(articles, "csv"))))
    assert len(rows) == len(ATTACKS) + 1
    assert not any(cell[:1] in ("=", "+", "-", "@", "\t", "\r") for row in rows for cell in row)


def test_feed_contains_no_foreign_markup(articles):
    feed = etree.fromstring(written(articles, "rss").encode())
    titles = {item.findtext("title") for item in feed.iter("item")}
    assert SCRIPT in titles
    assert "[bold]markup[/] [link=file:///etc/passwd]x[/link]" in titles
    for item in feed.iter("item"):
        shown = html.fragment_fromstring(item.findtext("description"), create_parent="div")
        assert {element.tag for element in shown.iter()} <= {"div", "p"}


def test_json_lines_keep_any_title(articles):
    lines = written(articles, "jsonl").splitlines()
    assert {json.loads(line)["title"] for line in lines} == set(ATTACKS)


@pytest.mark.parametrize("as_json", [False, True])
def test_terminal_output_contains_no_control_sequences(articles, capsys, as_json):
    rows = [{"title": row.article.title, "also": [row.article.title]} for row in articles]
    show_rows("Articles", rows, as_json=as_json, empty="")
    show_error(ATTACKS[6])
    shown = "".join(capsys.readouterr())
    assert not set(shown) & set(COMMANDS)
    assert "owned" in shown
    assert "[bold]markup[/]" in shown
    if as_json:
        lines = [line for line in shown.splitlines() if line.startswith("{")]
        assert {json.loads(line)["title"] for line in lines} == set(ATTACKS)


def test_report_contains_no_foreign_markup():
    told = [
        ReportedArticle(url="javascript:alert(1)", title=text, changes=text, page=1)
        for text in ATTACKS
    ]
    kind = FindingKind.NIGHT_FAILED
    findings = [Finding(kind=kind, site=SCRIPT, detail=text) for text in ATTACKS]
    report = NightReport(site=SCRIPT, findings=findings, fresh=told, edited=told)
    document = html.fromstring(write_html([report], inspector="http://127.0.0.1:8180/"))
    assert not document.xpath("//script | //img | //@onerror")
    links = document.xpath("//@href")
    assert len(links) > len(told)
    assert all(link.startswith("http://127.0.0.1:8180/") for link in links)
    assert not set(harmless_json(report.to_json())) & set(COMMANDS)
    assert not set(harmless("".join(map(sentence, findings)))) & set(COMMANDS)
