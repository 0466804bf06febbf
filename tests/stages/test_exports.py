import csv
import gzip
import json
import os
import re
import subprocess
import sys
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from flong.article import Article, Block, BlockKind, Mark, Provenance, Span, write_blocks
from flong.crawler.outcomes import Failed
from flong.errors import PipelineError
from flong.stages.exports import (
    COLUMNS,
    FORMATS,
    MAX_XLSX_TEXT,
    SHEET_COLUMNS,
    BodyForm,
    CsvExporter,
    markdown_file,
    values_of,
    whole_file,
    with_body,
    write_markdown_folder,
    write_sheet,
    write_urls,
)
from flong.states import Access, Genre, Precision
from flong.storage import ArticleRow

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[2]
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
    if name == "xlsx":
        pytest.importorskip("xlsxwriter")
    stream = BytesIO()
    write = partial(write_sheet, columns=COLUMNS) if name == "csv" else FORMATS[name]
    assert write(iter(rows), stream) == len(rows)
    return stream.getvalue()


def test_json_ld_is_safe_inside_a_script_element():
    row = replace(ROW, article=replace(ARTICLE, title="</script><!--<script>"))
    data = written("jsonld", [row])
    assert b"<" not in data
    assert json.loads(data)["@graph"][0]["headline"] == "</script><!--<script>"


@given(st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from("\x85\x9b\u2028\ufeff"))
def test_any_title_survives_the_front_matter(title):
    front = markdown_file(replace(ROW, article=replace(ARTICLE, title=title))).split("\n---\n")[0]
    assert yaml.safe_load(front.removeprefix("---\n"))["title"] == title


def read_csv(data):
    return list(csv.DictReader(StringIO(data.decode(), newline="")))


@pytest.mark.parametrize("name", ["jsonl", "csv"])
def test_date_without_a_time_is_exported_as_a_date(name):
    day = replace(ARTICLE, published_precision=Precision.DAY, published_text="1 May 2026")
    data = written(name, [replace(ROW, article=day)])
    read = json.loads(data) if name == "jsonl" else read_csv(data)[0]
    assert (read["published"], read["published_text"]) == ("2026-05-01", "1 May 2026")
    assert read["first_seen"] == "2026-05-01T12:00:00Z"


def test_each_json_line_is_a_whole_article():
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


def test_doubts_are_written_by_field_and_unknown_without_provenance():
    dated = Provenance(field="published", source="url")
    doubtful, sure = (
        replace(ROW, article=replace(ARTICLE, provenance=(note,)))
        for note in (dated, replace(dated, source="json-ld"))
    )
    rows = [doubtful, sure, ROW]
    lines = map(json.loads, written("jsonl", rows).splitlines())
    assert [line["doubts"] for line in lines] == [{"published": "only in the URL"}, {}, None]
    cells = [line["doubts"] for line in read_csv(written("csv", rows))]
    assert cells == ["published: only in the URL", "", ""]


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


def test_spreadsheet_has_six_columns_by_default():
    stream = BytesIO()
    assert FORMATS["csv"](iter([ROW]), stream) == 1
    assert [*read_csv(stream.getvalue())[0]] == [*SHEET_COLUMNS]
    assert SHEET_COLUMNS == ("url", "title", "published", "authors", "section", "body")


def test_other_items_are_exported_with_all_fields():
    stream = BytesIO()
    exporter = CsvExporter(stream)
    exporter.start_exporting()
    exporter.export_item(Failed(url="https://example.org/c", reason="no response", status=503))
    exporter.finish_exporting()
    header, row = stream.getvalue().decode().splitlines()
    assert header == "url,reason,depth,status"
    assert row == "https://example.org/c,no response,0,503"


def test_a_byte_order_mark_is_written_once_and_only_on_request():
    stream = BytesIO()
    write_sheet([ROW, BARE], stream, columns=["title"], encoding="utf-8-sig")
    assert (
        stream.getvalue()
        == "\ufefftitle\r\nÁgua, <b>fire</b> & 東京\r\nB\r\n".replace(
            "Água, <b>fire</b> & 東京", '"Água, <b>fire</b> & 東京"'
        ).encode()
    )
    assert not written("csv", [ROW]).startswith(b"\xef\xbb\xbf")


def test_excel_file_has_text_cells_and_no_formulas():
    texts = ["=HYPERLINK(0)", "https://example.org/", "x" * 40_000]
    rows = [replace(ROW, article=replace(ARTICLE, title=text)) for text in texts]
    with zipfile.ZipFile(BytesIO(written("xlsx", rows))) as book:
        sheet = etree.fromstring(book.read("xl/worksheets/sheet1.xml"))
    namespaces = {"s": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
    assert sheet.xpath("//s:f | //s:hyperlink", namespaces=namespaces) == []
    titles = sheet.xpath("//s:row/s:c[2]//s:t/text()", namespaces=namespaces)
    assert titles == ["title", *(text[:MAX_XLSX_TEXT] for text in texts)]


def test_parquet_keeps_types():
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(BytesIO(written("parquet", [ROW, BARE])))
    assert table.column_names == list(COLUMNS)
    assert table.to_pylist() == [values_of(ROW), values_of(BARE)]


def test_rss_contains_the_whole_text():
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
def test_every_format_can_export_zero_articles(name):
    written(name, [])


@pytest.mark.parametrize("name", FORMATS)
@given(text=st.text(st.characters(codec="utf-8"), max_size=50))
def test_any_text_can_be_exported(name, text):
    article = replace(ARTICLE, title=text, body=text, authors=(text,), section=text)
    data = written(name, [replace(ROW, article=article)])
    if name == "jsonl":
        assert json.loads(data)["body"] == text
    if name == "rss":
        etree.fromstring(data)


def test_urls_are_written_one_per_line():
    stream = BytesIO()
    assert write_urls(["https://a.org/", "https://a.org/b"], stream) == 2
    assert stream.getvalue() == b"https://a.org/\nhttps://a.org/b\n"


def test_file_appears_only_when_complete(tmp_path):
    path = tmp_path / "out.jsonl"
    with whole_file(path) as stream:
        stream.write(b"text")
        assert not path.exists()
    assert path.read_bytes() == b"text"
    assert list(tmp_path.iterdir()) == [path]


def test_failure_keeps_the_existing_file(tmp_path):
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


def test_device_is_written_to_directly():
    with whole_file(Path("/dev/null")) as stream:
        stream.write(b"text")
    assert Path("/dev/null").is_char_device()


def test_unwritable_path_is_named(tmp_path):
    complaint = r"none/out\.csv cannot be written: No such file"
    with (
        pytest.raises(PipelineError, match=complaint),
        whole_file(tmp_path / "none" / "out.csv"),
    ):
        pass


@pytest.mark.parametrize("name", sorted({*FORMATS, "warc"} - {"xlsx"}))  # xlsx has the time
def test_a_dash_is_standard_output(harvest, tmp_path, name):
    if name == "parquet":
        pytest.importorskip("pyarrow")
    words = ("export", "--format", name, "--output")
    harvest.shell(*words, tmp_path / "file", check=0)
    done = subprocess.run(  # what is printed is no text
        [Path(sys.executable).with_name("scrapy"), *words, "-"],
        check=True,
        capture_output=True,
        cwd=ROOT,
        env=os.environ | {"FLONG_DATABASE": harvest.shell.database},
    )
    assert b"were written" in done.stderr
    assert not Path(ROOT, "-").exists()
    if name == "markdown":
        files = [path.read_bytes() for path in (tmp_path / "file").rglob("*.md")]
        assert files
        assert all(data in done.stdout for data in files)
        return
    written, printed = (tmp_path / "file").read_bytes(), done.stdout
    if name == "warc":  # it names the moment it was made
        written, printed = (gzip.decompress(data)[-1000:] for data in (written, printed))
    assert printed == written


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_full_device_is_reported():
    with (
        pytest.raises(PipelineError, match=r"/dev/full cannot be written: No space left"),
        whole_file(Path("/dev/full")) as stream,
    ):
        stream.write(b"x" * 100_000)


LINK = Span("rained", (Mark.STRONG,), "https://other.example/r")
STRUCTURED = replace(
    ARTICLE,
    body="Rain\nIt rained.",
    structure=write_blocks(
        [
            Block(kind=BlockKind.HEADING, level=2, spans=(Span("Rain"),)),
            Block(
                kind=BlockKind.PARAGRAPH,
                spans=(Span("It "), LINK, Span(".")),
            ),
            Block(kind=BlockKind.IMAGE, url="https://example.org/i.png", spans=(Span("A cloud"),)),
        ]
    ),
    image="https://example.org/lead.png",
    sections=("World", "Weather"),
    tags=("rain",),
    description="It rained & rained.",
    publisher="The Example",
    canonical_url="https://example.org/a?x",
    genre=Genre.OPINION,
    access=Access.PAYWALLED,
)
WHOLE = replace(ROW, article=STRUCTURED)


@pytest.mark.parametrize(
    ("form", "body"),
    [
        (BodyForm.TEXT, "Rain\nIt rained."),
        (
            BodyForm.MARKDOWN,
            "## Rain\n\nIt [**rained**](<https://other.example/r>).\n\n"
            "![](<https://example.org/i.png>)\n\n*A cloud*",
        ),
        (
            BodyForm.HTML,
            '<h2>Rain</h2><p>It <a href="https://other.example/r"><strong>rained</strong></a>.</p>'
            '<figure><img src="https://example.org/i.png" alt="">'
            "<figcaption>A cloud</figcaption></figure>",
        ),
    ],
)
def test_body_is_exported_in_the_requested_form(form, body):
    assert with_body(WHOLE, form).article.body == body


def test_a_body_without_structure_is_paragraphs():
    assert with_body(ROW, BodyForm.HTML).article.body.startswith("<p>First line.</p><p>Second")


@pytest.mark.parametrize("name", ["jsonl", "csv", "parquet"])
def test_all_fields_are_exported(name):
    data = written(name, [WHOLE])
    if name == "parquet":
        pytest.importorskip("pyarrow")
        from pyarrow import parquet  # noqa: PLC0415

        (read,) = parquet.read_table(BytesIO(data)).to_pylist()
    else:
        read = json.loads(data) if name == "jsonl" else read_csv(data)[0]
    assert (read["genre"], read["access"], read["publisher"]) == (
        "opinion",
        "paywalled",
        "The Example",
    )
    lists = [read[column] for column in ("images", "links", "sections", "tags")]
    expected = [
        ["https://example.org/lead.png", "https://example.org/i.png"],
        ["https://other.example/r"],
        ["World", "Weather"],
        ["rain"],
    ]
    assert lists == (["; ".join(each) for each in expected] if name == "csv" else expected)
    assert int(read["word_count"]) == 3


def test_json_ld_is_a_graph_of_news_articles():
    data = json.loads(written("jsonld", [WHOLE, BARE]))
    first, second = data["@graph"]
    assert data["@context"] == "https://schema.org"
    assert (first["@type"], second["@type"]) == ("OpinionNewsArticle", "NewsArticle")
    assert first["isAccessibleForFree"] is False
    assert first["author"] == [{"@type": "Person", "name": name} for name in ARTICLE.authors]
    assert "datePublished" not in second
    assert json.loads(written("jsonld", []))["@graph"] == []


def test_markdown_has_front_matter():
    _, front, body = markdown_file(WHOLE).split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in front.splitlines())
    assert json.loads(fields["tags"]) == ["rain"]
    assert json.loads(fields["title"]) == ARTICLE.title
    assert "body" not in fields
    assert "# Água, \\<b\\>fire\\</b\\> & 東京" in body
    assert "[**rained**](<https://other.example/r>)" in body


def test_markdown_files_are_in_one_folder_per_site(tmp_path):
    evil = replace(
        WHOLE, site="../..", page_id=2, article=replace(STRUCTURED, url="https://a/../x")
    )
    assert write_markdown_folder([WHOLE, evil], tmp_path) == 2
    files = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.md"))
    assert files == ["article/2026-05-01-x-2.md", "example-org/2026-05-01-a-1.md"]


@pytest.mark.parametrize("name", ["jsonl", "jsonld", "markdown"])
def test_filters_choose_articles_in_every_format(harvest, name):
    def count(*filters):
        done = harvest.shell("export", "--format", name, "--output", "-", *filters)
        return int(re.search(r"(\d+) articles were written", done.stderr)[1])

    everything = count()
    assert count("--limit", "2") == 2
    assert count("--contains", "no article has these words") == 0
    halves = count("--since", "2026-03-01"), count("--until", "2026-02-28")
    assert sum(halves) == everything


def test_unknown_body_form_lists_the_valid_ones(shell):
    told = shell("export", "--body", "pdf", check=2).stderr
    assert "choose from" in told
    assert "markdown" in told


def test_columns_are_chosen_by_name(harvest):
    done = harvest.shell("export", "--format", "csv", "--columns", "title,site", "--output", "-")
    assert done.stdout.splitlines()[0] == "title,site"
    everything = harvest.shell("export", "--format", "csv", "--all", "--output", "-")
    assert everything.stdout.splitlines()[0] == ",".join(COLUMNS)
    assert (
        "'day' is not one of url"
        in harvest.shell("export", "--columns", "day", "--output", "-", check=2).stderr
    )
    assert (
        "need --format csv or xlsx"
        in harvest.shell("export", "--columns", "title", "--output", "-", check=2).stderr
    )
