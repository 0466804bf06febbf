"""Corrections in a browser: one click changes all pages of a template."""

from collections import Counter
from contextlib import contextmanager
from dataclasses import replace

import pytest
from lxml import html as markup

from flong.inspector import Editor, Jobs, create_app
from flong.page import Page
from flong.storage import ArticleChoice, Store
from tests.inspector.conftest import HOME, fill, finish_jobs, pages_of_portal, served

SITE = "courier.example"


def misled(portal):
    """Yield the pages of the portal, with a phrase in the place of each headline.

    Links, heads and headings contain the phrase; the headline is below it.
    """
    titles = {true.path: true.title for true in portal.truth()}
    phrases = {title: f"Reading number {n} of today" for n, title in enumerate(titles.values())}
    for page in pages_of_portal(portal):
        html, own = page.html, titles.get(page.url.removeprefix(HOME.rstrip("/")))
        for title, phrase in phrases.items():
            html = html.replace(title, phrase)
        links = [replace(link, text=phrases.get(link.text, link.text)) for link in page.links]
        if own:
            html = html.replace("</h1>", f"</h1><p class=standing>{own}</p>", 1)
        yield Page(
            url=page.url, html=html, fetched_at=page.fetched_at, depth=page.depth, links=links
        )


@pytest.fixture(scope="module")
def misled_database(new_database, portal):
    url = new_database("sqlite")
    with Store.open(url) as store:
        fill(store, HOME, misled(portal))
    return url


@contextmanager
def editing(url, *settings):
    """Serve a writable database; yield address, editor and store."""
    with Store.open(url) as store, Store.open(url) as writable:
        given = [f"FLONG_DATABASE={url}", *settings]
        jobs = Jobs([word for setting in given for word in ("-s", setting)])
        editor = Editor(store=writable, jobs=jobs)
        with served(create_app(store, editor=editor)) as address:
            yield address, editor, writable
        jobs.close()


def titles_of(store):
    site = store.sites.find(SITE)
    every = store.articles.chosen(ArticleChoice(sites=(site,), every_page=True))
    return {row.page_id: row.article.title for row in every}


def learn_again(tab, jobs):
    states = finish_jobs(tab, jobs, SITE)
    assert states == ["done"] * len(states), jobs.of(SITE)


@pytest.fixture(scope="module")
def room(browser, misled_database):
    """The database, served to a browser that has the token."""
    with editing(misled_database) as (address, editor, store):
        context = browser.new_context(base_url=address, viewport={"width": 1300, "height": 900})
        tab = context.new_page()
        tab.complaints = []
        tab.on("pageerror", lambda error: tab.complaints.append(str(error)))
        yield tab, editor, store
        context.close()


def misread(store):
    """Return the articles of the largest template whose title is a phrase."""
    wrong = [page for page, said in titles_of(store).items() if said.startswith("Reading number")]
    clusters = {page: store.lists.page(page).cluster for page in wrong}
    [(cluster, _)] = Counter(clusters.values()).most_common(1)
    return [page for page in wrong if clusters[page] == cluster]


def number(text):
    return int(text.replace("\u202f", ""))


def choose(tab, selector):
    """Click an element of the stored page: Playwright cannot aim in a scaled frame."""
    page = tab.frame_locator("iframe.page")
    page.locator("body[data-watched]").wait_for(state="attached")
    page.locator(selector).first.dispatch_event("click")


def test_title_correction_changes_all_pages_of_the_template(room, portal):
    tab, editor, store = room
    headlines = {HOME.rstrip("/") + true.path: true.title for true in portal.truth()}
    before, wrong = titles_of(store), misread(store)
    assert len(wrong) > 20
    patterns = {store.lists.page(page).pattern for page in wrong}
    template = [page for page in before if store.lists.page(page).pattern in patterns]
    tab.goto(f"/pages/{wrong[0]}")
    assert tab.locator(".pick").count() == 0, "without the token nothing can be changed"
    tab.goto(f"/pages/{wrong[0]}?token={editor.token}")
    assert "token" not in tab.url

    # A click on the right title previews the changes.
    choose(tab, ".standing")
    outcome = tab.locator(".outcome")
    outcome.wait_for()
    assert "p.standing" in tab.locator("main").inner_text()
    changed, emptied = map(number, outcome.locator("strong").all_inner_texts())
    look_on_a_phone(tab)
    assert titles_of(store) == before
    tab.get_by_role("button", name="Save and learn").click()
    tab.wait_for_url("**/corrections?site=*")
    learn_again(tab, editor.jobs)

    # The number of changes is exact, and all titles of the template are right.
    after = titles_of(store)
    assert changed == sum(after[page] != before[page] for page in template) >= len(wrong)
    assert emptied == 0
    urls = {row.page_id: row.article.url for row in store.articles.all()}
    assert {page: after[page] for page in wrong} == {page: headlines[urls[page]] for page in wrong}

    contradict(tab, store, wrong[1])
    take_back(tab, editor)
    assert titles_of(store) == before
    assert tab.request.post("/sites/no.example/learn").status == 404
    assert tab.complaints == []


def look_on_a_phone(tab):
    """Check that old and new values fit the screen."""
    tab.set_viewport_size({"width": 390, "height": 800})
    then = tab.locator("[data-name=New]").first.bounding_box()
    assert then["x"] + then["width"] <= 390
    tab.set_viewport_size({"width": 1300, "height": 900})


def contradict(tab, store, page):
    """Check that a contradicting correction is refused."""
    tab.goto(f"/pages/{page}")
    choose(tab, "h1")
    tab.get_by_role("heading", name="Not possible").wait_for()
    assert "contradicts correction 1" in tab.locator(".report").inner_text()
    assert tab.get_by_role("button", name="Save and learn").count() == 0
    form = {"what": "title", "place": tab.url.rpartition("place=")[2]}
    answer = tab.request.post(f"/pages/{page}/correct", form=form)
    assert (answer.status, "contradicts" in answer.text()) == (409, True)
    assert len(store.extractions.corrections()) == 1


def take_back(tab, editor):
    tab.goto(f"/corrections?site={SITE}")
    tab.get_by_role("button", name="Undo correction 1").click()
    tab.get_by_text("undone").first.wait_for()
    learn_again(tab, editor.jobs)


def test_line_is_chosen_without_a_mouse_or_scripts(browser, misled_database):
    with editing(misled_database) as (address, editor, store):
        page = next(iter(titles_of(store)))
        context = browser.new_context(base_url=address, java_script_enabled=False)
        tab = context.new_page()
        tab.goto(f"/pages/{page}?token={editor.token}")
        tab.get_by_role("link", name="Choose from a list").press("Enter")
        tab.locator(".lines input").nth(8).check()
        tab.get_by_label("the date").check()
        tab.get_by_role("button", name="Preview").press("Enter")
        assert tab.get_by_role("heading", name="This is the date").is_visible()
        context.close()


def test_only_dates_can_be_marked_as_date(room):
    tab, editor, store = room
    tab.goto(f"/pages/{misread(store)[0]}?token={editor.token}")
    page = tab.url
    for element, said in ((".standing", "No date can be read there"), (".byline-date", "Nothing")):
        tab.goto(page)
        tab.get_by_label("the date").check()
        choose(tab, element)
        tab.get_by_role("heading", name="This is the date").wait_for()
        assert said in tab.locator("main").inner_text()


def test_preview_of_pages_without_articles_is_not_called_correct(room):
    tab, editor, _ = room
    headers = {"authorization": f"Bearer {editor.token}"}
    found = tab.request.get("/pages.json?verdict=other&fit=strict", headers=headers).json()["pages"]
    page = next(each["page"] for each in found if each["url"].endswith("/city/"))
    lines = tab.request.get(f"/pages/{page}/correct.json", headers=headers).json()["lines"]
    views = [
        tab.request.get(
            f"/pages/{page}/correct?what=title&place={line['place']}", headers=headers
        ).text()
        for line in lines[:12]
    ]
    assert not [view for view in views if "have this result already" in view]
    assert [view for view in views if "counts as an article" in view]


def test_no_script_of_a_page_runs_where_elements_are_chosen(browser, inspectors, canary):
    url = inspectors("sqlite").database
    with editing(url) as (address, editor, _):
        context = browser.new_context(base_url=address)
        tab, dialogs = context.new_page(), []
        tab.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        tab.goto(f"/sites?token={editor.token}")
        pages = context.request.get("/pages.json?site=hostile.example").json()["pages"]
        for page in pages:
            tab.goto(f"/pages/{page['page']}")
            frame = tab.frame_locator("iframe.page").locator("body")
            if tab.locator("iframe.page").count():
                frame.wait_for(state="attached")
            answer = context.request.get(f"/pages/{page['page']}/frame?pick=1")
            policy = answer.headers["content-security-policy"]
            assert policy.startswith("sandbox allow-same-origin; default-src 'none'")
            assert "allow-scripts" not in policy
            shown = context.request.get(f"/pages/{page['page']}/correct").text()
            assert markup.fromstring(shown).xpath("//script/@src") == ["/static/script.js"]
            assert not markup.fromstring(shown).xpath("//img | //@onerror | //style")
        assert dialogs == []
        assert canary[1] == []
        context.close()
