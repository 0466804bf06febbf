"""The wheel outside of the checkout, and the spider in somebody else's project."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from importlib.metadata import version
from pathlib import Path
from zipfile import ZipFile

import pytest

import flong
from flong.demo import Portal, serve
from tests.conftest import lacking

ROOT = Path(__file__).parents[2]
AT_ONCE = ("-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False")
THEIRS = ("items", "links", "patterns", "storage", "search", "pipeline", "crawler", "learned")
"""Names of modules that users have in their projects, and flong once had at the top level."""


def run(*command, **options):
    """Run a command that must succeed; return its output."""
    words = [str(word) for word in command]
    done = subprocess.run(words, check=False, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def committed():
    git = shutil.which("git") or "git"
    return run(git, "ls-files", "-co", "--exclude-standard", cwd=ROOT).split()


def variables():
    """Return the variables of this process without those of tests and of Scrapy projects."""
    unwanted = ("FLONG_", "SCRAPY_", "PYTHONPATH")
    return {name: value for name, value in os.environ.items() if not name.startswith(unwanted)}


@pytest.fixture(scope="module")
def distributions(tmp_path_factory):
    """The sdist, and the wheel built from it; built from a copy, because building leaves files."""
    if int(version("setuptools").partition(".")[0]) < 77:
        lacking("setuptools 77")
    folder = tmp_path_factory.mktemp("distributions")
    source = folder / "source"
    for name in committed():
        if (ROOT / name).exists():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, source / name, follow_symlinks=False)
    build = "from setuptools.build_meta import build_sdist; print(build_sdist('..'))"
    sdist = folder / run(sys.executable, "-c", build, cwd=source).split()[-1]
    options = ("--no-deps", "--no-build-isolation", "--disable-pip-version-check")
    run(sys.executable, "-m", "pip", "wheel", "-q", *options, "-w", folder, sdist)
    return sdist, next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def wheel(distributions):
    return distributions[1]


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    """A virtual environment with the wheel; its dependencies are lent by this one.

    Returns its folder and the output of `scrapy -h` before and after the installation.
    """
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    packages = next(folder.glob("lib/python*/site-packages"))
    (packages / "lent.pth").write_text(sysconfig.get_path("purelib"))
    names = {path.name for path in packages.iterdir()}
    scrapy = (folder / "bin" / "python", "-m", "scrapy", "-h")
    before = run(*scrapy, cwd=folder, env=variables())
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "-q")
    target = ("--python", folder / "bin" / "python", "install", "--no-deps", "--no-index")
    run(*pip, *target, "--force-reinstall", wheel)
    added = {path.name for path in packages.iterdir()} - names
    return folder, added, (before, run(*scrapy, cwd=folder, env=variables()))


@pytest.fixture
def installed(environment):
    """Variables of somebody who has activated that environment."""
    return variables() | {"PATH": f"{environment[0] / 'bin'}:{os.environ['PATH']}"}


def test_the_wheel_installs_one_name(environment):
    folder, added, _ = environment
    assert added == {"flong", f"flong-{flong.__version__}.dist-info"}
    assert (folder / "bin" / "flong").is_file()


def test_scrapy_is_unchanged_by_the_installation(environment):
    _, _, (before, after) = environment
    assert "startproject" in before
    assert after == before


def test_every_file_that_is_not_a_test_is_in_the_wheel(distributions):
    linked = ("crawler/", "clustering/", "patterns/", "storage/")
    names = [f"flong/{name}" if name.startswith(linked) else name for name in committed()]
    names = [name for name in names if name.startswith("flong/") and not is_link(name)]
    sdist, wheel = distributions
    beside = re.compile(r"\.dist-info/|/__pycache__/.+\.nb[ic]$")
    inside = {name for name in ZipFile(wheel).namelist() if not beside.search(name)}
    assert inside == set(names)
    with tarfile.open(sdist) as packed:
        assert {name.partition("/")[2] for name in packed.getnames()} >= set(names)


def is_link(name):
    return (ROOT / name).is_symlink() or not (ROOT / name).exists()


def test_the_wheel_has_the_version_of_the_program(wheel):
    assert wheel.name.startswith(f"flong-{flong.__version__}-")


@pytest.fixture
def their_project(tmp_path):
    """A folder with modules of the user's own, under names that flong once had."""
    for name in THEIRS[:3] + THEIRS[-1:]:
        (tmp_path / f"{name}.py").write_text(f"OWN = {name!r}\n")
    for name in THEIRS[3:-1]:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f"OWN = {name!r}\n")
    return tmp_path


LIBRARY = """
import {theirs}
assert [each.OWN for each in ({theirs})] == {theirs!r}.split(", ")
import flong, flong.poet
page = "<h1>Rain {{0}}</h1>" + "<p>It rained {{0}} times on {{0}} days, and on.</p>" * 9
pages = [(f"https://a.example/{{n}}", page.format(n)) for n in range(9)]
assert flong.read(*pages[0]).title == "Rain 0"
model = flong.learn(pages)
assert isinstance(model, flong.SiteModel)
model.read(*pages[1])
assert flong.__file__.startswith({environment!r}), flong.__file__
"""


def test_the_library_works_beside_modules_of_the_same_names(environment, installed, their_project):
    code = LIBRARY.format(theirs=", ".join(THEIRS), environment=str(environment[0]))
    compiled = set(environment[0].rglob("*.nbc"))
    run(environment[0] / "bin" / "python", "-c", code, cwd=their_project, env=installed)
    assert compiled
    assert set(environment[0].rglob("*.nbc")) == compiled  # the wheel had all of it


def test_a_site_is_crawled_and_learned_beside_modules_of_the_same_names(installed, their_project):
    with serve(Portal(articles=30)) as site:
        crawl = ("flong", "crawl", site.url, *AT_ONCE, "-O", "articles.jsonl")
        run(*crawl, cwd=their_project, env=installed)
    assert len(lines(their_project / "articles.jsonl")) >= 25


def test_projects_may_be_named_like_flongs_old_packages(installed, tmp_path):
    for name in ("crawler", "search"):
        run("python", "-m", "scrapy", "startproject", name, cwd=tmp_path, env=installed)


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_site_is_crawled_learned_and_exported_from_an_empty_folder(installed, tmp_path):
    with serve(Portal(articles=30)) as site:
        run(
            "flong",
            "crawl",
            site.url,
            *AT_ONCE,
            "-O",
            "articles.jsonl",
            cwd=tmp_path,
            env=installed,
        )
    articles = lines(tmp_path / "articles.jsonl")
    assert len(articles) >= 25
    export = ("flong", "export", "--format", "jsonl", "--output", "again.jsonl")
    run(*export, cwd=tmp_path, env=installed)
    again = lines(tmp_path / "again.jsonl")
    assert {row["url"] for row in again} == {row["url"] for row in articles}


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
