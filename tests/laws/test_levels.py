"""Integrals that exist on a level of another alone: the tops of the books, nonholonomic ones, and bad levels."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from anholonomy import System, Verdict
from anholonomy.cli.main import app
from anholonomy.errors import ArgumentError, NotSupportedError, UnknownNameError
from tests.wording import blames

TOP = System(name="top", group="SO3", lagrangian="(4*w1^2 + 4*w2^2 + w3^2)/2 - R31")
AREA = "4*R31*w1 + 4*R32*w2 + R33*w3"


@pytest.mark.exhaustive
def test_goryachev_and_chaplygin() -> None:
    r"""$M_3(M_1^2 + M_2^2) - \dots$ on $M\cdot\gamma = 0$, cubic, found unaided; along a motion of the level, and not elsewhere."""
    laws = TOP.conserved(degree=3, level={AREA: 0})
    assert [law.kind for law in laws] == ["energy", "cubic"]
    cubic = laws[1]
    assert f"is constant where {AREA} = 0" in str(cubic)
    assert cubic.verdict is Verdict.PROVEN
    assert cubic.check() is Verdict.PROVEN
    there = {"q0": 0.8, "q1": 0.0, "q2": 0.6, "q3": 0.0}
    gamma = np.array([2 * (0 - 0.8 * 0.6), 0.0, 1 - 2 * 0.36])
    w = np.array([0.3, 0.7, 0.0])
    w[2] = -4 * gamma[:2] @ w[:2] / gamma[2]
    run = TOP.simulate(there | {f"w{k}": float(v) for k, v in enumerate(w, 1)}, until=3)
    along = cubic.along(run)
    assert float(abs(along - along[0]).max()) < 1e-11
    other = cubic.along(TOP.simulate(there | {"w1": 0.3, "w2": 0.7, "w3": 1.0}, until=3))
    assert float(abs(other - other[0]).max()) > 1e-2


def test_a_quadratic_level() -> None:
    r"""A potential of degree -2: $\frac{d}{dt}(q\cdot\dot q) = 2E$, so that on zero energy it is constant."""
    system = System(name="free fall", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 - 1/(x^2 + 2*y^2)")
    general = system.conserved(degree=1, functions=["1", "x", "y"])
    laws = system.conserved(degree=1, functions=["1", "x", "y"], level={"energy": 0})
    assert len(general) == 0
    assert [str(law.named) for law in laws] == ["x*x' + y*y'"]


def test_nothing_new_is_nothing_new() -> None:
    laws = System(name="plane", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2 - x^2 - 2*y^2)/2").conserved(
        level={"energy": 1}
    )
    assert [law.kind for law in laws] == ["quadratic"]
    assert laws.level == "energy = 1"


@pytest.mark.parametrize(
    ("level", "kind", "names"),
    [
        ({"w1": 0}, NotSupportedError, ("w1", "0")),
        ({"w9": 0}, UnknownNameError, ("w9",)),
        ({"w1": "c"}, UnknownNameError, ("c",)),
        (["w1"], ArgumentError, ()),
        ({"R33": 0}, NotSupportedError, ()),
    ],
)
def test_bad_levels_get_a_sentence(level: object, kind: type[Exception], names: tuple[str, ...]) -> None:
    with blames(kind, *names):
        TOP.conserved(level=level)


@pytest.mark.exhaustive
def test_at_the_command_line(tmp_path: Path) -> None:
    out = tmp_path / "answers.json"
    words = ["analyse", "free-particle", "--only", "conserved", "--level", "x' = 0", "--json", str(out)]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    assert "found where x' = 0" in result.output
    assert json.loads(out.read_text(encoding="utf-8"))["answers"]["conserved"]["level"] == "x' = 0"
    wrong = CliRunner().invoke(app, ["analyse", "free-particle", "--only", "conserved", "--level", "x'"])
    assert wrong.exit_code != 0
    assert "quantity = value" in str(wrong.exception)
