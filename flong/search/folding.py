"""Folding: map all spellings of a text to one form.

Most characters fold independently of their neighbours, so a table of the basic plane handles most
texts in one lookup per character. That is twenty times faster than the Unicode functions that fill
the table. Characters that combine with neighbours (as in Hindi and Thai) use those functions.
"""

import re
import unicodedata
from functools import cache
from itertools import chain, pairwise
from typing import Any

# Optional diacritics. Indic marks are not among them: they are vowels.
MARKS = (
    "\u0300-\u036f\u0483-\u0487\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # Hebrew
    "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed"  # Arabic
)
INVISIBLE = "\u00ad\u200b\u200d\u2060\ufe00-\ufe0f\ufeff"
QUOTES = "\u00a0\u2010-\u201f\u2022\u2026\u20ac"
"""Non-ASCII punctuation common in English texts, as ranges: quotes, dashes, bullets."""
EMOJI = "\U0001f300-\U0001f64f\U0001f680-\U0001faff"
_DROPPED = re.compile(f"[{MARKS}{INVISIBLE}]+")
_DIGIT = re.compile(r"[^\D0-9]")
# Letters that Unicode does not decompose, and Arabic letters with Persian variants.
_LETTERS = dict(
    zip("\u0131øłđðħŧ\u064a\u0649\u0643\u0629", "iolddht\u06cc\u06cc\u06a9\u0647", strict=True),
    æ="ae",
    œ="oe",
    þ="th",
)
_ODD_LETTER = re.compile(f"[{''.join(_LETTERS)}]")
_QUOTES = re.compile(f"[{QUOTES}]+")
_EMOJI = re.compile(f"[{EMOJI}]")

_PLANE = 0x10000
_PRIVATE = 0xE000
"""First private-use character: in the table, these represent multi-character foldings."""
_AS_SEVERAL = re.compile("[\ue000-\uf8ff]")
_AS_THEY_ARE = ((0x3400, 0x4DC0), (0x4E00, 0xA000), (0xAC00, 0xD7A4))
"""Ranges of Chinese characters and Korean syllables, which fold to themselves."""
_JOINS = 0xFFFF
"""Table value for combining characters and for halves of surrogate pairs."""


def fold(text: str) -> str:
    """Return the text in the form that all its spellings share; its terms are substrings of it.

    >>> fold("Łódź, STRASSE, ﬁn"), fold("Straße")
    ('lodz, strasse, fin', 'strasse')
    """
    if text.isascii():
        return text.lower()
    import numpy as np  # noqa: PLC0415 - a night with nothing new does not wait for it

    table, several = _table()
    data = text.encode("utf-16-le", "surrogatepass")
    if len(data) > 2 * len(text):
        data = _EMOJI.sub(" ", text).encode("utf-16-le", "surrogatepass")
    folded = table.take(np.frombuffer(data, np.dtype("<u2")))
    highest = int(folded.max(initial=0))
    if highest == _JOINS:
        return fold_by_unicode(text)
    if not folded.all():
        folded = folded[folded != 0]
    done: str = folded.tobytes().decode("utf-16-le")
    if highest < _PRIVATE:
        return done
    return _AS_SEVERAL.sub(lambda one: several[ord(one[0]) - _PRIVATE], done)


def fold_by_unicode(text: str) -> str:
    """Return the same as `fold`, using only Unicode functions. Slow."""
    text = unicodedata.normalize("NFKD", _QUOTES.sub(" ", text)).casefold()
    text = _ODD_LETTER.sub(lambda letter: _LETTERS[letter[0]], _DROPPED.sub("", text))
    text = _DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), text)
    return unicodedata.normalize("NFC", text)


@cache
def _table() -> tuple[Any, list[str]]:
    """Return the folding of each character of the basic plane, and the multi-character foldings.

    The array contains 0 for characters that are dropped.
    """
    import numpy as np  # noqa: PLC0415 - as above

    several: list[str] = []
    table = np.full(_PLANE, _JOINS, "<u2")
    table[:0x80] = np.frombuffer(bytes(range(0x80)).lower(), np.uint8)
    for first, end in _AS_THEY_ARE:
        table[first:end] = np.arange(first, end)
    table[_PRIVATE:0xF900] = ord(" ")  # not letters; used as placeholders
    known = [(0, 0x80), *_AS_THEY_ARE, (0xD800, 0xF900), (_PLANE, _PLANE)]
    codes = list(chain.from_iterable(range(a, b) for (_, a), (b, _) in pairwise(known)))
    # Newlines keep characters from combining with their neighbours.
    forms = fold_by_unicode("\n".join(map(chr, codes))).split("\n")
    for code, form in zip(codes, forms, strict=True):
        if any(unicodedata.category(c)[0] == "M" or "\u1100" <= c <= "\u11ff" for c in form):
            continue
        if len(form) > 1 or form >= chr(_PLANE):
            several.append(form)
            form = chr(_PRIVATE + len(several) - 1)  # noqa: PLW2901 - its placeholder
        table[code] = ord(form or "\0")
    return table, several
