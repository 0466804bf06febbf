"""Whether words stand side by side in a text: what an index without positions cannot tell.

`stands_in` says exactly what comparing the index terms would say. It looks at the folded text where
folding is quick, else at the text as it is written first, and cuts up only what is left.
"""

import re
from functools import lru_cache
from operator import add

from search.terms import CUT, INDIC, PAIRED, QUOTES, Phrase, fold, fold_western, index_terms

# What parts words in every text, whatever stands beside it: folding changes none of it.
_APART = rf"\x00-/:-@\[-`{{-\x7f{QUOTES}"
# In a folded text: all that no term is made of.
_FOLDED_APART = rf"[^\w{PAIRED}{INDIC}]|_"
# Runs that folding leaves alone: Han and kana, unless a mark follows that belongs to the last one.
_PLAIN_RUN = re.compile("[\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff]+")
_PAIRED_RUN = re.compile(f"[{PAIRED}]+")
_MARKS = "\u3099\u309a"
_INDIC_MARK = re.compile(f"[{INDIC}]")


def stands_in(text: str, phrase: Phrase) -> bool:
    """Tell whether the terms of a phrase stand side by side in a text.

    >>> stands_in("The Prime Minister spoke.", Phrase(("prime", "minister")))
    True
    >>> president = Phrase(("大統", "統領"))
    >>> stands_in("大統領が", president), stands_in("大統 統領", president)
    (True, False)
    """
    folded = _folded(phrase)
    western = fold_western(text) if folded else None
    if folded and western is not None:
        return bool(folded.search(western))
    written = _written(phrase)
    if written and written.search(text.casefold()):
        return True
    if folded:
        plain = fold(text)
        if not _INDIC_MARK.search(plain):
            return bool(folded.search(plain))
    end = "" if phrase.is_prefix else " "
    return f" {' '.join(phrase.terms)}{end}" in f" {' '.join(index_terms(text))} "


@lru_cache(maxsize=64)
def _written(phrase: Phrase) -> re.Pattern[str] | None:
    """Return how a phrase is written most often; None if nothing can be said without folding."""
    if any(fold(term) != term for term in phrase.terms):
        return None
    run = _run(phrase)
    if run:
        return re.compile(f"{run}(?![{_MARKS}])") if _PLAIN_RUN.fullmatch(run) else None
    return _side_by_side(phrase, f"[{_APART}]", f"[^{_APART}]")


@lru_cache(maxsize=64)
def _folded(phrase: Phrase) -> re.Pattern[str] | None:
    """Return how a phrase stands in a folded text without Indic marks; None if that varies."""
    run = _run(phrase)
    if run:
        return re.compile(run)
    return _side_by_side(phrase, f"(?:{_FOLDED_APART})", f"[^\\W_{PAIRED}]")


def _run(phrase: Phrase) -> str:
    """Return the run of characters that a phrase of pairs only was made of; else nothing."""
    terms = phrase.terms
    run = terms[0] + "".join(term[-1] for term in terms[1:])
    is_run = _PAIRED_RUN.fullmatch(run) and terms == tuple(map(add, run, run[1:]))
    return run if is_run and not phrase.is_prefix else ""


def _side_by_side(phrase: Phrase, apart: str, letter: str) -> re.Pattern[str] | None:
    """Return words parted by nothing but `apart`, with no `letter` before or behind.

    It begins with a word, not with what stands before it: that is found ten times as fast.
    """
    terms = phrase.terms
    is_odd = any(len(term) >= CUT or re.search(f"[{PAIRED}{INDIC}]", term) for term in terms)
    if phrase.is_prefix or is_odd:
        return None
    first, *others = terms
    words = f"{apart}+".join([f"{first}(?<!{letter}{first})", *others])
    return re.compile(f"{words}(?!{letter})")
