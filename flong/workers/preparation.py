"""The compiled code of a fresh installation, made by two processes while something else waits.

Only the first run ever on a machine compiles, for half a minute on one core. `make` has it done
while it installs packages (`python -m flong.workers.preparation`), `demo` while it crawls.
"""

import os
import platform
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from flong.baselines import WITNESSES, consensus
from flong.clustering import cluster_pages, skeleton_of
from flong.patterns import Anchor, ClusterOfPages, learn_site
from flong.tree import SitePage, build_tree

_BEGIN = (
    "import sys; from flong.workers.preparation import PARTS; [PARTS[p]() for p in sys.argv[1:]]"
)
_PROJECT = Path(__file__).parents[1]
_LISTS = "<ul><li>Rain</li></ul><table><tbody><tr><td>Sun</td></tr></tbody></table>"
_TEXT = "It rained all day, and nobody in the whole town wanted to go out. " * 3


def page(number: int) -> bytes:
    """Return an article; each number gives a different one."""
    paragraphs = "".join(f"<p>{number} {_TEXT}{n}</p>" for n in range(number + 2))
    lists = _LISTS * (number % 2)
    return (
        '<html lang="en"><head></head><body><div class="top"><p>Menu</p></div>'
        f'<h1 class="big">Story {number}</h1>'
        f'<div class="text body">{paragraphs}{lists}<video></video></div></body></html>'
    ).encode()


def _pages() -> list[SitePage]:
    return [SitePage(url=f"https://a.example/{n}", tree=build_tree(page(n))) for n in range(6)]


def _prepare_distances() -> None:
    cluster_pages([skeleton_of(one.tree) for one in _pages()])


def _prepare_patterns() -> None:
    pages = _pages()
    everything = ClusterOfPages(members=tuple(range(len(pages))))
    model = learn_site(pages, [everything], witnesses=WITNESSES.values(), fallback=consensus)
    for one in pages:
        model.extract(one, [Anchor("It rained all day")], fallback=consensus)


PARTS: Mapping[str, Callable[[], object]] = {
    "trees": lambda: build_tree(page(1)).id_hash,
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
