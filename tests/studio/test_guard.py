"""Who is let in: this machine's own page with its token, and nothing too large, too foreign or malformed."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from anholonomy.studio.request_checks import HEADERS, LARGEST, cookie_name

from .conftest import ADDRESS, PORT, TOKEN


def everything(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder.parent)) for path in folder.parent.rglob("*"))


def test_the_token_becomes_a_cookie_that_scripts_do_not_see(bare: TestClient) -> None:
    first = bare.get("/", params={"token": TOKEN})
    assert first.status_code == 200
    said = first.headers["set-cookie"].lower()
    assert "httponly" in said
    assert "samesite=strict" in said
    assert TOKEN not in first.text
    assert bare.get("/api/projects").json() == {"projects": []}


@pytest.mark.parametrize("path", ["/", "/api/projects", "/web/main.js", "/api/projects/0123456789abcdef"])
@pytest.mark.parametrize("token", [None, "", "wrong", TOKEN[:-1], TOKEN + "x", "ü", "\u2028"])
def test_without_the_token_nothing_is_shown(bare: TestClient, path: str, token: str | None) -> None:
    answer = bare.get(path, params={} if token is None else {"token": token})
    assert answer.status_code == 401
    assert "open the address" in answer.text


def test_a_token_in_the_address_opens_the_first_page_only(bare: TestClient) -> None:
    assert bare.get("/api/projects", params={"token": TOKEN}).status_code == 401


@pytest.mark.parametrize(
    "host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:1", "", f"[::1]:{PORT}", f"0.0.0.0:{PORT}"]
)
def test_another_name_for_this_machine_is_refused(own: TestClient, host: str) -> None:
    answer = own.get("/api/projects", headers={"host": host})
    assert answer.status_code == 421
    assert "127.0.0.1" in answer.json()["refused"]


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1:8765", "http://127.0.0.1:1", "http://127.0.0.1"]
)
def test_another_page_is_refused(own: TestClient, folder: Path, origin: str) -> None:
    for method, path in [("GET", "/api/projects"), ("POST", "/api/projects"), ("GET", f"/?token={TOKEN}")]:
        answer = own.request(method, path, headers={"origin": origin}, json={} if method == "POST" else None)
        assert answer.status_code == 403
    assert everything(folder) == ["secret.toml", "state"]


def test_a_foreign_page_cannot_ride_on_the_cookie(bare: TestClient) -> None:
    bare.cookies.set(cookie_name(PORT), TOKEN)
    assert bare.get("/api/projects", headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert bare.get("/api/projects", headers={"sec-fetch-site": "same-site"}).status_code == 403
    assert bare.get("/api/projects", headers={"sec-fetch-site": "same-origin"}).status_code == 200
    # A request that changes something names its page, which no form of a foreign page can forge.
    assert bare.post("/api/projects", json={}).status_code == 403
    assert bare.post("/api/projects", json={}, headers={"origin": ADDRESS}).status_code == 200


def test_a_link_from_anywhere_may_carry_the_token(bare: TestClient) -> None:
    assert bare.get("/", params={"token": TOKEN}, headers={"sec-fetch-site": "cross-site"}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/nothing", "/web/main.js", "/api/projects"])
def test_every_answer_is_fenced(own: TestClient, path: str) -> None:
    answer = own.get(path)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert "unsafe" not in HEADERS["content-security-policy"]
    assert "access-control-allow-origin" not in answer.headers


def test_what_is_too_large_is_refused_before_it_is_read(own: TestClient) -> None:
    said = own.post("/api/check", content=b"x" * (LARGEST + 1), headers={"content-type": "application/json"})
    assert said.status_code == 413
    lied = own.post(
        "/api/check", content=b"{}", headers={"content-type": "application/json", "content-length": "9" * 40}
    )
    assert lied.status_code == 413
    assert own.get("/" + "a" * 10_000).status_code == 414
    # One that does not say how large it is, is counted as it comes.
    pieces = (b" " * 100_000 for _ in range(12))
    silent = own.post("/api/check", content=pieces, headers={"content-type": "application/json"})
    assert silent.status_code == 413


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"null", b'"x"', b"[" * 100_000, b'{"a":' * 50_000, b"\xff\xfe", b'{"until": 1e999}',
             b'{"until": ' + b"9" * 5000 + b"}", b'{"declaration": "\\ud800"}', b'{"declaration": 5}', b'{"parameters": {"m": "1"}}',
             b'{"parameters": []}', b'{"start": {"x": NaN}}', b'{"view": []}', b'{"name": ["x"]}', b'{"view": {"a": NaN}}',
             b'{"view": {"a": 1e999}}', b'{"view": {"a": "\\ud800"}}', b'{"view": {"\\udfff": 1}}', b'{"start": {"\\ud800": 1}}',
             b'{"parameters": {"\\ud800": 1}}', b'{"view": {"a":' + b"[" * 970 + b"]" * 970 + b"}}"],
    ids=range(24),
)  # fmt: skip
def test_malformed_requests_are_refused_in_a_sentence(own: TestClient, folder: Path, body: bytes) -> None:
    answer = own.post("/api/projects", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    assert answer.json()["refused"].endswith(".")
    assert everything(folder) == ["secret.toml", "state"]


def test_only_json_is_read(own: TestClient) -> None:
    assert own.post("/api/projects", content=b"{}", headers={"content-type": "text/plain"}).status_code == 415
    assert own.request("TRACE", "/api/projects").status_code == 405


@pytest.mark.parametrize(
    "path", ["../secret.toml", "..%2fsecret.toml", "%2e%2e%2fsecret.toml", "/etc/passwd", "%2fetc%2fpasswd", "..\\secret.toml",
             "thumbs/../../app.py", "player/../../../disk.py", ".", "..", "%00", "main.js%00.png"],
)  # fmt: skip
def test_no_path_leads_outside(own: TestClient, folder: Path, path: str) -> None:
    project = own.post("/api/projects", json={"name": "n", "declaration": "d"}).json()["id"]
    before = everything(folder)
    for room in ("/web/", "/api/projects/", f"/api/projects/{project}/exports/"):
        answer = own.get(room + path)
        assert answer.status_code in (404, 405) or path in (".", "..")  # which the client itself resolves
        assert "nobody reads this" not in answer.text
    assert set(everything(folder)) - set(before) <= {f"state/{project}/exports"}


def _malformed(chance: random.Random) -> tuple[str, str, bytes, dict[str, str]]:
    """One request of nonsense: half-right addresses, bodies of any bytes, headers that lie."""
    addresses = [
        "/",
        "/api/check",
        "/api/motion",
        "/api/projects",
        "/api/ask",
        "/api/equations",
        "/web/",
        "/api/projects/" + "f" * 16,
        "/%",
    ]
    path = chance.choice(addresses) + chance.choice(
        ["", "?token=" + "x" * chance.randrange(99), "/../..", "%ff", "/export", "/findings"]
    )
    pieces = [
        "{",
        "}",
        "[",
        "]",
        '"',
        ":",
        ",",
        "1e9",
        "null",
        "declaration",
        "\\u0000",
        "start",
        "é",
        "-",
        "\x00",
        " ",
        "parameters",
    ]
    body = "".join(chance.choice(pieces) for _ in range(chance.randrange(40))).encode()
    if chance.random() < 0.3:
        body = json.dumps({chance.choice(["declaration", "until", "limit", "key", "view", "version", "project"]): chance.choice(
            [None, True, [], {}, -1, 1e308, "x" * 50, ["x"], {"a": {"a": {}}}])}).encode()  # fmt: skip
    headers = {"content-type": chance.choice(["application/json", "text/html", ""])}
    if chance.random() < 0.2:
        headers[chance.choice(["origin", "host", "authorization", "cookie", "content-length", "sec-fetch-site"])] = (
            chance.choice(["", "x", "null", "=;=;", "Bearer", "-1", "1e3", "::::"])
        )
    return chance.choice(["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"]), path, body, headers


@pytest.mark.exhaustive_for("400")
@pytest.mark.parametrize("count", [400, pytest.param(10_000, marks=pytest.mark.exhaustive)])
def test_nonsense_neither_breaks_nor_writes(own: TestClient, folder: Path, count: int, monkeypatch) -> None:
    async def nothing(*_: object) -> bytes:
        return b'{"refused": "no worker is here."}'

    async def silence(*_: object):
        yield b'{"refused": "no worker is here."}'

    monkeypatch.setattr("anholonomy.studio.worker_pool.Pool.answer", nothing)
    monkeypatch.setattr("anholonomy.studio.worker_pool.Pool.ask", silence)
    chance = random.Random(5)
    for _ in range(count):
        method, path, body, headers = _malformed(chance)
        answer = own.request(method, path, content=body, headers=headers)
        assert answer.status_code < 500, (method, path, body, headers, answer.text)
    assert own.get("/api/projects").status_code == 200
    assert [name for name in everything(folder) if not name.startswith("state")] == ["secret.toml"]
