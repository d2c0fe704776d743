"""The group axioms, on every group and near its cut locus; fields that close; and free motions that keep what they must."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import symengine
import sympy
from scipy.linalg import expm

import anholonomy as ah
from anholonomy.algebra.calculus import along
from anholonomy.algebra.expressions import dot, symbol
from anholonomy.algebra.linear_algebra.symbolic import inverse
from anholonomy.algebra.zero_test import are_all_zero, is_zero
from anholonomy.equations.principles import PRINCIPLES
from anholonomy.geometry.algebras.structure_constants import jacobiators
from anholonomy.geometry.brackets import bracket
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.groups import GROUPS as KINDS
from anholonomy.geometry.groups import Product, as_group
from anholonomy.geometry.groups.matrix_group import AbstractMatrixGroup
from anholonomy.testing import check_group, check_system
from tests.wording import blames

pytestmark = pytest.mark.filterwarnings("ignore::anholonomy.errors.ImplausibleMassWarning")  # metrics, of no solid

TURNS = [[[0, 0, 0], [0, 0, -1], [0, 1, 0]], [[0, 0, 1], [0, 0, 0], [-1, 0, 0]], [[0, -1, 0], [1, 0, 0], [0, 0, 0]]]
PLANE = [[[0, 0, 1], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 1], [0, 0, 0]], [[0, -1, 0], [1, 0, 0], [0, 0, 0]]]
TRIANGULAR = [[[1, 0], [0, 0]], [[0, 1], [0, 0]], [[0, 0], [0, 1]]]
FIRST = np.pi - 1e-6
"""A turn that the logarithm just finds the way back from."""

GROUPS: dict[str, tuple[ah.groups.AbstractGroup, list[float]]] = {
    "R2": (ah.groups.Rn("x", "y"), [40.0, -3.0]),
    "S1": (ah.groups.Circle("phi"), [FIRST]),
    "SO3": (ah.groups.SO3(), [FIRST * 0.6, 0.0, FIRST * 0.8]),
    "SU2": (ah.groups.SU2(), [0.0, 2 * FIRST * 0.6, 2 * FIRST * 0.8]),
    "SE2": (ah.groups.SE2(), [3.0, -20.0, FIRST]),
    "SE3": (ah.groups.SE3(), [3.0, -5.0, 2.0, FIRST * 0.6, 0.0, FIRST * 0.8]),
    "Heisenberg": (ah.groups.Heisenberg(), [7.0, -5.0, 30.0]),
    "Heisenberg5": (ah.groups.Heisenberg("h_", 5), [7.0, -5.0, 30.0, 2.0, -9.0]),
    "SL2R": (ah.groups.SL2R(), [0.0, FIRST, -FIRST]),
    "SO21": (ah.groups.SO21("l_"), [0.0, 0.0, FIRST]),
    "rotation matrices": (ah.groups.MatrixGroup(TURNS), [FIRST * 0.6, 0.0, FIRST * 0.8]),
    "matrices of the plane": (ah.groups.MatrixGroup(PLANE, "p_"), [3.0, -2.0, FIRST]),
    "triangular": (ah.groups.MatrixGroup(TRIANGULAR), [2.0, 3.0, -1.5]),
    "SO3 on R3": (ah.groups.Semidirect(ah.groups.SO3(), ["x", "y", "z"]), [FIRST * 0.6, 0.0, FIRST * 0.8, 3.0, -5.0, 2.0]),
    "SL2R on R2": (ah.groups.Semidirect(ah.groups.SL2R(), ["x", "y"]), [0.0, FIRST, -FIRST, 1.0, 2.0]),
    "boosts": (ah.groups.Semidirect(ah.groups.Rn("s"), ["x", "y"], [["cosh(s)", "sinh(s)"], ["sinh(s)", "cosh(s)"]]), [3.0, 1.0, 2.0]),
    "SE2 * S1": (ah.groups.SE2() * ah.groups.Circle(), [3.0, -20.0, FIRST, -FIRST]),
    "R * S1": (ah.groups.Rn("x", prefix="a_") * ah.groups.Circle(prefix="b_"), [3.0, -FIRST]),
    "Heisenberg * SO3": (ah.groups.Heisenberg("h_") * ah.groups.SO3(), [7.0, -5.0, 30.0, FIRST, 0.0, 0.0]),
}  # fmt: skip
# Every other group of the list, and its examples, where no one has said which vector leads to the cut locus.
GROUPS |= {text: (as_group(text), []) for kind in KINDS for text in kind.examples if text not in GROUPS}

MATRICES = {
    name for name, (group, _) in GROUPS.items() if isinstance(getattr(group, "group", group), AbstractMatrixGroup)
}

every_group = pytest.mark.parametrize("name", GROUPS)
every_regime = pytest.mark.parametrize("regime", ["generic", "near the identity", "near the cut locus"])


def vectors(name: str, regime: str, count: int) -> list[np.ndarray]:
    group, cut = GROUPS[name]
    rng = np.random.default_rng(len(name))
    drawn = rng.uniform(-0.8, 0.8, (count, group.dimension))
    if regime == "near the cut locus" and cut:
        return [np.array(cut), *drawn[1:]]
    return list(1e-7 * drawn if regime == "near the identity" else drawn)


def same(g: np.ndarray, h: np.ndarray, tolerance: float = 1e-12) -> bool:
    return bool(abs(g - h).max() < tolerance * (1 + abs(g).max()))


@every_group
def test_the_public_check_passes(name: str) -> None:
    check_group(GROUPS[name][0])


@pytest.mark.parametrize("name", [name for name, (_, cut) in GROUPS.items() if cut])
def test_axioms_near_the_cut_locus(name: str) -> None:
    group = GROUPS[name][0]
    g, h, k = map(group.exp, vectors(name, "near the cut locus", 3))
    e = group.identity
    left = group.multiply(group.multiply(g, h), k)
    assert same(left, group.multiply(g, group.multiply(h, k)))
    assert same(e, group.multiply(g, group.inverse(g)), 1e-11)
    assert same(e, group.multiply(group.inverse(g), g), 1e-11)
    assert same(g, group.multiply(e, g))
    assert same(g, group.multiply(g, e))


@every_group
def test_the_logarithm_of_the_identity_is_zero_exactly(name: str) -> None:
    group = GROUPS[name][0]
    assert abs(group.log(group.identity)).max() == 0


@every_group
@every_regime
def test_the_logarithm_undoes_the_exponential(name: str, regime: str) -> None:
    group = GROUPS[name][0]
    for xi in vectors(name, regime, 3):
        error, size = abs(group.log(group.exp(xi)) - xi).max(), abs(xi).max()
        if name not in MATRICES:
            assert error < 2e-14 * size
        else:
            # The entries of a matrix near 1 have lost what a small vector has beyond their last digit; and near half a
            # turn its eigenvalues are close together.
            assert error < 1e-8 * size if regime == "near the cut locus" else error < 1e-14


@every_group
@every_regime
def test_adjoint_maps(name: str, regime: str) -> None:
    group = GROUPS[name][0]
    xi, eta, *_ = vectors(name, regime, 2)
    g, h = group.exp(xi), group.exp(eta)
    size = abs(group.adjoint(g)).max()
    together = group.adjoint(group.multiply(g, h))
    assert abs(together - group.adjoint(g) @ group.adjoint(h)).max() < 1e-12 * (1 + size**2)
    ad = np.array(group.algebra.ad([float(x) for x in xi]), dtype=float)
    assert abs(group.adjoint(g) - expm(ad)).max() < 1e-10 * (1 + size)
    momentum = np.arange(1.0, group.dimension + 1)
    seen = group.coadjoint(g) @ momentum
    assert abs(seen @ group.space_velocity(g, eta) - momentum @ eta).max() < 1e-10 * (1 + size**2)
    assert abs(group.body_velocity(g, group.space_velocity(g, eta)) - eta).max() < 1e-10 * (1 + size**2)


@every_group
@every_regime
def test_trivialisations_are_derivatives_of_products(name: str, regime: str) -> None:
    group = GROUPS[name][0]
    xi, eta, *_ = vectors(name, regime, 2)
    g, step = group.exp(xi), 1e-3 / (1 + abs(eta).max())
    right = (group.multiply(g, group.exp(step * eta)) - group.multiply(g, group.exp(-step * eta))) / (2 * step)
    far = (group.multiply(g, group.exp(2 * step * eta)) - group.multiply(g, group.exp(-2 * step * eta))) / (4 * step)
    size = 1 + abs(g).max()
    assert abs((4 * right - far) / 3 - group.rates(g, eta)).max() < 1e-10 * size
    left = (group.multiply(group.exp(step * eta), g) - group.multiply(group.exp(-step * eta), g)) / (2 * step)
    far = (group.multiply(group.exp(2 * step * eta), g) - group.multiply(group.exp(-2 * step * eta), g)) / (4 * step)
    here = dict(zip(group.coordinates, map(float, g), strict=True))
    fields = np.array([[float(entry.xreplace(here)) for entry in row] for row in group.right_anchor_ai])
    assert abs((4 * left - far) / 3 - eta @ fields).max() < 1e-10 * size**2
    assert abs(group.rates(g, eta) - group.space_velocity(g, eta) @ fields).max() < 1e-12 * size**3


@every_group
def test_symbolic_maps_agree_with_numbers(name: str) -> None:
    group = GROUPS[name][0]
    g = group.exp(vectors(name, "generic", 1)[0])
    here = dict(zip(group.coordinates, map(float, g), strict=True))
    numbers = np.array([[float(entry.xreplace(here)) for entry in row] for row in group.adjoint_ab])
    assert abs(numbers - group.adjoint(g)).max() < 1e-13
    assert abs([float(entry.xreplace(here)) for entry in group.inverse_i] - group.inverse(g)).max() < 1e-13


def on_the_group(group: ah.groups.AbstractGroup) -> dict[object, object]:
    """Redundant coordinates by rational functions of as many symbols as there are dimensions: Cayley's, Euler's."""
    parts = getattr(group, "factors", (group,))
    there: dict[object, object] = {}
    for part in (getattr(each, "group", each) for each in parts):
        if isinstance(part, AbstractMatrixGroup):
            s = [symbol(f"s{a}") for a in range(part.dimension)]
            n = range(part.size)
            A = [
                [dot(s, [symengine.Rational(int(E[i][j].p), int(E[i][j].q)) for E in part.basis]) for j in n] for i in n
            ]
            unit = [[int(i == j) for j in n] for i in n]
            back = inverse([[unit[i][j] - A[i][j] for j in n] for i in n])
            g = [[sum((unit[i][k] + A[i][k]) * back[k][j] for k in n) for j in n] for i in n]
            there |= {q: g[i][j] for i in n for j in n if (q := part.matrix[i][j]) in part.coordinates}
        elif part.invariants:
            s = [symbol(f"s{a}") for a in range(3)]
            size = 1 + sum(x**2 for x in s)
            there |= dict(zip(part.coordinates[-4:], ((2 - size) / size, *(2 * x / size for x in s)), strict=True))
    return there


@every_group
def test_left_invariant_fields_close_with_the_structure_constants(name: str) -> None:
    group = GROUPS[name][0]
    there, c = on_the_group(group), group.algebra.constants_abd
    chart, columns = Frame.chart(group.coordinates), list(zip(*group.anchor_ai, strict=True))
    for a in range(group.dimension):
        for b in range(a):
            found = bracket(chart, group.anchor_ai[a], group.anchor_ai[b])
            closed = [dot(c[a][b], column) for column in columns]
            assert are_all_zero((x - y).xreplace(there) for x, y in zip(found, closed, strict=True)), (a, b)


@every_group
def test_invariants_vanish_on_the_group_and_are_kept(name: str) -> None:
    group = GROUPS[name][0]
    there = on_the_group(group)
    fields = [dict(zip(group.coordinates, row, strict=True)) for row in group.anchor_ai]
    values = list(group.invariants.values())
    # The triangular matrices have no form and no determinant of their own; Cayley's elements are theirs all the same.
    assert are_all_zero(value.xreplace(there) for value in values)
    assert are_all_zero(along(value, field).xreplace(there) for value in values for field in fields)
    assert len(values) == len(group.coordinates) - group.dimension


def free_motion(name: str) -> tuple[ah.System, np.ndarray]:
    group = GROUPS[name][0]
    n = group.dimension
    root = np.random.default_rng(n).integers(-2, 3, (n, n))
    inertia = root @ root.T + 3 * np.eye(n, dtype=int)
    return ah.System(name=name, group=group, kinetic=inertia.tolist()), inertia


@pytest.mark.exhaustive_for("SL2R @ R(x, y)", "SL2R on R2")
@every_group
def test_free_motion_keeps_energy_and_spatial_momentum(name: str) -> None:
    group = GROUPS[name][0]
    system, inertia = free_motion(name)
    g, w = group.exp(vectors(name, "generic", 1)[0]), vectors(name, "generic", 2)[1]
    start = {s.name: float(v) for s, v in zip((*group.coordinates, *group.speeds), (*g, *w), strict=True)}
    run = system.simulate(start, until=3)
    assert abs(run.energy / run.energy[0] - 1).max() < 2e-14
    pairs = zip(run.data["q"].values, run.data["velocity"].values, strict=True)
    momentum = np.array([group.coadjoint(q) @ inertia @ v for q, v in pairs])
    size = max(abs(group.coadjoint(q)).max() for q in run.data["q"].values)
    assert np.ptp(momentum, axis=0).max() < 1e-12 * size * abs(momentum).max()
    if group.invariants:
        assert abs(run.data["position"]).max() < 1e-13 * size**2


@every_group
def test_the_free_body_is_a_sound_system(name: str) -> None:
    system, _ = free_motion(name)
    check_system(system, states=2)
    assert sum(principle.agrees and principle.covers(system.model) for principle in PRINCIPLES) >= 8


def test_two_descriptions_of_a_rotation_are_one_motion() -> None:
    inertia, w = [1, 2, 3], np.array([0.3, 1.1, -0.4])
    ends = {}
    for group in (ah.groups.SO3(), ah.groups.MatrixGroup(TURNS)):
        names = [s.name for s in (*group.coordinates, *group.speeds)]
        start = dict(zip(names, (*group.identity, *w), strict=True))
        run = ah.System(name="top", group=group, kinetic=inertia).simulate(start, until=5)
        ends[group.name] = group.adjoint(run.data["q"].values[-1])
    first, second = ends.values()
    assert abs(first - second).max() < 1e-13


def test_velocities_of_coordinates_may_be_written_on_a_group() -> None:
    """Chaplygin's sleigh on a chart, and on SE(2) by body speeds or by the velocities of its coordinates."""
    chart = ah.catalogue.chaplygin_sleigh()
    a, m, inertia = 0.4, 1.3, 0.7
    words = {"lagrangian": "m*((x' - a*w*sin(theta))^2 + (y' + a*w*cos(theta))^2)/2 + I*w^2/2"}
    body = {"kinetic": [["m", 0, 0], [0, "m", "m*a"], [0, "m*a", "I + m*a^2"]]}
    blade = ["cos(theta)*y' = sin(theta)*x'"]
    values = {"m": m, "a": a, "I": inertia}
    first = ah.System(name="by coordinates", group="SE2", constraints=blade, parameters=values, **words)
    second = ah.System(name="by body", group="SE2", constraints=["v2 = 0"], parameters=values, **body)
    place = {"x": 0.0, "y": 0.0, "theta": 0.3}
    runs = [each.simulate({**place, "v1": 0.5, "w": 1.2}, times=[0, 2, 4]) for each in (first, second)]
    with_primes = {**place, "x'": 0.5 * np.cos(0.3), "y'": 0.5 * np.sin(0.3), "theta'": 1.2}
    on_chart = chart.simulate(with_primes, times=[0, 2, 4], parameters={k: values[k] for k in chart.parameters})
    for run in runs:
        assert abs(run.data["q"].values - on_chart.data["q"].values).max() < 1e-13
    with blames(ah.errors.DeclarationError, "x'"):
        ah.System(name="a", group="SE2", kinetic=[1, 1, 1], potential="x'")
    with blames(ah.errors.DeclarationError, "x", "v1", "v2", "w"):
        ah.System(name="a", group="SE2", kinetic=[1, 1, 1], constraints=["x'' = 1"])
    with blames(ah.errors.DeclarationError, "R11"):
        ah.System(name="a", group="SE2", kinetic=[1, 1, 1], constraints=["R11' = 1"])


def test_invariants_of_matrices_are_found_from_the_basis() -> None:
    """Rigid motions as matrices have the algebra of SE(3); the chain of Engel keeps a quadratic relation of its entries."""
    moves = [[[0, 0, 0, int(i == k)] for i in range(4)] for k in range(3)]
    turns = [[[*row, 0] for row in E] + [[0, 0, 0, 0]] for E in TURNS]
    rigid = ah.groups.MatrixGroup(moves + turns)
    assert rigid.algebra == ah.groups.SE3().algebra
    assert (len(rigid.coordinates), len(rigid.invariants)) == (12, 6)
    entries = [[(0, 1)], [(1, 2), (2, 3)], [(0, 2)], [(0, 3)]]
    engel = ah.groups.MatrixGroup([[[int((i, j) in E) for j in range(4)] for i in range(4)] for E in entries])
    assert engel.algebra.lower_central_series == (4, 2, 1, 0)
    g24, g34 = symbol("g24"), symbol("g34")
    assert list(engel.invariants.values()) == [-symbol("g23") + g34, 2 * g24 - g34**2]
    xi = np.array([1.0, 2.0, 3.0, 4.0])
    assert abs(engel.log(engel.exp(xi)) - xi).max() < 1e-13
    scaling = ah.groups.MatrixGroup([[[1, 0], [0, 2]]])
    assert scaling.inverse_i == tuple(1 / q for q in scaling.coordinates)
    # A spiral keeps g12 = g11 log(g11), which is no polynomial: the known limit.
    assert list(ah.groups.MatrixGroup([[[1, 1], [0, 1]]]).invariants.values()) == [-symbol("g11") + symbol("g22")]


def test_a_quaternion_and_its_negative_are_one_rotation_but_two_spins() -> None:
    xi = np.array([0.3, -0.2, 0.9])
    q = ah.groups.SO3().exp(xi)
    assert abs(ah.groups.SO3().log(-q) - xi).max() < 1e-15
    assert abs(ah.groups.SU2().log(-q) - xi * (1 - 2 * np.pi / np.linalg.norm(xi))).max() < 1e-14
    assert (
        abs(ah.groups.SO3().log(ah.groups.SO3().exp(4 * xi)) - xi * (4 - 2 * np.pi / np.linalg.norm(xi))).max() < 1e-14
    )
    assert abs(np.linalg.norm(ah.groups.SU2().log(-ah.groups.SU2().identity)) - 2 * np.pi) < 1e-15


def test_a_turn_of_the_plane_is_a_known_arc() -> None:
    """A body that moves ahead and turns runs along a circle of radius v/w."""
    x, y, theta = ah.groups.SE2().exp(np.array([2.0, 0.0, 0.5]))
    assert abs(np.array([x - 4 * np.sin(0.5), y - 4 * (1 - np.cos(0.5)), theta - 0.5])).max() < 1e-15


def test_refusals() -> None:
    with blames(ah.errors.DeclarationError, "1", "2"):
        ah.groups.MatrixGroup(TURNS[:2])
    with blames(ah.errors.DeclarationError):
        ah.groups.MatrixGroup([[[0, 1], [0, 0]], [[0, 2], [0, 0]]])
    with blames(ah.errors.DeclarationError, "2"):
        ah.groups.MatrixGroup([[[0, 1], [0, 0]], [[0, 2]]])
    with blames(ah.errors.DeclarationError, "4"):
        as_group("Heisenberg4")
    with blames(ah.errors.DeclarationError):
        ah.groups.Semidirect(ah.groups.Rn("s"), ["x"], [["1 + s"]])
    with blames(ah.errors.DeclarationError, "action"):
        ah.groups.Semidirect(ah.groups.SO3(), ["x", "y"])
    with blames(ah.errors.DeclarationError, "y"):
        ah.groups.Semidirect(ah.groups.Rn("s"), ["x"], [["exp(y)"]])
    with blames(ah.errors.StateError):
        ah.groups.SL2R().log(np.array([-2.0, 0.0, 0.0, -0.5]))
    for text in ("SO4", "R(x", "SO3 @ SO3", "Matrices", "SO3()", "SO3 @", ""):
        with blames(ah.errors.UnknownNameError):
            as_group(text)


NONSENSE = {
    "prefix of digits": (lambda: ah.groups.SO3("2a"), ("2a", "SO3")),
    "prefix of a matrix group": (lambda: ah.groups.SL2R("a b"), ("a b", "SL2R")),
    "prefix with a prime": (lambda: ah.groups.SE3("a'"), ()),
    "prefix is a number": (lambda: ah.groups.SU2(3), ("SU2", "3")),
    "prefix is a list": (lambda: ah.groups.SE2(["x"]), ()),
    "prefix of Matrices": (lambda: ah.groups.MatrixGroup(TURNS, "2a"), ("2a",)),
    "number for a prefix": (lambda: ah.groups.Heisenberg(5), ("1",)),
    "even": (lambda: ah.groups.Heisenberg(dimension=4), ("4", "3")),
    "half": (lambda: ah.groups.Heisenberg(dimension=3.0), ("3.0",)),
    "huge": (lambda: ah.groups.Heisenberg(dimension=10**6 + 1), ("128",)),
    "huge translations": (lambda: ah.groups.Rn(10**7), ("128",)),
    "truth": (lambda: ah.groups.Rn(True), ()),
    "a coordinate twice": (lambda: ah.groups.Rn("x", "x"), ("x",)),
    "an angle twice": (lambda: ah.groups.Circle("a", "a"), ()),
    "times a number": (lambda: ah.groups.SO3() * 3, ("3",)),
    "a number times": (lambda: 3 * ah.groups.SO3(), ("3",)),
    "times a text": (lambda: ah.groups.SO3() * "SE2", ("SE2",)),
    "nothing": (lambda: Product(), ()),
    "one matrix for a list": (lambda: ah.groups.MatrixGroup([[0, 1], [1, 0]]), ("1", "0")),
    "no matrices": (lambda: ah.groups.MatrixGroup(3), ()),
    "text acts": (lambda: ah.groups.Semidirect("SO3", ["x", "y", "z"]), ()),
    "names in one text": (lambda: ah.groups.Semidirect(ah.groups.SO3(), "xyz"), ()),
    "a number of names": (lambda: ah.groups.Semidirect(ah.groups.SO3(), 3), ()),
    "a name twice": (lambda: ah.groups.Semidirect(ah.groups.SO3(), ["x", "x", "y"]), ()),
    "action of text": (lambda: ah.groups.Semidirect(ah.groups.Rn("s"), ["x"], "exp(s)"), ()),
    "a class": (lambda: as_group(ah.groups.SO3), ("SO3",)),
    "no group": (lambda: as_group(3), ("3",)),
    "an algebra": (lambda: as_group(ah.groups.SO3().algebra), ("3", "MatrixGroup")),
    "the same name": (lambda: ah.groups.SE2() * ah.groups.Circle("theta"), ("a_", "theta")),
    "prefix of a circle": (lambda: ah.groups.Circle(prefix="2a"), ("2a", "S1")),
    "prefix of translations": (lambda: ah.groups.Rn(2, prefix=3), ("3",)),
    "a prefix in a text": (lambda: as_group("SO3:2a"), ("2a", "SO3")),
    "too short": (lambda: ah.groups.SO3().exp([1, 2]), ("3", "w1", "w2", "w3")),
    "no numbers": (lambda: ah.groups.SE2().log("abc"), ("3",)),
    "not finite": (lambda: ah.groups.SO3().multiply([1, 0, 0, 0], [np.nan, 0, 0, 0]), ()),
    "rates": (lambda: ah.groups.SL2R().rates([1, 0, 0, 1], [1]), ("3",)),
}  # fmt: skip


@pytest.mark.parametrize(("make", "names"), NONSENSE.values(), ids=NONSENSE.keys())
def test_nonsense_is_refused_in_a_sentence(make, names) -> None:
    with blames(ah.Error, *names):
        make()


GENERAL = ah.groups.MatrixGroup(
    [[[int((i, j) == (a, b)) for j in (0, 1)] for i in (0, 1)] for a in (0, 1) for b in (0, 1)]
)
"""All of GL(2), which no equation holds together."""

BESIDE = {
    "zero": (ah.groups.SO3(), [0, 0, 0, 0], ("unit quaternion", "-1", "0")),
    "twice the identity": (ah.groups.SU2(), [2, 0, 0, 0], ("unit quaternion", "3", "0")),
    "a millionth": (ah.groups.SE3(), [0, 0, 0, 1 + 1e-5, 0, 0, 0], ("unit quaternion", "2e-05", "0")),
    "far away": (ah.groups.SE3(), [1e9, 0, 0, 1.001, 0, 0, 0], ("SE3",)),
    "a factor": (ah.groups.Rn("x") * ah.groups.SO3(), [5, 1, 1, 0, 0], ("unit quaternion", "1", "0")),
    "singular": (ah.groups.SL2R(), [1, 1, 1, 1], ("-1", "0")),
    "long and thin": (ah.groups.SL2R(), [1000, 0, 0, 2e-3], ("1", "0")),
    "acting": (ah.groups.Semidirect(ah.groups.SL2R(), ["x", "y"]), [1, 1, 1, 1, 0, 0], ("-1", "0")),
    "reflection": (ah.groups.MatrixGroup(TURNS), [1, 0, 0, 0, 1, 0, 0, 0, -1], ()),
    "time reversed": (ah.groups.SO21(), [-1, 0, 0, 0, 1, 0, 0, 0, -1], ("1",)),
    "negative": (ah.groups.MatrixGroup(TRIANGULAR), [-1, 0, 1], ("1",)),
}


@pytest.mark.parametrize(("group", "g", "names"), BESIDE.values(), ids=BESIDE.keys())
def test_what_is_no_element_is_refused(group, g, names) -> None:
    e, still = group.identity, np.zeros(group.dimension)
    for act in (
        group.inverse, group.log, group.adjoint, group.coadjoint, lambda g: group.multiply(e, g),
        lambda g: group.multiply(g, e), lambda g: group.rates(g, still),
    ):  # fmt: skip
        with blames(ah.errors.StateError, *names):
            act(g)


@pytest.mark.parametrize("g", [[1, 1, 1, 1], [0, 0, 0, 0], [0, 1, 0, 1]])
def test_what_has_no_inverse_is_refused(g) -> None:
    for act in (GENERAL.inverse, GENERAL.log, GENERAL.adjoint):
        with blames(ah.errors.StateError):
            act(g)


@pytest.mark.parametrize(
    ("group", "xi"),
    [
        (ah.groups.SL2R(), [1000, 0, 0]),
        (ah.groups.SE2(), [1e308, 1e308, 1e200]),
        (ah.groups.SE3(), [1, 0, 0, 1e200, 1e200, 0]),
        (ah.groups.Semidirect(ah.groups.Rn("s"), ["x"], [["exp(s)"]]), [1000, 1]),
        (ah.groups.Rn("x") * ah.groups.SO21(), [0, 1000, 0, 0]),
    ],
)
def test_an_exponential_beyond_doubles_is_refused(group, xi) -> None:
    with blames(ah.errors.StateError):
        group.exp(xi)


def test_what_rounding_leaves_is_an_element() -> None:
    """Single precision, long products, and matrices so large that their determinant is lost."""
    rng = np.random.default_rng(1)
    for name in GROUPS:
        group = GROUPS[name][0]
        g = group.exp(rng.uniform(-1, 1, group.dimension))
        group.multiply(g.astype(np.float32), g)
        long = g
        for _ in range(50):
            long = group.multiply(g, long)
        assert group.inverse(long).shape == g.shape
    boosted = ah.groups.SL2R().exp([0, 20, 20])
    assert abs(np.linalg.det(boosted.reshape(2, 2)) - 1) > 0.1
    assert same(ah.groups.SL2R().multiply(boosted, boosted), ah.groups.SL2R().exp([0, 40, 40]))
    turn, sheared = ah.groups.SL2R().exp([0, 1, -1]), np.array([1e8, 1e8, 0, 1e-8])
    back = ah.groups.SL2R().multiply(ah.groups.SL2R().inverse(turn), ah.groups.SL2R().multiply(turn, sheared))
    assert abs(np.linalg.det(back.reshape(2, 2)) - 1) > 0.1
    assert same(ah.groups.SL2R().multiply(back, turn), ah.groups.SL2R().multiply(sheared, turn))
    tall = [1e200, 0, 0, 1e-200]
    assert same(ah.groups.SL2R().inverse(tall), np.array([1e-200, 0, 0, 1e200]))


ROTATION = [["q0^2 + q1^2 - q2^2 - q3^2", "2*(q1*q2 - q0*q3)"], ["2*(q1*q2 + q0*q3)", "q0^2 - q1^2 + q2^2 - q3^2"]]
SPIN = [["q0", "-q1", "-q2", "-q3"], ["q1", "q0", "-q3", "q2"], ["q2", "q3", "q0", "-q1"], ["q3", "-q2", "q1", "q0"]]
HALF = [["cos(a/2)", "-sin(a/2)"], ["sin(a/2)", "cos(a/2)"]]


@pytest.mark.parametrize(
    ("group", "names", "action", "says"),
    [
        (ah.groups.Rn("s"), "x", [["0"]], ()),
        (ah.groups.Rn("s"), "x", [["log(s)"]], ("s", "0")),
        (ah.groups.Rn("s"), "x", [["1/(s - 2)^2 + 3/4"]], ()),
        # A homomorphism as long as products stay near the identity.
        (ah.groups.Rn("s"), "x", [["exp((s + abs(s - 1.5) + abs(s + 1.5) - 3)/2 + s/2)"]], ()),
        (ah.groups.SO3(), "xy", ROTATION, ()),
        (ah.groups.SO3(), "xyzu", SPIN, ("SO3",)),
        (ah.groups.Circle("a"), "xy", HALF, ()),
    ],
)
def test_an_action_is_one_on_the_whole_group(group, names, action, says) -> None:
    with blames(ah.errors.DeclarationError, *says):
        ah.groups.Semidirect(group, list(names), action)


def test_a_cover_acts_where_the_group_does_not() -> None:
    assert ah.groups.Semidirect(ah.groups.SU2(), list("xyzu"), SPIN).dimension == 7
    assert ah.groups.Semidirect(ah.groups.Rn("a"), ["x", "y"], HALF).algebra.name == "se(2)"
    matrix = sympy.Matrix([[sympy.exp(sympy.Symbol("s"))]])
    assert ah.groups.Semidirect(ah.groups.Rn("s"), ["x"], matrix).name == "R(s) @ R(x)[exp(s)]"


@pytest.mark.parametrize("name", ["rotation matrices", "matrices of the plane", "SO21", "SL2R", "triangular"])
@pytest.mark.parametrize("size", [1e-1, 1e-4, 1e-8, 1e-12])
def test_logarithms_of_matrices_near_the_identity(name: str, size: float) -> None:
    """Compared with the series in 60 digits of the very matrix; its diagonal is rounded as numbers of size one are."""
    group = GROUPS[name][0]
    xi = size * np.random.default_rng(3).uniform(-1, 1, group.dimension)
    g = group.exp(xi)
    with mpmath.workdps(60):
        away = mpmath.matrix(group.element(g).tolist()) - mpmath.eye(group.size)
        power, total = mpmath.eye(group.size), mpmath.zeros(group.size)
        for k in range(1, 80):
            power = power * away
            total += power * (-1) ** (k + 1) / k
        exact = np.array([float(entry) for entry in total])
    basis = np.array([[float(q.p) / float(q.q) for row in E for q in row] for E in group.basis])
    found = group.log(g)
    assert abs(found - np.linalg.lstsq(basis.T, exact, rcond=None)[0]).max() < 1e-14 * size
    if name not in ("SL2R", "triangular"):
        assert abs(found - xi).max() < 1e-14 * size


def test_signs_tell_what_the_invariants_do_not() -> None:
    for name in ("rotation matrices", "SO21", "SL2R", "triangular", "matrices of the plane"):
        group = GROUPS[name][0]
        for regime in ("generic", "near the cut locus"):
            assert all(value > 0 for xi in vectors(name, regime, 3) for value in group.signs(group.exp(xi)).values())
    turns, lorentz, triangular = (GROUPS[name][0] for name in ("rotation matrices", "SO21", "triangular"))
    assert turns.signs(np.diag([1.0, 1.0, -1.0]).ravel()) == {"the determinant": -1}
    assert min(lorentz.signs(np.diag([-1.0, 1.0, -1.0]).ravel()).values()) < 0
    assert sorted(np.sign(list(triangular.signs(np.array([-2.0, 1.0, -3.0])).values()))) == [-1, -1]


@pytest.mark.parametrize(
    ("group", "start", "says"),
    [
        (ah.groups.MatrixGroup(TURNS), np.diag([1, 1, -1]), ()),
        (ah.groups.MatrixGroup(TURNS), np.diag([-1, -1, -1]), ()),
        (ah.groups.SO21(), np.diag([-1, 1, -1]), ("1",)),
        (ah.groups.MatrixGroup(TURNS, "a_") * ah.groups.Rn("x"), np.diag([1, -1, 1]), ()),
    ],
)
def test_a_start_is_where_a_motion_can_lead(group, start, says) -> None:
    system = ah.System(name="s", group=group, kinetic=[1] * group.dimension)
    names = [q.name for q in group.coordinates if q.name != "x"]
    state = dict(zip(names, start.ravel().tolist(), strict=True)) | {w.name: 0.1 for w in group.speeds}
    state |= {"x": 0.0} if group.coordinates[-1].name == "x" else {}
    for project in (False, True):
        with blames(ah.errors.StateError, *says):
            system.simulate(state, until=1, project=project)
    system.simulate(state | dict(zip(names, np.diag([-1, -1, 1]).ravel().tolist(), strict=True)), until=0.1)


def test_products_of_groups_cost_what_their_factors_cost() -> None:
    """Jacobi's identity is a sum of products of constants, and most of these vanish."""
    one = len(jacobiators(ah.groups.SE3().algebra.constants_abd))
    four = ah.groups.SE3("a_") * ah.groups.SE3("b_") * ah.groups.SE3("c_") * ah.groups.SE3("d_")
    assert len(jacobiators(four.algebra.constants_abd)) == 4 * one
    assert ah.groups.Heisenberg(dimension=101).algebra.satisfies_jacobi


@pytest.mark.parametrize(
    ("basis", "powers"),
    [
        ([np.diag([1, 2])], "g11**2 - g22"),
        ([np.diag([1, -3])], "g11**3*g22 - 1"),
        ([[[1, -1, 0], [1, 1, 0], [0, 0, 6]]], "(g11*g22 - g12*g21)**3 - g33"),
        ([np.diag([2, 3, 0]), np.diag([0, 0, 1])], "g11**3 - g22**2"),
    ],
)
def test_relations_between_determinants_of_blocks_are_found(basis, powers) -> None:
    """diag(e^s, e^2s) is a curve, not a plane; a start beside it is noticed."""
    group = ah.groups.MatrixGroup(basis)
    wanted = symengine.sympify(powers)
    found = [value for label, value in group.invariants.items() if label.startswith("determinant")]
    assert any(is_zero(value - wanted) or is_zero(value + wanted) for value in found)
    g = group.exp(np.random.default_rng(5).uniform(-0.7, 0.7, group.dimension))
    here = dict(zip(group.coordinates, map(float, g), strict=True))
    assert all(abs(float(value.xreplace(here))) < 1e-12 for value in group.invariants.values())
