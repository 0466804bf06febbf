"""Articles and pages out of the database, in formats that other programs read."""

import csv
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from datetime import datetime
from email.utils import format_datetime
from enum import StrEnum
from io import TextIOWrapper
from itertools import chain, islice
from pathlib import Path
from typing import IO

from lxml import etree

from flong.article import (
    Article,
    Block,
    BlockKind,
    Span,
    clock_of_entry,
    entries_of,
    paragraphs_of,
    text_of_blocks,
    to_html,
    to_markdown,
)
from flong.errors import PipelineError
from flong.states import Access, Genre, Precision
from flong.storage import ArticleRow
from flong.text import word_count

COLUMNS = (
    "url page_urls other_urls canonical_url title description body word_count published"
    " published_precision published_text modified modified_precision modified_text authors"
    " publisher image images links section sections tags genre access language site confidence"
    " method pattern_id first_seen extracted_at retired_at"
).split()
"""What a row of an export holds, in this order."""

STDOUT = Path("-")
"""Stands for standard output where a file is asked for."""

_LISTS = ("page_urls", "other_urls", "authors", "images", "links", "sections", "tags")
_OF_ARTICLE = {field.name for field in fields(Article)}
_AT_ONCE = 1000
_FORMULA = re.compile(r"[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]")
_NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_CREATOR = "http://purl.org/dc/elements/1.1/"

Value = str | float | int | list[str] | datetime | None


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Give a stream whose content stands at `path` once all of it is written, or not at all.

    `-` is standard output. That, and what is no plain file (a pipe, `/dev/stdout`), is written to
    as it is.
    """
    try:
        with _opened(path) as stream:
            yield stream
    except BrokenPipeError:
        raise  # the reader has seen enough
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
    """Return the columns of an article as JSON has them: times are text, days are days."""
    return {name: _plain(row, name, value) for name, value in values_of(row).items()}


def images_of(article: Article) -> list[str]:
    """Return where its pictures are: the lead picture, then those in the text."""
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
}


class BodyForm(StrEnum):
    """How the body of an article is written."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"


def with_body(row: ArticleRow, form: BodyForm) -> ArticleRow:
    """Return an article whose body is written in a form."""
    if form is BodyForm.TEXT:
        return row
    blocks = row.article.blocks or paragraphs_of(row.article.body)
    body = to_html(blocks) if form is BodyForm.HTML else to_markdown(blocks)
    return replace(row, article=replace(row.article, body=body))


def write_jsonl(rows: Iterable[ArticleRow], stream: IO[bytes]) -> int:
    """Write a JSON object a line; return how many."""
    count = 0
    for count, row in enumerate(rows, 1):  # noqa: B007 - the last one is what is returned
        stream.write(json.dumps(plain_values(row), ensure_ascii=False).encode() + b"\n")
    return count


def write_csv(rows: Iterable[ArticleRow], stream: IO[bytes]) -> int:
    """Write comma-separated values with a header line, safe to open in a spreadsheet.

    A text that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    text = TextIOWrapper(stream, "utf-8", newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    count = 0
    for count, row in enumerate(rows, 1):  # noqa: B007 - the last one is what is returned
        writer.writerow([_cell(value) for value in plain_values(row).values()])
    text.detach()
    return count


def write_parquet(rows: Iterable[ArticleRow], stream: IO[bytes]) -> int:
    """Write a Parquet file, for data frames; times keep their zone."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - large, and an extra
        from pyarrow import parquet  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise PipelineError("Parquet needs pyarrow. Run: pip install 'flong[parquet]'") from error
    text, time = pa.string(), pa.timestamp("s", tz="UTC")
    special = dict.fromkeys(("published", "modified", "first_seen", "extracted_at"), time)
    special |= dict.fromkeys(_LISTS, pa.list_(text))
    special |= {"confidence": pa.float64(), "pattern_id": pa.int64(), "word_count": pa.int64()}
    schema = pa.schema([(name, special.get(name, text)) for name in COLUMNS])
    count, rest = 0, iter(rows)
    with parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        while batch := [values_of(row) for row in islice(rest, _AT_ONCE)]:
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
            count += len(batch)
    return count


def write_rss(rows: Iterable[ArticleRow], stream: IO[bytes]) -> int:
    """Write an RSS 2.0 feed with the whole text of each article."""
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
    """Write a URL a line; return how many."""
    count = 0
    for count, url in enumerate(urls, 1):  # noqa: B007 - the last one is what is returned
        stream.write(url.encode("utf-8", "replace") + b"\n")
    return count


def write_json_ld(rows: Iterable[ArticleRow], stream: IO[bytes]) -> int:
    """Write schema.org articles as one JSON-LD document."""
    count = 0
    stream.write(b'{"@context": "https://schema.org", "@graph": [')
    for count, row in enumerate(rows, 1):
        node = json.dumps(_news_article(row), ensure_ascii=False)
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
    """Return an entry of a live blog; its time without a day where the page says none."""
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
    """Write articles one after the other as Markdown with front matter."""
    count = 0
    for count, row in enumerate(rows, 1):
        stream.write((b"\n" if count > 1 else b"") + markdown_file(row).encode("utf-8", "replace"))
    return count


def write_markdown_folder(rows: Iterable[ArticleRow], folder: Path) -> int:
    """Write a Markdown file for each article, in a folder for each site; return how many."""
    count = 0
    for count, row in enumerate(rows, 1):  # noqa: B007 - the last one is what is returned
        path = folder / _file_name(row.site) / f"{_file_name(_slug(row))}-{row.page_id}.md"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PipelineError(f"{path.parent} cannot be made: {error.strerror}.") from error
        with whole_file(path) as stream:
            stream.write(markdown_file(row).encode("utf-8", "replace"))
    return count


def markdown_file(row: ArticleRow) -> str:
    """Return an article as Markdown, with its other fields as YAML in front.

    A text of JSON is one of YAML, too.
    """
    blocks = row.article.blocks or paragraphs_of(row.article.body)
    fields = [
        f"{name}: {json.dumps(value, ensure_ascii=False)}"
        for name, value in plain_values(row).items()
        if name != "body" and value not in (None, [])
    ]
    head = "\n".join(["---", *fields, "---"])
    title = to_markdown([Block(kind=BlockKind.HEADING, level=1, spans=(Span(row.article.title),))])
    return f"{head}\n\n{title}\n\n{to_markdown(blocks)}\n"


def _slug(row: ArticleRow) -> str:
    day = f"{row.article.published or row.first_seen:%Y-%m-%d}"
    return f"{day}-{row.article.url.rstrip('/').rpartition('/')[2]}"


def _file_name(text: str) -> str:
    """Return a text as the name of a file, on any system.

    >>> _file_name("../A b.html?x=1")
    'A-b-html-x-1'
    """
    return re.sub(r"[^\w]+", "-", text, flags=re.ASCII).strip("-_")[:80] or "article"


Writer = Callable[[Iterable[ArticleRow], IO[bytes]], int]

FORMATS: Mapping[str, Writer] = {
    "jsonl": write_jsonl,
    "csv": write_csv,
    "parquet": write_parquet,
    "rss": write_rss,
    "jsonld": write_json_ld,
    "markdown": write_markdown,
}
"""How articles can be written; pages are written by `flong.stages.archive`."""


def _plain(row: ArticleRow, name: str, value: Value) -> Value:
    if not isinstance(value, datetime):
        return value
    is_day = getattr(row.article, f"{name}_precision", None) is Precision.DAY
    return f"{value:%Y-%m-%d}" if is_day else _iso(value)


def _iso(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def _cell(value: Value) -> str | float | datetime | None:
    if isinstance(value, list):
        value = "; ".join(value)
    if isinstance(value, str) and _FORMULA.match(value):
        return f"'{value}"
    return value


def _item(row: ArticleRow) -> etree._Element:
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


def _element(tag: str, text: str) -> etree._Element:
    element = etree.Element(tag)
    element.text = _NOT_XML.sub("", text)
    return element
