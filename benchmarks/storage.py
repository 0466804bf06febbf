"""What storing a page costs, and how small it becomes: `python -m benchmarks.storage [SLUG ...]`.

Real pages with their links go through `Store.pages.save` as a crawl brings them, are read
back, compacted and saved again. Times are those of this process's CPU.
"""

import argparse
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from benchmarks.corpus import CorpusSite, find_sites, links
from flong.packing import zstd
from flong.page import Link, Page
from flong.storage import Store

LEVELS = (1, 3, 5, 7, 9)
BATCH = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageFigures:
    """What was measured on one site."""

    pages: int
    """Number of pages."""
    kilobytes: float
    """Mean size of a page."""
    save: float
    """Milliseconds to store a new page."""
    again: float
    """Milliseconds to find a page unchanged."""
    read: float
    """Milliseconds to read and unpack a page."""
    plain: float
    """How many times smaller the pages are if each is packed alone."""
    crawled: float
    """How many times smaller pages and links are, as a crawl stores them."""
    compacted: float
    """How many times smaller after `compact`."""


def load(site: CorpusSite, limit: int) -> list[Page]:
    """Return pages of a site as a crawl would bring them."""
    found = []
    for path in islice(site.paths, limit):
        page = site.page(path)
        inside = {url: text for url, text in links(page) if site.resolve(url) and url != page.url}
        found.append(
            Page(
                url=page.url,
                html=page.html,
                fetched_at=datetime(2026, 1, 1, tzinfo=UTC),
                links=tuple(Link(url, text) for url, text in inside.items()),
            )
        )
    return found


def measure(pages: Sequence[Page], database: Path) -> StorageFigures:
    """Store, find again, read and compact the pages."""
    number = len(pages)
    data = [page.html.encode("utf-8", "replace") for page in pages]
    size = sum(map(len, data))
    with Store.open(f"sqlite:///{database}") as store:
        site = store.sites.add(pages[0].url)
        run = store.runs.start(site, "load")

        def save() -> float:
            begin = time.process_time()
            for start in range(0, number, BATCH):
                store.pages.save(site, run, pages[start : start + BATCH])
            return (time.process_time() - begin) * 1000 / number

        first, again = save(), save()
        begin = time.process_time()
        characters = sum(len(row.html) for row in store.pages.rows(site))
        read = (time.process_time() - begin) * 1000 / number
        assert characters  # noqa: S101 - what was measured has happened
        crawled = store.dictionaries.stored_bytes(site)
        store.dictionaries.compact(site)
        return StorageFigures(
            pages=number,
            kilobytes=size / number / 1000,
            save=first,
            again=again,
            read=read,
            plain=size / sum(len(zstd.compress(each, 3)) for each in data),
            crawled=size / crawled,
            compacted=size / store.dictionaries.stored_bytes(site),
        )


def compare_levels(pages: Sequence[Page]) -> None:
    """Print ratio and time of zstd alone and with a dictionary that it trained itself."""
    data = [page.html.encode("utf-8", "replace") for page in pages]
    trained = zstd.train_dict(data[:60], 110_000)
    rest = data[60:]
    for name, dictionary in (("alone", None), ("trained by zstd", trained)):
        for level in LEVELS:
            packer = zstd.ZstdCompressor(level=level, zstd_dict=dictionary)
            begin = time.process_time()
            packed = sum(len(packer.compress(each, packer.FLUSH_FRAME)) for each in rest)
            spent = (time.process_time() - begin) * 1000 / len(rest)
            ratio = sum(map(len, rest)) / packed
            print(f"    {name:>15}  level {level}  {ratio:5.1f} times  {spent:.2f} ms")


def main() -> None:
    """Measure the sites named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", nargs="*")
    parser.add_argument("--pages", type=int, default=500, help="pages of a site at most")
    parser.add_argument("--levels", action="store_true", help="compare compression levels too")
    arguments = parser.parse_args()
    print(
        f"{'site':<16}{'pages':>6}{'KB':>6}  ms: save again  read  times:  plain crawled compacted"
    )
    for site in find_sites(arguments.site):
        pages = load(site, arguments.pages)
        with tempfile.TemporaryDirectory() as folder:
            found = measure(pages, Path(folder) / "flong.db")
        print(
            f"{site.slug:<16}{found.pages:>6}{found.kilobytes:>6.0f}{found.save:>10.2f}"
            f"{found.again:>6.2f}{found.read:>6.2f}"
            f"{found.plain:>14.1f}{found.crawled:>8.1f}{found.compacted:>10.1f}"
        )
        if arguments.levels and len(pages) > 100:
            compare_levels(pages)


if __name__ == "__main__":
    main()
