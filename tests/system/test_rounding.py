"""Starts at special headings: what only the rounding of a double determines is not determined.

The truth is linear algebra in 60 digits at the exact angles, multiples of pi/4 among them, written without the package.
"""

from __future__ import annotations

import math
import random
import re

import mpmath
import pytest
import sympy

import anholonomy as ah
from anholonomy.algebra.numbers.balls import precision
from anholonomy.catalogue import chaplygin_sleigh, skate
from anholonomy.system.states.complete_state import complete_state
from tests.wording import blames

QUARTERS = [
    math.pi / 2,
    -math.pi / 2,
    3 * math.pi / 2,
    5 * math.pi / 2,
    math.radians(270),
    "pi/2",
    "-3*pi/2",
    sympy.pi / 2,
]
START = {"x": 0, "y": 0, "x'": 1, "theta'": 0.5}


def completed(system, state, **options):
    with precision(30):
        return {s.name: float(v.mid()) for s, v in complete_state(system.model, state, **options).items()}


def nearest_in(problem):
    """The start that a refusal recommends."""
    return {
        name: float(value) for name, value in re.findall(r"([a-z_]+\d*')=(\S+?)[,;]", str(problem).split("has")[-1])
    }


@pytest.mark.parametrize("theta", QUARTERS, ids=str)
@pytest.mark.parametrize("system", [skate(), chaplygin_sleigh()], ids=lambda system: system.name)
def test_a_quarter_turn_leaves_the_velocity_along_the_blade_open(system, theta):
    with blames(ah.errors.StateError, "y'") as caught:
        system.simulate({**START, "theta": theta}, until=1)
    assert nearest_in(caught.value) == {"x'": 0, "y'": 0, "theta'": 0.5}
    with blames(ah.errors.StateError, "y'"):
        completed(system, {**START, "theta": theta, "x'": 0})
    at_rest = completed(system, {**START, "theta": theta}, project=True)
    assert abs(at_rest["x'"]) < 1e-15
    assert abs(at_rest["y'"]) < 1e-15
    along = completed(system, {"x": 0, "y": 0, "theta": theta, "y'": 1, "theta'": 0.5})
    assert abs(along["x'"]) < 1e-15


def test_texts_and_numbers_of_sympy_are_exact():
    system = ah.System(name="s", coordinates=["x"], lagrangian="x'^2/2")
    with precision(30):
        for text in ("pi/3", sympy.pi / 3):
            point = complete_state(system.model, {"x": text, "x'": "1/3"})
            assert max(abs(v - e) for v, e in zip(point.values(), _thirds(), strict=False)) < 1e-30
    for wrong in ("theta", "1/0", "sqrt(-1)", "30°", sympy.I, True, None):
        with blames(ah.errors.StateError):
            completed(system, {"x": wrong, "x'": 0})


def _thirds():
    import flint

    return flint.arb.pi() / 3, flint.arb(1) / 3


@pytest.mark.parametrize(
    ("row", "place", "near"),
    [
        ("y' = x'*tan(theta)", math.pi / 2, math.pi / 2 + 1e-9),
        ("(theta^2 - 2)*y' = x'", math.sqrt(2), math.sqrt(2) * (1 + 1e-9)),
        ("(theta - 0.3)*y' = x'", 0.1 + 0.2, 0.3 + 1e-9),
        ("cos(theta)*y'^3 = sin(theta)*x'", math.pi / 2, math.pi / 2 - 1e-9),
        ("sin(theta)*y' = x'", 1.2246467991473532e-16, 1e-9),
        ("(cos(theta)^2 - sin(theta)^2)*y' = x'", math.pi / 4, math.pi / 4 - 1e-9),
    ],
)
def test_rounding_is_recognised_whatever_the_special_place(row, place, near):
    lagrangian = "(x'^2 + y'^2 + theta'^2)/2"
    system = ah.System(name="s", coordinates=["x", "y", "theta"], lagrangian=lagrangian, constraints=[row])
    with blames(ah.errors.StateError):
        completed(system, {**START, "theta": place})
    assert abs(completed(system, {**START, "theta": near})["y'"]) > 1e2


def trial(seed):
    """Wheels at random headings, right angles overrepresented, in units a million times larger or smaller."""
    rng = random.Random(seed)
    wheels, unit = rng.randint(1, 3), 10.0 ** rng.choice([-6, 0, 6])
    quarters = [rng.randint(-6, 6) if rng.random() < 0.7 else None for _ in range(wheels)]
    angles = [round(rng.uniform(-3, 3), 4) if k is None else k * math.pi / 4 for k in quarters]
    with mpmath.workdps(60):
        exact = [mpmath.mpf(a) if k is None else k * mpmath.pi / 4 for a, k in zip(angles, quarters, strict=True)]
    lengths = [unit * round(rng.uniform(0.3, 2), 3) for _ in range(wheels)]
    names = ["x'", "y'", *(f"a{i}'" for i in range(wheels))]
    missing = sorted(rng.sample(names, wheels))
    moving = rng.random() < 0.8
    given = {n: moving * round(rng.uniform(-2, 2), 3) * (unit if n in "x'y'" else 1) for n in names if n not in missing}
    return wheels, angles, exact, lengths, names, missing, given


def rows_of(angles, lengths, sin, cos):
    """The i-th wheel has the heading a0 + … + ai, and its axle is moved by ai' at the length of its arm."""
    for i in range(len(angles)):
        heading = sum(angles[: i + 1])
        arms = [lengths[i] * cos(angles[i]) if j == i else 0 for j in range(len(angles))]
        yield [-sin(heading), cos(heading), *arms]


def system_of(wheels):
    angles = [f"a{i}" for i in range(wheels)]
    rows = []
    for i in range(wheels):
        heading = " + ".join(angles[: i + 1])
        rows.append(f"-sin({heading})*x' + cos({heading})*y' + l{i}*cos(a{i})*a{i}' = 0")
    return ah.System(
        name="train",
        coordinates=["x", "y", *angles],
        lagrangian="(" + " + ".join(f"{q}'^2" for q in ["x", "y", *angles]) + ")/2",
        constraints=rows,
        parameters=[f"l{i}" for i in range(wheels)],
    )


SYSTEMS = {wheels: system_of(wheels) for wheels in (1, 2, 3)}


def compare(seed):
    wheels, angles, exact, lengths, names, missing, given = trial(seed)
    state = {"x": 0, "y": 0} | {f"a{i}": each for i, each in enumerate(angles)}
    state |= {f"l{i}": each for i, each in enumerate(lengths)}
    with mpmath.workdps(60):
        unit = lengths[0]
        scale = {n: mpmath.mpf(unit) if n in "x'y'" else mpmath.mpf(1) for n in names}
        A = mpmath.matrix(list(rows_of(exact, [mpmath.mpf(each) for each in lengths], mpmath.sin, mpmath.cos)))
        J = mpmath.matrix(wheels, wheels)
        b = mpmath.matrix(wheels, 1)
        for i in range(wheels):
            for k, n in enumerate(missing):
                J[i, k] = A[i, names.index(n)] * scale[n] / unit
            b[i] = -sum(A[i, names.index(n)] * mpmath.mpf(v) for n, v in given.items()) / unit
        U, sizes, _ = mpmath.svd_r(J, full_matrices=True)
        rank = sum(1 for s in sizes if s > mpmath.mpf(10) ** -20)
        open_rows = [abs(sum(U[i, k] * b[i] for i in range(wheels))) for k in range(rank, wheels)]
        solvable = all(gap < mpmath.mpf(10) ** -12 for gap in open_rows)
        truth = mpmath.lu_solve(J, b) if rank == wheels else None
    system = SYSTEMS[wheels]
    if truth is not None:
        found = completed(system, {**state, **given})
        size = max(abs(float(v)) for v in truth) + max(abs(v) for v in given.values()) / unit
        for n, value in zip(missing, truth, strict=True):
            assert found[n] == pytest.approx(float(value * scale[n]), rel=1e-9, abs=1e-11 * size * float(scale[n])), (
                seed,
                n,
            )
        return "determined"
    with blames(ah.errors.StateError) as caught:
        completed(system, {**state, **given})
    if solvable:
        return "open"
    completed(system, {**state, **nearest_in(caught.value)})
    return "contradicted"


def test_random_trains_at_right_angles():
    seen = [compare(seed) for seed in range(60)]
    assert {"determined", "open", "contradicted"} == set(seen)


@pytest.mark.exhaustive
def test_many_random_trains_at_right_angles():
    for seed in range(60, 1000):
        compare(seed)
