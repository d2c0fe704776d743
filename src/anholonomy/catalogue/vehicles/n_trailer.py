r"""A car that pulls $n$ trailers, each hitched to the axle before it.

The car's axle is at $(x, y)$ with heading $\theta_0$; trailer $i$ has heading $\theta_i$ and its axle a distance $d$ behind the one
before. No axle slips sideways:

.. math:: -\sin\theta_i\,\dot x + \cos\theta_i\,\dot y - d\sum_{j=1}^{i}\cos(\theta_i - \theta_j)\,\dot\theta_j = 0,
   \qquad i = 0, \dots, n .

Two speeds remain, that of the car and its turning rate, and the speed of each axle is the share of the one before
that its heading takes up:

.. math:: v_i = v_{i-1}\cos(\theta_{i-1} - \theta_i), \qquad d\,\dot\theta_i = v_{i-1}\sin(\theta_{i-1} - \theta_i) .
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from anholonomy.base.errors import ArgumentError
from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.catalogue.scenes import beside, cart
from anholonomy.language.arguments import expect_whole
from anholonomy.public.system import System

__all__ = ["n_trailer"]


def n_trailer(n: int = 2, m: float | None = 1.0, J: float | None = 0.1, d: float | None = 1.0) -> System:
    """A car and ``n`` trailers: mass ``m`` and moment of inertia ``J`` at every axle, hitch length ``d``.

    >>> n_trailer(n=3)
    System('3-trailer', 6 coordinates, 4 constraints)
    """
    n = expect_whole(n, "n-trailer: `n`", 0, 500, refusal=ArgumentError)
    headings = [f"theta{i}" for i in range(n + 1)]
    return System(
        name=f"{n}-trailer",
        coordinates={"x": "length", "y": "length", **dict.fromkeys(headings, "angle")},
        lagrangian=" + ".join(_kinetic(headings, i) for i in range(n + 1)),
        constraints={f"axle{i}": _no_side_slip(headings, i) for i in range(n + 1)},
        parameters={"m": m, "J": J, "d": d},
        span=_span(headings),
        speeds=["v", "omega"],
        scene=_scene(headings),
    )


def _scene(headings: list[str]) -> list[dict[str, Any]]:
    """A box on every axle, its wheels, and the hitches; the axles leave trails."""
    shapes: list[dict[str, Any]] = [{"shape": "plane"}]
    x: Any = "x"
    y: Any = "y"
    for i, own in enumerate(headings):
        before = [x, y, "0.25*d"]
        if i:
            x, y, _ = beside(x, y, own, "-d", "0", "0")
            shapes.append({"shape": "rod", "position": [x, y, "0.25*d"], "to": before, "radius": "0.03*d"})
        shapes += cart(x, y, own, "d", "second" if i else "body", trail=i in (0, len(headings) - 1))
    return shapes


def _kinetic(headings: list[str], i: int) -> str:
    """Axle ``i`` is at (x, y) minus d times the unit vectors of the headings 1 … i."""
    pulled = headings[1 : i + 1]
    x = "x'" + "".join(f" + d*sin({h})*{h}'" for h in pulled)
    y = "y'" + "".join(f" - d*cos({h})*{h}'" for h in pulled)
    return f"m/2*(({x})^2 + ({y})^2) + J/2*{headings[i]}'^2"


def _no_side_slip(headings: list[str], i: int) -> str:
    own = headings[i]
    pulled = "".join(f" - d*cos({own} - {h})*{h}'" for h in headings[1 : i + 1])
    return f"-sin({own})*x' + cos({own})*y'{pulled} = 0"


def _span(headings: list[str]) -> list[list[str]]:
    """Drive and turn: regular in every posture, jack-knifed ones included."""
    drive, speed = [f"cos({headings[0]})", f"sin({headings[0]})", "0"], ""
    for ahead, own in pairwise(headings):
        drive.append(f"{speed}sin({ahead} - {own})/d")
        speed += f"cos({ahead} - {own})*"
    return [drive, ["0", "0", "1"] + ["0"] * (len(headings) - 1)]


ENTRY = Entry(
    make=n_trailer,
    start={"x": 0.0, "y": 0.0, "theta0": 0.0, "theta1": 0.4, "theta2": 0.9, "x'": 1.0, "theta0'": 0.6},
    until=12.0,
    facts=(
        "v_i = v_(i-1) cos(theta_(i-1) - theta_i)",
        "d theta_i' = v_(i-1) sin(theta_(i-1) - theta_i)",
        "pulled straight ahead, the train stays straight",
        "the growth vector is (2, 3, ..., n + 3), but at right angles of all hitches it takes F(n + 3) steps, a Fibonacci number",
    ),
    claims=Claims(source="Laumond, IEEE Trans. Robotics Autom. 9 (1993)"),
    references=(
        "J.-P. Laumond, Controllability of a multibody mobile robot, IEEE Trans. Robotics Autom. 9 (1993)",
        "F. Jean, The car with N trailers: characterisation of the singular configurations, ESAIM: COCV 1 (1996)",
        "O. J. Sørdalen, Conversion of the kinematics of a car with n trailers into a chained form, ICRA 1993",
    ),
)
