"""Files in deploy/ and .github/, tested without a container engine."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest

from flong.crawler import flong_settings
from tests.test_docs_commands import check_words

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[1]
CONTAINERFILE = (ROOT / "deploy" / "Containerfile").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PACKAGES = ("flong", "crawler", "clustering", "patterns", "storage")


def install(source, target, **environment):
    command = [shutil.which("sh"), str(ROOT / "deploy" / "install.sh"), str(source), str(target)]
    return subprocess.run(
        command, check=False, capture_output=True, text=True, env=os.environ | environment
    )


@pytest.fixture
def checkout(tmp_path):
    """The files that an image is made from, as they are committed."""
    listed = [shutil.which("git"), "ls-files", *PACKAGES]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    source = tmp_path / "source"
    for name in [*names.split(), "pyproject.toml", "README.md", "LICENSE"]:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, source / name, follow_symlinks=False)
    return source


@pytest.fixture
def lent(tmp_path):
    """What is pinned is here already: it is lent, but for the compiler, which takes long."""
    folder = tmp_path / "lent"
    folder.mkdir()
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if not path.name.startswith("numba"):
            (folder / path.name).symlink_to(path)
    return {"PYTHONPATH": str(folder), "REQUIREMENTS": ""}


def test_image_build_steps_work_in_a_clean_folder(checkout, lent, tmp_path):
    target = tmp_path / "flong"
    done = install(checkout, target, PYTHON=sys.executable, **lent)
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in checkout.iterdir() if path.name == "build") == []
    empty = tmp_path / "empty"
    empty.mkdir()
    added = subprocess.run(
        [target / "bin" / "flong", "sites", "add", "https://news.example"],
        cwd=empty,
        env=os.environ | lent,
        check=False,
        capture_output=True,
        text=True,
    )
    assert added.returncode == 0, added.stderr
    assert {path.name.partition("-")[0] for path in empty.iterdir()} == {"flong.db"}
    again = install(checkout, target, **lent)
    assert (again.returncode, again.stderr.count("\n")) == (1, 1)
    assert "already contains an environment" in again.stderr


def test_folder_that_is_not_a_checkout_is_refused(tmp_path):
    done = install(tmp_path, tmp_path / "target")
    assert done.returncode == 2
    assert done.stderr.startswith("usage: sh deploy/install.sh SOURCE TARGET")


def test_image_runs_existing_commands():
    (line,) = re.findall(r"/opt/flong/bin/(flong demo)", CONTAINERFILE)
    check_words(line.split())
    assert "sh /tmp/source/deploy/install.sh /tmp/source /opt/flong" in CONTAINERFILE
    assert 'ENTRYPOINT ["/opt/flong/bin/flong"]' in CONTAINERFILE
    assert not set(re.findall(r"^(\w+)", CONTAINERFILE, re.MULTILINE)) - {
        "FROM", "ARG", "RUN", "COPY", "USER", "WORKDIR", "VOLUME", "ENTRYPOINT", "CMD",
    }  # fmt: skip


def test_services_run_existing_commands():
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())
    ours = [each for each in compose["services"].values() if "flong" in each["image"]]
    assert len(ours) == 2
    for service in ours:
        command = re.sub(r"\$\{\w+:-(\w*)\}", r"\1", service["command"])
        check_words(["flong", *command.split()])
        assert service["environment"].keys() <= flong_settings().keys()
        assert (
            ROOT / "deploy" / service["build"]["context"] / service["build"]["dockerfile"]
        ).exists()
        assert service["depends_on"].keys() <= compose["services"].keys()
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ()))


@pytest.mark.parametrize("name", ["crontab", "flong-nightly.service"])
def test_nightly_jobs_run_existing_commands(name):
    text = (ROOT / "deploy" / name).read_text()
    (line,) = re.findall(r"\.venv/bin/(flong nightly [^>\n]*)", text)
    check_words(line.split())
    assert set(re.findall(r"FLONG_[A-Z_]+", text)) <= flong_settings().keys()


def test_every_supported_python_is_tested():
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text())
    job = workflow["jobs"]["test"]
    named = re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["project"]["classifiers"]))
    assert job["strategy"]["matrix"]["python"] == named
    assert PROJECT["project"]["requires-python"] == f">={named[0]},<3.{int(named[-1][2:]) + 1}"
    script = next(step["run"] for step in job["steps"] if "run" in step).split()[-1]
    assert "make test" in (ROOT / script).read_text()


@pytest.mark.parametrize("template", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.md")))
def test_issue_templates_have_a_name_and_description(template):
    _, front, body = template.read_text().split("---\n", 2)
    assert {"name", "about"} <= yaml.safe_load(front).keys()
    assert body.strip()
