import csv
import json
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from items import Article
from pipeline.command import PipelineError
from pipeline.exports import COLUMNS, FORMATS, values_of, whole_file, write_urls
from storage import ArticleRow

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
ARTICLE = Article(
    url="https://example.org/a",
    title="Água, <b>fire</b> & 東京",
    body='First line.\nSecond, with "quotes".',
    published=NOON,
    authors=("A. Writer", "B. Writer"),
    section="World",
    language="pt",
    confidence=0.9,
)
ROW = ArticleRow(
    page_id=1, site="example.org", article=ARTICLE, pattern_id=7, first_seen=NOON, extracted_at=NOON
)
BARE = replace(
    ROW, article=Article(url="https://example.org/b", title="B", body=""), pattern_id=None
)


def written(name, rows):
    stream = BytesIO()
    assert FORMATS[name](iter(rows), stream) == len(rows)
    return stream.getvalue()


def read_csv(data):
    return list(csv.DictReader(StringIO(data.decode(), newline="")))


def test_json_lines_hold_a_whole_article_each():
    lines = written("jsonl", [ROW, BARE]).decode().splitlines()
    first, second = map(json.loads, lines)
    assert list(first) == list(COLUMNS)
    assert (first["url"], first["title"], first["body"]) == (
        ARTICLE.url,
        ARTICLE.title,
        ARTICLE.body,
    )
    assert (first["published"], first["authors"]) == (
        "2026-05-01T12:00:00Z",
        ["A. Writer", "B. Writer"],
    )
    assert (second["published"], second["authors"], second["pattern_id"]) == (None, [], None)


def test_csv_reads_back():
    first, second = read_csv(written("csv", [ROW, BARE]))
    assert (first["title"], first["body"]) == (ARTICLE.title, ARTICLE.body)
    assert (first["authors"], first["confidence"]) == ("A. Writer; B. Writer", "0.9")
    assert (second["published"], second["body"]) == ("", "")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\uff1d"])
def test_no_cell_of_a_csv_file_is_a_formula(start):
    evil = replace(ARTICLE, title=f"{start}HYPERLINK(0)", authors=(f"{start}1",))
    (row,) = read_csv(written("csv", [replace(ROW, article=evil)]))
    assert row["title"] == f"'{start}HYPERLINK(0)"
    assert row["authors"] == f"'{start}1"


def test_parquet_keeps_types():
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(BytesIO(written("parquet", [ROW, BARE])))
    assert table.column_names == list(COLUMNS)
    assert table.to_pylist() == [values_of(ROW), values_of(BARE)]


def test_rss_is_a_feed_with_the_whole_text():
    feed = etree.fromstring(written("rss", [ROW, BARE]))
    assert feed.findtext("channel/title") == "example.org"
    first, second = feed.iterfind("channel/item")
    assert first.findtext("title") == ARTICLE.title
    assert first.findtext("pubDate") == "Fri, 01 May 2026 12:00:00 +0000"
    assert "<p>First line.</p><p>Second" in first.findtext("description", "")
    names = [each.text for each in first.iterfind("{http://purl.org/dc/elements/1.1/}creator")]
    assert names == ["A. Writer", "B. Writer"]
    assert second.findtext("guid") == "https://example.org/b"


@pytest.mark.parametrize("name", FORMATS)
def test_no_article_is_an_answer(name):
    written(name, [])


@pytest.mark.parametrize("name", FORMATS)
@given(text=st.text(st.characters(codec="utf-8"), max_size=50))
def test_any_text_can_be_written(name, text):
    article = replace(ARTICLE, title=text, body=text, authors=(text,), section=text)
    data = written(name, [replace(ROW, article=article)])
    if name == "jsonl":
        assert json.loads(data)["body"] == text
    if name == "rss":
        etree.fromstring(data)


def test_addresses_are_written_one_a_line():
    stream = BytesIO()
    assert write_urls(["https://a.org/", "https://a.org/b"], stream) == 2
    assert stream.getvalue() == b"https://a.org/\nhttps://a.org/b\n"


def test_a_file_appears_when_it_is_whole(tmp_path):
    path = tmp_path / "out.jsonl"
    with whole_file(path) as stream:
        stream.write(b"text")
        assert not path.exists()
    assert path.read_bytes() == b"text"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_what_was_there(tmp_path):
    path = tmp_path / "out.jsonl"
    path.write_text("old")

    def fail():
        with whole_file(path) as stream:
            stream.write(b"new")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_no_plain_file_is_written_to_directly():
    with whole_file(Path("/dev/null")) as stream:
        stream.write(b"text")
    assert Path("/dev/null").is_char_device()


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    complaint = r"none/out\.csv cannot be written: No such file"
    with (
        pytest.raises(PipelineError, match=complaint),
        whole_file(tmp_path / "none" / "out.csv"),
    ):
        pass
