"""Motions in closed form, in any arithmetic: a module with exp, cos, … (numpy, or mpmath for many digits)."""

from __future__ import annotations

from typing import Any

import numpy as np

import anholonomy as ah


def oscillator() -> ah.System:
    return ah.System(
        name="damped oscillator",
        coordinates=["x"],
        lagrangian="m*x'^2/2 - k*x^2/2",
        forces={"x": "-c*x'"},
        parameters={"m": 1.0, "k": 4.0, "c": 0.3},
    )


def oscillation(t: Any, k: Any, c: Any, x: Any, v: Any, by: Any = np) -> Any:
    """x(t) for m = 1, underdamped."""
    w = by.sqrt(k - c * c / 4)
    return by.exp(-c * t / 2) * (x * by.cos(w * t) + (v + c * x / 2) / w * by.sin(w * t))


def sleigh() -> ah.System:
    return ah.catalogue.chaplygin_sleigh()


FORWARD = "x'*cos(theta) + y'*sin(theta)"
"""The speed of the blade."""


def blade(t: Any, m: Any, inertia: Any, a: Any, v0: Any, w0: Any, by: Any = np) -> tuple[Any, Any]:
    r"""Chaplygin's sleigh: $\dot v = a w^2$, $\dot w = -v w\,a/b$ with $b = (I + m a^2)/m$, so that $v = c\tanh s$, $w = c\,\mathrm{sech}(s)/\sqrt b$."""
    b = (inertia + m * a * a) / m
    c = by.sqrt(v0 * v0 + b * w0 * w0)
    artanh = by.atanh if hasattr(by, "atanh") else by.arctanh
    s = a * c * t / b + artanh(v0 / c)
    return c * by.tanh(s), c / by.sqrt(b) / by.cosh(s)
