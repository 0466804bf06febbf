"""The arrows of docs/architecture.md, checked."""

import ast
import os
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from flong import features

ROOT = Path(__file__).parents[1]
LAYERS = (
    {
        "closable",
        "errors",
        "features",
        "findings",
        "program",
        "progress",
        "states",
        "text",
        "urls",
    },
    {"article", "decision", "joining", "links", "model_document", "packing", "page"},
    {"tree"},
    {"baselines", "clustering", "patterns", "storage"},
    {"document", "site"},
    {"workers"},
    {"console", "crawler", "rich_console", "stages"},
)
"""The core, from below: a module imports from its own package and from the layers below it."""
SAME_LAYER = {
    ("article", "decision"), ("article", "joining"), ("page", "packing"), ("page", "links"),
    ("document", "site"),
    ("rich_console", "console"), ("console", "stages"), ("crawler", "stages"),
}  # fmt: skip
"""Of two names in one layer, the second may import the first."""
FEATURES = {
    "demo", "fleet", "inspector", "poet", "recipes", "search", "visual",
    "storage.fleet", "storage.search",
}  # fmt: skip
"""What the core never imports; their SQL is in `storage/`."""
OUTSIDE = FEATURES | {"__init__", "__main__", "command", "commands", "database", "listing"}
"""Modules that may import all of the core, and features."""
PURE = ("article", "baselines", "clustering", "links", "patterns", "recipes", "search", "tree")
IMPURE = {"search": {"clippings", "mcp_server", "newspaper", "output"}, "recipes": {"export"}}
"""Modules of pure packages that read the database or write files."""
DOORS = {
    "baselines", "clustering", "crawler", "demo", "fleet", "inspector", "patterns", "recipes",
    "search", "storage", "tree", "visual",
}  # fmt: skip
"""Packages that other packages enter by `__init__` only, and by these side doors:"""
SIDE_DOORS = {
    "flong.crawler.settings", "flong.crawler.spider", "flong.demo.demonstration",
    "flong.fleet.status", "flong.recipes.export", "flong.search.clippings",
    "flong.search.mcp_server", "flong.search.newspaper", "flong.search.output",
    "flong.storage.fleet", "flong.storage.search", "flong.visual.browser", "flong.visual.methods",
    "flong.visual.stored_pages",
}  # fmt: skip
"""Modules that load an extra or the database, which the package itself does not need."""
EFFECTS = {"scrapy", "sqlalchemy", "socket", "sqlite3", "subprocess", "urllib.request", "requests"}


def unit(module):
    """Return the part of the program that a module belongs to."""
    parts = module.split(".")[1:]
    if parts[0] == "storage" and f"storage.{parts[-1]}" in FEATURES:
        return f"storage.{parts[-1]}"
    if parts[:2] == ["storage", "search"]:
        return "storage.search"
    return parts[0]


def find_modules():
    """Return the path of each module of the program, by its name."""
    found = {}
    for folder, _, files in os.walk(ROOT / "flong", followlinks=True):
        for file in files:
            path = Path(folder) / file
            if path.suffix == ".py" and "migrations" not in path.parts:
                name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
                found[name.removesuffix(".__init__") if name != "flong.__init__" else name] = path
    return found


MODULES = find_modules()
PACKAGES = sorted({unit(name) for name in MODULES})


def modules(package):
    return [path for name, path in MODULES.items() if unit(name) == package]


def imports(path):
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            by_door = (
                node.module.startswith("flong.") and node.module.split(".")[1] not in path.parts
            )
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in MODULES and not by_door else node.module for name in names)


def ours(path):
    return {module for module in imports(path) if module.startswith("flong.")}


LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}


def test_every_module_has_a_layer():
    assert set(PACKAGES) == {*LEVEL, *OUTSIDE}


@pytest.mark.parametrize("package", sorted(LEVEL))
def test_core_imports_from_below_only(package):
    for path in modules(package):
        for other in {unit(module) for module in ours(path)} - {package}:
            assert other not in OUTSIDE, f"{path}: the core must not import {other}"
            below = LEVEL[other] < LEVEL[package] or (other, package) in SAME_LAYER
            below = below or LEVEL[other] == LEVEL[package] == 0
            assert below, f"{path} must not import {other}"


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_are_imported_through_their_init(package):
    for path in modules(package):
        for module in ours(path):
            entered = module.split(".")[1]
            if entered in DOORS - {package.split(".")[0]} and module.count(".") > 1:
                assert module in SIDE_DOORS, f"{path}: import from flong.{entered}, not {module}"


def test_modules_are_imported_below_the_flong_package():
    code = "import flong.site, flong.stages.night, sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert not {"crawler", "clustering", "patterns", "storage"} & set(done.stdout.split())


def test_hooks_of_features_can_be_imported():
    hooks = [name for name in vars(features) if name.isupper()]
    assert hooks
    assert all(callable(hook) for name in hooks for hook in features.load(getattr(features, name)))


@pytest.mark.parametrize("package", PURE)
def test_pure_packages_do_no_input_or_output(package):
    for path in modules(package):
        if path.stem in IMPURE.get(package, ()):
            continue
        assert not EFFECTS & set(imports(path)), f"{path} must stay pure"
        names = {n.id for n in ast.walk(ast.parse(path.read_bytes())) if isinstance(n, ast.Name)}
        assert "open" not in names, f"{path} must not open files"


SQL = re.compile(r"\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|PRAGMA|WITH \w+ AS)\b.*", re.DOTALL)


@pytest.mark.parametrize("package", [each for each in PACKAGES if "storage" not in each])
def test_only_storage_uses_sql(package):
    for path in modules(package):
        assert not {
            name for name in imports(path) if name.split(".")[0] in {"sqlalchemy", "sqlite3"}
        }, path
        texts = [
            n.value for n in ast.walk(ast.parse(path.read_bytes())) if isinstance(n, ast.Constant)
        ]
        said = [text for text in texts if isinstance(text, str) and SQL.fullmatch(text)]
        assert not said, f"{path}: a question to the database belongs to storage: {said}"


@pytest.mark.parametrize("package", sorted({*PACKAGES} - {"__init__"}))
def test_no_import_is_hidden_under_type_checking(package):
    for path in modules(package):
        assert "TYPE_CHECKING" not in path.read_text(encoding="utf-8"), path


def test_no_import_cycles_exist():
    """Not even within a function, where Python lets them."""
    graph = {name: ours(path) & MODULES.keys() - {name} for name, path in MODULES.items()}
    assert [*TopologicalSorter(graph).static_order()]


QUIET_NIGHT = """
import sys
from scrapy.utils.misc import walk_modules_iter
from scrapy.utils.project import get_project_settings
list(walk_modules_iter(get_project_settings()["COMMANDS_MODULE"]))
import flong.crawler.ssrf_guard, flong.crawler.download_handler, flong.crawler.robots
import flong.crawler.item_pipeline
import flong.stages.article_items
heavy = "aiohttp alembic numba numpy requests rich scipy tldextract".split()
print(*sys.modules.keys() & heavy)
"""


def test_quiet_night_loads_few_modules():
    command = [sys.executable, "-c", QUIET_NIGHT]
    loaded = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert not loaded.split()


@pytest.mark.parametrize("package", ["flong.tree", "flong.storage", "flong.commands.sites"])
def test_read_commands_do_not_load_the_compiler(package):
    code = f"import {package}, sys; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_worker_process_does_not_load_the_database():
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


def test_architecture_questions_name_existing_modules():
    places = PLACE.findall((ROOT / "docs/architecture.md").read_text())
    assert len(places) >= 12
    missing = [f"{file}: {name}" for file, name in places if name not in set(defined(ROOT / file))]
    assert not missing
