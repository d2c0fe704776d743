r"""Random systems whose coordinates live far from zero, and their accelerations to fifty digits by somebody else.

Every coordinate is declared by its distance from an offset, $d = q/s - c$ with $c$ about a thousand: harmless as it is
declared, and noise in doubles once multiplied out. The truth is Lagrange's equations with multipliers, differentiated by SymPy
and solved by mpmath: $M\dot v = f + A^{\mathsf T}\lambda$, $A\dot v = b$.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import mpmath
import sympy

import anholonomy as ah

__all__ = ["KINDS", "Offset", "offset_system", "truth"]

KINDS = ("free", "natural", "linear", "affine", "time-dependent", "nonlinear", "position", "fibred", "one free")
_SHAPES = ("{}", "{}^2", "{}^3", "{}*{}", "({} + {})^2", "1/(1 + {}^2)", "sin({})", "{}/(2 + {}^2)")


@dataclass(frozen=True)
class Offset:
    """A declaration as text, the system it declares, and an admissible state in doubles."""

    kind: str
    lagrangian: str
    constraints: tuple[str, ...]
    forces: dict[str, str]
    parameters: dict[str, float]
    system: ah.System
    positions: tuple[float, ...]
    velocities: tuple[float, ...]
    time: float

    @property
    def names(self) -> list[str]:
        return [q.name for q in self.system.coordinates]


def offset_system(seed: int, kind: str) -> Offset:
    """The system of that number and kind."""
    rng = random.Random(f"{kind} {seed}")
    n = {"free": rng.choice((1, 2, 3)), "one free": 2, "fibred": 3}.get(kind, rng.choice((3, 3, 4)))
    q = [f"q{i}" for i in range(n)]
    offsets = {name: rng.choice((1000, -1000, 300)) for name in q}
    scales = {name: rng.choice((1, 1, 1, 1000, "0.001")) for name in q}
    if kind == "position":  # a state is looked for around 1
        scales[q[-1]] = 1
    parameters = {"a": float(offsets[q[0]])}
    distance = {name: _distance(name, offsets[name], scales[name]) for name in q}
    distance[q[0]] = distance[q[0]].replace(str(offsets[q[0]]), "a") if rng.random() < 0.5 else distance[q[0]]
    base = q[:-1] if kind == "fibred" else q

    def function(timed: bool = False) -> str:
        shape = rng.choice(_SHAPES)
        text = shape.format(*(distance[rng.choice(base)] for _ in range(shape.count("{}"))))
        text = f"{rng.randint(1, 9)}/{rng.randint(5, 9)}*{text}"
        return f"{text}*(1 + t/7)" if timed else text

    speed = {name: f"({name}'/{scales[name]})" if scales[name] != 1 else f"{name}'" for name in q}
    squares = [f"(1 + ({function()})^2)*({speed[name]} + ({function()})*{speed[rng.choice(q)]}/4)^2/2" for name in q]
    linear = " + ".join(f"({function()})*{speed[name]}" for name in q) if kind not in ("free", "natural") else "0"
    lagrangian = f"{' + '.join(squares)} + {linear} - ({function(kind == 'time-dependent')})"
    forces = {q[0]: f"-{speed[q[0]]}/3 + {function()}"} if kind != "free" else {}
    rows, solved = _constraints(kind, q, distance, speed, function)
    delta = {name: round(rng.choice((-1, 1)) * rng.uniform(0.1, 0.9), 3) for name in q}
    if kind == "position":
        delta[q[-1]] = (delta[q[0]]) ** 2 / 3 + 0.25
    positions = [float(scales[name]) * (offsets[name] + delta[name]) for name in q]
    moment = 0.5
    velocities = _admissible(rng, q, scales, rows if kind != "position" else [], solved, positions, parameters, moment)
    if kind == "position":  # the derivative of what holds between coordinates
        first = float(delta[q[0]])
        velocities[-1] = float(scales[q[-1]]) * 2 * first / 3 * velocities[0] / float(scales[q[0]])
    system = ah.System(
        name=f"offset {kind} {seed}", coordinates=q, lagrangian=lagrangian, constraints=rows, forces=forces,
        parameters=parameters,
    )  # fmt: skip
    return Offset(
        kind, lagrangian, tuple(rows), forces, parameters, system, tuple(positions), tuple(velocities), moment
    )


def _distance(name: str, offset: int, scale: object) -> str:
    inner = name if scale == 1 else f"{name}/{scale}"
    return f"({inner} - {offset})" if offset > 0 else f"({inner} + {-offset})"


def _constraints(kind, q, distance, speed, function):  # type: ignore[no-untyped-def]
    """The rows, and the velocity that each is solved for."""
    last = q[-1]
    if kind == "free":
        return [], []
    if kind == "position":
        return [f"{distance[last]} = {distance[q[0]]}^2/3 + 1/4"], []
    others = " + ".join(f"({function(kind == 'time-dependent')})*{speed[name]}" for name in q[:-1])
    free = {"affine": f" + {function()}", "time-dependent": f" + {function(True)}", "fibred": f" + {function()}"}
    if kind == "nonlinear":
        return [f"{speed[last]} + ({function()})^2*{speed[last]}^3/9 = {others} + 1/3"], [last]
    lead = speed[last] if kind == "fibred" else f"(2 + ({function()})^2)*{speed[last]}"
    return [f"{lead} = {others}{free.get(kind, '')}"], [last]


def _read(text: str) -> sympy.Expr:
    """The text with ``q0'`` as the symbol v0; numbers stay exact."""
    for k in range(9):
        text = text.replace(f"q{k}'", f"v{k}")
    return sympy.sympify(text.replace("^", "**").replace("0.001", "Rational(1, 1000)"))


def _equation(text: str) -> sympy.Expr:
    left, right = text.split(" = ")
    return _read(left) - _read(right)


def _admissible(rng, q, scales, rows, solved, positions, parameters, moment):  # type: ignore[no-untyped-def]
    """Random velocities, those that a constraint determines solved for."""
    velocities = [float(scales[name]) * round(rng.uniform(-1, 1), 3) for name in q]
    for row, name in zip(rows, solved, strict=True):
        k = q.index(name)
        phi = _equation(row)
        known = {f"q{i}": x for i, x in enumerate(positions)} | {f"v{i}": v for i, v in enumerate(velocities) if i != k}
        with mpmath.workdps(50):
            exact = {sympy.Symbol(s): sympy.Float(x, 60) for s, x in (known | parameters | {"t": moment}).items()}
            f = sympy.lambdify(sympy.Symbol(f"v{k}"), phi.xreplace(exact), "mpmath")
            velocities[k] = float(mpmath.findroot(f, mpmath.mpf(velocities[k])))
    return velocities


def truth(given: Offset) -> list[mpmath.mpf]:
    r"""The accelerations to fifty digits: $M\dot v + A^{\mathsf T}\mu = f$, $A\dot v = b$."""
    n = len(given.names)
    q, v = sympy.symbols(f"q:{n}"), sympy.symbols(f"v:{n}")
    t = sympy.Symbol("t")
    L = _read(given.lagrangian)
    p = [sympy.diff(L, w) for w in v]
    Q = [_read(given.forces.get(name, "0")) for name in given.names]
    f = [Q[i] + sympy.diff(L, q[i]) - _rate(p[i], q, v, t) for i in range(n)]
    phi = [_equation(row) for row in given.constraints]
    if given.kind == "position":
        phi = [_rate(row, q, v, t) for row in phi]
    A = [[sympy.diff(row, w) for w in v] for row in phi]
    b = [-_rate(row, q, v, t) for row in phi]
    m, at = len(phi), {**dict(zip(q, given.positions, strict=True)), **dict(zip(v, given.velocities, strict=True))}
    at |= {t: given.time} | {sympy.Symbol(name): value for name, value in given.parameters.items()}
    M = [[sympy.diff(row, w) for w in v] for row in p]
    rows = [[*M[i], *(A[k][i] for k in range(m))] for i in range(n)] + [[*A[k], *[0] * m] for k in range(m)]
    with mpmath.workdps(60):
        numbers = sympy.lambdify(list(at), [rows, [*f, *b]], "mpmath")(*map(mpmath.mpf, at.values()))
        return list(mpmath.lu_solve(mpmath.matrix(numbers[0]), mpmath.matrix(numbers[1])))[:n]


def _rate(f, q, v, t):  # type: ignore[no-untyped-def]
    return sympy.Add(*(sympy.diff(f, x) * w for x, w in zip(q, v, strict=True)), sympy.diff(f, t))
