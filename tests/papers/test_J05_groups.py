r"""J5: mechanical systems on a Lie group, metric and potential depending on the point (Jóźwikowski & Respondek, section 3.1).

(3.2) with $\langle\mathrm{ad}^*_a\xi, b\rangle = \langle\xi, [a, b]\rangle$, (3.5), Proposition 3.1 and the energy after it.
"""

from __future__ import annotations

import pytest
import sympy as sp

import anholonomy as ah
from anholonomy.algebra.calculus import along
from anholonomy.algebra.expressions import dot, symbol, zero
from anholonomy.geometry.groups import as_group
from tests.papers.motions import vanishes_on_motions

FUNCTIONS = {
    "SO3": ("R33", "R12*R21"),
    "SE2": ("x*cos(theta)", "y + sin(theta)"),
    "Heisenberg": ("x*y", "z"),
    "SO21": ("g11*g23", "g33"),
}


def on(name: str, constraints: tuple[str, ...] = ()) -> ah.System:
    group = as_group(name)
    f, h = FUNCTIONS[name] if name != "Heisenberg" else [q.name for q in group.coordinates[:2]]
    w = [s.name for s in group.speeds]
    return ah.System(
        name=name, group=name, kinetic=[["5 + " + f + "^2", f"{h}/7", 0], [f"{h}/7", 4, "1/3"], [0, "1/3", f"3 + {h}^2"]],
        potential=f"{f} + 2*{h}", constraints=[c.format(*w) for c in constraints],
    )  # fmt: skip


def equation_3_5(system: ah.System, b: list, sign: int = -1) -> object:
    r"""$g(\dot a, b) + \langle d_xg(a, b), x_*a\rangle - g(a, [a, b]) - \frac12\langle d_xg(a, a), x_*b\rangle + \langle d_xU, x_*b\rangle$."""
    frame, a = system.geometry.frame, system.velocities
    size = range(frame.size)
    L = system.lagrangian
    g = [[L.diff(v).diff(w) for w in a] for v in a]
    U = -L.xreplace(dict.fromkeys(a, zero))
    c = frame.structure_abd
    rates = [symbol(f"{w.name}'") for w in a]
    bracket = [sum(c[i][j][d] * a[i] * b[j] for i in size for j in size) for d in size]
    form = lambda metric, u, v: sum(metric[i][j] * u[i] * v[j] for i in size for j in size)
    field = lambda v: {
        q: dot(column, v) for q, column in zip(frame.coordinates, zip(*frame.anchor_ai, strict=True), strict=True)
    }
    slope = lambda v: [[along(entry, field(v)) for entry in row] for row in g]
    return (
        form(g, rates, b) + form(slope(a), a, b) + sign * form(g, a, bracket)
        - form(slope(b), a, a) / 2 + along(U, field(b))
    )  # fmt: skip


UNITS = [[int(i == j) for j in range(3)] for i in range(3)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_J5_the_equations_of_a_system_on_a_group(name: str) -> None:
    """(3.5) holds along the motion for every b, and with the other sign of the bracket it does not."""
    system = on(name)
    assert vanishes_on_motions(system, [equation_3_5(system, b) for b in UNITS])
    assert not vanishes_on_motions(system, [equation_3_5(system, b, sign=1) for b in UNITS])
    assert system.verify(states=2).agree


@pytest.mark.parametrize("name", FUNCTIONS)
def test_J5_proposition_3_1(name: str) -> None:
    """With a constraint on the body velocity (3.5) holds for b in d, and not for other b."""
    system = on(name, ("{0} + 2*{1} - {2} = 0",))
    assert vanishes_on_motions(system, [equation_3_5(system, b) for b in ([2, -1, 0], [1, 0, 1])])
    assert not vanishes_on_motions(system, [equation_3_5(system, [1, 2, -1])])
    assert system.verify(states=2).agree


@pytest.mark.parametrize("name", ["SO3", "SE2"])
def test_J5_energy_is_conserved(name: str) -> None:
    system = on(name, ("{0} + 2*{1} - {2} = 0",))
    place = {"q0": 1, "q1": 0, "q2": 0, "q3": 0} if name == "SO3" else {"x": 0.2, "y": 0.1, "theta": 0.4}
    first, second, _ = (w.name for w in system.velocities)
    run = system.simulate({**place, first: 0.4, second: 0.3}, until=10)
    assert float(abs(run.energy - run.energy[0]).max()) < 1e-12
    assert float(run["velocity"].std()) > 0.05


@pytest.mark.exhaustive
def test_J5_the_variation_of_the_body_velocity() -> None:
    r"""(3.1): $\partial_sa = \partial_tb + [a, b]$ on matrices."""
    t, s = sp.symbols("t s")
    x = sp.rot_axis3(-t - s * t**2) * sp.rot_axis1(-sp.sin(t) - s * t)
    a, b = (x.T * x.diff(each) for each in (t, s))
    gap = (a.diff(s) - b.diff(t) - (a * b - b * a)).subs({t: sp.Rational(3, 7), s: sp.Rational(2, 5)}).evalf(30)
    assert max(abs(entry) for entry in gap) < 1e-25
    assert max(abs(entry) for entry in (a.diff(s) - b.diff(t)).subs({t: 0.4, s: 0.4})) > 1e-2
