"""Accessibility of every view by axe-core, light and dark, for readers and editors."""

from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from flong.inspector import Login, create_app, hash_password
from flong.storage import Store, copy_database
from tests.conftest import lacking
from tests.inspector.conftest import served
from tests.inspector.test_correcting import editing

SITE = "courier.example"
SERIOUS = ("serious", "critical")


@pytest.fixture(scope="session")
def axe():
    """Return the program, which a package of the tests contains."""
    package = find_spec("axe_playwright_python") or lacking("axe-playwright-python")
    return Path(package.origin).with_name("axe.min.js").read_text(encoding="utf-8")


def views(store):
    """Return the URL of every view."""
    row = next(r for r in store.articles.all() if r.site == SITE and r.article.method == "pattern")
    cluster = store.templates.clusters(store.sites.find(SITE))[0].id
    return [
        *(
            "/night",
            f"/night?site={SITE}",
            "/search?q=the",
            "/search?q=nothing-like-this",
            "/sites",
            f"/sites/{SITE}",
        ),
        *("/articles", "/articles?mark=unread", "/articles?mark=starred", "/search?mark=unread"),
        *("/pages", "/corrections", f"/clusters/{cluster}"),
        *(f"/patterns/{row.pattern_id}", f"/pages/{row.page_id}", f"/sites/{SITE}/remove"),
        *(f"/articles/{row.page_id}{tab}" for tab in ("", "/versions", "/story", "/page")),
        *(f"/pages/{row.page_id}/correct{asked}" for asked in ("", "?what=none")),
        *(f"/sites/{SITE}/coverage", f"/sites/{SITE}/published"),
        *("/fleet", "/nothing-here", "/docs"),
        *("/clippings", "/stories", "/edits", "/edits?headlines=true"),
    ]


@pytest.fixture
def marked(databases, inspectors):
    """URL of a database with read and starred articles."""
    url = databases("sqlite").create()
    with Store.open(url) as store:
        copy_database(inspectors("sqlite").store, store)
        rows = [row.page_id for row in store.articles.all()]
        store.marks.set(rows[::2], "read")
        store.marks.set(rows[::3], "starred")
    return url


LOOKS = pytest.mark.parametrize(("scheme", "width"), [("light", 1300), ("dark", 390)])


@contextmanager
def tab_of(browser, address, scheme, width):
    context = browser.new_context(
        base_url=address,
        color_scheme=scheme,
        viewport={"width": width, "height": 900},
        bypass_csp=True,  # for axe-core, which is not part of the view
    )
    yield context.new_page()
    context.close()


def violations(tab, axe, paths):
    found = []
    for path in paths:
        tab.goto(path, wait_until="domcontentloaded")
        tab.evaluate(axe)
        run = "axe.run(document, {iframes: false, resultTypes: ['violations']})"
        found += [
            (path, each["id"], each["nodes"][0]["html"][:160])
            for each in tab.evaluate(f"() => {run}")["violations"]
            if each["impact"] in SERIOUS
        ]
    return found


@LOOKS
def test_axe_finds_nothing_serious(browser, marked, axe, scheme, width):
    with (
        editing(marked) as (address, editor, store),
        tab_of(browser, address, scheme, width) as tab,
    ):
        tab.goto(f"/sites?token={editor.token}")
        assert violations(tab, axe, views(store)) == []


@LOOKS
def test_axe_finds_nothing_serious_in_the_login(browser, marked, axe, scheme, width):
    with (
        Store.open(marked) as store,
        served(create_app(store, login=Login(hash_password("rain in the north")))) as address,
        tab_of(browser, address, scheme, width) as tab,
    ):
        assert violations(tab, axe, ["/login"]) == []
