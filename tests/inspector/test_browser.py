"""Views in a browser: layout, folding, filters, keyboard, and no external requests."""

from collections import Counter

import pytest

from flong.inspector.sanitizer import safe_document

SITE = "courier.example"
STYLE = "e => getComputedStyle(e)"


@pytest.fixture
def watched(tab, address):
    """The tab; afterwards it must have no external request, error or dialog."""
    yield tab
    assert [url for url in tab.asked if not url.startswith((address, "data:"))] == []
    assert tab.complaints == []
    assert tab.dialogs == []


def overlap(one, other):
    """Return the share of the smaller box that lies in the other."""
    width = min(one["x"] + one["width"], other["x"] + other["width"]) - max(one["x"], other["x"])
    height = min(one["y"] + one["height"], other["y"] + other["height"]) - max(one["y"], other["y"])
    smaller = min(box["width"] * box["height"] for box in (one, other))
    return max(0, width) * max(0, height) / smaller


@pytest.fixture
def dialect():
    """Use SQLite only: `test_views.py` compares both databases."""
    return "sqlite"


@pytest.mark.parametrize(("scheme", "width"), [("light", 1300), ("dark", 390)])
def test_each_view_opens_and_fits_the_screen(watched, articles, client, scheme, width):
    watched.emulate_media(color_scheme=scheme)
    watched.set_viewport_size({"width": width, "height": 800})
    cluster = client.get(f"/sites/{SITE}.json").json()["clusters"][0]["id"]
    row = articles[0]
    of_article = [f"/patterns/{row.pattern_id}", f"/pages/{row.page_id}"]
    of_article += [f"/articles/{row.page_id}{tab}" for tab in ("", "/versions", "/story", "/page")]
    lists = (
        "/night",
        "/search?q=the",
        "/sites",
        "/pages",
        "/articles",
        "/articles?q=nothing-like-this",
        "/clippings",
        "/stories",
        "/edits",
        "/docs",
    )
    for path in (f"/sites/{SITE}", f"/clusters/{cluster}", *of_article, *lists):
        watched.goto(path, wait_until="domcontentloaded")
        assert watched.locator("h1").first.is_visible(), path
        wide = watched.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{path} is {wide} wide"
        # Long words do not widen it.
        watched.evaluate(
            "document.querySelectorAll('h1, .results h2, [dir=auto], .url')"
            ".forEach(part => part.append('x'.repeat(400)))"
        )
        wide = watched.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{path} with long words is {wide} wide"
        if width < 640:  # lists are not tables there
            inner = (
                "Math.max(0, ...[...document.querySelectorAll('.list')].map(e => e.scrollWidth))"
            )
            assert watched.evaluate(inner) <= width, path


WIDE = f"""<style>main {{ width: 1500px }}</style><main><h1>News</h1></main>
<pre>{"word " * 80}</pre>
<table width=1400><tr><td nowrap>{"word " * 80}<td><img width=900 height=300></table>
<figure><div style="min-width: 1300px">{"x" * 400}</div></figure>"""


@pytest.mark.parametrize("width", [960, 480])
def test_wide_pages_fit_their_frame(browser, width):
    tab = browser.new_context(viewport={"width": width, "height": 600}).new_page()
    tab.set_content(safe_document(WIDE, {}))
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    tab.context.close()


@pytest.mark.parametrize(("width", "page"), [(1300, 960), (390, 480), (2000, 960)])
def test_frame_is_scaled_to_the_screen(watched, articles, width, page):
    watched.set_viewport_size({"width": width, "height": 800})
    watched.goto(f"/pages/{articles[0].page_id}")
    frame = watched.locator("iframe.page")
    shown, screen = frame.bounding_box(), watched.locator(".screen").bounding_box()
    assert shown["width"] == pytest.approx(screen["width"], abs=3)
    assert shown["height"] == pytest.approx(screen["height"], abs=3)
    wide = max(page, screen["width"])
    assert frame.evaluate("e => e.offsetWidth") == pytest.approx(wide, abs=3)


def test_highlight_is_over_the_title(watched, articles):
    for row in articles[:3]:
        watched.goto(f"/pages/{row.page_id}")
        frame = watched.frame_locator("iframe.page")
        marked = frame.locator('[data-flong~="title"]')
        marked.wait_for()
        assert " ".join(marked.inner_text().split()) == row.article.title
        headline = frame.get_by_role("heading", level=1).filter(has_text=row.article.title)
        assert overlap(marked.bounding_box(), headline.bounding_box()) > 0.95
        sides = marked.evaluate("e => e.getBoundingClientRect().toJSON()")
        width, height = marked.evaluate("() => [innerWidth, innerHeight]")
        assert sides["left"] >= 0 <= sides["top"], "it is visible"
        assert sides["right"] <= width, "it is not cut"
        assert sides["bottom"] <= height
        assert marked.evaluate(f"{STYLE}.outlineStyle") == "solid"
        assert marked.evaluate(f"{STYLE}.outlineColor") == "rgb(168, 90, 0)"


def test_highlight_of_the_body_is_over_its_paragraphs(watched, articles):
    row = articles[0]
    watched.goto(f"/pages/{row.page_id}")
    frame = watched.frame_locator("iframe.page")
    container = frame.locator('[data-flong~="container"]').bounding_box()
    for line in [line for line in row.article.body.split("\n") if len(line) > 60][:3]:
        marked = frame.locator('[data-flong~="body"]').filter(has_text=line[:50]).last
        assert overlap(marked.bounding_box(), container) > 0.95


def test_date_and_byline_are_marked_where_they_are_printed(watched, articles, portal):
    authors = {true.path: true.author for true in portal.truth()}
    main = Counter(row.pattern_id for row in articles).most_common(1)[0][0]
    row = next(r for r in articles if (r.pattern_id, r.article.language) == (main, "en"))
    watched.goto(f"/pages/{row.page_id}")
    frame = watched.frame_locator("iframe.page")
    author = authors[row.article.url.removeprefix("https://courier.example")]
    assert author in frame.locator('[data-flong~="authors"]').inner_text()
    assert str(row.article.published.year) in (
        frame.locator('[data-flong~="published"]').inner_text()
    )


def test_nothing_but_its_own_line_is_marked_as_date_or_byline(tab, articles):
    seen = 0
    for row in {row.pattern_id: row for row in articles}.values():
        tab.goto(f"/pages/{row.page_id}/frame")
        for field in ("authors", "published"):
            marked = tab.locator(f'[data-flong~="{field}"]').all_inner_texts()
            assert len(marked) <= 1
            assert all(len(text) < 80 for text in marked)
            seen += len(marked)
    assert seen


def test_field_can_be_shown_in_the_page(watched, articles):
    watched.goto(f"/pages/{articles[0].page_id}")
    watched.locator(".fields .r-title a.show").click()
    title = watched.frame_locator("iframe.page").locator('[data-flong~="title"]')
    title.wait_for()
    assert title.evaluate("e => e.matches(':target')")


def test_pattern_folds_and_unfolds(watched, articles):
    watched.goto(f"/patterns/{articles[0].pattern_id}")
    parts = watched.locator(".tree details")
    opened = watched.locator(".tree details[open]")
    before = opened.count()
    assert 0 < before < parts.count()
    watched.get_by_role("button", name="Unfold all").click()
    assert opened.count() == parts.count()
    watched.get_by_role("button", name="Fold all", exact=True).click()
    assert opened.count() == 1
    watched.get_by_role("button", name="Fields only").click()
    assert opened.count() == before
    closed = watched.locator(".tree details:not([open]) > summary").first
    closed.press("Enter")
    assert opened.count() == before + 1


def test_pointing_at_a_wildcard_shows_its_matches(watched, articles):
    watched.goto(f"/patterns/{articles[0].pattern_id}")
    wildcard = watched.locator(".wild.r-title").first
    tip = wildcard.locator(".tip")
    assert not tip.is_visible()
    wildcard.hover()
    assert tip.is_visible()
    assert any(row.article.title in tip.inner_text() for row in articles)
    watched.mouse.move(0, 0)
    assert not tip.is_visible()
    wildcard.focus()
    assert tip.is_visible(), "also for the keyboard"


def test_articles_are_filtered_with_the_form(watched):
    watched.goto("/articles")
    watched.get_by_label("Site").select_option(SITE)
    watched.get_by_label("Title or URL").fill("sport")
    watched.get_by_role("button", name="Filter").click()
    assert "q=sport" in watched.url
    lines = watched.locator("table.list tbody tr")
    assert lines.count() > 0
    assert all("sport" in line.lower() for line in lines.all_inner_texts())
    lines.first.get_by_role("link").first.click()
    assert "/articles/" in watched.url


def test_pictures_of_articles_are_links_and_not_requested(watched, store, articles):
    row = next(row for row in articles if row.article.image)
    watched.goto(f"/articles/{row.page_id}")
    link = watched.get_by_role("link", name="picture")
    assert link.get_attribute("href") == row.article.image
    for path in (f"/articles/{row.page_id}", "/night", "/clippings", "/search?limit=200"):
        watched.goto(path, wait_until="networkidle")
        assert watched.locator("main :is(img, picture, video)").count() == 0, path


def test_policy_refuses_pictures_of_other_hosts(tab, canary):
    tab.goto("/night")
    refused = tab.evaluate(
        "url => new Promise(end => { const img = new Image(); img.onload = () => end(false);"
        " img.onerror = () => end(true); img.src = url })",
        f"{canary[0]}/lead.png",
    )
    assert refused
    assert canary[1] == []


def test_page_is_found_with_the_keyboard_alone(watched, articles):
    watched.goto("/sites")
    watched.keyboard.press("Tab")
    assert watched.locator(":focus").inner_text() == "Skip to content"
    watched.keyboard.press("/")
    watched.keyboard.type(articles[0].article.url)
    watched.keyboard.press("Enter")
    watched.wait_for_url(f"**/pages/{articles[0].page_id}")
    watched.keyboard.press("Tab")
    assert watched.locator(":focus").evaluate(f"{STYLE}.outlineStyle") == "solid"


def test_words_are_suggested_while_typing(watched):
    watched.goto("/night")
    watched.locator("#find").press_sequentially("newsl")
    watched.locator("#suggestions option[value=newsletter]").wait_for(state="attached")


def test_article_is_searched_for_and_read_with_the_keyboard_alone(watched):
    watched.goto("/night")
    watched.keyboard.press("/")
    watched.keyboard.type("newsletter")
    watched.keyboard.press("Enter")
    watched.wait_for_url("**/search?q=newsletter")
    found = watched.locator(".results h2 a").first
    assert found.locator("mark").inner_text() == "Newsletter"
    found.press("Enter")
    watched.wait_for_url("**/articles/*")
    title = watched.locator("h1").inner_text()
    watched.keyboard.press("p")
    watched.wait_for_function(
        "title => document.querySelector('h1').innerText !== title", arg=title
    )
    watched.keyboard.press("n")
    watched.wait_for_function(
        "title => document.querySelector('h1').innerText === title", arg=title
    )


def test_everything_but_folding_buttons_works_without_scripts(browser, address, articles):
    context = browser.new_context(base_url=address, java_script_enabled=False)
    tab = context.new_page()
    tab.goto(f"/patterns/{articles[0].pattern_id}")
    assert not tab.get_by_role("button", name="Unfold all").is_visible()
    assert tab.locator(".tree summary").first.is_visible()
    context.close()


def click_in_page(tab, element):
    """Click in the stored page: for frames in another process Playwright ignores their scale."""
    element.evaluate("e => e.scrollIntoView({block: 'center'})")
    inner, frame = element.bounding_box(), tab.locator("iframe.page")
    outer = frame.bounding_box()
    ratio = frame.evaluate("e => e.getBoundingClientRect().width / e.offsetWidth")
    x, y = (inner[axis] + inner[size] / 2 for axis, size in (("x", "width"), ("y", "height")))
    tab.mouse.click(outer["x"] + (x - outer["x"]) * ratio, outer["y"] + (y - outer["y"]) * ratio)


def test_hostile_page_cannot_run_request_or_navigate(tab, address, canary, client):
    pages = client.get("/pages.json?site=hostile.example").json()["pages"]
    for page in [page for page in pages if page["outcome"] != "failed"][:2]:
        tab.goto(f"/pages/{page['page']}")
        frame = tab.frame_locator("iframe.page")
        frame.get_by_text("The first paragraph").wait_for()
        click_in_page(tab, frame.get_by_text("Leave"))
        click_in_page(tab, frame.get_by_text("Run", exact=True))
        click_in_page(tab, frame.locator("h1"))
        tab.wait_for_timeout(400)  # enough for the page's own refresh
        assert frame.get_by_text("The first paragraph").is_visible(), "the frame stays where it is"
        assert tab.title().endswith("· flong")
        tab.goto(f"/pages/{page['page']}/frame")
        tab.get_by_text("The first paragraph").wait_for()
        tab.wait_for_timeout(400)
        assert tab.url == f"{address}/pages/{page['page']}/frame"
    for path in ("/sites", "/sites/hostile.example", "/articles", "/pages?site=hostile.example"):
        tab.goto(path)
    for number in {page["pattern"] for page in pages if page["pattern"]}:
        tab.goto(f"/patterns/{number}")
    for number in {page["cluster"] for page in pages if page["cluster"]}:
        tab.goto(f"/clusters/{number}")
        tab.wait_for_load_state("networkidle")
    assert tab.dialogs == []
    assert canary[1] == []
    assert [url for url in tab.asked if not url.startswith((address, "data:"))] == []


TRY = "onerror=window.ran=1"
MUTATIONS = [
    f'<noscript><p title="</noscript><img src=x {TRY}>">',
    f'<xmp><p title="</xmp><img src=x {TRY}>"></xmp>',
    f'<title><p title="</title><img src=x {TRY}>"></title>',
    f"<textarea>&lt;/textarea&gt;&lt;img src=x {TRY}></textarea>",
    f"<plaintext>&lt;img src=x {TRY}>",
    f"<style></st@import x;yle><img src=x {TRY}></style>",
    f'<svg><style><a title="</style><img src=x {TRY}>"></style></svg>',
    f'<svg></p><style><a id="</style><img src=x {TRY}>"></style></svg>',
    "<svg><style><animate onbegin=window.ran=1 attributeName=x dur=1s></style></svg>",
    f'<svg><title><style><a title="</style><img src=x {TRY}>"></title></svg>',
    f'<svg><desc><noscript></svg><style><a title="</style><img src=x {TRY}>"></noscript>',
    f"<form><math><mtext></form><form><mglyph><style></math><img src=x {TRY}></style>",
    f'<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x {TRY}&gt;">',
    "<math><mtext><table><mglyph><style><g onload=window.ran=1></style>",
    f"<div\x00><img src=x onerror\x0b=1 {TRY}>",
    f"<div><template shadowrootmode=open><img src=x {TRY}></template></div>",
    '<iframe srcdoc="<script>parent.ran=1</script>"></iframe>',
    "<style>@im@import a;port 'CANARY';</style>",
    r"<style>@\69mport 'CANARY';</style>",
    r"<style>p { background: \75 r\l(CANARY) }</style><p>text",
    '<style>p { background: image-set("data:,x" 1x, "CANARY" 1x) }</style><p>text',
    "<p style='background: url(CANARY'>text",
    "<svg><rect fill='url(CANARY#a)' width=9 height=9></svg>",
    "<img attributionsrc=CANARY>",
]


def test_document_is_harmless_without_the_policy(browser, canary):
    address, asked = "http://frame.example/", []
    tab = browser.new_context().new_page()

    def answer(route):
        if route.request.url == address:
            route.fulfill(body=shown, content_type="text/html; charset=utf-8")
        else:
            asked.append(route.request.url)
            route.abort()

    tab.route("**/*", answer)
    for page in MUTATIONS:
        shown = safe_document(f"<p>{page.replace('CANARY', canary[0])}", {})
        tab.goto(address)
        tab.wait_for_timeout(30)  # for what an error or an animation would run
        assert not tab.evaluate("window.ran"), page
        assert [url for url in asked if not url.startswith("data:")] == [], page
    tab.context.close()


def test_previews_of_a_cluster_show_its_pages(watched, client):
    cluster = client.get(f"/sites/{SITE}.json").json()["clusters"][0]
    watched.goto(f"/clusters/{cluster['id']}")
    frames = watched.locator(".preview iframe")
    assert frames.count() == 6
    inside = watched.frame_locator(".preview iframe").first
    assert inside.locator("body").inner_text().strip()
    box = watched.locator(".preview").first.bounding_box()
    assert frames.first.bounding_box()["width"] == pytest.approx(box["width"], rel=0.15)
