"""Visual blocks of a page rendered during a crawl."""

import json
from typing import Any, NamedTuple

from flong.crawler import digest_of
from flong.tree import TEXT, build_tree
from flong.visual.block_tree import make_blocks, pack_blocks
from flong.visual.page_script import ATTRIBUTE, SCRIPT, SCRIPT_ARGUMENT

_MARK = """
([attribute, marks]) => {
  const elements = [];
  function collect(parent) {
    for (const element of parent.children) {
      elements.push(element);
      collect(element.content instanceof DocumentFragment ? element.content : element);
    }
  }
  collect(document);
  for (const [place, name] of marks)
    if (elements[place]?.localName.toLowerCase() !== name) return false;
  for (const [place, , mark] of marks) elements[place].setAttribute(attribute, mark);
  return true;
}
"""
_CLEAR = """
(attribute) => {
  for (const element of document.querySelectorAll(`[${attribute}]`))
    element.removeAttribute(attribute);
}
"""


class TakenBlocks(NamedTuple):
    """Blocks and the digest of their document."""

    digest: bytes
    """Digest of the document's text."""
    blocks: bytes
    """Blocks, packed by `pack_blocks`."""


async def take_blocks(page: Any) -> TakenBlocks | None:
    """Return the blocks of the page in the browser; None if its elements differ from our tree.

    The page is not changed.
    """
    html = await page.content()
    tree = build_tree(html)
    marks = [
        [place, tree.name(vertex), f"{vertex} {vertex + size}"]
        for vertex, (place, size, tag) in enumerate(
            zip(tree.place.tolist(), tree.size.tolist(), tree.tag.tolist(), strict=True)
        )
        if tag != TEXT
    ]
    if not await page.evaluate(_MARK, [ATTRIBUTE, marks]):
        return None
    rows = json.loads(await page.evaluate(SCRIPT, SCRIPT_ARGUMENT))
    await page.evaluate(_CLEAR, ATTRIBUTE)
    return TakenBlocks(digest_of(html), pack_blocks(make_blocks(rows, tree))) if rows else None
