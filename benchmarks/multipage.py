"""Joined stories of several pages, right and wrong, on the real sites.

usage: python -m benchmarks.multipage [--sites A,B] [--json]

The truth has a row for each page. A joined story is compared with the rows of its pages, in order.
It is wrong if their titles differ. A copy is wrong if its row has another text.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from benchmarks.corpus import CorpusSite, find_sites, reachable
from benchmarks.methods import NOW, Half, learn_half
from flong.joining import join_texts
from flong.page import Link
from flong.stages.joined_pages import decide
from flong.states import PageRole
from flong.storage import JoinedPage, ReadPage
from flong.text import fold_text, token_f1, words
from flong.tree import SitePage, build_tree


@dataclass(frozen=True, slots=True, kw_only=True)
class MultipageRow:
    """One site."""

    site: str
    """Its name."""
    articles: int
    """Pages that are articles."""
    stories: int
    """Stories of several pages."""
    pages: int
    """Pages of those."""
    copies: int
    """Copies of articles."""
    worst: float | None
    """F1 of the words of the worst joined story against its truth; None if none is known."""
    wrong: Sequence[str]
    """Pages that were joined wrongly."""


def measure(site: CorpusSite) -> MultipageRow:
    """Learn a site, extract it, join its pages."""
    pages = _read(site)
    rows = decide(pages)
    by_id = {page.page_id: page for page in pages}
    parts = [row for row in rows if row.role is PageRole.PAGE]
    scores = _scores(site, by_id, parts)
    return MultipageRow(
        site=site.slug,
        articles=len(pages),
        stories=len({row.article_id for row in parts}),
        pages=len(parts),
        copies=len(rows) - len(parts),
        worst=min(scores) if scores else None,
        wrong=[by_id[row.page_id].url for row in rows if _is_wrong(site, by_id, row)],
    )


def _read(site: CorpusSite) -> list[ReadPage]:
    """Return the articles of a site as stored after a crawl."""
    half, links = Half.whole(site), reachable(site)
    model = learn_half(half)
    found = []
    for number, page in enumerate(half.judged):
        tree = build_tree(page.html)
        anchors = half.anchors.get(page.url, ())
        read = SitePage(url=page.url, tree=tree)
        extraction = model.read(read, anchors, now=NOW)
        if extraction.article is not None:
            said: dict[str, str] = {}
            for path, text in links[page.path]:
                url = site.url(path)
                said[url] = said.get(url) or text
            found.append(
                ReadPage(
                    page_id=number,
                    url=page.url,
                    title=extraction.article.title,
                    canonical_url=extraction.article.canonical_url,
                    body=extraction.article.body,
                    published=extraction.article.published,
                    structure=extraction.article.structure,
                    pattern_id=extraction.pattern_id,
                    is_shown=True,
                    links=tuple(Link(url, text) for url, text in said.items()),
                )
            )
    return found


def _scores(
    site: CorpusSite, by_id: dict[int, ReadPage], parts: Sequence[JoinedPage]
) -> list[float]:
    """Return the F1 of each joined story against the truth of its pages."""
    scores = []
    for first in (row for row in parts if row.page_id == row.article_id):
        own = [row for row in parts if row.article_id == first.page_id]
        ids = [row.page_id for row in sorted(own, key=lambda row: row.position)]
        paths = [site.resolve(by_id[each].url) or "" for each in ids]
        if all(path in site.truth for path in paths):
            truth = "\n".join(site.truth[path].body for path in paths)
            found = join_texts([by_id[each].body for each in ids])
            scores.append(token_f1(words(truth), words(found)))
    return scores


def _is_wrong(site: CorpusSite, by_id: dict[int, ReadPage], row: JoinedPage) -> bool:
    """Return True if an article is not a part or copy of the story that it was joined to."""
    paths = [site.resolve(by_id[each].url) or "" for each in (row.page_id, row.article_id)]
    if paths[0] not in site.truth:
        return False
    if paths[1] not in site.truth:
        return True
    one, other = (site.truth[path] for path in paths)
    if row.role is PageRole.COPY:
        return token_f1(words(one.body), words(other.body)) < 0.9
    return fold_text(one.title) != fold_text(other.title)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.multipage", description=(__doc__ or "").strip()
    )
    parser.add_argument("--sites", default="", help="names of sites, separated by commas")
    parser.add_argument("--json", action="store_true", help="write a JSON object a line")
    args = parser.parse_args(arguments)
    sites = find_sites([name for name in args.sites.split(",") if name])
    if not sites:
        print("there is no corpus: set FLONG_SITES", file=sys.stderr)
        return 2
    for site in sites:
        row = measure(site)
        if args.json:
            print(json.dumps(asdict(row)), flush=True)
            continue
        worst = "" if row.worst is None else f", body F1 of the worst {row.worst:.3f}"
        print(
            f"{row.site}: {row.articles} articles, {row.stories} stories of {row.pages} pages"
            f"{worst}, {row.copies} copies, {len(row.wrong)} wrong",
            *row.wrong,
            sep="\n  ",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
