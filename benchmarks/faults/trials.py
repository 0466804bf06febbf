"""One mutated page after the other, as a worker reads them."""

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import process_time

from crawler import decode
from learned import Document, LearnedSite
from links import Scope, extract_links

NOW = datetime(2030, 1, 1, tzinfo=UTC)
LINK_SECONDS = 5.0
"""What `FLONG_READ_SECONDS` is if nobody says otherwise."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One mutated page."""

    number: int
    site: int
    url: str
    body: bytes
    content_type: str


@dataclass(frozen=True, slots=True)
class TrialOutcome:
    """What came of it."""

    verdict: str
    seconds: float
    megabytes: float


@dataclass(frozen=True, slots=True)
class Bench:
    """What the worker needs."""

    sites: tuple[tuple[str, LearnedSite], ...]

    def run(self, trial: Trial) -> TrialOutcome:
        """Read one page in every way there is; its links in the time that a crawl gives."""
        begun = process_time()
        home, learned = self.sites[trial.site]
        html = decode(trial.body, trial.content_type).text
        extract_links(html, trial.url, Scope.of(home), seconds=LINK_SECONDS)
        data = html.encode(errors="replace")
        document = Document(page_id=trial.number, content_hash="", url=trial.url, data=data)
        found = learned.read(document.page(), (), NOW)
        verdict = f"{found.verdict}{' (partial)' * found.partial}"
        return TrialOutcome(verdict, process_time() - begun, resident_megabytes("self"))


def resident_megabytes(process: int | str) -> float:
    """Return the memory that a process has now, where the system says so."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except OSError:
        return 1.0
    return pages * os.sysconf("SC_PAGESIZE") / 1e6
