"""Systems with known integrals, measures and multipliers, at random, in disguise."""

from __future__ import annotations

import random

import sympy as sp

from anholonomy import System
from tests.properties.random_laws.disguise import Plain, coordinates_changed, frame_changed, text, time_changed

x, y, z, u, v, w = sp.symbols("x y z x' y' z'")


def number(rng: random.Random) -> sp.Rational:
    return sp.Rational(rng.randint(1, 6), rng.randint(1, 4))


def rolling(rng: random.Random) -> Plain:
    r"""$\dot z = h(x)\,\dot y$: $\dot x$ and $\sqrt{1 + h^2}\,\dot y$ are constant, and a measure is kept."""
    h = number(rng) * x + rng.randint(-2, 2)
    return Plain(("x", "y", "z"), (u**2 + v**2 + w**2) / 2, (w - h * v,), (u, sp.sqrt(1 + h**2) * v))


def gliding(rng: random.Random) -> Plain:
    r"""The same in a field: the energy and $\sqrt{1 + h^2}\,\dot y$."""
    h, V = number(rng) * x, number(rng) * x**2
    T = (u**2 + v**2 + w**2) / 2
    return Plain(("x", "y", "z"), T - V, (w - h * v,), (T + V, sp.sqrt(1 + h**2) * v))


def sliding(rng: random.Random) -> Plain:
    r"""A skate, whose heading is $z$: $\dot z$ and the speed along it."""
    J = number(rng)
    ahead = sp.cos(z) * u + sp.sin(z) * v
    return Plain(("x", "z", "y"), (u**2 + v**2 + J * w**2) / 2, (v * sp.cos(z) - u * sp.sin(z),), (w, ahead))


def separable(rng: random.Random, power: int = 4) -> Plain:
    """Two energies."""
    a, b = number(rng) * x**2, number(rng) * y**power + y
    return Plain(("x", "y"), (u**2 + v**2) / 2 - a - b, (), (u**2 / 2 + a, v**2 / 2 + b))


def central(rng: random.Random, power: int = 2) -> Plain:
    """Energy and angular momentum."""
    V = number(rng) * (x**2 + y**2) ** power
    return Plain(("x", "y"), (u**2 + v**2) / 2 - V, (), ((u**2 + v**2) / 2 + V, x * v - y * u))


def with_integrals(rng: random.Random) -> Plain:
    """In bent coordinates, or in oblique ones that move; by another clock."""
    kind = rng.choice((rolling, sliding, separable, central, gliding))
    if rng.random() < 0.5:
        return time_changed(coordinates_changed(kind(rng), rng), rng)
    small = {separable: {"power": 2}, central: {"power": 1}}.get(kind, {})
    return time_changed(frame_changed(coordinates_changed(kind(rng, **small), rng, curved=False), rng), rng)


def with_measure(rng: random.Random) -> Plain:
    """Constraints of a particle or a skate in a field that moves, in bent coordinates and by another clock."""
    plain = rng.choice((rolling, gliding, sliding))(rng)
    plain = coordinates_changed(plain, rng)
    return time_changed(frame_changed(plain, rng) if rng.random() < 0.5 else plain, rng)


def with_moving_energy(rng: random.Random) -> Plain:
    """A system at rest, seen by somebody who passes by."""
    plain = rng.choice((gliding, separable, central))(rng)
    return time_changed(frame_changed(coordinates_changed(plain, rng, curved=False), rng), rng)


def with_multiplier(rng: random.Random) -> tuple[System, tuple[str, ...], sp.Expr]:
    """A system, its fibre, and its multiplier; made by constraints, or from a Lagrangian by a change of its time."""
    return (constrained if rng.random() < 0.5 else slowed)(rng)


def constrained(rng: random.Random) -> tuple[System, tuple[str, ...], sp.Expr]:
    r"""$\dot z_j = g(x)\,\dot y_j$ over a base of dimension two or three, mixed rows, bent coordinates: $f = (1 + g^2)^{-1/2}$."""
    count = rng.choice([1, 2])
    q = sp.symbols(f"u0:{count + 1}")
    a, b = sp.Rational(rng.randint(1, 5), 4), sp.Rational(rng.randint(-4, 4), 5)
    place, ys = q[0] + a * q[1] ** 2 / 5, [s + b * sp.sin(q[0]) for s in q[1:]]
    g = rng.choice([lambda s: s, sp.sin, lambda s: sp.Rational(1, 2) + s**2, sp.exp])(place)
    zs = [sp.Symbol(f"z{k}'") for k in range(count)]
    L = (_dot(place, q) ** 2 + sum(_dot(each, q) ** 2 for each in ys) + sum(s**2 for s in zs)) / 2
    rows = [s - g * _dot(each, q) for s, each in zip(zs, ys, strict=True)]
    rows = [rows[0], *(row + rng.randint(1, 3) * rows[0] for row in rows[1:])]
    fibre = tuple(f"z{k}" for k in range(count))
    system = System(
        name="constrained", coordinates=[*map(str, q), *fibre], lagrangian=text(L), constraints=[f"{text(r)} = 0" for r in rows]
    )  # fmt: skip
    return system, fibre, (1 + g**2) ** sp.Rational(-1, 2)


def slowed(rng: random.Random) -> tuple[System, tuple[str, ...], sp.Expr]:
    r"""$l^* = \tfrac12G^*_{ij}w'^iw'^j - V$ in the time $d\tau = f\,dt$: $G = G^*/f^2$ and $F_i = \psi_i\,w\!\cdot\!Gw - (\psi\!\cdot\!w)(Gw)_i$ in the time $t$."""
    q = sp.symbols("u0:3")[: rng.choice([2, 3])]
    place = [q[0] + number(rng) * q[1] ** 2 / 5, *q[1:]]
    f = rng.choice([sp.exp(place[0] / 3), 1 / sp.sqrt(1 + place[0] ** 2), (2 + sp.sin(place[0])) ** 2])
    L_new = sum((k + 1) * _dot(each, q) ** 2 for k, each in enumerate(place)) / 2
    V = number(rng) * place[0] * place[1]
    w = [sp.Symbol(f"{s}'") for s in q]
    kinetic = L_new / f**2
    psi = [sp.diff(f, s) / f for s in q]
    p = [kinetic.diff(s) for s in w]
    along = sum(a * b for a, b in zip(psi, w, strict=True))
    forces = {str(s): text(a * 2 * kinetic - along * b) for s, a, b in zip(q, psi, p, strict=True)}
    return System(name="slowed", coordinates=list(map(str, q)), lagrangian=text(kinetic - V), forces=forces), (), f


def _dot(value: sp.Expr, q: tuple[sp.Symbol, ...]) -> sp.Expr:
    return sp.Add(*(value.diff(s) * sp.Symbol(f"{s}'") for s in q))
