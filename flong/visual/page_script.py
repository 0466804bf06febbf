"""Page script: extract the visual blocks of a rendered page.

The browser receives the page as serialized from `trees`, with the vertex id of each element. The
leaves of the block tree are therefore the text leaves of `trees.Tree`, without alignment.
"""

import re

import numpy as np

from flong.tree import DROPPED, TEXT, Tree, tag_number

ATTRIBUTE = "data-flong-vertex"
"""Attribute with a vertex and the end of its subtree."""

_NAME = re.compile(rb"<[^\s/>]+")
_DOCTYPE = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(<!doctype[^>]*>)", re.IGNORECASE)
_QUIET = b"<style>noscript{display:none!important}html{opacity:0!important}</style>"
"""Style sheet that hides `noscript` content, although scripts are off, and saves painting."""
_FRAMES = frozenset(map(tag_number, ("iframe", "frame", "embed")))


def marked_page(html: str, tree: Tree) -> bytes:
    """Return the page as serialized from its tree, in UTF-8, with vertex ids on its elements.

    >>> from flong.tree import build_tree
    >>> html = "<!doctype html><p>One"
    >>> marked_page(html, build_tree(html)).decode().partition("</head>")[2]
    '<body data-flong-vertex="0 3"><p data-flong-vertex="1 3">One</p></body></html>'
    """
    data, starts = tree.source.data, tree.tag_start
    doctype = _DOCTYPE.match(html)
    parts, done = [doctype[1].encode() if doctype else b""], 0
    head = data.find(b"</head>")
    for vertex in np.flatnonzero(tree.tag != TEXT).tolist():
        name = _NAME.match(data, int(starts[vertex]))
        if name is None:
            continue
        if done <= head < name.start():
            parts += [data[done:head], _QUIET]
            done = head
        mark = f' {ATTRIBUTE}="{vertex} {vertex + int(tree.size[vertex])}"'
        empty = b' src=""' if int(tree.tag[vertex]) in _FRAMES else b""  # the first `src` counts
        parts += [data[done : name.end()], mark.encode(), empty]
        done = name.end()
    return b"".join([*parts, data[done:]])


SCRIPT = """
([attribute, dropped]) => {
  const rows = [], skipped = new Set(dropped.split(' ')), x = window.scrollX, y = window.scrollY;
  const isHidden = (style) =>
    style.display === 'none' || style.visibility === 'hidden' || style.opacity === '0';
  const isClipped = (style, box) =>
    (box.width <= 1 || box.height <= 1) && style.overflow !== 'visible'
    && style.display !== 'inline';
  const numbers = (box, style) => [
    Math.round(box.left + x), Math.round(box.top + y), Math.round(box.width),
    Math.round(box.height), Math.round(10 * parseFloat(style.fontSize)) / 10,
    +(style.fontWeight >= 600), +(style.fontStyle !== 'normal')];
  const isSeen = (box) =>
    box.width >= 1 && box.height >= 1 && box.right + x > 0 && box.bottom + y > 0;
  const pictures = new Set(['img', 'picture', 'video', 'object', 'embed', 'iframe']);

  function flush(at) {
    const run = at.run;
    at.run = null;
    if (!run) return;
    const range = document.createRange();
    range.setStart(run.first, 0);
    range.setEnd(run.last, run.last.length);
    const box = range.getBoundingClientRect();
    if (!isSeen(box)) return;
    const style = getComputedStyle(run.longest.parentElement);
    rows.push([at.block, at.depth, ...numbers(box, style), 0, run.links, run.length, run.linked,
               at.lines, 0, at.leaf, 1, 0]);
  }

  function scan(node, at, linked) {
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) {
        const length = child.data.replace(/\\s+/g, ' ').trim().length;
        if (!length) continue;
        const run = at.run ||= {first: child, links: at.links, length: 0, linked: 0, most: 0};
        at.links = 0;
        run.last = child;
        run.length += length;
        if (linked) run.linked += length;
        if (length > run.most) { run.most = length; run.longest = child; }
      } else if (child.nodeType === Node.ELEMENT_NODE) {
        if (child.hasAttribute(attribute)) {
          flush(at);
          visit(child, at.block, at.depth, linked);
          at.leaf = +child.getAttribute(attribute).split(' ')[1];
        } else if (!skipped.has(child.localName) && !isHidden(getComputedStyle(child))) {
          const link = child.localName === 'a' && child.hasAttribute('href');
          if (link) { if (at.run) at.run.links++; else at.links++; }
          scan(child, at, linked || link);
        }
      }
    }
  }

  function visit(element, parent, depth, linked) {
    const style = getComputedStyle(element), box = element.getBoundingClientRect();
    if (isHidden(style) || isClipped(style, box)) return;
    const vertex = +element.getAttribute(attribute).split(' ')[0];
    const link = element.localName === 'a' && element.hasAttribute('href');
    const picture = pictures.has(element.localName);
    const place = numbers(box, style);
    if (picture) {
      place[2] ||= +element.getAttribute('width') || 0;
      place[3] ||= +element.getAttribute('height') || 0;
    }
    const seen = vertex === 0 || (picture ? place[2] && place[3] : isSeen(box));
    if (seen) {
      rows.push([parent, depth, ...place, +picture, +link, 0, 0, 0,
                 +(style.display === 'table'), vertex, 0,
                 +(style.position === 'absolute' || style.position === 'fixed')]);
    }
    const lines = +(style.display === 'block' || style.display === 'list-item');
    const at = {block: seen ? rows.length - 1 : parent, depth: seen ? depth + 1 : depth,
                leaf: vertex + 1, run: null, links: 0, lines};
    scan(element, at, linked || link);
    flush(at);
  }

  const root = document.querySelector(`[${attribute}^="0 "]`);
  if (root) visit(root, -1, 0, false);
  if (rows.length) {
    const whole = document.documentElement;
    rows[0][4] = Math.max(rows[0][4], whole.scrollWidth);
    rows[0][5] = Math.max(rows[0][5], whole.scrollHeight);
  }
  return JSON.stringify(rows);
}
"""
"""Runs in the page with `SCRIPT_ARGUMENT`; returns a row per visible block, in preorder, as JSON.
"""

SCRIPT_ARGUMENT = [ATTRIBUTE, " ".join(sorted(DROPPED))]
"""Argument of the script."""
