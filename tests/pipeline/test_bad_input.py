"""What users get wrong: one sentence, the right exit code, nothing lost."""

import sqlite3

import pytest


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["crawl", "site"], 2, "no address"),
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
        (["articles", "--since", "yesterday"], 2, "yesterday"),
        (["sites", "--colour"], 2, "--colour"),
        (["load", "news.example", "/nonexistent/folder"], 1, "does not exist"),
    ],
)
def test_wrong_usage_is_told_in_a_sentence(shell, arguments, code, sentence):
    done = shell(*arguments, check=code)
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_without_html_adds_no_site(shell, tmp_path):
    (tmp_path / "notes.txt").write_text("nothing")
    done = shell("load", "https://news.example/", tmp_path, check=1)
    assert "no HTML" in done.stderr
    assert "No site yet" in shell("sites", check=0).stdout


def test_a_cut_archive_gives_what_is_whole_and_says_so(harvest, shell, tmp_path):
    archive, cut = tmp_path / "whole.warc.gz", tmp_path / "cut.warc.gz"
    harvest.shell("export", "--format", "warc", "--output", archive, check=0)
    data = archive.read_bytes()
    cut.write_bytes(data[: len(data) // 2])
    done = shell("load", harvest.url, cut, check=3)
    assert "cut" in done.stderr or "damaged" in done.stderr
    assert int(done.stdout.split(": ")[1].split(" pages")[0]) > 10


def test_a_file_that_is_no_database_is_left_alone(shell, tmp_path):
    file = tmp_path / "flong.db"
    file.write_text("These are my notes, not a database. " * 200)
    before = file.read_bytes()
    done = shell("sites", check=1)
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert file.read_bytes() == before


def test_a_database_of_a_later_version_is_left_alone(shell, tmp_path):
    shell("sites", check=0)
    with sqlite3.connect(tmp_path / "flong.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    done = shell("sites", check=1)
    assert "newer" in done.stderr or "later" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
