r"""Points of a turning body: the velocity $R(w\times\rho)$ that the rotation gives to the point $\rho$ of the body.

.. math:: v + R(w\times\rho) = 0

says that the point $\rho$, seen from the centre of mass, which moves with $v$, touches the ground without slipping. With
$\rho(\gamma)$ the lowest point and $\gamma = R^{\mathsf T}e_3$ the vertical in the body, the centre of mass has the height
$-\gamma\cdot\rho$; that this height changes at the rate $-\gamma\cdot(w\times\rho)$ is an identity, so it needs no coordinate.
"""

from __future__ import annotations

__all__ = ["ball_scene", "ball_span", "rolling_span", "turning_velocity"]


def turning_velocity(rho: tuple[str, str, str]) -> tuple[str, str, str]:
    r"""$R(w\times\rho)$ as texts, one for each direction of space.

    >>> turning_velocity(("0", "0", "a"))[2]
    'R31*(w2*(a) - w3*(0)) + R32*(w3*(0) - w1*(a)) + R33*(w1*(0) - w2*(0))'
    """
    p1, p2, p3 = rho
    cross = f"(w2*({p3}) - w3*({p2}))", f"(w3*({p1}) - w1*({p3}))", f"(w1*({p2}) - w2*({p1}))"
    first, second, third = (" + ".join(f"R{i}{j}*{part}" for j, part in enumerate(cross, 1)) for i in (1, 2, 3))
    return first, second, third


def rolling_span(rho: tuple[str, str, str]) -> list[list[str]]:
    r"""The three rolling motions with one $w_j = 1$: a basis $(w, \dot x, \dot y)$ that is regular at every attitude.

    >>> rolling_span(("0", "0", "-r"))[0]
    ['1', '0', '0', '-(R12*-(-r) + R13*(0))', '-(R22*-(-r) + R23*(0))']
    """
    p1, p2, p3 = (f"({p})" for p in rho)
    about = ((2, f"-{p3}", 3, p2), (1, p3, 3, f"-{p1}"), (1, f"-{p2}", 2, p1))
    unit = ("1", "0", "0"), ("0", "1", "0"), ("0", "0", "1")
    return [[*unit[j], *(f"-(R{i}{a}*{u} + R{i}{b}*{v})" for i in (1, 2))] for j, (a, u, b, v) in enumerate(about)]


def ball_span() -> list[list[str]]:
    r"""The same for a ball of radius ``r`` about its centre of mass, where $R(e_j\times\gamma)$ needs no product."""
    unit = ("1", "0", "0"), ("0", "1", "0"), ("0", "0", "1")
    return [[*row, f"r*R2{j}", f"-r*R1{j}"] for j, row in enumerate(unit, 1)]


def ball_scene() -> list[dict[str, object]]:
    """A ball of radius ``r`` on the ground, and its track."""
    ball = {"position": ["x", "y", "r"], "rotation": ["q0", "q1", "q2", "q3"], "radius": "r"}
    return [{"shape": "plane"}, {"shape": "sphere", **ball}, {"shape": "trail", "position": ["x", "y", "0"]}]
