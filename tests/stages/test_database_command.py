import json

import pytest

from flong.storage import Store


@pytest.fixture
def source(databases):
    url = databases("sqlite").create()
    with Store.open(url) as store:
        store.sites.add("https://news.example/")
    return url


def test_database_can_be_copied_to_postgresql_and_back(scrapy, databases, source):
    there, back = databases("postgresql").create(), databases("sqlite").create()
    first = scrapy("database", "copy", source, there, "--json")
    second = scrapy("database", "copy", there, back, "--json")
    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    assert first.stdout == second.stdout
    counts = {row["name"]: row["rows"] for row in map(json.loads, first.stdout.splitlines())}
    assert counts["sites"] == 1
    databases("postgresql").drop(there)


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("copy", "{source}", "{source}"), 1, "flong: There are sites in the database sqlite:"),
        (("copy", "sqlite:///nowhere.db", "{source}"), 2, "flong: There is no database sqlite:"),
        (("copy", "{source}", "oracle://x"), 1, "flong: The database URL 'oracle://x' is not"),
    ],
)
def test_copy_errors_are_one_line(scrapy, source, words, code, sentence):
    done = scrapy("database", *(word.format(source=source) for word in words))
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith(sentence)
    assert len(done.stderr.splitlines()) == 1
