"""The methods on real sites with truth."""

from functools import cache
from statistics import mean

import pytest

from benchmarks.corpus import find_sites
from benchmarks.scoring import body_f1
from flong.baselines import BASELINES, EXTRACTORS
from flong.tree import SitePage, build_tree

pytestmark = pytest.mark.soak

SITES = (
    *("120minuten", "anoninsiders", "f1blog", "inkuru", "insertcredit", "kalyazin", "linuxgazette"),
    *("macsfera", "malilive", "mysaline", "noventaminutos", "okcfreepress", "opstime"),
    *("paraguayos", "rubima", "sportsofboston", "subjectpoker", "tableless", "ucfnews", "wechange"),
)
"""Sites that the floors were measured on: a new site in the corpus changes no floor."""
PAGES = 8
"""Articles of each site, and as many other pages."""


@cache
def sample():
    """Return pages of each site with their true bodies; None for pages that are no articles."""
    found = []
    for site in find_sites(SITES):
        articles, others = (
            [path for path in site.paths if site.kind(path) == kind][:PAGES]
            for kind in ("article", "other")
        )
        pages = [
            SitePage(url=site.url(path), tree=build_tree(site.page(path).html))
            for path in articles + others
        ]
        found.append((pages, [site.truth[path].body for path in articles] + [None] * len(others)))
    return found or pytest.skip("no sites: set FLONG_SITES")


@cache
def mean_f1(name):
    """Return a method's body F1, mean of the sites' means."""
    sites = []
    for pages, bodies in sample():
        articles = EXTRACTORS[name](pages)
        pairs = [(body, article) for body, article in zip(bodies, articles, strict=True) if body]
        sites.append(
            mean(body_f1(body, article.body) if article else 0.0 for body, article in pairs)
        )
    return mean(sites)


@pytest.mark.parametrize("member", [*BASELINES, "rarity"])
def test_consensus_beats_the_mean_of_every_member(member):
    assert mean_f1("consensus") > mean_f1(member)


@pytest.mark.parametrize(
    ("name", "floor"),
    [
        ("coreex", 0.72),
        ("econ", 0.80),
        ("first-half", 0.88),
        ("nowonweb", 0.83),
        ("rarity", 0.85),
        ("readability-score", 0.86),
        ("tsrec", 0.82),
        ("consensus", 0.94),
    ],
)
def test_no_method_falls_below_its_floor(name, floor):
    assert mean_f1(name) >= floor


def test_tsrec_repair_rules_raise_the_mean():
    assert mean_f1("tsrec") > mean_f1("tsrec-r1")
