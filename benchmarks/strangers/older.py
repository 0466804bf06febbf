"""Sites of older making: Joomla, TYPO3, tables of the nineties; and one with hardly a class."""

from collections.abc import Sequence

from benchmarks.strangers.paper import Paper
from benchmarks.strangers.stories import PaperStory


class Joomla(Paper):
    """Joomla: the logo is the h1 of each page, the headline an h2 like those of all boxes."""

    code = "el"
    name = "Ο Παρατηρητής"
    path = "index.php/nea/{number}-{slug}.html"
    suffix = " - {name}"
    h = "<h3>{}</h3>"

    def frame(self, head: str, main: str, story: PaperStory | None) -> str:
        """Return a whole page."""
        return (
            f'<html lang="el-gr"><head>{head}</head><body class="site com_content {"view-article" if story else "view-category"}"><div class="body"><div class="container"><header class="header"><h1 class="site-title"><a href="/">{self.name}</a></h1></header>'
            f'<nav class="navigation"><ul class="nav menu nav-pills">{self.menu()}</ul></nav><div class="row-fluid"><main id="content" class="span9">{main}<ul class="breadcrumb"><li><a href="/">{self.language.home}</a></li></ul></main>'
            f'<div id="aside" class="span3"><div class="well"><h2 class="page-header">{self.language.most}</h2><ul class="mostread mod-list">{self.links(self.stories[2:8])}</ul></div><div class="well"><h2 class="page-header">{self.language.newsletter}</h2><p>{self.pitch}</p></div></div></div></div></div><footer class="footer"><ul>{self.feet()}</ul></footer></body></html>'
        )

    def article(self, story: PaperStory) -> str:
        """Return an item page."""
        pictures = (
            f'<div class="pull-left item-image"><img src="/images/{story.picture}" itemprop="image"></div>'
            if story.picture
            else ""
        )
        return (
            f'<div class="item-page" itemscope itemtype="https://schema.org/Article"><div class="page-header"><h2 itemprop="headline">{story.title}</h2></div>'
            f'<div class="icons"><div class="btn-group pull-right"><ul class="dropdown-menu"><li class="print-icon"><a href="/print">Εκτύπωση</a></li></ul></div></div>'
            f'<dl class="article-info muted"><dt class="article-info-term">Λεπτομέρειες</dt><dd class="createdby" itemprop="author">{self.language.by} <span itemprop="name">{", ".join(story.authors)}</span></dd><dd class="category-name">Κατηγορία: <a href="/section/{story.section}/">{story.section}</a></dd><dd class="published">Δημοσιεύθηκε: {self.language.printed(story.day)}</dd><dd class="hits">Εμφανίσεις: {story.number * 31 + 17}</dd></dl>'
            f'{pictures}<div itemprop="articleBody">{self.body(story)}</div><ul class="pager pagenav"><li class="previous"><a href="{self.url(self.near(story, 1)[0])}" rel="prev">&lt; Προηγούμενο</a></li><li class="next"><a href="{self.url(self.near(story, 1, -1)[0])}">Επόμενο &gt;</a></li></ul></div>'
        )

    def teaser(self, story: PaperStory) -> str:
        """Return an item of a blog list."""
        return f'<div class="items-row cols-1"><div class="item column-1" itemprop="blogPost"><div class="page-header"><h2 itemprop="name"><a href="{self.url(story)}">{story.title}</a></h2></div><p>{story.summary}</p><p class="readmore"><a class="btn" href="{self.url(story)}">{self.language.more}</a></p></div></div>'

    def listing(self, title: str, teasers: str, more: str) -> str:
        """Return a blog list."""
        return f'<div class="blog"><div class="page-header"><h2>{title}</h2></div>{teasers}<div class="pagination">{more}</div></div>'

    def plain(self, title: str, lines: Sequence[str]) -> str:
        """Return a page as an item page without particulars."""
        return f'<div class="item-page"><div class="page-header"><h2 itemprop="headline">{title}</h2></div><div itemprop="articleBody">{"".join(f"<p>{line}</p>" for line in lines)}</div></div>'


class Typo3(Paper):
    """A German regional paper with TYPO3: kicker and teaser, one article in three is a stub."""

    code = "de"
    name = "Kreisbote"
    path = "artikel/{slug}-{number}.html"
    suffix = " - {name}"
    p = '<p class="bodytext">{}</p>'
    h = "<h3>{}</h3>"
    also = '<div class="ce-related"><span class="ce-related__label">{also}</span><a href="{url}">{title}</a></div>'
    ad = '<div class="ad ad--inline"><span class="ad__label">{ad}</span></div>'

    def locked(self, story: PaperStory) -> bool:
        """Return whether only the beginning is shown."""
        return story.kind in ("news", "long") and story.number % 3 == 0

    def shown(self, story: PaperStory) -> str:
        """Return two paragraphs of a stub."""
        return "\n".join(story.blocks[0].lines) if self.locked(story) else story.body

    def frame(self, head: str, main: str, story: PaperStory | None) -> str:
        """Return a whole page."""
        return (
            f'<html lang="de"><head>{head}<meta name="generator" content="TYPO3 CMS"></head><body id="p{12 if story else 3}"><div id="top"></div><header class="header"><div class="header__logo"><a href="/"><img src="/logo.svg" alt="{self.name}"></a></div><nav class="main-nav"><ul>{self.menu()}</ul></nav></header>'
            f'<div class="container"><div class="row"><div class="col-md-8"><!--TYPO3SEARCH_begin-->{main}<!--TYPO3SEARCH_end--></div><div class="col-md-4"><div class="frame frame-default"><header><h2>{self.language.most}</h2></header><ol class="ranking">{self.links(self.stories[4:9])}</ol></div></div></div></div><footer class="footer"><ul>{self.feet()}</ul><p>{self.small_print}</p></footer></body></html>'
        )

    def article(self, story: PaperStory) -> str:
        """Return a news item with its paywall."""
        text = self.body(story, story.blocks[:1]) if self.locked(story) else self.body(story)
        wall = (
            f'<div class="paywall"><h3>Weiterlesen mit Plus</h3><p>{self.pitch}</p><ul><li>Zugang zu allen Artikeln</li><li>Monatlich kündbar</li></ul><a class="btn" href="/newsletter/">{self.language.subscribe}</a></div>'
            if self.locked(story)
            else ""
        )
        picture = (
            f'<div class="news-img-wrap"><div class="outer"><div class="mediaelement mediaelement-image"><img src="/fileadmin/{story.picture}"></div><p class="news-img-caption">Foto: {story.authors[0]}</p></div></div>'
            if story.picture
            else ""
        )
        lead = (
            f'<div class="teaser-text"><p>{story.standfirst}</p></div>' if story.standfirst else ""
        )
        return (
            f'<div class="news news-single"><div class="article" itemscope="itemscope"><div class="header"><span class="kicker">{story.kicker}</span><h1 itemprop="headline">{story.title}</h1></div>'
            f'<div class="footer"><p><span class="news-list-date"><time itemprop="datePublished" datetime="{story.day}">{self.language.printed(story.day)}</time></span> <span class="news-list-author">Von {" und ".join(story.authors)}</span></p></div>'
            f'{lead}<div class="share"><ul><li><a href="#">Facebook</a></li><li><a href="#">E-Mail</a></li></ul></div>{picture}<div class="news-text-wrap" itemprop="articleBody">{text}</div>{wall}'
            f'<div class="news-related-wrap"><div class="news-related"><h4>{self.language.also}</h4><ul>{self.links(self.near(story, 4, 3))}</ul></div></div></div></div>'
        )

    def teaser(self, story: PaperStory) -> str:
        """Return a news item in a list."""
        return f'<div class="article articletype-0"><div class="header"><span class="kicker">{story.kicker}</span><h3><a href="{self.url(story)}"><span itemprop="headline">{story.title}</span></a></h3></div><div class="teaser-text"><div itemprop="description"><p>{story.summary}</p></div><a class="more" href="{self.url(story)}">{self.language.more}</a></div></div>'

    def listing(self, title: str, teasers: str, more: str) -> str:
        """Return a list view."""
        return f'<header><h1>{title}</h1></header><div class="news"><div class="news-list-view">{teasers}{more}</div></div>'

    def plain(self, title: str, lines: Sequence[str]) -> str:
        """Return a page of text elements."""
        return f'<div class="frame frame-default"><header><h1>{title}</h1></header><div class="ce-textpic"><div class="ce-bodytext">{"".join(f"<p class=bodytext>{line}</p>" for line in lines)}</div></div></div>'


class Hugo(Paper):
    """Hugo with a theme of almost no classes."""

    name = "north wind notes"
    path = "posts/{slug}/index.html"
    suffix = ""
    per_page = 15
    pull = ""
    letter = ""
    ad = ""
    entry = "<h3>{0} {1}</h3><p>{2}</p>"

    def frame(self, head: str, main: str, story: PaperStory | None) -> str:
        """Return a whole page."""
        return f'<html lang="en"><head>{head}</head><body><header><a href="/">{self.name}</a><nav>{self.menu("<a href={}>{}</a> ")}</nav></header><main>{main}</main><footer><p>{self.small_print}</p>{self.feet("<a href={}>{}</a> ")}</footer></body></html>'

    def article(self, story: PaperStory) -> str:
        """Return the text and little else."""
        names = " and ".join(story.authors)
        picture = f"<img src=/img/{story.picture}>" if story.picture else ""
        return f"<article><h1>{story.title}</h1><p><time>{self.language.printed(story.day)}</time> by {names}</p>{picture}{self.body(story)}</article><p>{self.topics(story)}</p>"

    def teaser(self, story: PaperStory) -> str:
        """Return a line."""
        return f"<li><time>{self.language.printed(story.day)}</time> <a href='{self.url(story)}'>{story.title}</a></li>"

    def listing(self, title: str, teasers: str, more: str) -> str:
        """Return lines below a heading."""
        return f"<h1>{title}</h1><ul>{teasers}</ul>{more}"


class Tables(Paper):
    """The nineties: tables, fonts and breaks; no class, no id, no heading, no paragraph."""

    code = "ru"
    name = "Вечерний вестник"
    path = "news/{y}/{m}/n{number}.htm"
    suffix = ""
    p = "&nbsp;&nbsp;&nbsp;{}<br><br>\n"
    h = "<b>{}</b><br><br>\n"
    quote = "<i>{}</i><br><br>\n"
    pull = ""
    also = "<b>{also}:</b> <a href='{url}'>{title}</a><br><br>\n"
    letter = ""
    ad = ""
    figure = "<center><img src=/img/{file}><br><font size=1>{}</font></center><br>\n"
    embed = "<i>{}</i><br><br>\n"
    entry = "<b>{0} {1}</b><br>{2}<br><br>\n"

    def page(self, title: str, main: str, story: PaperStory | None) -> str:
        """Return a page whose title begins with the site's name."""
        return super().page(f"{self.name}: {title}", main, story)

    def frame(self, head: str, main: str, story: PaperStory | None) -> str:
        """Return a whole page."""
        menu = self.menu("<tr><td bgcolor=#eeeeee><font size=2><a href={}>{}</a></font></td></tr>")
        news = self.links(
            self.stories[:6], "<font size=2><a href='{url}'>{title}</a></font><br><br>"
        )
        return (
            f"<html><head>{head}</head><body bgcolor=white><table width=780 align=center><tr><td colspan=3><font size=6><b>{self.name}</b></font><br><font size=1>{self.small_print}</font></td></tr>"
            f"<tr><td width=140 valign=top><table>{menu}</table></td><td width=480 valign=top>{main}</td><td width=160 valign=top><font size=2><b>{self.language.most}</b></font><br>{news}</td></tr><tr><td colspan=3 align=center>{self.feet('<a href={}>{}</a> | ')}</td></tr></table></body></html>"
        )

    def article(self, story: PaperStory) -> str:
        """Return the text in one cell."""
        picture = f"<img src=/img/{story.picture} align=left>" if story.picture else ""
        return (
            f"<table width=100%><tr><td><font size=2 color=gray>{story.day:%d.%m.%Y}</font></td></tr><tr><td><font size=5><b>{story.title}</b></font></td></tr><tr><td><font size=3>{picture}{self.body(story)}</font></td></tr>"
            f"<tr><td align=right><font size=2><i>{', '.join(story.authors)}</i></font></td></tr><tr><td><font size=2><a href=/print>Версия для печати</a></font></td></tr></table>"
        )

    def teaser(self, story: PaperStory) -> str:
        """Return a row."""
        return f"<tr><td><font size=2 color=gray>{story.day:%d.%m.%Y}</font> <a href='{self.url(story)}'><b>{story.title}</b></a><br><font size=2>{story.summary}</font></td></tr>"

    def listing(self, title: str, teasers: str, more: str) -> str:
        """Return rows."""
        return f"<font size=5><b>{title}</b></font><br><table width=100%>{teasers}</table>{more}"

    def plain(self, title: str, lines: Sequence[str]) -> str:
        """Return text in one cell."""
        return f"<table width=100%><tr><td><font size=5><b>{title}</b></font></td></tr><tr><td><font size=3>{'<br><br>'.join(lines)}</font></td></tr></table>"
