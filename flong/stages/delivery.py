"""Sends reports to where people read them, as the settings say."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flong.console import show_error
from flong.search.clipping_mail import MailSettings, mail_clippings
from flong.stages.report import NightReport
from flong.stages.webhook import post

GetSetting = Callable[[str], Any]
"""Returns the value of a setting."""


def post_reports(reports: Sequence[Mapping[str, Any]], setting: GetSetting) -> None:
    """Post reports to the webhook, if there is one; say what goes wrong."""
    address = str(setting("FLONG_WEBHOOK"))
    trouble = post(address, reports) if address else ""
    if trouble:
        show_error(trouble)


def deliver(reports: Sequence[NightReport], setting: GetSetting) -> None:
    """Post reports, and mail what they say about clippings."""
    post_reports([json.loads(report.to_json()) for report in reports], setting)
    mail(reports, setting)


def mail(reports: Sequence[NightReport], setting: GetSetting) -> None:
    """Mail what reports say about clippings; say what goes wrong."""
    settings = MailSettings(
        server=str(setting("FLONG_SMTP")),
        sender=str(setting("FLONG_MAIL_FROM")),
        recipients=str(setting("FLONG_MAIL_TO")).split(","),
    )
    trouble = mail_clippings(reports, settings)
    if trouble:
        show_error(trouble)
