"""The demo portal as a recipe, and its spider run where nothing of flong is."""

import json
import os
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from flong.demo import serve
from flong.recipes import SAME_BODY
from flong.text import fold_text, token_f1, words

FEW = ("--limit", "60")
"""Pages are enough for a test."""


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_recipe_selectors_find_the_articles_of_the_portal(harvest, tmp_path):
    file = tmp_path / "recipe.json"
    done = harvest.shell("export", "--format", "recipe", *FEW, "--output", file, check=0)
    [site] = json.loads(file.read_text())["sites"]
    assert site["share"] >= 0.95
    assert f"give {site['same']} of {site['articles']} articles" in done.stderr
    assert len(site["differences"]) == site["articles"] - site["same"]


def test_exported_spider_works_without_flong(harvest, tmp_path):
    spider, feed, own = (tmp_path / name for name in ("spider.py", "feed.jsonl", "own.jsonl"))
    harvest.shell(
        "export", "--format", "recipe", "--as", "scrapy", *FEW, "--output", spider, check=0
    )
    harvest.shell("export", "--output", own, check=0)
    bare = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    # A folder without flong: not even as a module that could be imported.
    command = [sys.executable, "-P", "-m", "scrapy", "runspider", spider, "-O", feed]
    with serve(harvest.portal, urlsplit(harvest.url).port):
        subprocess.run(command, cwd=tmp_path, env=bare, check=True, capture_output=True)
    found = {item["url"]: item for item in lines(feed)}
    articles = lines(own)
    same = [
        article["url"]
        for article in articles
        if (item := found.get(article["url"])) is not None
        and fold_text(item["title"]) == fold_text(article["title"])
        and token_f1(words(item["body"]), words(article["body"])) >= SAME_BODY
    ]
    assert len(articles) > 50
    assert len(same) >= 0.95 * len(articles)
    assert all(found[url]["date"] and found[url]["author"] for url in same)


def test_coverage_lists_eras_months_and_missing_pages(harvest):
    done = harvest.shell("coverage", "--json", "--limit", "0", check=0)
    told = json.loads(done.stdout)
    assert {row["source"] for row in told["months"]} >= {"sitemap"}
    assert sum(row["articles"] for row in told["months"]) > 50
    assert len(told["missing"]) == sum(row["missing"] for row in told["months"])
    era = told["eras"][0]
    assert era["first_day"] <= era["last_day"]
    shown = harvest.shell("coverage", check=0).stdout
    assert f"Since {era['first_day']} the site uses pattern {era['pattern_id']}" in shown
    patterns = harvest.shell("patterns", "--json", check=0).stdout.splitlines()
    days = {row["pattern"]: row["first_day"] for row in map(json.loads, patterns)}
    assert days[era["pattern_id"]] == era["first_day"]


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["export", "nowhere.example", "--format", "recipe"], 2, "No site 'nowhere.example'"),
        (["export", "--format", "recipe", "--as", "feedly"], 2, "invalid choice: 'feedly'"),
        (["export", "--format", "recipe"], 1, "has not been learned yet: scrapy learn"),
        (["coverage", "nowhere.example"], 2, "No site 'nowhere.example'"),
        (["coverage", "--month", "May"], 2, "'May' is not a month such as 2026-05"),
    ],
)
def test_bad_input_gives_a_one_line_error(shell, tmp_path, arguments, code, sentence):
    shell("sites", "add", "https://new.example/", check=0)
    out = tmp_path / "out"
    given = [*arguments, *["--output", out] * (arguments[0] == "export")]
    done = shell(*given, check=code)
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert not out.exists()


def test_a_new_site_announces_nothing(shell):
    shell("sites", "add", "https://new.example/", check=0)
    assert "new.example announces nothing" in shell("coverage", check=0).stdout
