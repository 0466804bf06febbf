"""The cookies of a reader's own subscription, from a file as browsers export it."""

from http.cookiejar import LoadError, MozillaCookieJar
from urllib.request import Request


def load_cookies(path: str) -> MozillaCookieJar:
    """Return the cookies of a file in Netscape's format; raise a `ValueError` that says why not."""
    jar = MozillaCookieJar(path)
    try:
        jar.load(ignore_discard=True)
    except OSError as error:
        why = "it is no cookies.txt" if isinstance(error, LoadError) else error.strerror
        raise ValueError(f"cookies is {path!r}, which cannot be read: {why}") from error
    return jar


def cookie_header(jar: MozillaCookieJar, url: str) -> dict[str, bytes]:
    """Return the header with the cookies that a browser would send to a URL; none if none."""
    request = Request(url)  # noqa: S310 - it is never sent
    jar.add_cookie_header(request)
    cookie = request.get_header("Cookie")
    return {"Cookie": cookie.encode()} if cookie else {}
