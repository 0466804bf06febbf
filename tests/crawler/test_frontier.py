from collections.abc import Iterator
from itertools import islice
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from flong.crawler.frontier import Frontier

HOME = "a"
names = st.sampled_from("abcdefghijklmnop")
graphs = st.dictionaries(names, st.lists(names, max_size=6), max_size=16)
Graph = dict[str, list[str]]


def nearest(graph: Graph, max_depth: int, moved: dict[str, str] | None = None) -> dict[str, int]:
    """Depths by plain relaxation until nothing gets nearer: the oracle."""
    depths, ways = {HOME: 0}, [(one, two, 1) for one, links in graph.items() for two in links]
    ways += [(one, two, 0) for one, two in (moved or {}).items()]
    for _ in ways:
        for one, two, step in ways:
            if one in depths and depths[one] + step <= min(max_depth, depths.get(two, max_depth)):
                depths[two] = depths[one] + step
    return depths


def walk(
    frontier: Frontier, graph: Graph, random: Random, moved: dict[str, str] | None = None
) -> Iterator[str]:
    """Request and respond in random order, a few at a time; yield the URLs responded to."""
    in_flight: list[str] = []
    while True:
        while len(in_flight) < 4 and (page := frontier.next()) is not None:
            in_flight.append(page)
        if not in_flight:
            break
        page = in_flight.pop(random.randrange(len(in_flight)))
        frontier.arrived(page, graph.get(page, []), (moved or {}).get(page))
        yield page


@given(graphs, st.integers(0, 4), st.randoms(use_true_random=False))
def test_depths_do_not_depend_on_the_order_of_responses(graph, max_depth, random):
    frontier = Frontier(max_depth)
    frontier.reach(HOME, 0)
    answered = list(walk(frontier, graph, random))
    assert {page: frontier.depth(page) for page in answered} == nearest(graph, max_depth)


@given(graphs, st.integers(0, 4), st.dictionaries(names, names), st.randoms(use_true_random=False))
def test_each_url_is_scheduled_once_in_any_order(graph, max_depth, moved, random):
    stored: Graph = {}
    frontier = Frontier(max_depth, links_of=stored.get)
    frontier.reach(HOME, 0)
    answered: list[str] = []
    for page in walk(frontier, graph, random, moved):
        answered.append(page)
        written = random.sample(answered, random.randrange(len(answered) + 1))
        stored |= {page: graph.get(page, []) for page in written}
        frontier.stored(written)
    assert sorted(answered) == sorted(set(answered))
    assert {page: frontier.depth(page) for page in answered} == nearest(graph, max_depth, moved)


@given(graphs, st.integers(0, 4), st.randoms(use_true_random=False), st.lists(st.integers(0, 9)))
def test_killed_walk_resumes_to_the_same_pages(graph, max_depth, random, kills):
    stored: Graph = {}
    for most in [*kills, None]:
        before = {page: links for page, links in stored.items() if page != HOME}
        frontier = Frontier(max_depth, links_of=before.get)
        frontier.reach(HOME, 0)
        answered = list(islice(walk(frontier, graph, random), most))
        assert not before.keys() & set(answered)
        stored |= {page: graph.get(page, []) for page in answered}
    assert stored.keys() == nearest(graph, max_depth).keys()


def test_nearer_pages_come_first():
    frontier = Frontier(3)
    frontier.reach("far", 2)
    frontier.reach("near", 1)
    frontier.reach("far too", 2)
    assert [frontier.next() for _ in range(4)] == ["near", "far", "far too", None]


def test_url_is_scheduled_once():
    frontier = Frontier(3)
    for depth in (3, 2, 2, 1, 3):
        frontier.reach("page", depth)
    assert (frontier.next(), frontier.next()) == ("page", None)
    assert frontier.depth("page") == 1


def test_redirect_target_has_the_depth_of_its_source():
    frontier = Frontier(1)
    frontier.reach("home", 0)
    frontier.next()
    frontier.arrived("home", ["old"])
    frontier.next()
    frontier.arrived("old", moved_to="new")
    assert (frontier.next(), frontier.depth("new")) == ("new", 1)


def test_refused_url_is_checked_once():
    decisions = iter([False])
    frontier = Frontier(1, admits=lambda url: next(decisions))
    frontier.reach("trap", 1)
    frontier.reach("trap", 0)
    assert frontier.next() is None
    assert "trap" not in frontier


def test_a_walk_over_a_hundred_thousand_pages_needs_no_recursion():
    chain = {str(n): [str(n + 1)] for n in range(1, 100_000)}
    frontier = Frontier(200_000, links_of=chain.get)
    frontier.reach("1", 0)
    assert (frontier.next(), frontier.depth("100000")) == ("100000", 99_999)
