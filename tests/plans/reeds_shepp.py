"""The shortest paths of Reeds and Shepp's car, by their formulas (Pacific J. Math. 145, 1990, section 8), turning radius one.

By Sussmann and Tang (1991) they are also the fastest of a unicycle with |v| <= 1 and |omega| <= 1, where speeds are chosen freely.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import acos, asin, atan2, cos, hypot, pi, remainder, sin, sqrt, tau


def shortest(x: float, y: float, phi: float) -> float:
    """The length of the shortest path from the origin, heading along x."""
    backwards = (x * cos(phi) + y * sin(phi), x * sin(phi) - y * cos(phi), phi)
    lengths = [each for place in _images(x, y, phi) for each in (*_both_ways(*place), *_one_way(*place))]
    lengths += [each for place in _images(*backwards) for each in _both_ways(*place)]
    return min(lengths)


def _images(x: float, y: float, phi: float) -> list[tuple[float, float, float]]:
    return [(x, y, phi), (-x, y, -phi), (x, -y, -phi), (-x, -y, phi)]


def _turn(angle: float) -> float:
    return remainder(angle, tau)


def _one_way(x: float, y: float, phi: float) -> Iterator[float]:
    xi, eta = x - sin(phi), y - 1 + cos(phi)
    t, u = atan2(eta, xi), hypot(xi, eta)
    if t >= 0 and (v := _turn(phi - t)) >= 0:
        yield t + u + v  # L+ S+ L+
    xi, eta = x + sin(phi), y - 1 - cos(phi)
    rho, angle = hypot(xi, eta), atan2(eta, xi)
    if rho >= 2:
        u = sqrt(rho**2 - 4)
        t = _turn(angle + atan2(2, u))
        if t >= 0 and (v := _turn(t - phi)) >= 0:
            yield t + u + v  # L+ S+ R+
        u = 4 - u
        if u <= 0:
            t = _turn(atan2((4 - u) * xi - 2 * eta, -2 * xi + (u - 4) * eta))
            if t >= 0 and (v := _turn(t - phi)) >= 0:
                yield t + pi - u + v  # L+ R- S- L- R+
    if (share := (2 + rho) / 4) <= 1:
        u = acos(share)
        t, v = _tau_omega(u, -u, xi, eta, phi)
        if t >= 0 >= v:
            yield t + 2 * u - v  # L+ R+ L- R-
    if 0 <= (share := (20 - rho**2) / 16) <= 1:
        u = -acos(share)
        t, v = _tau_omega(u, u, xi, eta, phi)
        if t >= 0 and v >= 0:
            yield t - 2 * u + v  # L+ R- L- R+


def _both_ways(x: float, y: float, phi: float) -> Iterator[float]:
    xi, eta = x - sin(phi), y - 1 + cos(phi)
    rho, angle = hypot(xi, eta), atan2(eta, xi)
    if rho <= 4:
        u = -2 * asin(rho / 4)
        t = _turn(angle + u / 2 + pi)
        if t >= 0:
            yield t - u + abs(_turn(phi - t + u))  # L+ R- L
    if rho >= 2:
        r = sqrt(rho**2 - 4)
        u, t = 2 - r, _turn(angle + atan2(r, -2))
        if t >= 0 >= u and (v := _turn(phi - pi / 2 - t)) <= 0:
            yield t + pi / 2 - u - v  # L+ R- S- L-
    xi, eta = x + sin(phi), y - 1 - cos(phi)
    rho, t = hypot(xi, eta), atan2(xi, -eta)
    if rho >= 2:
        u = 2 - rho
        if t >= 0 >= u and (v := _turn(t + pi / 2 - phi)) <= 0:
            yield t + pi / 2 - u - v  # L+ R- S- R-


def _tau_omega(u: float, v: float, xi: float, eta: float, phi: float) -> tuple[float, float]:
    delta = _turn(u - v)
    A, B = sin(u) - sin(delta), cos(u) - cos(delta) - 1
    t1 = atan2(eta * A - xi * B, xi * A + eta * B)
    far = 2 * (cos(delta) - cos(v) - cos(u)) + 3 < 0
    t = _turn(t1 + pi) if far else _turn(t1)
    return t, _turn(t - u + v - phi)
