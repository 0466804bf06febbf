"""Commands, links and tests named in the documents exist."""

import re
from pathlib import Path

import pytest

from flong.crawler import settings
from flong.storage import Store
from flong.storage.database import Repository

ROOT = Path(__file__).parents[1]
COMMANDS = sorted(
    path.stem for path in (ROOT / "flong" / "commands").glob("*.py") if path.stem != "__init__"
)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_heading(command):
    headings = re.findall(r"^## (.+)$", (ROOT / "docs/commands.md").read_text(), re.MULTILINE)
    assert command in {name for heading in headings for name in heading.split(", ")}


@pytest.mark.parametrize("document", sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]))
def test_every_link_to_a_file_resolves(document):
    prose = re.sub(r"```.*?```|`[^`]*`", "", document.read_text(), flags=re.DOTALL)
    links = re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", prose)
    assert [link for link in links if not (document.parent / link).exists()] == []


def test_readme_names_only_existing_commands():
    named = set(re.findall(r"^flong (\w+)", (ROOT / "README.md").read_text(), re.MULTILINE))
    assert named
    assert named <= set(COMMANDS)


def test_every_fault_has_a_test_that_exists():
    document, path = (ROOT / "docs/reliability.md").read_text(), ""
    named = re.findall(r"`(tests/\S+?\.py)?(?:::(\w+))?`(?!\w)", document)
    assert len(named) > 100
    for file, name in named:
        path = file or path  # a `::name` without a file follows one with its file
        assert (ROOT / path).exists(), path
        assert not name or f"def {name}(" in (ROOT / path).read_text(), f"{path}::{name}"


def test_every_store_attribute_is_in_the_table():
    named = set(re.findall(r"`store\.(\w+)`", (ROOT / "docs/architecture.md").read_text()))
    with Store.open("sqlite://") as store:
        assert named == {name for name, each in vars(store).items() if isinstance(each, Repository)}


def test_readme_gives_the_time_for_1000_pages():
    minutes = 1000 * settings.DOWNLOAD_DELAY / 60
    said = re.search(r"1,000 pages take about (\d+) minutes", (ROOT / "README.md").read_text())
    assert said
    assert minutes <= int(said[1]) < minutes + 5
