"""A pattern as columns of plain values: quick to read back, not for people to read.

A site may have hundreds of patterns, all of which are read whenever it is extracted.
"""

from typing import Any

import numpy as np

from flong.patterns.pattern import SYMBOLS, WILDCARD, Hashes, Ints, Pattern, hash_of
from flong.tree import tag_name, tag_number


def encode_pattern(pattern: Pattern) -> dict[str, Any]:
    r"""Return a pattern as values that JSON can hold.

    >>> from flong.patterns import read_text
    >>> columns = encode_pattern(read_text("body\n  h1.big\n    .\n  *")[0])
    >>> columns["kind"], columns["tags"], columns["tag"], columns["parent"], columns["names"]
    ('  .*', ['body', 'h1'], [0, 1, -1, -1], [-1, 0, 1, 0], ['big'])
    """
    tags = [number for number in np.unique(pattern.tag).tolist() if number != WILDCARD]
    position = {WILDCARD: WILDCARD, **{number: at for at, number in enumerate(tags)}}
    return {
        "kind": "".join(SYMBOLS[kind] for kind in pattern.kind.tolist()),
        "tags": [tag_name(number) for number in tags],
        "tag": [position[number] for number in pattern.tag.tolist()],
        "parent": pattern.parent.tolist(),
        "classes": np.diff(pattern.class_start).tolist(),
        "class_hash": to_hex(pattern.class_hash),
        "names": list(pattern.names.values()),
        "text_hash": to_hex(pattern.text_hash),
        "texts": [pattern.texts.get(text, "") for text in _texts(pattern.text_hash)],
    }


def decode_pattern(data: dict[str, Any]) -> Pattern:
    r"""Return the pattern that `encode_pattern` wrote.

    >>> from flong.patterns import read_text, write_text
    >>> text = 'body.home\n  text "Home"\n  +\n'
    >>> write_text(decode_pattern(encode_pattern(read_text(text)[0]))) == text
    True
    """
    tags = np.array([*map(tag_number, data["tags"]), WILDCARD], np.int32)
    text_hash = from_hex(data["text_hash"])
    return Pattern(
        kind=np.array([SYMBOLS.index(symbol) for symbol in data["kind"]], np.int8),
        tag=tags[data["tag"]],
        parent=np.array(data["parent"], np.int32),
        size=_sizes(data["parent"]),
        class_start=np.cumsum([0, *data["classes"]], dtype=np.int32),
        class_hash=from_hex(data["class_hash"]),
        text_hash=text_hash,
        names={hash_of(name): name for name in data["names"]},
        texts=dict(zip(_texts(text_hash), data["texts"], strict=True)),
    )


def _texts(text_hash: Hashes) -> list[int]:
    """Return the hashes of the constant texts, each once."""
    texts: list[int] = np.unique(text_hash[text_hash != 0]).tolist()
    return texts


def _sizes(parents: list[int]) -> Ints:
    """Return the number of vertices of each sub-tree."""
    sizes = [1] * len(parents)
    for vertex in range(len(parents) - 1, 0, -1):
        sizes[parents[vertex]] += sizes[vertex]
    return np.array(sizes, np.int32)


def to_hex(hashes: Hashes) -> str:
    """Return hashes as one line of hexadecimal digits, sixteen for each.

    >>> to_hex(np.array([1, -1]))
    '0000000000000001ffffffffffffffff'
    """
    return hashes.astype(">i8").tobytes().hex()


def from_hex(digits: str) -> Hashes:
    """Return the hashes that `to_hex` wrote.

    >>> from_hex("0000000000000001ffffffffffffffff").tolist()
    [1, -1]
    """
    return np.frombuffer(bytes.fromhex(digits), dtype=">i8").astype(np.int64)
