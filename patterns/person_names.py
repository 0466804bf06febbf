"""Names of authors: found in a line, and marked by inline elements."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import unescape

from flong.patterns.cldr import and_words
from flong.patterns.dates import KEPT, without_date
from flong.patterns.selectors import Selector, Starts, find
from flong.patterns.thresholds import THRESHOLDS
from flong.text import cached_if_short
from flong.tree import Tree, remembered

BY = re.compile(r"(?:(?:\w+\s+)?(?:by|por|von|par)|door|di|da|av|af|przez)\s+", re.IGNORECASE)
"""Words before a name in some languages; others are learned."""
LABEL = re.compile(r"[^\s\d:]+\s*[:\uff1a\uff0f]\s*")
"""A word before a colon."""
NAMED = re.compile(
    r"author|autor|auteur|by-?line|verfasser|writer|reporter|journalist|contributor|creat(?:or|edby)"
    r"|username|signature|vcard|\bfn\b|r[eé]da[ck]teur",
    re.IGNORECASE,
)
"""Names of classes and attributes of elements around authors."""

_NAME_LETTERS, _NAME_WORDS, _NAME_SIGNS = 50, 6, 0.4
"""Maximum letters and words of a name, and maximum fraction of signs."""
_AROUND = 4_000
"""Bytes of markup that are searched for the parts of a byline."""
_READ = 500
"""Maximum characters of a byline: runs without spaces take quadratic time."""
_PIECE = re.compile(rb"<([a-z][\w-]*)((?:\s[^<>]*)?)>([^<>]+)</\1>")
_ATTRIBUTE = re.compile(rb'\s(rel|itemprop|class|href)="([^"]*)"')
_FILE = re.compile(r"/?(?:index\.\w+)?(?:[?#].*)?$")
_KEY = re.compile(r"[^?]*?\??([\w-]+)=")
_EMAIL = re.compile(r"[(<\[]?(?:mailto:)?[^\s()<>@]+@[^\s()<>@]+\.[^\s()<>@,;]+[)>\]]?")
_PATH = re.compile(r"^[/@#]|://|^www\.|\.(?:com|org|net|html?)\b|^[\w-]+/[\w/-]+$")
_COMMA = re.compile(r"\s*[,;/|]\s+|\s*;\s*|\s+[&+]\s+")
_SIGNS = re.compile(r"[\d!-/:-@\[-`{-~]")
_END = re.compile(
    r"\s*(?:\b(?:in|on|at|am|(?i:updated|posted|published|modified|aktualisiert|actualizado))\b"
    r"|[|\u00b7\u2022()\u2013\u2014@\uff08\uff09]|\s-\s|\d).*",
    re.DOTALL,
)
_LEFT = re.compile(r"(?:\s+[^\W\d_A-Z]{1,3})+$")
"""Short words that were before the date."""


@dataclass(frozen=True, slots=True)
class Byline:
    """Place of the authors' names, and the text around them."""

    selector: Selector
    """The line."""
    mark: str = ""
    """Inline element around each name, as `mark_of` writes it; empty for the whole line."""
    before: str = ""
    """Text before the names on most pages."""
    after: str = ""
    """Text after them."""
    joints: tuple[str, ...] = ()
    """Texts between two names."""
    varies: bool = False
    """It has different authors where structured data always have the same."""

    def __str__(self) -> str:
        return f"{self.selector} {self.mark}".strip()

    def read(self, tree: Tree, starts: Starts | None) -> tuple[str, ...]:
        """Return the names on one page."""
        vertex = find(tree, self.selector, starts)
        if vertex < 0:
            return ()
        said = lines_of(tree, vertex, self.mark)
        joints = and_words(tree.head.language)
        return tuple(dict.fromkeys(name for text in said for name in self.names(text, joints)))

    def names(self, text: str, joints: Sequence[str] = ()) -> list[str]:
        """Return the names in a text from the selector.

        >>> byline = Byline(Selector("p"), before="By ", joints=(" and ", "; "))
        >>> byline.names("By Ann Lee and Bo Ek | 3 May 2024"), byline.names("3")
        (['Ann Lee', 'Bo Ek'], [])
        """
        return [
            *_names(text[:_READ], bool(self.mark), self.before, self.after, (*self.joints, *joints))
        ]


@lru_cache(KEPT)
def _names(
    text: str, marked: bool, before: str, after: str, joints: tuple[str, ...]
) -> tuple[str, ...]:
    text = _EMAIL.sub("", without_date(text)).strip(" .,|-")
    # In an element around a name, text before a colon is part of the name.
    by = BY.match(text) or (None if marked else LABEL.match(text))
    text = text.removeprefix(before) if before or not by else text[by.end() :]
    for joint in joints:
        text = text.replace(joint, "\n")
    said = [part if marked else _ended(part) for part in text.split("\n")]
    parts = tuple(part.removesuffix(after).strip(" .:,|-") for part in said)
    return parts if all(map(is_name, parts)) else ()


@lru_cache(KEPT)
def is_name(text: str) -> bool:
    """Return whether a text is short enough for a name, and no path or URL.

    >>> [is_name(text) for text in ("Ann Lee", "by", "12:30", "It rained all day and all night.")]
    [True, False, False, False]
    >>> [is_name(text) for text in ("/author/ann/", "ann@news.example", "Subject: Poker")]
    [False, False, True]
    """
    if _PATH.search(text) or "@" in text:
        return False
    short = len(text) <= _NAME_LETTERS and len(text.split()) <= _NAME_WORDS
    telling = any(map(str.isalpha, text)) and len(_SIGNS.findall(text)) < _NAME_SIGNS * len(text)
    return short and telling and not BY.fullmatch(f"{text} ")


def stated_names(text: str, language: str | None = None) -> list[str]:
    """Return the names in the metadata of authors, or none if there is anything else.

    >>> stated_names("Ann Lee and Bo Ek"), stated_names("ann@news.example (Ann Lee)")
    (['Ann Lee', 'Bo Ek'], ['Ann Lee'])
    >>> stated_names("Ann Lee, Bo Ek"), stated_names("Lee, Ann"), stated_names("/author/ann/")
    (['Ann Lee', 'Bo Ek'], ['Lee, Ann'], [])
    """
    text = " ".join(_EMAIL.sub(" ", unescape(text[:_READ])).split())
    text = text.strip("()<> ")
    by = BY.match(text)
    text = text[by.end() :] if by else text
    parts = _split(text, language)
    return [part for part in parts if is_name(part)] if all(map(is_name, parts)) else []


def _split(text: str, language: str | None) -> list[str]:
    """Return the parts of a list of names; single words are one name, the surname first."""
    parts = [text]
    for joint in and_words(language):
        if all(map(is_name, split := [one for part in parts for one in part.split(joint)])):
            parts = split
    split = [one.strip() for part in parts for one in _COMMA.split(part) if one.strip()]
    whole = len(split) > len(parts) and all(len(one.split()) > 1 for one in split)
    return split if whole and all(map(is_name, split)) else parts


def plain_line(line: str) -> str:
    """Return a line without its date and without the part after a number or divider.

    >>> plain_line("3 May 2024 By Ann Lee | Sports"), plain_line("By Ann Lee Updated May 3, 2024")
    ('By Ann Lee', 'By Ann Lee')
    """
    return _ended(without_date(line).strip(" .,|-"))


def _ended(line: str) -> str:
    line = _END.sub("", line).strip(" .,|-")
    left = _LEFT.search(line)
    return line[: left.start()] if left and left[0].islower() else line


@remembered
def line_at(tree: Tree, vertex: int) -> str:
    """Return the text of a short block as one line; empty for none or a long one.

    >>> from flong.tree import build_tree
    >>> line_at(build_tree("<div><p>By<p>Ann Lee</div>"), 1)
    'By Ann Lee'
    """
    if vertex < 0 or tree.words[vertex] > THRESHOLDS.byline_words:
        return ""
    return " ".join(tree.text_of(vertex).split())


def lines_of(tree: Tree, vertex: int, mark: str) -> list[str]:
    """Return a short block as one line; with a mark, the texts of its elements with that mark."""
    if not mark:
        return [line_at(tree, vertex)]
    tag = mark.partition(" ")[0].partition(".")[0]
    return [text for found, text in pieces(tree, vertex, tag) if found == mark]


@remembered
def pieces(tree: Tree, vertex: int, tag: str) -> list[tuple[str, str]]:
    """Return mark and text of the innermost elements of a short block, of one tag or all.

    >>> from flong.tree import build_tree
    >>> pieces(build_tree("<p>By <a href=/author/ann/>Ann</a>, <b class=x>3 May</b></p>"), 1, "")
    [('a /author', 'Ann'), ('b.x', '3 May')]
    """
    line = line_at(tree, vertex)
    start = int(tree.tag_start[vertex])
    if not line or start < 0:
        return []
    end = tree.tag_from(vertex + int(tree.size[vertex]))
    found = _PIECE.finditer(tree.source.data, start + 1, min(end, start + _AROUND))
    own = tag.encode()
    said = [
        (mark_of(one[1], one[2]), " ".join(unescape(one[3].decode()).split()))
        for one in found
        if one[1] == own or not tag
    ]
    return [(mark, text) for mark, text in said if text and text in line]


@cached_if_short(KEPT)
def mark_of(tag: bytes, attributes: bytes) -> str:
    """Return the mark of an inline element: its tag with a property, a class or the linked folder.

    >>> mark_of(b"a", b' class="url fn" rel="author"'), mark_of(b"a", b' href="/people/ann"')
    ('a.author', 'a /people')
    >>> mark_of(b"a", b' href="writer_id=7.html"')
    'a writer_id'
    """
    said = {key.decode(): unescape(value.decode()) for key, value in _ATTRIBUTE.findall(attributes)}
    name = tag.decode()
    tokens = " ".join(said.get(key, "") for key in ("itemprop", "rel", "class")).split()
    folder = _FILE.sub("", said.get("href", "")).rpartition("/")[0]
    key = _KEY.match(said.get("href", "")) if not folder else None
    folder = key[1] if key else folder
    telling = [f"{name}.{token}" for token in tokens] + [f"{name} {folder}"] * bool(folder)
    return next(filter(NAMED.search, telling), telling[0] if telling else name)
