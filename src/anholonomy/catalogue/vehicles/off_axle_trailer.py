r"""A car that pulls $n$ trailers, each hitched a distance behind the axle before it.

The car's axle is at $(x, y)$ with heading $h_0$; the hitch is $c$ behind each axle, the axle of the next trailer $d$ behind the hitch. No
axle slips sideways:

.. math:: -\sinh_i\,\dot x + \cosh_i\,\dot y - c\sum_{j=0}^{i-1}\cos(h_i - h_j)\,\doth_j
   - d\sum_{j=1}^{i}\cos(h_i - h_j)\,\doth_j = 0, \qquad i = 0, \dots, n .

Speed and turning rate pass from axle to axle, with $\delta_i = h_{i-1} - h_i$, as

.. math:: v_i = v_{i-1}\cos\delta_i + c\,\doth_{i-1}\sin\delta_i, \qquad
   d\,\doth_i = v_{i-1}\sin\delta_i - c\,\doth_{i-1}\cos\delta_i .

In a steady turn the axles run on circles with $\rho_i^2 = \rho_{i-1}^2 + c^2 - d^2$: on the same one if $c = d$. With two trailers the
derived flag is $(2, 3, 5)$, not $(2, 3, 4, 5)$ as for trailers hitched on the axle, so there is no chained form.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from anholonomy.base.errors import ArgumentError
from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.catalogue.scenes import beside, cart
from anholonomy.language.arguments import expect_whole
from anholonomy.public.system import System

__all__ = ["off_axle_trailer"]


def off_axle_trailer(
    n: int = 1, m: float | None = 1.0, J: float | None = 0.1, c: float | None = 0.4, d: float | None = 1.0
) -> System:
    """A car and ``n`` trailers: mass ``m`` and moment of inertia ``J`` at every axle, the hitch ``c`` behind, length ``d``.

    >>> off_axle_trailer(n=3)
    System('3-trailer, off axle', 6 coordinates, 4 constraints)
    """
    n = expect_whole(n, "off-axle trailer: `n`", 0, 500, refusal=ArgumentError)
    headings = [f"h{i}" for i in range(n + 1)]
    return System(
        name=f"{n}-trailer, off axle",
        coordinates={"x": "length", "y": "length", **dict.fromkeys(headings, "angle")},
        lagrangian=" + ".join(_kinetic(headings, i) for i in range(n + 1)),
        constraints={f"axle{i}": _no_side_slip(headings, i) for i in range(n + 1)},
        parameters={"m": m, "J": J, **({"c": c, "d": d} if n else {})},
        span=[_direction(headings, "1", "0"), _direction(headings, "0", "1")],
        speeds=["v", "w"],
        scene=_scene(headings),
    )


def _scene(headings: list[str]) -> list[dict[str, Any]]:
    """A box on every axle, its wheels, and both parts of each hitch; the first and the last leave trails."""
    size = "d" if len(headings) > 1 else "(2*sqrt(J/m))"
    shapes: list[dict[str, Any]] = [{"shape": "plane"}]
    rod, height = {"shape": "rod", "radius": f"0.03*{size}"}, f"0.25*{size}"
    at = ["x", "y", height]
    for i, own in enumerate(headings):
        if i:
            hitch = beside(at[0], at[1], headings[i - 1], "-c", "0", height)
            axle = beside(hitch[0], hitch[1], own, "-d", "0", height)
            shapes += [rod | {"position": hitch, "to": at}, rod | {"position": axle, "to": hitch}]
            shapes.append({"shape": "point", "position": hitch, "radius": f"0.05*{size}", "colour": "accent"})
            at = axle
        shapes += cart(at[0], at[1], own, size, "second" if i else "body", trail=i in (0, len(headings) - 1))
    return shapes


def _arm(i: int, j: int) -> str:
    """How far axle ``i`` is behind the car along heading ``j``: a hitch for those before it, a trailer for those but the car."""
    return " + ".join([*(["c"] if j < i else []), *(["d"] if j else [])])


def _kinetic(headings: list[str], i: int) -> str:
    """Axle ``i`` is at (x, y) minus the arms along the unit vectors of the headings 0 … i."""
    x, y = "x'", "y'"
    for j, h in enumerate(headings[: i + 1]):
        if arm := _arm(i, j):
            x += f" + ({arm})*sin({h})*{h}'"
            y += f" - ({arm})*cos({h})*{h}'"
    return f"m/2*(({x})^2 + ({y})^2) + J/2*{headings[i]}'^2"


def _no_side_slip(headings: list[str], i: int) -> str:
    own, text = headings[i], f"-sin({headings[i]})*x' + cos({headings[i]})*y'"
    for j, h in enumerate(headings[: i + 1]):
        if arm := _arm(i, j):
            text += f" - ({arm})*cos({own} - {h})*{h}'"
    return f"{text} = 0"


def _direction(headings: list[str], speed: str, rate: str) -> list[str]:
    """The coordinates' rates when the car drives at ``speed`` and turns at ``rate``."""
    row = [f"{speed}*cos({headings[0]})", f"{speed}*sin({headings[0]})", rate]
    for ahead, own in pairwise(headings):
        delta = f"{ahead} - {own}"
        speed, rate = (
            f"(({speed})*cos({delta}) + c*({rate})*sin({delta}))",
            f"(({speed})*sin({delta}) - c*({rate})*cos({delta}))/d",
        )
        row.append(rate)
    return row


ENTRY = Entry(
    make=off_axle_trailer,
    start={"x": 0.0, "y": 0.0, "h0": 0.0, "h1": 0.4, "x'": 1.0, "h0'": 0.6},
    until=12.0,
    facts=(
        "v_i = v_(i-1) cos(delta) + c h_(i-1)' sin(delta), d h_i' = v_(i-1) sin(delta) - c h_(i-1)' cos(delta) "
        "for delta = h_(i-1) - h_i",
        "in a steady turn the axles run on circles with rho_i^2 = rho_(i-1)^2 + c^2 - d^2",
        "with c = 0 it is the n-trailer",
        "with two trailers the derived flag is (2, 3, 5), on the axle it is (2, 3, 4, 5)",
    ),
    claims=Claims(source="Altafini, Int. J. Control 74 (2001)"),
    references=(
        "P. Rouchon, M. Fliess, J. Lévine and P. Martin, Flatness, motion planning and trailer systems, CDC 1993",
        "C. Altafini, Some properties of the general n-trailer, Int. J. Control 74 (2001)",
    ),
)
