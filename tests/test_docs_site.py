"""The documentation as a site."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("material")

ROOT = Path(__file__).parents[1]


def build(config, site):
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "-f",
        str(config),
        "-d",
        str(site),
    ]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(command, check=False, capture_output=True, text=True, env=environment)


def test_no_link_is_broken_and_nothing_comes_from_another_host(tmp_path):
    done = build(ROOT / "mkdocs.yml", tmp_path)
    assert done.returncode == 0, done.stderr
    pages = list(tmp_path.glob("*.html"))
    assert {page.stem for page in pages} > {page.stem for page in ROOT.glob("docs/*.md")} - {
        "index"
    }
    foreign = re.compile(r"""<(?:link|script|img|iframe)\b[^>]*(?:src|href)=["']?(?:https?:)?//""")
    assert [page.name for page in pages if foreign.search(page.read_text())] == []


def test_a_broken_anchor_would_be_found(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("[there](#nowhere)")
    kept = (ROOT / "mkdocs.yml").read_text().partition("nav:\n  - Start")[0]
    (tmp_path / "mkdocs.yml").write_text(kept)
    done = build(tmp_path / "mkdocs.yml", tmp_path / "site")
    assert done.returncode == 1
    assert "#nowhere" in done.stderr
