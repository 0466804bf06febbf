"""Sites made with well-known publishing systems."""

import json
from collections.abc import Sequence

from benchmarks.strangers.paper import Paper
from benchmarks.strangers.stories import PaperStory


class Ghost(Paper):
    """Ghost with the theme Casper: cards in the body, JSON-LD, further stories as full cards."""

    name = "Harbour Letters"
    path = "{slug}/index.html"
    timed = True
    suffix = ""
    figure = '<figure class="kg-card kg-image-card kg-card-hascaption"><img class="kg-image" src="/img/{file}"><figcaption>{}</figcaption></figure>'
    also = '<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="{url}"><div class="kg-bookmark-content"><div class="kg-bookmark-title">{title}</div><div class="kg-bookmark-description">{pitch}</div></div></a></figure>'
    letter = '<div class="kg-card kg-signup-card"><h2 class="kg-signup-card-heading">{newsletter}</h2><p class="kg-signup-card-subheading">{pitch}</p></div>'
    quote = '<blockquote class="kg-blockquote-alt">{}</blockquote>'
    pull = '<div class="kg-card kg-callout-card"><div class="kg-callout-text">{}</div></div>'

    def head(self, title: str, story: PaperStory | None) -> str:
        """Return OpenGraph and JSON-LD."""
        if story is None:
            return f'<meta property="og:type" content="website"><meta property="og:title" content="{title}">'
        data = {
            "@context": "https://schema.org",
            "@type": "Article",
            "headline": story.title,
            "datePublished": f"{story.day}T{story.clock}:00.000Z",
            "author": [{"@type": "Person", "name": name} for name in story.authors],
        }
        return (
            f'<meta property="og:type" content="article"><meta property="og:title" content="{title}">'
            f'<script type="application/ld+json">{json.dumps(data)}</script>'
        )

    def frame(self, head: str, main: str, story: PaperStory | None) -> str:
        """Return a whole page."""
        kind = "post-template" if story else "home-template"
        return (
            f'<html lang="en"><head>{head}</head><body class="{kind} is-head-left-logo"><div class="gh-viewport">'
            f'<header id="gh-head" class="gh-head"><nav class="gh-head-inner"><a class="gh-head-logo" href="/">{self.name}</a><ul class="nav">{self.menu()}</ul></nav></header>'
            f'<div class="site-content">{main}</div><footer class="site-footer"><section class="copyright">{self.name} &copy; 2023</section><ul>{self.feet()}</ul></footer></div></body></html>'
        )

    def article(self, story: PaperStory) -> str:
        """Return the article and its further stories."""
        picture = (
            f'<figure class="gh-article-image"><img src="/img/{story.picture}"></figure>'
            if story.picture
            else ""
        )
        lead = f'<p class="gh-article-excerpt">{story.standfirst}</p>' if story.standfirst else ""
        names = ", ".join(f'<a href="/author/{n}/">{n}</a>' for n in story.authors)
        return (
            f'<main id="site-main" class="site-main"><article class="gh-article post tag-{story.number % 4}">'
            f'<header class="gh-article-header gh-canvas"><div class="gh-article-tag"><a href="/section/{story.section}/">{story.section}</a></div>'
            f'<h1 class="gh-article-title">{story.title}</h1>{lead}'
            f'<div class="gh-article-meta"><div class="gh-author-image-list"><img src="/img/face.jpg"></div><h4 class="gh-article-author-name">{names}</h4>'
            f'<div class="byline-meta-content"><time datetime="{story.day}">{self.language.printed(story.day)}</time><span class="bull">&bull;</span>{2 + story.number % 7} min read</div></div>{picture}</header>'
            f'<section class="gh-content gh-canvas">{self.body(story)}</section></article></main>'
            f'<section class="footer-cta"><h2>Sign up for more like this.</h2><a class="footer-cta-button">Enter your email</a></section>'
            f'<aside class="read-more-wrap"><div class="read-more">{"".join(map(self.teaser, self.near(story, 3)))}</div></aside>'
        )

    def teaser(self, story: PaperStory) -> str:
        """Return a card."""
        return (
            f'<article class="post-card post"><a class="post-card-image-link" href="{self.url(story)}"><img src="/img/{story.picture or "none.jpg"}"></a>'
            f'<div class="post-card-content"><a class="post-card-content-link" href="{self.url(story)}"><header class="post-card-header"><h2 class="post-card-title">{story.title}</h2></header>'
            f'<div class="post-card-excerpt">{story.blocks[0].lines[0] if story.blocks[0].lines else ""}</div></a>'
            f'<footer class="post-card-meta"><time datetime="{story.day}">{story.day}</time></footer></div></article>'
        )

    def listing(self, title: str, teasers: str, more: str) -> str:
        """Return a feed of cards."""
        return f'<main class="site-main outer"><section class="post-card-large"><h2 class="post-card-title">{title}</h2></section><div class="post-feed">{teasers}</div>{more}</main>'

    def plain(self, title: str, lines: Sequence[str]) -> str:
        """Return a page in the template of articles, as Ghost does."""
        return (
            f'<main id="site-main" class="site-main"><article class="gh-article post page"><header class="gh-article-header gh-canvas"><h1 class="gh-article-title">{title}</h1></header>'
            f'<section class="gh-content gh-canvas">{"".join(f"<p>{line}</p>" for line in lines)}</section></article></main>'
        )


class Drupal(Paper):
    """Drupal 7: the headline outside of the node, fields in fields, comments, no metadata."""

    code = "es"
    name = "El Faro Comarcal"
    path = "node/{number}.html"
    timed = True
    also = '<p><strong>{also}:</strong> <a href="{url}">{title}</a></p>'

    def frame(self, head: str, main: str, story: PaperStory | None) -> str:
        """Return a whole page."""
        kind = "page-node node-type-article" if story else "page-taxonomy"
        return (
            f'<html xml:lang="es"><head>{head}</head><body class="html not-front no-sidebars {kind}"><div id="page-wrapper"><div id="page">'
            f'<div id="header"><div class="section clearfix"><div id="name-and-slogan"><strong><a href="/">{self.name}</a></strong></div></div></div>'
            f'<div id="main-menu" class="navigation"><ul class="links">{self.menu()}</ul></div>'
            f'<div id="main-wrapper"><div id="main" class="clearfix"><div id="content" class="column"><div class="section">{main}</div></div>'
            f'<div id="sidebar-second" class="column sidebar"><div class="region"><div class="block block-views"><h2>{self.language.most}</h2><div class="content"><ul>{self.links(self.stories[3:9])}</ul></div></div></div></div></div></div>'
            f'<div id="footer-wrapper"><div class="section"><ul class="menu">{self.feet()}</ul><p>{self.small_print}</p></div></div></div></div></body></html>'
        )

    def article(self, story: PaperStory) -> str:
        """Return headline, node and comments."""
        when = story.day
        tags = self.topics(story, '<div class="field-item">{}</div>')
        picture = (
            f'<div class="field field-name-field-image field-type-image field-label-hidden"><div class="field-items"><div class="field-item even"><img src="/sites/default/files/{story.picture}"></div></div></div>'
            if story.picture
            else ""
        )
        lead = (
            f'<div class="field field-name-field-entradilla field-type-text-long field-label-hidden"><div class="field-items"><div class="field-item even">{story.standfirst}</div></div></div>'
            if story.standfirst
            else ""
        )
        said = "".join(
            f'<div class="comment clearfix"><div class="submitted">Enviado por {self.language.names[n]} el {when:%d/%m/%Y}</div><div class="content"><div class="field field-name-comment-body"><div class="field-items"><div class="field-item even"><p>{self.stories[n * 3].standfirst}</p></div></div></div></div></div>'
            for n in range(story.number % 4)
        )
        return (
            f'<h1 class="title" id="page-title">{story.title}</h1><div class="tabs"></div><div class="region region-content"><div id="block-system-main" class="block block-system"><div class="content">'
            f'<div id="node-{40210 + 7 * story.number}" class="node node-article node-promoted clearfix"><div class="meta submitted">Enviado por <span class="username">{" y ".join(story.authors)}</span> el Vie, {when:%d/%m/%Y} - {story.clock}</div>'
            f'<div class="content clearfix">{picture}{lead}<div class="field field-name-body field-type-text-with-summary field-label-hidden"><div class="field-items"><div class="field-item even">{self.body(story)}</div></div></div>'
            f'<div class="field field-name-field-tags field-type-taxonomy-term-reference"><h3 class="field-label">{self.language.topics}:</h3><div class="field-items">{tags}</div></div></div>'
            f'<div class="link-wrapper"><ul class="links inline"><li class="print"><a href="/print">Imprimir</a></li></ul></div><div id="comments" class="comment-wrapper"><h2 class="title">{self.language.comments}</h2>{said}</div></div></div></div></div>'
        )

    def teaser(self, story: PaperStory) -> str:
        """Return a node in short."""
        first = story.blocks[0].lines[0] if story.blocks[0].lines else story.summary
        return (
            f'<div id="node-{40210 + 7 * story.number}" class="node node-article node-promoted node-teaser clearfix"><h2><a href="{self.url(story)}">{story.title}</a></h2>'
            f'<div class="meta submitted">Enviado por <span class="username">{story.authors[0]}</span> el {story.day:%d/%m/%Y}</div><div class="content clearfix"><div class="field field-name-body field-type-text-with-summary field-label-hidden"><div class="field-items"><div class="field-item even"><p>{first}</p></div></div></div></div>'
            f'<ul class="links inline"><li><a href="{self.url(story)}">{self.language.more}</a></li></ul></div>'
        )

    def listing(self, title: str, teasers: str, more: str) -> str:
        """Return a page of a term."""
        return f'<h1 class="title" id="page-title">{title}</h1><div class="region region-content"><div id="block-system-main" class="block block-system"><div class="content">{teasers}{more}</div></div></div>'

    def plain(self, title: str, lines: Sequence[str]) -> str:
        """Return a node of the kind page."""
        text = "".join(f"<p>{line}</p>" for line in lines)
        return (
            f'<h1 class="title" id="page-title">{title}</h1><div class="region region-content"><div id="block-system-main" class="block block-system"><div class="content"><div class="node node-page clearfix"><div class="content clearfix">'
            f'<div class="field field-name-body field-type-text-with-summary field-label-hidden"><div class="field-items"><div class="field-item even">{text}</div></div></div></div></div></div></div></div>'
        )


class Blogger(Paper):
    """Blogspot: the blog's name is the h1, the headline an h3, breaks instead of paragraphs."""

    code = "pt"
    name = "Notícias do Vale"
    path = "{y}/{m}/{slug}.html"
    timed = True
    suffix = ""
    p = "{}<br /><br />\n"
    h = "<b>{}</b><br /><br />\n"
    pull = ""
    also = "<b>{also}:</b> <a href='{url}'>{title}</a><br /><br />"
    figure = '<table class="tr-caption-container"><tbody><tr><td><img src="/img/{file}"></td></tr><tr><td class="tr-caption">{}</td></tr></tbody></table>'
    entry = "<b>{0} - {1}</b><br />{2}<br /><br />"
    ad = "<div class='ads'>{ad}</div>"
    letter = ""

    def page(self, title: str, main: str, story: PaperStory | None) -> str:
        """Return a page whose title begins with the blog's."""
        return super().page(f"{self.name}: {title}" if title != self.name else title, main, story)

    def frame(self, head: str, main: str, story: PaperStory | None) -> str:
        """Return a whole page."""
        months = "".join(
            f'<li class="archivedate"><a href="/{2023 - n}/">{2023 - n}</a> ({n * 7 + 3})</li>'
            for n in range(5)
        )
        return (
            f"<html dir='ltr'><head>{head}<meta content='blogger' name='generator'/></head><body class='loading'><div class='body-fauxcolumns'></div><div class='content'><div class='content-outer'><div class='content-inner'>"
            f"<header><div class='header section' id='header'><div class='widget Header'><div class='titlewrapper'><h1 class='title'><a href='/'>{self.name}</a></h1></div><div class='descriptionwrapper'><p class='description'>{self.small_print}</p></div></div></div></header>"
            f"<div class='tabs-outer'><div class='widget PageList'><ul>{self.menu()}</ul></div></div><div class='main-outer'><div class='columns'><div class='column-center-outer'><div class='main section' id='main'><div class='widget Blog' id='Blog1'><div class='blog-posts hfeed'>{main}</div></div></div></div>"
            f"<div class='column-right-outer'><aside><div class='widget PopularPosts'><h2>{self.language.most}</h2><div class='popular-posts'><ul>{self.links(self.stories[5:10])}</ul></div></div><div class='widget BlogArchive'><h2>Arquivo</h2><ul>{months}</ul></div></aside></div></div></div>"
            f"<footer><div class='widget Attribution'>Tecnologia do Blogger.</div><ul>{self.feet()}</ul></footer></div></div></div></body></html>"
        )

    def article(self, story: PaperStory) -> str:
        """Return a post with its date above."""
        picture = (
            f"<div class='separator' style='clear: both;'><a href='/img/{story.picture}'><img src='/img/{story.picture}' /></a></div><br />"
            if story.picture
            else ""
        )
        said = "".join(
            f"<li class='comment'><div class='comment-block'><div class='comment-header'><cite class='user'>{self.language.names[n]}</cite></div><p class='comment-content'>{self.stories[n * 5].standfirst}</p></div></li>"
            for n in range(story.number % 3)
        )
        tags = self.topics(story, "{}, ")
        return (
            f"<div class='date-outer'><h2 class='date-header'><span>{self.language.printed(story.day)}</span></h2><div class='date-posts'><div class='post-outer'><div class='post hentry uncustomized-post-template' itemscope='itemscope'>"
            f"<a name='{900 + story.number}'></a><h3 class='post-title entry-title' itemprop='name'>{story.title}</h3><div class='post-header'></div>"
            f"<div class='post-body entry-content' id='post-body-{88100 + story.number}' itemprop='description articleBody'>{picture}{self.body(story)}<div style='clear: both;'></div></div>"
            f"<div class='post-footer'><div class='post-footer-line'><span class='post-author vcard'>Postado por <span class='fn' itemprop='author'>{' e '.join(story.authors)}</span></span> <span class='post-timestamp'>às <abbr class='published' title='{story.day}T{story.clock}:00-03:00'>{story.clock}</abbr></span></div><div class='post-footer-line'><span class='post-labels'>Marcadores: {tags}</span></div></div></div>"
            f"<div class='comments' id='comments'><h4>{story.number % 3} comentários:</h4><ol>{said}</ol></div></div></div></div><div class='blog-pager' id='blog-pager'><a class='blog-pager-older-link' href='{self.url(self.near(story, 1)[0])}'>{self.language.older}</a></div>"
        )

    def teaser(self, story: PaperStory) -> str:
        """Return the whole post, as Blogger's lists do."""
        return (
            f"<div class='date-outer'><h2 class='date-header'><span>{self.language.printed(story.day)}</span></h2><div class='date-posts'><div class='post-outer'><div class='post hentry uncustomized-post-template'>"
            f"<h3 class='post-title entry-title'><a href='{self.url(story)}'>{story.title}</a></h3><div class='post-body entry-content' id='post-body-{88100 + story.number}'>{self.body(story)}</div>"
            f"<div class='post-footer'><span class='post-author vcard'>Postado por <span class='fn'>{story.authors[0]}</span></span></div></div></div></div></div>"
        )

    def listing(self, title: str, teasers: str, more: str) -> str:
        """Return posts one below the other."""
        note = f"<div class='status-msg-wrap'><div class='status-msg-body'>Mostrando postagens com marcador <b>{title}</b></div></div>"
        return f"{'' if title == self.name else note}{teasers}{more}"

    def plain(self, title: str, lines: Sequence[str]) -> str:
        """Return a page in the markup of a post."""
        return f"<div class='post-outer'><div class='post hentry uncustomized-post-template'><h3 class='post-title entry-title'>{title}</h3><div class='post-body entry-content'>{'<br /><br />'.join(lines)}</div></div></div>"
