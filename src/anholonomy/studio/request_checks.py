"""The checks that every request passes before anything reads it: where it comes from, who sends it, how large and how slow it is.

The server listens on this machine only, but so does every page that a browser has open: a foreign page may send requests here, or
make its own name mean this address. So the names in ``Host`` and ``Origin`` must be ours, and the token must be known.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from typing import final
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["HEADERS", "LARGEST", "Guard", "cookie_name"]

LARGEST = 1_000_000
"""Bytes in the body of a request."""
_LONGEST_PATH = 4_000
"""Characters of an address."""
_PATIENCE = 10.0
"""Seconds in which a body must have arrived."""
_AT_ONCE = 32
"""Requests under way."""

HEADERS: Mapping[str, str] = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}
"""Said with every answer: no foreign script, no frame, no guessing of types, nothing kept."""


def cookie_name(port: int) -> str:
    """Cookies know no ports, so two studios need two names."""
    return f"anholonomy-{port}"


@final
@dataclass
class Guard:
    """The application behind the checks."""

    app: ASGIApp
    token: str
    port: int
    under_way: int = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or say in a sentence why not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        refused = self._refused(scope)
        if refused is not None:
            await refused(scope, receive, dressed)
            return
        self.under_way += 1
        try:
            body = await _body(receive)
            if isinstance(body, Response):
                await body(scope, receive, dressed)
            else:
                await self.app(scope, _replayed(body, receive), dressed)
        finally:
            self.under_way -= 1

    def _refused(self, scope: Scope) -> Response | None:
        headers, method = Headers(scope=scope), scope["method"]
        hosts = {f"127.0.0.1:{self.port}", f"localhost:{self.port}"}
        if headers.get("host", "") not in hosts:
            return _no(421, f"this server answers to 127.0.0.1:{self.port} only; open the address that it printed.")
        if method not in ("GET", "HEAD", "POST", "PUT", "DELETE"):
            return _no(405, "the studio knows GET, POST, PUT and DELETE; use one of them.")
        known = self._knows(headers)
        arriving = method == "GET" and scope["path"] == "/" and self._is_token(_asked(scope).get("token", ""))
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "")
        foreign = (origin is not None and origin not in {f"http://{host}" for host in hosts}) or (
            site not in ("", "none", "same-origin") and not arriving
        )
        unsigned = method not in ("GET", "HEAD") and origin is None and "authorization" not in headers
        if foreign or unsigned:
            return _no(403, "this request comes from another page; the studio answers to its own page only.")
        if not known and not arriving:
            said = "the token is missing or not this server's; open the address that `anholonomy studio` printed."
            return PlainTextResponse(said, 401) if scope["path"] == "/" else _no(401, said)
        if len(scope["path"]) + len(scope.get("query_string", b"")) > _LONGEST_PATH:
            return _no(414, f"the address is too long; it has at most {_LONGEST_PATH} characters.")
        if self.under_way >= _AT_ONCE:
            return _no(503, f"{_AT_ONCE} requests are under way; wait for one of them.")
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()):
            return _no(400, "the content-length is no number; send one.")
        if len(length) > 12 or int(length) > LARGEST:
            return _no(413, f"the request is too large; it has at most {LARGEST} bytes.")
        if method in ("POST", "PUT") and headers.get("content-type", "").split(";")[0].strip() != "application/json":
            return _no(415, "the studio reads JSON; send the content-type application/json.")
        return None

    def _is_token(self, given: str) -> bool:
        return compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    def _knows(self, headers: Headers) -> bool:
        """Whether the token is in the cookie, or in the header of a program."""
        kind, _, value = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            return self._is_token(value.strip())
        cookie: SimpleCookie = SimpleCookie()
        try:
            cookie.load(headers.get("cookie", ""))
        except CookieError:
            return False
        found = cookie.get(cookie_name(self.port))
        return found is not None and self._is_token(found.value)


def _asked(scope: Scope) -> dict[str, str]:
    try:
        return {k: v[0] for k, v in parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=20).items()}
    except ValueError:
        return {}


async def _body(receive: Receive) -> bytes | Response:
    """The whole body, or why it is not taken; a client that goes away leaves what it sent."""
    chunks, size = [], 0
    try:
        async with asyncio.timeout(_PATIENCE):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return _no(400, "the request ended before its body did; send it again.")
                chunks.append(message.get("body", b""))
                size += len(chunks[-1])
                if size > LARGEST:
                    return _no(413, f"the request is too large; it has at most {LARGEST} bytes.")
                if not message.get("more_body", False):
                    return b"".join(chunks)
    except TimeoutError:
        return _no(408, f"the body did not arrive within {_PATIENCE:g} s; send it again.")


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The body once, then whatever the client does."""
    given = False

    async def again() -> Message:
        nonlocal given
        if not given:
            given = True
            return {"type": "http.request", "body": body, "more_body": False}
        return await receive()

    return again


def _no(status: int, sentence: str) -> JSONResponse:
    return JSONResponse({"refused": sentence}, status)
