"""The arrows of docs/architecture.md, checked."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAY_IMPORT = {
    "items": set(),
    "trees": set(),
    "clustering": {"items", "trees"},
    "patterns": {"items", "trees"},
    "extractors": {"items", "trees"},
    "storage": {"items"},
    "crawler": {"items", "storage"},
    "demo": {"items"},
    "inspector": {"items", "trees", "clustering", "patterns", "extractors", "storage"},
}
MAY_IMPORT["pipeline"] = set(MAY_IMPORT)
PURE = ("items", "trees", "clustering", "patterns", "extractors")
EFFECTS = {"scrapy", "sqlalchemy", "socket", "sqlite3", "subprocess", "urllib.request", "requests"}


def modules(package):
    found = [p for p in (ROOT / package).rglob("*.py") if "migrations" not in p.parts]
    assert found, f"{package} has no modules"
    return found


def imports(path):
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_imports_follow_the_arrows(package):
    for path in modules(package):
        for module in imports(path):
            top, _, inner = module.partition(".")
            if top in MAY_IMPORT and top != package:
                assert top in MAY_IMPORT[package], f"{path} must not know {top}"
                assert not inner, f"{path}: import from {top}, not {module}"


@pytest.mark.parametrize("package", PURE)
def test_thought_does_no_input_or_output(package):
    for path in modules(package):
        assert not EFFECTS & set(imports(path)), f"{path} must stay pure"
        names = {n.id for n in ast.walk(ast.parse(path.read_bytes())) if isinstance(n, ast.Name)}
        assert "open" not in names, f"{path} must not open files"


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_no_import_hides_under_type_checking(package):
    for path in modules(package):
        assert "TYPE_CHECKING" not in path.read_text(encoding="utf-8"), path


QUIET_NIGHT = """
import sys
from scrapy.utils.misc import walk_modules_iter
from scrapy.utils.project import get_project_settings
list(walk_modules_iter(get_project_settings()["COMMANDS_MODULE"]))
import crawler.connecting, crawler.downloading, crawler.robots, crawler.storing
heavy = "aiohttp alembic numba numpy pydantic requests rich scipy tldextract".split()
print(*sys.modules.keys() & heavy)
"""


def test_a_night_with_nothing_new_loads_little():
    command = [sys.executable, "-c", QUIET_NIGHT]
    loaded = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert not loaded.split()


@pytest.mark.parametrize("package", ["items", "trees", "storage", "pipeline.commands.sites"])
def test_looking_at_the_database_does_not_wait_for_a_compiler(package):
    code = f"import {package}, sys; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
