"""Compare our scorer with the corpus's own, and check the gate's floors."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.corpus import ArticleTruth, decode, find_sites
from benchmarks.gate import fallen_below, raised
from benchmarks.scoring import FoundArticle, body_f1, mean, score, score_page

SCORER = Path(__file__).parents[3] / "shared" / "tools" / "score.py"


def test_a_title_is_equal_after_folding():
    truth = ArticleTruth(title="The end - of it", body="a b c")
    assert score_page("p", truth, FoundArticle("the End of It!", "a b c")).correct
    assert not score_page("p", truth, FoundArticle("The end", "a b c")).correct
    assert not score_page("p", truth, None).found


@pytest.mark.parametrize("found", ["it rains", "it rains\nA wet cat"])
def test_captions_count_neither_way(found):
    truth = ArticleTruth(title="t", body="it rains\nA wet cat.")
    found = FoundArticle("t", found)
    assert score_page("p", truth, found, lambda _: {"a wet cat"}).body == 1.0
    assert score_page("p", truth, found).body == body_f1(truth.body, found.body)


def test_body_f1_counts_repeated_words():
    assert body_f1("a a b", "a b b") == pytest.approx(2 / 3)
    assert body_f1("日本", "日 本") == 1.0


def test_figures_are_means_over_sites():
    truth = {"p": ArticleTruth(title="t", body="a")}
    good, _ = score(
        truth, {"p": FoundArticle("t", "a"), "o": FoundArticle("x", "y")}, frozenset("o")
    )
    bad, _ = score(truth, {"p": None}, frozenset("o"))
    assert (good.correct, good.precision, bad.recall) == (1.0, 0.5, 0.0)
    assert mean([good, bad]).correct == 0.5


def test_floors_only_rise():
    floors = {"a": {"title": 0.9, "recall": 0.5}}
    assert raised(floors, {"a": {"title": 0.5, "recall": 0.9}}) == {
        "a": {"title": 0.9, "recall": 0.895}
    }
    assert fallen_below(floors, {"a": {"title": 0.91, "recall": 0.49}}) == [
        "a: recall 0.490 is below 0.500"
    ]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xc3\xbc", "ü"),
        (b"\xfc", "ü"),
        (b"<meta charset=latin-1>\xfc", "<meta charset=latin-1>ü"),
        (b"<meta charset=nonsense>x", "<meta charset=nonsense>x"),
    ],
)
def test_documents_are_decoded_by_their_declared_charset(data, text):
    assert decode(data) == text


@pytest.fixture(scope="module")
def site():
    found = [site for site in find_sites() if site.slug == "malilive"]
    return found[0] if found else pytest.skip("no sites: set FLONG_SITES")


def test_halves_share_no_page_and_split_every_kind(site):
    first, second = site.halves()
    assert sorted(first + second) == sorted(site.paths)
    assert abs(sum(p in site.truth for p in first) - sum(p in site.truth for p in second)) <= 1


def test_url_maps_back_to_its_page(site):
    assert all(site.resolve(site.url(path)) == path for path in site.paths)


def test_correct_wrong_and_missed_add_up_to_one(site):
    paths = list(site.truth)[:9]
    found = {
        path: FoundArticle(site.truth[path].title, site.truth[path].body) for path in paths[:3]
    }
    found |= {path: FoundArticle("no", "article") for path in paths[3:5]} | dict.fromkeys(paths[5:])
    figures, _ = score(site.truth, found, site.other)
    assert (figures.correct, figures.wrong, figures.missed) == pytest.approx((3 / 9, 2 / 9, 4 / 9))


@pytest.mark.skipif(not SCORER.is_file(), reason="the corpus's own scorer is not here")
def test_figures_equal_those_of_the_corpus_scorer(site, tmp_path):
    paths = list(site.truth)[:9] + sorted(site.other)[:4]
    found = dict.fromkeys(paths)
    for number, (path, truth) in enumerate(list(site.truth.items())[:7]):
        title = truth.title.upper() if number % 2 else f"{truth.title} x"
        found[path] = FoundArticle(title, truth.body[: 400 * number])
    found[min(site.other)] = FoundArticle("no", "article")
    rows = [
        {"path": path, "title": one.title, "body": one.body} for path, one in found.items() if one
    ]
    (tmp_path / "articles.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "pages.txt").write_text("\n".join(paths))
    command = [sys.executable, SCORER, site.folder, tmp_path / "articles.jsonl", "--json"]
    told = subprocess.run(
        [*command, "--pages", tmp_path / "pages.txt"], capture_output=True, check=True, text=True
    )
    theirs = json.loads(told.stdout)
    ours, _ = score(site.truth, found, site.other)
    for name in ("pages", "correct", "body_f1", "title", "precision", "recall"):
        assert getattr(ours, name) == pytest.approx(theirs[name]), name
