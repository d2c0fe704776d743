"""Projects on the disk: written whole, versioned, found again, and never mixed up by two pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from anholonomy.base.errors import FileError, UnknownNameError
from anholonomy.studio.projects import Projects, default_folder, read_words
from tests.wording import blames

WORDS = {
    "name": "sled",
    "declaration": 'schema = "…"',
    "parameters": {"m": 2.0},
    "start": {"x'": 1},
    "until": 7,
    "view": {"tab": "export"},
}


def test_a_project_is_found_again(folder: Path) -> None:
    made = Projects(folder).create(read_words(WORDS), "skate")
    again = Projects(folder).read(made["id"])
    assert {word: again[word] for word in WORDS} == WORDS
    assert (again["version"], again["key"]) == (1, "skate")
    assert [each["name"] for each in Projects(folder).listed()] == ["sled"]


def test_answers_are_kept_with_what_they_are_about(folder: Path) -> None:
    projects, words = Projects(folder), read_words(WORDS)
    name = projects.create(words)["id"]
    assert projects.findings(name) == {}
    projects.keep(name, words, "conserved", {"text": "nothing"})
    projects.keep(name, {**words, "parameters": {"m": 3.0}}, "verify", {"text": "of another mass"})
    assert Projects(folder).findings(name) == {"conserved": {"text": "nothing"}}
    projects.change(name, {**words, "start": {"x'": 2}}, 1)  # where a motion starts is none of an answer's business
    assert list(projects.findings(name)) == ["conserved"]
    projects.change(name, {**words, "declaration": "another"}, 2)
    assert projects.findings(name) == {}
    for broken in ("", "[]", '{"verify": 1}', "[" * 100_000):
        (folder / name / "findings.json").write_text(broken)
        assert projects.findings(name) == {}


def test_the_later_page_is_told_what_the_earlier_one_wrote(own: TestClient) -> None:
    made = own.post("/api/projects", json=WORDS).json()
    address = f"/api/projects/{made['id']}"
    first = own.put(address, json={**WORDS, "name": "first", "version": 1})
    second = own.put(address, json={**WORDS, "name": "second", "version": 1})
    assert (first.status_code, first.json()["version"]) == (200, 2)
    assert second.status_code == 409
    assert "another page" in second.json()["refused"]
    assert second.json()["now"]["name"] == "first"
    kept = own.put(address, json={**WORDS, "name": "second", "version": second.json()["now"]["version"]})
    assert kept.json()["version"] == 3
    assert own.get(address).json()["name"] == "second"


def test_two_pages_that_write_at_once_leave_one_whole_project(own: TestClient, folder: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    made = own.post("/api/projects", json=WORDS).json()
    address = f"/api/projects/{made['id']}"
    with own, ThreadPoolExecutor(8) as pool:
        sent = [{**WORDS, "name": f"page {k}", "declaration": str(k) * 20_000, "version": 1} for k in range(16)]
        codes = list(pool.map(lambda words: own.put(address, json=words).status_code, sent))
    assert sorted(codes) == [200] + 15 * [409]
    now = Projects(folder).read(made["id"])
    assert now["declaration"] == now["name"].split()[1] * 20_000
    assert [path.name for path in (folder / made["id"]).iterdir()] == ["project.json"]


def test_what_is_removed_is_put_aside(own: TestClient, folder: Path) -> None:
    made = own.post("/api/projects", json=WORDS).json()
    assert own.delete(f"/api/projects/{made['id']}").status_code == 200
    assert own.get(f"/api/projects/{made['id']}").status_code == 404
    assert json.loads((folder / "removed" / made["id"] / "project.json").read_text())["name"] == "sled"


def test_a_broken_file_is_named_and_hides_no_other(folder: Path) -> None:
    projects = Projects(folder)
    broken, sound = (projects.create(read_words(WORDS))["id"] for _ in range(2))
    (folder / broken / "project.json").write_text("{")
    assert [each["id"] for each in projects.listed()] == [sound]
    with blames(FileError):
        projects.read(broken)


@pytest.mark.parametrize("name", ["", ".", "..", "removed", "../state", "a" * 15, "A" * 16, "a" * 16 + "\n", "/etc"])
def test_no_other_name_is_a_project(folder: Path, name: str) -> None:
    for place in ("removed", "a" * 15, "A" * 16):
        (folder / place).mkdir()
    with blames(UnknownNameError):
        Projects(folder).place(name)


def test_links_lead_nowhere(folder: Path) -> None:
    (folder / ("a" * 16)).symlink_to(folder.parent)
    with blames(UnknownNameError):
        Projects(folder).place("a" * 16)
    made = Projects(folder).create(read_words(WORDS))["id"]
    (Projects(folder).exports(made) / "x.toml").symlink_to(folder.parent / "secret.toml")
    with blames(UnknownNameError):
        Projects(folder).export(made, "x.toml")


@pytest.mark.parametrize(
    ("words", "names"),
    [({"declaration": "x" * 400_001}, ("400000",)), ({"until": 0}, ("until",)), ({"until": True}, ("until",)), ({"until": 1e7}, ()),
     ({"parameters": {"m": True}}, ()), ({"parameters": {"m": 10**400}}, ()), ({"start": {"x" * 201: 1}}, ("200",)),
     ({"view": {"a": "x" * 30_000}}, ("view",)), ({"parameters": {str(k): 0 for k in range(3000)}}, ("2000",))],
)  # fmt: skip
def test_words_have_kinds_and_sizes(words: dict, names: tuple[str, ...]) -> None:
    with blames(FileError, *names):
        read_words(words)


def test_the_folder_is_one_of_the_users_data(monkeypatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert default_folder() == Path("/somewhere/anholonomy/studio")
