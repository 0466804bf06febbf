import gzip
import re
import zlib
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO

import brotli
import pytest
from backports import zstd
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from flong.errors import PipelineError
from flong.page import Link, Page
from flong.stages.archive import LARGEST, LONGEST_HEAD, pages_of_archive, write_archive

HOME = "https://www.example.org/"
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def page(name="", html="<html>text", **changes):
    return replace(Page(url=HOME + name, html=html, fetched_at=NOON), **changes)


def record(url, data=b"<html>text", status="200 OK", kind="text/html", **options):
    headers = [("Content-Type", kind), *options.get("headers", ())]
    return (
        url,
        options.get("rec_type", "response"),
        data,
        StatusAndHeaders(status, headers, "HTTP/1.1"),
    )


def write_records(stream, records, compress):
    """Write records and return where each of them ends."""
    writer = WARCWriter(stream, gzip=compress)
    ends = []
    for url, kind, data, headers in records:
        made = writer.create_warc_record(
            url, kind, payload=BytesIO(data), length=len(data), http_headers=headers
        )
        writer.write_record(made)
        ends.append(stream.tell())
    return ends


@pytest.fixture
def archive(tmp_path):
    def write(*records, compress=True):
        path = tmp_path / ("a.warc.gz" if compress else "a.warc")
        with path.open("wb") as stream:
            write_records(stream, records, compress)
        return path

    return write


@pytest.fixture
def no_complaint():
    def complain(text):
        raise AssertionError(text)

    return complain


def test_archive_round_trip_keeps_pages(tmp_path, no_complaint):
    story = Link(HOME + "story", "Story")
    pages = [
        page("", html="<html><a href='/story'>Story</a>", links=(story,), etag='"1"'),
        page("story", html="<meta charset=latin-1>é東", depth=1, last_modified="Fri, 1 May 2026"),
        page("alone", depth=2),
    ]
    path = tmp_path / "site.warc.gz"
    with path.open("wb") as stream:
        assert write_archive(pages, stream) == 3
    assert list(pages_of_archive(path, HOME, no_complaint)) == pages


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=80), min_size=1, max_size=4))
def test_any_text_survives_an_archive(tmp_path_factory, texts):
    texts = [text.replace("\r", "") for text in texts]
    path = tmp_path_factory.mktemp("archive") / "site.warc.gz"
    pages = [page(f"{number}", html=f"<html>{text}") for number, text in enumerate(texts)]
    with path.open("wb") as stream:
        write_archive(pages, stream)
    assert [each.html for each in pages_of_archive(path, HOME)] == [each.html for each in pages]


@pytest.mark.parametrize("compress", [True, False])
def test_only_html_pages_of_the_site_are_loaded(archive, compress, no_complaint):
    path = archive(
        record(HOME, b"<html>home"),
        record(HOME + "a?utm_source=x#top"),
        record(HOME + "a.jpg", kind="image/jpeg"),
        record(HOME + "feed.html", b"<?xml version='1.0'?><rss>"),
        record(HOME + "gone", status="404 Not Found"),
        record(HOME + "moved", status="301 Moved"),
        record(HOME + "asked", rec_type="request"),
        record("https://elsewhere.org/"),
        record("dns:example.org", kind="text/dns"),
        record(HOME + "xhtml", kind="application/xhtml+xml; charset=utf-8"),
        compress=compress,
    )
    found = [each.url for each in pages_of_archive(path, HOME, no_complaint)]
    assert found == [HOME, HOME + "a", HOME + "xhtml"]


def test_last_record_of_a_url_counts(archive):
    path = archive(record(HOME, b"<html>old"), record(HOME + "a"), record(HOME, b"<html>new"))
    assert [each.html for each in pages_of_archive(path, HOME)] == ["<html>text", "<html>new"]


def test_compressed_responses_are_decompressed(archive):
    packed = gzip.compress("<html>é".encode("cp1252"))
    headers = [("Content-Encoding", "gzip")]
    kind = "text/html; charset=iso-8859-1"
    path = archive(record(HOME, packed, kind=kind, headers=headers))
    (found,) = pages_of_archive(path, HOME)
    assert found.html == "<html>é"


def chunked(data):
    """Return data in chunks of 7 bytes, as `Transfer-Encoding: chunked`."""
    parts = [data[place : place + 7] for place in range(0, len(data), 7)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in [*parts, b""])


ENCODED = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstd.compress,
    "identity": bytes,
    "gzip, br": lambda data: brotli.compress(gzip.compress(data)),
}


@pytest.mark.parametrize("compress", [True, False])
@pytest.mark.parametrize("transfer", ["", "chunked", "Chunked"])
def test_every_content_encoding_of_crawlers_is_read(archive, compress, transfer, no_complaint):
    html = b"<html>" + b"news " * 50
    records = [
        record(
            f"{HOME}{number}",
            chunked(pack(html)) if transfer else pack(html),
            headers=[("Content-Encoding", name), ("Transfer-Encoding", transfer)],
        )
        for number, (name, pack) in enumerate(ENCODED.items())
    ]
    path = archive(*records, compress=compress)
    found = list(pages_of_archive(path, HOME, no_complaint))
    assert [each.html for each in found] == [html.decode()] * len(ENCODED)


def test_decompressed_body_is_read_despite_its_content_encoding(archive, no_complaint):
    headers = [("Content-Encoding", "br")]
    path = archive(record(HOME, b"<html>decompressed", headers=headers))
    assert [each.html for each in pages_of_archive(path, HOME, no_complaint)] == [
        "<html>decompressed"
    ]


def test_unreadable_record_is_reported_and_others_are_loaded(archive):
    def encoded(name, data):
        return record(f"{HOME}{name}", data, headers=[("Content-Encoding", name)])

    path = archive(
        record(HOME),
        encoded("br", brotli.compress(b"<html>" * 50)[:-4]),
        encoded("dcz", zstd.compress(b"<html>")),
        encoded("gzip", gzip.compress(bytes(LARGEST + 1))),
        record(HOME + "large", b"<html>" + bytes(LARGEST)),
        record(HOME + "last"),
    )
    complaints: list[str] = []
    found = list(pages_of_archive(path, HOME, complaints.append))
    assert [each.url for each in found] == [HOME, HOME + "last"]
    assert complaints == [
        f"{path}: 2 records not decompressed (the first: {HOME}br); "
        f"2 records too large (the first: {HOME}gzip); the other 2 pages are stored."
    ]


def test_revisit_without_its_response_is_reported(archive):
    path = archive(
        record(HOME),
        record(HOME, b"", rec_type="revisit"),
        record(HOME + "a", b"", rec_type="revisit"),
        record(HOME + "a.jpg", b"", kind="image/jpeg", rec_type="revisit"),
    )
    complaints: list[str] = []
    assert [each.url for each in pages_of_archive(path, HOME, complaints.append)] == [HOME]
    (complaint,) = complaints
    assert f"1 record without the response that they refer to (the first: {HOME}a)" in complaint


def numbered(number):
    return record(f"{HOME}{number}", f"<html>{number}".encode() + bytes(range(32, 127)))


@settings(max_examples=60, deadline=None)
@given(data=st.data(), compress=st.booleans())
def test_damaged_record_does_not_affect_others(tmp_path_factory, data, compress):
    stream = BytesIO()
    ends = write_records(stream, [numbered(number) for number in range(6)], compress)
    content = bytearray(stream.getvalue())
    victim = data.draw(st.integers(1, 4))
    start, length = ends[victim - 1], ends[victim] - ends[victim - 1] - 4
    places = st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255))
    for part, byte in data.draw(st.lists(places, min_size=1, max_size=20)):
        content[start + int(part * length)] = byte
    path = tmp_path_factory.mktemp("archive") / "damaged.warc"
    path.write_bytes(content)
    found = {each.url for each in pages_of_archive(path, HOME, lambda complaint: None)}
    assert {f"{HOME}{number}" for number in range(6) if number != victim} <= found


def with_header(path, old, new):
    """Replace a header of the second record of a file that is not compressed."""
    parts = path.read_bytes().split(b"WARC/1.0\r\n")
    parts[2] = re.sub(old, new, parts[2], count=1)
    path.write_bytes(b"WARC/1.0\r\n".join(parts))
    return path


@pytest.mark.parametrize("length", [10**18, 10**17, 10**30, 5, 5000, -1, "many"])
@pytest.mark.parametrize("compress", [True, False])
def test_wrong_content_length_loses_one_page(archive, length, compress):
    path = archive(*map(numbered, range(4)), compress=False)
    with_header(path, rb"Content-Length: \d+", f"Content-Length: {length}".encode())
    if compress:
        parts = path.read_bytes().split(b"WARC/1.0\r\n")[1:]
        path.write_bytes(b"".join(gzip.compress(b"WARC/1.0\r\n" + part) for part in parts))
    complaints: list[str] = []
    found = [each.url for each in pages_of_archive(path, HOME, complaints.append)]
    assert found == [f"{HOME}{number}" for number in (0, 2, 3)]
    assert re.search(r": 1 record (damaged or cut off|too large)", complaints[0])


@pytest.mark.parametrize("date", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "x"])
def test_invalid_date_is_unknown(archive, date, no_complaint):
    path = archive(*map(numbered, range(3)), compress=False)
    with_header(path, rb"WARC-Date: [^\r]+", f"WARC-Date: {date}".encode())
    found = list(pages_of_archive(path, HOME, no_complaint))
    assert [each.fetched_at.year for each in found][1:] == [1970, found[0].fetched_at.year]


@pytest.mark.parametrize("before", [rb"WARC-Date", rb"Content-Type: text/html"])
def test_endless_headers_lose_one_page(archive, before):
    path = archive(*map(numbered, range(3)), compress=False)
    long = b"X: " + b"x" * (2 * LONGEST_HEAD) + b"\r\n" + before
    with_header(path, before, long)
    if before != b"WARC-Date":
        with_header(path, rb"Content-Length: (\d+)", b"Content-Length: %d" % (len(long) + 148))
    complaints: list[str] = []
    found = [each.url for each in pages_of_archive(path, HOME, complaints.append)]
    assert found == [HOME + "0", HOME + "2"]
    assert complaints


def test_archive_compressed_as_a_whole_can_be_read(archive, no_complaint):
    path = archive(record(HOME), record(HOME + "a"), compress=False)
    whole = path.with_suffix(".warc.gz")
    whole.write_bytes(gzip.compress(path.read_bytes()))
    assert len(list(pages_of_archive(whole, HOME, no_complaint))) == 2


@pytest.mark.parametrize("size", [1, 2, 7, 64, 300])
def test_records_across_block_borders_are_read(archive, monkeypatch, no_complaint, size):
    monkeypatch.setattr("flong.stages.archive._BLOCK", size)
    data = b"<html>" + b"text " * 1000
    path = archive(*(record(f"{HOME}{number}", data) for number in range(5)))
    assert len(list(pages_of_archive(path, HOME, no_complaint))) == 5


def test_brackets_around_a_url_are_ignored(archive):
    path = archive(record(f"<{HOME}a>"))
    assert [each.url for each in pages_of_archive(path, HOME)] == [HOME + "a"]


@pytest.mark.parametrize("compress", [True, False])
def test_complete_records_of_a_truncated_archive_are_kept(compress, tmp_path):
    records = [record(f"{HOME}{number}", b"<html>" + b"x" * 90) for number in range(3)]
    stream = BytesIO()
    ends = write_records(stream, records, compress)
    path = tmp_path / "cut.warc"
    near_ends = {end + step for end in ends[:2] for step in (-5, -1, 1, 5)}
    for cut in ({*range(ends[0] + 1, ends[2], 23)} | near_ends) - {ends[0] - 5, ends[0] - 1, *ends}:
        path.write_bytes(stream.getvalue()[:cut])
        complaints: list[str] = []
        found = list(pages_of_archive(path, HOME, complaints.append))
        # A page is whole also if only what follows it in its record is lost.
        assert sum(cut >= end for end in ends) <= len(found) <= sum(cut >= end - 20 for end in ends)
        assert all(len(each.html) == 96 for each in found)
        (complaint,) = complaints
        assert "cut off" in complaint
        assert f"the other {len(found)} pages are stored" in complaint
        assert "\n" not in complaint


@pytest.mark.parametrize(
    "data", [b"", b"garbage " * 500, gzip.compress(b"garbage " * 500, mtime=0)]
)
def test_file_that_is_not_an_archive_is_refused(tmp_path, data):
    path = tmp_path / "not.warc"
    path.write_bytes(data)
    with pytest.raises(PipelineError, match="there is no page of") as caught:
        list(pages_of_archive(path, HOME))
    assert "\n" not in str(caught.value)


def test_an_archive_of_another_site_is_refused(archive):
    path = archive(record("https://elsewhere.org/"))
    with pytest.raises(PipelineError, match=r"no page of https://www\.example\.org/ in it"):
        list(pages_of_archive(path, HOME))


def test_missing_archive_is_refused(tmp_path):
    with pytest.raises(PipelineError, match="cannot be read: No such file"):
        list(pages_of_archive(tmp_path / "none.warc", HOME))
