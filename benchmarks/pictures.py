"""Write the drawings of the documentation as SVG: `python -m benchmarks.pictures`."""

import argparse
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from sqlalchemy import MetaData, Table

from flong.patterns import compose, pattern_of, write_text
from flong.storage import tables
from flong.tree import build_tree

FOLDER = Path(__file__).parents[1] / "docs" / "figures"
STYLE = (
    "text{font:14px sans-serif;fill:#222}.small{font-size:12px;fill:#555}"
    ".code{font:12px monospace;white-space:pre}.box{fill:#f4f6fa;stroke:#4a5a78}"
    ".arrow{stroke:#4a5a78;fill:none;marker-end:url(#head)}.back{fill:#fff}"
)
HEAD = (
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
    'markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#4a5a78"/></marker></defs>'
)
PAGES = (
    '<h1>Rain floods Harbour Street</h1>\n<p class="by">By Ann Lee</p>\n<div class="text">\n'
    "  <p>The street was closed.</p>\n  <p>It reopens today.</p>\n</div>\n"
    "<footer>Lanthorn Courier</footer>",
    '<h1>New bus for Chandlers End</h1>\n<p class="by">By Bo Kim</p>\n<div class="text">\n'
    "  <p>The council agreed.</p>\n</div>\n<footer>Lanthorn Courier</footer>",
)
"""Two pages of one template, made up."""
LONGEST_COLUMN = 950
"""Maximum height of a column of the schema, in points."""


def draw_all() -> dict[str, str]:
    """Return the drawings by file name."""
    return {
        "url-to-article.svg": _chain(
            ("crawl", "pages to depth 3"),
            ("store", "compressed HTML"),
            ("cluster", "pages by template"),
            ("compose", "one pattern each"),
            ("label", "title, body, date"),
            ("extract", "articles with sources"),
        ),
        "week.svg": _chain(
            ("night 1", "learned, extracted"),
            ("night 2", "3 new, 1 edited, 1 gone"),
            ("night 3", "redesign, relearned"),
            ("night 4", "quiet"),
            ("night 5", "consent wall, ignored"),
        ),
        "fleet.svg": _chain(
            ("fleet night", "queues each site once"),
            ("PostgreSQL", "data, queue, locks"),
            ("fleet work", "workers on many machines"),
            ("jobs", "one process per site"),
            ("report", "once per night"),
        ),
        "pattern.svg": _draw_pattern(),
        "schema.svg": _draw_schema(tables.metadata),
    }


def _chain(*steps: tuple[str, str]) -> str:
    """Draw boxes from left to right, with arrows between them."""
    width, gap, parts = 170, 26, []
    for at, (name, note) in enumerate(steps):
        x = 10 + at * (width + gap)
        parts += [_box(x, 10, width, 62), _text(x + 12, 36, name), _text(x + 12, 58, note, "small")]
        if at:
            parts.append(f'<path class="arrow" d="M{x - gap} 41H{x - 2}"/>')
    return _svg(len(steps) * (width + gap) - gap + 20, 82, parts)


def _draw_pattern() -> str:
    """Draw two pages beside the pattern composed from them."""
    one, two = (pattern_of(build_tree(html)) for html in PAGES)
    columns = [("page 1", PAGES[0]), ("page 2", PAGES[1])]
    columns.append(("their pattern", write_text(compose(one, two))))
    parts = []
    for at, (name, code) in enumerate(columns):
        x = 10 + at * 300
        parts += [_box(x, 10, 285, 250), _text(x + 12, 34, name)]
        parts += [
            _text(x + 12, 58 + 17 * row, line, "code") for row, line in enumerate(code.splitlines())
        ]
    return _svg(905, 270, parts)


def _draw_schema(metadata: MetaData) -> str:
    """Draw each table with its columns and the tables it refers to."""
    parts, x, y, height = [], 10, 10, 0
    for table in metadata.sorted_tables:
        lines = [*_wrap(column.name for column in table.columns), *_targets(table)]
        tall = 30 + 16 * len(lines)
        if y + tall > LONGEST_COLUMN:
            x, y = x + 300, 10
        parts += [_box(x, y, 285, tall), _text(x + 10, y + 20, table.name)]
        for row, line in enumerate(lines):
            parts.append(_text(x + 10, y + 38 + 16 * row, line, "small"))
        y += tall + 12
        height = max(height, y)
    return _svg(x + 295, height, parts)


def _targets(table: Table) -> Sequence[str]:
    """Return a line for each table that foreign keys refer to."""
    found = {key.target_fullname.partition(".")[0] for key in table.foreign_keys}
    return [f"→ {name}" for name in sorted(found - {table.name})]


def _wrap(names: Iterable[str], width: int = 40) -> list[str]:
    lines = [""]
    for name in names:
        if len(lines[-1]) + len(name) > width:
            lines.append("")
        lines[-1] += f"{name}  "
    return [line.rstrip() for line in lines]


def _box(x: int, y: int, width: int, height: int) -> str:
    return f'<rect class="box" x="{x}" y="{y}" width="{width}" height="{height}" rx="5"/>'


def _text(x: int, y: int, words: str, kind: str = "") -> str:
    name = f' class="{kind}"' if kind else ""
    return f'<text{name} x="{x}" y="{y}" xml:space="preserve">{escape(words)}</text>'


def _svg(width: int, height: int, parts: Iterable[str]) -> str:
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}"><style>{STYLE}</style>{HEAD}\n'
        f'<rect class="back" width="{width}" height="{height}"/>\n{body}\n</svg>\n'
    )


def main() -> None:
    """Write all drawings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.parse_args()
    for name, text in draw_all().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
