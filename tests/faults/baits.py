"""Pages made to keep regular expressions busy: long runs wherever a page can hold text."""

from datetime import UTC, datetime

from flong.baselines import EXTRACTORS
from flong.document import Document
from flong.links import page_links
from flong.patterns import Anchor, ExtractionModel, explain
from flong.urls import Scope

RUNS = (
    " ", "\n", "\u00a0", "a", "9", "-", "/", ".", ",", ":", "|", "=", "'", "&", "&#1", "%", "_",
    "(", "\u4e00", "\u00bb", "1/", "1.", "1 ", "a ", "a-", " a", " -", "- ", " | ", "by ", "By A ",
    "1 de ", "5 May ", "May 5, ", "2024-", "20", "http://", "../", "a=b&", "?a=1&", "comment-",
    "comments_", "display :", "url(", "@import ", "9;", "9 ", "{", "[", "[[", "{\"@type\":", "\\",
    "<b>", "<!--", "<script>", "<title", "<a ", "<p a", "</", "&lt;", "<time ",
)  # fmt: skip
"""What is repeated."""
SIZE = 15_000
"""Characters of each run; a page has about forty of them."""

_PAGE = """<html lang="BAIT"><head><title>Rain BAIT x</title>
<meta property="og:title" content="Rain BAIT x"><meta name="author" content="By BAIT">
<meta name="description" content="BAIT"><meta property="article:published_time" content="BAIT">
<meta property="article:section" content="BAIT"><meta http-equiv="refresh" content="BAIT">
<meta property="og:image" content="BAIT"><meta name="date" content="BAIT"><style>BAIT</style>
<link rel="canonical" href="/BAIT"><link rel="alternate" type="application/rss+xml" href="BAIT">
<script type="application/ld+json">{"@type": "NewsArticle", "headline": "BAIT",
 "datePublished": "BAIT", "author": {"name": "BAIT"}, "image": "BAIT"}</script>
<script type="application/ld+json">BAIT</script>
</head><body class="BAIT" id="BAIT" style="BAIT"><h1 class="BAIT">Rain BAIT x</h1>
<p class="byline author">By BAIT</p><p class="date">BAIT</p><time datetime="BAIT">BAIT</time>
<a href="BAIT" title="BAIT">BAIT</a><img src="BAIT" alt="BAIT" class="BAIT" style="BAIT">
<div class="text"><p>BAIT</p><p>Posted by BAIT on BAIT</p><p>It rained BAIT all day.</p></div>
<div id="BAIT" class="comments-BAIT"><p>BAIT</p></div><option value="/BAIT">BAIT</option>
<p BAIT>x</p><BAIT
</body></html>"""


def bait(run: str, size: int = SIZE) -> str:
    """Return a page that holds a run in every place."""
    return _PAGE.replace("BAIT", (run * (size // len(run) + 1))[:size])


def read_all(model: ExtractionModel, html: str) -> str:
    """Read a page in every way; return its verdict."""
    url = "https://courier.example/rain"
    page_links(html, url, Scope.of("https://courier.example/"))
    anchors = [Anchor(html[400:900], 3), Anchor("Rain", 2)]
    data = html.encode(errors="replace")
    document = Document(page_id=1, content_hash="", url=url, data=data, anchors=anchors)
    page, now = document.page(), datetime.now(UTC)
    explain(model, page, anchors, now)
    for find in EXTRACTORS.values():
        find([page, page])
    return model.read(page, anchors, now).verdict
