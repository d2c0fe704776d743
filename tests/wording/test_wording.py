"""A change of English fails in the golden file of its room, once, with workers and without; and one command renews it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from anholonomy.base.errors import StateError
from tests.wording import blames
from tests.wording.blame import LONGEST, flaw, missing
from tests.wording.golden import differences, read, written


def test_a_name_is_a_word_of_its_own() -> None:
    assert missing("sled: x' is no coordinate.", ("x'", "sled")) == []
    assert missing("the index 12 is too large.", (1, "ind")) == ["1", "ind"]


@pytest.mark.parametrize(
    "message", ["", "two\nlines.", "no end", "x" * LONGEST + ".", "got <class 'int'>.", "got <A object at 0x7f>."]
)
def test_what_is_no_sentence_is_refused(message) -> None:
    assert flaw(message)
    with pytest.raises(pytest.fail.Exception), blames(StateError):
        raise StateError(message)


def test_the_place_of_a_mistake_is_no_second_sentence() -> None:
    assert flaw("there is no x.\n2*x\n  ^") is None
    assert flaw("there is no x.\n2*x\nhere")
    assert flaw("singular", is_ours=False) is None


def test_another_class_or_name_is_noticed() -> None:
    with pytest.raises(TypeError), blames(ValueError):
        raise TypeError("x is a text.")
    with pytest.raises(pytest.fail.Exception), blames(ValueError, "y"):
        raise ValueError("x is a text.")
    with pytest.raises(pytest.fail.Exception), blames(UserWarning, "y"):
        warnings.warn("x is a text.", UserWarning, stacklevel=1)
    with pytest.raises(pytest.fail.Exception), blames(ValueError, "y"):
        pass


def test_a_golden_file_is_read_as_it_was_written() -> None:
    messages = {
        "tests/a/test_a.py::test_b[x \\n]": ["one.", "two\nlines \\", "\u202e\U000e0001 odd"],
        "tests/a/test_a.py::test_a": ["é."],
    }
    assert read(written(messages)) == messages


def test_differences_name_the_test_and_both_sentences() -> None:
    assert differences({"a": ["x.", "y."]}, {"a": ["x.", "z."], "b": []}) == ["a", "  - y.", "  + z."]
    assert differences({"a": ["x.", "y."]}, {"a": ["y.", "x."]})[0] == "a"


PROJECT = {
    "pytest.ini": "[pytest]\naddopts = --import-mode=importlib\npythonpath = .\n",
    "tests/conftest.py": "pytest_plugins = ['tests.wording.plugin']\n",
    "words.py": "SAID = 'x is no coordinate.'\n",
    "tests/room/test_one.py": """
import pytest
from words import SAID
from anholonomy.base.errors import StateError
from tests.wording import blames

@pytest.mark.parametrize("k", range(4))
def test_x(k, tmp_path):
    with blames(ValueError, "x"):
        raise ValueError(SAID)
    with blames(ValueError, tmp_path):
        raise ValueError(f"there is no {tmp_path} number {k}.")

def test_without_messages():
    pass
""",
}


def test_a_change_of_english_is_one_failure_of_its_room(tmp_path) -> None:
    for name, text in PROJECT.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    shutil.copytree(
        Path(__file__).parent,
        tmp_path / "tests/wording",
        ignore=lambda _, names: {n for n in names if n.startswith("test_")},
    )

    def run(*words: str) -> tuple[int, str]:
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words]
        # On a server pytest would say each failure twice: once in its summary, which it shortens elsewhere.
        quiet = {name: value for name, value in os.environ.items() if name not in ("CI", "BUILD_NUMBER")}
        done = subprocess.run(command, cwd=tmp_path, env=quiet, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    code, out = run("-n", "0")
    assert (code, "5 passed" in out, "1 failed" in out) == (1, True, True), out
    assert run("-n", "2", "--write-wording")[0] == 4
    assert run("-n", "0", "--write-wording")[0] == 0
    golden = tmp_path / "tests/room/wording.txt"
    before = golden.read_text(encoding="utf-8")
    assert before.count("x is no coordinate.") == 4
    assert str(tmp_path) not in before
    for workers in "02":
        code, out = run("-n", workers)
        assert code == 0, out
    (tmp_path / "words.py").write_text("SAID = 'unknown coordinate x.'\n", encoding="utf-8")
    for workers in "02":
        code, out = run("-n", workers)
        assert (code, "5 passed" in out, "1 failed" in out) == (1, True, True), out
        assert "FAILED tests/room/wording.txt" in out
        assert out.count("+ unknown coordinate x.") == 4
    assert run("-n", "0", "--write-wording", "tests/room/test_one.py::test_x[2]")[0] == 0
    assert golden.read_text(encoding="utf-8").count("unknown coordinate x.") == 1
    assert run("-n", "0", "--write-wording")[0] == 0
    assert run("-n", "2")[0] == 0
    (tmp_path / "tests/room/test_one.py").write_text("def test_y():\n    pass\n", encoding="utf-8")
    assert run("-n", "0", "--write-wording")[0] == 0
    assert not golden.exists()
