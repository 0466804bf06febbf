"""Base class of generated sites. Their markup is in the other modules of this package."""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from random import Random

from benchmarks.strangers.languages import LANGUAGES, PaperLanguage
from benchmarks.strangers.stories import PaperBlock, PaperStory, write_stories

_STRUCTURE = {
    "h": re.compile("<h[1-6]"),
    "ul": re.compile("<ul"),
    "quote": re.compile("<blockquote"),
    "table": re.compile("<table"),
    "figure": re.compile("caption"),
    "note": re.compile("id="),
}
"""Regular expressions that recognise the markup of a kind of block; sites may lack it."""


class Paper(ABC):
    """A generated site. Subclasses change its markup; the class names are those of real systems."""

    code = "en"
    """Language."""
    name = "The Daily"
    """Name of the site."""
    count = 60
    """Number of articles."""
    suffix = " | {name}"
    """Suffix of headlines in `<title>`."""
    path = "{slug}/index.html"
    """URL of an article; `slug`, `number`, `y`, `m`, `section`."""
    timed = False
    """The time of day is printed, or in the head."""
    per_page = 8
    """Number of teasers in a list."""

    p = "<p>{}</p>"
    h = "<h2>{}</h2>"
    ul = "<ul>{}</ul>"
    item = "<li>{}</li>"
    quote = "<blockquote><p>{}</p></blockquote>"
    table = "<table>{}</table>"
    figure = '<figure><img src="/img/{file}"><figcaption>{}</figcaption></figure>'
    entry = "<div class=entry><span>{0}</span><h3>{1}</h3><p>{2}</p></div>"
    note = '<ol class="footnotes"><li id="fn1">{}</li></ol>'
    embed = '<blockquote class="twitter-tweet"><p>{}</p></blockquote>'
    pull = "<aside class=pull-quote><p>{}</p></aside>"
    also = "<p>{also}: <a href='{url}'>{title}</a></p>"
    letter = "<div class=signup><h4>{newsletter}</h4><p>{pitch}</p><form><input></form></div>"
    ad = "<div class=ad><span>{ad}</span></div>"
    video = "<iframe src='/player/{number}'></iframe>"

    def __init__(self) -> None:
        self.language: PaperLanguage = LANGUAGES[self.code]
        self.stories = write_stories(self.language, type(self).__name__, self.count)
        self.dice = Random(type(self).__name__)  # noqa: S311 - made-up news
        self.pitch = self.language.paragraph(self.dice, 2)
        self.small_print = self.language.sentence(self.dice)

    # Differs between sites.

    @abstractmethod
    def frame(self, head: str, main: str, story: PaperStory | None) -> str:
        """Return a whole page."""

    @abstractmethod
    def article(self, story: PaperStory) -> str:
        """Return the page of an article, without header and footer."""

    @abstractmethod
    def teaser(self, story: PaperStory) -> str:
        """Return a story in a list."""

    def listing(self, title: str, teasers: str, more: str) -> str:
        """Return a list, without header and footer."""
        return f"<h1>{title}</h1>{teasers}{more}"

    def plain(self, title: str, lines: Sequence[str]) -> str:
        """Return a page about the site, without header and footer."""
        return f"<h1>{title}</h1>" + "".join(f"<p>{line}</p>" for line in lines)

    def head(self, title: str, story: PaperStory | None) -> str:
        """Return the `<head>` without the title."""
        return ""

    # Common to all sites.

    def url(self, story: PaperStory) -> str:
        """Return the address of a story."""
        return "/" + self.file(story).removesuffix("index.html")

    def file(self, story: PaperStory) -> str:
        """Return the file of a story."""
        slug = f"{story.title.split()[0].lower().strip('.,')}-{story.number}"
        return self.path.format(
            slug=slug if slug.isascii() else f"a{story.number}",
            number=40210 + 7 * story.number,
            y=story.day.year,
            m=f"{story.day.month:02}",
            section=self.stories.index(story) % 4,
        )

    def near(self, story: PaperStory, count: int, step: int = 1) -> list[PaperStory]:
        """Return other stories."""
        return [
            self.stories[(story.number + step * at) % len(self.stories)]
            for at in range(1, count + 1)
        ]

    def links(
        self, stories: Sequence[PaperStory], form: str = "<li><a href='{url}'>{title}</a></li>"
    ) -> str:
        """Return stories as links."""
        return "".join(form.format(url=self.url(s), title=escape(s.title)) for s in stories)

    def topics(self, story: PaperStory, form: str = "{} ") -> str:
        """Return links to the tags of a story."""
        return "".join(form.format(f"<a href='/tag/{tag}/'>{tag}</a>") for tag in story.tags)

    def body(self, story: PaperStory, blocks: Sequence[PaperBlock] | None = None) -> str:
        """Return the blocks of a story as HTML."""
        chosen = story.blocks if blocks is None else blocks
        rest = story.blocks[-len(chosen) :] if chosen else ()
        first = len(story.blocks) - len(chosen) if chosen == rest else 0
        return "".join(self._block(story, block, at) for at, block in enumerate(chosen, first))

    def _block(self, story: PaperStory, block: PaperBlock, at: int) -> str:
        lines = [escape(line, quote=False) for line in block.lines]
        if block.kind == "p":
            lines = [self._set(story, line, at) for line in block.lines]
        form = str(getattr(self, block.kind))
        if block.kind == "ul":
            return form.format("".join(self.item.format(line) for line in lines))
        if block.kind == "table":
            cells = [f"<td>{line}</td>" for line in lines]
            rows = zip(cells[::2], cells[1::2], strict=True)
            return form.format("".join(f"<tr>{a}{b}</tr>" for a, b in rows))
        other = self.stories[(story.number * 7 + at) % len(self.stories)]
        return form.format(
            *lines,
            file=f"b{story.number}-{at}.jpg",
            url=self.url(other),
            title=escape(other.title),
            number=story.number,
            pitch=self.pitch,
            also=self.language.also,
            newsletter=self.language.newsletter,
            ad=self.language.ad,
        )

    def link(self, story: PaperStory, at: int, line: str) -> tuple[str, str] | None:
        """Return words and URL of the link of a paragraph, or None."""
        if (story.number + at) % 4:
            return None
        parts = line.split()
        words = " ".join(parts[2:4]) if len(parts) > 4 else line[2:6]
        return words, f"https://elsewhere.example/{story.number}/{at}"

    def _set(self, story: PaperStory, line: str, at: int) -> str:
        """Return a paragraph with a link or emphasis; the first also links to the footnote."""
        text, found = escape(line, quote=False), self.link(story, at, line)
        if found is not None:
            words = escape(found[0], quote=False)
            text = text.replace(words, f'<a href="{found[1]}">{words}</a>', 1)
        elif at % 4 == 2:
            first = text.split()[0]
            text = text.replace(first, f"<em>{first}</em>", 1)
        has_note = at == 0 and any(block.kind == "note" for block in story.blocks)
        return text + '<sup><a href="#fn1">1</a></sup>' if has_note else text

    def pages(self) -> Iterator[tuple[str, str, PaperStory | None]]:
        """Yield all pages: file, HTML, and the story if it is one."""
        for story in self.stories:
            yield self.file(story), self.page(story.title, self.article(story), story), story
        for file, title, main in self._others():
            yield file, self.page(title, main, None), None

    def page(self, title: str, main: str, story: PaperStory | None) -> str:
        """Return a whole page."""
        whole = escape(title) + self.suffix.format(name=self.name)
        head = f"<meta charset=utf-8><title>{whole}</title>{self.head(title, story)}"
        return "<!DOCTYPE html>\n" + self.frame(head, main, story)

    def _others(self) -> Iterator[tuple[str, str, str]]:
        words = self.language
        lists = [("", self.name, self.stories)]
        lists += [(f"section/{n}/", n, s) for n, s in self._by(lambda s: (s.section,))]
        lists += [(f"author/{n}/", n, s) for n, s in self._by(lambda s: s.authors)]
        lists += [(f"tag/{n}/", n, s) for n, s in self._by(lambda s: s.tags)[:6]]
        for number, (folder, title, stories) in enumerate(lists):
            ascii_folder = folder if folder.isascii() else f"list{number}/"
            for page in range(0, len(stories), self.per_page):
                some = "".join(self.teaser(s) for s in stories[page : page + self.per_page])
                older = f"/{ascii_folder}page{page + 1}/"
                more = f"<div class=pagination><a href='{older}'>{words.older}</a></div>"
                here = f"page{page + 1 - self.per_page}/" if page else ""
                yield f"{ascii_folder}{here}index.html", title, self.listing(title, some, more)
        for file, title, sentences in (
            ("about", words.about, 8),
            ("contact", words.contact, 3),
            ("legal", words.legal, 60),
            ("newsletter", words.newsletter, 2),
            ("search", words.search, 0),
            ("404", "404", 1),
        ):
            lines = [words.paragraph(self.dice, 3) for _ in range((sentences + 2) // 3)]
            yield f"{file}/index.html", title, self.plain(title, lines)

    def _by(
        self, keys: Callable[[PaperStory], Iterable[str]]
    ) -> list[tuple[str, list[PaperStory]]]:
        found: dict[str, list[PaperStory]] = {}
        for story in self.stories:
            for key in keys(story):
                found.setdefault(key, []).append(story)
        return list(found.items())

    def menu(self, form: str = "<li><a href='{}'>{}</a></li>") -> str:
        """Return links to sections and pages about the site."""
        words = self.language
        lists = {title: f"/{file}" for file, title in self._sections()}
        pages = {words.home: "/", **lists, words.about: "/about/", words.newsletter: "/newsletter/"}
        return "".join(form.format(url, title) for title, url in pages.items())

    def _sections(self) -> list[tuple[str, str]]:
        names = [name for name, _ in self._by(lambda s: (s.section,))]
        return [
            (f"section/{name}/" if name.isascii() else f"list{at}/", name)
            for at, name in enumerate(names, 1)
        ]

    def feet(self, form: str = "<li><a href='{}'>{}</a></li>") -> str:
        """Return links of the footer."""
        words = self.language
        pages = {words.contact: "/contact/", words.legal: "/legal/", words.search: "/search/"}
        return "".join(form.format(url, title) for title, url in pages.items())

    def write(self, folder: Path) -> None:
        """Write the site in the layout of the corpus: `www/`, `truth.jsonl`, `other.txt`."""
        truth, other = [], []
        for file, html, story in self.pages():
            target = folder / "www" / file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(html)
            if story is None:
                other.append(file)
            else:
                truth.append(json.dumps(self._truth(file, story, html)))
        (folder / "truth.jsonl").write_text("\n".join(truth) + "\n")
        (folder / "other.txt").write_text("\n".join(other) + "\n")
        (folder / "site.json").write_text('{"hosts": ["news.example"]}')

    def _truth(self, file: str, story: PaperStory, html: str) -> dict[str, object]:
        return {
            "path": file,
            "title": story.title,
            "body": self.shown(story),
            "date": f"{story.day}T{story.clock}" if self.timed else story.day.isoformat(),
            "author": "; ".join(story.authors),
            **self._printed_fields(story, html),
            "language": self.code,
            "links": [
                found
                for at, block in enumerate(story.blocks)
                if block.kind == "p" and self.shown(story) == story.body
                for line in block.lines
                if (found := self.link(story, at, line)) is not None
            ],
            "entries": [
                [block.lines[0], block.lines[2]] for block in story.blocks if block.kind == "entry"
            ],
            "blocks": [
                [block.kind, line]
                for block in story.blocks
                if block.kind in _STRUCTURE and self.shown(story) == story.body
                if block.kind != "figure" or story.kind != "gallery"
                if _STRUCTURE[block.kind].search(getattr(self, block.kind))
                for line in block.lines
            ],
        }

    def _printed_fields(self, story: PaperStory, page: str) -> dict[str, object]:
        """Return the fields that the page of a story has."""
        name, frame = f">{story.section}<", self.page(story.title, "", story)
        in_head = f'"{story.section}"' in self.head(story.title, story)
        elsewhere = frame.count(name) + page.count(f"/tag/{story.section}/")
        has_section = in_head or page.count(name) > elsewhere
        return {
            "description": story.standfirst if f">{story.standfirst}<" in page else None,
            "section": story.section if has_section else None,
            "tags": [tag for tag in story.tags if f"/tag/{tag}/" in page],
            "image": story.picture if story.picture and f"/{story.picture}" in page else None,
        }

    def shown(self, story: PaperStory) -> str:
        """Return the text of a story as far as the site shows it."""
        return story.body
