"""Words, counted and compared the same way everywhere."""

import re
import unicodedata

# Scripts that are written without spaces: each character stands for a word.
_WORD = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")


def words(text: str) -> list[str]:
    """Return the words of a text, in order, without case and punctuation.

    >>> words("Don't panic, Zürich!")
    ['don', 't', 'panic', 'zürich']
    >>> words("東京 2024")
    ['東', '京', '2024']
    """
    return _WORD.findall(unicodedata.normalize("NFKC", text).lower())


def word_count(text: str) -> int:
    """Return how many words a text has; a CJK or Thai character counts as one.

    >>> word_count("two words"), word_count("東京"), word_count("...")
    (2, 2, 0)
    """
    return len(words(text))


def fold_text(text: str) -> str:
    """Return the text reduced to its words, so that two spellings of one title are equal.

    >>> fold_text("  The END - of it. ")
    'the end of it'
    """
    return " ".join(words(text))
