"""Run all the questions, or those named, and print their tables; all of them together also write results.md."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import date
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from platform import machine, python_version

from rich.console import Console

from benchmarks.table import Table

QUESTIONS = {
    "derive": "derive",
    "rates": "rates",
    "trajectory": "trajectory",
    "calls": "calls",
    "bicycle": "bicycle",
    "eigenvalues": "eigenvalues",
    "growth": "growth",
    "long-run": "long_run",
    "flags": "flags",
    "plans": "plans",
    "startup": "startup",
    "ensemble": "ensemble",
}
PACKAGES = ("anholonomy", "sympy", "scipy", "numpy", "symengine", "heyoka", "llvmlite", "numba")


def main(names: list[str]) -> None:
    if unknown := [name for name in names if name not in QUESTIONS]:
        raise SystemExit(f"There is no question {unknown[0]!r}; there are {', '.join(QUESTIONS)}.")
    console, pages = Console(), []
    for name in names or QUESTIONS:
        run: Callable[[], list[Table]] = import_module(f"benchmarks.{QUESTIONS[name]}").run
        with console.status(f"{name} …"):
            tables = run()
        for table in tables:
            table.show(console)
            console.print()
        pages += [table.markdown() for table in tables]
    if not names:
        target = Path(__file__).with_name("results.md")
        target.write_text("\n".join([_heading(), *pages]), encoding="utf-8")
        console.print(f"written to {target}")


def _heading() -> str:
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    return (
        "# Results\n\n"
        f"One run of `make bench` on {date.today()}, {os.cpu_count()} cores, {machine()}, Python {python_version()}: "
        f"{versions}; load {os.getloadavg()[0]:.1f} at its end. Times are the best of several; ratios within a table come from the same run and are what "
        "carries over to other machines.\n"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
