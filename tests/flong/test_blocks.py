"""URLs in the blocks of an article."""

from hypothesis import given
from hypothesis import strategies as st

from flong.article import Block, BlockKind, Mark, Span, block_targets, read_blocks, write_blocks

urls = st.one_of(st.none(), st.sampled_from(["", "#note", "https://a.example/b.jpg"]))
marks = st.lists(st.sampled_from(Mark), unique=True).map(tuple)
spans = st.lists(st.builds(Span, st.text(max_size=5), marks, urls), max_size=3).map(tuple)
blocks = st.builds(Block, kind=st.sampled_from(BlockKind), spans=spans, url=urls)


@given(st.lists(blocks, max_size=5))
def test_targets_are_those_of_the_blocks(given_blocks):
    text = write_blocks(given_blocks)
    read = read_blocks(text)
    wanted = [block.url for block in read if not block.is_text]
    wanted += [span.url for block in read for span in block.spans]
    assert sorted(block_targets(text)) == sorted(url for url in wanted if url)
