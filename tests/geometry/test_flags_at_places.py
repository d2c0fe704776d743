"""Flags at places: the car with trailers by Jean's formula, and random distributions by brackets written out here."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anholonomy as ah
from anholonomy.base.errors import DeclarationError
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.geometry.groups import SO3
from tests.wording import blames

ANGLES = {
    "0": 0.0,
    "pi/2": math.pi / 2,
    "-pi/2": -math.pi / 2,
    "pi/4": math.pi / 4,
    "-pi/4": -math.pi / 4,
    "atan(sqrt(2)/2)": math.atan(math.sin(math.pi / 4)),
    "1/3": 1 / 3,
}


def jean(hitches: tuple[str, ...]) -> tuple[int, ...]:
    r"""The growth vector of the car with n trailers by the theorem of F. Jean (ESAIM: COCV 1, 1996).

    $\beta_i^n$ is the first step of a dimension of at least i. Hitches are numbered from the last trailer. With $\phi_n$ that of the car,
    $\beta_i^n = \beta_{i-1}^{n-1} + \beta_{i-2}^{n-2}$ where $\phi_n = \pm\pi/2$; $2\beta_{i-1}^{n-1} - \beta_{i-2}^{n-2}$ where
    $\phi_{p+1}, \dots, \phi_n = \pm(a_1, \dots, a_{n-p})$ for a p ≥ 1, with $a_1 = \pi/2$, $a_{k+1} = \arctan\sin a_k$; else $1 + \beta_{i-1}^{n-1}$.
    """
    n = len(hitches)
    phi = {n - k: ANGLES[name] for k, name in enumerate(hitches)}
    a = [math.pi / 2]
    while len(a) < n:
        a.append(math.atan(math.sin(a[-1])))

    @cache
    def beta(i: int, m: int) -> int:
        if i <= 3 or m < 2:
            return max(i - 1, 1)
        if math.isclose(abs(phi[m]), math.pi / 2):
            return beta(i - 1, m - 1) + beta(i - 2, m - 2)
        for p, sign in product(range(1, m - 1), (1, -1)):
            if all(math.isclose(phi[k], sign * a[k - p - 1]) for k in range(p + 1, m + 1)):
                return 2 * beta(i - 1, m - 1) - beta(i - 2, m - 2)
        return 1 + beta(i - 1, m - 1)

    steps = [beta(i, n) for i in range(1, n + 4)]
    return tuple(sum(step <= s for step in steps) for s in range(1, steps[-1] + 1))


def posture(hitches: tuple[str, ...], car: str = "0") -> dict[str, str]:
    """Headings one behind the other."""
    at, heading = {"theta0": car}, car
    for k, hitch in enumerate(hitches, 1):
        heading = f"{heading} - ({hitch})"
        at[f"theta{k}"] = heading
    return at


def agrees_with_jean(hitches: tuple[str, ...]) -> None:
    growth = trailers(len(hitches)).growth_vector(at={"x": 0, "y": 0} | posture(hitches))
    assert (tuple(growth), growth.evidence) == (jean(hitches), "exact")
    assert growth.finding.is_proven


@cache
def trailers(n: int) -> Distribution:
    return ah.catalogue.n_trailer(n).geometry.distribution


def test_the_formula_has_fibonacci_at_its_worst() -> None:
    assert [len(jean(("pi/2",) * n)) for n in range(1, 5)] == [3, 5, 8, 13]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_car_at_every_combination_of_right_angles(n: int) -> None:
    for hitches in product(("0", "pi/2", "-pi/2"), repeat=n):
        agrees_with_jean(hitches)


@pytest.mark.parametrize("hitches", list(product(("0", "pi/2"), repeat=4)), ids="".join)
def test_four_trailers_at_every_combination_of_right_angles(hitches: tuple[str, ...]) -> None:
    agrees_with_jean(hitches)


@pytest.mark.exhaustive
def test_four_trailers_at_right_angles_of_either_sign() -> None:
    for hitches in product(("0", "pi/2", "-pi/2"), repeat=4):
        agrees_with_jean(hitches)


@pytest.mark.exhaustive_for("pi/4 pi/2 pi/2 0")
@pytest.mark.parametrize(
    "hitches",
    [
        ("pi/4", "pi/2", "0"),
        ("-pi/4", "-pi/2", "1/3"),
        ("-pi/4", "pi/2", "0"),
        ("pi/4", "pi/4", "pi/2"),
        ("pi/4", "pi/2", "pi/2", "0"),
        ("atan(sqrt(2)/2)", "pi/4", "pi/2", "0"),
    ],
    ids=" ".join,
)
def test_the_angles_that_are_special_beside_a_right_one(hitches: tuple[str, ...]) -> None:
    r"""$\arctan\sin\frac\pi2 = \frac\pi4$, and so on: algebraic places, and steps of two."""
    agrees_with_jean(hitches)


def stays_generic(right: tuple[bool, ...]) -> None:
    """All headings but those behind a right angle are free, the car's among them."""
    at, ahead = {}, "theta0"
    for k, square in enumerate(right, 1):
        if square:
            ahead = at[f"theta{k}"] = f"{ahead} + pi/2"
        else:
            ahead = f"theta{k}"
    growth = trailers(len(right)).growth_vector(at=at)
    assert tuple(growth) == jean(tuple("pi/2" if square else "1/3" for square in right))
    assert growth.finding.is_proven


@pytest.mark.parametrize("right", [*product((False, True), repeat=3), (True, True, True, False)], ids=str)
def test_strata_where_some_hitches_stand_at_right_angles(right: tuple[bool, ...]) -> None:
    stays_generic(right)


@pytest.mark.exhaustive
def test_strata_of_four_trailers() -> None:
    for right in product((False, True), repeat=4):
        stays_generic(right)


def test_a_free_parameter_stays_one() -> None:
    growth = ah.catalogue.n_trailer(2, d=None).geometry.distribution.growth_vector(at={"theta1": "theta0 + pi/2"})
    assert (tuple(growth), growth.evidence) == ((2, 3, 4, 4, 5), "exact")


Polynomial = dict[tuple[int, ...], Fraction]
Field = tuple[Polynomial, ...]
NAMES = ("x", "y", "z", "w")


def sum_of(*terms: tuple[Polynomial, Polynomial, int]) -> Polynomial:
    """The signed sum of products."""
    found: Polynomial = {}
    for left, right, sign in terms:
        for a, p in left.items():
            for b, q in right.items():
                power = tuple(i + j for i, j in zip(a, b, strict=True))
                found[power] = found.get(power, Fraction(0)) + sign * p * q
    return {power: value for power, value in found.items() if value}


def slope(f: Polynomial, i: int) -> Polynomial:
    return {(*e[:i], e[i] - 1, *e[i + 1 :]): e[i] * c for e, c in f.items() if e[i]}


def lie_bracket(X: Field, Y: Field) -> Field:
    n = range(len(X))
    return tuple(sum_of(*((X[i], slope(Y[d], i), 1) for i in n), *((Y[i], slope(X[d], i), -1) for i in n)) for d in n)


def rank(rows: list[list[Fraction]]) -> int:
    rows, found = [row[:] for row in rows], 0
    for j in range(len(rows[0])):
        pivot = next((k for k in range(found, len(rows)) if rows[k][j]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for k in range(found + 1, len(rows)):
            factor = rows[k][j] / rows[found][j]
            rows[k] = [a - factor * b for a, b in zip(rows[k], rows[found], strict=True)]
        found += 1
    return found


def all_brackets(fields: list[Field], point: list[Fraction], length: int) -> Iterator[int]:
    """The dimensions spanned by every word of brackets, without any reduction."""
    values: list[list[Fraction]] = []
    layer = fields
    for _ in range(length):
        values += [
            [
                sum((c * math.prod(p**k for p, k in zip(point, e, strict=True)) for e, c in f.items()), Fraction(0))
                for f in X
            ]
            for X in layer
        ]
        yield rank(values)
        layer = [lie_bracket(X, Y) for X in fields for Y in layer]


def written(f: Polynomial) -> str:
    terms = [f"({c})*" + "*".join(f"{q}^{k}" for q, k in zip(NAMES, e, strict=False)) for e, c in f.items()]
    return " + ".join(terms) or "0"


SMALL = st.integers(-2, 2).map(Fraction)
MONOMIALS = st.tuples(*[st.integers(0, 2)] * 4).filter(lambda e: sum(e) <= 3)
FUNCTIONS = st.dictionaries(MONOMIALS, SMALL.filter(bool), max_size=2)


@pytest.mark.exhaustive
@settings(max_examples=15, deadline=None)
@given(st.lists(FUNCTIONS, min_size=4, max_size=4), st.lists(SMALL, min_size=4, max_size=4))
def test_law_a_flag_is_that_of_all_brackets(entries: list[Polynomial], point: list[Fraction]) -> None:
    """Random polynomials beside two unit vectors, at random points, against every word of up to five fields."""
    zero: Polynomial = {}
    one: Polynomial = {(0,) * 4: Fraction(1)}
    fields = [(one, zero, entries[0], entries[1]), (zero, one, entries[2], entries[3])]
    truth = tuple(all_brackets(fields, point, 5))
    D = Distribution.from_vectors([[written(f) for f in X] for X in fields], NAMES)
    growth = D.growth_vector(at=dict(zip(NAMES, point, strict=True)), length=5)
    assert tuple(growth) == truth[: len(growth)]
    # What ended before has reached what no bracket exceeds.
    assert set(truth[len(growth) :]) <= {growth[-1]}


CURVED = {
    "exponentials": (["1", "0", "exp(x)*y^2"], ["0", "1", "0"], {"x": "1", "y": 0}, (2, 2, 3)),
    "a root": (["1", "0", "sqrt(1 + y^2) - 1"], ["0", "1", "0"], {"y": 0}, (2, 2, 3)),
    "a quotient": (["1", "0", "y^3/(1 + x^2)"], ["0", "1", "0"], {"y": 0}, (2, 2, 2, 3)),
    "a tangent": (["1", "0", "tan(y) - sin(y)"], ["0", "1", "0"], {"y": 0}, (2, 2, 2, 3)),
    "a power of a power": (["1", "0", "(1 + y)^(1 + y) - 1 - y"], ["0", "1", "0"], {"y": 0}, (2, 2, 3)),
    "an arc": (["1", "0", "atan(y) - y"], ["0", "1", "0"], {"y": 0}, (2, 2, 2, 3)),
    "off the corner": (["1", "0", "abs(y - 1)*y"], ["0", "1", "0"], {"y": "1/2"}, (2, 2, 3)),
    "along a curve": (["1", "0", "(y - x^2)^2"], ["0", "1", "0"], {"y": "x^2"}, (2, 2, 3)),
}


@pytest.mark.parametrize(("X", "Y", "at", "expected"), CURVED.values(), ids=CURVED)
def test_functions_that_are_no_polynomials(
    X: list[str], Y: list[str], at: Mapping[str, object], expected: tuple[int, ...]
) -> None:
    """The order to which the slope of the entry vanishes says when its bracket arrives."""
    growth = Distribution.from_vectors([X, Y], ["x", "y", "z"]).growth_vector(at=at)
    assert (tuple(growth), growth.evidence) == (expected, "exact")


def test_a_function_nobody_specified() -> None:
    """Its slope is not zero in general, and is where the factor before it vanishes twice."""
    D = Distribution.from_vectors([["1", "0", "y^2*f(x)"], ["0", "1", "0"]], ["x", "y", "z"], functions=["f"])
    assert D.growth_vector(at={"y": 0}) == (2, 2, 3)


def test_a_plane_that_the_fields_never_leave_is_a_bound() -> None:
    D = Distribution.from_vectors([["1", "0", "0"], ["0", "1", "x*z"]], ["x", "y", "z"])
    for at in ({"z": 0}, {"x": 0, "y": 0, "z": 0}):
        here = D.growth_vector(at=at)
        assert (tuple(here), here.evidence) == ((2,), "exact")
        assert "never leave z = 0" in str(here.finding)
    assert D.growth_vector(at={"z": 1}) == (2, 3)
    moving = Distribution.from_vectors([["1", "0", "1"], ["0", "1", "x*(z - x)"]], ["x", "y", "z"])
    assert tuple(moving.growth_vector(at={"z": "x"})) == (2,)
    assert tuple(moving.growth_vector(at={"z": "x + 1"})) == (2, 3)


def test_what_is_not_proven_to_end_stays_open() -> None:
    """The circle is never left, but no coordinate says so."""
    fields = [["-y", "x", "0"], ["x^2*(x^2 + y^2 - 1)", "x*y*(x^2 + y^2 - 1)", "1"]]
    D = Distribution.from_vectors(fields, ["x", "y", "z"])
    assert D.growth_vector() == (2, 3)
    here = D.growth_vector(at={"x": 1, "y": 0, "z": 0}, length=6)
    assert set(here) == {2}
    assert here.finding.is_unknown
    assert not here.is_settled


def test_coordinates_of_a_place_may_be_given_by_one_another() -> None:
    chained = {"theta2": "theta1 - pi/2", "theta1": "theta0 - pi/2", "theta0": "0"}
    assert trailers(2).growth_vector(at=chained) == jean(("pi/2", "pi/2"))
    with blames(DeclarationError):
        trailers(2).growth_vector(at={"theta1": "theta2", "theta2": "theta1 + 1"})


def test_a_corner_is_no_place() -> None:
    D = Distribution.from_vectors([["1", "0", "abs(y)"], ["0", "1", "0"]], ["x", "y", "z"])
    with blames(DeclarationError):
        D.growth_vector(at={"y": 0})


def test_places_on_a_group() -> None:
    """By hand: [E1, E2 + R33 E3] is (1 - R32 + R33^2) E3 within the span, zero with its slope along E1 where R32 = 1."""
    D = Distribution.from_vectors([["1", "0", "0"], ["0", "1", "R33"]], SO3().frame)
    here = D.growth_vector(at={"q0": "sqrt(2)/2", "q1": "sqrt(2)/2", "q2": 0, "q3": 0})
    assert (tuple(here), here.evidence) == ((2, 2, 2, 3), "exact")
    assert D.growth_vector(at={"q0": 1, "q1": 0, "q2": 0, "q3": 0}) == (2, 3)
