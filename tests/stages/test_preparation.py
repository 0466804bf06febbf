"""Compiled code is made before it is needed."""

import re
import subprocess
import sys
from pathlib import Path

from flong.workers.preparation import PARTS, PROCESSES, Preparation, mark_of_completion


def test_each_part_is_made_by_one_process():
    assert sorted(part for parts in PROCESSES for part in parts) == sorted(PARTS)


def test_what_is_made_is_not_made_again(tmp_path, monkeypatch):
    mark = tmp_path / "cache" / "compiled"
    monkeypatch.setattr("flong.workers.preparation.mark_of_completion", lambda: mark)
    first = Preparation()
    first.finish()
    assert first.is_done()
    assert first.exit_codes() == [0] * len(PROCESSES)
    assert mark.exists()
    assert Preparation().exit_codes() == []


def test_the_mark_is_of_one_source_and_one_compiler(monkeypatch):
    mark = mark_of_completion()
    assert mark == mark_of_completion()
    monkeypatch.setattr("flong.workers.preparation.version", lambda name: "0.0")
    assert mark_of_completion() != mark


_ALONE = """
import re, sys
from importlib.metadata import packages_distributions
first = re.compile(sys.argv[1], re.IGNORECASE)

class Missing:
    def find_spec(self, name, path=None, target=None):
        made_of = packages.get(name.split(".")[0], ())
        if made_of and not any(first.fullmatch(one.replace(".", "-")) for one in made_of):
            raise ModuleNotFoundError(name)

packages = packages_distributions()
sys.meta_path.insert(0, Missing())
from flong.workers.preparation import PARTS
for make in PARTS.values():
    make()
"""


def test_the_compiler_needs_only_what_is_installed_first():
    project = Path(__file__).parents[2]
    [first] = re.findall(r"^FIRST := (.*)$", (project / "Makefile").read_text(), re.MULTILINE)
    subprocess.run([sys.executable, "-c", _ALONE, first], cwd=project, check=True, timeout=300)


_NOTHING_NEW = """
import sys
from itertools import islice
from benchmarks.memory import generated_pages
from flong.clustering import cluster_pages
from flong.baselines import WITNESSES, consensus
from flong.patterns import ClusterOfPages, learn_site
from flong.workers.preparation import PARTS
from flong.tree import SitePage, build_tree
from flong.clustering import skeleton_of

def called():
    packages = "flong.tree", "flong.patterns"
    ours = [m for name, m in [*sys.modules.items()] if name.startswith(packages)]
    return {f.__name__ for m in ours for f in vars(m).values() if getattr(f, "signatures", ())}

for make in PARTS.values():
    make()
known = called()
some = islice(generated_pages(), 95, 160)
pages = [SitePage(url=one.url, tree=build_tree(one.html)) for one in some]
found = cluster_pages([skeleton_of(page.tree) for page in pages]).clusters
clusters = [ClusterOfPages(members=one.members, distances=one.distances) for one in found]
model = learn_site(pages, clusters, witnesses=WITNESSES.values(), fallback=consensus)
articles = [model.extract(page, fallback=consensus).article for page in pages]
assert any(articles) and known
print(*sorted(called() - known))
"""


def test_all_that_a_site_needs_is_made():
    project = Path(__file__).parents[2]
    made = subprocess.run(
        [sys.executable, "-c", _NOTHING_NEW],
        cwd=project,
        check=True,
        timeout=300,
        text=True,
        stdout=subprocess.PIPE,
    )
    assert not made.stdout.strip(), f"compiled at first use: {made.stdout}"
