"""The crawl of a night, in a process of its own: a reactor starts only once."""

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from storage import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlSettings:
    """How crawls are started."""

    database: str
    """Address of the database."""
    options: Sequence[str] = ()
    """Settings of the command line, `NAME=VALUE` each."""


def crawl(site: Site, settings: CrawlSettings) -> str:
    """Crawl a site as `scrapy crawl site` does; return what went wrong, empty if nothing did."""
    options = [word for option in (*settings.options, "FLONG_EXTRACT=0") for word in ("-s", option)]
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "scrapy", "crawl", "site", "-a", f"url={site.url}", *options],
        env={**os.environ, "FLONG_DATABASE": settings.database},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return ""
    said = [line for line in done.stderr.splitlines() if line.startswith("flong: ")]
    return said[-1].removeprefix("flong: ") if said else f"The crawl of {site.name} ended badly."
