"""How many instructions compiled code takes for a page: what a busy machine cannot hide.

    python -m benchmarks.instructions

Each kernel works on pages of the demo portal under valgrind's callgrind, which counts instructions:
nearly the same number in every run, whatever else the machine does. Counted is a process that lets
it work some rounds, less one that lets it work once. The code is compiled for any processor, since
valgrind does not know the newest instructions. Takes some minutes.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence

from benchmarks.corpus import PROJECT

ROUNDS = 30
_COUNTED = re.compile(r"Collected : (\d+)")
_RUN = "import sys; from benchmarks.instructions import work; work(sys.argv[1], int(sys.argv[2]))"

Kernel = Callable[[Sequence[str]], Callable[[], object]]
"""Prepares pages, given as HTML; returns what is counted."""


def _trees(pages: Sequence[str]) -> Callable[[], object]:
    from flong.tree import build_tree  # noqa: PLC0415 - loads the compiler

    return lambda: [build_tree(page) for page in pages]


def _distances(pages: Sequence[str]) -> Callable[[], object]:
    from flong.clustering import (  # noqa: PLC0415
        cluster_pages,
        skeleton_of,
    )
    from flong.tree import build_tree  # noqa: PLC0415

    trees = [build_tree(page) for page in pages]
    return lambda: cluster_pages([skeleton_of(tree) for tree in trees])


def _patterns(pages: Sequence[str]) -> Callable[[], object]:
    from flong.baselines import WITNESSES  # noqa: PLC0415 - loads the compiler
    from flong.patterns import ClusterOfPages, learn_site  # noqa: PLC0415
    from flong.tree import SitePage, build_tree  # noqa: PLC0415

    known = [
        SitePage(url=f"https://a.example/{at}", tree=build_tree(page))
        for at, page in enumerate(pages)
    ]
    everything = ClusterOfPages(members=tuple(range(len(known))))
    model = learn_site(known, [everything], witnesses=WITNESSES.values())

    def choose() -> None:
        for page in known:
            page.tree.answers.clear()
            model.choose(page.tree)

    return choose


KERNELS: Mapping[str, Kernel] = {
    "trees": _trees,
    "distances": _distances,
    "patterns": _patterns,
}
"""What is counted: from HTML to a tree, from trees to clusters, from a tree to its pattern."""


def demo_pages() -> list[str]:
    """Return some pages of the demo portal, the same each time."""
    from flong.demo import Portal  # noqa: PLC0415 - not needed to start the processes

    portal = Portal(articles=8, seed=1)
    return [portal.get(truth.path).body.decode() for truth in portal.truth()]


def work(name: str, rounds: int) -> None:
    """Let a kernel work so often, in the process that is looked at."""
    kernel = KERNELS[name](demo_pages())
    for _ in range(rounds):
        kernel()


def _count(name: str, rounds: int, cache: str) -> int:
    compiled = {"NUMBA_CPU_NAME": "generic", "NUMBA_CACHE_DIR": cache, "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-c", _RUN, name, str(rounds)]
    environment = {**os.environ, **compiled}
    if not os.listdir(cache):  # noqa: PTH208 - compile outside, where it is fifty times as fast
        for each in KERNELS:
            subprocess.run([*command[:-2], each, "1"], cwd=PROJECT, env=environment, check=True)  # noqa: S603 - ours
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    done = subprocess.run(  # noqa: S603 - ours
        [*valgrind, *command], cwd=PROJECT, env=environment, check=True, capture_output=True
    )
    return int(_COUNTED.findall(done.stderr.decode())[-1])


def count_instructions() -> dict[str, float]:
    """Return millions of instructions for a page, by kernel; none where valgrind is missing."""
    if shutil.which("valgrind") is None:
        return {}
    calls = ROUNDS * len(demo_pages())
    with tempfile.TemporaryDirectory() as cache:
        return {
            name: (_count(name, ROUNDS + 1, cache) - _count(name, 1, cache)) / calls / 1e6
            for name in KERNELS
        }


if __name__ == "__main__":
    for kernel, millions in count_instructions().items():
        print(f"{kernel:10} {millions:8.2f} million instructions a page")
