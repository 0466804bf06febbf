"""Rates of the idioms that docs and docstrings must avoid, for the packages rewritten so far."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

FINISHED = (
    "README.md",
    "docs",
    "benchmarks",
    "clustering",
    "crawler",
    "patterns",
    "storage",
    "flong/*.py",
    "flong/baselines",
    "flong/commands",
    "flong/demo",
    "flong/fleet",
    "flong/inspector",
    "flong/recipes",
    "flong/search",
    "flong/stages",
    "flong/tree",
    "flong/visual",
    "flong/workers",
)
"""Files, folders and globs that are checked; complete when it covers all prose outside tests."""

_HEADS = (
    "is was are were it its they he has had may must can other others a the no each page pages "
    "there does do comes goes belongs stands recurs speaks makes holds"
)
_VERBS = "say says said tell tells told speak speaks ask asks asked know knows believe(?:s|d)?"
LIMITS = {
    "headless relative clause": (rf"\b[Ww]hat (?:{_HEADS.replace(' ', '|')})\b", 0.62),
    "leading question word": (r"^(?:What|Which|Whether|Where|Who|Whoever|From which)\b", 0.80),
    "speaking thing": (rf"\b(?:{_VERBS.replace(' ', '|')})\b", 0.94),
    "is none": (r"\b(?:is|are|was|were) none\b", 0.0),
    "so many": (r"\bso (?:many|few|much)\b", 0.04),
    "nobody": (r"\b(?:[Nn]obody|[Ww]hoever|[Nn]one of them)\b", 0.04),
    "of which": (r"\b(?:of|by|with|from|to|in) which\b", 0.66),
    "as before": (r"\b(?:as before|as it is|as they are|at once|likewise|alone)\b", 0.62),
}
"""Pattern and maximum rate per 1,000 words: twice the highest rate in comparable projects."""


def files_of(name: str) -> Iterator[Path]:
    """Yield the documents and modules of a file, folder or glob, without tests and migrations."""
    found: set[Path] = set()
    for place in ROOT.glob(name):
        found |= {place} if place.is_file() else {*place.rglob("*.md"), *place.rglob("*.py")}
    assert found, f"{name} does not exist: remove it from FINISHED"
    for path in sorted(found):
        if not {"tests", "versions"} & set(path.relative_to(ROOT).parts):
            yield path


@cache
def prose_of(path: Path) -> list[tuple[int, str]]:
    """Return line number and text of all prose in a file, without code and doctests."""
    return list(read_prose(path))


def read_prose(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line numbers and texts."""
    source = path.read_text()
    if path.suffix == ".md":
        yield 1, blanked(source, r"(?ms)^```.*?^```|^    .*?$|`[^`]*`")
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            text = str(node.value.value)
            yield node.lineno, blanked(text, r"(?m)^\s*(?:>>>|\.\.\.).*$|`[^`]*`")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("# ")


def blanked(text: str, code: str) -> str:
    """Return a text with all matches of a pattern removed, except for line ends."""
    return re.sub(code, lambda match: " " + "\n" * match[0].count("\n"), text)


def excess(paths: list[Path], pattern: str, limit: float) -> list[str]:
    """Return the places of an idiom if it is more frequent than the limit, else nothing."""
    words, places = 0, []
    for path in paths:
        for line, text in prose_of(path):
            words += len(text.split())
            for match in re.finditer(pattern, text, re.MULTILINE):
                at = line + text.count("\n", 0, match.start())
                places.append(f"{path}:{at}: {match[0]}")
    return places if 1000 * len(places) > limit * words else []


@pytest.mark.parametrize("idiom", LIMITS)
@pytest.mark.parametrize("name", FINISHED)
def test_idioms_are_as_rare_as_in_comparable_projects(name, idiom):
    assert excess(list(files_of(name)), *LIMITS[idiom]) == []


def test_idioms_are_reported_with_file_and_line(tmp_path):
    module = tmp_path / "module.py"
    module.write_text('"""First.\n\nWhat is kept.\n>>> "nobody"\n"""\nx = 1  # what is left\n')
    headless, leading, nobody = (
        excess([module], *LIMITS[idiom])
        for idiom in ("headless relative clause", "leading question word", "nobody")
    )
    assert headless == [f"{module}:3: What is", f"{module}:6: what is"]
    assert (leading, nobody) == ([f"{module}:3: What"], [])


def test_code_blocks_of_documents_are_not_prose(tmp_path):
    document = tmp_path / "page.md"
    document.write_text("# Title\n\n```\nwhat is this\n```\n\nIt knows `what is` there.\n")
    assert excess([document], *LIMITS["headless relative clause"]) == []
    assert excess([document], *LIMITS["speaking thing"]) == [f"{document}:7: knows"]
