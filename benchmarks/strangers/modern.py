"""Sites made with frameworks of today: hashed names, utility classes, a newsletter."""

import json
from collections.abc import Sequence

from benchmarks.strangers.paper import Paper
from benchmarks.strangers.stories import PaperStory


class NextJs(Paper):
    """Next.js with CSS modules; every paragraph in boxes; the next article follows below."""

    code = "fr"
    name = "Le Relais"
    path = "article/{slug}.html"
    timed = True
    suffix = " – {name}"
    p = '<div class="Block_root__k2Jq1"><div class="RichText_root__aX9fP"><p class="RichText_p__QmN3c">{}</p></div></div>'
    h = '<div class="Block_root__k2Jq1"><h2 class="Heading_h2__1bRtz">{}</h2></div>'
    ul = '<div class="Block_root__k2Jq1"><ul class="RichText_ul__9sKdd">{}</ul></div>'
    quote = (
        '<div class="Block_root__k2Jq1"><blockquote class="Quote_root__Zt0pe">{}</blockquote></div>'
    )
    figure = '<div class="Block_root__k2Jq1"><figure class="Media_root__uR71x"><img src="/img/{file}"><figcaption class="Media_legend__dd3Pa">{}</figcaption></figure></div>'
    pull = '<div class="Block_root__k2Jq1"><div class="Exergue_root__H3llo">{}</div></div>'
    also = '<div class="Block_root__k2Jq1"><div class="ReadAlso_root__mm8Kc"><span class="ReadAlso_label__vB2n0">{also}</span><a class="ReadAlso_link__oP2aa" href="{url}">{title}</a></div></div>'
    letter = '<div class="Block_root__k2Jq1"><section class="Promo_root__e4Tzz"><p class="Promo_title__a">{newsletter}</p><p class="Promo_text__b">{pitch}</p></section></div>'
    ad = '<div class="Block_root__k2Jq1"><div class="Ad_root__xx1Za"><span>{ad}</span></div></div>'

    def head(self, title: str, story: PaperStory | None) -> str:
        """Return OpenGraph with the site's name in the title, a picture on each page."""
        image = story.picture if story and story.picture else "share.png"
        kind = "article" if story else "website"
        when = (
            f'<meta property="article:published_time" content="{story.day}T{story.clock}:00+01:00">'
            if story
            else ""
        )
        return f'<meta property="og:title" content="{title} – {self.name}"><meta property="og:type" content="{kind}"><meta property="og:image" content="/img/{image}">{when}'

    def frame(self, head: str, main: str, story: PaperStory | None) -> str:
        """Return a whole page, its data in a script once more."""
        data = json.dumps({"props": {"body": story.body if story else ""}})
        return (
            f'<html lang="fr"><head>{head}</head><body><div id="__next"><header class="Header_root__8GdWq"><a class="Header_logo__p0" href="/">{self.name}</a><nav class="Nav_root__tt3"><ul>{self.menu()}</ul></nav></header>'
            f'<div class="Layout_main__f00">{main}</div><footer class="Footer_root__z1"><ul>{self.feet()}</ul><p>{self.small_print}</p></footer></div><script id="__NEXT_DATA__" type="application/json">{data}</script></body></html>'
        )

    def article(self, story: PaperStory) -> str:
        """Return the article and, below, the next one."""
        return self._one(story) + (self._one(self.near(story, 1)[0]) if story.number % 2 else "")

    def _one(self, story: PaperStory) -> str:
        picture = (
            f'<div class="Lead_media__77a"><img src="/img/{story.picture}"></div>'
            if story.picture
            else ""
        )
        lead = f'<p class="Lead_chapo__Bq1">{story.standfirst}</p>' if story.standfirst else ""
        names = " et ".join(
            f'<a class="Signature_link__u" href="/author/{n}/">{n}</a>' for n in story.authors
        )
        return (
            f'<div class="Article_wrapper__5mN"><div class="Article_header__Lp9"><span class="Kicker_root__0">{story.kicker}</span><h1 class="Heading_h1__3kFq2">{story.title}</h1>{lead}<div class="Signature_root__Sg4">Par {names}</div><div class="Dates_root__d8">Publié le {self.language.printed(story.day)} à {story.clock.replace(":", "h")}</div></div>{picture}'
            f'<div class="Article_content__yT5">{self.body(story)}</div><div class="Share_root__s"><button>{self.language.share}</button></div><div class="Related_root__R"><h2 class="Heading_h2__1bRtz">{self.language.also}</h2><ul>{self.links(self.near(story, 3, 5))}</ul></div></div>'
        )

    def teaser(self, story: PaperStory) -> str:
        """Return a card."""
        return f'<div class="Card_root__c0"><a href="{self.url(story)}"><img src="/img/{story.picture or "share.png"}"><h3 class="Card_title__t">{story.title}</h3><p class="Card_text__x">{story.summary}</p></a></div>'

    def listing(self, title: str, teasers: str, more: str) -> str:
        """Return a grid."""
        return f'<h1 class="Heading_h1__3kFq2">{title}</h1><div class="Grid_root__gg">{teasers}</div>{more}'

    def plain(self, title: str, lines: Sequence[str]) -> str:
        """Return text in the boxes of articles."""
        text = "".join(self.p.format(line) for line in lines)
        return f'<div class="Article_wrapper__5mN"><h1 class="Heading_h1__3kFq2">{title}</h1><div class="Page_content__u1">{text}</div></div>'


class Tailwind(Paper):
    """Utility classes only: the same on the body, on boxes and on lists; all pages "articles"."""

    code = "tr"
    name = "Kıyı Postası"
    path = "haber/{slug}/index.html"
    p = '<p class="mb-4 text-base leading-7 text-gray-800">{}</p>'
    h = '<h2 class="mt-8 mb-3 text-2xl font-semibold">{}</h2>'
    figure = '<div class="my-6"><img class="w-full rounded-lg" src="/img/{file}"><p class="mt-2 text-sm text-gray-500">{}</p></div>'
    quote = '<div class="my-6 border-l-4 border-gray-300 pl-4 italic"><p>{}</p></div>'
    pull = '<div class="my-8 text-center text-3xl font-bold">{}</div>'
    also = '<div class="my-4 rounded-lg bg-gray-100 p-4"><span class="text-sm font-bold">{also}</span> <a class="text-blue-600" href="{url}">{title}</a></div>'
    letter = '<div class="my-4 rounded-lg bg-gray-100 p-4"><p class="text-sm font-bold">{newsletter}</p><p class="mb-4 text-base">{pitch}</p></div>'
    ad = '<div class="my-4 text-xs uppercase text-gray-400">{ad}</div>'
    entry = '<div class="border-b py-4"><span class="text-sm text-gray-500">{0}</span><h3 class="text-xl font-semibold">{1}</h3><p class="mb-4 text-base">{2}</p></div>'

    def head(self, title: str, story: PaperStory | None) -> str:
        """Return the same kind for each page."""
        return f'<meta property="og:type" content="article"><meta property="og:title" content="{title}"><meta name="author" content="{self.name}">'

    def frame(self, head: str, main: str, story: PaperStory | None) -> str:
        """Return a whole page."""
        return (
            f'<html lang="tr"><head>{head}</head><body class="bg-white text-gray-900"><div class="min-h-screen flex flex-col"><div class="border-b"><div class="mx-auto max-w-6xl px-4 py-4 flex justify-between"><a class="text-2xl font-bold" href="/">{self.name}</a><ul class="flex space-x-4">{self.menu()}</ul></div></div>'
            f'<div class="mx-auto max-w-6xl px-4 py-8 flex-1">{main}</div><div class="border-t"><div class="mx-auto max-w-6xl px-4 py-8"><p class="mb-4 text-base">{self.small_print}</p><ul class="flex space-x-4">{self.feet()}</ul></div></div></div></body></html>'
        )

    def article(self, story: PaperStory) -> str:
        """Return the article between boxes of the same classes."""
        picture = (
            f'<div class="my-6"><img class="w-full rounded-lg" src="/img/{story.picture}"></div>'
            if story.picture
            else ""
        )
        lead = (
            f'<p class="mb-4 text-xl text-gray-600">{story.standfirst}</p>'
            if story.standfirst
            else ""
        )
        cards = "".join(map(self.teaser, self.near(story, 3, 4)))
        return (
            f'<div class="grid grid-cols-3 gap-8"><div class="col-span-2"><div class="mb-4"><span class="text-sm uppercase text-red-600">{story.section}</span><h1 class="text-4xl font-bold">{story.title}</h1>{lead}<div class="flex space-x-4 text-sm text-gray-500"><span>{" ve ".join(story.authors)}</span><span>{self.language.printed(story.day)}</span></div></div>{picture}'
            f'<div class="mb-4">{self.body(story)}</div><div class="flex space-x-4"><a href="#">X</a><a href="#">WhatsApp</a></div></div><div class="col-span-1"><div class="my-4 rounded-lg bg-gray-100 p-4"><h2 class="text-2xl font-semibold">{self.language.also}</h2>{cards}</div></div></div>'
        )

    def teaser(self, story: PaperStory) -> str:
        """Return a card."""
        return f'<div class="mb-4"><a href="{self.url(story)}"><h3 class="text-xl font-semibold">{story.title}</h3></a><p class="mb-4 text-base">{story.summary}</p><span class="text-sm text-gray-500">{self.language.printed(story.day)}</span></div>'

    def listing(self, title: str, teasers: str, more: str) -> str:
        """Return cards."""
        return f'<div class="grid grid-cols-3 gap-8"><div class="col-span-2"><h1 class="text-4xl font-bold">{title}</h1>{teasers}{more}</div></div>'

    def plain(self, title: str, lines: Sequence[str]) -> str:
        """Return text."""
        return f'<div class="mb-4"><h1 class="text-4xl font-bold">{title}</h1><div class="mb-4">{"".join(self.p.format(line) for line in lines)}</div></div>'


class Substack(Paper):
    """A newsletter: subscribe boxes amid the text, footnotes, comments, archive."""

    name = "Slow Dispatch"
    path = "p/{slug}/index.html"
    suffix = " - by {name}"
    count = 40
    p = "<p>{}</p>"
    letter = '<div class="subscription-widget-wrap"><div class="subscription-widget show-subscribe"><div class="preamble"><p class="cta-caption">{pitch}</p></div><form class="subscription-widget-subscribe"><input></form></div></div>'
    also = '<div class="digest-post-embed"><a href="{url}"><h4>{title}</h4><div class="digest-body">{pitch}</div></a></div>'
    pull = '<div class="pullquote"><p>{}</p></div>'
    figure = '<div class="captioned-image-container"><figure><a class="image-link"><img src="/img/{file}"></a><figcaption class="image-caption">{}</figcaption></figure></div>'
    ad = '<p class="button-wrapper"><a class="button primary" href="/newsletter/"><span>Share this with a friend</span></a></p>'

    def head(self, title: str, story: PaperStory | None) -> str:
        """Return the metadata."""
        return f'<meta property="og:title" content="{title}"><meta name="author" content="{story.authors[0] if story else self.name}">'

    def frame(self, head: str, main: str, story: PaperStory | None) -> str:
        """Return a whole page."""
        return (
            f'<html lang="en"><head>{head}</head><body><div id="entry"><div id="main" class="main typography"><div class="pencraft pc-display-flex topbar"><h1 class="navbar-title"><a href="/">{self.name}</a></h1><div class="pencraft pc-display-flex">{self.menu("<a class=pencraft href={}>{}</a>")}</div></div>'
            f'<div>{main}</div><div class="footer-wrap publication-footer"><div class="container"><p>{self.small_print}</p>{self.feet("<a href={}>{}</a>")}</div></div></div></div></body></html>'
        )

    def article(self, story: PaperStory) -> str:
        """Return a post with its comments and more posts."""
        said = "".join(
            f'<div class="comment"><div class="comment-meta">{self.language.names[n]} <a href="#c">{n + 1}d</a></div><div class="comment-body"><p>{self.stories[n * 4].blocks[-1].lines[-1] if self.stories[n * 4].blocks[-1].lines else ""}</p></div></div>'
            for n in range(story.number % 5)
        )
        rows = "".join(
            f'<div class="portable-archive post-preview"><a class="post-preview-title" href="{self.url(s)}">{s.title}</a><a class="post-preview-description">{s.standfirst}</a></div>'
            for s in self.near(story, 3)
        )
        lead = f'<h3 class="subtitle">{story.standfirst}</h3>' if story.standfirst else ""
        wall = (
            f'<div class="paywall"><h2 class="paywall-title">This post is for paid subscribers</h2><div class="paywall-cta">{self.pitch}</div></div>'
            if story.number % 6 == 5
            else ""
        )
        return (
            f'<div class="single-post-container"><div class="container"><div class="single-post"><article class="typography newsletter-post post"><div class="post-header"><h1 class="post-title published">{story.title}</h1>{lead}<div class="pencraft pc-display-flex byline-wrapper"><div class="pencraft"><a href="/@x">{" and ".join(story.authors)}</a></div><div class="pencraft pc-display-flex">{self.language.printed(story.day)}</div></div>'
            f'<div class="pencraft pc-display-flex post-ufi"><a>{story.number}</a><a href="#">Share</a></div></div><div class="available-content"><div class="body markup">{self.body(story)}</div></div>{wall}</article></div></div><div class="container"><div id="discussion"><h4>{self.language.comments}</h4><div class="comment-list">{said}</div></div></div><div class="container">{rows}</div></div>'
        )

    def teaser(self, story: PaperStory) -> str:
        """Return a row of the archive."""
        return f'<div class="post-preview portable-archive-post"><div class="post-preview-content"><a class="post-preview-title" href="{self.url(story)}">{story.title}</a><a class="post-preview-description" href="{self.url(story)}">{story.summary}</a></div><div class="post-meta"><time>{self.language.printed(story.day)}</time></div></div>'

    def listing(self, title: str, teasers: str, more: str) -> str:
        """Return the archive."""
        return f'<div class="archive-page"><div class="portable-archive-list">{teasers}</div>{more}</div>'

    def plain(self, title: str, lines: Sequence[str]) -> str:
        """Return a page in the markup of posts."""
        return f'<div class="container"><article class="typography newsletter-post post"><h1 class="post-title">{title}</h1><div class="available-content"><div class="body markup">{"".join(map(self.p.format, lines))}</div></div></article></div>'
