"""The demo portal as a site of the corpus, with its truth."""

import json
from pathlib import Path

from benchmarks.corpus import CorpusSite
from flong.demo import Portal
from flong.demo.portal import Truth

ARTICLES = 120
"""Number of stories on the portal."""


def write_demo(folder: Path, portal: Portal | None = None) -> CorpusSite:
    """Write the pages of a demo portal in the layout of the corpus."""
    portal = portal or Portal(articles=ARTICLES)
    target = folder / "Demo"
    truth, other = [], []
    for true in portal.truth():
        html = portal.get(true.path).text
        file = _write(target, true.path, html)
        truth.append(json.dumps(_row(file, true, html)))
        for number in range(2, true.pages + 1):
            _write(
                target, f"{true.path}/page/{number}", portal.get(f"{true.path}/page/{number}").text
            )
    plain = [path for path in portal.others() if "?" not in path]
    other += [_write(target, path, portal.get(path).text) for path in plain]
    (target / "truth.jsonl").write_text("\n".join(truth) + "\n")
    (target / "other.txt").write_text("\n".join(other) + "\n")
    (target / "site.json").write_text('{"hosts": ["courier.example"]}')
    return CorpusSite(target)


def _write(target: Path, path: str, html: str) -> str:
    file = f"{path.strip('/')}/index.html".lstrip("/")
    place = target / "www" / file
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(html)
    return file


def _pictures(true: Truth) -> list[str]:
    """Return the names of the first picture, in previews and on the page."""
    name = true.picture.rpartition("/")[2]
    return [name.replace(".svg", ".png"), name]


def _row(file: str, true: Truth, html: str) -> dict[str, object]:
    """Return the row of an article in the corpus, with the fields that its page has."""
    return {
        "path": file,
        "title": true.title,
        "body": true.body,
        "date": true.published.replace(tzinfo=None).isoformat(),
        "author": true.author,
        "description": true.description if true.description in html else None,
        "section": true.section,
        "tags": [true.tag, true.section],
        "image": next((name for name in _pictures(true) if f"/{name}" in html), None),
        "blocks": [each for each in true.blocks if each[0] != "figure" or true.kind != "gallery"],
    }
