"""Newspaper: search results as a PDF. Needs the extra `pdf`.

Article text is passed to the typesetter as data, never as source. Nothing is fetched.
"""

import json
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from flong.errors import PipelineError
from flong.storage.search import Result

TEMPLATE = Path(__file__).with_name("newspaper.typ")
SCRIPTS = (
    (
        "Chinese, Japanese or Korean",
        "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3",
        "CJK",
        "fonts-noto-cjk",
    ),
    ("Thai", "\u0e00-\u0e7f", "Thai", "fonts-noto-core"),
    ("Indic", "\u0900-\u0dff", "Devanagari|Bengali|Tamil", "fonts-noto-core"),
    ("Arabic or Persian", "\u0600-\u06ff", "Arabic|DejaVu Sans", "fonts-dejavu-core"),
    ("Hebrew", "\u0590-\u05ff", "Hebrew|DejaVu Sans", "fonts-dejavu-core"),
)
"""Scripts missing from the built-in fonts: name, characters, fonts that have them, package."""


def typeset(title: str, subtitle: str, results: Sequence[Result]) -> tuple[bytes, list[str]]:
    """Return the newspaper as PDF, and warnings about missing fonts."""
    typst, paper = _typesetter(), _paper(title, subtitle, results)
    made = typst.compile(TEMPLATE.read_bytes(), format="pdf", sys_inputs=paper, timestamp=0)
    if not isinstance(made, bytes):
        raise PipelineError("The newspaper could not be typeset.")
    return made, missing_fonts(paper["paper"], typst.Fonts().families())


def typeset_picture(title: str, subtitle: str, results: Sequence[Result], ppi: float) -> bytes:
    """Return the front page as PNG with `ppi` pixels per inch."""
    typst, paper = _typesetter(), _paper(title, subtitle, results)
    pages = typst.compile(
        TEMPLATE.read_bytes(), format="png", sys_inputs=paper, timestamp=0, ppi=ppi
    )
    return bytes(pages[0] if isinstance(pages, list) else pages)


def _typesetter() -> Any:
    try:
        import typst  # noqa: PLC0415 - large, and an extra
    except ModuleNotFoundError as error:
        raise PipelineError("A newspaper needs typst. Run: pip install 'flong[pdf]'") from error
    return typst


def _paper(title: str, subtitle: str, results: Sequence[Result]) -> dict[str, str]:
    articles = [_article(number, result) for number, result in enumerate(results, 1)]
    paper = {"title": title, "subtitle": subtitle, "contents": "Contents", "articles": articles}
    # Words of a command line that are not UTF-8 have halves of surrogate pairs in them.
    return {"paper": json.dumps(paper, ensure_ascii=False).encode("utf-8", "replace").decode()}


def missing_fonts(text: str, families: Iterable[str]) -> list[str]:
    """Return a warning for each script in the text that no font family covers.

    >>> missing_fonts("日本", ["DejaVu Sans"])
    ['No font has Chinese, Japanese or Korean letters: install fonts-noto-cjk.']
    >>> missing_fonts("日本", ["Noto Serif CJK JP"]), missing_fonts("rain", [])
    ([], [])
    """
    installed = "\n".join(families)
    return [
        f"No font has {name} letters: install {package}."
        for name, letters, fonts, package in SCRIPTS
        if re.search(f"[{letters}]", text) and not re.search(fonts, installed)
    ]


def _article(number: int, result: Result) -> dict[str, Any]:
    article = result.row.article
    return {
        "number": number,
        "title": article.title or article.url,
        "site": result.row.site,
        "time": result.row.dated,
        "authors": ", ".join(article.authors),
        "url": article.url,
        "language": article.language or "en",
        "summary": " ".join(str(excerpt) for excerpt in result.excerpts),
        "paragraphs": [line for line in article.body.split("\n") if line.strip()],
        "copies": [
            f"also in {copy.site}, {_time(copy.dated)}, {copy.shared:.0%} shared"
            for copy in result.copies
        ],
    }


def _time(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M}"
