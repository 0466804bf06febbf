"""What is counted is work."""

import pytest

from benchmarks.instructions import KERNELS, demo_pages, work
from flong.tree import build_tree


def test_the_pages_are_whole_and_the_same_each_time():
    pages = demo_pages()
    assert pages == demo_pages()
    assert len(pages) > 5
    assert min(int(build_tree(page).words[0]) for page in pages) > 50


@pytest.mark.parametrize("name", KERNELS)
def test_each_kernel_works(name):
    work(name, 1)
