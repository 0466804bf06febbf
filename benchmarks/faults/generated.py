"""A generated news site of any size: each page is a function of its number."""

from collections.abc import Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import get_context
from multiprocessing.connection import Connection
from random import Random

SECTIONS = 100
_WORDS = (
    "the a of and to in for council mayor bridge river school budget vote market station train rain"
    " street house garden library museum theatre doctor hospital farm harvest election minister"
    " court judge police fire club match season coach player stadium festival music band painter"
    " summer winter morning evening week year old new large small first last said asked opened"
    " closed built sold found lost won played began ended plans repairs paid raised cut moved"
).split()


@dataclass(frozen=True, slots=True)
class GeneratedSite:
    """A home page, a hundred sections, and stories, `pages` in total."""

    pages: int

    @property
    def stories(self) -> int:
        """Number of stories."""
        return max(0, self.pages - SECTIONS - 1)

    def get(self, path: str) -> str | None:
        """Return the page at a path, or None.

        >>> site = GeneratedSite(pages=300)
        >>> site.get("/story/198.html") is not None, site.get("/story/199.html")
        (True, None)
        """
        kind, _, name = path.strip("/").removesuffix(".html").partition("/")
        if not kind:
            return _page("The Generated Times", _links("section", range(SECTIONS)))
        if not name.isdecimal():
            return None
        number = int(name)
        if kind == "section" and number < SECTIONS:
            found = range(number, self.stories, SECTIONS)
            return _page(f"Section {number}", _links("story", found))
        if kind == "story" and number < self.stories:
            return self._story(number)
        return None

    def _story(self, number: int) -> str:
        dice = Random(number)  # noqa: S311 - no secrets
        title = f"{_sentence(dice, 6)} {number}".capitalize()
        paragraphs = (_sentence(dice, dice.randint(25, 60)) for _ in range(dice.randint(5, 12)))
        body = "".join(f"<p>{text.capitalize()}.</p>\n" for text in paragraphs)
        related = _links("story", [dice.randrange(self.stories) for _ in range(5)])
        day = f"20{10 + number % 15}-{1 + number % 12:02}-{1 + number % 28:02}"
        return _page(
            title,
            f"<article class='story'><h1>{title}</h1><p class='date'><time datetime='{day}'>{day}"
            f"</time></p><div class='text'>{body}</div></article>"
            f"<aside class='related'><h3>More</h3>{related}</aside>",
        )


def _sentence(dice: Random, length: int) -> str:
    return " ".join(dice.choices(_WORDS, k=length))


def _links(kind: str, numbers: Sequence[int]) -> str:
    items = (f"<li><a href='/{kind}/{n}.html'>{kind} {n} of the day</a></li>" for n in numbers)
    return f"<ul class='{kind}s'>{''.join(items)}</ul>"


def _page(title: str, content: str) -> str:
    menu = "".join(f"<a href='/section/{n}.html'>Section {n}</a> " for n in range(12))
    return (
        f"<!DOCTYPE html><html lang=en><head><title>{title} - The Generated Times</title></head>"
        f"<body><nav class='menu'>{menu}</nav><main>{content}</main>"
        "<footer class='foot'>The Generated Times, printed nowhere.</footer></body></html>"
    )


class GeneratedServing:
    """Context manager that serves the site on loopback in a separate process."""

    def __init__(self, site: GeneratedSite) -> None:
        processes = get_context("spawn")
        self._ours, theirs = processes.Pipe()
        self._process = processes.Process(target=_serve, args=(site, theirs), daemon=True)

    def __enter__(self) -> str:
        """Start the server and return its URL."""
        self._process.start()
        return f"http://127.0.0.1:{self._ours.recv()}/"

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.join()


def _serve(site: GeneratedSite, port: "Connection[int, int]") -> None:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            text = site.get(self.path)
            data = ("not here" if text is None else text).encode()
            self.send_response(404 if text is None else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *words: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        port.send(server.server_address[1])
        server.serve_forever()
