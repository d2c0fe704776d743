"""How long until the first word?"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.table import Table
from benchmarks.timing import as_users_do, best, seconds

__all__ = ["run"]


def run() -> list[Table]:
    program = Path(sys.executable).with_name("anholonomy")
    commands = {
        "`import anholonomy`": [sys.executable, "-c", "import anholonomy"],
        "`anholonomy --help`": [str(program), "--help"],
        "`import sympy`": [sys.executable, "-c", "import sympy"],
        "`import sympy.physics.mechanics`": [sys.executable, "-c", "import sympy.physics.mechanics"],
        "`import scipy.integrate`": [sys.executable, "-c", "import scipy.integrate"],
        "Python alone": [sys.executable, "-c", "pass"],
    }
    rows = [[name, seconds(best(lambda command=command: _quietly(command)))] for name, command in commands.items()]
    return [Table("Start-up", ["command", "wall time"], rows, ["A whole process each, best of six, bytecode kept."])]


def _quietly(command: list[str]) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=as_users_do())
