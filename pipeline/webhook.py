"""Reports to where people read them; the address is a secret and never shown."""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SECONDS = 20
"""How long to wait for an answer."""


def post(address: str, reports: Sequence[Mapping[str, Any]]) -> str:
    """Post reports as JSON; return what went wrong, empty if nothing did.

    >>> post("file:///etc/hosts", [])
    'The webhook is not an http address.'
    """
    if not address.startswith(("http://", "https://")):
        return "The webhook is not an http address."
    body = json.dumps({"reports": reports}, ensure_ascii=False).encode()
    try:
        request = Request(address, body, {"Content-Type": "application/json"})  # noqa: S310 - checked
        with urlopen(request, timeout=SECONDS):  # noqa: S310 - checked
            return ""
    except HTTPError as error:
        error.close()
        return f"The webhook answered with HTTP status {error.code}."
    except (OSError, ValueError) as error:  # their text may hold the address
        return f"The webhook could not be reached ({type(error).__name__})."
