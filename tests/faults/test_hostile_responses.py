"""Responses that would stop or starve a crawl: each is one page or one recorded failure."""

import sqlite3
from contextlib import closing

import pytest
from webencodings.labels import LABELS

from flong.crawler.decoding import decode
from tests.faults.serving import head, page, redirect, respond

NO_ENCODINGS = (
    "undefined rot13 zlib hex idna punycode base64 bz2 uu quopri mbcs oem unicode_escape"
    " raw_unicode_escape utf-7 utf-32 palmos klingon"
).split()
"""Labels that the WHATWG standard does not know; Python knows all but the last."""
STATUSES = {
    "/status/large": b"3000000000",
    "/status/huge": b"12345678901234567890",
    "/status/endless": b"9" * 5000,
    "/status/small": b"7",
    "/status/negative": b"-200",
    "/status/odd": b"999",
}
SLOW = "<div>" * 2000 + "</i>" * 900_000
"""Linear, but of the slowest kind: every end tag is looked for in all that is open."""
BUG = ("-s", 'SPIDER_MIDDLEWARES={"tests.faults.bugs.Bug": 900}')


def document(label="", after="", text="Wörter"):
    declared = f"<meta charset='{label}'>" if label else ""
    return f"<html><head>{declared}</head><p>{text} <a href='{after}'>On</a></html>"


def status_line(number):
    return lambda exchange: exchange.send(
        head().replace(b" 200 ", b" " + number + b" ") + document().encode()
    )


def furnish(server):
    routes = {}
    for label in NO_ENCODINGS:
        kind = f"text/html; charset={label}"
        routes[f"/header/{label}"] = respond(document(after=f"/after/header/{label}"), kind=kind)
        body = document(label, f"/after/meta/{label}")
        routes[f"/meta/{label}"] = respond(body, kind="text/html")
    routes |= {path: status_line(number) for path, number in STATUSES.items()}
    after = {path: page(text="After.") for path in [f"/after{path}" for path in routes]}
    routes["/utf-16"] = respond(
        document(text="Ohne Marke").encode("utf-16-le"), kind="text/html; charset=utf-16"
    )
    routes["/slow"] = respond(SLOW)
    home = "".join(f"<p><a href='{path}'>{path}</a>" for path in routes)
    server.routes |= routes | after | {"/": respond(home, kind="text/html; charset=undefined")}


@pytest.fixture(scope="module")
def after(new_server, visit):
    server = new_server()
    furnish(server)
    options = ("-s", "DOWNLOAD_MAXSIZE=9000000", "-s", "FLONG_READ_SECONDS=0.3")
    return visit(server, *options)


@pytest.fixture(scope="module")
def rows(after):
    return {url.removeprefix(after.server.url): row for url, row in after.crawl.rows().items()}


@pytest.fixture(scope="module")
def failures(after):
    return {url.removeprefix(after.server.url): why for url, why in after.failures().items()}


def test_crawl_succeeds(after):
    assert after.done.returncode == 0, after.done.stderr
    assert "Traceback" not in after.done.stderr


@pytest.mark.parametrize("place", ["header", "meta"])
@pytest.mark.parametrize("label", NO_ENCODINGS)
def test_unknown_encoding_label_is_ignored(rows, place, label):
    assert rows[f"/{place}/{label}"].encoding == "utf-8"
    assert "Wörter" in rows[f"/{place}/{label}"].html
    assert f"/after/{place}/{label}" in rows


def test_utf_16_without_a_mark_is_little_endian(rows):
    assert rows["/utf-16"].encoding == "utf-16le"
    assert "Ohne Marke" in rows["/utf-16"].html


@pytest.mark.parametrize("path", STATUSES)
def test_odd_status_codes_are_recorded_failures(rows, failures, path):
    assert path in failures
    assert path not in rows


def test_only_valid_status_codes_are_stored(after):
    with closing(sqlite3.connect(after.crawl.path)) as database:
        ((least, most),) = database.execute("SELECT min(status), max(status) FROM pages")
    assert 0 <= least <= most <= 599


def test_page_too_slow_to_parse_is_a_recorded_failure(failures):
    assert failures["/slow"] == "reading it took more than 0.3 s"


def test_callback_error_is_recorded_and_the_crawl_continues(new_server, visit):
    server = new_server()
    server.routes = {"/": page("/bug", "/old", "/1"), "/1": page(text="One.")}
    server.routes |= {"/bug": page(text="Two."), "/old": page(text="Old.")}
    crawl = visit(server).crawl
    assert crawl.paths(server.url) == {"/", "/1", "/bug", "/old"}
    server.routes |= {"/": page("/bug", "/1"), "/old": respond(status=410)}
    server.routes |= {"/robots.txt": respond(f"Sitemap: {server.url}/bug.xml", kind="text/plain")}
    server.routes |= {"/bug.xml": respond("<urlset></urlset>", kind="application/xml")}
    after = visit(server, *BUG, crawl=crawl)
    assert after.done.returncode == 0, after.done.stderr
    assert after.failures() == {f"{server.url}/bug": "RuntimeError: a defect of ours"}
    # Nothing links to it any more: it is asked for last, when all else is answered.
    assert crawl.rows()[f"{server.url}/old"].outcome == "gone"
    assert "tests/faults/bugs.py" in after.done.stderr


def test_error_on_the_home_page_fails_the_crawl(new_server, visit):
    server = new_server()
    server.url += "/bug/"
    server.routes["/bug/"] = page("/bug/1")
    after = visit(server, *BUG)
    assert after.done.returncode == 1
    assert "RuntimeError: a defect of ours" in after.done.stderr
    assert [run.status for run in after.crawl.runs()] == ["failed"]


def test_robots_txt_cannot_redirect_to_another_internal_host(new_server, visit):
    neighbour, server = new_server(), new_server()
    server.routes = {"/": page(text="Home."), "/robots.txt": redirect(f"{neighbour.url}/secret")}
    after = visit(server)
    assert after.done.returncode == 1
    assert "robots.txt is unavailable: redirects off the site" in after.done.stderr
    assert neighbour.asked == []


def test_robots_txt_can_redirect_within_its_host(new_server, visit):
    server = new_server()
    server.routes = {"/": page("/1", "/2"), "/1": page(text="One."), "/2": page(text="Two.")}
    server.routes["/robots.txt"] = redirect("/rules.txt")
    server.routes["/rules.txt"] = respond("User-agent: *\nDisallow: /2", kind="text/plain")
    assert visit(server).crawl.paths(server.url) == {"/", "/1"}


def test_validators_are_sent_back_byte_for_byte(new_server, visit):
    tags = {"/1": b'"\xe4\xf6"', "/2": '"ä€"'.encode(), "/3": b'W/"\xff\x80"'}
    server = new_server()
    server.routes["/"] = page(*tags)
    for path, tag in tags.items():
        whole = head().replace(b"\r\n\r\n", b"\r\nETag: " + tag + b"\r\n\r\n") + b"<p>One."
        server.routes[path] = lambda exchange, whole=whole: exchange.send(whole)
    crawl = visit(server).crawl
    server.asked.clear()
    visit(server, crawl=crawl)
    sent = {asked.path: asked.headers.get("if-none-match", "") for asked in server.asked}
    assert {path: sent[path].encode("latin-1") for path in tags} == tags


@pytest.mark.parametrize(
    ("body", "header", "encoding", "text"),
    [
        (b"<p>\x93Zitat\x94", "text/html; charset=iso-8859-1", "windows-1252", "<p>“Zitat”"),
        (b"<p>\x93Zitat\x94", "text/html;charset=\"US-ASCII\"", "windows-1252", "<p>“Zitat”"),
        ("<p>мост".encode("cp1251"), "text/html; charset=x-cp1251", "windows-1251", "<p>мост"),
        ("<p>мост".encode("koi8-r"), "text/html; charset=koi", "koi8-r", "<p>мост"),
        ("<p>市长".encode("gbk"), "text/html; charset=gb2312", "gb18030", "<p>市长"),
        ("<p>서울".encode("cp949"), "text/html; charset=ks_c_5601-1987", "euc-kr", "<p>서울"),
        ("<p>é".encode("utf-16-be"), "text/html; charset=utf-16be", "utf-16be", "<p>é"),
        ("\ufeff<p>é".encode("utf-16"), "text/html; charset=utf-8", "utf-16le", "<p>é"),
        ("<?xml version='1.0' encoding='koi8-r'?>ж".encode("koi8-r"), None, "koi8-r", "ж"),
        ("<meta charset=utf-16>é".encode(), None, "utf-8", "é"),
        ("<!--<meta charset=koi8-r>--><meta charset=klingon><meta charset=utf-8>é".encode(),
         None, "utf-8", "é"),
        ("<meta content='text/html; charset=koi8-r' http-equiv=Content-Type>ж".encode("koi8-r"),
         "text/html", "koi8-r", "ж"),
        ("<meta name=x content='charset=koi8-r'>é".encode(), None, "utf-8", "é"),
        (("<p>Глава города сообщил, что мост будет построен. " * 9).encode("cp1251"), None,
         "windows-1251", "построен. "),
        (b"", None, "utf-8", ""),
    ],
)  # fmt: skip
def test_encoding_labels_are_read_like_in_browsers(body, header, encoding, text):
    assert decode(body, header).encoding == encoding
    assert decode(body, header).text.endswith(text)


def test_every_standard_encoding_label_is_known():
    found = {label: decode(b"<p>news", f"text/html; charset={label}").encoding for label in LABELS}
    assert found == LABELS | {label: "gb18030" for label in LABELS if LABELS[label] == "gbk"}
