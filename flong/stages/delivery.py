"""Delivery of reports to the webhook, and by features such as mail."""

import json
from collections.abc import Callable, Mapping, Sequence
from http.client import HTTPException
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeVar
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from flong import features
from flong.console import show_error
from flong.stages.report import NightReport

GetSetting = Callable[[str], Any]
"""Returns the value of a setting."""


def post_reports(reports: Sequence[Mapping[str, Any]], setting: GetSetting) -> None:
    """Post reports to the webhook, if one is set; print an error message if that fails."""
    address = str(setting("FLONG_WEBHOOK"))
    trouble = post(address, reports) if address else ""
    if trouble:
        show_error(trouble)


def deliver(reports: Sequence[NightReport], setting: GetSetting) -> None:
    """Post reports, and let features send theirs."""
    post_reports([report.shown() for report in reports], setting)
    for send in features.load(features.DELIVERY):
        send(reports, setting)


SECONDS = 20.0
"""Maximum seconds for the whole response."""


def post(url: str, reports: Sequence[Mapping[str, Any]], seconds: float = SECONDS) -> str:
    """Post reports as JSON; return an error message, or "".

    >>> post("file:///etc/hosts", [])
    'The webhook is not an http URL.'
    """
    if not url.startswith(("http://", "https://")):
        return "The webhook is not an http URL."
    body = json.dumps({"reports": reports}, ensure_ascii=False).encode()
    try:
        return within(seconds, lambda: _post(url, body, seconds))
    except TimeoutError:
        return f"The webhook did not answer within {seconds:g} seconds."


def _post(url: str, body: bytes, seconds: float) -> str:
    try:
        request = Request(url, body, {"Content-Type": "application/json"})  # noqa: S310 - checked
        with urlopen(request, timeout=seconds):  # noqa: S310 - checked
            return ""
    except HTTPError as error:
        error.close()
        return f"The webhook answered with HTTP status {error.code}."
    except (OSError, ValueError, HTTPException) as error:  # its text may contain the URL
        return f"The webhook could not be reached ({type(error).__name__})."


T = TypeVar("T")


def within(seconds: float, work: Callable[[], T]) -> T:
    """Return the result of a call; raise `TimeoutError` if it takes longer than `seconds`.

    The timeout of a connection starts again with every byte. So the call, which must not raise,
    runs in a thread that can be abandoned.

    >>> within(5, lambda: 1)
    1
    """
    outcome: SimpleQueue[T] = SimpleQueue()
    Thread(target=lambda: outcome.put(work()), daemon=True).start()
    try:
        return outcome.get(timeout=seconds)
    except Empty:
        raise TimeoutError from None
