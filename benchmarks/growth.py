"""How time, memory and database grow with the pages of a site, on the whole path.

    python -m benchmarks.growth [SITE] [--sizes N ...] [--figure FILE]

Pages are synthesised from a site's real ones: each differs from it by up to three blocks and has a
URL of its own. They are stored, learned and extracted by the real commands; times are of the
processor, all processes added up, memory is the most that the processes of a command have together.
The exponent is the slope of log time over log size since the row before: 1 is linear.
"""

import argparse
import math
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time

from benchmarks.corpus import CorpusSite, find_sites
from flong.page import Page

SIZES = [5_000, 20_000, 100_000]


def exponent(sizes: Sequence[float], times: Sequence[float]) -> float:
    """Return the slope of log time over log size between the first and the last: 1 is linear.

    >>> exponent([1, 10], [3, 300])
    2.0
    """
    return round(math.log(times[-1] / times[0]) / math.log(sizes[-1] / sizes[0]), 2)


def synthesised(site: CorpusSite, count: int) -> Iterator[Page]:
    """Yield so many pages made of those of a site, with their links."""
    from benchmarks.speed_learning import pages_of  # noqa: PLC0415 - loads the pipeline
    from benchmarks.speed_scale import synthesise  # noqa: PLC0415

    real = pages_of(site, 1000)
    for number, html in enumerate(synthesise([page.html for page in real], count)):
        page = real[number % len(real)]
        again = number // len(real)
        url = f"{page.url}?again={again}" if again else page.url
        yield Page(url=url, html=html, fetched_at=page.fetched_at, links=page.links)


def measure_growth(site: CorpusSite, sizes: Sequence[int]) -> list[dict[str, object]]:
    """Return a row for each number of pages, smallest first."""
    rows: list[dict[str, object]] = []
    totals: list[float] = []
    for size in sizes:
        row = _measure(site, size)
        totals.append(sum(float(str(row[f"{name} s"])) for name in ("store", "learn", "extract")))
        if rows:
            row["exponent"] = exponent(sizes[len(rows) - 1 : len(rows) + 1], totals[-2:])
        rows.append(row)
    return rows


def _measure(site: CorpusSite, size: int) -> dict[str, object]:
    """Store, learn and extract so many pages."""
    from benchmarks.memory import fill, peak  # noqa: PLC0415 - loads the pipeline

    with tempfile.TemporaryDirectory() as folder:
        file, raw = Path(folder, "growth.db"), _Weighed()
        begun = process_time()
        fill(f"sqlite:///{file}", raw.passed(site, size))
        storing = process_time() - begun
        learn, extract = (peak(name, f"sqlite:///{file}") for name in ("learn", "extract"))
        stored = file.stat().st_size
    return {
        "pages": size,
        "store s": storing,
        "learn s": learn.processor,
        "extract s": extract.processor,
        "exponent": None,
        "learn MB": learn.megabytes,
        "extract MB": extract.megabytes,
        "raw MB": raw.octets / 1e6,
        "raw / database": raw.octets / stored,
    }


class _Weighed:
    """Counts the bytes of pages that pass."""

    octets = 0

    def passed(self, site: CorpusSite, count: int) -> Iterator[Page]:
        for page in synthesised(site, count):
            self.octets += len(page.html.encode("utf-8", "replace"))
            yield page


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row for each number of pages."""
    from benchmarks.speed import show  # noqa: PLC0415 - draws figures, too

    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.growth",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("site", nargs="?", default="f1blog", metavar="SITE")
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES, metavar="N")
    parser.add_argument("--figure", type=Path, metavar="FILE", help="draw the curves, as SVG")
    options = parser.parse_args(arguments)
    [site] = find_sites([options.site])
    rows = measure_growth(site, sorted(options.sizes))
    show(f"Pages made of those of {site.slug}", rows)
    if options.figure is not None:
        from benchmarks.speed_figures import draw_growth  # noqa: PLC0415 - loads matplotlib

        draw_growth(rows, options.figure)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
