"""The arrows of docs/architecture.md, checked."""

import ast
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAY_IMPORT = {
    "items": set(),
    "links": {"items"},
    "trees": {"items"},
    "clustering": {"items", "trees"},
    "patterns": {"items", "trees"},
    "extractors": {"items", "trees"},
    "learned": {"items", "trees", "clustering", "patterns", "extractors"},
    "recipes": {"items", "links", "patterns"},
    "search": {"items"},
    "visual": {"items", "trees"},
    "storage": {"items", "search"},
    "crawler": {"items", "links", "storage", "trees", "visual"},
    "demo": {"items"},
    "fleet": {"items", "storage"},
}
MAY_IMPORT["inspector"] = set(MAY_IMPORT) - {"crawler", "demo", "recipes"}
MAY_IMPORT["pipeline"] = set(MAY_IMPORT)
MAY_IMPORT["flong"] = {"items", "links", "trees", "patterns", "learned", "storage", "crawler"}
PURE = tuple(
    "items links trees clustering patterns extractors learned recipes search visual".split()
)
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


SQL = re.compile(r"\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|PRAGMA|WITH \w+ AS)\b.*", re.DOTALL)


@pytest.mark.parametrize("package", sorted(set(MAY_IMPORT) - {"storage"}))
def test_only_storage_speaks_sql(package):
    for path in modules(package):
        assert not {
            name for name in imports(path) if name.split(".")[0] in {"sqlalchemy", "sqlite3"}
        }, path
        texts = [
            n.value for n in ast.walk(ast.parse(path.read_bytes())) if isinstance(n, ast.Constant)
        ]
        said = [text for text in texts if isinstance(text, str) and SQL.fullmatch(text)]
        assert not said, f"{path}: a question to the database belongs to storage: {said}"


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_no_import_hides_under_type_checking(package):
    for path in modules(package):
        assert "TYPE_CHECKING" not in path.read_text(encoding="utf-8"), path


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_no_modules_import_each_other_in_a_ring(package):
    """Not even within a function, where Python lets them."""
    known = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in modules(package)
    }
    graph = {name: {*imports(path)} & known.keys() - {name} for name, path in known.items()}
    assert [*TopologicalSorter(graph).static_order()]


QUIET_NIGHT = """
import sys
from scrapy.utils.misc import walk_modules_iter
from scrapy.utils.project import get_project_settings
list(walk_modules_iter(get_project_settings()["COMMANDS_MODULE"]))
import flong.crawler.ssrf_guard, flong.crawler.download_handler, flong.crawler.robots
import flong.crawler.item_pipeline
import flong.stages.harvest
heavy = "aiohttp alembic numba numpy requests rich scipy tldextract".split()
print(*sys.modules.keys() & heavy)
"""


def test_a_night_with_nothing_new_loads_little():
    command = [sys.executable, "-c", QUIET_NIGHT]
    loaded = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert not loaded.split()


@pytest.mark.parametrize("package", ["items", "trees", "storage", "flong.commands.sites"])
def test_looking_at_the_database_does_not_wait_for_a_compiler(package):
    code = f"import {package}, sys; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_the_process_that_reads_pages_does_not_load_the_database():
    code = "import flong.stages.page_reader, sys; sys.exit('sqlalchemy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


PLACE = re.compile(r"`([\w/]+\.py): ([\w.]+)`")


def defined(path):
    """Yield the names of functions and methods of a module, as `Class.method`."""
    for node in ast.parse(path.read_bytes()).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.ClassDef):
            inner = ast.FunctionDef | ast.AsyncFunctionDef
            yield from (f"{node.name}.{each.name}" for each in node.body if isinstance(each, inner))


def test_the_walk_and_the_ten_questions_name_what_is_there():
    places = PLACE.findall((ROOT / "docs/architecture.md").read_text())
    assert len(places) > 40
    missing = [f"{file}: {name}" for file, name in places if name not in set(defined(ROOT / file))]
    assert not missing
