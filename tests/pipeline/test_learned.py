"""What a cluster is said to be, from the pages that are in it."""

import random

import pytest

from clustering import cluster_shapes
from extractors import WITNESSES
from patterns import ClusterOfPages, SitePage, learn_site
from pipeline.learned import cluster_kinds
from trees import build_tree, shape_of

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
    (cluster,) = cluster_shapes([shape_of(page.tree) for page in pages]).clusters
    model = learn_site(
        pages,
        [ClusterOfPages(members=cluster.members, distances=cluster.distances)],
        witnesses=WITNESSES.values(),
    )
    assert cluster_kinds(model, [pages[cluster.medoid].tree]) == [kind]
