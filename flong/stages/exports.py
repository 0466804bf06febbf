"""Article exports: JSON, spreadsheets, Parquet, RSS, Markdown."""

import csv
import json
import os
import re
import sys
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from datetime import datetime
from email.utils import format_datetime
from enum import StrEnum
from functools import partial
from io import TextIOWrapper
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any

from itemadapter import ItemAdapter
from lxml import etree
from scrapy.exporters import BaseItemExporter

from flong.article import (
    Article,
    Block,
    BlockKind,
    Span,
    clock_of_entry,
    doubts_text,
    entries_of,
    paragraphs_of,
    text_of_blocks,
    to_html,
    to_markdown,
)
from flong.errors import PipelineError
from flong.links import Element
from flong.states import Access, Genre, Precision
from flong.storage import ArticleRow
from flong.text import word_count

COLUMNS = (
    "url page_urls other_urls canonical_url title description body word_count published"
    " published_precision published_text modified modified_precision modified_text authors"
    " publisher image images links section sections tags genre kind access language site confidence"
    " doubts method pattern_id first_seen extracted_at retired_at"
).split()
"""Columns of an export, in this order."""

SHEET_COLUMNS = ("url", "title", "published", "authors", "section", "body")
"""Default columns of a spreadsheet."""

MAX_XLSX_TEXT = 32_767
"""Maximum number of characters in a cell of an Excel file; longer texts are cut."""

STDOUT = Path("-")
"""Standard output."""

_LISTS = ("page_urls", "other_urls", "authors", "images", "links", "sections", "tags")
_OF_ARTICLE = {field.name for field in fields(Article)}
_AT_ONCE = 1000
_FORMULA = re.compile(r"[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]")
_NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_CREATOR = "http://purl.org/dc/elements/1.1/"

Value = str | float | int | list[str] | dict[str, str] | datetime | None
Cell = str | float | int | None


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for writing; it appears at `path` when it is complete, or not at all.

    `-` (standard output), pipes and devices are written directly.
    """
    try:
        with _opened(path) as stream:
            yield stream
    except BrokenPipeError:
        raise  # the reader has closed the pipe
    except OSError as error:
        raise PipelineError(f"{path} cannot be written: {error.strerror or error}.") from error


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    if path == STDOUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            yield stream
        return
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with unfinished.open("wb") as stream:
            yield stream
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def values_of(row: ArticleRow) -> dict[str, Value]:
    """Return the columns of an article, by name."""
    return {name: _value(row, name) for name in COLUMNS}


def _value(row: ArticleRow, name: str) -> Value:
    if name in _DERIVED:
        return _DERIVED[name](row.article)
    value: Value | tuple[str, ...] = getattr(row.article if name in _OF_ARTICLE else row, name)
    return list(value) if isinstance(value, tuple) else value


def plain_values(row: ArticleRow) -> dict[str, Value]:
    """Return the columns of an article for JSON: times are ISO 8601, dates without a time days."""
    return {name: _plain(row.article, name, value) for name, value in values_of(row).items()}


def images_of(article: Article) -> list[str]:
    """Return the URLs of the lead image and of the images in the text."""
    shown = (block.url for block in article.blocks if block.kind is BlockKind.IMAGE)
    return [url for url in dict.fromkeys([article.image, *shown]) if url]


def _links_of(article: Article) -> list[str]:
    linked = (span.url for block in article.blocks for span in block.spans)
    return list(dict.fromkeys(url for url in linked if url and not url.startswith("#")))


def _count_words(article: Article) -> int:
    return word_count(text_of_blocks(article.blocks) if article.blocks else article.body)


_DERIVED: Mapping[str, Callable[[Article], Value]] = {
    "images": images_of,
    "links": _links_of,
    "word_count": _count_words,
    "doubts": lambda article: article.doubts if article.provenance else None,
}


class BodyForm(StrEnum):
    """Format of the body of an article."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"


def with_body(row: ArticleRow, form: BodyForm) -> ArticleRow:
    """Return an article with its body in a format."""
    if form is BodyForm.TEXT:
        return row
    blocks = row.article.blocks or paragraphs_of(row.article.body)
    body = to_html(blocks) if form is BodyForm.HTML else to_markdown(blocks)
    return replace(row, article=replace(row.article, body=body))


def write_jsonl(rows: Iterable[ArticleRow], stream: IO[bytes]) -> int:
    """Write one JSON object per line; return the number of articles, like all writers."""
    count = 0
    for count, row in enumerate(rows, 1):  # noqa: B007 - the last one is returned
        stream.write(json.dumps(plain_values(row), ensure_ascii=False).encode() + b"\n")
    return count


class SheetExporter(BaseItemExporter):
    """A Scrapy exporter that writes a table, by default with the columns SHEET_COLUMNS.

    Items other than articles get all of their fields as columns.
    """

    def __init__(self, file: IO[bytes], **options: Any) -> None:
        super().__init__(dont_fail=True, **options)
        self._file = file
        self._columns = tuple(self.fields_to_export or ())

    @abstractmethod
    def write_row(self, cells: Iterable[Cell]) -> None:
        """Write one row."""

    def export_item(self, item: Any) -> None:
        """Write an article, or another item."""
        if isinstance(item, Article):
            item = {name: _plain(item, name, getattr(item, name)) for name in _OF_ARTICLE}
            self._begin(SHEET_COLUMNS)
        item = ItemAdapter(item)
        self._begin(tuple(item.field_names()))
        self.write_row(_cell(item.get(name)) for name in self._columns)

    def finish_exporting(self) -> None:
        """Complete the file; a table without articles has a header, too."""
        self._begin(SHEET_COLUMNS)

    def _begin(self, columns: Sequence[str]) -> None:
        """Write the header before the first row."""
        if not self._has_header:
            self._columns, self._has_header = self._columns or tuple(columns), True
            self.write_row(self._columns)

    _has_header = False


class CsvExporter(SheetExporter):
    """Writes comma-separated values.

    Texts that a spreadsheet would evaluate as a formula get an apostrophe in front.
    """

    def start_exporting(self) -> None:
        """Open the file as text."""
        self._text = TextIOWrapper(self._file, self.encoding or "utf-8", newline="")
        self._writer = csv.writer(self._text)

    def write_row(self, cells: Iterable[Cell]) -> None:
        """Write one line."""
        self._writer.writerow(
            f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell for cell in cells
        )

    def finish_exporting(self) -> None:
        """Write the rest of the text, and leave the file open."""
        super().finish_exporting()
        self._text.detach()


class XlsxExporter(SheetExporter):
    """Writes an Excel file; no text is a formula or a link."""

    def start_exporting(self) -> None:
        """Create a workbook with one sheet."""
        try:
            from xlsxwriter import Workbook  # noqa: PLC0415 - an extra
        except ModuleNotFoundError as error:
            raise PipelineError("Excel files need xlsxwriter: pip install 'flong[xlsx]'") from error
        texts = {"strings_to_formulas": False, "strings_to_urls": False}
        self._book = Workbook(self._file, {"constant_memory": True, **texts})
        self._sheet = self._book.add_worksheet("articles")
        self._rows = 0

    def write_row(self, cells: Iterable[Cell]) -> None:
        """Write one row."""
        short = [cell[:MAX_XLSX_TEXT] if isinstance(cell, str) else cell for cell in cells]
        self._sheet.write_row(self._rows, 0, short)
        self._rows += 1

    def finish_exporting(self) -> None:
        """Write the workbook to the file."""
        super().finish_exporting()
        self._book.close()


def write_sheet(
    rows: Iterable[ArticleRow],
    stream: IO[bytes],
    *,
    kind: type[SheetExporter] = CsvExporter,
    columns: Sequence[str] = SHEET_COLUMNS,
    encoding: str = "utf-8",
) -> int:
    """Write a table of articles."""
    exporter = kind(stream, fields_to_export=columns, encoding=encoding)
    exporter.start_exporting()
    count = 0
    for count, row in enumerate(rows, 1):  # noqa: B007 - the last one is returned
        exporter.export_item(plain_values(row))
    exporter.finish_exporting()
    return count


def write_parquet(rows: Iterable[ArticleRow], stream: IO[bytes]) -> int:
    """Write a Parquet file; times keep their zone."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - large, and an extra
        from pyarrow import parquet  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise PipelineError("Parquet needs pyarrow. Run: pip install 'flong[parquet]'") from error
    text, time = pa.string(), pa.timestamp("s", tz="UTC")
    special = dict.fromkeys(("published", "modified", "first_seen", "extracted_at"), time)
    special |= dict.fromkeys(_LISTS, pa.list_(text))
    special |= {"doubts": pa.map_(text, text)}
    special |= {"confidence": pa.float64(), "pattern_id": pa.int64(), "word_count": pa.int64()}
    schema = pa.schema([(name, special.get(name, text)) for name in COLUMNS])
    count, rest = 0, iter(rows)
    with parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        while batch := [values_of(row) for row in islice(rest, _AT_ONCE)]:
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
            count += len(batch)
    return count


def write_rss(rows: Iterable[ArticleRow], stream: IO[bytes]) -> int:
    """Write an RSS 2.0 feed with the full text of each article."""
    rest = iter(rows)
    first = next(rest, None)
    count = 0
    with etree.xmlfile(stream, encoding="utf-8") as xml:
        xml.write_declaration()
        with xml.element("rss", {"version": "2.0"}, nsmap={"dc": _CREATOR}), xml.element("channel"):
            name = "flong" if first is None else first.site
            for tag, text in (("title", name), ("link", f"https://{name}/"), ("description", name)):
                xml.write(_element(tag, text))
            for row in chain([first] if first else [], rest):
                xml.write(_item(row))
                count += 1
    return count


def write_urls(urls: Iterable[str], stream: IO[bytes]) -> int:
    """Write one URL per line; return their number."""
    count = 0
    for count, url in enumerate(urls, 1):  # noqa: B007 - the last one is returned
        stream.write(url.encode("utf-8", "replace") + b"\n")
    return count


def write_json_ld(rows: Iterable[ArticleRow], stream: IO[bytes]) -> int:
    """Write one JSON-LD document of schema.org articles."""
    count = 0
    stream.write(b'{"@context": "https://schema.org", "@graph": [')
    for count, row in enumerate(rows, 1):
        # Escaped, so that the document can be embedded in a `<script>`.
        node = json.dumps(_news_article(row), ensure_ascii=False).replace("<", "\\u003c")
        stream.write((b",\n" if count > 1 else b"\n") + node.encode())
    stream.write(b"\n]}\n")
    return count


_TYPES = {
    Genre.OPINION: "OpinionNewsArticle",
    Genre.REVIEW: "ReviewNewsArticle",
    Genre.ANALYSIS: "AnalysisNewsArticle",
    Genre.LIVE_BLOG: "LiveBlogPosting",
}


def _news_article(row: ArticleRow) -> dict[str, object]:
    article, plain = row.article, plain_values(row)
    node: dict[str, object] = {
        "@type": _TYPES.get(article.genre, "NewsArticle") if article.genre else "NewsArticle",
        "url": article.url,
        "mainEntityOfPage": article.canonical_url or article.url,
        "headline": article.title,
        "description": article.description,
        "datePublished": plain["published"],
        "dateModified": plain["modified"],
        "author": [{"@type": "Person", "name": name} for name in article.authors],
        "publisher": {"@type": "Organization", "name": article.publisher or row.site},
        "image": images_of(article),
        "articleSection": list(article.sections),
        "keywords": list(article.tags),
        "inLanguage": article.language,
        "wordCount": plain["word_count"],
        "articleBody": article.body,
        "liveBlogUpdate": [_update(entry) for entry in entries_of(article.blocks)],
    }
    if article.access in (Access.FREE, Access.PAYWALLED):
        node["isAccessibleForFree"] = article.access is Access.FREE
    return {name: value for name, value in node.items() if value not in (None, [])}


def _update(entry: Sequence[Block]) -> dict[str, object]:
    """Return an entry of a live blog; the date is left out if the page has only the time."""
    stamp = next((block.alt for block in entry if block.kind is BlockKind.TIME), "")
    headline = next((block.words for block in entry if block.kind is BlockKind.HEADING), None)
    text = [block for block in entry if block.kind is not BlockKind.TIME]
    node = {
        "@type": "BlogPosting",
        "datePublished": stamp or clock_of_entry(entry),
        "headline": headline,
        "articleBody": text_of_blocks(text),
        "image": [block.url for block in entry if block.kind is BlockKind.IMAGE],
    }
    return {name: value for name, value in node.items() if value}


def write_markdown(rows: Iterable[ArticleRow], stream: IO[bytes]) -> int:
    """Write articles as concatenated Markdown with front matter."""
    count = 0
    for count, row in enumerate(rows, 1):
        stream.write((b"\n" if count > 1 else b"") + markdown_file(row).encode("utf-8", "replace"))
    return count


def write_markdown_folder(rows: Iterable[ArticleRow], folder: Path) -> int:
    """Write one Markdown file per article, in one folder per site."""
    count = 0
    for count, row in enumerate(rows, 1):  # noqa: B007 - the last one is returned
        path = folder / _file_name(row.site) / f"{_file_name(_slug(row))}-{row.page_id}.md"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PipelineError(f"{path.parent} cannot be created: {error.strerror}.") from error
        with whole_file(path) as stream:
            stream.write(markdown_file(row).encode("utf-8", "replace"))
    return count


_NOT_IN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""Characters that YAML forbids or treats as line ends, and JSON does not escape."""


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def markdown_file(row: ArticleRow) -> str:
    """Return an article as Markdown, with its other fields as YAML front matter.

    Values are written as JSON, which is valid YAML.
    """
    blocks = row.article.blocks or paragraphs_of(row.article.body)
    fields = [
        f"{name}: {_NOT_IN_YAML.sub(_escape, json.dumps(value, ensure_ascii=False))}"
        for name, value in plain_values(row).items()
        if name != "body" and value not in (None, [], {})
    ]
    head = "\n".join(["---", *fields, "---"])
    title = to_markdown([Block(kind=BlockKind.HEADING, level=1, spans=(Span(row.article.title),))])
    return f"{head}\n\n{title}\n\n{to_markdown(blocks)}\n"


def _slug(row: ArticleRow) -> str:
    day = f"{row.article.published or row.first_seen:%Y-%m-%d}"
    return f"{day}-{row.article.url.rstrip('/').rpartition('/')[2]}"


def _file_name(text: str) -> str:
    """Return a text as a file name that is valid on all systems.

    >>> _file_name("../A b.html?x=1")
    'A-b-html-x-1'
    """
    return re.sub(r"[^\w]+", "-", text, flags=re.ASCII).strip("-_")[:80] or "article"


SHEETS: Mapping[str, type[SheetExporter]] = {"csv": CsvExporter, "xlsx": XlsxExporter}
"""Exporters of spreadsheets, by format."""

Writer = Callable[[Iterable[ArticleRow], IO[bytes]], int]

FORMATS: Mapping[str, Writer] = {
    "jsonl": write_jsonl,
    "csv": write_sheet,
    "xlsx": partial(write_sheet, kind=XlsxExporter),
    "parquet": write_parquet,
    "rss": write_rss,
    "jsonld": write_json_ld,
    "markdown": write_markdown,
}
"""Writers of articles; `flong.stages.archive` writes pages."""


def _plain(article: Article, name: str, value: Value) -> Value:
    if not isinstance(value, datetime):
        return value
    is_day = getattr(article, f"{name}_precision", None) is Precision.DAY
    return f"{value:%Y-%m-%d}" if is_day else _iso(value)


def _iso(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def _cell(value: object) -> Cell:
    if isinstance(value, list | tuple):
        return "; ".join(map(str, value))
    if isinstance(value, Mapping):
        return doubts_text(value)
    return value if isinstance(value, str | float | int | None) else str(value)


def _item(row: ArticleRow) -> Element:
    article = row.article
    item = etree.Element("item")
    time = article.published or row.first_seen
    fields = [
        ("title", article.title),
        ("link", article.url),
        ("guid", article.url),
        ("pubDate", format_datetime(time)),
        ("category", article.section),
        ("description", to_html(article.blocks or paragraphs_of(article.body))),
    ]
    item.extend(_element(tag, text) for tag, text in fields if text)
    item.extend(_element(f"{{{_CREATOR}}}creator", name) for name in article.authors)
    return item


def _element(tag: str, text: str) -> Element:
    element = etree.Element(tag)
    element.text = _NOT_XML.sub("", text)
    return element
