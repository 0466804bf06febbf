"""HTTP server of the portal, on loopback."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from flong.demo.portal import Portal


@dataclass(frozen=True)
class Request:
    """A logged request."""

    target: str
    """Path and query."""
    status: int
    """Status of the response."""
    conditional: bool
    """True if the request was conditional."""


@dataclass
class Serving:
    """A running portal, which can be replaced at the same URL."""

    url: str
    """Base URL, without a trailing slash."""
    portal: Portal
    """Current portal. Assign another one to serve it from the next request."""
    log: list[Request] = field(default_factory=list)
    """All requests so far, in order."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    serving: Serving

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore clients that disconnect early."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    timeout = 60
    server: _Server

    def do_GET(self) -> None:
        response = self.server.serving.portal.get(self.path, dict(self.headers.items()))
        asked = "If-None-Match" in self.headers or "If-Modified-Since" in self.headers
        self.server.serving.log.append(Request(self.path, response.status, asked))
        self.send_response(response.status)
        for name, value in response.headers:
            self.send_header(name, value)
        if response.status != 304:
            self.send_header("Content-Length", str(len(response.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(response.body)

    do_HEAD = do_GET

    def log_message(self, *_: object) -> None:
        """Discard the message: `Serving` has the log."""


@contextmanager
def serve(portal: Portal, port: int = 0, host: str = "127.0.0.1") -> Iterator[Serving]:
    """Serve a portal on loopback while the block runs; port 0 selects a free one.

    >>> from urllib.request import urlopen
    >>> with serve(Portal(articles=10)) as site, urlopen(site.url + "/robots.txt") as answer:
    ...     answer.status, site.log[0].target
    (200, '/robots.txt')
    """
    with _Server((host, port), _Handler) as server:
        server.serving = Serving(f"http://{host}:{server.server_port}", portal)
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield server.serving
        finally:
            server.shutdown()
            thread.join()
