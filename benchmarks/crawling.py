"""What storing, link policy and depth cost: flong's spider against one that only follows links.

`python -m benchmarks.crawling [SITE] [ROUNDS]`. Both crawl the same site on loopback in turn,
with the same number of requests at a time and without waiting. The bare spider uses Scrapy's
own link extractor, dupefilter and queues, follows every link of the host to the same depth,
and keeps nothing. Printed are pages per second of the clock and of the crawler's CPU.
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
import json, resource, sys, time
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
run("site", settings, url=sys.argv[1], depth=sys.argv[3])
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

    def parse(self, response):
        if isinstance(response, HtmlResponse):
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


def main() -> int:
    """Print both speeds and their ratio; fail if it is too low."""
    name, rounds = (*sys.argv[1:], *("okcfreepress", "3")[len(sys.argv) - 1 :])
    ratios, cpu_ratios = [], []
    with served(find_sites([name])[0]) as url, tempfile.TemporaryDirectory() as folder:
        for number in range(int(rounds)):
            database = f"sqlite:///{Path(folder) / str(number)}.db"
            bare, ours = measure(_BARE, url, ""), measure(_FLONG, url, database)
            for label, speed in (("bare", bare), ("flong", ours)):
                per_second = f"{speed.pages / speed.clock:6.1f} pages/s"
                per_cpu = f"{speed.pages / speed.cpu:6.1f} pages per CPU second"
                print(f"{label:6}{speed.pages:6} pages {per_second}, {per_cpu}")
            ratios.append(ours.pages / ours.clock / (bare.pages / bare.clock))
            cpu_ratios.append(ours.pages / ours.cpu / (bare.pages / bare.cpu))
    ratio = statistics.median(ratios)
    print(f"ratio: {ratio:.2f} by the clock, {statistics.median(cpu_ratios):.2f} by CPU")
    return 0 if ratio >= ENOUGH else 1


if __name__ == "__main__":
    sys.exit(main())
