"""Exported selectors compared with flong's articles, on real sites.

usage: python -m benchmarks.recipes [--sites A,B] [--pages N] [--json]

At most N pages of each site, within three links of the home page, are learned from and read. One
recipe is made from all of them and judged on all, as `flong export --format recipe` does. Another
is made from one half and judged on the other. A site has class names if its recipe finds title and
text of most articles by a class or an id.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from benchmarks.corpus import CorpusSite, find_sites
from benchmarks.methods import NOW, Half, learn_half
from flong.patterns import Labels
from flong.recipes import ExamplePage, judge_recipe, learn_recipe
from flong.tree import SitePage, build_tree

PAGES = 200
"""Maximum pages of a site."""
FLOOR = 0.95
"""Minimum fraction of flong's articles that selectors find on sites with class names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecipeRow:
    """A site."""

    site: str
    """Its name."""
    named: bool
    """Title and text have class names."""
    templates: int
    """Templates of the recipe."""
    articles: int
    """Articles among its pages."""
    same: float
    """Fraction of them that the recipe finds."""
    unseen: float
    """The same for a recipe made from one half of the pages, on the other."""
    days: float | None
    """Fraction of known days of publication found; None without known days."""
    authors: float | None
    """Fraction of known authors found."""
    others: int
    """Other pages."""
    taken: int
    """Other pages on which it finds an article."""
    body: str
    """Selector of the text of most articles."""


def measure(site: CorpusSite, pages: int) -> RecipeRow | None:
    """Return the figures of a site's recipe, or None without a recipe."""
    read, labels = _read(site, pages)
    home = site.url("index.html")
    recipe = learn_recipe(site.slug, home, read, labels)
    half = learn_recipe(site.slug, home, read[::2], labels)
    if recipe is None or half is None:
        return None
    found = recipe.agreement
    largest = max(range(len(recipe.templates)), key=lambda at: recipe.by_template[at].articles)
    template = recipe.templates[largest]
    return RecipeRow(
        site=site.slug,
        named=_is_named(template.title.css) and _is_named(template.body),
        templates=len(recipe.templates),
        articles=found.articles,
        same=found.share,
        unseen=judge_recipe(half, read[1::2]).agreement.share,
        days=found.same_day / found.dated if found.dated else None,
        authors=found.same_authors / found.signed if found.signed else None,
        others=recipe.others,
        taken=recipe.taken,
        body=template.body,
    )


def _read(site: CorpusSite, pages: int) -> tuple[list[ExamplePage], dict[int, Labels]]:
    half = Half.whole(site, pages)
    model = learn_half(half)
    found = []
    for page in half.judged:
        tree = SitePage(url=page.url, tree=build_tree(page.html))
        said = half.anchors.get(page.url, ())
        read = model.read(tree, said, now=NOW)
        found.append(
            ExamplePage(url=page.url, html=page.html, article=read.news, pattern=read.pattern_id)
        )
    return found, {known.number: known.labels for known in model.patterns}


def _is_named(css: str) -> bool:
    return any(mark in css for mark in ".#[")


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"


def table(rows: Sequence[RecipeRow]) -> Iterator[str]:
    """Yield the lines of a table in Markdown."""
    yield (
        "| site | class names | templates | articles | the same | from half, on the other half"
        " | days | authors | others taken | text in |"
    )
    yield "|---|---|--:|--:|--:|--:|--:|--:|--:|---|"
    for row in rows:
        yield (
            f"| {row.site} | {'yes' if row.named else 'no'} | {row.templates} | {row.articles}"
            f" | {row.same:.1%} | {row.unseen:.1%} | {_percent(row.days)} | {_percent(row.authors)}"
            f" | {row.taken} of {row.others} | `{row.body}` |"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row for each site; fail if one with class names is below the floor."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recipes", description=__doc__)
    parser.add_argument("--sites", default="", help="names, separated by commas; all if none")
    parser.add_argument("--pages", type=int, default=PAGES, help=f"default: {PAGES}")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each site")
    options = parser.parse_args(arguments)
    sites = find_sites([name for name in options.sites.split(",") if name])
    if not sites:
        print("no sites: FLONG_SITES says where they are", file=sys.stderr)
        return 2
    rows = []
    for site in sites:
        row = measure(site, options.pages)
        if row is not None:
            rows.append(row)
            line = json.dumps(asdict(row)) if options.json else list(table([row]))[-1]
            print(line, flush=True)
    named = [row for row in rows if row.named]
    mean = sum(row.same for row in named) / max(len(named), 1)
    print(f"{len(named)} of {len(rows)} sites with class names: {mean:.1%}", file=sys.stderr)
    return int(any(row.same < FLOOR for row in named))


if __name__ == "__main__":
    sys.exit(main())
