"""Pages without a design: the print version and the consent wall."""

from flong.demo.markup import day, esc
from flong.demo.newsroom import PAPER
from flong.demo.stories import WrittenStory


def printed(story: WrittenStory, origin: str) -> str:
    """Return the print version of a story, with the article's canonical URL."""
    entry = story.entry
    lines = "\n".join(
        f"<p>{esc(line)}</p>" for sheet in story.sheets for block in sheet for line in block.lines
    )
    return f"""<!DOCTYPE html>
<html lang="{entry.section.language.code}"><head><meta charset="utf-8">
<meta name="robots" content="noindex"><title>{esc(entry.title)}</title>
<link rel="canonical" href="{origin}{entry.path}"></head>
<body onload="print()"><p>{PAPER}, {day(entry.section.language, entry.published)}</p>
<h1>{esc(entry.title)}</h1>
{lines}
<p>{origin}{entry.path}</p></body></html>
"""


def consent(origin: str) -> str:
    """Return the consent wall that replaces every page."""
    partners = "".join(
        f"<li><b>{name}</b> {what}, for up to {days} days</li>"
        for name, what, days in (
            (
                "Adlantic Exchange",
                "selects advertisements and measures whether they were seen",
                390,
            ),
            ("Footfall Metrics", "counts visits and recognises devices", 180),
            ("Kindred Audiences", "builds profiles from the pages you have read", 730),
        )
    )
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Before you continue</title>
<style>body{{font:17px/1.5 sans-serif;max-width:40em;margin:12vh auto;padding:0 1em}}
button{{font:inherit;padding:.5em 1.5em}}</style></head>
<body><div class="gate"><h1>Before you continue to {PAPER}</h1>
<p>We and our partners store information on your device, such as cookies, and process personal data, such
as unique identifiers, to show you advertisements that suit you, to measure how they perform, and to learn
about those who read us. With your consent we may also use precise location data.</p>
<p>You can accept, or read the Courier without advertisements for £3 a month. You may change your mind at
any time; this does not affect what was done before.</p>
<ul>{partners}</ul>
<form method="post" action="{origin}/consent"><button name="all">Accept and continue</button>
<button name="pay">Read without advertisements</button></form></div></body></html>
"""
