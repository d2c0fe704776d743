r"""Velocities of points, rolling motions and momenta of turning bodies, as texts in the rates $w$ and the rotation matrix $R$.

.. math:: v + R(w\times\rho) = 0

says that the point $\rho$ of the body, seen from the centre of mass, which moves with $v$, touches the ground without slipping. With
$\rho(\gamma)$ the lowest point and $\gamma = R^{\mathsf T}e_3$ the vertical in the body, the centre of mass has the height
$-\gamma\cdot\rho$; that this height changes at the rate $-\gamma\cdot(w\times\rho)$ is an identity, so it needs no coordinate.

.. math:: \omega_z = \gamma\cdot w, \qquad (RM)_i, \qquad M = Iw + D\,\gamma\times(w\times\gamma), \qquad D = mr^2

are the rate of turning about the vertical, and the angular momentum of a ball about its contact point, seen from space.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["VOLUME", "about_contact", "ball_span", "in_space", "of_the_vertical", "rolling_span", "turning_velocity"]

VOLUME = "dg(q0, q1, q2, q3) dx dy dw1 dw2 dw3"
"""The volume of a body that rolls with all of its rates."""


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


def in_space(row: int, entries: Sequence[str]) -> str:
    """A component in space of a vector given in the body.

    >>> in_space(3, ("w1", "w2", "w3"))
    'R31*(w1) + R32*(w2) + R33*(w3)'
    """
    return " + ".join(f"R{row}{k}*({entry})" for k, entry in enumerate(entries, start=1))


def about_contact(row: int) -> str:
    """A component in space of the angular momentum about the contact point of a ball with the moments I1, I2, I3."""
    spin = in_space(3, ("w1", "w2", "w3"))
    return in_space(row, [f"I{k}*w{k} + m*r^2*(w{k} - R3{k}*({spin}))" for k in (1, 2, 3)])


def of_the_vertical(moments: Sequence[str]) -> str:
    r"""$\gamma\cdot A^{-1}\gamma$ for the diagonal A.

    >>> of_the_vertical(("I1", "I2", "I3"))
    'R31^2/(I1) + R32^2/(I2) + R33^2/(I3)'
    """
    return " + ".join(f"R3{k}^2/({moment})" for k, moment in enumerate(moments, start=1))
