"""A pattern as text for people, to be read back exactly.

It has one vertex a line, indented by its depth: `tag.class.class`, a constant text in quotes
(with its hash where it is cut), or a wildcard `. + ? *`; then, after ` ; `, a note if there is
one. A name of unusual characters is in quotes, a class whose name is not known is its hash.
"""

import json
import re
from collections.abc import Iterator, Mapping

from flong.patterns.pattern import PLAIN, Pattern, PatternBuilder
from flong.tree import TEXT, stable_hash

Notes = Mapping[int, str]
"""A note for each of some vertices."""

_NAME = re.compile(r"[A-Za-z0-9_-]+")
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_CLASS = re.compile(rf"\.([A-Za-z0-9_-]+|{_QUOTED}|#[0-9a-f]{{16}})")
_LINE = re.compile(
    rf"(?P<indent>(?:  )*)"
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
    r"""Return the pattern and the notes that a text holds; ValueError names a line that is wrong.

    >>> pattern, notes = read_text('body\n  h1\n    . ; role=title\n')
    >>> len(pattern), pattern.name(2), notes
    (3, '.', {2: 'role=title'})
    """
    rows, notes = PatternBuilder(), {}
    for v, line in enumerate(text.removesuffix("\n").split("\n")):
        found = _LINE.fullmatch(line)
        if found is None:
            raise ValueError(f"line {v + 1} is no vertex of a pattern: {line!r}")
        depth = len(found["indent"]) // 2
        if found["wildcard"]:
            rows.wildcard(depth, found["wildcard"])
        elif found["text"]:
            shown = json.loads(found["text"])
            digest = _unhex(found["hash"]) if found["hash"] else stable_hash(shown.encode())
            rows.text(depth, shown, digest)
        else:
            rows.element(
                depth, _read_name(found["tag"]), map(_read_class, _CLASS.findall(found["classes"]))
            )
        if found["note"]:
            notes[v] = found["note"]
    return rows.pattern(), notes


def _depths(pattern: Pattern) -> Iterator[int]:
    depths: list[int] = []
    for parent in pattern.parent.tolist():
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
        yield depths[-1]


def _label(pattern: Pattern, v: int) -> str:
    """Return a vertex as it stands in its line."""
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
