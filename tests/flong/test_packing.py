"""Compressed pages: a damaged one is named in the error."""

import pytest

from flong.packing import Unpacker, zstd
from flong.page import Link

PAGES = [f"<html><p>Page {n} of the site, café {n % 7}</p></html>".encode() for n in range(500)]


@pytest.fixture(scope="module")
def dictionary():
    return zstd.train_dict(PAGES, 4096)


def test_a_page_is_unpacked_with_the_dictionary_of_its_site_only(dictionary):
    blob = zstd.compress(PAGES[1], zstd_dict=dictionary)
    assert Unpacker(dictionary.dict_content).unpack_html(blob) == PAGES[1].decode()
    with pytest.raises(ValueError, match="A stored page is damaged"):
        Unpacker(b"").unpack_html(blob)


@pytest.mark.parametrize("blob", [b"", b"no zstd", zstd.compress(PAGES[0])[:-5]])
def test_a_damaged_page_is_named(blob):
    with pytest.raises(ValueError, match="A stored page is damaged"):
        Unpacker(b"").unpack_html(blob)


def test_document_that_is_not_utf_8_is_damaged():
    with pytest.raises(ValueError, match="A stored page is damaged"):
        Unpacker(b"").unpack_html(zstd.compress(b"<p>caf\xe9"))


@pytest.mark.parametrize("links", [b"[", b"7", b'[["http://a.example/"]]'])
def test_damaged_links_are_named(links):
    with pytest.raises(ValueError, match="The links of a page are damaged"):
        Unpacker(b"").unpack_links(zstd.compress(links))


def test_links_are_unpacked_in_their_order():
    blob = zstd.compress('[["http://a.example/b", "Zwölf"], ["http://a.example/a", ""]]'.encode())
    assert Unpacker(b"").unpack_links(blob) == (
        Link("http://a.example/b", "Zwölf"),
        Link("http://a.example/a", ""),
    )
    assert Unpacker(b"").unpack_urls(blob) == ["http://a.example/b", "http://a.example/a"]


def test_subclass_chooses_the_error_type():
    class Damaged(Exception):
        pass

    class Ours(Unpacker):
        damaged = Damaged

    with pytest.raises(Damaged):
        Ours(b"").unpack(b"no zstd")
