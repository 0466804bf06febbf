"""The documentation site."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("zensical")

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"\]\((\w[\w-]*\.md)")


def build(folder):
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=folder)


def test_docs_site_has_no_broken_or_external_resource(tmp_path):
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    done = build(tmp_path)
    assert done.returncode == 0, done.stderr
    pages = list((tmp_path / "build" / "docs").glob("*.html"))
    assert {page.stem for page in pages} >= {page.stem for page in ROOT.glob("docs/*.md")}
    foreign = re.compile(r"""<(?:link|script|img|iframe)\b[^>]*(?:src|href)=["']?(?:https?:)?//""")
    assert [page.name for page in pages if foreign.search(page.read_text())] == []


@pytest.mark.parametrize("link", ["#nowhere", "missing.md"])
def test_a_broken_link_is_found(tmp_path, link):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text(f"[there]({link})")
    config = (ROOT / "mkdocs.yml").read_text().partition("nav:\n  - Start")[0]
    (tmp_path / "mkdocs.yml").write_text(config)
    assert build(tmp_path).returncode != 0


def test_every_page_is_reachable_from_the_start_page_and_in_the_menu():
    pages = {page.name for page in ROOT.glob("docs/*.md")}
    found, waiting = set(), ["index.md"]
    while waiting:
        page = waiting.pop()
        found.add(page)
        links = LINK.findall((ROOT / "docs" / page).read_text())
        waiting += [link for link in links if link not in found]
    assert found == pages
    assert set(re.findall(r"[\w-]+\.md", (ROOT / "mkdocs.yml").read_text())) == pages
