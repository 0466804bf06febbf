"""A big paper, a site of web components, a magazine with copies for telephones."""

import json
from collections.abc import Iterator, Sequence

from benchmarks.strangers.paper import Paper
from benchmarks.strangers.stories import PaperStory


class Arc(Paper):
    """A big paper: boxes and corrections amid the body, other templates for galleries and videos."""

    name = "The Valley Ledger"
    path = "{section}/{y}/{m}/{slug}/index.html"
    timed = True
    count = 80
    p = '<p class="c-paragraph">{}</p>'
    h = '<h2 class="b-heading">{}</h2>'
    also = '<p class="interstitial-link block-margin-bottom"><i>[<a href="{url}"> {title} </a>]</i></p>'
    letter = '<div class="c-stack b-newsletter-promo"><h4 class="c-heading">{newsletter}</h4><p class="b-newsletter-promo__description">{pitch}</p></div>'
    ad = '<div class="arcad-feature-container"><span class="c-attribution">{ad}</span></div>'
    pull = '<figure class="b-pullquote"><blockquote>{}</blockquote></figure>'
    embed = '<div class="b-embed"><blockquote class="twitter-tweet"><p>{}</p></blockquote></div>'
    entry = '<div class="live-post"><div class="live-post__time">{0}</div><h3 class="live-post__headline">{1}</h3><div class="live-post__body"><p class="c-paragraph">{2}</p></div></div>'

    def head(self, title: str, story: PaperStory | None) -> str:
        """Return all the metadata there is."""
        if story is None:
            return f'<meta property="og:type" content="website"><meta property="og:image" content="/img/logo.png"><meta property="og:title" content="{title}">'
        kind = {"video": "VideoObject", "live": "LiveBlogPosting"}.get(story.kind, "NewsArticle")
        data = {
            "@context": "https://schema.org",
            "@graph": [
                {"@type": "WebPage", "name": title},
                {
                    "@type": kind,
                    "headline": title,
                    "datePublished": f"{story.day}T{story.clock}:00-05:00",
                    "dateModified": f"{story.day}T23:30:00-05:00",
                    "articleSection": story.section,
                    "author": [{"@type": "Person", "name": name} for name in story.authors],
                    **({"image": {"url": f"/img/{story.picture}"}} if story.picture else {}),
                },
            ],
        }
        return f'<meta property="og:type" content="article"><meta property="og:image" content="/img/{story.picture or "logo.png"}"><meta property="og:title" content="{title}"><script type="application/ld+json">{json.dumps(data)}</script>'

    def frame(self, head: str, main: str, story: PaperStory | None) -> str:
        """Return a whole page."""
        return (
            f'<html lang="en-US"><head>{head}</head><body><div id="fusion-app" class="fusion-app"><div class="b-right-rail"><header class="page-header"><nav id="main-nav" class="b-header-nav-chain"><a href="/"><img src="/logo.svg"></a><ul class="c-stack">{self.menu()}</ul></nav></header>'
            f'<section role="main" id="main" class="b-right-rail__main">{main}</section><footer class="b-footer"><ul class="c-stack">{self.feet()}</ul><p class="b-footer__tag">{self.small_print}</p></footer></div></div></body></html>'
        )

    def article(self, story: PaperStory) -> str:
        """Return a story, a gallery or a video."""
        names = " and ".join(
            f'<a class="c-link" href="/author/{n}/">{n}</a>' for n in story.authors
        )
        top = f'<h1 class="b-headline">{story.title}</h1>' + (
            f'<h2 class="b-subheadline">{story.standfirst}</h2>' if story.standfirst else ""
        )
        byline = f'<div class="b-byline"><span class="b-byline__by">By</span> <span class="b-byline__names">{names}</span></div><span class="c-date b-date"><time datetime="{story.day}T{story.clock}:00-05:00">{self.language.printed(story.day)} at {story.clock} EST</time></span>'
        if story.kind in ("gallery", "video"):
            return f'<div class="b-full-width"><div class="media-top">{self.video.format(number=story.number)}</div>{top}{byline}<div class="b-media-body">{self.body(story)}</div></div>{self._rail(story)}'
        picture = (
            f'<figure class="c-media-item b-lead-art"><img src="/img/{story.picture}"></figure>'
            if story.picture
            else ""
        )
        fix = (
            f'<div class="b-correction"><h4>Correction</h4><p>{self.stories[(story.number * 3) % len(self.stories)].kicker}</p></div>'
            if story.number % 9 == 0
            else ""
        )
        people = "".join(
            f'<div class="b-author-bio"><h4 class="b-author-bio__name">{n}</h4><p class="b-author-bio__description">{n} covers {story.section} for {self.name}, and before that wrote for a smaller paper up north.</p></div>'
            for n in story.authors
        )
        return (
            f'<div class="b-overline">{story.section}</div>{top}{picture}{byline}<div class="b-social-share-bar"><ul><li><a href="#">Email</a></li></ul></div><article class="b-article-body">{self.body(story)}{fix}</article>{people}'
            f'<div class="b-tag"><h2 class="c-heading">{self.language.topics}</h2><ul>{self.topics(story, "<li>{}</li>")}</ul></div>{self._rail(story)}'
        )

    def _rail(self, story: PaperStory) -> str:
        rows = "".join(map(self.teaser, self.near(story, 4, 9)))
        return f'<aside class="b-right-rail__rail"><h2 class="c-heading">{self.language.most}</h2>{rows}</aside>'

    def teaser(self, story: PaperStory) -> str:
        """Return a promotion of a story."""
        return f'<article class="b-small-promo c-grid"><h2 class="c-heading"><a class="c-link" href="{self.url(story)}">{story.title}</a></h2><p class="c-paragraph">{story.summary}</p><img src="/img/{story.picture or "logo.png"}"></article>'

    def listing(self, title: str, teasers: str, more: str) -> str:
        """Return a section front."""
        return f'<h1 class="b-section-title">{title}</h1><div class="b-results-list">{teasers}</div>{more}'


class Components(Paper):
    """Web components, written from right to left; digits are Arabic-Indic."""

    code = "ar"
    name = "صحيفة الميناء"
    path = "news/{number}/index.html"
    suffix = " - {name}"
    p = "<p>{}</p>"
    figure = '<x-figure><img src="/img/{file}"><x-caption>{}</x-caption></x-figure>'
    also = '<x-related-inline><a href="{url}">{title}</a></x-related-inline>'
    letter = "<x-newsletter><h3>{newsletter}</h3><p>{pitch}</p></x-newsletter>"
    pull = "<x-pullquote>{}</x-pullquote>"
    ad = "<x-ad>{ad}</x-ad>"
    _DIGITS = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")

    def frame(self, head: str, main: str, story: PaperStory | None) -> str:
        """Return a whole page."""
        return f'<html lang="ar" dir="rtl"><head>{head}</head><body><x-app><x-header><a href="/">{self.name}</a><x-nav>{self.menu("<a href={}>{}</a> ")}</x-nav></x-header><x-main>{main}</x-main><x-footer>{self.feet("<a href={}>{}</a> ")}<p>{self.small_print}</p></x-footer></x-app></body></html>'

    def article(self, story: PaperStory) -> str:
        """Return an article element."""
        when = self.language.printed(story.day).translate(self._DIGITS)
        picture = (
            f'<x-lead-image><img src="/img/{story.picture}"></x-lead-image>'
            if story.picture
            else ""
        )
        return f"<x-article><x-headline>{story.title}</x-headline><x-meta><x-byline>{self.language.by} {' و '.join(story.authors)}</x-byline><x-date>{when}</x-date></x-meta>{picture}<x-body>{self.body(story)}</x-body><x-share>{self.language.share}</x-share></x-article><x-rail><x-title>{self.language.most}</x-title>{''.join(map(self.teaser, self.near(story, 4)))}</x-rail>"

    def teaser(self, story: PaperStory) -> str:
        """Return a teaser element."""
        return f'<x-teaser><a href="{self.url(story)}"><x-teaser-title>{story.title}</x-teaser-title></a><p>{story.summary}</p></x-teaser>'

    def listing(self, title: str, teasers: str, more: str) -> str:
        """Return teasers."""
        return f"<x-list><x-headline>{title}</x-headline>{teasers}{more}</x-list>"

    def plain(self, title: str, lines: Sequence[str]) -> str:
        """Return text."""
        return f"<x-page><x-headline>{title}</x-headline><x-text>{''.join(f'<p>{line}</p>' for line in lines)}</x-text></x-page>"


class Magazine(Paper):
    """A magazine with AMP copies of its articles and a second template for photo stories."""

    code = "pl"
    name = "Przegląd Portowy"
    path = "{section}/{slug},{number}.html"
    suffix = " - {name}"
    count = 40
    h = '<h2 class="article__subtitle">{}</h2>'

    def pages(self) -> Iterator[tuple[str, str, PaperStory | None]]:
        """Yield all pages, and one copy of each article."""
        yield from super().pages()
        for story in self.stories[::2]:
            html = (
                f'<html amp lang="pl"><head><meta charset=utf-8><title>{story.title} - {self.name}</title><link rel="canonical" href="{self.url(story)}"></head><body><amp-sidebar><ul>{self.menu()}</ul></amp-sidebar><header class="amp-header"><a href="/">{self.name}</a></header>'
                f'<main class="amp-article"><h1 class="amp-title">{story.title}</h1><p class="amp-meta">{self.language.printed(story.day)}, {", ".join(story.authors)}</p><div class="amp-content">{self.body(story).replace("<img", "<amp-img")}</div></main><amp-list><ul>{self.links(self.near(story, 3))}</ul></amp-list></body></html>'
            )
            yield self.file(story).replace(".html", ".amp.html"), html, story

    def frame(self, head: str, main: str, story: PaperStory | None) -> str:
        """Return a whole page."""
        copy = (
            f'<link rel="amphtml" href="{self.url(story).replace(".html", ".amp.html")}">'
            if story
            else ""
        )
        return f'<html lang="pl"><head>{head}{copy}</head><body><header class="top"><a class="top__logo" href="/">{self.name}</a><ul class="top__menu">{self.menu()}</ul></header><div class="page">{main}</div><footer class="bottom"><ul>{self.feet()}</ul></footer></body></html>'

    def article(self, story: PaperStory) -> str:
        """Return an article, or one of ten as a photo story with the text in two columns."""
        meta = f'<div class="article__meta"><span class="article__author">{", ".join(story.authors)}</span><span class="article__date">{self.language.printed(story.day)}</span></div>'
        if story.number % 10 == 3:
            half = len(story.blocks) // 2
            return f'<section class="fotostory"><div class="fotostory__cover"><img src="/img/{story.picture or "cover.jpg"}"><div class="fotostory__title">{story.title}</div></div>{meta}<div class="fotostory__columns"><div class="fotostory__column">{self.body(story, story.blocks[:half])}</div><div class="fotostory__column">{self.body(story, story.blocks[half:])}</div></div></section>'
        picture = (
            f'<figure class="article__photo"><img src="/img/{story.picture}"></figure>'
            if story.picture
            else ""
        )
        lead = f'<div class="article__lead">{story.standfirst}</div>' if story.standfirst else ""
        return f'<article class="article"><div class="article__kicker">{story.kicker}</div><h1 class="article__title">{story.title}</h1>{meta}{lead}{picture}<div class="article__text">{self.body(story)}</div></article><section class="more"><h2 class="more__title">{self.language.also}</h2>{"".join(map(self.teaser, self.near(story, 3, 2)))}</section>'

    def teaser(self, story: PaperStory) -> str:
        """Return a tile."""
        return f'<div class="tile"><a class="tile__link" href="{self.url(story)}"><img src="/img/{story.picture or "cover.jpg"}"><h3 class="tile__title">{story.title}</h3></a><p class="tile__lead">{story.summary}</p></div>'

    def listing(self, title: str, teasers: str, more: str) -> str:
        """Return tiles."""
        return f'<h1 class="list__title">{title}</h1><div class="list">{teasers}</div>{more}'

    def plain(self, title: str, lines: Sequence[str]) -> str:
        """Return text."""
        return f'<article class="static"><h1 class="article__title">{title}</h1><div class="static__text">{"".join(f"<p>{line}</p>" for line in lines)}</div></article>'
