r"""Systems written down plainly, and the same systems in other coordinates, seen from another frame, by another clock.

.. math:: q = g(x, t), \qquad t = T(s), \qquad L\,dt = L\,T'\,ds, \qquad \dot q = \Bigl(\frac{\partial g}{\partial x}\frac{dx}{ds} + \frac{\partial g}{\partial t}\,T'\Bigr)/T'

Everything is substituted here, by SymPy; nothing is left to the package that is tried.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

import sympy as sp

from anholonomy import System

T = sp.Symbol("t")


def rate(name: str) -> sp.Symbol:
    return sp.Symbol(f"{name}'")


@dataclass(frozen=True)
class Plain:
    """A system and functions that are constant along its motions; constraints are solved for the last velocities."""

    coordinates: tuple[str, ...]
    lagrangian: sp.Expr
    constraints: tuple[sp.Expr, ...] = ()
    integrals: tuple[sp.Expr, ...] = ()

    def system(self, name: str) -> System:
        rows = [f"{text(row)} = 0" for row in self.constraints]
        return System(name=name, coordinates=list(self.coordinates), lagrangian=text(self.lagrangian), constraints=rows)

    def put(self, images: Mapping[str, sp.Expr], clock: sp.Expr = T) -> Plain:
        """The system where each coordinate is a function of new ones and of time, and time is a function of a new one."""
        speed = clock.diff(T)
        there = {q: sp.sympify(image).subs(T, clock) for q, image in images.items()}
        new = {sp.Symbol(q): rate(q) for q in self.coordinates}
        swap: dict[sp.Symbol, sp.Expr] = {T: clock}
        for q, image in there.items():
            total = image.diff(T) + sum(image.diff(s) * v for s, v in new.items())
            swap |= {sp.Symbol(q): image, rate(q): total / speed}

        def seen(value: sp.Expr) -> sp.Expr:
            return value.subs(swap, simultaneous=True)

        return replace(
            self,
            lagrangian=sp.together(speed * seen(self.lagrangian)) if speed != 1 else seen(self.lagrangian),
            constraints=tuple(seen(row) for row in self.constraints),
            integrals=tuple(seen(value) for value in self.integrals),
        )


def text(value: sp.Expr) -> str:
    return str(value).replace("**", "^")


def coordinates_changed(plain: Plain, rng: random.Random, curved: bool = True) -> Plain:
    """Two shears, one of them curved."""
    a, b = rng.sample(plain.coordinates, 2)
    k, m = sp.Rational(rng.choice((-3, -2, -1, 1, 2, 3)), 5), rng.choice((-2, -1, 1, 2))
    straight = {q: sp.Symbol(q) for q in plain.coordinates}
    bend = sp.Symbol(b) ** 2 if curved else sp.Symbol(b)
    once = plain.put(straight | {a: sp.Symbol(a) + k * bend})
    return once.put(straight | {b: sp.Symbol(b) + m * sp.Symbol(a)})


def frame_changed(plain: Plain, rng: random.Random) -> Plain:
    """Somebody passes by with a constant velocity."""
    straight = {q: sp.Symbol(q) for q in plain.coordinates}
    q = rng.choice(plain.coordinates)
    return plain.put(straight | {q: sp.Symbol(q) + sp.Rational(rng.choice((-2, -1, 1, 2)), 3) * T})


def time_changed(plain: Plain, rng: random.Random) -> Plain:
    """Another unit of time, or a clock that is set otherwise."""
    straight = {q: sp.Symbol(q) for q in plain.coordinates}
    return plain.put(straight, rng.choice((2 * T, T / 3, T + 1)))
