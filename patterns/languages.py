"""The language of a text, guessed where its page does not say."""

_ENOUGH = 80
"""Characters that a text must have: less says little."""
_PLENTY = 600
"""Characters that are looked at: more take time and tell no more."""


def guess_language(text: str) -> str | None:
    """Return the ISO 639-1 code of the language that a text is most likely written in.

    >>> guess_language("It rained all day, and nobody in the whole town wanted to go out. " * 2)
    'en'
    >>> guess_language("Rain")
    """
    if len(text) < _ENOUGH:
        return None
    from py3langid.langid import classify  # noqa: PLC0415 - its model takes a second to load

    return str(classify(text[:_PLENTY])[0])
