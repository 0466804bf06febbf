"""Actions that flong never takes, on any input."""

import ast
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.version import Version
from scrapy.utils.project import get_project_settings

from flong.storage import StorageError, Store

ROOT = Path(__file__).parents[2]
DANGEROUS_MODULES = {"code", "dbm", "dill", "marshal", "pickle", "pty", "shelve", "xml.etree"}
DANGEROUS_CALLS = {"eval", "exec", "compile", "__import__", "system", "popen", "getoutput"}
# A regular expression, and a document of the project's own making.
HARMLESS_OWNERS = {"re", "typst"}


def calls(path):
    """Yield the calls of a module: owner, name, keywords."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Call):
            function = node.func
            name = getattr(function, "attr", None) or getattr(function, "id", "")
            owner = getattr(getattr(function, "value", None), "id", "")
            yield owner, name, {k.arg: ast.unparse(k.value) for k in node.keywords}


def imported(path):
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


@pytest.mark.parametrize("package", ["flong", "crawler", "clustering", "patterns", "storage"])
def test_no_code_path_executes_stored_data(package):
    found = list((ROOT / package).rglob("*.py"))
    assert found
    for path in found:
        assert not DANGEROUS_MODULES & set(imported(path)), path
        for owner, name, keywords in calls(path):
            harmless = owner in HARMLESS_OWNERS
            assert name not in DANGEROUS_CALLS or harmless, f"{path}: {owner}.{name}"
            assert keywords.get("shell") in (None, "False"), f"{path}: {name}"
            assert keywords.get("allow_pickle") in (None, "False"), f"{path}: {name}"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("COOKIES_ENABLED", False),
        ("DOWNLOAD_FAIL_ON_DATALOSS", True),
        ("DOWNLOAD_MAXSIZE", 10 * 1024 * 1024),
        ("DOWNLOAD_TIMEOUT", 30),
        ("DOWNLOAD_VERIFY_CERTIFICATES", True),
        ("HTTPCACHE_ENABLED", False),
        ("REMOTE_CONTROL_ENABLED", False),
        ("ROBOTSTXT_OBEY", True),
        ("TELNETCONSOLE_ENABLED", False),
    ],
)
def test_safe_settings_are_the_default(name, value):
    assert get_project_settings()[name] == value


@pytest.mark.parametrize("scheme", ["file", "ftp", "s3"])
def test_only_http_is_fetched(scheme):
    assert get_project_settings().getwithbase("DOWNLOAD_HANDLERS")[scheme] is None


def test_lxml_version_has_no_known_vulnerability():
    assert Version(version("lxml")) >= Version("6.1")
    assert '"lxml>=6.1"' in (ROOT / "pyproject.toml").read_text()


@pytest.mark.parametrize(
    "url", ["odd://me:s3cret@host/x", "postgresql+odd://me:s3c@ret@host/x", "://me:s3cret@"]
)
def test_database_password_is_not_in_error_messages(url):
    with pytest.raises(StorageError) as error:
        Store.open(url)
    assert "s3c" not in str(error.value)
