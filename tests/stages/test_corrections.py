"""Corrections in the database: learned, applied, undone, moved."""

import json

import pytest

from flong.stages.extraction import extract
from flong.stages.learning import apply_corrections, learn
from flong.stages.learning_settings import LearningSettings
from flong.states import CorrectedField, CorrectionKind, FindingKind
from flong.storage import Store, UnknownCorrection
from tests.stages.odd_site import HEADLINES, SITE, correct, fill, titles

SETTINGS = LearningSettings()


@pytest.fixture(scope="module")
def learned(databases, new_database):
    """Return a factory of databases with the odd site, learned and extracted."""
    source = new_database("sqlite")
    with Store.open(source) as store:
        site = fill(store)
        learn(store, site, SETTINGS)
        extract(store, site)
    return lambda: databases("sqlite").copy(source)


@pytest.fixture
def store(learned):
    with Store.open(learned()) as opened:
        yield opened


@pytest.fixture
def site(store):
    return store.sites.find(SITE)


def test_one_correction_fixes_every_title_and_can_be_undone(store, site):
    before = titles(store, site)
    assert all(title.startswith("Latest") for title in before)
    row = correct(store, site, "headline")
    _, is_well = apply_corrections(store, site, SETTINGS)
    assert is_well
    assert titles(store, site) == HEADLINES
    store.extractions.undo_correction(row.id)
    apply_corrections(store, site, SETTINGS)
    assert titles(store, site) == before


def test_corrected_title_makes_no_version(store, site):
    correct(store, site, "headline")
    apply_corrections(store, site, SETTINGS)
    assert [store.articles.versions(row.page_id) for row in store.articles.all(site)] == [[]] * 16


def test_rejected_template_gives_no_articles(store, site):
    correct(store, site, "headline", field=CorrectedField.ARTICLE, kind=CorrectionKind.IS_NOT)
    apply_corrections(store, site, SETTINGS)
    assert titles(store, site) == [None] * len(HEADLINES)


def test_model_that_breaks_a_correction_is_discarded(store, site):
    correct(store, site, "headline")
    apply_corrections(store, site, SETTINGS)
    version = store.templates.model_version(site)
    correct(store, site, "stamp", number=1)
    found = learn(store, site, SETTINGS)
    *unmet, kept = [(each.kind, each.detail) for each in found]
    assert (FindingKind.CORRECTION_UNMET, "title is") in unmet
    assert kept == (FindingKind.MODEL_KEPT, "")
    assert store.templates.model_version(site) == version
    assert titles(store, site) == HEADLINES


def test_first_model_is_kept_despite_an_unmet_correction(new_database):
    with Store.open(new_database("sqlite")) as store:
        site = fill(store)
        correct(store, site, "headline")
        correct(store, site, "stamp", number=1)
        kinds = [each.kind for each in learn(store, site, SETTINGS)]
        assert FindingKind.CORRECTION_UNMET in kinds
        assert FindingKind.MODEL_KEPT not in kinds
        assert store.templates.model_version(site) == 1


def test_corrections_are_listed_undone_exported_and_loaded(scrapy, learned, tmp_path):
    url = learned()
    with Store.open(url) as store:
        correct(store, store.sites.find(SITE), "headline")

    def run(*words, on=url, code=0):
        done = scrapy("corrections", *words, FLONG_DATABASE=on)
        assert done.returncode == code, done.stderr
        return done.stdout if code in (0, 3) else done.stderr

    [row] = map(json.loads, run("--json").splitlines())
    assert (row["id"], row["field"], row["undone_at"]) == (1, "title", None)
    file = tmp_path / "corrections.jsonl"
    file.write_text(run("export", SITE))
    assert "undone" in run("undo", "1")
    assert run("export", SITE) == ""
    assert "undone_at" in run("list", SITE, "--json")
    other = learned()
    assert "1 of 1" in run("load", str(file), on=other)
    assert "0 of 1" in run("load", str(file), on=other)
    assert "16 of" in run("apply", SITE, on=other)
    with Store.open(other) as store:
        assert titles(store, store.sites.find(SITE)) == HEADLINES
    assert "There is no correction 9" in run("undo", "9", code=2)
    run("undo", "x", code=2)
    run("mend", code=2)
    file.write_text('{"field": "title"}\n')
    assert "Line 1 is not a correction" in run("load", str(file), code=1)


def test_corrections_are_removed_with_their_site(new_database, dialect):
    with Store.open(new_database(dialect)) as store:
        site = fill(store)
        row = correct(store, site, "headline")
        assert (
            store.extractions.corrections_in_force(site) == [row] == store.extractions.corrections()
        )
        undone = store.extractions.undo_correction(row.id)
        assert undone.undone_at is not None
        assert store.extractions.undo_correction(row.id) == undone
        assert store.extractions.corrections_in_force(site) == []
        with pytest.raises(UnknownCorrection):
            store.extractions.correction(row.id + 1)
        store.sites.remove(site)
        assert store.extractions.corrections() == []
