"""Equilibria whose stability theory knows: a verdict is the true one, or unknown where the table allows that."""

from __future__ import annotations

from dataclasses import dataclass

import flint
import pytest

import anholonomy as ah
from anholonomy.algebra.numbers.local_series import rational
from anholonomy.stability.exact_roots import Roots, count_roots
from anholonomy.stability.piecewise_motion import growing_direction

STABLE, UNSTABLE, OPEN = "proven", "refuted", "unknown"


@dataclass(frozen=True)
class Case:
    """A force on a unit mass on a line, or a declaration; what is true, what is found, and why."""

    force: str
    true: str
    why: str
    found: str = ""

    @property
    def expected(self) -> str:
        return self.found or self.true


KINKS = (
    Case("-x-3*abs(x)-x'", UNSTABLE, "x'' = 2x - x' where x < 0"),
    Case("-x-x'+3*max(x,0)", UNSTABLE, "x'' = 2x - x' where x > 0"),
    Case("-x-x'+if(x>0,3*x,0)", UNSTABLE, "the same by a condition"),
    Case("-x-x'+2*if(x<0,0,x<=0,0,x)", UNSTABLE, "x'' = x - x' where x > 0"),
    Case("-x-x'+3*abs(x)*heaviside(x)", UNSTABLE, "x'' = 2x - x' where x > 0"),
    Case("-x-x'-3*abs(x')", UNSTABLE, "x'' = -x + 2x' where x' < 0, eigenvector (1, 1)"),
    Case("-x-x'+3*abs(x')", UNSTABLE, "x'' = -x + 2x' where x' > 0, eigenvector (1, 1)"),
    Case("x-x'-3*abs(x)*sign(x)", STABLE, "it is x'' = -2x - x'"),
    Case("-x-3*sqrt(x^2)-x'", UNSTABLE, "a root of a square is a modulus"),
    Case("-x-x'+3*min(x,0)", UNSTABLE, "x'' = 2x - x' where x < 0"),
    Case("-x-x'-abs(x)/4", STABLE, "stiffness 5/4 or 3/4, one quadratic form"),
    Case("-x-x'+abs(x')/4", STABLE, "damping 5/4 or 3/4, one quadratic form"),
    Case("-x-x'+3*min(-x,0)", STABLE, "stiffness 4 or 1: no quadratic form decreases, the energy does"),
    Case("-x-x'-3*min(-x,0)", UNSTABLE, "x'' = 2x - x' where x > 0"),
    Case("-x-x'+3*max(-x',0)", STABLE, "damping 1 or 4: it dissipates"),
    Case("-x-x'-2*abs(x+x')", UNSTABLE, "where x + x' < 0: x'' = x + x', eigenvector (1, 1.618)"),
    Case("-x-x'+max(2*x,3*x)", UNSTABLE, "x'' = 2x - x' where x > 0"),
    Case("-x-x'-sqrt(x^2)/4", STABLE, "as with abs(x)/4"),
    Case("-x-x'+3*abs(x)^3", STABLE, "the linear part of both sides is -x - x'"),
    Case("-x-x'-x'*abs(x')", STABLE, "quadratic drag changes no linear part"),
    Case("-x-x'-sign(x')", STABLE, "dry friction: the force jumps", OPEN),
    Case("-x-x'+3*abs(x-1)-3", STABLE, "the kink is elsewhere: x'' = -4x - x' at rest"),
)

SMALL = (
    Case("-x'+1e-11*x", UNSTABLE, "an eigenvalue of 1e-11"),
    Case("-x'+1e-13*x", UNSTABLE, "an eigenvalue of 1e-13"),
    Case("-x'+1e-12*sin(x)", UNSTABLE, "an eigenvalue of 1e-12"),
    Case("-x'-1e-11*x", STABLE, "an eigenvalue of -1e-11"),
    Case("-x'-1e-30*x", STABLE, "an eigenvalue of -1e-30"),
    Case("-x'+1e-60*x", UNSTABLE, "an eigenvalue of 1e-60"),
    Case("-x'+1e-14*tan(x)", UNSTABLE, "an eigenvalue of 1e-14"),
    Case("-x+1e-12*x'", UNSTABLE, "negative damping: real parts of 5e-13"),
    Case("-x-1e-12*x'", STABLE, "real parts of -5e-13"),
    Case("-x+1e-25*sin(x')", UNSTABLE, "real parts of 5e-26"),
    Case("-1e9*x-1e-9*x'", STABLE, "18 orders of magnitude between them"),
    Case("-x'+1e-40*(exp(x)-1)", UNSTABLE, "an eigenvalue of 1e-40"),
)

FLAT = (
    Case("-x'+x^21", UNSTABLE, "s' = s^21"),
    Case("-x'+(x/2)^31", UNSTABLE, "s' = 2^-31 s^31"),
    Case("-x'+x^3/1e9", UNSTABLE, "s' = 1e-9 s^3"),
    Case("-x'+(1-cos(x/100000))^2", UNSTABLE, "s' = s^4/4e20"),
    Case("-x'+x^3", UNSTABLE, "s' = s^3"),
    Case("-x'-x^3", STABLE, "s' = -s^3"),
    Case("-x'+x^2", UNSTABLE, "s' = s^2, from one side"),
    Case("-x'-x^2", UNSTABLE, "s' = -s^2, from the other side"),
    Case("-x'-x^21", STABLE, "s' = -s^21"),
    Case("-x'-(sin(x)-x)", UNSTABLE, "x - sin(x) = x^3/6"),
    Case("-x'+sin(x)-x", STABLE, "sin(x) - x = -x^3/6"),
    Case("-x'+x*x'", STABLE, "x' = 0 is a family: x'' = (x - 1)x'"),
    Case("-x'", STABLE, "the translation is a symmetry"),
    Case("-x'-x'^3", STABLE, "the translation is a symmetry"),
    Case("-x'+x*x'-x^3", STABLE, "s' = -s^3"),
    Case("-x'-x^5+x^7", STABLE, "s' = -s^5"),
    Case("-x'-x^3*exp(x)", STABLE, "s' = -s^3"),
    Case("-x^3", STABLE, "the energy x'^2/2 + x^4/4 is least"),
    Case("x^3", UNSTABLE, "the energy x'^2/2 - x^4/4 is not"),
    Case("-x^2", UNSTABLE, "the energy x'^2/2 + x^3/3 is not"),
    Case("-x^5+x^7", STABLE, "the energy x'^2/2 + x^6/6 - x^8/8 is least"),
    Case("-2*x'+(exp(x)-1-x-x^2/2)", UNSTABLE, "2s' = s^3/6"),
)


def verdict(force: str) -> ah.answers.Finding:
    system = ah.System(name="mass", coordinates=["x"], lagrangian="x'^2/2", forces={"x": force})
    return system.stability.steady_motion(near={"x": 0, "x'": 0}).is_stable(time_limit=5)


@pytest.mark.parametrize("case", [*KINKS, *SMALL, *FLAT], ids=lambda case: case.force)
def test_a_mass_on_a_line(case: Case) -> None:
    answer = verdict(case.force)
    assert str(answer.verdict) == case.expected, case.why
    assert case.expected in (case.true, OPEN)
    assert answer.check().is_unknown == (case.expected == OPEN)


POTENTIALS = (
    Case("-1e-12*x^2", UNSTABLE, "a maximum"),
    Case("-1e-16*x^2/2", UNSTABLE, "a maximum"),
    Case("cos(x)*1e-20", UNSTABLE, "a maximum"),
    Case("x^2/2-1e-13*y^2", UNSTABLE, "a saddle"),
    Case("x^2/2+y^2/2-1e-9*x*y", STABLE, "a minimum"),
    Case("x^2/2+y^2/2-x*y-1e-14*y^2", UNSTABLE, "a saddle: determinant -2e-14"),
    Case("x^2/2+1e-13*y^2", STABLE, "a minimum"),
    Case("x^2/2+y^4", STABLE, "a minimum without second variation along y"),
    Case("x^2/2-y^4", UNSTABLE, "Kozlov: the first form along y is negative"),
    Case("x^2/2+y^3", UNSTABLE, "Kozlov: the first form along y has either sign"),
    Case("(x-y^2)^2/2+y^6", STABLE, "semi-quasi-homogeneous and least"),
    Case("(x-y^2)^2/2-y^6", UNSTABLE, "semi-quasi-homogeneous and not least"),
    Case("(x-y^2)^2/2-y^5", UNSTABLE, "semi-quasi-homogeneous and not least"),
    Case("x^2/2+x*y^2+y^4/2+y^6", STABLE, "(x + y^2)^2/2 + y^6"),
    Case("x^2/2+x*y^2+y^4/4", UNSTABLE, "(x + y^2)^2/2 - y^4/4"),
    Case("x^2/2+x*y^2+3*y^4/4", STABLE, "(x + y^2)^2/2 + y^4/4"),
    Case("x^2/2+3*x*abs(x)/2+y^2/2", UNSTABLE, "a maximum along x < 0"),
    Case("x^2/2+y^2", STABLE, "a minimum"),
    Case("1-cos(x)+y^2", STABLE, "a minimum"),
    Case("cos(x)+y^2", UNSTABLE, "a saddle"),
)


@pytest.mark.parametrize("case", POTENTIALS, ids=lambda case: case.force)
def test_potentials_in_a_plane(case: Case) -> None:
    system = ah.System(name="mass", coordinates=["x", "y"], lagrangian=f"(x'^2 + y'^2)/2 - ({case.force})", forces={})
    answer = system.stability.steady_motion(near={"x": 0, "y": 0}).is_stable(time_limit=5)
    assert str(answer.verdict) == case.expected, case.why


def test_a_tiny_force_has_no_rest() -> None:
    """x'' = -x' + 1e-14 vanishes nowhere, and doubles take it for zero."""
    tilted = ah.System(name="mass", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 - y^2/2 + 1e-14*x")
    answer = tilted.stability.steady_motion().is_stable(time_limit=5)
    assert not answer.is_proven


@pytest.mark.parametrize(
    "force", ["-x'+x^3", "-x'+x^21", "-x-3*abs(x)-x'", "-x'+1e-11*x", "-x-3*sqrt(x^2)-x'", "x'*abs(x)-x'+x"]
)
def test_the_words_say_no_more_than_is_decided(force: str) -> None:
    system = ah.System(name="mass", coordinates=["x"], lagrangian="x'^2/2", forces={"x": force})
    steady = system.stability.steady_motion(near={"x": 0, "x'": 0})
    for said in (str(steady), str(steady.linearization), str(system.linearize(at={"x": 0, "x'": 0}))):
        assert " stable" not in said


@pytest.mark.parametrize(("pull", "true"), [("x^2", UNSTABLE), ("-x^2", STABLE)])
def test_a_centre_manifold_that_bends(pull: str, true: str) -> None:
    """x'' = -x' + xy, y'' = -y' - y ± x^2: on the manifold y = ±x^2 + ..., so that s' = ±s^3 + ..."""
    bent = ah.System(
        name="mass",
        coordinates=["x", "y"],
        lagrangian="(x'^2 + y'^2)/2",
        forces={"x": "-x' + x*y", "y": f"-y' - y + {pull}"},
    )
    assert str(bent.stability.steady_motion().is_stable(time_limit=5).verdict) == true


@pytest.mark.parametrize(("second", "grows"), [(1, True), (-1, False)])
def test_growth_counts_strictly_inside_a_piece_only(second: int, grows: bool) -> None:
    """x'' = 2x - x' grows along (1, 1), which lies in the quadrant x, x' > 0 and not in x, -x' > 0."""
    A = [[rational(0), rational(1)], [rational(2), rational(-1)]]
    inside = [[rational(1), rational(0)], [rational(0), rational(second)]]
    assert (growing_direction(A, inside) is not None) is grows


@pytest.mark.parametrize(
    ("roots", "count"),
    [
        ((-1, -2), Roots(0, 2, 0, 0)),
        ((1, -1, 0), Roots(1, 1, 1, 0)),
        ((1, 1, -3), Roots(2, 1, 0, 0)),
    ],
)
def test_roots_are_counted(roots: tuple[int, ...], count: Roots) -> None:
    polynomial = flint.fmpq_poly([1])
    for root in roots:
        polynomial *= flint.fmpq_poly([-root, 1])
    assert count_roots(polynomial.coeffs()) == count


def test_roots_on_the_axis_are_told_from_those_beside_it() -> None:
    """(r^2 + 1)^2 (r^2 - 1e-30 r + 2): two double roots on the axis, a pair right of it by 5e-31."""
    small = flint.fmpq(1, 10**30)
    polynomial = flint.fmpq_poly([1, 0, 1]) ** 2 * flint.fmpq_poly([2, -small, 1])
    assert count_roots(polynomial.coeffs()) == Roots(2, 0, 0, 4)


def test_a_family_over_a_parameter_explains_no_zero() -> None:
    """x'' = -x' + a*x^3 leaves its rest for every a > 0; a family over a velocity explains its zero (`test_tippe_top`)."""
    flat = ah.System(coordinates=["x"], lagrangian="x'^2/2", forces={"x": "-x' + a*x^3"}, parameters={"a": 1.0})
    assert set(flat.stability.steady_motion().follow("a", 0.5, 2).verdicts) == {"marginal"}
