"""A configurable web server on loopback, and the real crawl command."""

import os
import shutil
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from flong.storage import Store

PROJECT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalResponse:
    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        pass  # the crawler was killed


class Portal:
    """A site with a response per path and query; 404 for all others."""

    def __init__(self):
        self.responses: dict[str, PortalResponse] = {}
        self.asked: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.times: list[float] = []
        self.on_request: Callable[[int], None] = lambda number: None
        self._counting = threading.Lock()
        self._server = Server(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def put(self, path, body="", kind="text/html; charset=utf-8", **response):
        body = body.replace("PORTAL", self.url).encode() if isinstance(body, str) else body
        headers = {"Content-Type": kind} | response.pop("headers", {})
        self.responses[path] = PortalResponse(body=body, headers=headers, **response)

    def page(self, path, *links, head="", text="", **response):
        anchors = "".join(f"<p><a href='{link}'>To {link}</a>" for link in links)
        html = f"<html><head><title>{path}</title>{head}</head><body>{text}{anchors}</body></html>"
        self.put(path, html, **response)

    def redirect(self, path, target, status=301):
        location = target.replace("PORTAL", self.url)
        self.put(path, status=status, headers={"Location": location})

    def counts(self):
        return Counter(self.asked)

    def _handler(portal):  # the handler has its own self
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = 65536

            def do_GET(self):
                parts = urlsplit(self.path)
                with portal._counting:  # each request has a number of its own
                    portal.asked.append(self.path)
                    portal.headers.append(dict(self.headers))
                    portal.times.append(time.monotonic())
                    number = len(portal.asked)
                portal.on_request(number)
                response = portal.responses.get(self.path) or portal.responses.get(parts.path)
                etag = self.headers.get("If-None-Match")
                if response and etag and etag == response.headers.get("ETag"):
                    response = PortalResponse(status=304)
                self.send(
                    response or PortalResponse(status=404, headers={"Content-Type": "text/html"})
                )

            def send(self, response):
                time.sleep(response.seconds)
                with suppress(OSError):  # the crawler may have been killed
                    self.send_response(response.status)
                    for name, value in response.headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(response.body)))
                    self.end_headers()
                    self.wfile.write(response.body)

            def log_message(self, *arguments):
                pass

        return Handler


@dataclass(frozen=True)
class Crawl:
    """The real crawl command in its own process, and its database."""

    scrapy: Callable
    database: str

    @property
    def path(self):
        return Path(self.database.removeprefix("sqlite:///"))

    def command(self, url, *options, **arguments):
        given = [f"-a{name}={value}" for name, value in {"url": url, **arguments}.items()]
        once = ("-s", "DOWNLOAD_DELAY=0", "-s", "RETRY_TIMES=1")
        return [sys.executable, "-m", "scrapy", "crawl", "site", *given, *once, *options]

    def start(self, url, *options, **arguments):
        return subprocess.Popen(
            self.command(url, *options, **arguments),
            cwd=PROJECT,
            env=os.environ | {"FLONG_DATABASE": self.database},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, url, *options, **arguments):
        _, _, _, *words = self.command(url, *options, **arguments)
        return self.scrapy(*words, FLONG_DATABASE=self.database)

    def rows(self):
        with Store.open(self.database) as store:
            site = store.sites.all()[0]
            return {row.url: row for row in store.pages.rows(site)}

    def paths(self, url):
        return {page.removeprefix(url) for page in self.rows()}

    def runs(self):
        with Store.open(self.database) as store:
            return store.runs.all()


@pytest.fixture(scope="session")
def new_portal():
    """Return a function that starts a portal."""
    with ExitStack() as stack:

        def start():
            portal = Portal()
            stack.callback(portal.close)
            return portal

        yield start


@pytest.fixture(scope="session")
def new_crawl(scrapy, tmp_path_factory):
    """Return a factory of crawls with an empty database."""
    empty = tmp_path_factory.mktemp("empty") / "flong.db"
    Store.open(f"sqlite:///{empty}").close()  # creating one takes longer than copying it

    def start():
        path = tmp_path_factory.mktemp("crawl") / "flong.db"
        shutil.copy(empty, path)
        return Crawl(scrapy, f"sqlite:///{path}")

    return start


@pytest.fixture
def portal(new_portal):
    return new_portal()


@pytest.fixture
def crawl(new_crawl):
    return new_crawl()


@pytest.fixture
def first_crawl(scrapy, tmp_path):
    """Return a crawl whose database does not exist yet."""
    return Crawl(scrapy, f"sqlite:///{tmp_path / 'flong.db'}")
