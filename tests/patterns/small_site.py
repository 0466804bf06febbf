"""A made-up site of articles, lists and pages that only look like articles, with its truth."""

import random
from dataclasses import dataclass

from flong.baselines import BASELINES, single_page_leaves
from flong.clustering import cluster_pages, skeleton_of
from flong.patterns import Anchor, ClusterOfPages, learn_site
from flong.tree import SitePage, build_tree

WORDS = (
    "river council storm museum budget school festival bridge harvest train voters clinic market "
    "forest mayor library stadium airport painter engine coast village orchestra glacier senate"
).split()


@dataclass(frozen=True)
class Story:
    """One article and its expected fields."""

    number: int
    title: str
    paragraphs: tuple[str, ...]

    @property
    def url(self):
        return f"http://news.example/{self.number}"

    @property
    def body(self):
        return "\n".join(self.paragraphs)


def story(number, *, paragraphs=None):
    rng = random.Random(number)  # noqa: S311 - always the same story
    said = [
        " ".join(rng.choices(WORDS, k=rng.randint(25, 60))).capitalize() + f", said {number}-{i}."
        for i in range(paragraphs or rng.randint(3, 8))
    ]
    title = " ".join(rng.choices(WORDS, k=5)).capitalize() + f" {number}"
    return Story(number, title, tuple(said))


MENU = "<nav><a href=/>Home</a> <a href=/about>About us</a> <a href=/list>All news</a></nav>"
FOOTER = "<footer><p>Written and printed in Example Town since 1901.</p></footer>"


def frame(title, main):
    return (
        f"<html lang=en><head><title>{title} | The Example</title></head>"
        f"<body>{MENU}<main>{main}</main>{FOOTER}</body></html>"
    )


def article_page(one, *, related=(), names=True, dated=True):
    """The page of a story; without `names` its elements have no classes."""

    def cls(name):
        return f" class={name}" if names else ""

    links = "".join(f"<li><a href=/{r.number}>{r.title}</a></li>" for r in related)
    date = f"<p{cls('meta')}>By Ann Lee on 3 May 20{10 + one.number % 10}</p>" if dated else ""
    paragraphs = "".join(f"<p>{text}</p>" for text in one.paragraphs)
    return frame(
        one.title,
        f"<div{cls('story')}><h1{cls('headline')}>{one.title}</h1>{date}"
        f"<div{cls('text')}>{paragraphs}</div>"
        f"<div{cls('share')}><p>Share this story with all your friends today</p></div></div>"
        f"<div{cls('related')}><h3>Read on</h3><ul>{links}</ul></div>",
    )


def list_page(stories, number):
    teasers = "".join(
        f"<div class=teaser><h2><a href=/{s.number}>{s.title}</a></h2>"
        f"<p>{s.paragraphs[0][:90]}</p></div>"
        for s in stories
    )
    return frame(f"All news, page {number}", f"<h1>All news</h1>{teasers}")


def about_page():
    text = "We are a small paper of a small town and we write what we see every single day. " * 6
    return frame(
        "About us",
        "<div class=story><h1 class=headline>About us</h1>"
        f"<div class=text><p>{text}</p></div></div>",
    )


def site_pages(count=24, **how):
    """Return the pages of a site by URL, and its stories."""
    stories = [story(number) for number in range(count)]
    pages = {
        s.url: article_page(s, related=stories[i + 1 : i + 4], **how) for i, s in enumerate(stories)
    }
    for number in range(0, count, 4):
        pages[f"http://news.example/list/{number}"] = list_page(
            stories[number : number + 8], number
        )
    pages["http://news.example/about"] = about_page()
    return pages, stories


def anchors_of(pages, stories):
    found = {s.url: [Anchor(s.title, 4)] for s in stories}
    found["http://news.example/about"] = [Anchor("About us", len(pages))]
    return found


def learn(pages, anchors=None, **how):
    """Learn a site from pages given as HTML by URL."""
    given = [SitePage(url=url, tree=build_tree(html)) for url, html in pages.items()]
    clusters = cluster_pages([skeleton_of(page.tree) for page in given]).clusters
    return learn_site(
        given,
        [ClusterOfPages(members=c.members, distances=c.distances) for c in clusters],
        baselines=BASELINES.values(),
        anchors=anchors or {},
        fallback=single_page_leaves,
        **how,
    )


def page_of(url, html):
    return SitePage(url=url, tree=build_tree(html))
