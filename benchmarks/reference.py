"""Write docs/api.md from docstrings: `python -m benchmarks.reference`."""

import ast
import inspect
from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import flong
from flong import command, states
from flong.crawler.settings import FLONG_SETTINGS

DOCUMENT = Path(__file__).parents[1] / "docs" / "api.md"
PARTS = {
    "Functions": ("learn", "load", "open", "read"),
    "Classes": ("Article", "Provenance", "SiteModel", "Database", "StoredSite"),
    "Errors": ("FlongError",),
}
"""Sections of the page, with public names of `flong`."""
ENUMS = ("Access", "ArticleKind", "Genre", "Precision")
"""Enumerations used by fields of `Article`."""
EXIT_CODES = {
    "DONE": "done",
    "FAILED": "failed",
    "WRONG_USAGE": "wrong usage",
    "NEEDS_ATTENTION": "done, but something needs attention",
}
HEAD = """# API reference

Generated from docstrings by `python -m benchmarks.reference`. [Library](library.md) has examples.
"""


def write_reference() -> str:
    """Return the text of docs/api.md."""
    lines = [HEAD]
    for heading, names in PARTS.items():
        lines += [f"## {heading}\n", *(_describe(name) for name in names)]
    lines.append("## Values\n")
    lines += [_describe_enum(name) for name in ENUMS]
    lines += ["## Exit codes\n", "| code | meaning |\n|---|---|"]
    lines += [f"| {getattr(command, name)} | {text} |" for name, text in EXIT_CODES.items()]
    lines += ["\n## Settings\n", "[Settings](settings.md) has the details.\n"]
    lines.append("| setting | default | meaning |\n|---|---|---|")
    lines += [f"| `{each.name}` | `{each.default!r}` | {each.help} |" for each in FLONG_SETTINGS]
    return "\n".join(lines) + "\n"


def _describe(name: str) -> str:
    thing = getattr(flong, name)
    if inspect.isfunction(thing):
        return f"### flong.{name}\n\n{_signature(thing)}\n\n{_docstring(thing)}\n"
    node = _class_node(import_module(thing.__module__), name)
    text = f"### flong.{name}\n\n{_docstring(thing)}\n"
    fields = list(_fields(node))
    if fields:
        rows = "\n".join(f"| `{field}` | {kind} | {doc} |" for field, kind, doc in fields)
        text += f"\n| field | type | meaning |\n|---|---|---|\n{rows}\n"
    for key, member in vars(thing).items():
        if not key.startswith("_") and inspect.isfunction(member):
            text += f"\n#### {name}.{key}\n\n{_signature(member)}\n\n{_docstring(member)}\n"
        elif isinstance(member, (property, classmethod)) and not key.startswith("_"):
            text += f"\n#### {name}.{key}\n\n{_docstring(member)}\n"
    return text


def _describe_enum(name: str) -> str:
    values = ", ".join(f"`{each.value}`" for each in getattr(states, name))
    return f"`{name}`: {values}.\n"


def _signature(function: Callable[..., object]) -> str:
    name = function.__qualname__ if "." in function.__qualname__ else f"flong.{function.__name__}"
    return f"```\n{name}{inspect.signature(function)}\n```"


def _docstring(thing: object) -> str:
    """Return a docstring without its examples, which library.md has."""
    return (inspect.getdoc(thing) or "").partition("\n>>>")[0].strip()


def _class_node(module: ModuleType, name: str) -> ast.ClassDef:
    tree = ast.parse(inspect.getsource(module))
    return next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == name)


def _fields(node: ast.ClassDef) -> list[tuple[str, str, str]]:
    """Return name, type and docstring of each field of a class."""
    body = list(node.body)
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and each.name == "__init__":
            body = each.body
    found = []
    for statement, after in pairwise(body):
        if not (isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)):
            continue
        doc = " ".join(str(after.value.value).split())
        if isinstance(statement, ast.AnnAssign):
            kind = f"`{ast.unparse(statement.annotation)}`".replace("|", "or")
            found.append((ast.unparse(statement.target), kind, doc))
        elif isinstance(statement, ast.Assign):
            target = ast.unparse(statement.targets[0]).removeprefix("self.")
            found.append((target, "", doc))
    return found


if __name__ == "__main__":
    DOCUMENT.write_text(write_reference(), encoding="utf-8")
