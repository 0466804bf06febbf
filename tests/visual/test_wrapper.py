"""The V-Wrapper on made-up pages: headline and text in a wide column, links in a narrow one."""

import json
from importlib.resources import files
from time import process_time

import numpy as np
import pytest

from flong.tree import build_tree
from flong.visual import (
    CONTENT,
    FEATURES,
    OTHERS,
    TITLE,
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
from flong.visual.labels import positive_blocks
from flong.visual.training import export
from flong.visual.wrapper import candidates


def block(  # noqa: PLR0913, PLR0917 - a row of a table
    parent, depth, left, top, width, height, font=16, bold=0, text=0, linked=0, leaf=0
):
    """Return a row; its vertex is its number, which nobody asks for here."""
    links = int(linked > 0)
    return [
        parent, depth, left, top, width, height, font, bold, 0, 0, links, text, linked, leaf, 0, 0,
        leaf, 0,
    ]  # fmt: skip


def story(seed):
    """Return a page with a menu, a headline and paragraphs, its measures by chance."""
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
    """Return a page of links, none of which is a text."""
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


def test_a_page_without_text_can_be_measured_and_is_no_article(mended):
    empty = BlockTree.from_lists([block(-1, 0, 0, 0, 1280, 0)])
    assert np.isfinite(measure(empty)).all()
    answer = mended.read(empty)
    assert not len(answer.content)
    assert not len(answer.titles)


def test_counts_of_a_block_are_those_of_all_that_is_in_it():
    page = UNSEEN[0]
    table = measure(page.blocks)
    text, links = (table[:, FEATURES.index(name)] for name in ("text", "links"))
    assert text[0] == page.blocks.rows[:, 11].sum()
    assert links[0] == page.blocks.rows[:, 10].sum()
    assert links[1] == (page.blocks.parent == 1).sum()


def test_an_inner_block_is_positive_if_anything_in_it_is():
    page = UNSEEN[0]
    positive = positive_blocks(page.blocks, page.labels)
    main = int(page.blocks.parent[page.blocks.leaves[page.labels == TITLE][0]])
    assert positive[[0, main]].all()
    assert not positive[1]


def test_a_negative_block_ends_the_walk_whatever_is_in_it():
    page = UNSEEN[0]
    positive = positive_blocks(page.blocks, page.labels)
    reached = candidates(page.blocks, positive)
    assert {*reached.tolist()} == {*page.blocks.leaves[page.labels != OTHERS].tolist()}
    positive[0] = False
    assert not len(candidates(page.blocks, positive))


@pytest.mark.parametrize("wrapper", ["mended", "printed"])
def test_pages_of_another_make_are_read(wrapper, request):
    read = request.getfixturevalue(wrapper).read
    for page in UNSEEN:
        answer, leaves = read(page.blocks), page.blocks.leaves
        assert answer.titles.tolist() == leaves[page.labels == TITLE].tolist()
        assert answer.content.tolist() == leaves[page.labels == CONTENT].tolist()
    assert not len(read(listing(77).blocks).content)


@pytest.mark.parametrize("wrapper", ["mended", "printed"])
def test_a_wrapper_is_the_same_after_it_was_written(wrapper, request):
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


def test_our_trees_vote_as_those_of_scikit_learn():
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
def test_a_file_that_is_no_wrapper_is_refused(text):
    with pytest.raises(ValueError, match="it "):
        read_wrapper(text)


def test_a_run_that_is_no_text_leaf_of_the_tree_is_left_out():
    tree = build_tree("<p>One</p><p>Two</p>")
    rows = [block(-1, 0, 0, 0, 90, 90), block(0, 1, 0, 0, 9, 9, text=3, leaf=1)]
    wrong, right = [*rows[1]], [*rows[1]]
    wrong[15], right[15] = 1, 4
    blocks = make_blocks([rows[0], wrong, right], tree)
    assert blocks.vertex[blocks.leaves].tolist() == [4]
    assert blocks.rows[:, PARENT].tolist() == [-1, 0]


@pytest.mark.parametrize("name", ["model.json", "model-as-published.json"])
def test_the_models_that_come_with_the_program_are_small_and_say_where_they_are_from(name):
    text = files("flong.visual").joinpath(name).read_text()
    assert len(text) < 200_000
    trained = read_wrapper(text)
    assert trained.pages > 500
    assert 0 < trained.figures["leaf_f1"] < 1
    assert json.loads(text)["fingerprint"]


def test_a_page_is_read_in_less_than_two_milliseconds():
    wrapper = read_wrapper(files("flong.visual").joinpath("model.json").read_text()).wrapper
    pages = [page.blocks for page in UNSEEN]
    wrapper.read(pages[0])

    def seconds():
        start = process_time()
        for page in pages:
            wrapper.read(page)
        return (process_time() - start) / len(pages)

    assert min(seconds() for _ in range(5)) < 0.002
