"""Sites in other scripts, with layouts that are odder than most."""

from collections.abc import Sequence

from benchmarks.strangers.paper import Paper
from benchmarks.strangers.stories import PaperStory


class Rankings(Paper):
    """A Japanese portal: no spaces, rankings everywhere, the byline in the text's last line."""

    code = "ja"
    name = "みなと新聞"
    path = "articles/{number}.html"
    timed = True
    suffix = "｜{name}"
    h = '<h2 class="midashi">{}</h2>'
    also = '<p class="related-inline">【{also}】<a href="{url}">{title}</a></p>'
    figure = '<div class="photo"><img src="/img/{file}"><p class="caption">{}</p></div>'
    pull = '<p class="pick"><b>{}</b></p>'

    def frame(self, head: str, main: str, story: PaperStory | None) -> str:
        """Return a whole page."""
        ranking = "".join(
            f'<li><span class="rank">{n}</span><a href="{self.url(s)}">{s.title}</a></li>'
            for n, s in enumerate(self.stories[6:16], 1)
        )
        return (
            f'<html lang="ja"><head>{head}</head><body><div id="wrapper"><div id="globalHeader"><p class="logo"><a href="/">{self.name}</a></p><ul id="gnavi">{self.menu()}</ul></div><div id="container"><div id="main">{main}</div>'
            f'<div id="side"><div class="sideBox"><p class="sideTitle">{self.language.most}</p><ol class="ranking">{ranking}</ol></div><div class="sideBox"><p class="sideTitle">{self.language.newsletter}</p><p>{self.pitch}</p></div></div></div><div id="globalFooter"><ul>{self.feet()}</ul><p class="copy">{self.small_print}</p></div></div></body></html>'
        )

    def article(self, story: PaperStory) -> str:
        """Return an article."""
        picture = (
            f'<div class="mainPhoto"><img src="/img/{story.picture}"></div>'
            if story.picture
            else ""
        )
        return (
            f'<div class="topicPath"><a href="/">{self.language.home}</a> &gt; <a href="/section/">{story.section}</a> &gt; {story.title}</div><div class="articleHeader"><h1>{story.title}</h1><p class="date">{self.language.printed(story.day)} {story.clock.replace(":", "時")}分</p><ul class="sns"><li><a href="#">ツイート</a></li><li><a href="#">保存</a></li></ul></div>'
            f'{picture}<div class="articleBody">{self.body(story)}<p class="credit">（{self.language.by}{"、".join(story.authors)}）</p></div><div class="relatedArticles"><p class="boxTitle">{self.language.also}</p><ul>{self.links(self.near(story, 5, 2))}</ul></div>'
        )

    def teaser(self, story: PaperStory) -> str:
        """Return a line with its date."""
        return f'<li class="newsItem"><a href="{self.url(story)}"><span class="newsTitle">{story.title}</span><span class="newsDate">{self.language.printed(story.day)}</span></a></li>'

    def listing(self, title: str, teasers: str, more: str) -> str:
        """Return lines."""
        return f'<h1 class="pageTitle">{title}</h1><ul class="newsList">{teasers}</ul>{more}'

    def plain(self, title: str, lines: Sequence[str]) -> str:
        """Return text."""
        return f'<h1 class="pageTitle">{title}</h1><div class="textBody">{"".join(f"<p>{line}</p>" for line in lines)}</div>'


class Channel(Paper):
    """A Chinese portal: no language declared, editor's line and source, comments by script."""

    code = "zh"
    name = "海港网"
    path = "c/{y}/{m}/doc-{number}.shtml.html"
    timed = True
    suffix = "_{name}"
    p = "<p>　　{}</p>"
    h = "<p><strong>{}</strong></p>"
    also = '<p class="recommend">{also}：<a href="{url}">{title}</a></p>'
    figure = '<div class="img_wrapper"><img src="//img.example/{file}"><span class="img_descr">{}</span></div>'

    def frame(self, head: str, main: str, story: PaperStory | None) -> str:
        """Return a whole page."""
        return f'<html><head>{head}</head><body><div class="top-bar"><ul>{self.menu()}</ul></div><div class="path-search"><a href="/">{self.name}</a></div><div class="main-content w1240">{main}<div class="article-content-right"><div class="tit02">{self.language.most}</div><ul class="list_01">{self.links(self.stories[1:11])}</ul></div></div><div class="page-footer"><p>{self.feet("<a href={}>{}</a> ")}</p><p>{self.small_print}</p></div></body></html>'

    def article(self, story: PaperStory) -> str:
        """Return an article."""
        lines = f'<p class="show_author">责任编辑：{"、".join(story.authors)}</p>'
        return (
            f'<h1 class="main-title">{story.title}</h1><div class="top-bar-inner"><div class="date-source"><span class="date">{self.language.printed(story.day)} {story.clock}</span><span class="source">{self.name}</span></div></div><div class="article-content-left"><div class="article" id="artibody">{self.body(story)}{lines}</div>'
            f'<div class="article-bottom"><div class="keywords">{self.language.topics}：{self.topics(story)}</div><div class="blk_related"><ul>{self.links(self.near(story, 4, 3))}</ul></div><div id="bottom_sina_comment"></div></div></div>'
        )

    def teaser(self, story: PaperStory) -> str:
        """Return a line."""
        return f'<li><a href="{self.url(story)}">{story.title}</a><span class="time">({story.day:%m月%d日} 10:22)</span></li>'

    def listing(self, title: str, teasers: str, more: str) -> str:
        """Return lines."""
        return f'<h2 class="list-title">{title}</h2><ul class="list_009">{teasers}</ul>{more}'

    def plain(self, title: str, lines: Sequence[str]) -> str:
        """Return text."""
        return f'<h1 class="main-title">{title}</h1><div class="about-text">{"".join(f"<p>{line}</p>" for line in lines)}</div>'


class Breaks(Paper):
    """A Korean paper: the whole text in one element with breaks, the reporter's name at its end."""

    code = "ko"
    name = "항구일보"
    path = "news/articleView_{number}.html"
    timed = True
    suffix = " - {name}"
    p = "{}<br/><br/>\n"
    h = "<strong>{}</strong><br/><br/>\n"
    quote = "{}<br/><br/>\n"
    embed = "{}<br/><br/>\n"
    pull = ""
    also = ""
    letter = ""
    figure = (
        '<table class="pic"><tr><td><img src="/img/{file}"></td></tr><tr><td>{}</td></tr></table>\n'
    )
    entry = "<strong>{0} {1}</strong><br/>{2}<br/><br/>\n"

    def frame(self, head: str, main: str, story: PaperStory | None) -> str:
        """Return a whole page."""
        return f'<html><head>{head}</head><body><div id="user-wrap"><header id="user-header"><h1 class="logo"><a href="/">{self.name}</a></h1><ul id="user-menu">{self.menu()}</ul></header><section id="user-container"><div class="float-center">{main}</div><aside class="user-aside"><div class="box"><h2>{self.language.most}</h2><ol>{self.links(self.stories[:8])}</ol></div></aside></section><footer id="user-footer"><ul>{self.feet()}</ul><p>{self.small_print}</p></footer></div></body></html>'

    def article(self, story: PaperStory) -> str:
        """Return an article."""
        picture = (
            f'<div class="photo-layout"><img src="/img/{story.picture}"></div>'
            if story.picture
            else ""
        )
        return (
            f'<div class="article-head-title">{story.title}</div><div class="info-text"><ul><li>{" · ".join(f"{n} 기자" for n in story.authors)}</li><li>승인 {self.language.printed(story.day)} {story.clock}</li><li>댓글 {story.number % 4}</li></ul></div>'
            f'<div id="article-view-content-div" class="article-body">{picture}{self.body(story)}</div><div class="article-copy">저작권자 © {self.name} 무단전재 및 재배포 금지</div><div class="tag-group">{self.topics(story)}</div><div class="relation"><h2>{self.language.also}</h2><ul>{self.links(self.near(story, 4))}</ul></div>'
        )

    def teaser(self, story: PaperStory) -> str:
        """Return a row."""
        return f'<div class="list-block"><div class="list-titles"><a href="{self.url(story)}"><strong>{story.title}</strong></a></div><p class="list-summary"><a href="{self.url(story)}">{story.summary}</a></p><div class="list-dated">{story.section} | {story.authors[0]} | {self.language.printed(story.day)}</div></div>'

    def listing(self, title: str, teasers: str, more: str) -> str:
        """Return rows."""
        return f'<div class="article-head-title">{title}</div><section class="article-list">{teasers}</section>{more}'

    def plain(self, title: str, lines: Sequence[str]) -> str:
        """Return text."""
        return f'<div class="article-head-title">{title}</div><div class="doc-body">{"<br/><br/>".join(lines)}</div>'


class Few(Paper):
    """Mostly lists: fifteen articles, in Thai, where words have no spaces between them."""

    code = "th"
    name = "ข่าวท่าเรือ"
    path = "news/{number}/index.html"
    suffix = " | {name}"
    count = 15
    per_page = 3
    figure = '<figure class="wp"><img src="/img/{file}"><figcaption>{}</figcaption></figure>'

    def frame(self, head: str, main: str, story: PaperStory | None) -> str:
        """Return a whole page."""
        return f'<html lang="th"><head>{head}</head><body><div class="navbar"><a class="brand" href="/">{self.name}</a><ul>{self.menu()}</ul></div><div class="container">{main}</div><div class="footer"><ul>{self.feet()}</ul><p>{self.small_print}</p></div></body></html>'

    def article(self, story: PaperStory) -> str:
        """Return an article; the year is counted as in Thailand."""
        when = self.language.day.format(
            d=story.day.day, month=self.language.months[story.day.month - 1], y=story.day.year + 543
        )
        picture = f'<img class="cover" src="/img/{story.picture}">' if story.picture else ""
        return f'<div class="news-detail"><h1 class="news-title">{story.title}</h1><div class="news-info"><span class="news-date">{when}</span> <span class="news-writer">{self.language.by} {", ".join(story.authors)}</span></div>{picture}<div class="news-content">{self.body(story)}</div></div><div class="news-other"><h2>{self.language.also}</h2>{"".join(map(self.teaser, self.near(story, 3)))}</div>'

    def teaser(self, story: PaperStory) -> str:
        """Return a card."""
        return f'<div class="card"><h3 class="card-title"><a href="{self.url(story)}">{story.title}</a></h3><p class="card-text">{story.summary}</p></div>'

    def listing(self, title: str, teasers: str, more: str) -> str:
        """Return cards."""
        return f'<h1 class="list-title">{title}</h1><div class="cards">{teasers}</div>{more}'


class Split(Paper):
    """A Hindi site whose articles are in two boxes, with a promotion in between."""

    code = "hi"
    name = "बंदरगाह समाचार"
    path = "story/{slug}-{number}.html"
    suffix = " - {name}"

    def frame(self, head: str, main: str, story: PaperStory | None) -> str:
        """Return a whole page."""
        return f'<html lang="hi"><head>{head}</head><body><div class="hd"><a href="/" class="lg">{self.name}</a><ul class="nv">{self.menu()}</ul></div><div class="mn"><div class="lf">{main}</div><div class="rt"><div class="bx"><div class="bt">{self.language.most}</div><ul>{self.links(self.stories[:7])}</ul></div></div></div><div class="ft"><ul>{self.feet()}</ul><p>{self.small_print}</p></div></body></html>'

    def article(self, story: PaperStory) -> str:
        """Return an article in two boxes."""
        cut = 1 if len(story.blocks) < 6 else 3
        picture = f'<div class="im"><img src="/img/{story.picture}"></div>' if story.picture else ""
        rest = (
            f'<div class="st2">{self.body(story, story.blocks[cut:])}</div>'
            if story.blocks[cut:]
            else ""
        )
        return (
            f'<div class="sh"><h1>{story.title}</h1><h2 class="sy">{story.standfirst}</h2><div class="by">{self.language.by}: <b>{", ".join(story.authors)}</b> | {self.language.printed(story.day)}</div></div>{picture}<div class="st1">{self.body(story, story.blocks[:cut])}</div>'
            f'<div class="pm"><div class="bt">{self.language.also}</div><ul>{self.links(self.near(story, 2))}</ul></div>{rest}<div class="tg">{self.topics(story)}</div>'
        )

    def teaser(self, story: PaperStory) -> str:
        """Return a row."""
        return f'<div class="rw"><img src="/img/{story.picture or "n.jpg"}"><div class="tx"><a href="{self.url(story)}">{story.title}</a><p>{story.summary}</p></div></div>'

    def listing(self, title: str, teasers: str, more: str) -> str:
        """Return rows."""
        return f'<div class="lt">{title}</div>{teasers}{more}'

    def plain(self, title: str, lines: Sequence[str]) -> str:
        """Return text."""
        return f'<div class="sh"><h1>{title}</h1></div><div class="pg">{"".join(f"<p>{line}</p>" for line in lines)}</div>'


class Logo(Paper):
    """A Hebrew site: the logo is the only heading, the headline a `div`; lists have full texts."""

    code = "he"
    name = "חדשות הנמל"
    path = "article/{number}/index.html"
    suffix = ""
    h = '<div class="subtitle">{}</div>'
    entry = '<div class="update"><div class="hour">{0}</div><div class="subtitle">{1}</div><p>{2}</p></div>'
    letter = '<div class="box"><div class="subtitle">{newsletter}</div><p>{pitch}</p></div>'

    def page(self, title: str, main: str, story: PaperStory | None) -> str:
        """Return a page that is titled like all others."""
        return super().page(self.name, main, story)

    def frame(self, head: str, main: str, story: PaperStory | None) -> str:
        """Return a whole page."""
        return f'<html dir="rtl" lang="he"><head>{head}</head><body><div class="site"><h1 class="logo"><a href="/">{self.name}</a></h1><ul class="menu">{self.menu()}</ul><div class="center">{main}</div><div class="end"><ul>{self.feet()}</ul><p>{self.small_print}</p></div></div></body></html>'

    def article(self, story: PaperStory) -> str:
        """Return an article and, in full, those before it."""
        return (
            self._one(story)
            + f'<div class="box"><div class="subtitle">{self.language.also}</div><ul>{self.links(self.near(story, 4))}</ul></div>'
        )

    def _one(self, story: PaperStory) -> str:
        picture = (
            f'<div class="pic"><img src="/img/{story.picture}"></div>' if story.picture else ""
        )
        lead = f'<div class="sub">{story.standfirst}</div>' if story.standfirst else ""
        return f'<div class="item"><div class="headline">{story.title}</div>{lead}<div class="credit">{self.language.by} {", ".join(story.authors)}, {story.day:%d.%m.%Y}</div>{picture}<div class="text">{self.body(story)}</div></div>'

    def teaser(self, story: PaperStory) -> str:
        """Return the whole article with its headline linked."""
        return self._one(story).replace(
            f">{story.title}</div>", f'><a href="{self.url(story)}">{story.title}</a></div>', 1
        )

    def listing(self, title: str, teasers: str, more: str) -> str:
        """Return articles."""
        return f'<div class="subtitle">{title}</div>{teasers}{more}'

    def plain(self, title: str, lines: Sequence[str]) -> str:
        """Return text."""
        return f'<div class="page"><div class="subtitle">{title}</div>{"".join(f"<p>{line}</p>" for line in lines)}</div>'
