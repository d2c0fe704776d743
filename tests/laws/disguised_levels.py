"""Systems on a surface, declared twice: by a constraint on positions that makes other levels wild, and by SymPy in independent coordinates."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import pairwise

import sympy

from anholonomy import System

BASES: dict[str, tuple[list[str], str, list[str]]] = {
    "skate": (["x", "y", "h"], "(vx**2 + vy**2)/2 + vh**2/4", ["vy*cos(h) - vx*sin(h)"]),
    "sleigh": (
        ["x", "y", "h"],
        "(vx**2 + vy**2)/2 + vh**2/4 + vh*(vy*cos(h) - vx*sin(h))/3",
        ["vy*cos(h) - vx*sin(h)"],
    ),
    "particle": (["x", "y", "s"], "(vx**2 + vy**2 + vs**2)/2", ["vs - x*vy"]),
    "oscillator": (["x", "y", "s"], "(vx**2 + vy**2 + vs**2 - x**2 - 2*y**2)/2", ["vs - x*vy"]),
    "integrable": (["x", "y", "s"], "(vx**2 + vy**2 + vs**2)/2 - s", ["vs - y*vx - x*vy"]),
    "curved": (["x", "y", "w", "s"], "(vx**2 + vy**2 + vw**2 + vs**2)/2", ["vs - x*vy - y**2*vw"]),
    "affine": (["x", "y"], "(vx**2 + vy**2)/2", ["x*vy - y*vx - x**2 - y**2"]),
}
"""Coordinates, Lagrangian and constraints, the velocity of x being vx."""


@dataclass(frozen=True)
class Twins:
    """The same motions: ``declared`` with constraints on positions, ``truth`` without."""

    declared: System
    truth: System
    given: dict[str, str]
    """The coordinates that the positions give, as texts in the others."""


def twins(base: str, seed: int, changed: bool = True) -> Twins:
    """A base on a random level, in coordinates that are changed unless said otherwise."""
    rng = random.Random(f"{base} {seed}")
    names, lagrangian, rows = BASES[base]
    q = {name: sympy.Symbol(name) for name in (*names, "z")}
    v = {name: sympy.Symbol(f"v{name}") for name in q}
    read = {symbol.name: symbol for symbol in (*q.values(), *v.values())}
    whole, rows_there = sympy.sympify(lagrangian, read), [sympy.sympify(row, read) for row in rows]

    def coefficient() -> sympy.Rational:
        return sympy.Rational(rng.choice([-3, -2, -1, 1, 2, 3]), rng.choice([1, 2]))

    a, b = rng.sample([name for name in names if name != "h"], 2)
    f = coefficient() * q[a] * q[b] + coefficient() * q[a] + (coefficient() if rng.random() < 0.5 else 0)
    g, slope = q["z"] - f, v["z"] - sum(f.diff(q[name]) * v[name] for name in names)
    whole += (
        slope**2 / 2 + g * (coefficient() * v[a] ** 2 + coefficient() * q[b] ** 3) + coefficient() * slope * g * v[b]
    )
    rows_there = [
        row + g * (coefficient() * v[a] + coefficient() * q[b] * v[b]) + coefficient() * slope for row in rows_there
    ]
    if changed:
        moved = {q[a]: q[a] + coefficient() * q[b] ** 2, q["z"]: q["z"] + coefficient() * q[b]}
        moved |= {v[s.name]: sum(e.diff(q[n]) * v[n] for n in q) for s, e in list(moved.items())}
        whole, g = whole.subs(moved, simultaneous=True), g.subs(moved, simultaneous=True)
        rows_there = [row.subs(moved, simultaneous=True) for row in rows_there]
    (value,) = sympy.solve(g, q["z"])
    rate = sum(value.diff(q[name]) * v[name] for name in names)

    def there(e: sympy.Expr) -> sympy.Expr:
        return sympy.expand(e.subs({v["z"]: rate}).subs({q["z"]: value}))

    declared = _system(base, [*names, "z"], whole, [*rows_there, g])
    return Twins(declared, _system(base, names, there(whole), [there(row) for row in rows_there]), {"z": str(value)})


def _system(name: str, names: list[str], lagrangian: sympy.Expr, rows: list[sympy.Expr]) -> System:
    def text(e: sympy.Expr) -> str:
        return str(e.xreplace({sympy.Symbol(f"v{n}"): sympy.Symbol(f"{n}'") for n in names}))

    assert all(first != second for first, second in pairwise(names))
    return System(
        name=name, coordinates=names, lagrangian=text(lagrangian), constraints=[f"{text(row)} = 0" for row in rows]
    )
