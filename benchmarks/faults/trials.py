"""One mutated page after the other, as a worker reads them."""

import os
from dataclasses import dataclass
from pathlib import Path
from time import process_time

from crawler import Scope, page_links
from pipeline.reader import Document, Reader


@dataclass(frozen=True, slots=True)
class Trial:
    """One mutated page."""

    number: int
    site: int
    document: Document


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it."""

    verdict: str
    seconds: float
    megabytes: float


@dataclass(frozen=True, slots=True)
class Bench:
    """What the worker needs."""

    sites: tuple[tuple[str, Reader], ...]

    def run(self, trial: Trial) -> Outcome:
        """Read one page in every way there is."""
        begun = process_time()
        home, reader = self.sites[trial.site]
        page_links(trial.document.html, trial.document.url, Scope.of(home))
        found = reader.read(trial.document)
        verdict = f"{found.extraction.verdict}{' (partial)' * found.partial}"
        return Outcome(verdict, process_time() - begun, resident_megabytes("self"))


def resident_megabytes(process: int | str) -> float:
    """Return the memory that a process has now, where the system says so."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except OSError:
        return 1.0
    return pages * os.sysconf("SC_PAGESIZE") / 1e6
