r"""Paths and variations as a user gives them, by name, and the variations that count: all, those along the constraints, or those that keep them.

.. math::
   \delta w^a = \dot\xi^a + c_{bd}{}^a w^b\xi^d + c_{0d}{}^a\xi^d, \qquad
   \begin{cases} \text{none} & \text{free}\\ \partial\varphi^\nu/\partial w^a\,\xi^a = 0 & \text{nonholonomic}\\
   e_a(\varphi^\nu)\,\xi^a + \partial\varphi^\nu/\partial w^a\,\delta w^a = 0 & \text{vakonomic}\end{cases}

The first is the canonical flip in a frame: the variation of a velocity is the velocity of the variation, $\delta\gamma = \kappa(\dot\xi)$. A nonholonomic
variation has its vertical lift tangent to the constraints, a vakonomic one is tangent to them itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, final

import numpy as np

from anholonomy.algebra.calculus import along, gradient, partial
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, free_symbols, symbol, time, unused, zero
from anholonomy.base.errors import ArgumentError, UnknownNameError, quoted
from anholonomy.geometry.brackets import contract
from anholonomy.geometry.quasi_velocities import velocities_along
from anholonomy.language.arguments import expression
from anholonomy.laws.evaluation import expect_motion
from anholonomy.programs.backends import fast_function
from anholonomy.programs.backends.base import Array
from anholonomy.programs.program import lower
from anholonomy.system.model import Model
from anholonomy.vakonomic.sampled_path import Course, course_of_functions, course_of_motion
from anholonomy.vakonomic.shortest_paths.extremal import Extremal
from anholonomy.vakonomic.shortest_paths.hamiltonian_flow import refuse_unknown

__all__ = [
    "KINDS",
    "Written",
    "conditions",
    "generator_symbols",
    "integrand",
    "read_course",
    "read_variation",
    "read_written",
    "sampled_variation",
    "varied_velocities",
]

KINDS = ("free", "nonholonomic", "vakonomic")


@lru_cache(maxsize=64)
def conditions(model: Model, kind: str) -> Vector:
    """What must vanish for a variation to count."""
    if kind == "free":
        return ()
    if kind == "vakonomic":
        return tuple(_varied(model, c.expression) for c in model.constraints)
    xi, _ = _generators(model)
    return tuple(dot(row, xi) for row in model.matrix_na)


@lru_cache(maxsize=64)
def integrand(model: Model) -> Expr:
    r"""$\langle dL, \delta\gamma\rangle$, whose integral is the first variation of the action."""
    return _varied(model, model.lagrangian)


def _varied(model: Model, f: Expr) -> Expr:
    r"""The change of a function of configuration and velocities, $e_a(f)\,\xi^a + \partial f/\partial w^a\,\delta w^a$."""
    xi, _ = _generators(model)
    return along(f, model.frame.direction(xi)) + dot(gradient(f, model.velocities), varied_velocities(model))


@lru_cache(maxsize=64)
def varied_velocities(model: Model) -> Vector:
    r"""$\delta w$ of the variation that $\xi$ generates."""
    xi, rates = _generators(model)
    turned = contract(model.frame.structure_abd, model.velocities, xi)
    drift = [dot([row[a] for row in model.frame.drift_structure_ad], xi) for a in range(model.frame.size)]
    return tuple(rate + one + other for rate, one, other in zip(rates, turned, drift, strict=True))


@lru_cache(maxsize=64)
def _generators(model: Model) -> tuple[tuple[Symbol, ...], tuple[Symbol, ...]]:
    r"""The symbols $\xi^a$ and $\dot\xi^a$."""
    xi = tuple(unused(f"xi_{name}", model.names.__contains__) for name in model.directions)
    return xi, tuple(symbol(f"{each.name}'") for each in xi)


def generator_symbols(model: Model) -> tuple[Symbol, ...]:
    """The symbols of a variation and of its rates."""
    return tuple(s for part in _generators(model) for s in part)


# Paths: functions of time by names, or a computed motion.


def read_written(model: Model, given: Mapping[Any, Any], interval: Any) -> Written:
    """A path of functions of time; every coordinate has one."""
    functions = _functions(model, given, [q.name for q in model.coordinates], "the path", "coordinate")
    if missing := [q.name for q in model.coordinates if q.name not in functions]:
        raise ArgumentError(
            f"{model.name}: the path lacks {', '.join(missing)}; give every coordinate as a function of t."
        )
    place = {q: functions[q.name].xreplace(model.values) for q in model.coordinates}
    rates = [partial(place[q], time) for q in model.coordinates]
    return Written(model, place, velocities_along(model.frame, place, rates), _interval(model, interval))


@final
@dataclass(frozen=True)
class Written:
    """A path of functions of time, with its velocities and its times; parameters that have values have them."""

    model: Model
    place: Mapping[Symbol, Expr]
    velocities: Vector
    interval: tuple[Expr, Expr]

    def along(self, f: Expr) -> Expr:
        """A function of configuration, velocities and accelerations along the path."""
        model = self.model
        moving = dict(zip(model.velocities, self.velocities, strict=True))
        moving |= {a: partial(w, time) for a, w in zip(model.accelerations, self.velocities, strict=True)}
        return f.xreplace(model.values).xreplace({**moving, **self.place})

    @property
    def course(self) -> Course:
        """The same in numbers."""
        begin, end = (float(each.n(53, real=True)) for each in self.interval)
        return course_of_functions(self.model, self.place, self.velocities, (begin, end))


def read_course(model: Model, path: Any) -> Course:
    """The course of a computed motion, or of an extremal."""
    run = path.run if isinstance(path, Extremal) else path
    expect_motion(run, model)
    return course_of_motion(run, model)


def _interval(model: Model, given: Any) -> tuple[Expr, Expr]:
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise ArgumentError(
            f"{model.name}: interval={quoted(given)} is no stretch of time; give its ends, such as (0, 'pi')."
        )
    ends = tuple(expression(each, "an end of the interval").xreplace(model.values) for each in given)
    if free_symbols(ends) or not float(ends[0].n(53, real=True)) < float(ends[1].n(53, real=True)):
        raise ArgumentError(
            f"{model.name}: interval={quoted(given)} does not go from a time to a later one; give numbers."
        )
    return ends[0], ends[1]


# Variations: functions of time by directions, or numbers along a motion.


def read_variation(model: Model, given: Any) -> Vector:
    """The functions of time that generate a variation; directions that are left out are not varied."""
    functions = _functions(model, given, list(model.directions), "the variation", "direction")
    every: dict[str, Expr] = dict.fromkeys(model.directions, zero) | functions
    return tuple(every[name].xreplace(model.values) for name in model.directions)


def sampled_variation(model: Model, given: Any, path: Any, course: Course) -> Array:
    r"""$\xi$ and $\dot\xi$ at the nodes of a course, side by side; given as functions of time, or as arrays over the times of the motion."""
    if isinstance(given, Mapping) and any(_is_array(value) for value in given.values()):
        return _from_arrays(model, given, path, course.at)
    xi = read_variation(model, given)
    rows = (*xi, *(partial(each, time) for each in xi))
    function = fast_function(lower([], model.parameter_symbols, [], rows))
    return np.asarray(function(course.at, np.zeros((0, course.at.size)), course.values).T)


def _is_array(value: Any) -> bool:
    return not isinstance(value, str) and hasattr(value, "__len__")


def _from_arrays(model: Model, given: Mapping[Any, Any], path: Any, at: Array) -> Array:
    from scipy.interpolate import CubicSpline

    times = np.asarray((path.run if isinstance(path, Extremal) else path).time.values, dtype=float)
    curves: list[Callable[..., Array]] = []
    if strange := [str(name) for name in given if str(name) not in model.directions]:
        raise UnknownNameError(
            f"{model.name}: the variation has {strange[0]:.60}, which is no direction of this system; there are {', '.join(model.directions)}."
        )
    for name in model.directions:
        values = np.asarray(given.get(name, np.zeros_like(times)), dtype=float)
        if values.shape != times.shape or not np.isfinite(values).all():
            raise ArgumentError(
                f"{model.name}: the variation of {name} has the shape {values.shape}; give a finite number for each of the "
                f"{times.size} times of the motion, or a function of t."
            )
        curves.append(CubicSpline(times, values))
    return np.stack([*(curve(at) for curve in curves), *(curve(at, 1) for curve in curves)], axis=1)


def _functions(model: Model, given: Any, known: list[str], what: str, kind: str) -> dict[str, Expr]:
    """Expressions in time and parameters, by names that are among those known."""
    if not isinstance(given, Mapping):
        raise ArgumentError(
            f"{model.name}: {what} is {quoted(given)}; give a motion, or a dict from names to functions of t."
            if kind == "coordinate"
            else f"{model.name}: {what} is {quoted(given)}; give a dict from directions to functions of t."
        )
    found: dict[str, Expr] = {}
    for key, value in given.items():
        name = str(key)
        refuse_unknown(model, name, known, what, kind)
        found[name] = expression(value, f"{what}, {name}")
        if strange := sorted(free_symbols([found[name]]) - {time, *model.parameter_symbols}, key=str):
            raise UnknownNameError(
                f"{model.name}: {what}, {name}, has {strange[0]}, and may depend on t and parameters only."
            )
    return found
