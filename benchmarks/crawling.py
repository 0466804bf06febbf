"""What storing, link policy and depth cost: flong's spider against bare ones.

`python -m benchmarks.crawling [SITE] [ROUNDS]`. All crawl the same site on loopback in turn,
with the same number of requests at a time and without waiting. The bare spiders use Scrapy's
own link extractor, dupefilter and queues and follow every link of the host to the same depth; one
keeps nothing, one stores the HTML in SQLite page by page. Printed are pages per second of the clock
and of the crawler's CPU.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.corpus import PROJECT, find_sites
from benchmarks.serving import served

DEPTH = 3
ENOUGH = 0.7
"""Share of the bare spider's speed that must be left."""

_SHARED = """
import json, resource, sqlite3, sys, time
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.utils.project import get_project_settings

def run(spider, settings, **arguments):
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(spider)
    before = resource.getrusage(resource.RUSAGE_SELF)
    begun = time.perf_counter()
    process.crawl(crawler, **arguments)
    process.start()
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    pages = crawler.stats.get_value("response_received_count")
    print(json.dumps({"pages": pages, "clock": time.perf_counter() - begun, "cpu": cpu}))

FAST = {"AUTOTHROTTLE_ENABLED": False, "DOWNLOAD_DELAY": 0, "LOG_LEVEL": "ERROR"}
"""

_FLONG = """
settings = get_project_settings()
settings.setdict({**FAST, "FLONG_DATABASE": sys.argv[2]}, priority="cmdline")
run("site", settings, url=sys.argv[1], depth=sys.argv[3], learn="0")
"""

_BARE = """
from scrapy import Spider
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor

class BareSpider(Spider):
    name = "bare"

    def __init__(self, url):
        super().__init__()
        self.start_urls = [url]
        self.links = LinkExtractor(allow_domains=[url.split("/")[2]])
        self.database = sqlite3.connect(sys.argv[2]) if sys.argv[2] else None
        if self.database:
            self.database.execute("CREATE TABLE pages (url TEXT PRIMARY KEY, html TEXT)")

    def parse(self, response):
        if isinstance(response, HtmlResponse):
            if self.database:
                row = response.url, response.text
                self.database.execute("INSERT OR REPLACE INTO pages VALUES (?, ?)", row)
                self.database.commit()
            for link in self.links.extract_links(response):
                yield response.follow(link)

run(BareSpider, {
    **FAST,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
    "DEPTH_LIMIT": int(sys.argv[3]),
    "DEPTH_PRIORITY": 1,
    "ROBOTSTXT_OBEY": True,
    "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
    "TELNETCONSOLE_ENABLED": False,
}, url=sys.argv[1])
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """One crawl."""

    pages: int
    """Answers received."""
    clock: float
    """Seconds from the first request to the last page stored."""
    cpu: float
    """Seconds of CPU of the crawler."""


def measure(script: str, url: str, database: str) -> Speed:
    """Crawl once in a fresh process."""
    command = [sys.executable, "-c", _SHARED + script, url, database, str(DEPTH)]
    done = subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)  # noqa: S603 - ours
    return Speed(**json.loads(done.stdout))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratios:
    """Pages a second of flong's spider, as multiples of those of another."""

    clock: float
    """By the clock."""
    cpu: float
    """By the crawler's CPU."""


def compare(name: str, rounds: int) -> dict[str, Ratios]:
    """Crawl a site some times with each spider; return the medians against each bare one."""
    found: dict[str, list[Speed]] = {"bare": [], "storing": [], "flong": []}
    with served(find_sites([name])[0]) as url, tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            file = f"{Path(folder) / str(number)}"
            found["bare"].append(measure(_BARE, url, ""))
            found["storing"].append(measure(_BARE, url, f"{file}-bare.db"))
            found["flong"].append(measure(_FLONG, url, f"sqlite:///{file}.db"))
            for label, speeds in found.items():
                print(f"{label:8}{_shown(speeds[-1])}")
    return {
        label: Ratios(
            clock=statistics.median(map(_clock_ratio, found["flong"], found[label])),
            cpu=statistics.median(map(_cpu_ratio, found["flong"], found[label])),
        )
        for label in ("bare", "storing")
    }


def _shown(speed: Speed) -> str:
    per_cpu = f"{speed.pages / speed.cpu:6.1f} pages per CPU second"
    return f"{speed.pages:6} pages {speed.pages / speed.clock:6.1f} pages/s, {per_cpu}"


def _clock_ratio(one: Speed, other: Speed) -> float:
    return one.pages / one.clock / (other.pages / other.clock)


def _cpu_ratio(one: Speed, other: Speed) -> float:
    return one.pages / one.cpu / (other.pages / other.cpu)


def main() -> int:
    """Print all speeds and their ratios; fail if that to the barest spider is too low."""
    name, rounds = (*sys.argv[1:], *("okcfreepress", "3")[len(sys.argv) - 1 :])
    ratios = compare(name, int(rounds))
    for label, ratio in ratios.items():
        print(f"flong / {label}: {ratio.clock:.2f} by the clock, {ratio.cpu:.2f} by CPU")
    return 0 if ratios["bare"].clock >= ENOUGH else 1


if __name__ == "__main__":
    sys.exit(main())
