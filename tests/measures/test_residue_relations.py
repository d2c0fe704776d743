"""Relations between functions that random residues do not know must not become refutations."""

from __future__ import annotations

import pytest

from anholonomy import System
from anholonomy.base.verdict import Verdict
from anholonomy.laws.ansatz.random_points import are_roots_independent
from anholonomy.laws.reduced_motion import reduced_motion
from anholonomy.measures.density.too_many_brackets import crowded


def _sleigh(offset: str, **parameters: float) -> System:
    """Without an offset it keeps a measure, with one it does not."""
    return System(
        name="sleigh", coordinates=["x", "y", "theta"], parameters=parameters,
        lagrangian=f"(x'^2 + y'^2 + theta'^2)/2 + ({offset})*theta'*(y'*cos(theta) - x'*sin(theta))/9",
        constraints=["y'*cos(theta) = x'*sin(theta)"],
    )  # fmt: skip


NOUGHTS = {
    "a nested number": "sqrt(6 + 2*sqrt(5)) - 1 - sqrt(5)",
    "another": "sqrt(8 + 2*sqrt(7)) - 1 - sqrt(7)",
    "a nested root": "sqrt(4 + x^2 + 2*sqrt(3 + x^2)) - 1 - sqrt(3 + x^2)",
    "a square": "sqrt(x^4 + 12*x^2 + 36) - x^2 - 6",
    "an inverse": "cosh(asinh(x)) - sqrt(1 + x^2)",
    "a logarithm": "exp(log(1 + x^2) + x) - (1 + x^2)*exp(x)",
    "a logarithm of an exponential": "log(2*exp(x*sin(x))) - x*sin(x) - log(2)",
    "a logarithm of a sum": "log(cosh(x + x^3) + sinh(x + x^3)) - x - x^3",
    "a logarithm of a constant": "log(exp(sqrt(2))*(1 + x^2)) - log(1 + x^2) - sqrt(2)",
    "a nested number in an exponent": "exp(sqrt(6 + 2*sqrt(5))*x) - exp(x)*exp(sqrt(5)*x)",
    "a square in an angle": "sin(sqrt(x^4 + 12*x^2 + 36)) - sin(x^2 + 6)",
    "fractions in exponents": "exp(1/(1 + x^2))*exp(x^2/(1 + x^2)) - exp(1)",
    "an absolute value in an exponent": "exp(abs(-1 - x^2)) - exp(1 + x^2)",
    "a power of two": "2^(x + 1) - 2*2^x",
    "a third of a turn": "sin(x + pi/3) - sin(x)/2 - sqrt(3)/2*cos(x)",
    "an absolute value": "abs(-1 - x^2) - 1 - x^2",
}


@pytest.mark.parametrize("nought", NOUGHTS.values(), ids=NOUGHTS)
def test_zero_in_disguise_refutes_nothing(nought: str) -> None:
    system = _sleigh(nought)
    assert crowded(reduced_motion(system.model)) is None
    assert system.invariant_measure().verdict is not Verdict.REFUTED


@pytest.mark.parametrize("nought", ["sin(k*x) - sin(2*x)", "exp(k*x) - exp(2*x)", "(1 + x^2)^k - (1 + x^2)^2"])
def test_the_values_of_parameters_make_relations_too(nought: str) -> None:
    assert crowded(reduced_motion(_sleigh(nought, k=2.0).model)) is None


def test_roots_of_their_own_still_refute() -> None:
    for offset in (
        "sqrt(1 + x^2)",
        "sqrt(1 + sqrt(2 + x^2))",
        "x*sqrt(1 + x^2)*(3 + x^2)^(1/4) + sin(x)*exp(x)",
        "log(2 + x^2)*x",
        "exp(1/(1 + x^2))*sin(1/(2 + x^2)) + cos(2*x)",
    ):
        motion = reduced_motion(_sleigh(offset).model)
        assert are_roots_independent(motion)
        assert crowded(motion) is not None


@pytest.mark.exhaustive_for("a nested root")
@pytest.mark.parametrize("nought", list(NOUGHTS.values())[:3], ids=list(NOUGHTS)[:3])
def test_zero_in_disguise_completes_nothing(nought: str) -> None:
    """The skate has the momentum theta', which the list must not exclude where it is not found."""
    assert "proven at generic points" not in str(_sleigh(nought).conserved(degree=1))


@pytest.mark.parametrize("k", [0.7, 0.75, 1.0])
def test_a_root_of_a_number_exists_modulo_some_prime(k: float) -> None:
    """Half of the primes have none of 1 + k^2; with a value of k that was refused."""
    system = System(
        name="tilted", coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + z'^2)/2",
        constraints=["sqrt(1 + k^2)*x' = y*z'"], parameters={"k": k},
    )  # fmt: skip
    assert [law.kind for law in system.conserved(degree=1)] == ["momentum", "gauge momentum"]
