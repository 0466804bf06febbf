"""The cache of compiled code, and folders that cannot be written to."""

import numba
import pytest

from flong.tree import compiled
from flong.tree.jit import _digest

SOURCE = "def double(number):\n    return 2 * number\n"


def define(path):
    names = {}
    exec(compile(SOURCE, str(path), "exec"), names)  # noqa: S102 - a function of another file
    return names["double"]


def test_compiled_code_is_cached_beside_its_source(tmp_path):
    path = tmp_path / "doubling.py"
    path.write_text(SOURCE)
    assert compiled(define(path))(21) == 42
    assert [*(tmp_path / "__pycache__").glob("doubling.double-*.nbi")]


def test_changed_import_is_recompiled(tmp_path):
    names = set()
    for state in ("one", "two"):
        path = tmp_path / state / "doubling.py"
        path.parent.mkdir()
        path.write_text(f"from called import anything\n{SOURCE}")
        path.with_name("called.py").write_text(f"# {state}")
        names.add(compiled(define(path)).py_func.__qualname__)
    assert len(names) == 2


def test_unrelated_change_is_not_recompiled(tmp_path):
    path = tmp_path / "doubling.py"
    path.write_text(SOURCE)
    names = set()
    for state in ("one", "two"):
        path.with_name("other.py").write_text(f"# {state}")
        _digest.cache_clear()
        names.add(compiled(define(path)).py_func.__qualname__)
    assert len(names) == 1


def test_code_runs_without_a_writable_cache():
    function = define("/proc/doubling.py")
    with pytest.raises(RuntimeError, match="no locator"):
        numba.njit(cache=True)(function)
    assert compiled(function)(21) == 42
