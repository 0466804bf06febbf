"""Everything that a site needs is compiled by `warm`, while something else waits."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LEARN = """
import sys
from flong.workers.warm import warm

def compiled():
    return {
        f"{name}.{function}": tuple(map(str, value.signatures))
        for name, module in list(sys.modules.items()) if name.startswith("flong.")
        for function, value in vars(module).items() if hasattr(value, "signatures")
    }

warm()
before = compiled()
assert len(before) > 50
import flong
from flong.demo import Portal
from tests.flong.pages import portal_pages
pages = portal_pages(Portal(articles=30))
model = flong.learn(pages)
[model.read(*page) for page in pages]
print(*(name for name, types in compiled().items() if before.get(name) != types))
"""


def test_warm_compiles_everything_for_learning():
    done = subprocess.run(
        [sys.executable, "-c", LEARN], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert not done.stdout.split()
