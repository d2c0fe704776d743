r"""J15: random systems whose answer is known by how they are built, disguised by other coordinates and constraints.

- leaves: $\dot z = df$, whatever the Lagrangian: yes.
- ideal: $\dot z = A(x)\,\dot x$ with $\partial_z$ orthogonal and a cyclic shadow: yes; a potential of $z$: no.
- wheel: $\dot x = \alpha(\varphi)\,\dot\theta$, $\dot y = \beta(\varphi)\,\dot\theta$ with $L = \tfrac12(\dot x^2 + \dot y^2 + I\dot\theta^2 + J\dot\varphi^2)$: yes exactly
  where $\alpha^2 + \beta^2$ is constant, because the multiplier can only be $-(\dot x, \dot y)$.
- sum: two of them side by side: yes exactly where both are.
- grading: a symmetric plane of rotations, the basis turned: yes exactly where two moments are equal.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest
import symengine

import anholonomy as ah
from anholonomy.algebra.calculus import along
from anholonomy.language.arguments import expression
from tests.vakonomic.extremals import misfit

Parts = tuple[list[str], str, list[str]]
"""Coordinates, Lagrangian and constraints."""


def _number(rng: random.Random) -> str:
    return rng.choice(["1", "2", "3", "1/2", "3/2"])


def leaves(rng: random.Random, yes: bool) -> Parts:
    f = rng.choice(["x^2*y", "x*y", "y^2 - x", "x^3 + y"])
    rates = {"x^2*y": "2*x*y*x' + x^2*y'", "x*y": "y*x' + x*y'", "y^2 - x": "2*y*y' - x'", "x^3 + y": "3*x^2*x' + y'"}
    slope = rates[f] if yes else f"{rates[f]} + {_number(rng)}*y*x'"
    return ["x", "y", "z"], f"({_number(rng)}*x'^2 + y'^2 + (1 + x^2)*z'^2)/2 - {_number(rng)}*x*z", [f"z' = {slope}"]


def ideal(rng: random.Random, yes: bool) -> Parts:
    slope = rng.choice(["y*x' - x*y'", "x^2*y'", "y*x'", "x*y*y' - y*x'"])
    U = "x^2*y + y^2" if yes else f"x^2 + {_number(rng)}*z*y"
    metric = f"(1 + {_number(rng)}*x^2)*x'^2 + {_number(rng)}*y'^2 + (1 + z^2)*(z' - ({slope}))^2"
    return ["x", "y", "z"], f"({metric})/2 - ({U})", [f"z' = {slope}"]


def wheel(rng: random.Random, yes: bool) -> Parts:
    k, r = rng.choice([1, 2, 3]), _number(rng)
    b = r if yes else f"({r} + 1)"
    metric = f"(x'^2 + y'^2 + {_number(rng)}*a'^2 + {_number(rng)}*p'^2)/2 - {_number(rng)}*a^2"
    return ["x", "y", "a", "p"], metric, [f"x' = {r}*cos({k}*p)*a'", f"y' = {b}*sin({k}*p)*a'"]


BUILDERS: dict[str, Callable[[random.Random, bool], Parts]] = {"leaves": leaves, "ideal": ideal, "wheel": wheel}


def disguised(parts: Parts, rng: random.Random, name: str) -> ah.System:
    """Triangular changes of coordinates, and constraints mixed by a matrix that is invertible everywhere."""
    names, L, rows = parts
    q = [symengine.Symbol(n) for n in names]
    w = {s: symengine.Symbol(f"{s.name}'") for s in q}
    old = {s: s + sum((rng.choice([0, 1, -1]) * t**p for t, p in zip(q[:k], (1, 2, 1), strict=False)), symengine.Integer(0))
           for k, s in enumerate(q)}  # fmt: skip
    if any("cos" in row for row in rows):  # headings stay plain
        old = {s: s if s.name in "ap" else s + rng.choice([1, 2, -1]) * q[2] for s in q}
    put = old | {w[s]: along(value, w) for s, value in old.items()}
    phi = []
    for row in rows:
        left, right = row.split("=")
        phi.append((expression(left, "left") - expression(right, "right")).xreplace(put))
    mixed = [phi[0] + (rng.choice([1, -1]) * q[-1] * phi[1] if len(phi) > 1 else 0), *phi[1:]]
    return ah.System(name=name, coordinates=names, lagrangian=expression(L, "L").xreplace(put), constraints=mixed)


def check(kind: str, yes: bool, seed: int, numbers: bool) -> None:
    rng = random.Random(f"{kind}{yes}{seed}")
    system = disguised(BUILDERS[kind](rng, yes), rng, f"{kind} {seed}")
    answer = system.compare_vakonomic()
    assert answer.verdict is ah.Verdict.of(yes), str(answer)
    assert answer.finding.check() is answer.verdict
    if numbers:
        names = [c.name for c in system.coordinates]
        free = names[: len(names) - len(system.constraints)] if kind != "wheel" else names[2:]
        start = {n: 0.3 + 0.1 * k for k, n in enumerate(names)} | {f"{n}'": 0.5 + 0.2 * k for k, n in enumerate(free)}
        assert (misfit(system, start, until=0.6) < 1e-8) == yes


@pytest.mark.exhaustive_for("0-False-ideal", "0-False-leaves", "0-False-wheel", "0-True-leaves", "0-True-wheel")
@pytest.mark.parametrize("kind", BUILDERS)
@pytest.mark.parametrize("yes", [True, False])
@pytest.mark.parametrize("seed", range(2))
def test_J15_disguised_systems(kind: str, yes: bool, seed: int) -> None:
    check(kind, yes, seed, numbers=seed == 0)


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", BUILDERS)
@pytest.mark.parametrize("yes", [True, False])
@pytest.mark.parametrize("seed", range(2, 6))
def test_J15_many_disguised_systems(kind: str, yes: bool, seed: int) -> None:
    check(kind, yes, seed, numbers=seed % 2 == 0)


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("second", [True, False])
def test_J15_two_side_by_side_are_vakonomic_where_both_are(first: bool, second: bool) -> None:
    rng = random.Random(f"{first}{second}")
    (_, L, rows), (names, M, others) = ideal(rng, first), wheel(rng, second)
    far = {"x": "X", "y": "Y"}
    M, *others = (_renamed(text, far) for text in (M, *others))
    system = ah.System(
        name="sum",
        coordinates=["x", "y", "z", "X", "Y", *names[2:]],
        lagrangian=f"{L} + {M}",
        constraints=[*rows, *others],
    )
    assert system.compare_vakonomic().verdict is ah.Verdict.of(first and second)


def _renamed(text: str, names: dict[str, str]) -> str:
    for old, new in names.items():
        text = text.replace(f"{old}'", f"{new}'")
    return text


@pytest.mark.filterwarnings("ignore::anholonomy.errors.ImplausibleMassWarning")
@pytest.mark.parametrize("seed", range(4))
def test_J15_planes_of_rotations_in_a_turned_basis(seed: int) -> None:
    """Moments A, A, C about an axis n, the plane orthogonal to it: yes. Two different moments in the plane: no."""
    rng = random.Random(seed)
    a, b, c, d = (rng.randint(1, 4) for _ in range(4))
    n = Fraction(a * a + b * b + c * c + d * d)
    R = [
        [(a * a + b * b - c * c - d * d) / n, 2 * (b * c - a * d) / n, 2 * (b * d + a * c) / n],
        [2 * (b * c + a * d) / n, (a * a - b * b + c * c - d * d) / n, 2 * (c * d - a * b) / n],
        [2 * (b * d - a * c) / n, 2 * (c * d + a * b) / n, (a * a - b * b - c * c + d * d) / n],
    ]
    turned = [" + ".join(f"({x})*w{k + 1}" for k, x in enumerate(row)) for row in R]
    for moments, yes in (((2, 2, 5), True), ((2, 3, 5), False)):
        L = " + ".join(f"{m}*({w})^2/2" for m, w in zip(moments, turned, strict=True))
        system = ah.System(name="turned", group="SO3", lagrangian=L, constraints=[f"{turned[2]} = 0"])
        assert system.compare_vakonomic().verdict is ah.Verdict.of(yes)
