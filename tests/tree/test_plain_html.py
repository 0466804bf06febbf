"""What is written without the parser is what the parser writes, byte for byte, or nothing."""

import random
from html.entities import html5

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchmarks.corpus import find_sites
from flong.tree.build import parse_as_browsers
from flong.tree.plain_html import Luck, plain_html

NAMES = """
a abbr address article b blockquote body br button caption center col colgroup dd desc details div
dl dt em fieldset font footer form frameset g h1 h2 head hr html i iframe img input li link main
math meta nobr noscript object ol optgroup option p path pre ruby script section select span style
svg table tbody td template textarea tfoot th thead title tr ul x-y
""".split()
ODD = [
    *"""
    &amp; &nbsp &nbsp; &copy; &copy &#150; &#x41; &#0; &lt &notit; & < > </ <! <? ' " ]]> <!--c-->
    <!--> <!---> <!--a--!> <!--a<!--b--> \u00a0 é 東京 one </body> </html>
    """.split(),
    " ",
    "\n",
    "\r\n",
    "\r",
    "two words",
    "<!doctype html>",
    "<p class='x\"y' CLASS=z a=b/c>",
    "<a href=x?a=1&copy=2&lt=3&amp;b>",
    '<td a=1 a = "2" =c "d>',
    "<svg viewbox=1 VIEWBOX=2>",
    "<lineargradient/>",
    "<path d=1/>",
    "<body class=q>",
    "<!-- a > b -->",
    "</p >",
    "</p x=1>",
    "<script>a<!--<script>b</script>--></script>",
    "<style>\r\n<b></style>",
    "<textarea>\r\n\r\na&amp;</textarea>",
]
pieces = st.one_of(
    st.sampled_from(ODD),
    st.builds("<{}>".format, st.sampled_from(NAMES)),
    st.builds("</{}>".format, st.sampled_from(NAMES)),
    st.builds("<{}/>".format, st.sampled_from(NAMES)),
)
pages = st.builds(
    lambda start, body: start + "".join(body),
    st.sampled_from(["", "<!DOCTYPE html>\n<html>\n<head><title>x</title></head>\n<body>"]),
    st.lists(pieces, max_size=12),
)

PLAIN = [
    "<title>A</title><p>B<p>C",
    "<html lang=en><meta charset=utf-8><head profile=x><link></head>\n<body>x</body>\n</html>",
    "<head><link></link></head>\n\n<style>a</style>\n<link rel=x><body>x",
    "<html><head></head></html>",
    "<body>x</body><!--a--></html><!--b-->\n",
    "<body><object></body><!--a-->",
    "<ul><li>a<li><p>b<li>c</ul>d</li></p>",
    "<dl><dt>a<dd>b<dt>c</dl>",
    "<p>a<div>b</div></p>c</br>",
    "<table><tr><td>a<td>b<tr><th>c</table>x",
    "<table><col><tr><td><table><tr><td>a</table></table>",
    "<table><caption>a</caption><thead><tr><th>b<tbody><tr><td><b>c</b></table>",
    "<a href=1><span>x<a href=2>y</a></span></a>z",
    "<b><span>x</b>y</span>",
    "<h1>a</h2>b",
    "<form><p>a</form><form></form></form>",
    "<select><optgroup><option>a<option>b</select>",
    "<div style=1 STYLE=2 a b = c>x</div></span>",
    "<p title='a<b>&quot;\u00a0&copy=1&amp;x'>x > \u00a0 &copy; AT&T &amp; Q&A &#133; &#x2019;",
    "<pre>\n\nx</pre><textarea>\r\n\na&amp;</textarea>",
    "<noscript><p>a</noscript><iframe>a<b</iframe><script>a<b&amp;</script>",
    "<p>a<svg viewbox=1><path d='M1'/><title>x &amp; y</title><g><path></path></g></svg>b",
    "a < b, 1 <2",
]
UNCLEAR = [
    "<p><b>A</p>B",
    "<b><p>A</b>B</p>",
    "<table>a<tr>",
    "<p><table>",
    "<select><div>",
    "<button><button>",
    "<form><form>",
    "<template>",
    "<p>&copy 2024",
    "<svg><p>",
    "<svg><title><b>",
    "<frameset>",
    "<!--a",
    "<p a",
    "a\0b",
    "<h1>a<h2>",
    "</head>",
]


@pytest.mark.parametrize("page", PLAIN)
def test_a_page_without_mistakes_needs_no_parser(page):
    assert plain_html(page.encode(), Luck()) == parse_as_browsers(page.encode())


@pytest.mark.parametrize("page", UNCLEAR)
def test_a_page_that_is_not_clear_is_left_to_the_parser(page):
    assert plain_html(page.encode(), Luck()) is None


def test_bytes_that_are_no_text_are_left_to_the_parser():
    assert plain_html(b"<p>\xc2</p>", Luck()) is None


@given(pages)
@example("<svg><desc><g/></desc></svg>")
@example("<table><colgroup></td><tr>")
@settings(max_examples=1500, deadline=None)
def test_whatever_is_written_is_what_the_parser_writes(page):
    written = plain_html(page.encode(), Luck())
    assert written is None or written == parse_as_browsers(page.encode())


@pytest.mark.parametrize("form", ["<p>{}x", "<p a='{}x'>", "<title>{}</title>", "<p a={}>"])
def test_entities_are_those_of_the_parser(form):
    names = [*html5, *(f"#{n};" for n in (*range(300), 8217, 0xD800, 0x1F600, 0x110000))]
    answers = 0
    for name in names:
        page = form.format(f"&{name}").encode()
        written = plain_html(page, Luck())
        answers += written is not None
        assert written is None or written == parse_as_browsers(page), page
    assert answers > len(html5) / 2


def test_names_in_a_drawing_are_spelled_as_by_the_parser():
    from flong.tree.html_elements import DRAWN_LETTERS, DRAWN_PLACES  # noqa: PLC0415 - the compiler

    letters = DRAWN_LETTERS.tobytes().decode()
    names = [letters[start:end] for start, end in DRAWN_PLACES.tolist() if end > start]
    assert "linearGradient" in names
    for name in names:
        tag = f"<path{name.upper()}=1 />" if name.startswith(" ") else f"<{name.upper()}></{name}>"
        page = f"<svg>{tag}</svg>".encode()
        assert plain_html(page, Luck()) == parse_as_browsers(page)


@pytest.mark.skipif(not find_sites(()), reason="needs the real sites")
def test_real_pages_are_written_as_by_the_parser():
    shuffle = random.Random(7)  # noqa: S311 - no secret
    answers = asked = 0
    for site in find_sites(()):
        for path in shuffle.sample(site.paths, min(20, len(site.paths))):
            page = site.page(path).html.encode(errors="ignore")
            written = plain_html(page, Luck())
            asked, answers = asked + 1, answers + (written is not None)
            assert written is None or written == parse_as_browsers(page), f"{site.slug} {path}"
    assert answers > asked / 2


def test_sites_whose_pages_all_need_the_parser_are_soon_left_alone():
    luck, tries = Luck(), list[bool]()
    for _ in range(200):
        tries.append(luck.is_worth_a_try())
        if tries[-1]:
            luck.note(done=False)
    assert all(tries[:8])
    assert 3 <= sum(tries[8:]) <= 10
    while not luck.is_worth_a_try():
        pass
    luck.note(done=True)
    assert luck.is_worth_a_try()


@pytest.mark.parametrize(
    "page",
    [
        "<{0}>" * 40 + "<p a='{1}'>{1}",
        "<{0}>" * 40 + "<p a='{1}'>" + "</{0}>" * 40,
        "<p a='{1}'>{1}</body>" + "<!--{0}-->" * 40,
        "<svg>" + "<path{0}/>" * 40 + "<p a='{1}'>",
        "<table><td>" * 300 + "<p a='{1}'>",
        "<p" + " a{0}" * 40 + " a='{1}'>",
    ],
)
@pytest.mark.parametrize("quotes", [100, 5_000, 20_000, 23_000, 60_000])
def test_a_page_that_grows_too_much_is_left_to_the_parser(page, quotes):
    data = page.format("x" * 999, '"' * quotes).encode()
    written = plain_html(data, Luck())
    assert written is None or written == parse_as_browsers(data)
