"""An article of one site in the clothes of another: its words inside the other's page."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lxml import etree
from lxml.html import HtmlElement, HTMLParser, document_fromstring, tostring

from benchmarks.corpus import ArticleTruth, CorpusSite
from flong.text import fold_text

MOST = 30
"""Pages of a site that serve as clothes, so that what surrounds an article differs."""
WHOLE = 0.8
"""Share of the lines of its article that the body of a page must hold to be of use."""
INLINE = frozenset("a abbr b cite code em font i q small span strong sub sup u".split())
_DATED = ("article:published_time", "article:modified_time", "og:updated_time")


@dataclass(frozen=True, slots=True)
class Clothes:
    """A page whose article can be taken out."""

    html: str
    """The document."""
    truth: ArticleTruth
    """What its article is."""


def wardrobe(site: CorpusSite) -> list[Clothes]:
    """Return pages of a site in which another article can be put."""
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
    """Return the page of an article, made of another page: its title, its text, its links.

    >>> old = Clothes("<body><h1>Old</h1><div><p>One old line.</p></div><a href=x>y</a>",
    ...               Truth(title="Old", body="One old line."))
    >>> dress(Truth(title="New", body="Other words."), "<a href=/z>z</a>", "new", old).decode()
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
    """Return the elements that hold the lines of an article; none if too few are found."""
    lines = {fold_text(line) for line in truth.body.split("\n")} - {""}
    found: dict[str, HtmlElement] = {}
    for element in page.iter(etree.Element):
        if element.tag not in INLINE:
            text = fold_text("".join(map(str, element.itertext())))
            if text in lines:
                found[text] = element  # the innermost comes last
    return list(found.values()) if len(found) >= WHOLE * len(lines) else []


def _replace_body(places: Sequence[HtmlElement], lines: Iterable[str]) -> None:
    """Put lines where others are, as paragraphs."""
    first = places[0]
    around, at = first.getparent(), first.getparent().index(first)
    for place in places:
        place.drop_tree()
    for line in reversed([line for line in lines if line.strip()]):
        paragraph = around.makeelement("p")
        paragraph.text = line
        around.insert(at, paragraph)


def _replace_title(page: HtmlElement, old: str, new: str) -> None:
    """Put a title in the place of another, wherever that stands alone or in the head."""
    folded = fold_text(old)
    for element in list(page.iter(etree.Element)):
        if element.tag == "title":
            element.text = (element.text or "").replace(old, new) if old in element.text else new
        elif element.tag == "meta" and old in (element.get("content") or ""):
            element.set("content", element.get("content").replace(old, new))
        elif fold_text("".join(map(str, element.itertext()))) == folded and not len(element):
            element.text = new


def _replace_metadata(page: HtmlElement, truth: ArticleTruth, path: str) -> None:
    """Let the head speak of the article: URL, summary, date; drop what else it says."""
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
    """Let the links of a page lead to these, in turn, so that all of them can be reached."""
    links = [link for link in page.iter("a") if link.get("href")]
    for at, link in enumerate(links):
        link.set("href", addresses[at % len(addresses)] if addresses else "#")
    for address in addresses[len(links) :]:
        page.append(link := page.makeelement("a", href=address))
        link.text = "More"
