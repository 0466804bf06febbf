"""The walk of a page in docs/architecture.md, printed from a trace.

`FLONG_WRITE_DOCS=1 pytest tests/test_walk.py` writes it.
"""

import inspect
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

from flong.demo import Portal, serve

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "architecture.md"
WALK = re.compile(r"(<!-- walk -->\n).*(<!-- /walk -->)", re.DOTALL)
FIRST_COUNT = "The first count was 207, 42 and 26, with comprehensions as functions."
CRAWL = """
import sys
from tests.test_walk import Trace
sys.argv = ["flong", "crawl", sys.argv[1], "-a", "max_pages=12", "-a", "learn=0"]
from flong.__main__ import main
trace = Trace(start="SiteSpider.next_page")
try:
    trace.run(main)
except SystemExit:
    pass
trace.print()
"""
READ = """
import flong
from flong.demo import Portal
from tests.flong.pages import portal_pages
from tests.test_walk import Trace
pages = portal_pages(Portal(articles=20))
model = flong.learn(pages)
article = next(page for page in reversed(pages) if model.read(*page))
trace = Trace()
trace.run(model.read, *article)
trace.print()
"""


def _paths():
    found = {}
    for folder, _, files in os.walk(ROOT / "flong", followlinks=True):
        for file in (Path(folder) / name for name in files if name.endswith(".py")):
            found[str(file)] = str(file.resolve().relative_to(ROOT))
    return found


PATHS = _paths()
"""Paths in the repository, by the paths that modules are loaded from."""


class Trace:
    """Records the functions of flong that are entered, and the values they make, in order."""

    def __init__(self, start=None):
        self.entered = {}
        self.values = {}
        self._start = start

    def run(self, function, *arguments, **options):
        threading.setprofile(self._enter)
        sys.setprofile(self._enter)
        try:
            return function(*arguments, **options)
        finally:
            threading.setprofile(None)
            sys.setprofile(None)

    def _enter(self, frame, event, _):
        code = frame.f_code
        if event != "call" or not code.co_flags & inspect.CO_OPTIMIZED:  # not the body of a class
            return
        if code.co_filename == "<string>" and self._start is None:
            self._note_value(frame.f_locals)
        if code.co_filename not in PATHS or self._start not in (None, code.co_qualname):
            return
        self._start = None
        if not code.co_name.startswith("<") or code.co_name == "<lambda>":  # a comprehension
            self.entered.setdefault((PATHS[code.co_filename], code.co_qualname), None)

    def _note_value(self, names):
        """Note the type of a value that generated code makes: a dataclass or a named tuple."""
        made = names.get("_cls") or type(names.get("self"))
        if isinstance(made, type) and made.__module__.startswith("flong."):
            self.values[made.__name__] = None

    def lines(self):
        """Yield a line for each file, with the first function entered there."""
        files = {}
        for path, name in self.entered:
            if name.rpartition(".")[2][0] not in "<_" and "<locals>" not in name:
                files.setdefault(path, name)
        return [f"{path}: {name}" for path, name in files.items()]

    def print(self):
        files = len({path for path, _ in self.entered})
        counts = f"{len(self.entered)} functions in {files} files, {len(self.values)} value types"
        sys.stdout.write("\n".join(["WALK", counts, *self.lines()]))


def table(title, lines):
    rows = "".join(f"| {number} | `{line}` |\n" for number, line in enumerate(lines, 1))
    return f"\n{title}\n\n| | file and function |\n|---|---|\n{rows}"


def walk(code, *arguments, **environment):
    """Return the counts of a program, and a line for each file."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, env=os.environ | environment,
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    counts, *lines = done.stdout.partition("WALK\n")[2].splitlines()
    return counts, lines


def files(text):
    return set(re.findall(r"`([\w/]+\.py):", text))


def test_documented_walk_matches_the_code(tmp_path):
    with serve(Portal(articles=5)) as site:
        url = f"sqlite:///{tmp_path / 'walk.db'}"
        _, crawl = walk(CRAWL, site.url, FLONG_DATABASE=url)
    counts, read = walk(READ)
    text = table("A crawl, in the process that runs the spider:", crawl)
    text += table(f"`model.read(url, html)`: {counts}. {FIRST_COUNT}", read) + "\n"
    document = DOCUMENT.read_text()
    if os.environ.get("FLONG_WRITE_DOCS"):
        document = WALK.sub(lambda found: found[1] + text + found[2], document)
        DOCUMENT.write_text(document)
    written = WALK.search(document)[0]
    # Order, and which kinds of rows are written, vary from crawl to crawl.
    assert len(files(written) ^ files(text)) <= 3
    assert files(written) >= files(table("", read))
    assert f"| 1 | `{read[0]}` |" in written
    assert f"`model.read(url, html)`: {counts}." in written
