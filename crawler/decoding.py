"""Character decoding of response bodies.

Encoding labels have the meaning of the WHATWG standard, as in browsers. Python accepts more labels,
some for codecs that are not text encodings: `zlib`, `rot13`, `undefined`, `punycode`.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import webencodings
from charset_normalizer import from_bytes
from lxml import etree
from webencodings import UTF8, Encoding

DECLARED_WITHIN = 4096
"""Maximum number of bytes searched for a declaration; browsers search 1,024."""
GUESSED_FROM = 65_536
"""Maximum number of bytes used to guess an undeclared encoding."""

_BYTE_ORDER_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xfe\xff", "utf-16be"),
    (b"\xff\xfe", "utf-16le"),
)
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([^\s\"';,]+)", re.IGNORECASE)
_XML_DECLARATION = re.compile(rb"\s*<\?xml\s[^>]*?\sencoding\s*=\s*[\"']([^\"'>]+)")
_MISTAKEN = {"utf-16be": "utf-8", "utf-16le": "utf-8", "x-user-defined": "windows-1252"}
"""Encodings to use instead when a document declares these in ASCII, as in the HTML standard."""
_NOT_ASCII = re.compile(rb"[\x80-\xff]")
_GUESSES = {
    "big5hkscs": "big5",
    "cp1250": "windows-1250",
    "cp1251": "windows-1251",
    "cp1252": "windows-1252",
    "cp1253": "windows-1253",
    "cp1254": "windows-1254",
    "cp1255": "windows-1255",
    "cp1256": "windows-1256",
    "cp1257": "windows-1257",
    "cp1258": "windows-1258",
    "cp874": "windows-874",
    "cp932": "shift_jis",
    "cp949": "euc-kr",
    "euc_jp": "euc-jp",
    "gb18030": "gb18030",
    "iso8859_2": "iso-8859-2",
    "koi8_r": "koi8-r",
}
"""WHATWG names of the encodings that can be guessed, by their Python names."""


_WESTERN = "cp1252"


class Decoded(NamedTuple):
    """A decoded document."""

    encoding: str
    """Name of the encoding in the WHATWG standard."""
    text: str
    """Text without byte order mark; invalid bytes are replaced by U+FFFD."""


def decode(body: bytes, content_type: str | None = None) -> Decoded:
    """Return the decoded text of a document, in linear time.

    The first source with a known label wins: byte order mark, header, the document's own
    declaration. Without any, the document is UTF-8 if it is valid UTF-8, else a guess, else Windows
    1252.

    >>> decode("<meta charset=iso-8859-1>ü".encode("latin-1"))
    Decoded(encoding='windows-1252', text='<meta charset=iso-8859-1>ü')
    >>> decode("news".encode("utf-16-le"), "text/html; charset=utf-16")
    Decoded(encoding='utf-16le', text='news')
    >>> decode("ü".encode(), "text/html; charset=punycode")
    Decoded(encoding='utf-8', text='ü')
    """
    encoding = _marked(body) or _in_header(content_type or "") or _declared(body) or _guessed(body)
    text = encoding.codec_info.decode(body, "replace")[0]
    return Decoded(encoding.name, text.removeprefix("\ufeff"))


def _lookup(label: str) -> Encoding | None:
    encoding = webencodings.lookup(label)
    # The standard decodes both the same way; Python's GBK codec lacks some characters.
    return webencodings.lookup("gb18030") if encoding and encoding.name == "gbk" else encoding


def _marked(body: bytes) -> Encoding | None:
    return next((_lookup(name) for mark, name in _BYTE_ORDER_MARKS if body.startswith(mark)), None)


def _in_header(content_type: str) -> Encoding | None:
    match = _CHARSET.search(content_type)
    return _lookup(match[1]) if match else None


def _declared(body: bytes) -> Encoding | None:
    """Return the encoding declared in a `meta` element or the XML declaration."""
    for label in _declarations(body[:DECLARED_WITHIN]):
        encoding = _lookup(label)
        if encoding is not None:
            return _lookup(_MISTAKEN.get(encoding.name, encoding.name))
    return None


def _declarations(beginning: bytes) -> Iterator[str]:
    if b"charset" in beginning.lower():
        parser = etree.HTMLParser(encoding="iso-8859-1", remove_comments=True)
        root = etree.fromstring(beginning, parser)
        for meta in () if root is None else root.iter("meta"):
            yield meta.get("charset") or ""
            if (meta.get("http-equiv") or "").strip().lower() == "content-type":
                match = _CHARSET.search(meta.get("content") or "")
                yield match[1] if match else ""
    xml = _XML_DECLARATION.match(beginning)
    if xml:
        yield xml[1].decode("latin-1")


def _guessed(body: bytes) -> Encoding:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return _lookup(_GUESSES[_likeliest(body)])
    return UTF8


def _likeliest(body: bytes) -> str:
    """Return the Python name of the most likely encoding of the first non-ASCII text."""
    first = _NOT_ASCII.search(body)
    start = first.start() if first else 0
    # In all of these encodings, `<` is never part of a multi-byte character.
    whole = body[start : start + GUESSED_FROM].rpartition(b"<")
    sample = whole[0] or whole[2]
    match = from_bytes(sample, cp_isolation=list(_GUESSES)).best()
    if match is None or str(match) == sample.decode(_WESTERN, "replace"):
        return _WESTERN
    return match.encoding
