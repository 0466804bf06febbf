"""Memory of extraction does not grow with the number of stored pages."""

import tracemalloc
from itertools import islice

import pytest

from benchmarks.growth import endless_pages, fill
from flong.stages.extraction import extract
from flong.stages.learning import learn
from flong.stages.learning_settings import LearningSettings
from flong.storage import Store

PAGES, KILOBYTES = 200, 300
SAMPLE = 20


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    """A site of 60 MB, learned from some of its pages."""
    url = f"sqlite:///{tmp_path_factory.mktemp('memory') / 'flong.db'}"
    fill(url, islice(endless_pages(None, KILOBYTES), PAGES))
    with Store.open(url) as store:
        learn(store, store.sites.all()[0], LearningSettings(sample_size=SAMPLE))
    return url


def peak_megabytes(work):
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def test_extraction_memory_does_not_grow_with_the_site(database):
    with Store.open(database) as store:
        megabytes = peak_megabytes(lambda: extract(store, store.sites.all()[0]))
        assert len(list(store.extractions.of(store.sites.all()[0]))) == PAGES
    assert megabytes < 0.25 * PAGES * KILOBYTES / 1000
