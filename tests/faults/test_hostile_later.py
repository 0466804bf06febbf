"""A site that was well when it was crawled first, and misbehaves in every way the next time."""

import pytest

from tests.faults.serving import page, redirect, respond
from tests.faults.test_hostile_site import BOMBS, BROKEN, DRIPPING, ENDLESS, GIVEN_UP, REFUSED

GOOD = {f"/good/{n}": respond(f"<p>Story {n}.", ETag=f'"{n}"') for n in range(9)}
HOSTILE = (
    {path: respond(body, Content_Encoding=kind) for path, (body, kind) in BOMBS.items()}
    | ENDLESS
    | DRIPPING
    | BROKEN
    | {path: redirect(target) for path, target in REFUSED.items()}
)


@pytest.fixture(scope="module")
def crawled(new_server, visit):
    server = new_server()
    known = {path: respond(f"<p>Once {path}.", ETag='"first"') for path in HOSTILE}
    server.routes |= GOOD | known | {"/": page(*GOOD, *known)}
    first = visit(server)
    assert first.done.returncode == 0, first.done.stderr
    server.asked.clear()
    server.sent.clear()
    server.routes |= HOSTILE | dict.fromkeys(GOOD, respond(status=304))
    return visit(server, "-s", "RETRY_TIMES=1", crawl=first.crawl)


@pytest.fixture(scope="module")
def failures(crawled):
    return {url.removeprefix(crawled.server.url): why for url, why in crawled.failures().items()}


def test_crawl_succeeds_with_conditional_requests(crawled):
    assert crawled.done.returncode == 0, crawled.done.stderr
    assert "Traceback" not in crawled.done.stderr
    tags = {asked.path: asked.headers.get("if-none-match") for asked in crawled.server.asked}
    assert {path for path, tag in tags.items() if tag} == GOOD.keys() | HOSTILE.keys()


def test_unchanged_pages_are_distinguished_from_failures(crawled, failures):
    rows = crawled.crawl.rows()
    found = {path: rows[crawled.server.url + path].outcome for path in GOOD}
    assert set(found.values()) == {"unchanged"}
    assert failures.keys() == HOSTILE.keys()


@pytest.mark.parametrize("path", HOSTILE)
def test_stored_pages_are_kept(crawled, path):
    assert f"Once {path}." in crawled.crawl.rows()[crawled.server.url + path].html


@pytest.mark.parametrize("path", GIVEN_UP)
def test_hostile_response_is_given_up_as_in_a_first_crawl(crawled, failures, path):
    assert failures[path] == GIVEN_UP[path]
    assert crawled.server.sent[path] < 50_000_000  # what fits into the buffers between us


@pytest.mark.parametrize("path", BROKEN)
def test_broken_body_is_retried(crawled, path):
    assert crawled.server.paths().count(path) == 2
