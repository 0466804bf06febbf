"""The crawl of a night, in a process of its own: a reactor starts only once."""

import gc
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from scrapy.cmdline import execute

from flong.states import RunStatus
from flong.storage import Run, Site, Store

STDOUT, STDERR = 1, 2
CTRL_C = {signal.SIGINT}
# A copy of this process has everything loaded; to start another one takes seconds of CPU.
START = get_context("fork") if sys.platform == "linux" else get_context("spawn")


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlSettings:
    """How crawls are started."""

    database: str
    """URL of the database."""
    options: Sequence[str] = ()
    """Settings of the command line, `NAME=VALUE` each."""


def crawl(site: Site, night: Run, settings: CrawlSettings) -> str:
    """Crawl a site as `scrapy crawl site` does; return what went wrong, empty if nothing did."""
    options = (*settings.options, f"FLONG_DATABASE={settings.database}", "FLONG_EXTRACT=0")
    options = (*options, f"FLONG_NIGHT={night.id}")
    words = ["scrapy", "crawl", "site", "-a", f"url={site.url}"]
    words += [word for option in options for word in ("-s", option)]
    process = START.Process(target=_run, args=(words,))
    signal.pthread_sigmask(signal.SIG_BLOCK, CTRL_C)  # until both know what to do then
    process.start()
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, CTRL_C)
        process.join()
    except KeyboardInterrupt:
        process.terminate()  # it stores what it has, and gives back the lock
        process.join()
        raise
    if process.exitcode == 0:
        return ""
    with Store.open(settings.database) as store:
        return trouble_of(next(iter(store.runs.of_night(night, "crawl")), None), site)


def trouble_of(run: Run | None, site: Site) -> str:
    """Return what is wrong with a crawl that needs a look, by the run that it left."""
    if run is None or not (run.note or run.status == RunStatus.INTERRUPTED):
        return f"The crawl of {site.name} ended badly."
    if run.status == RunStatus.DONE:
        return run.note
    if not run.note:
        return f"The crawl of {site.name} was stopped; the next night goes on from there."
    return f"{site.url} could not be crawled: {run.note.rstrip('.')}."


def _run(words: list[str]) -> None:
    """Do what a command line says in this process, without a word, and end it."""
    os.setpgid(0, 0)  # ctrl-C is for the night, which ends us
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), STDOUT)
        os.dup2(nowhere.fileno(), STDERR)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, CTRL_C)
    gc.freeze()  # what is loaded stays: the collector need not look at it again and again
    execute(words)
