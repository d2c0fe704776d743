"""The quadratic, linear and constant part of a Lagrangian that is undefined at rest."""

from __future__ import annotations

import symengine

from anholonomy.equations import lagrangian as inertia


def quadratic_parts_are_right():
    r"""A Lagrangian that is 0/0 at rest is read at another velocity: $(u^2 + v^2)^2/(u^2 + v^2) + 3u - x$."""
    u, v, x = symengine.symbols("u v x")
    L = (u**4 + 2 * u**2 * v**2 + v**4) / (u**2 + v**2) + 3 * u - x
    parts = inertia.quadratic_parts(L, (u, v))
    flat = [*(entry for row in parts.mass_ab for entry in row), *parts.linear_a, parts.potential]
    return [symengine.expand(entry) for entry in flat] == [2, 0, 0, 2, 3, 0, x]
