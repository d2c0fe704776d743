"""A studio for tests: its application in this process, its workers in their own."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="Starlette is not installed (the extra `studio`)")
pytest.importorskip("httpx", reason="httpx is not installed (the extra `test`)")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # newer versions would like another client, which is not needed
    from starlette.testclient import TestClient

from anholonomy.studio.projects import Projects
from anholonomy.studio.routes import studio

PORT, TOKEN = 8765, "the-token-of-this-test"
ADDRESS = f"http://127.0.0.1:{PORT}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where projects are, beside something that nobody may touch."""
    (tmp_path / "secret.toml").write_text("nobody reads this")
    place = tmp_path / "state"
    place.mkdir()
    return place


@pytest.fixture
def bare(folder: Path) -> TestClient:
    """The application without its workers, which start when they are needed; nobody has said a token."""
    return TestClient(studio(Projects(folder), TOKEN, PORT), base_url=ADDRESS, raise_server_exceptions=False)


@pytest.fixture
def own(bare: TestClient) -> TestClient:
    """The same with the token and the origin of its own page."""
    bare.headers.update({"authorization": f"Bearer {TOKEN}", "origin": ADDRESS})
    return bare


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """One that runs for a whole file, so that its workers stay warm."""
    client = TestClient(studio(Projects(tmp_path_factory.mktemp("state")), TOKEN, PORT), base_url=ADDRESS)
    client.headers.update({"authorization": f"Bearer {TOKEN}", "origin": ADDRESS})
    with client:
        yield client
