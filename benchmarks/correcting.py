"""What one correction mends on real sites with a known error: `python -m benchmarks.correcting`.

usage: python -m benchmarks.correcting [--sites A,B] [--errors] [--folder FOLDER]

A site is loaded, learned and extracted with the real commands. Then somebody looks at one wrong
page, says what is right by clicking one line of it, sees what would change, and saves; the site is
learned with that and its pages are read again. All articles of the truth are judged before and
after. `--errors` lists the wrong pages instead.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.corpus import CorpusSite, find_sites
from benchmarks.scoring import FoundArticle, PageScore, score
from benchmarks.screenshots import command
from flong.inspector.correction import CorrectionView, What, propose, view_correction
from flong.inspector.database import ReadOnlyDatabase
from flong.inspector.examined_pages import ExaminedPages
from flong.stages.learning import apply_corrections
from flong.stages.learning_settings import LearningSettings
from flong.storage import ArticleChoice, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Click:
    """What is said of one line of one page."""

    path: str
    """The page."""
    what: What
    """What the line is."""
    text: str
    """How it begins."""


KNOWN: Mapping[str, Sequence[Click]] = {
    "kalyazin": (
        Click(path="sovety/index.html", what="none", text=""),
        Click(path="idei-turizma/index.html", what="none", text=""),
        Click(path="znakomstva/index.html", what="none", text=""),
    ),
    "linuxgazette": tuple(
        Click(path="148/okopnik.html", what="block", text=text)
        for text in ("Ben is the Editor", "Ben was born", "His subsequent", "He has been working")
    ),
}
"""Known errors of the sites, and by what they are corrected."""


@dataclass(frozen=True, slots=True)
class SiteRightness:
    """How right a site is."""

    correct: frozenset[str]
    """Articles of the truth with the right title and body."""
    pages: Mapping[str, PageScore]
    """All of them."""
    false: frozenset[str]
    """Pages that are certainly none and were taken for articles."""


def state_of(store: Store, site: CorpusSite) -> SiteRightness:
    """Judge what is stored of a site."""
    every = store.articles.chosen(ArticleChoice(every_page=True))
    taken = {site.resolve(row.article.url): row.article for row in every}
    looked = [site.resolve(url) for each in store.sites.all() for url in store.pages.urls(each)]
    found = {
        path: FoundArticle(taken[path].title, taken[path].body) if path in taken else None
        for path in looked
        if path is not None
    }
    _, pages = score(site.truth, found, site.other)
    return SiteRightness(
        correct=frozenset(page.path for page in pages if page.correct),
        pages={page.path: page for page in pages},
        false=frozenset(path for path in site.other if found.get(path) is not None),
    )


def click(store: Store, url: str, site: CorpusSite, said: Click) -> CorrectionView:
    """Keep a correction as the inspector does; return what it said beforehand."""
    with Store.open(url) as reading:
        database = ReadOnlyDatabase(reading)
        pages = ExaminedPages(database)
        page = store.pages.find(site.url(said.path)).id
        lines = view_correction(database, pages, page, said.what, None).lines
        place = next((line.place for line in lines if line.text.startswith(said.text)), None)
        view = view_correction(database, pages, page, said.what, place)
        found = propose(database, pages, page, said.what, place)
    if found.refusal:
        raise SystemExit(found.refusal)
    store.corrections.add(found.site, found.new)
    return view


def measure(site: CorpusSite, database: Path, *, errors: bool) -> None:
    """Print what the corrections of a site do, or what is wrong on it."""
    url = f"sqlite:///{database}"
    if not database.exists():
        command(database, "load", site.url("index.html"), str(site.folder / "www"))
        command(database, "learn")
        command(database, "extract")
    with Store.open(url) as store:
        before = state_of(store, site)
        print(f"{site.slug}: {len(before.correct)} of {len(before.pages)} articles are right,")
        print(f"  {len(before.false)} pages are wrongly taken for some")
        if errors:
            _list_errors(store, site, before)
            return
        for said in KNOWN[site.slug]:
            view = click(store, url, site, said)
            print(f"  {said.what}: {said.text!r} on {said.path}, found by {view.selector!r}:")
            print(f"    of {view.pages} pages {view.changed} change, {view.emptied} become empty")
        [known] = store.sites.all()
        print(f"  {apply_corrections(store, known, LearningSettings())[0]}")
        after = state_of(store, site)
    print(f"  mended: {len(after.correct - before.correct)}", end=", ")
    print(f"broken: {len(before.correct - after.correct)}", end=", ")
    print(f"wrongly taken: {len(before.false)} before, {len(after.false)} after")


def _list_errors(store: Store, site: CorpusSite, state: SiteRightness) -> None:
    [known] = store.sites.all()
    patterns = {row.page_id: row.pattern_id for row in store.extractions.of(known)}
    for path in sorted({*state.pages, *state.false} - state.correct):
        page = state.pages.get(path)
        pattern = patterns.get(store.pages.find(site.url(path)).id)
        wrong = f"title {page.title}, body {page.body:.2f}" if page else "no article"
        print(f"  pattern {pattern}: {path}: {wrong}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Load, learn and extract each site, correct it, print what came of it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.correcting", description=__doc__)
    parser.add_argument("--sites", default=",".join(KNOWN), help="names, separated by commas")
    parser.add_argument("--errors", action="store_true", help="list the wrong pages instead")
    parser.add_argument("--folder", type=Path, help="for databases to keep, or to use again")
    options = parser.parse_args(arguments)
    sites = find_sites(options.sites.split(","))
    if not sites:
        print("no sites: FLONG_SITES says where they are", file=sys.stderr)
        return 2
    with TemporaryDirectory() as folder:
        for site in sites:
            path = (options.folder or Path(folder)) / f"{site.slug}.db"
            measure(site, path.resolve(), errors=options.errors)
    return 0


if __name__ == "__main__":
    sys.exit(main())
