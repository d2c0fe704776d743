"""Laws that hold for special values of parameters alone: known resonances, symmetric bodies, balanced sleighs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from anholonomy import System
from anholonomy.base.errors import DeclarationError, UnknownNameError
from anholonomy.catalogue import chaplygin_sleigh, suslov
from anholonomy.cli.main import app
from anholonomy.language.arguments import expression
from anholonomy.laws.conserved import search
from anholonomy.laws.first_integrals.special_parameters import SpecialSearch, excluded_others
from anholonomy.laws.known_laws import KnownLaws
from anholonomy.laws.law import Laws
from anholonomy.laws.reduced_motion import reduced_motion
from tests.wording import blames, pinned


def _springs(**words: object) -> System:
    words = {"lagrangian": "(x'^2 + y'^2 - x^2 - k*y^2)/2", "parameters": {"k": 3.0}} | words
    return System(name="springs", coordinates=["x", "y"], **words)


def _found(laws: Laws) -> dict[str, int]:
    return {str(each.condition): len(each.laws) for each in laws.conditions if each}


def test_resonances_of_two_springs() -> None:
    """Frequencies 1 and sqrt(k) are superintegrable in degree 2 for the ratios 1:1, 1:2 and 2:1; k = 0 is a free particle (Winternitz 1965)."""
    laws = _springs().conserved(free=["k"])
    assert _found(laws) == {"k = 0": 1, "k = 1": 1, "k = 4": 1, "k = 1/4": 1}
    for each in laws.conditions:
        (law,) = each.laws
        k = float(each.values["k"])
        run = _springs(parameters={"k": k}).simulate({"x": 0.7, "y": -0.4, "x'": 0.3, "y'": 0.9}, until=5.0)
        values = law.along(run)
        assert float(abs(values - values[0]).max()) < 1e-11
        other = _springs().simulate({"x": 0.7, "y": -0.4, "x'": 0.3, "y'": 0.9}, until=5.0)
        assert float(abs(law.along(other) - law.along(other)[0]).max()) > 1e-3
    assert laws.finding.is_proven


def test_conditions_are_relations_of_parameters_without_value() -> None:
    springs = _springs(lagrangian="m*(x'^2 + y'^2)/2 - (a*x^2 + b*y^2)/2", parameters=["m", "a", "b"])
    found = springs.conserved(degree=1, free=["b"])
    assert _found(found) == {"b = 0": 1, "a = b": 1}
    assert found.conditions[1].values["b"] == expression("a", "a value")


def test_denominators_of_the_equations_are_no_conditions() -> None:
    """The second spring is 1/(k^2 + 3*k + 1): as stiff as the first for k = 0 and k = -3, without end where the denominator vanishes."""
    laws = _springs(lagrangian="(x'^2 + y'^2 - x^2 - y^2/(k^2 + 3*k + 1))/2").conserved(degree=1, free=["k"])
    assert _found(laws) == {"k = 0": 1, "k = -3": 1}
    assert len(laws.conditions) == 2


def test_a_mass_is_no_condition() -> None:
    """Nothing depends on m but that it is not zero."""
    assert not _springs(lagrangian="m*(x'^2 + y'^2)/2 - m*x^4", parameters=["m"]).conserved(free=["m"]).conditions


@pytest.mark.exhaustive_for("False")
@pytest.mark.parametrize("free", [False, True])
def test_the_sleigh_is_balanced_or_turns_in_resonance(free: bool) -> None:
    """dv/dtheta = a*w, dw/dtheta = -m*a*v/(I + m*a^2): v and w turn by n*theta where n^2 = m*a^2/(I + m*a^2), so that n = 1/2 makes
    quadratic integrals in the sine of theta; 4*m*a^2 = I + m*a^2. Offsets without real value are not mentioned."""
    system = chaplygin_sleigh(m=None if free else 1.0, I=None if free else 3.0, a=None)
    laws = system.conserved(free=["a"], degree=1 if free else 2, functions=["1", "cos(theta)", "sin(theta)"])
    expected = {"a = 0": 2} if free else {"a = 0": 2, "a = 1": 1, "a = -1": 1}
    assert _found(laws) == expected


def test_conditions_of_two_equations() -> None:
    """Kozlov: Suslov's body keeps both speeds where the axis is principal, I13 = I23 = 0, and one such equation is not enough."""
    laws = suslov().conserved(degree=1, functions=["1"], free=["I13", "I23"])
    assert _found(laws) == {"I13 = 0 and I23 = 0": 2}


def test_a_condition_refines_another() -> None:
    """In three springs the first condition frees a rotation, and the second, on top of it, two more."""
    ball = System(
        name="three",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2 - x^2 - a*y^2 - b*z^2)/2",
        parameters=["a", "b"],
    )
    laws = ball.conserved(degree=1, functions=["1", "x", "y", "z"], free=["a", "b"])
    found = _found(laws)
    assert {text: found[text] for text in ("a = 0", "a = 1", "a = b", "b = 0", "b = 1")} == dict.fromkeys(
        ("a = 0", "a = 1", "a = b", "b = 0", "b = 1"), 1
    )
    assert "a = 1 and b = 1" in found


def test_what_is_not_solved_says_so() -> None:
    """k^2 = 2 makes the springs equal, and no quotient of polynomials solves it."""
    laws = _springs(lagrangian="(x'^2 + y'^2 - 2*x^2 - k^2*y^2)/2").conserved(degree=1, free=["k"])
    assert _found(laws) == {"k = 0": 1}
    assert "if k^2 - 2 = 0: unknown" in str(laws)


def test_a_parameter_inside_a_function_leaves_values_open() -> None:
    laws = _springs(lagrangian="(x'^2 + y'^2)/2 - cos(k*x)*y").conserved(degree=1, free=["k"])
    assert _found(laws) == {"k = 0": 1}
    assert "unknown, k occurs inside a function, whose special values are not looked at" in str(laws)


def test_questions_without_sense_get_a_sentence() -> None:
    with blames(UnknownNameError, "q", "k"):
        _springs().conserved(free=["q"])
    with blames(DeclarationError):
        _springs().conserved(free="k")


def test_conditions_are_printed_and_data(tmp_path: Path) -> None:
    file, out = tmp_path / "springs.toml", tmp_path / "laws.json"
    _springs().save(file)
    words = ["analyse", str(file), "--only", "conserved", "--free", "k", "--json", str(out)]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0
    assert "if k = 0:\n      y' is constant" in result.output
    (condition, *_) = json.loads(out.read_text(encoding="utf-8"))["answers"]["conserved"]["conditions"]
    assert condition["values"] == {"k": "0"}
    assert condition["verdict"] == "proven"
    refused = CliRunner().invoke(app, ["analyse", str(file), "--free", "b"])
    assert "no parameter 'b'" in str(refused.exception)
    assert "k = 0" in _springs().conserved(degree=1, functions=["1"], free=["k"]).latex()


def test_that_there_are_no_other_values_is_proven() -> None:
    """By exact minors; a known value that is left out is noticed, and where minors cannot be written the answer stays unknown."""
    laws = _springs().conserved(degree=1, free=["k"])
    assert laws.completeness[0].is_proven
    pinned(laws.completeness[0].claim, "k")
    known = KnownLaws(reduced_motion(_springs(parameters=["k"]).model), 1)
    search(known)
    special = SpecialSearch((expression("k", "k"),), 1, None, search)
    special.run(known)
    equations, factors = next(each for each in special.looked_at if len(each[1]) > 1)
    words = equations.motion, equations.ansatz, equations.columns, equations.parameter
    assert excluded_others(*words, factors) == ""
    assert "another factor" in excluded_others(*words, factors[1:])
    root = _springs(lagrangian="(x'^2 + y'^2)/2 - k*sqrt(1 + x^2)").conserved(degree=1, free=["k"])
    assert root.completeness[0].is_unknown
    two = _springs(lagrangian="(x'^2 + y'^2 - j*x^2 - k*y^2)/2", parameters=["j", "k"])
    assert two.conserved(degree=1, free=["j", "k"]).completeness[0].is_unknown


@pytest.mark.parametrize(
    ("constraint", "condition"),
    [
        ("s' = y*x' + eps*x", "eps = 0"),
        ("s' = y*x' + (k - 1)*x", "k = 1"),
        ("s' = y*x' + eps*k*x", "eps = 0, or k = 0"),
    ],
)
def test_a_value_that_changes_what_brackets_reach_is_named(constraint: str, condition: str) -> None:
    """For it the drift is gone, and with it what the misfit was divided by; the declared value then proves both."""
    names = [name for name in ("eps", "k") if name in constraint]

    def system(**values: float) -> System:
        return System(
            coordinates=["x", "y", "s"], lagrangian="(x'^2 + y'^2 + s'^2)/2", constraints=[constraint],
            parameters=values or names, name="carried",
        )  # fmt: skip

    for answer in (system().hamiltonize(), system().invariant_measure()):
        assert answer.is_refuted
        assert sorted(str(answer.finding.scope.special).split(", or ")) == sorted(condition.split(", or "))
        assert f"it holds only where {answer.finding.scope.special}" in str(answer)
    zero = system(**{name: float(name == "k" and "- 1" in constraint) for name in names})
    assert zero.hamiltonize()
    assert zero.invariant_measure()
