"""Wrong input: a one-line error, the right exit code, no data lost."""

import sqlite3

import pytest

from flong.storage import Store
from tests.stages.conftest import Shell


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["crawl", "site"], 2, "no URL"),
        (["crawl", "site", "-a", "url=news.example"], 2, "write https://news.example"),
        (["crawl", "site", "-a", "url=ftp://news.example/"], 2, "only http and https"),
        (["crawl", "site", "-a", "url=https://news.example", "-a", "depth=x"], 2, "whole number"),
        (["learn", "nowhere.example"], 2, "No site 'nowhere.example'"),
        (["extract", "nowhere.example"], 2, "No site 'nowhere.example'"),
        (["clusters", "nowhere.example"], 2, "No site 'nowhere.example'"),
        (["explain", "https://nowhere.example/a"], 2, "No page"),
        (["export", "--format", "docx", "--output", "x"], 2, "invalid choice"),
        (["export"], 2, "--output"),
        (["articles", "--limit", "many"], 2, "whole number"),
        (["export", "--output", "/dev"], 1, "/dev cannot be written: Is a directory."),
        (["articles", "--limit", "9" * 20], 2, "too large"),
        (["articles", "--limit", "9" * 5000], 2, "too large"),
        (["articles", "--pattern", "9" * 20], 2, "too large"),
        (["patterns", "--show", "9" * 20], 2, "too large"),
        (["runs", "--run", "9" * 20], 2, "too large"),
        (["stories", "--story", "9" * 20], 2, "too large"),
        (["sites", "add", "http://a.example/", "--max-pages", "9" * 20], 2, "too large"),
        (["articles", "--kind", "foo"], 2, "'news', 'page', 'all'"),
        (["clusters", "--kind", "foo"], 2, "'article', 'mixed', 'listing', 'other'"),
        (["patterns", "--kind", "foo"], 2, "'article', 'mixed', 'other'"),
        (["runs", "--kind", "foo"], 2, "'crawl', 'load', 'learn', 'extract', 'nightly'"),
        (["sites", "--kind", "foo"], 2, "'visited', 'paused'"),
        (["articles", "--since", "yesterday"], 2, "yesterday"),
        (["sites", "--colour"], 2, "--colour"),
        (["sites", "remove", "nowhere.example"], 2, "No site 'nowhere.example'"),
        (["extract", "--method", "coreex"], 2, "--output FILE"),
        (["extract", "--method", "magic", "--output", "-"], 2, "no method 'magic'"),
        (["learn", "--output", "-"], 2, "--as-published"),
        (["visual", "train"], 2, "--output FILE"),
        (["visual", "paint"], 2, "Unknown action 'paint'. Use one of: train, evaluate"),
        (["visual", "evaluate"], 1, "no site yet"),
        (["sites", "add", "foo"], 2, "'foo' is not a host name such as news.example, nor a URL."),
        (["search", "((("], 2, "'(((' has no word to search for."),
        (["learn"], 1, "no site yet"),
        (["extract"], 1, "no site yet"),
        (["load", "news.example", "/nonexistent/folder"], 1, "does not exist"),
    ],
)
def test_wrong_usage_gives_a_one_line_error(scrapy, new_database, arguments, code, sentence):
    done = Shell(scrapy, new_database("sqlite"))(*arguments, check=code)
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_huge_number_of_days_means_all_days(shell):
    Store.open(shell.database).close()
    assert "No story" in shell("stories", "--days", "999999999", check=0).stdout


def test_a_folder_without_html_adds_no_site(shell, tmp_path):
    (tmp_path / "notes.txt").write_text("nothing")
    done = shell("load", "https://news.example/", tmp_path, check=1)
    assert "no HTML" in done.stderr
    assert "no site yet" in shell("sites", check=0).stdout


def test_truncated_archive_is_loaded_with_a_warning(harvest, shell, tmp_path):
    archive, cut = tmp_path / "whole.warc.gz", tmp_path / "cut.warc.gz"
    harvest.shell("export", "--format", "warc", "--output", archive, check=0)
    data = archive.read_bytes()
    cut.write_bytes(data[: len(data) // 2])
    done = shell("load", harvest.url, cut, check=3)
    assert "cut" in done.stderr or "damaged" in done.stderr
    assert int(done.stdout.split(": ")[1].split(" pages")[0]) > 10


def test_file_that_is_not_a_database_stays_untouched(shell, tmp_path):
    file = tmp_path / "flong.db"
    file.write_text("These are my notes, not a database. " * 200)
    before = file.read_bytes()
    done = shell("sites", check=1)
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert file.read_bytes() == before


def test_database_of_a_later_version_is_refused(shell, tmp_path):
    Store.open(shell.database).close()
    with sqlite3.connect(tmp_path / "flong.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    done = shell("sites", check=1)
    assert "newer" in done.stderr or "later" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


LOOKING = (
    ["sites"], ["clusters"], ["patterns"], ["articles"], ["runs"], ["learn"], ["extract"],
    ["nightly"], ["inspect"], ["explain", "https://news.example/"], ["export", "--output", "-"],
    ["sites", "pause", "news.example"],
)  # fmt: skip


@pytest.mark.parametrize("arguments", LOOKING)
def test_read_commands_do_not_create_a_database(shell, tmp_path, arguments):
    done = shell(*arguments, check=2)
    assert (done.stdout, len(done.stderr.splitlines())) == ("", 1)
    assert f"There is no database sqlite:///{tmp_path}/flong.db" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_new_database_is_announced_once(shell, tmp_path):
    told = f"New database sqlite:///{tmp_path}/flong.db"
    assert told in shell("sites", "add", "https://news.example", check=0).stderr
    assert "New database" not in shell("sites", "add", "https://other.example", check=0).stderr
    shell.database = f"sqlite:///{tmp_path}/other.db"
    dead = "url=http://127.0.0.1:9/"
    assert "New database" in shell("crawl", "site", "-a", dead, check=1).stderr
