"""The compiled code of a fresh installation, made by two processes while something else waits.

Only the first run ever on a machine compiles, for half a minute on one core. `make` has it done
while it installs packages (`python -m flong.workers.preparation`), `demo` while it crawls. The
pages that it is tried on are made without compiled code, so that no process waits for another.
"""

import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import numpy as np

from flong.baselines import WITNESSES, consensus
from flong.clustering import cluster_pages, skeleton_of
from flong.patterns import Anchor, ClusterOfPages, learn_site
from flong.tree import PageSource, SitePage, Tree, build_tree, stable_hash, tag_number

_BEGIN = (
    "import sys; from flong.workers.preparation import PARTS; [PARTS[p]() for p in sys.argv[1:]]"
)
_PROJECT = Path(__file__).parents[1]
_PIECE = re.compile(rb'<(/?)(\w+)(?: class="([^"]*)")?>|([^<]+)')
_LISTS = "<ul><li>Rain</li></ul><table><tbody><tr><td>Sun</td></tr></tbody></table>"
_TEXT = "It rained all day, and nobody in the whole town wanted to go out. " * 3


def page(number: int) -> bytes:
    """Return a page as it is serialised: an article, no two alike."""
    paragraphs = "".join(f"<p>{number} {_TEXT}{n}</p>" for n in range(number + 2))
    lists = _LISTS * (number % 2)
    return (
        '<html lang="en"><head></head><body><div class="top"><p>Menu</p></div>'
        f'<h1 class="big">Story {number}</h1>'
        f'<div class="text body">{paragraphs}{lists}<video></video></div></body></html>'
    ).encode()


def tree_of(data: bytes) -> Tree:
    """Return the tree of such a page, made without compiled code."""
    rows: list[list[int]] = []
    classes: list[list[int]] = []
    opened: list[int] = []
    text = b""
    for found in _PIECE.finditer(data, data.index(b"<body")):
        ends, name, tokens, words = found.groups()
        if name == b"html" or (ends and not opened):
            break
        if ends:
            last = opened.pop()
            rows[last][2], rows[last][4] = len(rows) - last, len(text)
            continue
        parent = opened[-1] if opened else -1
        tag = tag_number(name.decode()) if name else 0
        rows.append([tag, parent, 1, len(text), len(text), 0, 0, len(rows), found.start()])
        classes.append(sorted(map(stable_hash, (tokens or b"").split())))
        if name:
            opened.append(len(rows) - 1)
        else:
            text += words.strip() + b"\n"
            rows[-1][4:] = [len(text), len(words.split()), 0, len(rows), -1]
            for around in opened:
                rows[around][5] += len(words.split())
    columns = "tag parent size start end words link_words place tag_start".split()
    texts = [stable_hash(text[row[3] : row[4] - 1]) if row[0] == 0 else 0 for row in rows]
    return Tree(
        **dict(zip(columns, np.array(rows, np.int32).T.copy(), strict=True)),
        class_start=np.cumsum([0, *map(len, classes)], dtype=np.int32),
        class_hash=np.array([one for some in classes for one in some], np.int64),
        text_hash=np.array(texts, np.int64),
        link_hash=np.zeros(len(rows), np.int64),
        links=np.zeros(len(rows), np.int32),
        text=text,
        source=PageSource(data, np.zeros(0, np.int32)),
    )


def _pages() -> list[SitePage]:
    return [SitePage(url=f"https://a.example/{n}", tree=tree_of(page(n))) for n in range(6)]


def _prepare_distances() -> None:
    cluster_pages([skeleton_of(one.tree) for one in _pages()])


def _prepare_patterns() -> None:
    pages = _pages()
    everything = ClusterOfPages(members=tuple(range(len(pages))))
    model = learn_site(pages, [everything], witnesses=WITNESSES.values(), fallback=consensus)
    for one in pages:
        model.extract(one, [Anchor("It rained all day")], fallback=consensus)


PARTS: Mapping[str, Callable[[], object]] = {
    "trees": lambda: build_tree(page(1).decode()).id_hash,
    "patterns": _prepare_patterns,
    "distances": _prepare_distances,
}
"""What is compiled."""
PROCESSES = ("patterns",), ("trees", "distances")
"""Which parts each process makes: about as long for both."""


def mark_of_completion() -> Path:
    """Return the file that says that all is made: by this compiler, from the source as it is."""
    folders = ("tree", "clustering", "patterns/kernel")
    sources = sorted(path for folder in folders for path in (_PROJECT / folder).rglob("*.py"))
    made_by = f"{sys.version} {platform.machine()} {version('numba')}".encode()
    digest = sha256(made_by + b"".join(path.read_bytes() for path in sources)).hexdigest()[:12]
    return _PROJECT / "tree" / "__pycache__" / f"compiled-{digest}"


class Preparation:
    """Compiled code in the making, unless all is made already; `finish` waits for it."""

    def __init__(self) -> None:
        path = os.pathsep.join(filter(None, sys.path))
        self._mark = mark_of_completion()
        self._processes = [
            subprocess.Popen(  # noqa: S603 - our own code
                [sys.executable, "-c", _BEGIN, *parts],
                env={**os.environ, "PYTHONPATH": path},
                stdin=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for parts in PROCESSES
            if not self._mark.exists()
        ]

    def is_done(self) -> bool:
        """Return whether all parts are made."""
        return all(process.poll() is not None for process in self._processes)

    def finish(self) -> None:
        """Wait until all parts are made; one that failed is compiled where it is needed."""
        for process in self._processes:
            process.wait()
        if not any(self.exit_codes()):
            with suppress(OSError):  # nothing can be written here: the next one looks again
                self._mark.parent.mkdir(exist_ok=True)
                self._mark.touch()

    def exit_codes(self) -> list[int]:
        """Return how the processes ended that did: 0 is well."""
        return [process.returncode for process in self._processes if process.poll() is not None]


if __name__ == "__main__":
    Preparation().finish()
