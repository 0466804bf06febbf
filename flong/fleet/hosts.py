"""Whom a site asks: sites of one server are visited one after another."""

import socket
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

THREADS = 32
"""Names that are asked for at a time."""


def politeness_names(urls: Sequence[str]) -> list[str]:
    """Return the name of the server behind each URL: where its host's alias leads, else its host.

    >>> politeness_names(["http://127.0.0.1:8000/", "http://127.0.0.1:9000/news"])
    ['127.0.0.1', '127.0.0.1']
    """
    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(_name, urls))


def _name(url: str) -> str:
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    try:
        found = socket.getaddrinfo(urlsplit(url).hostname, None, flags=socket.AI_CANONNAME)
    except (OSError, UnicodeError):  # the night will say so
        return host
    return (found[0][3] or host).rstrip(".").lower().removeprefix("www.")
