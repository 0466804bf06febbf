"""Login with one password: sessions in memory, and a limit on wrong passwords."""

import hashlib
import time
from collections.abc import Callable
from hmac import compare_digest
from secrets import token_bytes, token_urlsafe
from threading import Lock

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment
from starlette.types import Scope

from flong.inspector.editing import Filled, cookie_of, enter, own_path

COST, BLOCK, PARALLEL = 2**14, 8, 5
"""Parameters n, r and p of scrypt for new hashes: 16 MB of memory, from OWASP's list."""
SESSION_SECONDS = 12 * 3600
"""Seconds until a visitor has to log in again."""
LIMIT_SECONDS = 600
"""Seconds over which wrong passwords are counted."""
MAX_WRONG, MAX_WRONG_OF_ALL = 5, 60
"""Maximum number of wrong passwords of one address, and of all addresses."""


class TooManyAttempts(Exception):
    """The password is not checked after too many wrong ones."""


def hash_password(password: str) -> str:
    """Return a salted hash, as `scrypt:N:R:P:SALT:KEY`.

    >>> is_password("rain in the north", hash_password("rain in the north"))
    True
    """
    salt = token_bytes(16)
    key = hashlib.scrypt(password.encode(), salt=salt, n=COST, r=BLOCK, p=PARALLEL)
    return f"scrypt:{COST}:{BLOCK}:{PARALLEL}:{salt.hex()}:{key.hex()}"


def is_password(password: str, hashed: str) -> bool:
    """Return True if a hash is that of a password; raise a `ValueError` if it is not a hash."""
    scheme, cost, block, parallel, salt, key = hashed.split(":")
    if scheme != "scrypt":
        raise ValueError(scheme)
    made = hashlib.scrypt(
        password.encode(),
        salt=bytes.fromhex(salt),
        n=int(cost),
        r=int(block),
        p=int(parallel),
    )
    return compare_digest(made, bytes.fromhex(key))


class Login:
    """The password of all visitors, and their sessions, which end with the process.

    Raises a `ValueError` if `hashed` is not the result of `hash_password`.
    """

    def __init__(self, hashed: str, clock: Callable[[], float] = time.monotonic) -> None:
        is_password("", hashed)
        self._hashed, self._clock = hashed, clock
        self._lock = Lock()
        self._sessions: dict[str, float] = {}
        """End of each session by its token."""
        self._wrong: list[tuple[float, str]] = []
        """Time and address of each wrong password."""

    def enter(self, password: str, address: str) -> str | None:
        """Return the token of a new session, or None if the password is wrong.

        Raises `TooManyAttempts`. One password is checked at a time: scrypt is expensive.
        """
        with self._lock:
            now = self._clock()
            self._wrong = [each for each in self._wrong if each[0] > now - LIMIT_SECONDS]
            of_address = sum(each[1] == address for each in self._wrong)
            if of_address >= MAX_WRONG or len(self._wrong) >= MAX_WRONG_OF_ALL:
                raise TooManyAttempts
            if not is_password(password, self._hashed):
                self._wrong.append((now, address))
                return None
            token = token_urlsafe()
            running = {each: end for each, end in self._sessions.items() if end > now}
            self._sessions = running | {token: now + SESSION_SECONDS}
            return token

    def leave(self, scope: Scope) -> None:
        """End the session of a request."""
        self._sessions.pop(cookie_of(scope), None)

    def admits(self, scope: Scope) -> bool:
        """Return True if a request belongs to a session."""
        return self._sessions.get(cookie_of(scope), 0) > self._clock()


def add_login(app: FastAPI, templates: Environment, login: Login) -> None:
    """Add the page to log in, and the button to log out."""
    templates.globals["has_login"] = True

    def page(to: str, status: int = 200, message: str = "") -> Response:
        template = templates.get_template("login.html")
        return HTMLResponse(template.render(to=own_path(to), message=message), status)

    @app.get("/login", include_in_schema=False)
    def ask(to: str = "") -> Response:
        return page(to)

    @app.post("/login", include_in_schema=False)
    def check(request: Request, form: Filled) -> Response:
        to, address = form.get("to", ""), request.client.host if request.client else ""
        try:
            token = login.enter(form.get("password", ""), address)
        except TooManyAttempts:
            minutes = LIMIT_SECONDS // 60
            answer = page(to, 429, f"Too many wrong passwords. Try again in {minutes} minutes.")
            answer.headers["Retry-After"] = str(LIMIT_SECONDS)
            return answer
        if token is None:
            return page(to, 403, "The password is wrong.")
        return enter(request.scope, to, token)

    @app.post("/logout", include_in_schema=False)
    def leave(request: Request) -> Response:
        login.leave(request.scope)
        return RedirectResponse("/login", 303)
