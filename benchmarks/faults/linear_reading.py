"""Time for reading hostile responses, from bytes to links, by size.

Run `python -m benchmarks.faults.linear_reading`. Each kind of response is generated in growing
sizes and read like in a crawl, without a time limit. Times are CPU time in milliseconds; the
exponent is the slope of log time over log size, 1 if linear. The exit code is 1 if a time grows
faster.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from itertools import count
from time import process_time

from benchmarks.growth import exponent
from flong.crawler import decode
from flong.links import extract_links
from flong.urls import Scope

SIZES = (250_000, 500_000, 1_000_000, 2_000_000, 4_000_000)
"""Sizes of a response in bytes; the first one excludes constant costs."""
STEEPEST = 1.25
"""Maximum exponent of linear growth, with a tolerance for measurement and caches."""
HOME = "http://paper.example/"
_SCOPE = Scope.of(HOME)


def repeated(piece: str | Callable[[int], str], size: int, start: str = "") -> bytes:
    """Return a document of a given size that repeats one part, perhaps numbered."""
    parts, length = [start], len(start)
    for number in count():
        parts.append(piece if isinstance(piece, str) else piece(number))
        length += len(parts[-1])
        if length >= size:
            break
    return "".join(parts).encode()


def attributes(number: int) -> str:
    """Return a number of attributes.

    >>> attributes(2)
    ' a0=b a1=b'
    """
    return "".join(f" a{n}=b" for n in range(number))


RESPONSES: dict[str, tuple[str, Callable[[int], bytes]]] = {
    "a page of plain links": (
        "utf-8",
        lambda size: repeated(lambda n: f"<p><a href='/story/{n}'>Story {n}</a></p>", size),
    ),
    "`charset=punycode`": ("punycode", lambda size: repeated("<p>news and more", size)),
    "no charset, not UTF-8": ("", lambda size: b"<p>caf\xe9 \xa0" * (size // 9)),
    "bytes that mean nothing (windows-1253)": ("windows-1253", lambda size: b"\xff" * size),
    "nested `<a><b>`": ("utf-8", lambda size: repeated(lambda n: f"<a href=/{n}><b>", size)),
    "nested `<a><div>`, closed": (
        "utf-8",
        lambda size: repeated(lambda n: f"<a href=/{n}><div>" * 500 + "</div></a>" * 500, size),
    ),
    "nested `<option><b>`": (
        "utf-8",
        lambda size: repeated(lambda n: f"<option value=/{n}><b>", size, "<select>"),
    ),
    "one link around everything": ("utf-8", lambda size: repeated("<b></b>", size, "<a href=/1>")),
    "tags of 4,900 attributes": ("utf-8", lambda size: repeated(f"<p{attributes(4_900)}>", size)),
    "one tag of all attributes": (
        "utf-8",
        lambda size: repeated(lambda n: f" a{n}=b", size, "<p") + b">",
    ),
    "end tags in 2,000 levels": ("utf-8", lambda size: repeated("</i>", size, "<div>" * 2_000)),
    "an endless comment": ("utf-8", lambda size: repeated("- <a href=/1>", size, "<!--")),
    "an endless attribute": ("utf-8", lambda size: repeated("<a href=/1>", size, "<p title='")),
    "links to names beyond ASCII": (
        "utf-8",
        lambda size: repeated(lambda n: f"<a href='http://{('ä' * 50 + '.') * 4}{n}.org/'>", size),
    ),
    "links that climb": ("utf-8", lambda size: repeated("<a href='" + "../" * 600 + "x'>", size)),
}
"""Kinds of responses by name: charset of the header, and function that returns a body."""


def seconds(charset: str, body: bytes) -> float:
    """Return the CPU time of reading a response."""
    header = f"text/html; charset={charset}" if charset else "text/html"
    begun = process_time()
    extract_links(decode(body, header).text, HOME, _SCOPE)
    return process_time() - begun


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table as Markdown; return 0 if all times grow linearly."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.faults.linear_reading",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rounds", type=int, default=2, help="the best of so many counts")
    args = parser.parse_args(arguments)
    print("| response |", " | ".join(f"{size / 1e6:g} MB" for size in SIZES), "| exponent |")
    print("|---|" + "---:|" * (len(SIZES) + 1))
    steepest = 0.0
    for name, (charset, make) in RESPONSES.items():
        bodies = [make(size) for size in SIZES]
        times = [min(seconds(charset, body) for _ in range(args.rounds)) for body in bodies]
        slope = exponent([*map(len, bodies)], times)
        steepest = max(steepest, slope)
        print(f"| {name} |", " | ".join(f"{1000 * t:.0f}" for t in times), f"| {slope} |")
    return 0 if steepest <= STEEPEST else 1


if __name__ == "__main__":
    sys.exit(main())
