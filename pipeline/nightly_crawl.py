"""The crawl of a night, in a process of its own: a reactor starts only once."""

import gc
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from scrapy.cmdline import execute

from storage import Site

STDOUT, STDERR = 1, 2
# A copy of this process has everything loaded; to start another one takes seconds of CPU.
START = get_context("fork") if sys.platform == "linux" else get_context("spawn")


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlSettings:
    """How crawls are started."""

    database: str
    """Address of the database."""
    options: Sequence[str] = ()
    """Settings of the command line, `NAME=VALUE` each."""


def crawl(site: Site, settings: CrawlSettings) -> str:
    """Crawl a site as `scrapy crawl site` does; return what went wrong, empty if nothing did."""
    options = (*settings.options, f"FLONG_DATABASE={settings.database}", "FLONG_EXTRACT=0")
    words = ["scrapy", "crawl", "site", "-a", f"url={site.url}"]
    words += [word for option in options for word in ("-s", option)]
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        log.touch()
        process = START.Process(target=_run, args=(words, log))
        process.start()
        process.join()
        if process.exitcode == 0:
            return ""
        said = [line for line in log.read_text().splitlines() if line.startswith("flong: ")]
    return said[-1].removeprefix("flong: ") if said else f"The crawl of {site.name} ended badly."


def _run(words: list[str], log: Path) -> None:
    """Do what a command line says in this process, and end it; what is said goes into a file."""
    with Path(os.devnull).open("w") as nowhere, log.open("w") as file:
        os.dup2(nowhere.fileno(), STDOUT)
        os.dup2(file.fileno(), STDERR)
    gc.freeze()  # what is loaded stays: the collector need not look at it again and again
    execute(words)
