"""What is learned from pages, and what a cluster is said to be."""

import random
from datetime import UTC, datetime

import pytest

from clustering import cluster_pages
from demo import Portal
from extractors import WITNESSES
from items import Page
from links import Scope, page_links
from patterns import ClusterOfPages, SitePage, learn_site
from pipeline.learned_rows import cluster_kinds
from pipeline.learning import learn
from pipeline.learning_settings import LearningSettings
from storage import Store
from trees import build_tree, skeleton_of

HOME = "http://courier.example/"

FRAME = (
    "<header><div><a href='/'><img></a></div><nav><ul><li><a href='/a'>News</a></li></ul></nav>"
    "<form><label>Search</label></form></header>{}<aside><section><h3>About</h3><div><p>Us</div>"
    "</section><div><table><tr><td>1<th>2</table></div></aside><footer><div><dl><dt>a<dd>b</dl>"
    "</div><article><details><summary>Terms</summary><p>All</details></article></footer>"
)
WORDS = (
    "council monday harbour bridge teacher winter ferry budget garden vote mayor school river "
    "market police night letter train island doctor summer court paper stone bread music"
).split()


def sentence(seed, words):
    chance = random.Random(seed)  # noqa: S311 - the same words every time
    return " ".join(chance.choices(WORDS, k=words)).capitalize()


def article(number):
    title = sentence(number, 6)
    text = "".join(f"<p>{sentence(f'{number} {i}', 40)}.</p>" for i in range(9))
    body = f"<main><h1>{title}</h1><p>May {number % 28 + 1}, 2026</p>{text}</main>"
    return f"<title>{title} - Town</title>" + FRAME.format(body)


def listing(number):
    links = "".join(
        f"<p><a href='/{number}/{i}'>{sentence(f'{number} {i}', 6)}</a></p>" for i in range(9)
    )
    body = f"<main><h1>Topic</h1><p>Page {number}</p>{links}</main>"
    return "<title>Topic - Town</title>" + FRAME.format(body)


@pytest.mark.parametrize(
    ("articles", "listings", "kind"),
    [(30, 0, "article"), (0, 30, "listing"), (30, 30, "mixed"), (36, 4, "mixed")],
)
def test_a_cluster_of_articles_and_listings_is_noticed(articles, listings, kind):
    pages = [*map(article, range(1, articles + 1)), *map(listing, range(1, listings + 1))]
    pages = [
        SitePage(url=f"http://town.example/{number}", tree=build_tree(page))
        for number, page in enumerate(pages)
    ]
    (cluster,) = cluster_pages([skeleton_of(page.tree) for page in pages]).clusters
    model = learn_site(
        pages,
        [ClusterOfPages(members=cluster.members, distances=cluster.distances)],
        witnesses=WITNESSES.values(),
    )
    assert cluster_kinds(model, [pages[cluster.medoid].tree]) == [kind]


@pytest.fixture(scope="module")
def papers():
    """Return some pages of the demo portal."""
    portal = Portal(articles=40)
    paths = [*(truth.path for truth in portal.truth()), *portal.others()]
    found = ((HOME.rstrip("/") + path, portal.get(path)) for path in paths)
    return [
        Page(
            url=url,
            html=answer.text,
            fetched_at=datetime(2026, 5, 1, tzinfo=UTC),
            links=page_links(answer.text, url, Scope.of(HOME)),
        )
        for url, answer in found
        if answer.status == 200
    ]


def test_the_order_in_which_pages_came_does_not_matter(papers, tmp_path):
    models = []
    for seed in range(3):
        with Store.open(f"sqlite:///{tmp_path}/{seed}.db") as store:
            site = store.sites.add(HOME)
            pages = random.Random(seed).sample(papers, len(papers))  # noqa: S311 - nothing secret
            store.pages.save(site, store.runs.start(site, "crawl"), pages)
            learn(store, site, LearningSettings())
            models.append(store.models.load(site))
    assert models[0] is not None
    assert models[0] == models[1] == models[2]


def test_a_site_without_articles_that_can_be_read_says_so(tmp_path):
    """Every page is in the menu of all, so none is taken for an article; each has a long text."""
    menu = "".join(f"<li><a href='/part{at}'>Part {at}</a></li>" for at in range(8))
    pages = []
    for at in range(8):
        text = "".join(f"<p>{sentence(f'{at} {i}', 50)}.</p>" for i in range(5))
        html = f"<title>Town</title><ul>{menu}</ul><div><h1>Part {at}</h1>{text}</div>"
        url = f"{HOME}part{at}"
        links = page_links(html, url, Scope.of(HOME))
        pages.append(
            Page(url=url, html=html, fetched_at=datetime(2026, 5, 1, tzinfo=UTC), links=links)
        )
    with Store.open(f"sqlite:///{tmp_path}/town.db") as store:
        site = store.sites.add(HOME)
        store.pages.save(site, store.runs.start(site, "crawl"), pages)
        learned = learn(store, site, LearningSettings())
    assert (learned.article_patterns, learned.readable) == (0, 8)
    assert "read a text on 8 of the pages" in learned.summary
