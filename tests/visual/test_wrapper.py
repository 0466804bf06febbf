"""V-Wrapper on synthetic pages: headline and text in a wide column, links in a narrow one."""

import json
from importlib.resources import files

import numpy as np
import pytest

from flong.tree import build_tree
from flong.visual import (
    CONTENT,
    FEATURES,
    OTHERS,
    TITLE,
    WRAPPERS,
    BlockTree,
    LabelledBlocks,
    PublishedWrapper,
    TrainedWrapper,
    VWrapper,
    make_blocks,
    measure,
    read_wrapper,
    train,
    train_published,
    write_wrapper,
)
from flong.visual.block_tree import PARENT
from flong.visual.features import BASIC, EXTENDED, columns_of
from flong.visual.labels import positive_blocks
from flong.visual.training import DEPTH, TREES, export
from flong.visual.wrapper import candidates, inner_scores


def block(  # noqa: PLR0913, PLR0917 - a row of a table
    parent, depth, left, top, width, height, font=16, bold=0, text=0, linked=0, leaf=0
):
    """Return a row; its vertex, unused here, is its number."""
    links = int(linked > 0)
    return [
        parent, depth, left, top, width, height, font, bold, 0, 0, links, text, linked, leaf, 0, 0,
        leaf, 0,
    ]  # fmt: skip


def story(seed):
    """Return a page with a menu, a headline and paragraphs, with random measures."""
    chance = np.random.default_rng(seed)
    width, left, font = 500 + seed % 7 * 40, 200 + seed % 5 * 30, 14 + seed % 4
    rows = [block(-1, 0, 0, 0, 1280, 3000), block(0, 1, 0, 100, 150, 900)]
    labels = []
    for line in range(chance.integers(5, 12)):
        rows.append(block(1, 2, 0, 100 + 30 * line, 140, 20, 12, text=15, linked=15, leaf=1))
        labels.append(OTHERS)
    main = len(rows)
    rows.append(block(0, 1, left, 100, width, 2500))
    rows.append(block(main, 2, left, 100, width, 40, 2 * font, 1, text=45, leaf=1))
    labels.append(TITLE)
    for line in range(chance.integers(4, 15)):
        length = int(chance.integers(180, 900))
        rows.append(block(main, 2, left, 200 + 90 * line, width, 80, font, text=length, leaf=1))
        labels.append(CONTENT)
    return LabelledBlocks(blocks=BlockTree.from_lists(rows), labels=np.array(labels))


def listing(seed):
    """Return a page of links without text."""
    rows, labels = [block(-1, 0, 0, 0, 1280, 3000), block(0, 1, 200, 100, 600, 900)], []
    for line in range(10 + seed % 9):
        rows.append(block(1, 2, 200, 100 + 40 * line, 500, 20, text=60, linked=60, leaf=1))
        labels.append(OTHERS)
    return LabelledBlocks(blocks=BlockTree.from_lists(rows), labels=np.array(labels))


PAGES = [make(seed) for seed in range(24) for make in (story, listing)]
UNSEEN = [story(seed) for seed in range(100, 110)]


@pytest.fixture(scope="module")
def mended():
    pytest.importorskip("sklearn")
    return train(PAGES)


@pytest.fixture(scope="module")
def printed():
    pytest.importorskip("sklearn")
    return train_published(PAGES)


def test_every_feature_has_a_finite_value_for_every_block():
    for page in (*UNSEEN, listing(1)):
        table = measure(page.blocks)
        assert table.shape == (len(page.blocks), len(FEATURES))
        assert np.isfinite(table).all()


def test_page_without_text_is_not_an_article(mended):
    empty = BlockTree.from_lists([block(-1, 0, 0, 0, 1280, 0)])
    assert np.isfinite(measure(empty)).all()
    answer = mended.read(empty)
    assert not len(answer.content)
    assert not len(answer.titles)


def test_counts_of_a_block_include_nested_blocks():
    page = UNSEEN[0]
    table = measure(page.blocks)
    text, links = (table[:, FEATURES.index(name)] for name in ("text", "links"))
    assert text[0] == page.blocks.rows[:, 11].sum()
    assert links[0] == page.blocks.rows[:, 10].sum()
    assert links[1] == (page.blocks.parent == 1).sum()


def test_inner_block_is_positive_if_a_leaf_in_it_is():
    page = UNSEEN[0]
    positive = positive_blocks(page.blocks, page.labels)
    main = int(page.blocks.parent[page.blocks.leaves[page.labels == TITLE][0]])
    assert positive[[0, main]].all()
    assert not positive[1]


def test_walk_ends_at_a_negative_block():
    page = UNSEEN[0]
    positive = positive_blocks(page.blocks, page.labels)
    reached = candidates(page.blocks, positive)
    assert {*reached.tolist()} == {*page.blocks.leaves[page.labels != OTHERS].tolist()}
    positive[0] = False
    assert not len(candidates(page.blocks, positive))


@pytest.mark.parametrize("wrapper", ["mended", "printed"])
def test_unseen_pages_are_read(wrapper, request):
    read = request.getfixturevalue(wrapper).read
    for page in UNSEEN:
        answer, leaves = read(page.blocks), page.blocks.leaves
        assert answer.titles.tolist() == leaves[page.labels == TITLE].tolist()
        assert answer.content.tolist() == leaves[page.labels == CONTENT].tolist()


def test_list_of_links_is_not_an_article(mended):
    assert not len(mended.read(listing(77).blocks).content)


def test_published_method_trains_only_on_pages_with_news(printed):
    news = [page for page in PAGES if (page.labels == CONTENT).any()]
    assert len(news) < len(PAGES)
    again = train_published(news)
    assert again.inner.to_json() == printed.inner.to_json()
    assert again.leaf.to_json() == printed.leaf.to_json()


def test_published_method_trains_on_leaves_below_positive_blocks(printed):
    ensemble = pytest.importorskip("sklearn.ensemble")
    trees = pytest.importorskip("sklearn.tree")
    names = columns_of(BASIC + EXTENDED)
    rows, labels = [], []
    for page in PAGES:
        blocks = page.blocks
        positive = inner_scores(printed.inner, blocks, measure(blocks)) > 0
        below = positive[blocks.parent[blocks.leaves]]
        if (page.labels == CONTENT).any():
            rows.append(measure(blocks)[blocks.leaves[below]][:, names])
            labels.append(page.labels[below])
    table = np.concatenate(rows).astype(np.float32)
    model = ensemble.AdaBoostClassifier(
        trees.DecisionTreeClassifier(max_depth=DEPTH), n_estimators=TREES, random_state=0
    ).fit(table, np.concatenate(labels))
    assert export(model, BASIC + EXTENDED, 3).to_json() == printed.leaf.to_json()


@pytest.mark.parametrize("wrapper", ["mended", "printed"])
def test_wrapper_survives_a_json_round_trip(wrapper, request):
    trained = TrainedWrapper(
        wrapper=request.getfixturevalue(wrapper), sites=("a",), pages=48, fingerprint="f"
    )
    text = write_wrapper(trained)
    again = read_wrapper(text)
    assert write_wrapper(again) == text
    assert isinstance(again.wrapper, VWrapper if wrapper == "mended" else PublishedWrapper)
    for page in UNSEEN:
        one, two = trained.wrapper.read(page.blocks), again.wrapper.read(page.blocks)
        assert one.content.tolist() == two.content.tolist()


def test_trees_vote_like_scikit_learn():
    ensemble = pytest.importorskip("sklearn.ensemble")
    trees = pytest.importorskip("sklearn.tree")
    chance = np.random.default_rng(1)
    table = chance.normal(size=(300, len(FEATURES))).astype(np.float32).astype(np.float64)
    label = (table[:, 0] + table[:, 3] * table[:, 5] > 0.2).astype(int) + (table[:, 1] > 1)
    model = ensemble.AdaBoostClassifier(
        trees.DecisionTreeClassifier(max_depth=3), n_estimators=15, random_state=0
    ).fit(table, label)
    ours = export(model, FEATURES, 3)
    assert np.argmax(ours.points(table), axis=1).tolist() == model.predict(table).tolist()


@pytest.mark.parametrize("text", ["{}", "[]", '{"version": 7}', '{"version": 1, "wrapper": 3}'])
def test_invalid_wrapper_file_is_refused(text):
    with pytest.raises(ValueError, match=r"not a V-Wrapper|it has version"):
        read_wrapper(text)


def test_runs_that_are_not_text_leaves_are_dropped():
    tree = build_tree("<p>One</p><p>Two</p>")
    rows = [block(-1, 0, 0, 0, 90, 90), block(0, 1, 0, 0, 9, 9, text=3, leaf=1)]
    wrong, right = [*rows[1]], [*rows[1]]
    wrong[15], right[15] = 1, 4
    blocks = make_blocks([rows[0], wrong, right], tree)
    assert blocks.vertex[blocks.leaves].tolist() == [4]
    assert blocks.rows[:, PARENT].tolist() == [-1, 0]


@pytest.mark.parametrize("name", [name for pair in WRAPPERS.values() for name in pair])
def test_shipped_models_are_small_and_name_their_origin(name):
    text = files("flong.visual").joinpath(name).read_text()
    assert len(text) < 200_000
    trained = read_wrapper(text)
    assert trained.pages > 500
    assert 0 < trained.figures["leaf_f1"] < 1
    assert json.loads(text)["fingerprint"]
