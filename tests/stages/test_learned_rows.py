"""Stored models, and the kinds of clusters."""

import random
from datetime import UTC, datetime

import pytest

from flong.baselines import BASELINES
from flong.clustering import cluster_pages, skeleton_of
from flong.demo import Portal
from flong.links import page_links
from flong.page import Page
from flong.patterns import ClusterOfPages, learn_site
from flong.site import learn_pages
from flong.stages.extraction import extract
from flong.stages.learned_rows import cluster_kinds
from flong.stages.learning import learn
from flong.stages.learning_settings import LearningSettings
from flong.stages.stored_pages import load_stored_model, read_pages
from flong.states import FindingKind
from flong.storage import Store
from flong.tree import SitePage, build_tree
from flong.urls import Scope

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
def test_mixed_cluster_is_recognised(articles, listings, kind):
    pages = [*map(article, range(1, articles + 1)), *map(listing, range(1, listings + 1))]
    pages = [
        SitePage(url=f"http://town.example/{number}", tree=build_tree(page))
        for number, page in enumerate(pages)
    ]
    (cluster,) = cluster_pages([skeleton_of(page.tree) for page in pages]).clusters
    model = learn_site(
        pages,
        [ClusterOfPages(members=cluster.members, distances=cluster.distances)],
        baselines=BASELINES.values(),
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


def test_model_does_not_depend_on_the_order_of_pages(papers, tmp_path):
    models = []
    for seed in range(3):
        with Store.open(f"sqlite:///{tmp_path}/{seed}.db") as store:
            site = store.sites.add(HOME)
            pages = random.Random(seed).sample(papers, len(papers))  # noqa: S311 - nothing secret
            store.pages.save(site, store.runs.start(site, "crawl"), pages)
            learn(store, site, LearningSettings())
            models.append(store.templates.model(site))
    assert models[0] is not None
    assert models[0] == models[1] == models[2]


def test_relearning_keeps_pattern_ids(papers, tmp_path):
    with Store.open(f"sqlite:///{tmp_path}/again.db") as store:
        site = store.sites.add(HOME)
        store.pages.save(site, store.runs.start(site, "crawl"), papers[:-9])
        learn(store, site, LearningSettings())
        extract(store, site)
        before = {row.id: row for row in store.templates.patterns(site)}
        fitted = store.templates.fitted_pages(site)
        main = max(fitted, key=lambda number: len(fitted[number]))
        store.pages.save(site, store.runs.start(site, "crawl"), papers[-9:])
        learn(store, site, LearningSettings())
        again = {row.id: row for row in store.templates.patterns(site)}
        assert again.keys() >= fitted.keys()
        assert again[main].created_at == before[main].created_at
        assert (before[main].version, again[main].version) == (1, 2)
        extract(store, site)
        learn(store, site, LearningSettings(), drifted={main})
        assert {row.id for row in store.templates.patterns(site)} >= fitted.keys() - {main}
        assert main not in {row.id for row in store.templates.patterns(site)}


def test_stored_model_decides_like_the_learned_one(papers, tmp_path):
    """The model loaded from rows decides like the model in memory."""
    trees = [SitePage(url=page.url, tree=build_tree(page.html)) for page in papers]
    with Store.open(f"sqlite:///{tmp_path}/same.db") as store:
        site = store.sites.add(HOME)
        store.pages.save(site, store.runs.start(site, "crawl"), papers)
        learn(store, site, LearningSettings())
        stored = load_stored_model(store, site)
        pages = [page for _, page in read_pages(store, site, store.pages.ids(site), 60)]
        anchors = store.links.anchors_by_url(site, [page.url for page in pages])
        linking = len(store.pages.urls(site))
        _, model = learn_pages(pages, anchors, linking_pages=linking)
        assert all(known.id is not None for known in stored.patterns)
    now = datetime(2030, 1, 1, tzinfo=UTC)
    for page in trees:
        one, two = (each.read(page, anchors.get(page.url, ()), now) for each in (stored, model))
        assert (one.verdict, one.article) == (two.verdict, two.article)
        assert one.score == pytest.approx(two.score)


def test_site_without_readable_articles_is_reported(tmp_path):
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
    counts = {finding.kind: finding.counts for finding in learned}
    assert counts[FindingKind.LEARNED]["article_patterns"] == 0
    assert FindingKind.NO_ARTICLE_PATTERN in counts
    assert counts[FindingKind.READABLE] == {"pages": 8}
