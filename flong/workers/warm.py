"""Load, or compile, all compiled code: `python -m flong.workers.warm` after an installation."""

from datetime import UTC, datetime

from flong.site import learn_pages
from flong.tree import SitePage, build_tree

_STORY = (
    '<html lang="en"><title>Rain {0}</title><div id="story"><h1>Rain {0}</h1><p>It rained {0} '
    'times in the town, and <a href="/">people</a> stayed at home for {0} days. Then the sun '
    "shone, and all went out {0} times and were glad.</p><p>On day {0} it rained again.</p></div>"
)


_OTHER = ("<ul><li>One<li>Two</ul>", "<section><h2>Sun</h2></section>", "<table><tr><td>1</table>")
"""Parts that differ between the pages, so that distances are measured."""


def warm() -> None:
    """Learn and read a small site, so that all compiled code is loaded."""
    html = [_STORY.format(n) + "".join(_OTHER[: n % 4]) for n in range(8)]
    pages = [SitePage(url=f"/{n}", tree=build_tree(page)) for n, page in enumerate(html)]
    _, model = learn_pages(pages, {}, linking_pages=0)
    model.read(pages[0], (), datetime.now(UTC))


if __name__ == "__main__":
    warm()
