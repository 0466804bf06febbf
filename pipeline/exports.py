"""Articles and pages out of the database, in formats that other programs read."""

import csv
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from email.utils import format_datetime
from io import TextIOWrapper
from itertools import chain, islice
from pathlib import Path
from typing import IO

from lxml import etree

from pipeline.command import PipelineError
from storage import ArticleRow

COLUMNS = (
    "url title body published modified authors image language section site confidence method"
    " pattern_id first_seen extracted_at"
).split()
"""What a row of an export holds, in this order."""

_AT_ONCE = 1000
_FORMULA = re.compile(r"[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]")
_NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_CREATOR = "http://purl.org/dc/elements/1.1/"

Value = str | float | int | list[str] | datetime | None


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Give a stream whose content stands at `path` once all of it is written, or not at all.

    What is no plain file (a pipe, `/dev/stdout`) is written to as it is.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            yield stream
        return
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with unfinished.open("wb") as stream:
            yield stream
        unfinished.replace(path)
    except OSError as error:
        raise PipelineError(f"{path} cannot be written: {error.strerror}.") from error
    finally:
        unfinished.unlink(missing_ok=True)


def values_of(row: ArticleRow) -> dict[str, Value]:
    """Return the columns of an article, by name."""
    article = row.article
    found: list[Value] = [
        article.url,
        article.title,
        article.body,
        article.published,
        article.modified,
        list(article.authors),
        article.image,
        article.language,
        article.section,
        row.site,
        article.confidence,
        article.method,
        row.pattern_id,
        row.first_seen,
        row.extracted_at,
    ]
    return dict(zip(COLUMNS, found, strict=True))


def write_jsonl(rows: Iterable[ArticleRow], stream: IO[bytes]) -> int:
    """Write a JSON object a line; return how many."""
    count = 0
    for count, row in enumerate(rows, 1):  # noqa: B007 - the last one is what is returned
        values = {name: _plain(value) for name, value in values_of(row).items()}
        stream.write(json.dumps(values, ensure_ascii=False).encode() + b"\n")
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
        writer.writerow([_cell(value) for value in values_of(row).values()])
    text.detach()
    return count


def write_parquet(rows: Iterable[ArticleRow], stream: IO[bytes]) -> int:
    """Write a Parquet file, for data frames; times keep their zone."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - large, and an extra
        from pyarrow import parquet  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise PipelineError("Parquet needs the extra `parquet`: pip install pyarrow.") from error
    text, time = pa.string(), pa.timestamp("s", tz="UTC")
    special = dict.fromkeys(("published", "modified", "first_seen", "extracted_at"), time)
    special |= {"authors": pa.list_(text), "confidence": pa.float64(), "pattern_id": pa.int64()}
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
    """Write an address a line; return how many."""
    count = 0
    for count, url in enumerate(urls, 1):  # noqa: B007 - the last one is what is returned
        stream.write(url.encode("utf-8", "replace") + b"\n")
    return count


Writer = Callable[[Iterable[ArticleRow], IO[bytes]], int]

FORMATS: Mapping[str, Writer] = {
    "jsonl": write_jsonl,
    "csv": write_csv,
    "parquet": write_parquet,
    "rss": write_rss,
}
"""How articles can be written; pages are written by `pipeline.archive`."""


def _plain(value: Value) -> Value:
    return _iso(value) if isinstance(value, datetime) else value


def _iso(time: datetime) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def _cell(value: Value) -> str | float | None:
    if isinstance(value, datetime):
        return _iso(value)
    if isinstance(value, list):
        value = "; ".join(value)
    if isinstance(value, str) and _FORMULA.match(value):
        return f"'{value}"
    return value


def _item(row: ArticleRow) -> etree._Element:
    article = row.article
    item = etree.Element("item")
    time = article.published or row.first_seen
    paragraphs = (
        etree.tostring(_element("p", line), encoding="unicode") for line in _lines(article.body)
    )
    fields = [
        ("title", article.title),
        ("link", article.url),
        ("guid", article.url),
        ("pubDate", format_datetime(time)),
        ("category", article.section),
        ("description", "".join(paragraphs)),
    ]
    item.extend(_element(tag, text) for tag, text in fields if text)
    item.extend(_element(f"{{{_CREATOR}}}creator", name) for name in article.authors)
    return item


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def _element(tag: str, text: str) -> etree._Element:
    element = etree.Element(tag)
    element.text = _NOT_XML.sub("", text)
    return element
