"""Mails with new articles of clippings."""

import socket
import ssl
import time
from contextlib import suppress
from threading import Thread

import pytest

from flong.search.clippings import MailSettings, mail_clippings
from flong.stages.report import ClippingNews, NightReport, ReportedArticle
from tests.faults.test_connections import certificate
from tests.smtp import run_smtp

EVIL = "Flood\r\nBcc: evil@example.org\x1b[31m 東京"
REPORTS = [
    NightReport(
        site="news.example",
        run=1,
        clippings=[
            ClippingNews(
                name="floods",
                new=3,
                articles=[
                    ReportedArticle(url="https://news.example/1", title="Flood"),
                    ReportedArticle(url="https://news.example/2", title=EVIL),
                ],
            )
        ],
    ),
    NightReport(
        site="other.example",
        run=2,
        clippings=[
            ClippingNews(
                name="floods",
                new=1,
                articles=[ReportedArticle(url="https://other.example/", title="x")],
            ),
            ClippingNews(name=EVIL, new=1, articles=[]),
        ],
    ),
]


def settings(server, **changes):
    values = {"server": server, "sender": "", "recipients": ["Ann <ann@example.org>", "b@c.de"]}
    return MailSettings(**(values | changes))


def test_new_articles_are_mailed_by_clipping():
    with run_smtp() as server:
        server.password = "p@ss/word"  # noqa: S105 - it opens nothing
        url = f"smtp://me:p%40ss%2Fword@127.0.0.1:{server.port}"
        assert mail_clippings(REPORTS, settings(url)) == ""
    (mail,) = server.mails
    assert server.recipients == ["ann@example.org", "b@c.de"]
    assert mail["Subject"].startswith("New: floods (4), Flood Bcc: evil@example.org")
    assert (mail["From"], mail["Bcc"]) == ("ann@example.org", None)
    text = mail.get_content()
    assert "\x1b" not in text
    assert text.index("https://news.example/1") < text.index("... and 1 more of news.example")
    assert "東京" in text
    assert "https://other.example/" in text


def test_no_mail_is_sent_without_new_articles():
    with run_smtp() as server:
        url = f"smtp://me:secret@127.0.0.1:{server.port}"
        assert mail_clippings([NightReport(site="a", run=1)], settings(url)) == ""
    assert server.commands == server.mails == []


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("smtp://me:hidden@127.0.0.1:{port}", "refused the name or the password"),
        ("smtp://me:hidden@127.0.0.1:9", "could not be sent (ConnectionRefusedError)"),
        ("smtp://me:hidden@127.0.0.1:hidden", "could not be sent (ValueError)"),
        ("http://hidden@127.0.0.1/", "not an smtp or smtps URL"),
        ("hidden", "not an smtp or smtps URL"),
    ],
)
def test_mail_errors_contain_no_password(url, said):
    with run_smtp() as server:
        told = mail_clippings(REPORTS, settings(url.format(port=server.port)))
    assert said in told
    assert "hidden" not in told
    assert server.mails == []


def test_password_is_never_sent_unencrypted_to_another_host():
    with run_smtp("127.0.0.2") as server:
        told = mail_clippings(REPORTS, settings(f"smtp://me:secret@127.0.0.2:{server.port}"))
    assert told == "The mail server has no encryption. The password was not sent."
    assert not {"AUTH", "MAIL"} & set(server.commands)


@pytest.fixture
def encrypted(tmp_path):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(tmp_path, "localhost"))
    return context


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
def test_mail_is_encrypted_if_the_server_supports_it(encrypted, scheme, tmp_path, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "localhost.pem"))
    with run_smtp(context=encrypted, starttls=scheme == "smtp") as server:
        url = f"{scheme}://me:secret@localhost:{server.port}"
        assert mail_clippings(REPORTS, settings(url)) == ""
    assert len(server.mails) == 1
    assert ("STARTTLS" in server.commands) == (scheme == "smtp")


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
def test_untrusted_certificate_is_refused(encrypted, scheme):
    with run_smtp(context=encrypted, starttls=scheme == "smtp") as server:
        told = mail_clippings(REPORTS, settings(f"{scheme}://me:secret@localhost:{server.port}"))
    assert told == "The mail could not be sent (SSLCertVerificationError)."
    assert not {"AUTH", "MAIL"} & set(server.commands)


def test_slow_mail_server_times_out():
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def drip():
            connection, _ = listener.accept()
            with connection, suppress(OSError):  # who waits goes away
                for _ in range(12_000):
                    connection.sendall(b"220-wait\r\n")
                    time.sleep(0.05)

        Thread(target=drip, daemon=True).start()
        url = f"smtp://127.0.0.1:{listener.getsockname()[1]}"
        told = mail_clippings(REPORTS, settings(url), seconds=0.4)
    assert told == "The mail server did not take the mail within 0.4 seconds."


def test_missing_recipient_is_reported():
    told = mail_clippings(REPORTS, settings("smtp://127.0.0.1:9", recipients=["", "nobody"]))
    assert told == "FLONG_MAIL_TO contains no e-mail address."
