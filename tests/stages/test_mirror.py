import os
from pathlib import Path

import pytest

from benchmarks.corpus import find_sites
from flong.errors import PipelineError
from flong.page import Link
from flong.stages.mirror import _TAG, _own_name, address_of, pages_of_mirror

HOME = "https://www.example.org/"


@pytest.fixture
def folder(tmp_path):
    def fill(files, below=""):
        for name, content in files.items():
            path = tmp_path / below / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path

    return fill


def links_to(*addresses):
    return "<html>" + "".join(f"<a href='{address}'>to {address}</a>" for address in addresses)


def found(folder, home=HOME):
    return {page.url.removeprefix(HOME): page for page in pages_of_mirror(folder, home)}


SITE = {
    "index.html": links_to("news/", "/about", "missing.html"),
    "about.html": links_to("/"),
    "news/index.html": links_to("../story.html#top", "/2024/b%20c.html", HOME + "about/"),
    "story.html": links_to("news/index.html"),
    "2024/b c.html": "<p>two words",
    "alone.html": links_to("/other-alone.html"),
    "other-alone.html": "<html>",
}


def test_pages_have_their_link_depth(folder):
    depths = {name: page.depth for name, page in found(folder(SITE)).items()}
    assert depths == {
        "": 0,
        "news/": 1,
        "about.html": 1,
        "story.html": 2,
        "2024/b%20c.html": 2,
        "alone.html": 3,
        "other-alone.html": 3,
    }
    assert list(depths.values()) == sorted(depths.values())


def test_links_resolve_to_urls_of_stored_files(folder):
    pages = found(folder(SITE))
    assert pages[""].links == (
        Link(HOME + "news/", "to news/"),
        Link(HOME + "about.html", "to /about"),
        Link(HOME + "missing.html", "to missing.html"),
    )
    assert pages["news/"].links[2] == Link(HOME + "about.html", f"to {HOME}about/")
    assert pages["story.html"].links == (Link(HOME + "news/", "to news/index.html"),)


def test_symbolic_link_named_after_the_host_is_not_followed(folder, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.html").write_text("<p>secret")
    root = folder({"index.html": "<p>ours"})
    (root / "www.example.org").symlink_to(outside)
    assert {page.html for page in found(root).values()} == {"<p>ours"}


def test_a_file_larger_than_memory_is_skipped(folder):
    root = folder({"index.html": "<p>ours"})
    with (root / "huge.html").open("wb") as file:
        file.truncate(1 << 40)
    assert set(found(root)) == {""}


def test_unreadable_file_is_skipped(folder, monkeypatch):
    root = folder({"index.html": "<p>ours", "a.html": "<p>not ours"})
    usual = Path.open

    def open_or_refuse(path, *mode):
        if path.name == "a.html":
            raise PermissionError
        return usual(path, *mode)

    monkeypatch.setattr(Path, "open", open_or_refuse)
    assert set(found(root)) == {""}


def test_canonical_url_search_is_linear():
    step = len(list(_TAG.finditer("<link " * 1000)))
    assert step == 1000
    assert all(len(tag[0]) == 6 for tag in _TAG.finditer("<link " * 1000))
    assert _own_name("<link " * 1000 + "rel=canonical href='/a'>") == "/a"


@pytest.mark.parametrize("host", ["www.example.org", "example.org"])
def test_files_can_be_in_a_folder_named_after_the_host(folder, host):
    root = folder({**SITE, "../elsewhere.org/index.html": "<p>not ours"}, below=host)
    assert (
        set(found(root))
        == set(found(root / host))
        == {
            "",
            "news/",
            "about.html",
            "story.html",
            "2024/b%20c.html",
            "alone.html",
            "other-alone.html",
        }
    )


def test_port_can_be_part_of_the_folder_name(folder):
    root = folder({"index.html": "<p>home"}, below="localhost:8000")
    assert [page.url for page in pages_of_mirror(root, "http://localhost:8000/")] == [
        "http://localhost:8000/"
    ]


def test_site_below_a_path_needs_no_host_folder(folder):
    root = folder({"index.html": links_to("a.html"), "a.html": "<p>a"})
    pages = list(pages_of_mirror(root, "https://people.example/blog/"))
    assert [(page.url, page.depth) for page in pages] == [
        ("https://people.example/blog/", 0),
        ("https://people.example/blog/a.html", 1),
    ]


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("index.html", ""),
        ("a/INDEX.HTM", "a/"),
        ("a/index.php", "a/index.php"),
        ("index.html?p=5", "?p=5"),
        ("index.html?p=5.html", "?p=5"),
        ("story.php.html", "story.php"),
        ("story.aspx?id=7&x=1.html", "story.aspx?id=7&x=1"),
        ("100% true.html", "100%25%20true.html"),
        ("%E6%9D%B1.html", "%E6%9D%B1.html"),
        ("東.html", "%E6%9D%B1.html"),
        ("page#2.html", "page%232.html"),
    ],
)
def test_file_names_become_urls(name, address):
    assert address_of(name) == address


def test_file_name_that_is_not_utf_8_has_a_url():
    assert address_of(os.fsdecode(b"caf\xe9.html")) == "caf%E9.html"


@pytest.mark.parametrize(
    ("data", "encoding", "text"),
    [
        ("<html>é".encode(), "utf-8", "<html>é"),
        ("<html>é".encode("cp1252"), "windows-1252", "<html>é"),
        ("<meta charset='shift_jis'>東".encode("shift_jis"), "shift-jis", "東"),
        ("\ufeff<html>é".encode(), "utf-8", "<html>é"),
        ("<html>é".encode("utf-16"), "utf-16", "<html>é"),
        (b"<meta charset='nonsense'>\xc3\xa9", "utf-8", "é"),
        (b"<meta charset='utf-8'>\xff caf\xc3\xa9", "utf-8", "\ufffd café"),
    ],
)
def test_a_page_is_read_in_its_own_encoding(folder, data, encoding, text):
    (page,) = pages_of_mirror(folder({"index.html": data}), HOME)
    assert page.html.endswith(text)
    assert page.encoding.replace("_", "-").startswith(encoding)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("feed/index.html", "<?xml version='1.0'?><rss><title>x</title></rss>"),
        ("sitemap.html", "<?xml version='1.0'?><urlset><p></urlset>"),
        ("data.html", '{"html": "<p>"}'),
        ("notes.html", "no markup at all"),
        ("empty.html", ""),
        ("photo.jpg", "<html>"),
        ("wp-json/a.html", "<html>"),
        ("noise.html", bytes(range(256)) * 9),
        ("huge.html", "<p>" + "x" * 11_000_000),
    ],
)
def test_files_that_are_not_pages_are_left_out(folder, name, content):
    assert list(found(folder({"index.html": "<p>home", name: content}))) == [""]


@pytest.mark.parametrize("name", ["page", "page.php", "page.xhtml", "a.b.c", "index.html?x=1"])
def test_html_is_recognised_without_its_extension(folder, name):
    assert len(found(folder({"index.html": "<p>home", name: "<!doctype html><p>x"}))) == 2


def test_two_files_with_one_url_are_one_page(folder):
    pages = found(folder({"index.htm": "<p>one", "index.html": "<p>two"}))
    assert [page.html for page in pages.values()] == ["<p>one"]


def test_a_mirror_without_home_page_is_still_read(folder):
    pages = found(folder({"a.html": links_to("b.html"), "b.html": "<p>"}))
    assert {name: page.depth for name, page in pages.items()} == {"a.html": 1, "b.html": 1}


def test_symbolic_links_out_of_the_folder_are_not_followed(folder, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.html").write_text("<p>secret")
    root = folder({"index.html": "<p>home"})
    (root / "link.html").symlink_to(outside / "secret.html")
    (root / "linked").symlink_to(outside, target_is_directory=True)
    assert list(found(root)) == [""]


def test_file_time_is_the_fetch_time(folder):
    root = folder({"index.html": "<p>home"})
    os.utime(root / "index.html", (0, 1_700_000_000.7))
    (page,) = pages_of_mirror(root, HOME)
    assert page.fetched_at.isoformat() == "2023-11-14T22:13:20+00:00"


@pytest.mark.parametrize(
    ("files", "home", "complaint"),
    [
        ({}, HOME, "There is no HTML in the folder"),
        ({"a.txt": "text", "b.html": "no markup"}, HOME, "There is no HTML in the folder"),
        ({"index.html": "<p>"}, "ftp://example.org/", "is not the URL of a web page"),
    ],
)
def test_folder_without_pages_is_refused(folder, files, home, complaint):
    with pytest.raises(PipelineError, match=complaint):
        list(pages_of_mirror(folder(files), home))


def test_missing_folder_is_refused():
    with pytest.raises(PipelineError, match="is not a folder"):
        list(pages_of_mirror(Path("no/such/folder"), HOME))


def test_links_of_a_real_mirror_resolve_to_its_pages():
    (site,) = find_sites(["malilive"]) or pytest.skip("no sites: set FLONG_SITES")
    pages = list(pages_of_mirror(site.folder / "www", site.url("index.html")))
    depths = {page.url: page.depth for page in pages}
    assert set(depths) == {site.url(path) for path in site.paths}
    assert sum(depths[site.url(path)] <= 2 for path in site.truth) >= 48
    linked = {link.url for page in pages for link in page.links} & set(depths)
    assert len(linked) >= len(depths) - 2


def test_a_mirror_loaded_under_another_name_keeps_its_links(tmp_path):
    for name in ("", "a/", "b/"):
        (tmp_path / name).mkdir(exist_ok=True)
        (tmp_path / name / "index.html").write_text(
            f'<html><head><link rel="canonical" href="https://old.example/{name}"></head>'
            '<body><a href="https://old.example/a/">A</a> <a href="//old.example/b/">B</a>'
            '<a href="https://other.example/a/">elsewhere</a></body></html>'
        )
    pages = {page.url: page for page in pages_of_mirror(tmp_path, "https://news.example/")}
    home = pages["https://news.example/"]
    assert [link.url for link in home.links] == [
        "https://news.example/a/",
        "https://news.example/b/",
    ]
    assert pages["https://news.example/a/"].depth == 1
