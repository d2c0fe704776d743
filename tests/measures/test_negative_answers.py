"""No is as strong as yes: proven again from its evidence, with the condition on free parameters, under which the answer changes."""

from __future__ import annotations

from typing import Any

import pytest

from anholonomy import Error, System, Verdict, catalogue
from anholonomy.errors import NotSupportedError, UnknownNameError
from tests.wording import blames

MASSES = dict.fromkeys(["m", "J", "Jr", "Jw", "r"])


@pytest.mark.exhaustive
def test_the_sleigh_with_offset_mass() -> None:
    """Energy alone, no measure, no multiplier; with the mass above the blade all of them."""
    sleigh = catalogue.chaplygin_sleigh(m=None, I=None, a=None)
    for answer in (sleigh.hamiltonize(), sleigh.invariant_measure()):
        assert answer.verdict is Verdict.REFUTED
        assert answer.finding.check() is Verdict.REFUTED
        assert "a = 0" in str(answer)
    laws = catalogue.chaplygin_sleigh().conserved()
    assert [law.kind for law in laws] == ["energy"]
    assert laws.finding.is_proven
    above = catalogue.chaplygin_sleigh(a=0.0)
    assert above.hamiltonize()
    assert above.invariant_measure()
    assert len(above.conserved()) > 1


@pytest.mark.exhaustive
def test_suslovs_body_off_its_axes() -> None:
    free = dict.fromkeys(["I11", "I22", "I33", "I12", "I13", "I23"])
    mu = catalogue.suslov(**free).invariant_measure()
    assert mu.verdict is Verdict.REFUTED
    assert mu.finding.check() is Verdict.REFUTED
    assert "I13*I22 - I12*I23 = 0" in str(mu)
    assert catalogue.suslov(I13=0.0, I23=0.0).invariant_measure()
    assert [law.kind for law in catalogue.suslov().conserved()] == ["energy"]


def test_the_rattleback_keeps_no_measure() -> None:
    mu = catalogue.rattleback().invariant_measure(time_limit=600)
    assert mu.verdict is Verdict.REFUTED
    assert mu.finding.check() is Verdict.REFUTED


def test_the_snakeboard_with_generic_inertia() -> None:
    """Over (theta, psi, phi) the equation of theta' fails, whatever the masses are; it keeps a measure all the same."""
    board = catalogue.snakeboard(**MASSES)
    h = board.hamiltonize()
    assert h.verdict is Verdict.REFUTED
    assert h.finding.check() is Verdict.REFUTED
    assert "the surplus of the equation of theta'" in str(h)
    assert "it holds only where m = 0, or r = 0" in str(h)
    assert board.invariant_measure().verdict is Verdict.PROVEN


@pytest.mark.parametrize("power", [1, 2])
def test_a_base_of_dimension_three_where_closedness_fails(power: int) -> None:
    r"""$\dot z_i = x\,\dot r_i$ with the mass $1 + k\,y^p$: every equation for $\psi$ is solved, $d\psi = 0$ only for $k = 0$."""
    words: dict[str, Any] = {
        "coordinates": ["x", "y", "s", "z1", "z2", "z3"], "parameters": ["k"],
        "lagrangian": f"(x'^2 + y'^2 + s'^2 + (1 + k*y^{power})*(z1'^2 + z2'^2 + z3'^2))/2",
    }  # fmt: skip
    h = System(constraints=["z1' = x*x'", "z2' = x*y'", "z3' = x*s'"], **words).hamiltonize(["z1", "z2", "z3"])
    assert h.verdict is Verdict.REFUTED
    assert "d(d ln f)(x, y)" in str(h)
    assert "it holds only where k = 0" in str(h)


def test_a_base_of_dimension_two_where_the_surplus_fails() -> None:
    r"""Of a force quadratic in the speeds that does work, $F_x = k\dot y^2$, the trace solves one equation and not the other."""
    system = System(
        name="pushed", coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + z'^2)/2", constraints=["z' = x*y'"],
        forces={"x": "k*y'^2"}, parameters=["k"],
    )  # fmt: skip
    h = system.hamiltonize()
    assert h.verdict is Verdict.REFUTED
    assert "the surplus of the equation of" in str(h)
    assert "it holds only where k = 0" in str(h)
    assert system.with_parameters(k=0.0).hamiltonize()


WITHOUT = System(name="pushed", coordinates=["x"], momenta={"x": "x'"}, forces={"x": "-x"})
SKATE = catalogue.skate()


@pytest.mark.parametrize(
    ("question", "kind", "names"),
    [
        (lambda: SKATE.momentum_equation({"z": "1"}), UnknownNameError, ("z",)),
        (lambda: SKATE.momentum_equation(["1", "0"]), Error, ("3",)),
        (lambda: SKATE.conserved(functions=["1", "s"]), UnknownNameError, ("s",)),
        (lambda: SKATE.moving_energy(functions=["s"]), UnknownNameError, ("s",)),
        (lambda: SKATE.conserved(degree=-1), Error, ("degree",)),
        (lambda: WITHOUT.hamiltonize(), NotSupportedError, ()),
        (lambda: WITHOUT.invariant_measure(), NotSupportedError, ()),
        (lambda: WITHOUT.moving_energy(), NotSupportedError, ()),
    ],
)  # fmt: skip
def test_bad_questions_get_one_sentence(question: Any, kind: type[Exception], names: tuple[str, ...]) -> None:
    with blames(kind, *names):
        question()
