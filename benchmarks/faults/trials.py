"""Trials of mutated pages in a worker process."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import process_time

from flong.crawler import decode
from flong.document import Document
from flong.links import extract_links
from flong.patterns import PARTLY, ExtractionModel
from flong.urls import Scope

NOW = datetime(2030, 1, 1, tzinfo=UTC)
LINK_SECONDS = 5.0
"""Default of `FLONG_READ_SECONDS`."""


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
    """Result of a trial."""

    verdict: str
    seconds: float
    megabytes: float


@dataclass(frozen=True, slots=True)
class Bench:
    """Models of the sites, sent to the worker once."""

    sites: tuple[tuple[str, ExtractionModel], ...]

    def run(self, trial: Trial) -> TrialOutcome:
        """Read one page in every way, its links within the time limit of a crawl."""
        begun = process_time()
        home, model = self.sites[trial.site]
        html = decode(trial.body, trial.content_type).text
        extract_links(html, trial.url, Scope.of(home), seconds=LINK_SECONDS)
        data = html.encode(errors="replace")
        document = Document(page_id=trial.number, content_hash="", url=trial.url, data=data)
        found = model.read(document.page(), (), NOW)
        verdict = f"{found.verdict}{' (partial)' * found.reason.endswith(PARTLY)}"
        return TrialOutcome(verdict, process_time() - begun, resident_megabytes("self"))


def resident_megabytes(process: int | str) -> float:
    """Return the proportional memory of this process in megabytes.

    1 on systems that do not provide it.
    """
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 1.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024 / 1e6
