r"""D7: constrained extremals in an adapted frame (Delphenich, section 3.2), for one parameter.

.. math::
   \bar F_i - \nabla_t\bar\Pi_i = 0, \qquad \bar F_\mu = A_\mu^\nu F_\nu, \quad \bar\Pi_\mu = A_\mu^\nu\Pi_\nu, \quad
   \nabla\bar\Pi_\mu = d\bar\Pi_\mu - \gamma_\mu^\nu\,\bar\Pi_\nu, \quad \gamma = dA\,A^{-1}

Two parameters are in `test_D07_fields.py`.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest
import sympy as sp

import anholonomy as ah

t, x, y, z, m = sp.symbols("t x y z m")
q = (x, y, z)
v = sp.symbols("x' y' z'")
dx, dy, dz = v
a = sp.symbols("x'' y'' z''")


class Extremal(NamedTuple):
    """A form (F, Π) and a full frame whose first two members span the constraint bundle."""

    force: tuple[sp.Expr, ...]
    momentum: tuple[sp.Expr, ...]
    frame: sp.Matrix
    constraint: sp.Expr

    def system(self, **words) -> ah.System:
        names = [s.name for s in q]
        return ah.System(
            name="extremal",
            coordinates=names,
            momenta=dict(zip(names, self.momentum, strict=True)),
            forces=dict(zip(names, self.force, strict=True)),
            constraints=[sp.Eq(self.constraint, 0)],
            **words,
        )


L = (1 + y**2) * dx**2 / 2 + dx * dy / 3 + dy**2 / 2 + (2 + sp.sin(x)) * dz**2 / 2 + x * dz - x * y * z
CASES = {
    "from a Lagrangian": Extremal(
        tuple(L.diff(s) for s in q),
        tuple(L.diff(w) for w in v),
        sp.Matrix([[1, 0, y], [0, 1, -x], [0, 0, 1]]),
        dz - y * dx + x * dy,
    ),
    "with friction": Extremal(
        (-dx, -y - dy * dx, t * x),
        (dx, 2 * dy, 2 * dz),
        sp.Matrix([[sp.cos(z), sp.sin(z), 0], [0, 0, 1], [-sp.sin(z), sp.cos(z), 0]]),
        dy * sp.cos(z) - dx * sp.sin(z),
    ),
    "skew mass, moving": Extremal(
        (-y + dx, x * dz - t, -z * dy**2),
        (2 * dx + dy + t * x, (3 + z**2) * dy - dx, (2 + x**2) * dz + sp.sin(t) * dx),
        sp.Matrix([[1, 0, sp.sin(t * y)], [0, 1, x * z], [y, 0, 2]]),
        dz - sp.sin(t * y) * dx - x * z * dy,
    ),
}
STATE = {"x": 0.3, "y": -0.4, "z": 0.7, "t": 0.25}


def along_motion(f: sp.Expr) -> sp.Expr:
    return f.diff(t) + sum(f.diff(s) * rate for s, rate in zip((*q, *v), (*v, *a), strict=True))


def admissible(case: Extremal) -> dict[str, float]:
    at = {sp.Symbol(k): value for k, value in STATE.items()}
    speeds = case.frame.T[:, :2].subs(at) * sp.Matrix([0.8, -0.5])
    return STATE | {w.name: float(s) for w, s in zip(v, speeds, strict=True)}


def printed(case: Extremal, found: dict[str, float], state: dict[str, float]) -> list[float]:
    """(3.41) for every member of the frame; γ is contracted with the velocity of the motion."""
    A = case.frame
    momentum, force = sp.Matrix(case.momentum), sp.Matrix(case.force)
    gamma = A.applyfunc(along_motion) * A.inv()
    barred = A * momentum
    rows = A * force - (barred.applyfunc(along_motion) - gamma * barred)
    values = {sp.Symbol(name): value for name, value in (state | found).items()}
    return [float(row.subs(values)) for row in rows]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
@pytest.mark.parametrize("principle", ["first-variation", "lagrange-dalembert"])
def test_D7_the_constrained_extremals_are_the_motions_of_dalembert(case: Extremal, principle: str) -> None:
    """The two equations along the bundle hold at the accelerations of either principle; the third is the reaction."""
    state = admissible(case)
    found = case.system().derive(principle).accelerations(state)
    *along, across = printed(case, found, state)
    assert max(map(abs, along)) < 1e-13
    assert abs(across) > 1e-2


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_D7_the_whole_of_gamma_is_needed(case: Extremal) -> None:
    """γ_i^ν Π̄_ν is summed over all of ν, constrained members included: without these the equations fail."""
    state = admissible(case)
    found = case.system().derive("first-variation").accelerations(state)
    A = case.frame
    gamma = A.applyfunc(along_motion) * A.inv()
    short = gamma.copy()
    short[:, 2] = sp.zeros(3, 1)
    values = {sp.Symbol(name): value for name, value in (state | found).items()}
    lost = ((gamma - short) * A * sp.Matrix(case.momentum))[:2]
    assert max(abs(float(entry.subs(values))) for entry in lost) > 1e-2


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_D7_in_the_frame_as_declared(case: Extremal) -> None:
    """The same frame as the user's span: the software's two equations are the printed two, term by term in the rates."""
    system = case.system(span=case.frame[:2, :].tolist(), speeds=["u1", "u2"])
    K, right, unknowns = system.derive("first-variation").sympy()
    assert [u.name for u in unknowns] == ["u1'", "u2'"]
    u = sp.symbols("u1 u2")
    velocity = case.frame.T[:, :2] * sp.Matrix(u)
    inside = dict(zip(v, velocity, strict=True))
    flow = [*zip(q, velocity, strict=True), *zip(u, unknowns, strict=True)]

    def rate(f: sp.Expr) -> sp.Expr:
        return f.diff(t) + sum(f.diff(s) * w for s, w in flow)

    momentum = sp.Matrix([p.subs(inside, simultaneous=True) for p in case.momentum])
    force = sp.Matrix([f.subs(inside, simultaneous=True) for f in case.force])
    S = case.frame[:2, :]
    expected = S * force - ((S * momentum).applyfunc(rate) - S.applyfunc(rate) * momentum)
    values = {sp.Symbol(k): sp.Float(value, 30) for k, value in STATE.items()}
    values |= {u[0]: sp.Float("0.8", 30), u[1]: sp.Float("-0.5", 30), unknowns[0]: sp.Float("0.3", 30), unknowns[1]: 2}
    ours = right - K * sp.Matrix(unknowns)
    assert max(abs(entry.subs(values)) for entry in ours - expected) < 1e-25


def test_D7_any_complement_gives_the_same() -> None:
    """The third member of the frame only has to be outside the bundle."""
    case = CASES["with friction"]
    state = admissible(case)
    found = case.system().derive("first-variation").accelerations(state)
    for row in ([1, 2, x], [-sp.sin(z), sp.cos(z), y]):
        other = case._replace(frame=sp.Matrix([*case.frame[:2, :].tolist(), row]))
        *along, _ = printed(other, found, state)
        assert max(map(abs, along)) < 1e-13


def test_D7_holonomic_constraints_reduce_to_the_leaf() -> None:
    """(3.27): with z held by its coordinate the equations are those of x and y alone."""
    F, momentum, _, _ = CASES["skew mass, moving"]
    held = ah.System(
        name="held",
        coordinates=["x", "y", "z"],
        momenta=dict(zip("xyz", momentum, strict=True)),
        forces=dict(zip("xyz", F, strict=True)),
        constraints=["z = 7/10"],
    )
    at = {z: sp.Rational(7, 10), dz: 0}
    leaf = ah.System(
        name="leaf",
        coordinates=["x", "y"],
        momenta={"x": momentum[0].subs(at), "y": momentum[1].subs(at)},
        forces={"x": F[0].subs(at), "y": F[1].subs(at)},
    )
    state = {"x": 0.3, "y": -0.4, "x'": 0.5, "y'": 0.2, "t": 0.25}
    inside = held.derive("first-variation").accelerations(state | {"z": 0.7})
    assert inside.pop("z''") == 0
    assert inside == pytest.approx(leaf.derive("first-variation").accelerations(state), rel=1e-13)
