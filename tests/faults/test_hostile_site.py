"""One crawl of a site whose pages misbehave in every way; the good ones among them are stored."""

import gzip
import zlib
from functools import partial

import brotli
import pytest

from flong.packing import zstd
from flong.storage import Store
from tests.faults.serving import cut, dripping, endless, head, in_turn, page, redirect, respond

BUDGET = 5
SITEMAPS = 13
LARGE = b"<p>" + b"a" * 20_000_000
HEX = "0123456789abcdef" * 2
STORY = page("/after-story", text="One article.")
LAUGHS = "".join(f"<!ENTITY e{n + 1} '{f'&e{n};' * 10}'>" for n in range(11))

BOMBS = {
    "/bomb/gzip": (gzip.compress(LARGE), "gzip"),
    "/bomb/deflate": (zlib.compress(LARGE), "deflate"),
    "/bomb/raw": (zlib.compress(LARGE, wbits=-15), "deflate"),
    "/bomb/br": (brotli.compress(LARGE, quality=5), "br"),
    "/bomb/zstd": (zstd.compress(LARGE), "zstd"),
    "/bomb/twice": (gzip.compress(gzip.compress(LARGE)), "gzip, gzip"),
}
ENDLESS = {
    "/endless/bytes": endless(head(), b"<p>more" * 10_000),
    "/endless/chunks": endless(
        head(Transfer_Encoding="chunked"), b"ffff\r\n" + b"a" * 65535 + b"\r\n"
    ),
    "/endless/promise": cut(b"x", missing=10**15),
    "/endless/head": endless(b"HTTP/1.1 200 OK\r\n", b"X-More: " + b"a" * 10_000 + b"\r\n"),
}
DRIPPING = {
    "/drip/body": dripping(head(Content_Length=10**5), b"<p>"),
    "/drip/chunks": dripping(head(Transfer_Encoding="chunked"), b"1\r\na\r\n"),
    "/drip/head": dripping(b"HTTP/1.1 200 OK\r\n", b"X-More: 1\r\n"),
}
BROKEN = {
    "/cut/length": cut(b"<p>Half a page"),
    "/cut/chunk": lambda exchange: exchange.send(
        head(Transfer_Encoding="chunked") + b"ff\r\n<p>Half"
    ),
    "/cut/last-chunk": lambda exchange: exchange.send(
        head(Transfer_Encoding="chunked") + b"7\r\n<p>Half\r\n"
    ),
    "/cut/gzip": respond(gzip.compress(LARGE[:5000])[:-20], Content_Encoding="gzip"),
    "/cut/br": respond(brotli.compress(LARGE[:5000])[:-3], Content_Encoding="br"),
    "/cut/zstd": respond(zstd.compress(LARGE[:5000])[:-3], Content_Encoding="zstd"),
    "/bad/chunk": lambda exchange: exchange.send(
        head(Transfer_Encoding="chunked") + b"7\r\n<p>Half\r\nzz\r\nodd\r\n0\r\n\r\n"
    ),
    "/bad/gzip": respond(b"<p>This is not packed", Content_Encoding="gzip"),
}
GIVEN_UP = (
    dict.fromkeys(BOMBS | ENDLESS, "the response was too large")
    | {"/endless/head": "the connection failed"}
    | dict.fromkeys(DRIPPING, "no response in time")
)
"""Why there is no page."""
REFUSED = {
    "/to/file": "file:///etc/passwd",
    "/to/ftp": "ftp://127.0.0.1/x",
    "/to/data": "data:text/html,<p>x",
    "/to/javascript": "javascript:alert(1)",
    "/to/elsewhere": "http://elsewhere.example/",
    "/to/other-port": "http://127.0.0.1:1/",
    "/to/password": "http://user:secret@127.0.0.1/",
    "/to/nowhere": "http://[",
}


def furnish(server, canary):
    """Lay out the site; its home page leads to all of it."""
    routes = {path: respond(body, Content_Encoding=kind) for path, (body, kind) in BOMBS.items()}
    routes |= ENDLESS | DRIPPING | BROKEN
    routes |= {path: redirect(target) for path, target in REFUSED.items()}
    routes |= {f"/hop/{n}": redirect(f"/hop/{n + 1}") for n in range(30)}
    routes |= {"/flaky": in_turn(cut(b"<p>Half"), page(text="Whole."))}
    routes |= {"/circle/1": redirect("/circle/2"), "/circle/2": redirect("/circle/1")}
    server.routes |= routes
    links = [path for path in routes if not path.startswith("/hop/")]
    links += [*furnish_traps(server), *furnish_xml(server, canary), "/hop/0", "/odd-headers"]
    server.routes["/odd-headers"] = odd_headers
    server.routes["/"] = page(*links)


def furnish_traps(server):
    months = [f"/calendar/{year}/{month:02}/" for year in range(2030, 2035) for month in (1, 2, 3)]
    filters = [f"/shop?colour={c}&size={s}&sort={o}" for c in "abcd" for s in "123" for o in "xy"]
    server.routes |= dict.fromkeys(months, page(*months, text="No event."))
    server.routes |= {"/shop": page(*filters)}
    server.routes |= {"/a/" * n: page("a/") for n in (1,)} | {
        "/a/" + "a/" * n: page("a/") for n in range(9)
    }
    server.routes |= {"/query": page(text="Query."), "/story": STORY}
    server.routes |= {f"/story;jsessionid={n}": STORY for n in range(3)}
    server.routes |= {"/after-story": page(text="After.")}
    sessions = [f"/story?PHPSESSID={n}" for n in range(3)] + [f"/story?sid={HEX}{n}" for n in "ab"]
    queries = ["/query?x=1&amp;amp;y=2", "/query?x=1&amp;amp;amp;y=2", "/query?y=2&x=1"]
    return [
        *months,
        *filters,
        "/a/",
        *sessions,
        *(f"/story;jsessionid={n}" for n in range(3)),
        *queries,
    ]


def furnish_xml(server, canary):
    xml = partial(respond, kind="application/xml")
    maps = [
        "self",
        "laughs",
        "few-laughs",
        "file",
        "web",
        "nested",
        "bomb",
        "many",
        "deep0",
        "good",
    ]
    lines = [f"Sitemap: {server.url}/maps/{name}" for name in maps]
    server.routes["/robots.txt"] = respond("\n".join(lines), kind="text/plain")

    def index(target):
        loc = f"<loc>{server.url}/maps/{target}</loc>"
        return xml(f"<sitemapindex><sitemap>{loc}</sitemap></sitemapindex>")

    def listing(path, title="", doctype=""):
        loc = f"<loc>{server.url}/{path}</loc>"
        return xml(f"{doctype}<urlset><url>{loc}<title>{title}</title></url></urlset>")

    few = "<!ENTITY a 'CANARY'><!ENTITY b '&a;&a;'>"
    file = f"<!ENTITY file SYSTEM '{canary.as_uri()}'>"
    web = f"<!ENTITY web SYSTEM '{server.url}/canary'><!ENTITY % dtd SYSTEM '{server.url}/canary'>"
    laughs = f"<!ENTITY e0 'CANARY'>{LAUGHS}"
    packed = gzip.compress(b"<urlset>" + b"<url/>" * 10_000_000, 1)
    server.routes |= {f"/maps/deep{n}": index(f"deep{n + 1}") for n in range(99)}
    server.routes |= {
        "/maps/self": index("self"),
        "/maps/good": listing("mapped"),
        "/maps/laughs": listing("a&e11;", "&e11;", f"<!DOCTYPE urlset [{laughs}]>"),
        "/maps/few-laughs": listing("laughed", "&b;", f"<!DOCTYPE urlset [{few}]>"),
        "/maps/file": listing("filed", "&file;", f"<!DOCTYPE urlset [{file}]>"),
        "/maps/web": listing(
            "webbed", "&web;", f"<!DOCTYPE urlset SYSTEM '{server.url}/canary' [{web} %dtd;]>"
        ),
        "/maps/nested": xml("<urlset>" + "<url>" * 100_000),
        "/maps/bomb": xml(packed),
        "/maps/many": xml(gzip.compress(packed, 1), Content_Encoding="gzip"),
    }
    doctype = f"<!DOCTYPE html [{few}{file}{web}]>"
    server.routes |= {
        "/laughs": respond(f"{doctype}<p>&b; &file; &web;<a href='/after-laughs'>On</a>"),
        "/after-laughs": page(text="After."),
        "/canary": respond("CANARY"),
    }
    listed = ("/mapped", "/laughed", "/filed", "/webbed")
    server.routes |= dict.fromkeys(listed, page(text="Mapped."))
    return ["/laughs"]


def odd_headers(exchange):
    exchange.send(
        b"HTTP/1.1 200\r\nContent-Type: ;;;text/html;charset=\xff\xfe\r\nno colon here\r\n"
        b"ETag: \xe4\xf6\r\nLast-Modified: never\r\nLocation: http://[\r\nRetry-After: soon\r\n"
        b"Set-Cookie: a=b; Domain=.com\r\nX-Long: " + b"x" * 8000 + b"\r\n"
        b"Content-Encoding: utf-8\r\nConnection: close\r\n\r\n<html><p>Odd.</p></html>"
    )


@pytest.fixture(scope="module")
def after(new_server, visit, tmp_path_factory):
    server = new_server()
    canary = tmp_path_factory.mktemp("canary") / "file"
    canary.write_text("CANARY")
    furnish(server, canary)
    limits = ("-s", f"FLONG_TRAP_BUDGET={BUDGET}", "-s", f"FLONG_SITEMAPS={SITEMAPS}")
    return visit(server, *limits)


@pytest.fixture(scope="module")
def failures(after):
    return {url.removeprefix(after.server.url): why for url, why in after.failures().items()}


@pytest.fixture(scope="module")
def stored(after):
    return after.crawl.paths(after.server.url)


def test_crawl_succeeds(after):
    assert after.done.returncode == 0, after.done.stderr
    assert "Traceback" not in after.done.stderr


@pytest.mark.parametrize("path", BOMBS)
def test_decompression_bomb_is_given_up(failures, path):
    assert failures[path] == GIVEN_UP[path]


@pytest.mark.parametrize("path", ENDLESS)
def test_endless_response_is_given_up(after, failures, path):
    assert failures[path] == GIVEN_UP[path]
    assert after.server.sent[path] < 50_000_000  # what fits into the buffers between us


@pytest.mark.parametrize("path", DRIPPING)
def test_dripping_response_is_given_up_at_a_deadline(failures, path):
    assert failures[path] == GIVEN_UP[path]


@pytest.mark.parametrize("path", BROKEN)
def test_broken_body_is_retried_and_never_stored(after, failures, stored, path):
    assert path in failures
    assert path not in stored
    assert after.server.paths().count(path) == 2


def test_body_complete_on_retry_is_stored(after):
    assert "Whole." in after.crawl.rows()[f"{after.server.url}/flaky"].html


def test_redirects_are_followed_ten_times(after, failures):
    assert failures["/hop/10"] == "endless redirect"
    assert "/hop/10" in after.server.paths()
    assert "/hop/11" not in after.server.paths()
    assert {"/circle/1", "/circle/2"} & failures.keys()


@pytest.mark.parametrize("path", REFUSED)
def test_redirect_off_the_site_is_refused(failures, path):
    assert failures[path].startswith("redirects off the site")


def test_url_traps_are_limited_to_a_budget(after):
    asked = after.server.paths()
    assert sum(path.startswith("/calendar/") for path in asked) == BUDGET
    assert BUDGET <= sum(path.startswith("/shop") for path in asked) <= BUDGET + 3


def test_repeating_path_is_not_followed(after):
    assert {path for path in after.server.paths() if path.startswith("/a/")} == {"/a/", "/a/a/"}


def test_doubly_escaped_ampersands_are_one_url(after):
    assert [path for path in after.server.paths() if "query" in path] == ["/query?x=1&y=2"]


def test_session_ids_are_removed_from_urls(after, stored):
    assert [path for path in after.server.paths() if path.startswith("/story")] == ["/story"]
    assert {"/story", "/after-story"} <= stored


def test_sitemaps_are_read_once_up_to_a_limit(after):
    asked = [path for path in after.server.paths() if path.startswith("/maps/")]
    assert len(asked) == len(set(asked)) == SITEMAPS


def test_good_sitemaps_beside_bad_ones_are_read(stored):
    assert "/mapped" in stored


def test_sitemap_with_entities_is_refused(after):
    refused = {"/laughed", "/filed", "/webbed", "/canary"}
    assert not refused & set(after.server.paths())
    assert not any("CANARY" in path for path in after.server.paths())
    with Store.open(after.crawl.database) as store:
        said = [anchor.text for anchor in store.links.anchors(store.sites.all()[0])]
    assert not any("CANARY" in text for text in said)


def test_page_with_entities_is_stored_unchanged(after, stored):
    assert {"/laughs", "/after-laughs"} <= stored
    assert "]><p>&b; &file;" in after.crawl.rows()[f"{after.server.url}/laughs"].html


def test_odd_headers_do_no_harm(after, stored):
    assert "/odd-headers" in stored


def test_compressed_responses_are_requested(after):
    (offered,) = {asked.headers["accept-encoding"] for asked in after.server.asked}
    assert offered == "gzip, deflate, br, zstd"
