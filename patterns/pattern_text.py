"""Pattern as text for people, which can be read back exactly.

One vertex per line, indented by its depth: `tag.class.class`, a constant text in quotes (with its
hash if it is cut), or a wildcard `. + ? *`; then, after ` ; `, an optional note. Names with unusual
characters are in quotes. A class whose name is not known is its hash.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from flong.patterns.pattern import PLAIN, Pattern, PatternBuilder
from flong.tree import TEXT, stable_hash

Notes = Mapping[int, str]
"""A note for each of some vertices."""

_NAME = re.compile(r"[A-Za-z0-9_-]+")
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_CLASS = re.compile(rf"\.([A-Za-z0-9_-]+|{_QUOTED}|#[0-9a-f]{{16}})")
_LINE = re.compile(
    rf"(?:(?P<wildcard>[.+?*])"
    rf"|text (?P<text>{_QUOTED})(?:#(?P<hash>[0-9a-f]{{16}}))?"
    rf"|(?P<tag>[A-Za-z0-9_-]+|{_QUOTED})(?P<classes>(?:\.(?:[A-Za-z0-9_-]+|{_QUOTED}|#[0-9a-f]{{16}}))*))"
    rf"(?: ; (?P<note>.*))?"
)


def write_text(pattern: Pattern, notes: Notes | None = None) -> str:
    """Return the pattern as lines of text, with notes beside some vertices.

    >>> from flong.patterns.compose import compose
    >>> from flong.patterns.pattern import pattern_of
    >>> from flong.tree import build_tree
    >>> one, two = (build_tree(f"<h1 class=big>{t}</h1><p>by us</p>") for t in "AB")
    >>> print(write_text(compose(pattern_of(one), pattern_of(two)), {2: "role=title"}), end="")
    body
      h1.big
        . ; role=title
      p
        text "by us"
    """
    notes = notes or {}
    lines = []
    for v, depth in enumerate(_depths(pattern)):
        note = " ".join(notes.get(v, "").split())
        lines.append("  " * depth + _label(pattern, v) + (f" ; {note}" if note else "") + "\n")
    return "".join(lines)


def read_text(text: str) -> tuple[Pattern, dict[int, str]]:
    r"""Return the pattern and the notes in a text; ValueError names an invalid line.

    >>> pattern, notes = read_text('body\n  h1\n    . ; role=title\n')
    >>> len(pattern), pattern.name(2), notes
    (3, '.', {2: 'role=title'})
    """
    rows, notes = PatternBuilder(), {}
    for v, line in enumerate(text.removesuffix("\n").split("\n")):
        label = line.lstrip(" ")
        depth, odd = divmod(len(line) - len(label), 2)
        found = _read_line(label)
        if found is None or odd:
            raise ValueError(f"line {v + 1} is not a vertex of a pattern: {line!r}")
        if found.wildcard:
            rows.wildcard(depth, found.wildcard)
        elif found.tag:
            rows.element(depth, found.tag, found.classes)
        else:
            rows.text(depth, found.text, found.text_hash)
        if found.note:
            notes[v] = found.note
    return rows.pattern(), notes


class _Line(NamedTuple):
    """A vertex of a pattern: a wildcard, an element or, without either, a text."""

    wildcard: str = ""
    tag: str = ""
    classes: tuple[str | int, ...] = ()
    text: str = ""
    text_hash: int = 0
    note: str = ""


@lru_cache(maxsize=10_000)  # the patterns of a site have most of their lines in common
def _read_line(line: str) -> _Line | None:
    """Return the vertex in a line without its indent, or None."""
    found = _LINE.fullmatch(line)
    if found is None:
        return None
    note = found["note"] or ""
    if found["wildcard"]:
        return _Line(wildcard=found["wildcard"], note=note)
    if found["text"]:
        shown = json.loads(found["text"])
        digest = _unhex(found["hash"]) if found["hash"] else stable_hash(shown.encode())
        return _Line(text=shown, text_hash=digest, note=note)
    classes = tuple(map(_read_class, _CLASS.findall(found["classes"])))
    return _Line(tag=_read_name(found["tag"]), classes=classes, note=note)


def _depths(pattern: Pattern) -> Iterator[int]:
    depths: list[int] = []
    for parent in pattern.parent.tolist():
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
        yield depths[-1]


def _label(pattern: Pattern, v: int) -> str:
    """Return the text of a vertex without its indent."""
    if pattern.kind[v] != PLAIN:
        return pattern.name(v)
    if pattern.tag[v] == TEXT:
        text_hash = int(pattern.text_hash[v])
        shown = pattern.texts.get(text_hash, "")
        whole = stable_hash(shown.encode()) == text_hash
        return f"text {_quoted(shown)}" + ("" if whole else f"#{_hex(text_hash)}")
    classes = [
        _name(pattern.names[h]) if h in pattern.names else f"#{_hex(h)}" for h in pattern.classes(v)
    ]
    return ".".join([_name(pattern.name(v)), *classes])


def _name(name: str) -> str:
    return name if _NAME.fullmatch(name) else _quoted(name)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _read_name(name: str) -> str:
    return str(json.loads(name)) if name.startswith('"') else name


def _read_class(token: str) -> str | int:
    return _unhex(token[1:]) if token.startswith("#") else _read_name(token)


def _hex(value: int) -> str:
    return f"{value & 0xFFFFFFFFFFFFFFFF:016x}"


def _unhex(digits: str) -> int:
    value = int(digits, 16)
    return value - (1 << 64) if value >> 63 else value
