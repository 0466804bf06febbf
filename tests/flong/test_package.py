"""The wheel outside of the checkout, and the spider in somebody else's project."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from zipfile import ZipFile

import pytest

import flong
from flong.demo import Portal, serve
from tests.conftest import lacking

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PACKAGES = {name.partition(".")[0] for name in PROJECT["tool"]["setuptools"]["packages"]}
AT_ONCE = ("-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False")


def run(*command, **options):
    """Run a command that must succeed; return what it prints."""
    words = [str(word) for word in command]
    done = subprocess.run(words, check=False, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from a copy: building leaves folders behind."""
    if int(version("setuptools").partition(".")[0]) < 77:
        lacking("setuptools 77")
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    for name in PACKAGES:
        without = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, source / name, ignore=without)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    options = ("--no-deps", "--no-build-isolation", "--disable-pip-version-check")
    run(sys.executable, "-m", "pip", "wheel", "-q", *options, "-w", folder, source)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The environment of a user who has the wheel; what it needs comes from this environment."""
    folder = tmp_path_factory.mktemp("installed")
    options = ("--no-deps", "--no-index", "--disable-pip-version-check")
    run(sys.executable, "-m", "pip", "install", "-q", *options, "--target", folder, wheel)
    keep_compiled_code(folder)
    known = {name: value for name, value in os.environ.items() if not name.startswith("FLONG_")}
    return known | {"PYTHONPATH": str(folder), "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}


def keep_compiled_code(folder):
    """Take over what was compiled for the same source, which takes a minute."""
    for compiled in (path for name in PACKAGES for path in ROOT.glob(f"{name}/**/*.nb?")):
        place = folder / compiled.relative_to(ROOT)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(compiled, place)
    for source in (path for name in PACKAGES for path in ROOT.glob(f"{name}/**/*.py")):
        times = source.stat()
        os.utime(folder / source.relative_to(ROOT), ns=(times.st_atime_ns, times.st_mtime_ns))


def test_every_file_that_is_not_a_test_is_in_the_wheel(wheel):
    inside = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    wanted = subprocess.run(
        [shutil.which("git") or "git", "ls-files", *sorted(PACKAGES)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    assert inside == set(wanted)


def test_the_wheel_has_the_version_that_the_program_says(wheel):
    assert wheel.name.startswith(f"flong-{flong.__version__}-")


def test_every_command_but_crawl_is_an_entry_point():
    points = PROJECT["project"]["entry-points"]["scrapy.commands"]
    commands = {path.stem for path in (ROOT / "flong" / "commands").glob("*.py")}
    assert points.keys() == commands - {"__init__", "crawl"}


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_site_is_crawled_learned_and_exported_from_an_empty_folder(installed, tmp_path):
    with serve(Portal(articles=30)) as site:
        crawl = ("flong", "crawl", "site", "-a", f"url={site.url}", *AT_ONCE)
        run(*crawl, "-O", "articles.jsonl", cwd=tmp_path, env=installed)
    articles = lines(tmp_path / "articles.jsonl")
    assert len(articles) >= 25
    # Scrapy finds the commands by itself, also outside of any project.
    scrapy = Path(sys.executable).with_name("scrapy")
    export = (scrapy, "export", "--format", "jsonl", "--output", "again.jsonl")
    run(*export, cwd=tmp_path, env=installed)
    again = lines(tmp_path / "again.jsonl")
    assert {row["url"] for row in again} == {row["url"] for row in articles}


def test_nothing_is_taken_from_the_checkout(installed, tmp_path):
    code = f"import {', '.join(sorted(PACKAGES))}; print(flong.__file__, storage.__file__)"
    found = run(sys.executable, "-c", code, cwd=tmp_path, env=installed)
    assert f"{ROOT}/" not in found


def test_the_spider_runs_in_another_project(tmp_path):
    scrapy = Path(sys.executable).with_name("scrapy")
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    run(scrapy, "startproject", "theirs", tmp_path, env=environment)
    with (tmp_path / "theirs" / "settings.py").open("a") as file:
        file.write('\nSPIDER_MODULES += ["flong.crawler.spider"]\nDOWNLOAD_DELAY = 0\n')
    with serve(Portal(articles=5)) as site:
        crawl = (scrapy, "crawl", "site", "-a", f"url={site.url}", "-a", "max_pages=12")
        run(*crawl, cwd=tmp_path, env=environment)
    with flong.open(tmp_path / "flong.db") as database:
        (name,) = database.sites()
        assert len(list(database.store.pages.ids(database.store.sites.find(name)))) == 12
