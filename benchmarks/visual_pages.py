"""Pages of the corpus as a browser lays them out, kept outside the project.

The looks of the sites (style sheets, picture sizes) are in `FLONG_LOOKS`, else in `../shared/looks`
beside the project, as directories or as `SLUG.tar.xz`.
"""

import gzip
import json
import os
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from benchmarks.corpus import PROJECT, CorpusSite, cache_folder
from benchmarks.methods import Half, extract_half, learn_half
from benchmarks.scoring import FoundArticle
from flong.tree import Tree, build_tree
from flong.visual import BlockTree
from flong.visual.browser import Browser, RenderingError, Resource, Resources, no_resources

ARTICLES, OTHERS = 24, 12
"""Maximum pages of a site that are laid out."""
LEARNED = 120
"""Number of pages that flong learns before its articles serve as labels."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LaidOutPage:
    """A page of the corpus with its blocks."""

    path: str
    """Path in the truth."""
    url: str
    """Its URL."""
    tree: Tree
    """The page."""
    blocks: BlockTree
    """Visual blocks."""


def looks_folder(site: CorpusSite) -> Path | None:
    """Return the folder with style sheets and picture sizes of a site, or None."""
    folder = Path(os.environ.get("FLONG_LOOKS") or PROJECT.parent / "shared" / "looks")
    if (folder / site.slug).is_dir():
        return folder / site.slug
    archive, target = folder / f"{site.slug}.tar.xz", cache_folder() / "looks"
    if not archive.is_file():
        return None
    if not (target / site.slug / "images.json").is_file():
        target.mkdir(parents=True, exist_ok=True)
        with tarfile.open(archive) as tar:
            tar.extractall(target, filter="data")
    return target / site.slug


def looks_of(site: CorpusSite) -> Resources:
    """Return the style sheets of a site, and blank pictures of the original sizes."""
    folder = looks_folder(site)
    if folder is None:
        return no_resources
    sizes = json.loads((folder / "images.json").read_text())
    sheets = {
        path.relative_to(folder / "css").as_posix(): path
        for path in (folder / "css").rglob("*")
        if path.is_file()
    }
    base = json.loads((site.folder / "site.json").read_text()).get("base", "")

    def find(url: str) -> Resource | None:
        parts = urlsplit(url)
        if parts.hostname not in site.hosts:
            return None
        path = unquote(parts.path, errors="replace").removeprefix(base).strip("/")
        if path in sheets:
            return Resource("text/css", sheets[path].read_bytes())
        if path in sizes:
            width, height = sizes[path]
            blank = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"/>'
            return Resource("image/svg+xml", blank.encode())
        return None

    return find


def chosen_paths(site: CorpusSite) -> list[str]:
    """Return the fixed choice of pages of a site that are laid out."""
    kinds = {"article": ARTICLES, "other": OTHERS}
    return [
        path
        for kind, most in kinds.items()
        for path in [path for path in site.paths if site.kind(path) == kind][:most]
    ]


def laid_out_pages(site: CorpusSite, *, styled: bool = True) -> Iterator[LaidOutPage]:
    """Yield pages of a site with their blocks; the layout is cached."""
    kept = cache_folder() / "blocks" / f"{site.slug}-{'styled' if styled else 'plain'}.json.gz"
    if not kept.is_file():
        rows = dict(_lay_out(site, looks_of(site) if styled else no_resources))
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(gzip.compress(json.dumps(rows).encode()))
    found = json.loads(gzip.decompress(kept.read_bytes()))
    for path in chosen_paths(site):
        if path in found:
            page = site.page(path)
            blocks = BlockTree.from_lists(found[path])
            yield LaidOutPage(path=path, url=page.url, tree=build_tree(page.html), blocks=blocks)


def template_articles(site: CorpusSite) -> dict[str, FoundArticle]:
    """Return flong's articles on the pages that are laid out, by path; the result is cached.

    flong learns the site from other pages, too, without the truth.
    """
    kept = cache_folder() / "learned" / f"{site.slug}-{LEARNED}.json"
    if not kept.is_file():
        half = Half.whole(site, LEARNED)
        judged = replace(half, judged=[site.page(path) for path in chosen_paths(site)])
        results = extract_half(judged, learn_half(half))
        rows = {path: [one.title, one.body] for path, one in results.found.items() if one}
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(rows))
    return {path: FoundArticle(*row) for path, row in json.loads(kept.read_text()).items()}


def _lay_out(site: CorpusSite, resources: Resources) -> Iterator[tuple[str, list[list[float]]]]:
    with Browser(resources=resources) as browser:
        for path in chosen_paths(site):
            page = site.page(path)
            try:
                blocks = browser.blocks(page.url, page.html, build_tree(page.html))
            except RenderingError as error:
                print(error)
                continue
            yield path, blocks.rows.tolist()
