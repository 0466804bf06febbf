"""The V-Wrapper from the command line, on the pages of the demo portal."""

import json
import shutil

import pytest

from flong.crawler import BROWSERS

pytest.importorskip("playwright")
pytest.importorskip("sklearn")
needs_browser = pytest.mark.skipif(
    not any(map(shutil.which, BROWSERS)), reason="no Chromium on this machine"
)


@needs_browser
def test_wrapper_trained_on_stored_articles_finds_them(harvest, tmp_path):
    model = tmp_path / "wrapper.json"
    harvest.shell("visual", "train", "--output", model, check=0)
    row = json.loads(
        harvest.shell("visual", "evaluate", "--model", model, "--json", check=0).stdout
    )
    assert row["articles"] > 10
    assert row["leaf_f1"] > 0.5


def test_missing_browser_gives_a_one_line_error(harvest, tmp_path):
    done = harvest.shell(
        "extract", "--method", "v-wrapper", "--output", tmp_path / "found.jsonl",
        "-s", "FLONG_CHROMIUM=/no/such/browser", check=1,
    )  # fmt: skip
    assert "there is none at '/no/such/browser'" in done.stderr
    assert "Traceback" not in done.stderr
