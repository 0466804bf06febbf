"""Internal URLs, added by POST to the inspector and crawled by its real jobs.

The jobs run in an internet of their own (`tests/faults/internet.py`), which notes every connection.
"""

import json
import os
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import httpx
import pytest

from flong.inspector import CommandState, Editor, Jobs, create_app
from flong.storage import Store
from tests.faults.serving import FaultServer, redirect
from tests.inspector.conftest import asking
from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]
PUBLIC, INNER, METADATA = "93.184.216.34", "10.0.0.7", "169.254.169.254"
NAMES = {
    "moved.example.com": [PUBLIC],
    "inner.example.com": [INNER],
    "dotted.example.com": ["127.0.0.1"],
    "metadata.internal": [METADATA],
}
REFUSED = {
    "http://moved.example.com/": f"redirects to another site: http://{INNER}/",
    "http://inner.example.com/": "a private address; set FLONG_INTRANET=1 to allow it",
    "http://dotted.example.com./": "a loopback address; set FLONG_INTRANET=1 to allow it",
    "http://metadata.internal/": "a metadata address",
    f"http://{METADATA}/": "a metadata address",
    "http://2852039166/": "a metadata address",
    "http://0251.0376.0251.0376/": "a metadata address",
    "http://0xa9fea9fe/": "a metadata address",
    "http://[::ffff:a9fe:a9fe]/": "a metadata address",
}
"""Home pages inside, and the reason why they are not fetched."""
NAMED = "http://10.0.0.8/"
"""A home page that a user names by its private address."""
ENTER = "from pathlib import Path; from tests.faults.internet import enter; enter(Path({!r}))"


class Added(NamedTuple):
    """Sites that were added, after their crawls."""

    client: httpx.Client
    jobs: Jobs
    names: dict[str, str]
    """Name of each site by its URL."""
    connected: set[str]
    """Hosts that a crawl connected to."""


@pytest.fixture(scope="module")
def added(databases, tmp_path_factory):
    """Add all sites by POST, and let the real jobs crawl them."""
    folder = tmp_path_factory.mktemp("world")
    world = folder / "world.json"
    (folder / "sitecustomize.py").write_text(ENTER.format(str(world)))
    url = databases("sqlite").create()
    Store.open(url).close()
    environment = {"FLONG_DATABASE": url, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
    jobs = Jobs(["-s", "RETRY_TIMES=0"], os.environ | environment)
    with (
        closing(FaultServer()) as server,
        closing(jobs),
        Store.open(url) as store,
        Store.open(url) as writable,
    ):
        server.routes["moved.example.com/"] = redirect(f"http://{INNER}/")
        world.write_text(json.dumps({"names": NAMES, "routes": {f"{PUBLIC}:80": server.port}}))
        editor = Editor(store=writable, jobs=jobs)
        with asking(create_app(store, editor=editor)) as client:
            client.headers["authorization"] = f"Bearer {editor.token}"
            answers = {at: client.post("/sites", data={"url": at}) for at in [*REFUSED, NAMED]}
            wait_until(lambda: not jobs.waiting())
            log = world.with_suffix(".log").read_text().splitlines()
            yield Added(
                client=client,
                jobs=jobs,
                names={
                    at: unquote(answer.headers["location"].removeprefix("/sites/"))
                    for at, answer in answers.items()
                },
                connected={line.split()[1] for line in log if line.startswith("connect")},
            )


def test_only_public_hosts_and_one_named_by_its_address_were_connected_to(added):
    assert added.connected == {PUBLIC, "10.0.0.8"}


@pytest.mark.parametrize("url", REFUSED)
def test_an_internal_home_page_is_refused_with_the_reason(added, url):
    [job] = added.jobs.of(added.names[url])
    assert (job.state, REFUSED[url] in job.said[-1]) == (CommandState.FAILED, True), job.said
    assert REFUSED[url] in added.client.get(f"/sites/{added.names[url]}").text


@pytest.mark.parametrize("url", ["http://me@10.0.0.7/", "http://news.example.com@10.0.0.7/"])
def test_a_url_with_a_user_name_is_not_added(added, url):
    answer = added.client.post("/sites", data={"url": url})
    assert (answer.status_code, "name and password" in answer.text) == (422, True)
