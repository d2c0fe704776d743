"""Distributions: rank, brackets, growth vectors of the classical examples, projectors; laws that hold for every one."""

from __future__ import annotations

import mpmath
import pytest
import symengine
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from anholonomy import System, catalogue
from anholonomy.algebra.expressions import to_sympy
from anholonomy.algebra.zero_test import are_all_zero
from anholonomy.base.errors import DeclarationError, NotSupportedError, UnknownNameError
from anholonomy.base.verdict import Verdict
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.metric import Metric
from anholonomy.geometry.tensor import Tensor
from tests.wording import blames

BALL = ["x", "y", "phi", "theta", "psi"]
NO_SLIP = [
    "x' = r*(theta'*sin(phi) - psi'*cos(phi)*sin(theta))",
    "y' = -r*(theta'*cos(phi) + psi'*sin(phi)*sin(theta))",
]
"""A ball on a plane in Euler angles z-x-z: the centre moves as the angular velocity in space says."""


def jets(order: int) -> tuple[list[str], list[str]]:
    """The contact distribution on jets of a function of one variable."""
    return [f"y{k}' = y{k + 1}*x'" for k in range(order)], ["x", *(f"y{k}" for k in range(order + 1))]


def contact(m: int) -> tuple[list[str], list[str]]:
    """The contact distribution on first jets of a function of ``m`` variables."""
    names = [f"x{k}" for k in range(m)] + [f"p{k}" for k in range(m)] + ["z"]
    return ["z' = " + " + ".join(f"p{k}*x{k}'" for k in range(m))], names


def group_frame(n: int, brackets: dict[tuple[int, int], int]) -> Frame:
    """Left-invariant fields by their structure constants; for invariant forms the anchor does not matter."""
    c = [[[symengine.Integer(0)] * n for _ in range(n)] for _ in range(n)]
    for (a, b), d in brackets.items():
        sign = 1 if d > 0 else -1
        c[a - 1][b - 1][abs(d) - 1], c[b - 1][a - 1][abs(d) - 1] = symengine.Integer(sign), symengine.Integer(-sign)
    structure = tuple(tuple(tuple(row) for row in plane) for plane in c)
    chart = Frame([f"q{k}" for k in range(n)])
    return Frame.with_structure(chart.coordinates, chart.anchor_ai, structure, chart.labels)


def unit_forms(n: int, rank: int) -> tuple[tuple[object, ...], ...]:
    """The forms dual to all fields but the first ``rank``."""
    return tuple(tuple(symengine.Integer(int(a == b)) for b in range(n)) for a in range(rank, n))


GROWTH = {
    "Heisenberg": (["z' = y*x'"], ["x", "y", "z"], (2, 3)),
    "Heisenberg, symmetric": (["z' = y*x' - x*y'"], ["x", "y", "z"], (2, 3)),
    "Engel": (["y' = w*x'", "z' = y*x'"], ["x", "y", "z", "w"], (2, 3, 4)),
    "Martinet": (["z' = y^2*x'"], ["x", "y", "z"], (2, 3)),
    "Cartan": (["y' = p*x'", "p' = q*x'", "z' = q^2*x'"], ["x", "y", "p", "q", "z"], (2, 3, 5)),
    "knife edge": (["x'*sin(theta) = y'*cos(theta)"], ["x", "y", "theta"], (2, 3)),
    "unicycle with wheel angle": (
        ["x' = R*phi'*cos(theta)", "y' = R*phi'*sin(theta)"], ["x", "y", "theta", "phi"], (2, 3, 4)),
    "ball, no slipping": (NO_SLIP, BALL, (3, 5)),
    "ball, neither slipping nor twisting": ([*NO_SLIP, "phi' + psi'*cos(theta) = 0"], BALL, (2, 3, 5)),
    "a sphere's tangent planes": (["x*x' + y*y' + z*z' = 0"], ["x", "y", "z"], (2,)),
    "free in four dimensions": (["w' = x*y' - y*x' + z*x'"], ["x", "y", "z", "w"], (3, 4)),
    "affine on spacetime": (["x' = y*z' + 1"], ["x", "y", "z"], (3, 4)),
    "integrable at each time": (["x' = t*y'"], ["x", "y"], (2, 3)),
}  # fmt: skip
for k in range(1, 7):
    GROWTH[f"jets of order {k}"] = (*jets(k), tuple(range(2, k + 3)))
for k in range(1, 5):
    GROWTH[f"first jets in {k} variables"] = (*contact(k), (2 * k, 2 * k + 1))


@pytest.mark.parametrize(("rows", "q", "expected"), GROWTH.values(), ids=GROWTH.keys())
def test_growth_vectors_of_the_classical_distributions(
    rows: list[str], q: list[str], expected: tuple[int, ...]
) -> None:
    D = Distribution.from_constraints(rows, q)
    growth = D.growth_vector()
    assert growth == expected
    if D.frame.size < 8:
        assert growth.evidence == "exact"
    assert D.rank == expected[0] == len(D.vectors_ai)
    assert bool(D.is_bracket_generating()) == (expected[-1] == D.frame.size)
    assert bool(D.is_integrable()) == (len(expected) == 1)
    assert D.degree_of_nonholonomy() == len(expected)


@pytest.mark.parametrize("n", range(7))
def test_the_n_trailer_grows_by_one(n: int) -> None:
    D = Distribution.of(catalogue.n_trailer(n))
    assert D.growth_vector() == tuple(range(2, n + 4))
    assert D.derived_flag() == tuple(range(2, n + 4))


def test_the_trailer_slows_down_where_an_axle_stands_at_a_right_angle() -> None:
    one, two, three = (Distribution.of(catalogue.n_trailer(n)) for n in (1, 2, 3))
    square = {"theta1": "theta0 + pi/2"}
    assert one.growth_vector(at=square) == (2, 3, 4)  # the last hitch does no harm
    assert two.growth_vector(at=square) == (2, 3, 4, 4, 5)
    assert two.growth_vector(at={"theta2": "theta1 + pi/2"}) == (2, 3, 4, 5)
    assert three.growth_vector(at={"theta2": "theta1 + pi/2"}) == (2, 3, 4, 5, 5, 6)
    # All brackets at one point with numbers, not on a stratum.
    point = {"x": 0, "y": 0, "theta0": 0, "theta1": "pi/2", "theta2": "1/3", "d": 1}
    assert two.growth_vector(at=point) == (2, 3, 4, 4, 5)
    assert two.growth_vector(at={**point, "theta1": "1/5"}) == (2, 3, 4, 5)


def test_martinet_is_singular_on_a_plane() -> None:
    D = Distribution.from_constraints(["z' = y^2*x'"], ["x", "y", "z"])
    assert D.growth_vector(at={"x": 1, "y": "1/7", "z": 0}) == (2, 3)
    assert D.growth_vector(at={"x": 1, "y": 0, "z": 0}) == (2, 2, 3)
    assert D.degree_of_nonholonomy(at={"y": 0}) == 3
    assert D.singular_points() == {1: (), 2: (symengine.Symbol("y"),)}
    heisenberg = Distribution.from_constraints(["z' = y*x'"], ["x", "y", "z"])
    assert heisenberg.singular_points() == {1: (), 2: ()}


@pytest.mark.parametrize(
    ("forms", "names", "expected"),
    [
        # Fields that are solved for one velocity fail where others would not.
        ([["x", "y", "z"]], "xyz", {1: {"x", "y", "z"}}),
        ([["y", "-x", "z", "-w"]], "xyzw", {1: {"x", "y", "z", "w"}, 2: {"z", "w"}}),
        # A joint at a right angle, where the usual frame of a car with two axles has no direction.
        (
            [["sin(p)", "-cos(p)", "0", "0"], ["sin(p + q)", "-cos(p + q)", "-cos(q)", "0"]],
            "xypq",
            {1: set(), 2: set(), 3: set()},
        ),
        ([["y", "0", "-x"]], "xyz", {1: {"x", "y"}, 2: {"x"}}),
    ],
)
def test_singular_is_what_every_frame_finds_singular(
    forms: list[list[str]], names: str, expected: dict[int, set[str]]
) -> None:
    found = Distribution.from_forms(forms, list(names)).singular_points()
    assert found is not None
    assert {step: {str(each) for each in where} for step, where in found.items()} == expected


def test_a_sine_and_a_cosine_have_no_common_zero() -> None:
    for system in (catalogue.chaplygin_sleigh(), catalogue.snakeboard(), catalogue.skate()):
        found = system.geometry.distribution.singular_points()
        assert found is not None
        assert not any(found.values())


def test_a_basis_that_degenerates_at_the_place_is_replaced_only_if_it_was_chosen() -> None:
    """Forms say what the distribution is where their kernel's basis fails; fields given by the user are what they are."""
    regular = Distribution.from_forms([["z*x", "z*y", "1 + z^2"]], ["x", "y", "z"])
    assert regular.growth_vector(at={"x": 0, "y": 0, "z": 0})[0] == 2
    D = Distribution.from_vectors([["x", "0", "x*y"], ["0", "1", "0"]], ["x", "y", "z"])
    with blames(DeclarationError):
        D.growth_vector(at={"x": 0})
    with blames(DeclarationError):
        Distribution.from_forms([["x", "y", "z"]], ["x", "y", "z"]).growth_vector(at={"x": 0, "y": 0, "z": 0})


def test_derived_and_lie_flags_differ_where_they_should() -> None:
    """Brackets of brackets arrive earlier in the derived flag: a nilpotent algebra where 6 = [2, 5] = -[3, 4]."""
    D = Distribution(group_frame(6, {(1, 2): 3, (1, 3): 4, (1, 4): 5, (2, 5): 6, (3, 4): -6}), unit_forms(6, 2))
    assert D.growth_vector() == (2, 3, 4, 5, 6)
    assert D.derived_flag() == (2, 3, 4, 6)
    free = Distribution(group_frame(5, {(1, 2): 3, (1, 3): 4, (2, 3): 5}), unit_forms(5, 2))
    assert free.growth_vector() == free.derived_flag() == (2, 3, 5)


def test_of_a_system_and_refusals() -> None:
    assert Distribution.of(catalogue.rolling_disk()).growth_vector()[-1] == 4
    assert Distribution.of(catalogue.affine_particle()).on_spacetime
    free = Distribution.of(System(name="free", coordinates=["x", "y"], lagrangian="x'^2 + y'^2"))
    assert (free.rank, free.corank) == (len(free.coordinates), 0)
    assert free.is_integrable()
    with blames(DeclarationError):
        Distribution.from_constraints(["x'^2 + y'^2 = 1"], ["x", "y"])
    with blames(DeclarationError, "2"):
        Distribution.from_vectors([["1"]], ["x", "y"])
    with blames(UnknownNameError, "w"):
        free.growth_vector(at={"w": 0})
    curved = System(name="fast", coordinates=["x", "y"], lagrangian="x'^2 + y'^2", constraints=["x'^2 + y'^2 = 1"])
    with blames(NotSupportedError):
        Distribution.of(curved)


def test_dependent_rows_are_dropped_and_membership_is_proven() -> None:
    D = Distribution.from_constraints(["x'*cos(a) = y'*sin(a)", "x'*cos(a)^2 = y'*sin(a)*cos(a)"], ["x", "y", "a"])
    assert D.corank == 1
    assert D.contains(["sin(a)", "cos(a)", "x"]).verdict is Verdict.PROVEN
    assert D.contains(["cos(a)", "sin(a)", "0"]).verdict is Verdict.REFUTED
    assert D.vectors_ai[0] != D.vectors_ai[1]


def test_projectors_split_every_vector() -> None:
    D = Distribution.of(catalogue.chaplygin_sleigh())
    g = [
        ["m", "0", "-m*a*sin(theta)"],
        ["0", "m", "m*a*cos(theta)"],
        ["-m*a*sin(theta)", "m*a*cos(theta)", "J + m*a^2"],
    ]
    P, Q = D.projectors(g)
    one = Tensor.build(D.frame, "ud", lambda a, b: int(a == b))
    assert (P + Q - one).is_zero().verdict is Verdict.PROVEN
    assert ((P * P).trace(1, 2) - P).is_zero().verdict is Verdict.PROVEN
    assert (P * Q).trace(1, 2).is_zero().verdict is Verdict.PROVEN
    metric = Metric(D.frame, g)
    assert D.projectors(metric) == D.projectors(metric.tensor) == (P, Q)
    for X in D.vectors_ai:
        for Y in D.complement(g):
            assert are_all_zero([sum(metric[a, b] * X[a] * Y[b] for a in range(3) for b in range(3))])


FIELDS = {
    "unicycle": ([["cos(theta)", "sin(theta)", "0"], ["x", "0", "1"]], ["x", "y", "theta"]),
    "exponential": ([["exp(x*y)", "z", "1"], ["0", "x^2", "sin(y)"]], ["x", "y", "z"]),
    "rational": ([["1/(1 + x^2)", "y", "0"], ["y*z", "0", "x/(2 + z^2)"]], ["x", "y", "z"]),
    "roots": ([["sqrt(1 + x^2)", "1", "z*y"], ["0", "log(2 + y^2)", "x"]], ["x", "y", "z"]),
    "hyperbolic": ([["cosh(y)", "tanh(x)", "0", "1"], ["w", "x*y*z", "1", "0"]], ["x", "y", "z", "w"]),
    "trailers": ([["cos(a)", "sin(a)", "0", "sin(a - b)"], ["0", "0", "1", "x*b"]], ["x", "y", "a", "b"]),
}


@pytest.mark.parametrize(("fields", "q"), FIELDS.values(), ids=FIELDS.keys())
def test_brackets_against_finite_differences_at_fifty_digits(fields: list[list[str]], q: list[str]) -> None:
    D = Distribution.from_vectors(fields, q)
    names = sp.symbols(q)
    point = [mpmath.mpf(k + 2) / (7 + k) for k in range(len(q))]
    with mpmath.workdps(80):
        evaluate = [[sp.lambdify(names, to_sympy(e), "mpmath") for e in row] for row in D.vectors_ai]
        X, Y = ([f(*point) for f in row] for row in evaluate)
        h = mpmath.mpf(10) ** -26

        def along(f, direction):
            ahead, behind = ([p + s * h * d for p, d in zip(point, direction, strict=True)] for s in (1, -1))
            return (f(*ahead) - f(*behind)) / (2 * h)

        expected = [along(y, X) - along(x, Y) for x, y in zip(*evaluate, strict=True)]
        found = [sp.lambdify(names, to_sympy(e), "mpmath")(*point) for e in D.bracket(0, 1)]
        assert max(abs(a - b) for a, b in zip(expected, found, strict=True)) < mpmath.mpf(10) ** -49


coefficients = st.integers(-2, 2)
x, y, z, w = symengine.symbols("x y z w")


@st.composite
def polynomials(draw: st.DrawFn, names: tuple[object, ...]) -> object:
    monomials = [symengine.Integer(1), *names, *(a * b for a in names for b in names)]
    return symengine.Add(*(draw(coefficients) * m for m in draw(st.lists(st.sampled_from(monomials), max_size=3))))


@st.composite
def distributions(draw: st.DrawFn) -> Distribution:
    """Rank two in four dimensions, in solved form so that the rank is two everywhere."""
    q = (x, y, z, w)
    rows = [[1, 0, draw(polynomials(q)), draw(polynomials(q))], [0, 1, draw(polynomials(q)), draw(polynomials(q))]]
    return Distribution.from_vectors(rows, ["x", "y", "z", "w"])


@settings(max_examples=12, deadline=None)
@given(distributions(), polynomials((x, y, z)), st.integers(1, 3))
def test_law_growth_and_integrability_do_not_depend_on_the_basis(D: Distribution, f: object, n: int) -> None:
    first, second = D.vectors_ai
    mixed = [[n * a + f * b for a, b in zip(first, second, strict=True)], list(second)]
    other = Distribution.from_vectors(mixed, ["x", "y", "z", "w"])
    assert other.growth_vector() == D.growth_vector()
    assert other.derived_flag() == D.derived_flag()
    assert other.is_integrable().verdict is D.is_integrable().verdict
    place = dict.fromkeys("xyzw", 0)
    if D.growth_vector()[-1] == 4:
        at = D.growth_vector(at=place, length=5)
        assert other.growth_vector(at=place, length=5) == at


@settings(max_examples=12, deadline=None)
@given(distributions(), polynomials((x,)), polynomials((x, y)), polynomials((x, y, z)))
def test_law_growth_and_integrability_do_not_depend_on_the_coordinates(
    D: Distribution, f: object, g: object, h: object
) -> None:
    """New coordinates X = x, Y = y + f(x), Z = z + g(x, y), W = w + h(x, y, z), which are invertible in steps."""
    new = [x, y + f, z + g, w + h]
    old_y = y - f
    old_z = z - g.xreplace({y: old_y})
    old_w = w - h.xreplace({y: old_y, z: old_z})
    back = {y: old_y, z: old_z, w: old_w}
    moved = [
        [symengine.Add(*(u.diff(s) * v for s, v in zip((x, y, z, w), X, strict=True))).xreplace(back) for u in new]
        for X in D.vectors_ai
    ]
    other = Distribution.from_vectors(moved, ["x", "y", "z", "w"])
    assert other.growth_vector() == D.growth_vector()
    assert other.is_integrable().verdict is D.is_integrable().verdict


def test_a_distribution_on_a_group_uses_its_structure() -> None:
    """Body frame of the rotations, by structure constants: two axes generate the third."""
    one, o = symengine.Integer(1), symengine.Integer(0)
    so3 = group_frame(3, {(1, 2): 3, (2, 3): 1, (3, 1): 2})
    phi, theta, psi = symengine.symbols("phi theta psi")
    s, c, cot = symengine.sin(psi), symengine.cos(psi), symengine.cos(theta) / symengine.sin(theta)
    sin = symengine.sin(theta)
    anchor = ((s / sin, c, -s * cot), (c / sin, -s, -c * cot), (o, o, one))
    frame = Frame.with_structure((phi, theta, psi), anchor, so3.structure_abd, ("1", "2", "3"))
    D = Distribution(frame, ((o, o, one),))
    assert D.growth_vector() == (2, 3)
    assert not D.is_integrable()


def test_what_only_looks_different_from_zero_adds_no_dimension() -> None:
    """The arctangents of x and 1/x make a right angle, which no normal form knows: this is Martinet's distribution."""
    nothing = "(atan(x) + atan(1/x) - pi*sign(x)/2)"
    disguised = Distribution.from_constraints([f"z' = (y^2 + y*{nothing})*x'"], ["x", "y", "z"])
    assert (tuple(disguised.growth_vector()), tuple(disguised.growth_vector(at={"x": 1, "y": 0}))) == (
        (2, 3),
        (2, 2, 3),
    )
    here = disguised.growth_vector(at={"y": 0})
    assert tuple(here) == (2, 2)
    assert here.finding.is_unknown
    flat = Distribution.from_constraints([f"z' = y*{nothing}*x'"], ["x", "y", "z"])
    assert flat.is_bracket_generating().is_unknown
