"""URLs: one spelling per page, and the scope of a site."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any
from urllib.parse import SplitResult, urljoin, urlsplit

from w3lib.url import safe_url_string

TRACKING = re.compile(
    r"(?:utm_\w*|hsa_\w*|mtm_\w*|pk_\w*|at_(?:medium|campaign|custom\d)|fbclid|gclid|gclsrc|dclid"
    r"|gbraid|wbraid|msclkid|yclid|twclid|ttclid|igshid|igsh|mc_cid|mc_eid|_hsenc|_hsmi|mkt_tok"
    r"|_ga|_gl|oly_(?:anon|enc)_id|vero_id|spm|ncid|cmpid|s_cid|wt_mc|wt\.mc_id|xtor|ocid|ito"
    r"|__twitter_impression|ref_src|ref_url|share_source|amp_js_v|usqp)",
    re.IGNORECASE,
)
"""Names of tracking parameters."""

SESSION = re.compile(
    r"(?:phpsessid|jsessionid|aspsessionid\w*|sessionid|session_id|sess_id|cfid|cftoken|zenid|oscsid)",
    re.IGNORECASE,
)
"""Names of session parameters."""

_SID = re.compile(r"s(?:id)?=[0-9a-f]{16,}", re.IGNORECASE)
_PATH_SESSION = re.compile(r";(?:jsessionid|phpsessid|sid)=[^/;?]*", re.IGNORECASE)
_AMPERSANDS = re.compile(r"&(?:amp;)+", re.IGNORECASE)
_STRAY_PERCENT = re.compile(r"%(?![0-9a-fA-F]{2})")
_ESCAPE = re.compile(r"%[0-9a-fA-F]{2}")
_INDEX = re.compile(r"/index\.html?$", re.IGNORECASE)
_UNRESERVED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
# Most links match this and are already canonical; the check is ten times faster.
_PLAIN = re.compile(
    r"https?://[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::(?!80/|443/)(?:[1-9]\d{1,3}|[1-5]\d{4}))?"
    r"/(?:[A-Za-z0-9_~+-][A-Za-z0-9_~+.-]*(?:/|$))*",
    re.ASCII,
)
_DEFAULT_PORTS = {"http": 80, "https": 443}
_LONGEST = 2000
_MAX_HOST, _MAX_LABEL = 260, 70
"""Maximum characters of a host, and of a part of it between dots, with a port."""


@lru_cache(maxsize=65536)
def canonical_url(url: str) -> str | None:
    """Return the canonical spelling of an HTTP URL, or None for other texts.

    Fragments, tracking and session parameters, default ports and `index.html` are removed. Escapes,
    dots and the order of parameters are normalized. The function is idempotent.

    >>> canonical_url("HTTP://Example.com:80/a/../b/index.html?utm_source=x&id=7#top")
    'http://example.com/b/?id=7'
    >>> canonical_url("mailto:someone@example.com") is None
    True
    """
    url = url.strip()
    if len(url) > _LONGEST or url[:4].lower() != "http":
        return None
    if _PLAIN.fullmatch(url) and not url.endswith(("/index.html", "/index.htm")):
        return url
    return _normalized(url)


def _normalized(url: str) -> str | None:
    url = url.replace("\\", "/")
    if not _can_be_named(url):
        return None
    try:
        parts = urlsplit(safe_url_string(url))
        host = _host(parts)
    except (ValueError, UnicodeError):
        return None
    if parts.scheme not in _DEFAULT_PORTS or not host:
        return None
    query = _query(parts.query)
    return f"{parts.scheme}://{host}{_path(parts.path)}{'?' if query else ''}{query}"


def _can_be_named(url: str) -> bool:
    """Return True if a host is short enough for a name; encoding a longer one is slow."""
    host = re.split("[/?#]", url.partition("://")[2], maxsplit=1)[0]
    if host.isascii():
        return True
    return len(host) <= _MAX_HOST and max(map(len, host.split("."))) <= _MAX_LABEL


def _host(parts: SplitResult) -> str:
    """Return host and port; empty without a host or with a password."""
    host = (parts.hostname or "").rstrip(".")
    if not host or parts.username is not None or not re.fullmatch(r"[\w.:-]+", host):
        return ""
    if ":" in host:
        host = f"[{host}]"
    elif not host.isascii():
        host = host.encode("idna").decode("ascii")
    port = parts.port
    return host if port in (None, _DEFAULT_PORTS.get(parts.scheme)) else f"{host}:{port}"


def _path(path: str) -> str:
    path = _escapes(_PATH_SESSION.sub("", path))
    if "/." in path or "//" in path:
        path = _without_dots(path)
    return _INDEX.sub("/", path) or "/"


def _without_dots(path: str) -> str:
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments:
        if segment == "..":
            kept = kept[:-1]
        elif segment not in ("", "."):
            kept.append(segment)
    directory = segments[-1] in ("", ".", "..") and bool(kept)
    return "/" + "/".join(kept) + ("/" if directory else "")


def _query(query: str) -> str:
    """Return the significant parameters, sorted, in their own spelling."""
    if not query:
        return ""
    pairs = _AMPERSANDS.sub("&", _escapes(query)).split("&")
    return "&".join(sorted(dict.fromkeys(pair for pair in pairs if _matters(pair))))


def _matters(pair: str) -> bool:
    name = pair.partition("=")[0].removeprefix("amp;")
    if not pair or TRACKING.fullmatch(name) or SESSION.fullmatch(name):
        return False
    return not _SID.fullmatch(pair)


def _escapes(text: str) -> str:
    """Escape the characters that need it, in upper case, and no others."""
    if "%" not in text:
        return text
    return _ESCAPE.sub(_escape, _STRAY_PERCENT.sub("%25", text))


def _escape(match: re.Match[str]) -> str:
    character = chr(int(match[0][1:], 16))
    return character if character in _UNRESERVED else match[0].upper()


@dataclass(frozen=True, slots=True)
class Scope:
    """URLs that belong to a site, and their spelling.

    A page is the same with and without `www.`, by http and by https; it is spelled like the home
    page. Other hosts of the same registered name belong to the site only with `subdomains`. An IP
    address or a name like `localhost` is a site together with its port.

    >>> scope = Scope.of("https://www.example.co.uk/")
    >>> scope.canonical("http://example.co.uk/a?fbclid=1")
    'https://www.example.co.uk/a'
    >>> scope.canonical("https://blog.example.co.uk/a") is None
    True
    """

    home: str
    """Canonical URL of the home page."""
    scheme: str
    """Scheme of all requests."""
    host: str
    """Host of the home page, with the port if it is not the default."""
    domain: str
    """Registered name with its port; empty if subdomains do not belong to the site."""

    @classmethod
    def of(cls, url: str, *, subdomains: bool = False) -> "Scope":
        """Return the scope of the site with this home page."""
        home = canonical_url(url)
        if home is None:
            raise ValueError(f"{url!r} is not the URL of a web page")
        parts = urlsplit(home)
        domain = registered_domain(home) if subdomains else ""
        return cls(home=home, scheme=parts.scheme, host=parts.netloc, domain=domain)

    def canonical(self, url: str) -> str | None:
        """Return the site's spelling of a URL, or None if it does not belong to the site."""
        url = canonical_url(url) or ""
        scheme, _, rest = url.partition("://")
        if not rest:
            return None
        host, slash, path = rest.partition("/")
        if host == self.host:
            return url if scheme == self.scheme else f"{self.scheme}://{rest}"
        if host.removeprefix("www.") == self.host.removeprefix("www."):
            host = self.host
        elif not self.domain or registered_domain(f"//{host}") != self.domain:
            return None
        return f"{self.scheme}://{host}{slash}{path}"

    def join(self, base: str, href: str) -> str | None:
        """Return the site's spelling of a link on a page, or None if it leaves the site.

        >>> Scope.of("http://a.org/").join("http://a.org/x/y", " ../z.html#part ")
        'http://a.org/z.html'
        """
        href = href.strip().replace("\\", "/")
        if href.startswith(("http://", "https://")):
            return self.canonical(href)
        if href[:1] == "/" and href[1:2] != "/":
            return self.canonical("/".join(base.split("/", 3)[:3]) + href)
        try:
            return self.canonical(urljoin(base, href))
        except ValueError:
            return None


@cache
def _suffixes() -> Any:
    """Return the splitter of registered names."""
    # Most crawls are of one public host and do not need these ten thousand names.
    from tldextract import TLDExtract  # noqa: PLC0415

    # The list that comes with the library: nothing is fetched or cached at run time.
    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


def has_public_suffix(host: str) -> bool:
    """Return True if a host has a name that anybody can register.

    >>> has_public_suffix("news.example.com"), has_public_suffix("localhost")
    (True, False)
    """
    return bool(_suffixes()(host).top_domain_under_public_suffix)


@lru_cache(maxsize=4096)
def registered_domain(url: str) -> str:
    """Return the registered name with the port; for an IP address, the host itself.

    >>> registered_domain("https://news.bbc.co.uk/a"), registered_domain("http://127.0.0.1:8000")
    ('bbc.co.uk', '127.0.0.1:8000')
    """
    parts = urlsplit(url)
    domain: str = _suffixes()(parts.netloc).top_domain_under_public_suffix
    if not domain:
        return parts.netloc
    port = parts.port
    return f"{domain}:{port}" if port else domain
