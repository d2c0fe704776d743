"""The command line in this process and in another."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass

import pytest

from anholonomy.cli.main import main


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


@pytest.fixture
def run(capsys):
    """Call the command line as the console script does."""

    def call(*arguments: str) -> Result:
        with pytest.raises(SystemExit) as leaving:
            main([str(a) for a in arguments])
        out, err = capsys.readouterr()
        return Result(leaving.value.code, out, err)

    return call


@pytest.fixture
def process(tmp_path):
    """Start the command line in a process of its own."""

    def start(*arguments: str, **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", "from anholonomy.cli.main import main; main()", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            cwd=tmp_path,
            env={**os.environ, **environment},
        )

    return start


@pytest.fixture
def ball(tmp_path):
    """A file that declares a thrown ball in odd words, with mass left free."""
    path = tmp_path / "ball.toml"
    path.write_text(
        """schema = "anholonomy-system-1"
name = "[bold]ball[/bold] :smile:"
lagrangian = "m*(x'^2 + z'^2)/2 - m*g*z"
coordinates = { x = "length", z = "length" }
parameters = { g = 9.81 }
free = ["m"]
""",
        encoding="utf-8",
    )
    return path
