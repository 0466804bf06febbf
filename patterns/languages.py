"""Language of a text: by script or by its most common words, else by `py3langid`.

The latter takes as long as parsing a small page, so it is only used where the others leave doubt.
"""

import re

_ENOUGH = 80
"""Minimum characters of a text whose language is guessed."""
_PLENTY = 300
"""Maximum characters examined; more do not help."""
_OWN = {"ja": "\u3040-\u30ff", "ko": "\uac00-\ud7af", "th": "\u0e00-\u0e7f", "el": "\u0370-\u03ff"}
"""Scripts of one language only."""
_RUSSIAN, _LIKE_RUSSIAN = (
    re.compile("[ыэЫЭ]"),
    re.compile("[\u0400\u0402-\u040f\u0450\u0452-\u052f]"),
)
"""Letters missing in Bulgarian, Ukrainian and Serbian, and letters missing in Russian."""
_SCRIPTS = {language: re.compile(f"[{script}]") for language, script in _OWN.items()}
_OF_SCRIPTS = re.compile(f"[{''.join(_OWN.values())}]")
_WORDS = {
    "en": "the of and that with were this from have has which their they would been are his who",
    "de": "und das ist nicht mit sich auch werden wird wurde eine einen einer auf für nach",
    "fr": "les des dans une pour qui sur avec est sont cette mais nous aux ont leur et du au ses",
    "fa": "که این را است برای در به از با آن شده شد کرد",
}
_LANGUAGES = {word: language for language, said in _WORDS.items() for word in said.split()}
"""Words that are common in a language and rare in similar ones."""
_LEAST, _DIFFERENT = 5, 3
"""Minimum number of words of a language, and of different ones."""
_MANY, _FEW = 10, 1 / 10
"""Number of words that makes up for a quarter of the text without any; maximum fraction of words of
other languages, which are names and quotations."""


def guess_language(text: str) -> str | None:
    """Return the ISO 639-1 code of the most likely language of a text.

    >>> guess_language("It rained all day, and nobody in the whole town wanted to go out. " * 2)
    'en'
    >>> guess_language("Rain")
    """
    if len(text) < _ENOUGH:
        return None
    certain = _by_script(text[:_PLENTY]) or _by_words(text[: 2 * _PLENTY])
    if certain is not None:
        return certain
    from py3langid.langid import classify  # noqa: PLC0415 - its model takes a second to load

    return str(classify(text[:_PLENTY])[0])


def _by_script(text: str) -> str | None:
    """Return the language if half of a text is in a script of its own, else None.

    A quarter is enough for Japanese, where the rest may be Chinese characters.
    """
    if text.isascii():
        return None
    for language, script in _SCRIPTS.items() if _OF_SCRIPTS.search(text) else ():
        share = len(script.findall(text)) / len(text)
        if share >= (1 / 4 if language == "ja" else 1 / 2):
            return language
    is_russian = len(_RUSSIAN.findall(text)) >= _DIFFERENT and not _LIKE_RUSSIAN.search(text)
    return "ru" if is_russian else None


def _by_words(text: str) -> str | None:
    """Return the language of a text with many of its words, and hardly any of another's.

    They must be in each quarter of the text, or in three quarters if there are `_MANY`: a title in
    another language is not enough.
    """
    words = text.lower().split()
    places = [at for at, word in enumerate(words) if word in _LANGUAGES]
    if len(places) < _LEAST:
        return None
    languages = [_LANGUAGES[words[at]] for at in places]
    language = max({*languages}, key=languages.count)
    own = [at for at in places if _LANGUAGES[words[at]] == language]
    quarters = {4 * at // len(words) for at in own}
    is_alone = len(places) - len(own) <= _FEW * len(own)
    is_throughout = len(quarters) == 4 or (len(quarters) == 3 and len(own) >= _MANY)
    is_varied = len({words[at] for at in own}) >= _DIFFERENT
    return language if len(own) >= _LEAST and is_alone and is_throughout and is_varied else None
