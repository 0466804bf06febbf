"""Real sites redesigned overnight: their articles in the template of another real site.

`python -m benchmarks.redesign [SITE:OTHER ...]`. On night 1 a site is unchanged. On night 2 its
article pages are those of the other site, filled with its own titles, texts, dates and links; night
3 is equal to night 2. After each night the fraction of stored and correct articles (title equal,
body F1 at least 0.9), the exit code, the report, and the number of articles that are no longer
correct are printed.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lxml import etree
from lxml.html import HtmlElement, HTMLParser, document_fromstring, tostring

from benchmarks.corpus import PROJECT, ArticleTruth, CorpusSite, find_sites
from benchmarks.scoring import body_f1
from benchmarks.serving import AT_ONCE, served
from flong.storage import Store
from flong.text import fold_text

PAIRS = ("malilive:opstime", "opstime:noventaminutos", "noventaminutos:malilive")
RIGHT = 0.9
MOST = 30
"""Maximum number of pages of a site that serve as templates."""
WHOLE = 0.8
"""Minimum fraction of an article's lines that must be found in its page."""
INLINE = frozenset("a abbr b cite code em font i q small span strong sub sup u".split())
_DATED = ("article:published_time", "article:modified_time", "og:updated_time")


def night(database: str) -> tuple[int, dict[str, list[dict[str, str]]]]:
    """Run a night; return its exit code and its report."""
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "scrapy", "nightly", "--json", *AT_ONCE],
        cwd=PROJECT,
        env={**os.environ, "FLONG_DATABASE": database},
        stdout=subprocess.PIPE,
        check=False,
    )
    return done.returncode, json.loads(done.stdout)


def correct(site: CorpusSite, url: str, database: str) -> set[str]:
    """Return the stored articles that are right, by path."""
    right = set()
    with Store.open(database) as store:
        for row in store.articles.all():
            address = row.article.url.replace(url.rstrip("/"), f"http://{site.hosts[0]}")
            path = site.resolve(address)
            truth = site.truth.get(path or "")
            if path is not None and truth is not None:
                same = fold_text(truth.title) == fold_text(row.article.title)
                if same and body_f1(truth.body, row.article.body) >= RIGHT:
                    right.add(path)
    return right


def redesign(site: CorpusSite, other: CorpusSite) -> int:
    """Put the articles of a site into the pages of another one; return their number."""
    clothes = wardrobe(other)
    if not clothes:
        raise ValueError(f"no page of {other.slug} can be filled with another article")
    pages = [path for path in site.paths if path in site.truth]
    for at, path in enumerate(pages):
        html = dress(site.truth[path], site.page(path).html, path, clothes[at % len(clothes)])
        (site.folder / "www" / path).write_bytes(html)
    return len(pages)


def compare(original: CorpusSite, other: CorpusSite, folder: Path) -> None:
    """Process a site before and after its redesign, and print the results."""
    copy = folder / original.slug
    shutil.copytree(original.folder, copy)
    site = CorpusSite(copy)
    database = f"sqlite:///{folder}/{site.slug}.db"
    print(f"{site.slug} in the clothes of {other.slug}", flush=True)
    with served(site) as url:
        with Store.open(database) as store:
            store.sites.add(url)
        right: set[str] = set()
        for number in (1, 2, 3):
            if number == 2:
                print(f"  {redesign(site, other)} pages redesigned")
            code, report = night(database)
            now = correct(site, url, database)
            print(
                f"  night {number}: exit code {code}, {len(now)} of {len(site.truth)} correct "
                f"({len(now) / len(site.truth):.1%}), {len(right - now)} no longer"
            )
            for sentence in (finding["sentence"] for finding in report["findings"]):
                print(f"    {sentence}", flush=True)
            right = now


@dataclass(frozen=True, slots=True)
class Clothes:
    """A page whose article can be replaced."""

    html: str
    """The document."""
    truth: ArticleTruth
    """Truth of its article."""


def wardrobe(site: CorpusSite) -> list[Clothes]:
    """Return pages of a site whose article can be replaced."""
    found = []
    for path in site.paths:
        if path in site.truth:
            clothes = Clothes(site.page(path).html, site.truth[path])
            if _body_lines(_parsed(clothes.html), clothes.truth):
                found.append(clothes)
        if len(found) == MOST:
            break
    return found


def dress(truth: ArticleTruth, html: str, path: str, clothes: Clothes) -> bytes:
    """Return an article inside the page of another one: its title, text, date and links.

    >>> old = Clothes("<body><h1>Old</h1><div><p>One old line.</p></div><a href=x>y</a>",
    ...               ArticleTruth(title="Old", body="One old line."))
    >>> new = ArticleTruth(title="New", body="Other words.")
    >>> dress(new, "<a href=/z>z</a>", "new", old).decode()
    '<html><body><h1>New</h1><div><p>Other words.</p></div><a href="/z">y</a></body></html>'
    """
    page = _parsed(clothes.html)
    _replace_body(_body_lines(page, clothes.truth), truth.body.split("\n"))
    _replace_title(page, clothes.truth.title, truth.title)
    _replace_metadata(page, truth, path)
    _replace_links(page, [str(link.get("href")) for link in _parsed(html).iter("a")])
    return bytes(tostring(page, encoding="utf-8"))


def _parsed(html: str) -> HtmlElement:
    parser = HTMLParser(encoding="utf-8", remove_comments=True)
    return document_fromstring(html.encode("utf-8", "replace"), parser=parser)


def _body_lines(page: HtmlElement, truth: ArticleTruth) -> list[HtmlElement]:
    """Return the elements with the lines of an article; empty if too few are found."""
    lines = {fold_text(line) for line in truth.body.split("\n")} - {""}
    found: dict[str, HtmlElement] = {}
    for element in page.iter(etree.Element):
        if element.tag not in INLINE:
            text = fold_text("".join(map(str, element.itertext())))
            if text in lines:
                found[text] = element  # the innermost comes last
    return list(found.values()) if len(found) >= WHOLE * len(lines) else []


def _replace_body(places: Sequence[HtmlElement], lines: Iterable[str]) -> None:
    """Replace lines by others, as paragraphs."""
    first = places[0]
    around, at = first.getparent(), first.getparent().index(first)
    for place in places:
        place.drop_tree()
    for line in reversed([line for line in lines if line.strip()]):
        paragraph = around.makeelement("p")
        paragraph.text = line
        around.insert(at, paragraph)


def _replace_title(page: HtmlElement, old: str, new: str) -> None:
    """Replace a title by another in the head and where it is the whole text of an element."""
    folded = fold_text(old)
    for element in list(page.iter(etree.Element)):
        if element.tag == "title":
            element.text = (element.text or "").replace(old, new) if old in element.text else new
        elif element.tag == "meta" and old in (element.get("content") or ""):
            element.set("content", element.get("content").replace(old, new))
        elif fold_text("".join(map(str, element.itertext()))) == folded and not len(element):
            element.text = new


def _replace_metadata(page: HtmlElement, truth: ArticleTruth, path: str) -> None:
    """Set URL, summary and date of the article in the head; remove other metadata."""
    for element in list(page.iter("script", "link", "meta", "time", "base")):
        kind = element.get("property") or element.get("name") or element.get("rel") or ""
        if element.tag in ("script", "base") or kind in ("shortlink", "alternate", "next", "prev"):
            element.drop_tree()
        elif kind in ("canonical", "og:url"):
            element.set("href" if element.tag == "link" else "content", f"/{path}")
        elif kind.endswith("description"):
            element.set("content", truth.body[:150])
        elif truth.published and (kind in _DATED or element.tag == "time"):
            element.set("content" if element.tag == "meta" else "datetime", truth.published)


def _replace_links(page: HtmlElement, addresses: Sequence[str]) -> None:
    """Let the links of a page lead to these URLs in turn, so that all can be reached."""
    links = [link for link in page.iter("a") if link.get("href")]
    for at, link in enumerate(links):
        link.set("href", addresses[at % len(addresses)] if addresses else "#")
    for address in addresses[len(links) :]:
        page.append(link := page.makeelement("a", href=address))
        link.text = "More"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a paragraph for each pair of sites."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.redesign",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "pairs", nargs="*", metavar="SITE:OTHER", help=f"default: {' '.join(PAIRS)}"
    )
    options = parser.parse_args(arguments)
    sites = {site.slug: site for site in find_sites()}
    if not sites:
        print("There are no sites: set FLONG_SITES.", file=sys.stderr)
        return 2
    for pair in options.pairs or PAIRS:
        one, other = (sites[name] for name in pair.split(":"))
        with tempfile.TemporaryDirectory() as folder:
            compare(one, other, Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
