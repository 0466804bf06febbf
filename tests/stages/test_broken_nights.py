"""Nights on which a site serves errors instead of articles: no article is lost.

The nights are real except for requests: pages of the portal are stored directly.
"""

import json
import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from flong.demo import FAULTS, Portal, judge
from flong.findings import needing_attention
from flong.page import Page
from flong.stages.night import NightSettings, nightly
from flong.states import FindingKind
from flong.storage import Store

URL = "http://127.0.0.1:9"
FIRST = Portal(articles=24)


@dataclass
class Library:
    """A store, and the portal that it visits night by night."""

    store: Store
    portal: Portal = FIRST
    ever: set = field(default_factory=set)
    """The URL of every article that was ever stored."""

    def crawl(self, site, night):
        """Store every page of the portal, like a crawl."""
        run = self.store.runs.start(site, "crawl", night_id=night.id)
        paths = [*(truth.path for truth in self.portal.truth()), *self.portal.others()]
        urls = {f"{URL}{path}" for path in paths}
        urls |= {row.url for row in self.store.pages.rows(site, with_html=False)}
        served = {url: self.portal.get(url.removeprefix(URL)) for url in sorted(urls)}
        now = datetime.now(UTC)
        pages = [
            Page(url=url, html=response.text, fetched_at=now, depth=2)
            for url, response in served.items()
            if response.status == 200
        ]
        self.store.pages.save(site, run, pages)
        self.store.pages.mark_gone(site, run, [url for url, r in served.items() if r.status != 200])
        self.store.runs.finish(run, "done")

    def night(self, portal):
        """Run a night, and check its invariants."""
        self.portal = portal
        site = self.store.sites.add(URL)
        report = nightly(self.store, site, self.crawl, NightSettings())
        current = list(self.store.articles.all(site))
        retired = list(self.store.articles.all(site, retired=True))
        self.ever |= {row.article.url for row in current}
        assert self.ever <= {row.article.url for row in (*current, *retired)}
        for row in (*current, *retired):
            documents = [self.store.pages.find(row.article.url).content_hash]
            documents += [each.content_hash for each in self.store.pages.versions(row.page_id)]
            assert self.store.articles.source(row.page_id) in documents
        return report

    def texts(self):
        """Return title and body of the articles in force, by URL."""
        [site] = self.store.sites.all()
        found = (row.article for row in self.store.articles.all(site))
        return {article.url: (article.title, article.body) for article in found}

    def share_right(self):
        """Return the share of tonight's articles that are stored right."""
        [site] = self.store.sites.all()
        return judge(
            self.portal.truth(), [row.article for row in self.store.articles.all(site)]
        ).share


def kinds(report):
    return [finding.kind for finding in report.findings]


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """A database after a first, good night."""
    file = tmp_path_factory.mktemp("nights") / "flong.db"
    with Store.open(f"sqlite:///{file}") as store:
        library = Library(store)
        library.night(FIRST)
        assert library.share_right() >= 0.9
    return file


@contextmanager
def library_of(file):
    with TemporaryDirectory() as folder:
        copy = Path(folder, "flong.db")
        shutil.copy(file, copy)
        with Store.open(f"sqlite:///{copy}") as store:
            yield Library(store, ever=set(Library(store).texts()))


@pytest.fixture
def library(learned):
    with library_of(learned) as library:
        yield library


@pytest.mark.parametrize("share", [1.0, 0.2])
@pytest.mark.parametrize("fault", FAULTS)
def test_a_night_of_error_pages_changes_nothing(library, fault, share):
    before = library.texts()
    report = library.night(FIRST.broken(fault, share))
    assert library.texts() == before
    is_wall = fault == "empty" and share == 1
    assert kinds(report) == [FindingKind.WALL if is_wall else FindingKind.BROKEN]
    report = library.night(FIRST)
    assert library.texts() == before
    assert kinds(report) == []
    assert report.articles["changed"] == report.articles["kept"] == 0
    never_found = [t for t in FIRST.truth() if f"{URL}{t.path}" not in before]
    assert report.pages["changed"] <= len(never_found)


@dataclass(frozen=True)
class Retitled:
    """A broken portal some of whose articles are there but for their titles."""

    broken: Portal
    whole: frozenset

    def get(self, path):
        """Return the response of a path."""
        if path not in self.whole:
            return self.broken.get(path)
        response = FIRST.get(path)
        title = next(each.title for each in FIRST.truth() if each.path == path)
        return replace(response, body=response.body.replace(title.encode(), b"Something is wrong"))

    def __getattr__(self, name):
        return getattr(self.broken, name)


def test_apparent_edits_on_a_broken_night_are_undone(library):
    before = library.texts()
    paths = [each.path for each in FIRST.truth() if f"{URL}{each.path}" in before][:3]
    report = library.night(Retitled(FIRST.broken("headlines"), frozenset(paths)))
    assert library.texts() == before
    assert report.articles["changed"] == 0
    report = library.night(FIRST)
    assert library.texts() == before
    assert (kinds(report), report.articles["changed"]) == ([], 0)


def test_real_edit_on_a_broken_night_is_found_later(library):
    before, edited = library.texts(), FIRST.with_changes(edited=2)
    library.night(edited.broken("headlines", 0.5))
    assert library.texts() == before
    report = library.night(edited)
    assert (needing_attention(report.findings), report.articles["changed"]) == ([], 2)
    assert library.share_right() >= 0.9


def test_redesign_is_learned_and_not_taken_for_a_broken_night(library):
    report = library.night(FIRST.redesigned())
    assert {FindingKind.REDESIGN, FindingKind.LEARN_DRIFT} <= set(kinds(report))
    assert library.share_right() >= 0.9


def test_broken_night_during_a_redesign_is_not_learned(library):
    redesigned = FIRST.redesigned()
    library.night(redesigned)
    before = library.texts()
    assert kinds(library.night(redesigned.broken("headlines"))) == [FindingKind.BROKEN]
    assert library.texts() == before
    assert not library.night(redesigned).needs_attention


def test_broken_night_after_an_update_loses_no_article(library, monkeypatch):
    before = library.texts()
    monkeypatch.setattr("flong.patterns.model_json.VERSION", 99)
    report = library.night(FIRST.broken("headlines"))
    assert {FindingKind.LEARN_OUTDATED, FindingKind.BROKEN} <= set(kinds(report))
    assert library.texts().keys() == before.keys()
    assert not library.night(FIRST).needs_attention


def test_nights_within_one_second_are_distinguished(library, monkeypatch):
    second = datetime.now(UTC).replace(microsecond=0)
    for module in ("articles", "extractions", "pages", "runs"):
        monkeypatch.setattr(f"flong.storage.{module}.now", lambda: second)
    first = FIRST.with_changes(new=4, edited=1)
    for portal, edited in ((first, 1), (first.with_changes(new=2, edited=1), 1)):
        before = library.texts()
        counts = library.night(portal).articles
        assert counts["new"] == len(library.texts().keys() - before) > 0
        assert counts["changed"] == edited
    counts = library.night(library.portal).articles
    assert (counts["new"], counts["changed"]) == (0, 0)


def rows_after(file, *portals):
    """Return the rows after some nights, without times and documents."""
    with library_of(file) as library:
        needs = [library.night(portal).needs_attention for portal in portals]
        with library.store.reading() as connection:
            runs = connection.exec_driver_sql("SELECT kind, status, note, articles FROM runs").all()
            decided = connection.exec_driver_sql(
                "SELECT page_id, verdict, kept, reason FROM matches"
            )
            decisions = sorted(map(tuple, decided))
            stored = connection.exec_driver_sql("SELECT needs_attention, data FROM reports").all()
        reports = [(flag, json.loads(data)["findings"]) for flag, data in stored]
        return needs, runs, decisions, reports


def test_wording_of_messages_changes_no_decision(learned, monkeypatch):
    portals = (FIRST.broken("headlines"), FIRST.redesigned())
    before = rows_after(learned, *portals)
    assert before[0] == [True, True]  # exit code 3
    monkeypatch.setattr("flong.findings.SENTENCES", dict.fromkeys(FindingKind, "Other words."))
    assert rows_after(learned, *portals) == before


def good(portal):
    return replace(portal, fault="", consent_wall=False, paywall=0, soft_404=False)


def broken(fault, share=1.0):
    return lambda portal: good(portal).broken(fault, share)


NIGHTS = {
    "good": good,
    "new": lambda portal: good(portal).with_changes(new=2),
    "edited": lambda portal: good(portal).with_changes(edited=2),
    "removed": lambda portal: good(portal).with_changes(removed=1),
    "removed softly": lambda portal: replace(good(portal).with_changes(removed=1), soft_404=True),
    "redesigned": lambda portal: good(portal).redesigned(),
    "walled": lambda portal: good(portal).behind_consent_wall(),
    "cut": lambda portal: good(portal).behind_paywall(0.9),
    **{fault: broken(fault) for fault in FAULTS},
    **{f"{fault} in part": broken(fault, 0.2) for fault in FAULTS},
}


# Each example learns and extracts several times: those that fail are not shrunk.
@settings(max_examples=5, phases=[Phase.explicit, Phase.generate])
@given(st.lists(st.sampled_from(sorted(NIGHTS)), min_size=1, max_size=3))
def test_good_night_restores_articles_after_any_broken_nights(learned, names):
    with library_of(learned) as library:
        for name in names:
            library.night(NIGHTS[name](library.portal))
        library.night(good(library.portal))
        assert library.share_right() >= 0.8
