"""Recipe formats: JSON, Scrapy spider, Fundus parser, FreshRSS and RSS-Bridge."""

import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pprint import pformat
from urllib.parse import urlencode, urlsplit

from lxml import etree

from flong.recipes import reader
from flong.recipes.documents import xpath_of
from flong.recipes.examples import SAME_BODY
from flong.recipes.recipe import Agreement, Place, Recipe, Template

Form = Callable[[Sequence[Recipe]], str]

SAME = (
    "the title has the same words in the same order, and the F1 of the words of the text"
    f" is {SAME_BODY} or more"
)
"""Definition of "same article", as written to files."""
_FRESHRSS = "https://freshrss.org/opml"
_LINKS = "a"
"""Fallback selector for article links."""


def write_json(recipes: Sequence[Recipe]) -> str:
    """Return recipes as JSON, with all their figures."""
    data = {
        "format": "flong-recipe",
        "version": 1,
        "rules": {
            "template": "the first whose only_if is there, with a title and a text",
            "element": "the first that a selector finds",
            "left_out": sorted(reader.LEFT_OUT),
            "inline": sorted(reader.RUNNING),
            "same": SAME,
        },
        "sites": [_site(one) for one in recipes],
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _site(recipe: Recipe) -> dict[str, object]:
    both = zip(recipe.templates, recipe.by_template, strict=True)
    return {
        "site": recipe.site,
        "url": recipe.url,
        "links": _both(recipe.links),
        **_figures(recipe.agreement),
        "other_pages": recipe.others,
        "other_pages_taken": recipe.taken,
        "templates": [_template(one, found) for one, found in both],
        "differences": [{"url": one.url, "why": one.why} for one in recipe.differences],
    }


def _template(template: Template, found: Agreement) -> dict[str, object]:
    return {
        "patterns": list(template.patterns),
        "only_if": _both(template.only_if),
        "title": _field(template.title),
        "body": {"css": template.body, "xpath": template.xpaths["body"]},
        "exclude": [_both(css) for css in template.exclude],
        "date": _field(template.date),
        "author": _field(template.author),
        **_figures(found),
    }


def _figures(found: Agreement) -> dict[str, object]:
    return {
        "articles": found.articles,
        "same": found.same,
        "share": round(found.share, 4),
        "dated": found.dated,
        "same_day": found.same_day,
        "signed": found.signed,
        "same_authors": found.same_authors,
    }


def _both(css: str) -> dict[str, str] | None:
    return {"css": css, "xpath": xpath_of(css)} if css else None


def _field(place: Place | None) -> dict[str, str | None] | None:
    if place is None:
        return None
    return {"css": place.css, "xpath": place.xpath, "attribute": place.attribute or None}


_SPIDER = '''
class {name}Spider(scrapy.Spider):
    """Follow the links of {site} to depth 3 and yield its articles."""

    name = {site!r}
    allowed_domains = [{host!r}]
    start_urls = [{url!r}]
    custom_settings = {{"DEPTH_LIMIT": 3, "DEPTH_PRIORITY": 1, "ROBOTSTXT_OBEY": True}}
    templates = {templates}

    def parse(self, response):
        if not isinstance(response, HtmlResponse):
            return
        article = read_article(response.selector.root, self.templates)
        if article is not None:
            yield {{"url": response.url, **article}}
        for link in LinkExtractor().extract_links(response):
            yield response.follow(TRACKING.sub("", link.url).rstrip("?&"), self.parse)
'''
_PARSER = '''
class {name}Parser(ParserProxy):
    """Parser for the articles of {site}."""

    class V1(BaseParser):
        _templates = {templates}

        def _article(self):
            return read_article(self.precomputed.doc, self._templates) or {{}}

        @attribute
        def title(self) -> Optional[str]:
            return self._article().get("title")

        @attribute
        def body(self) -> Optional[ArticleBody]:
            lines = self._article().get("body", "").split("\\n")
            section = ArticleSection(headline=TextSequence([]), paragraphs=TextSequence(lines))
            return ArticleBody(summary=TextSequence([]), sections=[section])

        @attribute
        def publishing_date(self) -> Optional[datetime.datetime]:
            return generic_date_parsing(self._article().get("date") or None)

        @attribute
        def authors(self) -> List[str]:
            return generic_author_parsing(self._article().get("author") or None)
'''
_SCRAPY_IMPORTS = """
import re

import scrapy
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor

TRACKING = re.compile(r"(?<=[?&])utm_[^&#]*&?")
"""
_FUNDUS_IMPORTS = """
import datetime
from typing import List, Optional

from fundus.parser import ArticleBody, BaseParser, ParserProxy, attribute
from fundus.parser.data import ArticleSection, TextSequence
from fundus.parser.utility import generic_author_parsing, generic_date_parsing
"""


def write_scrapy(recipes: Sequence[Recipe]) -> str:
    """Return a file with one spider per site: `scrapy runspider FILE -O articles.jsonl`."""
    return _python(recipes, "needs Scrapy and nothing else", _SCRAPY_IMPORTS, _SPIDER)


def write_fundus(recipes: Sequence[Recipe]) -> str:
    """Return a file with one parser per site, for Fundus publishers."""
    return _python(recipes, "parsers for publishers in Fundus", _FUNDUS_IMPORTS, _PARSER)


def _python(recipes: Sequence[Recipe], purpose: str, imports: str, kind: str) -> str:
    source = inspect.getsource(reader).partition('"""\n\n')[2]
    head = [f"# Made by flong from stored pages; {purpose}.", f"# Same article: {SAME}."]
    head += [line for one in recipes for line in _remarks(one)]
    classes = [
        kind.format(
            name=_class_name(one.site),
            site=one.site,
            host=urlsplit(one.url).hostname,
            url=one.url,
            templates=_literal(one),
        )
        for one in recipes
    ]
    return "\n".join(
        [*head, imports.strip("\n"), source.rstrip("\n"), *["\n" + c for c in classes]]
    )


def _literal(recipe: Recipe) -> str:
    text = pformat([dict(one.xpaths) for one in recipe.templates], width=94, sort_dicts=False)
    return text.replace("\n", "\n        ")


def _remarks(recipe: Recipe) -> Iterator[str]:
    """Yield the recipe's figures and differences as comments."""
    found = recipe.agreement
    same = f"{found.same} of {found.articles} articles are the same ({found.share:.1%})"
    yield f"# {recipe.site}: {same};"
    yield f"# an article is also found on {recipe.taken} of {recipe.others} other pages."
    for one in recipe.differences:
        yield f"#   {json.dumps(one.url)}: {json.dumps(one.why)}"


def _class_name(site: str) -> str:
    """Return the name of a site as a class name.

    >>> _class_name("news-today.example"), _class_name("127.0.0.1:80")
    ('NewsTodayExample', 'Site12700180')
    """
    name = "".join(part.capitalize() for part in re.split(r"[^A-Za-z0-9]+", site))
    return name if name[:1].isalpha() else f"Site{name}"


def write_freshrss(recipes: Sequence[Recipe]) -> str:
    """Return an OPML list of feeds for FreshRSS: links of home pages, full articles."""
    opml = etree.Element("opml", {"version": "2.0"}, nsmap={"frss": _FRESHRSS})
    etree.SubElement(etree.SubElement(opml, "head"), "title").text = "Recipes made by flong"
    body = etree.SubElement(opml, "body")
    for one in recipes:
        for line in _remarks(one):
            body.append(etree.Comment(line.removeprefix("#").replace("--", "- -") + " "))
        remove = _every(template.exclude for template in one.templates)
        more = {
            "xPathItem": xpath_of(one.links or _LINKS),
            "xPathItemTitle": ".",
            "xPathItemUri": "./@href",
            "cssFullContent": _every([template.body] for template in one.templates),
            "cssContentFilter": remove,
            "cssFullContentFilter": remove,  # its name before FreshRSS 1.27
        }
        plain = {"text": one.site, "type": "HTML+XPath", "xmlUrl": one.url, "htmlUrl": one.url}
        named = {f"{{{_FRESHRSS}}}{name}": value for name, value in more.items() if value}
        etree.SubElement(body, "outline", plain | named)
    return etree.tostring(opml, encoding="utf-8", xml_declaration=True, pretty_print=True).decode()


def write_rss_bridge(recipes: Sequence[Recipe]) -> str:
    """Return one query per site for RSS-Bridge: a feed of full articles."""
    return "".join(f"{line}\n" for one in recipes for line in [*_remarks(one), _bridge(one)])


def _bridge(recipe: Recipe) -> str:
    values = {
        "action": "display",
        "bridge": "CssSelectorBridge",
        "home_page": recipe.url,
        "url_selector": recipe.links or _LINKS,
        "content_selector": _every([template.body] for template in recipe.templates),
        "content_cleanup": _every(template.exclude for template in recipe.templates),
        "format": "Atom",
    }
    return "?" + urlencode(values)


def _every(lists: Iterable[Sequence[str]]) -> str:
    return ", ".join(dict.fromkeys(css for some in lists for css in some))


FORMS: Mapping[str, Form] = {
    "json": write_json,
    "scrapy": write_scrapy,
    "fundus": write_fundus,
    "freshrss": write_freshrss,
    "rss-bridge": write_rss_bridge,
}
"""Writers of recipes, by format."""
