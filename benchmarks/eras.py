"""Accuracy on hosts whose articles have two templates, as after a redesign.

    python -m benchmarks.eras
    python -m benchmarks.eras --pairs malilive+inkuru,mysaline+ucfnews

Each pair of sites is read as one host with two eras. The model is learned from `LEARNED` pages,
half of them from each era; or one tenth from the second era; or none. Printed for each era is the
fraction of its articles that are correct, by the definition of `benchmarks.few_pages`, and the
number of other pages that are taken for articles; first for a model of that era's site, then for
each mix.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import mean
from urllib.parse import urlsplit

from benchmarks.corpus import CorpusPage, CorpusSite, find_sites
from benchmarks.methods import NOW, Half
from benchmarks.scoring import FoundArticle, score
from flong.page import Anchor
from flong.patterns import ExtractionModel
from flong.site import learn_pages
from flong.tree import SitePage, build_tree

PAIRS = (
    "okcfreepress+sportsofboston",
    "anoninsiders+insertcredit",
    "macsfera+noventaminutos",
    "paraguayos+macsfera",
    "subjectpoker+linuxgazette",
    "opstime+120minuten",
    "tableless+f1blog",
    "malilive+inkuru",
    "mysaline+ucfnews",
    "wechange+rubima",
)
"""Newer and older era of each host."""
LEARNED = 100
"""Pages that a model is learned from."""
JUDGED = 60
"""Articles that are judged per era, and as many other pages."""
SHARES = {"alone": 1.0, "half": 0.5, "tenth": 0.1, "none": 0.0}
"""Share of the second era in the pages that are learned from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Era:
    """The pages of one site, at addresses of the common host."""

    site: CorpusSite
    """The site."""
    pages: list[SitePage]
    """Its pages, in the order in which they are learned."""
    judged: list[CorpusPage]
    """Articles and other pages that are judged."""
    anchors: dict[str, list[Anchor]]
    """Anchor texts of each page, by URL."""
    linking: int
    """Pages whose links were read."""

    @classmethod
    def of(cls, site: CorpusSite) -> "Era":
        """Read a site."""
        half = Half.whole(site)
        judged = []
        for kind in ("article", "other"):
            judged += [page for page in half.judged if page.kind == kind][-JUDGED:]
        return cls(
            site=site,
            pages=[read_page(site, page) for page in half.learning[:LEARNED]],
            judged=judged,
            anchors={move(site, url): said for url, said in half.anchors.items()},
            linking=half.linking,
        )

    def score(self, model: ExtractionModel) -> tuple[float, int]:
        """Return the fraction of correct articles, and the number of wrong ones."""
        found: dict[str, FoundArticle | None] = {}
        for page in self.judged:
            moved = read_page(self.site, page)
            article = model.read(moved, self.anchors.get(moved.url, ()), NOW).news
            found[page.path] = FoundArticle(article.title, article.body) if article else None
        figures, _ = score(self.site.truth, found, self.site.other, self.site.captions)
        wrong = sum(path in self.site.other for path, article in found.items() if article)
        return figures.correct, wrong


def move(site: CorpusSite, url: str) -> str:
    """Return the address that a page of a site has on the common host."""
    return f"http://eras.example/{site.slug}{urlsplit(url).path}"


def read_page(site: CorpusSite, page: CorpusPage) -> SitePage:
    """Parse a page, at its address on the common host."""
    return SitePage(url=move(site, page.url), tree=build_tree(page.html))


def learn(new: Era, old: Era, share: float) -> ExtractionModel:
    """Learn a host from pages of two eras; `share` of them are of the older one."""
    count = round(share * LEARNED)
    parts = [(era, n) for era, n in ((new, LEARNED - count), (old, count)) if n]
    anchors: Mapping[str, list[Anchor]] = dict(
        chain.from_iterable(era.anchors.items() for era, _ in parts)
    )
    _, model = learn_pages(
        [page for era, n in parts for page in era.pages[:n]],
        anchors,
        linking_pages=sum(era.linking for era, _ in parts),
    )
    return model


def main(arguments: Sequence[str] | None = None) -> int:
    """Print two rows per pair, and the means."""
    parser = argparse.ArgumentParser(prog="benchmarks.eras", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--pairs", default=",".join(PAIRS), help="NEW+OLD, separated by commas")
    options = parser.parse_args(arguments)
    pairs = [pair.split("+") for pair in options.pairs.split(",")]
    sites = {site.slug: site for site in find_sites(list(chain.from_iterable(pairs)))}
    if not sites:
        print("No sites found. Set FLONG_SITES.", file=sys.stderr)
        return 2
    print(f"{'era':<30}" + "".join(f"{name:>12}" for name in SHARES))
    rows = []
    for pair in pairs:
        new, old = (Era.of(sites[name]) for name in pair)
        models = [learn(new, old, share) for share in SHARES.values()]
        # The first column of the newer era is the model without the older one.
        for era, used in ((new, [models[-1], *models[1:]]), (old, models)):
            row = [era.score(model) for model in used]
            rows.append(row)
            name = f"{'new' if era is new else 'old'} {era.site.slug}"
            print(f"{name:<30}" + "".join(f"{c:>8.3f} {w:>3}" for c, w in row), flush=True)
    for name, some in (("new", rows[::2]), ("old", rows[1::2])):
        cells = [
            (mean(c for c, _ in column), sum(w for _, w in column))
            for column in zip(*some, strict=True)
        ]
        print(f"{'mean, ' + name:<30}" + "".join(f"{c:>8.3f} {w:>3}" for c, w in cells))
    return 0


if __name__ == "__main__":
    sys.exit(main())
