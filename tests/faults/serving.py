"""A web server on loopback that misbehaves on request.

A route is a function that gets an `Exchange` and writes whatever bytes it likes, for as long as
it likes. The functions below make the usual ones.
"""

import socket
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from socketserver import StreamRequestHandler, ThreadingTCPServer

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A request as the server saw it."""

    host: str
    path: str
    at: float
    headers: dict[str, str] = field(repr=False)


@dataclass(frozen=True)
class Exchange:
    """A request that is being responded to."""

    asked: Asked
    number: int
    """How often this was asked for, counting from 1."""
    send: Callable[[bytes], None]


Route = Callable[[Exchange], None]


def head(status: int = 200, kind: str = HTML, **headers: object) -> bytes:
    """Return the head of a response; `Retry_After=1` becomes `Retry-After: 1`."""
    lines = [f"HTTP/1.1 {status} As Told", f"Content-Type: {kind}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()


def respond(
    body: str | bytes = "", status: int = 200, kind: str = HTML, **headers: object
) -> Route:
    data = body.encode() if isinstance(body, str) else body
    whole = head(status, kind, Content_Length=len(data), **headers) + data
    return lambda exchange: exchange.send(whole)


def page(*links: str, text: str = "", top: str = "") -> Route:
    anchors = "".join(f'<p><a href="{link}">To {link}</a>' for link in links)
    title = text or " ".join(links)[:50]
    return respond(
        f"<html><head><title>{title}</title>{top}</head><body>{text}{anchors}</body></html>"
    )


def redirect(target: str, status: int = 302) -> Route:
    return respond(status=status, Location=target)


def cut(body: bytes, missing: int = 100) -> Route:
    """Promise more bytes than are sent."""
    whole = head(Content_Length=len(body) + missing) + body
    return lambda exchange: exchange.send(whole)


def endless(start: bytes, more: bytes) -> Route:
    """Send as long as anyone listens, in large pieces; give up at a gigabyte."""

    def send(exchange: Exchange) -> None:
        exchange.send(start)
        for _ in range(10**9 // len(more)):
            exchange.send(more)

    return send


def dripping(start: bytes, drop: bytes) -> Route:
    """Send a few bytes now and then, as long as anyone listens; give up after a minute."""

    def send(exchange: Exchange) -> None:
        exchange.send(start)
        for _ in range(300):
            time.sleep(0.2)
            exchange.send(drop)

    return send


def in_turn(*routes: Route) -> Route:
    """Do the first thing first; the last one from then on."""
    return lambda exchange: routes[min(exchange.number, len(routes)) - 1](exchange)


class _Handler(StreamRequestHandler):
    timeout = 30
    server: "_Server"

    def handle(self) -> None:
        with suppress(OSError):  # who asks may go away at any time
            words = self.rfile.readline().decode("latin-1").split()
            headers = {}
            while line := self.rfile.readline().decode("latin-1").strip():
                name, _, value = line.partition(":")
                headers[name.lower()] = value.strip()
            if len(words) > 1:
                host = headers.get("host", "")
                asked = Asked(host=host, path=words[1], at=time.monotonic(), headers=headers)
                self.server.faults.respond(asked, self.connection.sendall)
                self._wait_for_the_end()

    def _wait_for_the_end(self) -> None:
        # Closing with unread bytes would reset the connection, and what was sent is lost.
        self.connection.shutdown(socket.SHUT_WR)
        while self.connection.recv(65536):
            pass


class _Server(ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    faults: "FaultServer"
    context: ssl.SSLContext | None = None

    def get_request(self) -> tuple[socket.socket, object]:
        connection, address = super().get_request()
        if self.context is not None:
            connection = self.context.wrap_socket(
                connection, server_side=True, do_handshake_on_connect=False
            )
        return connection, address

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: the client may break off, or not like the certificate."""


class FaultServer:
    """A server with a route per host and path, or per path; 404 for all others."""

    def __init__(self, context: ssl.SSLContext | None = None):
        self.routes: dict[str, Route] = {}
        self.asked: list[Asked] = []
        self._counting = threading.Lock()
        self.sent: Counter[str] = Counter()
        """Bytes that anyone took, by path."""
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.faults, self._server.context = self, context
        self.port = self._server.server_address[1]
        self.url = f"{'https' if context else 'http'}://127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def respond(self, asked: Asked, send: Callable[[bytes], None]) -> None:
        with self._counting:
            number = 1 + sum((a.host, a.path) == (asked.host, asked.path) for a in self.asked)
            self.asked.append(asked)
        bare = asked.path.partition("?")[0]
        names = (asked.host + asked.path, asked.host + bare, asked.path, bare)
        route = next((self.routes[name] for name in names if name in self.routes), None)

        def send_and_count(data: bytes) -> None:
            send(data)
            self.sent[asked.path] += len(data)

        (route or respond(status=404))(Exchange(asked, number, send_and_count))

    def paths(self, host: str | None = None) -> list[str]:
        """Return the requested paths, in order."""
        return [asked.path for asked in self.asked if host in (None, asked.host)]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
