"""E-mail notifications for clippings.

The server URL contains a password and never appears in messages.
"""

import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import formatdate, make_msgid, parseaddr
from smtplib import SMTP, SMTP_SSL, SMTPAuthenticationError, SMTPException
from urllib.parse import SplitResult, unquote, urlsplit

from flong.console import show_error
from flong.stages.delivery import GetSetting, within
from flong.stages.report import LISTED, ClippingNews, NightReport, ReportedArticle
from flong.storage import Run, Site, Store
from flong.storage.search import Clippings, Search, SearchSettings

SECONDS = 30.0
"""Maximum seconds until the server has accepted a mail."""
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True, slots=True, kw_only=True)
class MailSettings:
    """Mail server and recipients."""

    server: str
    """`smtp://` or `smtps://` URL, optionally with credentials; empty disables mail."""
    sender: str
    """Sender address; defaults to the first recipient."""
    recipients: Sequence[str]
    """Recipient addresses."""


def mail(reports: Sequence[NightReport], setting: GetSetting) -> None:
    """Mail the new articles of clippings; print an error if that fails."""
    settings = MailSettings(
        server=str(setting("FLONG_SMTP")),
        sender=str(setting("FLONG_MAIL_FROM")),
        recipients=str(setting("FLONG_MAIL_TO")).split(","),
    )
    trouble = mail_clippings(reports, settings)
    if trouble:
        show_error(trouble)


def mail_clippings(
    reports: Sequence[NightReport], settings: MailSettings, seconds: float = SECONDS
) -> str:
    """Mail the new articles of clippings, if any; return an error message, or ""."""
    if not settings.server or not any(report.clippings for report in reports):
        return ""
    recipients = [address for address in map(_address, settings.recipients) if address]
    if not recipients:
        return "FLONG_MAIL_TO contains no e-mail address."
    sender = _address(settings.sender) or recipients[0]
    message = write_message(reports, sender, recipients)
    try:
        return within(seconds, lambda: _send(settings.server, message, seconds))
    except TimeoutError:
        return f"The mail server did not take the mail within {seconds:g} seconds."


def write_message(
    reports: Sequence[NightReport], sender: str, recipients: Sequence[str]
) -> EmailMessage:
    """Return a mail that lists the new articles of each clipping, site by site."""
    counts: dict[str, int] = {}
    texts: dict[str, list[str]] = {}
    for report in reports:
        for clipping in report.clippings:
            counts[clipping.name] = counts.get(clipping.name, 0) + clipping.new
            lines = texts.setdefault(clipping.name, [])
            lines += [f"{_line(each.title)}\n{_line(each.url)}\n" for each in clipping.articles]
            left = clipping.new - len(clipping.articles)
            lines += [f"... and {left} more of {report.site}\n"] * (left > 0)
    message = EmailMessage()
    message["Subject"] = "New: " + ", ".join(f"{_line(n)} ({c})" for n, c in counts.items())
    message["From"], message["To"] = sender, ", ".join(recipients)
    message["Date"] = formatdate()
    message["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    parts = [f"{_line(name)}\n\n" + "\n".join(lines) for name, lines in texts.items()]
    message.set_content("\n\n".join(parts))
    return message


def _line(text: str) -> str:
    """Return the text on one line, without control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _address(text: str) -> str:
    """Return the bare address, or "" if the text is not an address."""
    _, address = parseaddr(_line(text))
    return address if "@" in address else ""


def _send(server: str, message: EmailMessage, seconds: float) -> str:
    try:
        url = urlsplit(server)
        if url.scheme not in ("smtp", "smtps") or not url.hostname:
            return "FLONG_SMTP is not an smtp or smtps URL."
        with _connect(url, seconds) as connection:
            is_private = _encrypt(connection) or url.hostname in _LOOPBACK
            if url.username and not is_private:
                return "The mail server has no encryption. The password was not sent."
            if url.username:
                connection.login(unquote(url.username), unquote(url.password or ""))
            connection.send_message(message)
    except SMTPAuthenticationError:
        return "The mail server refused the name or the password."
    except (SMTPException, OSError, ValueError) as error:  # the error text may contain the password
        return f"The mail could not be sent ({type(error).__name__})."
    return ""


def _connect(url: SplitResult, seconds: float) -> SMTP:
    host = url.hostname or ""
    if url.scheme == "smtp":
        return SMTP(host, url.port or 587, timeout=seconds)
    return SMTP_SSL(host, url.port or 465, timeout=seconds, context=ssl.create_default_context())


def _encrypt(connection: SMTP) -> bool:
    """Start TLS if the server supports it; return True if the connection is encrypted."""
    connection.ehlo_or_helo_if_needed()
    if isinstance(connection, SMTP_SSL):
        return True
    if connection.has_extn("starttls"):
        connection.starttls(context=ssl.create_default_context())
        return True
    return False


def new_clippings(store: Store, site: Site, night: Run) -> list[ClippingNews]:
    """Return the clippings matched by articles that a night found, with some of these articles."""
    found = []
    for clipping in Clippings(store).all():
        if clipping.sites and site.name not in clipping.sites:
            continue
        settings = SearchSettings(
            sites=frozenset({site.name}), found_after_run=night.id, limit=LISTED
        )
        new = Search(store).find(clipping.query, settings)
        if new.total:
            told = [
                ReportedArticle(url=row.article.url, title=row.article.title, page=row.page_id)
                for row in (each.row for each in new.results)
            ]
            found.append(ClippingNews(name=clipping.name, new=new.total, articles=told))
    return found
