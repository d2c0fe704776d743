r"""Voronec's equations: the constraints put into the Lagrangian, and what that costs.

With the constraints solved for dependent velocities, $\dot q^\nu = a_{\nu i}\,\dot q^i + a_\nu$, the constrained Lagrangian
$l(q, \dot q^i, t) = L$ and the momenta $K_\nu = \partial L/\partial\dot q^\nu$, constraints imposed after differentiating,

.. math::
   \frac{d}{dt}\frac{\partial l}{\partial\dot q^i} = h_i(l) + K_\nu\,\bigl(A^\nu{}_{ij}\,\dot q^j + A^\nu{}_i\bigr)
   + Q_i + a_{\nu i}\,Q_\nu, \qquad h_i = \partial_i + a_{\nu i}\,\partial_\nu, \quad h_t = \partial_t + a_\nu\,\partial_\nu
   :label: voronec

.. math:: A^\nu{}_{ij} = h_j(a_{\nu i}) - h_i(a_{\nu j}), \qquad A^\nu{}_i = h_t(a_{\nu i}) - h_i(a_\nu) .

The coefficients are the curvature $B^\nu{}_{ij} = -\theta^\nu([h_i, h_j])$, $B^\nu{}_{it}$ of the constraints. Leaving their term out
is the classical mistake of varying a Lagrangian after putting the constraints into it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, final

import symengine

from anholonomy.algebra.calculus import along, gradient, jacobian, total_derivative
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, symbol, time, zero
from anholonomy.algebra.steps.definitions import Assign, Recorder, inline
from anholonomy.algebra.steps.derivatives import rates_of_steps
from anholonomy.base.errors import DeclarationError, NotSupportedError, UnknownNameError
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.principles.base import COORDINATES, AbstractPrinciple
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.geometry.connections.ehresmann import EhresmannConnection
from anholonomy.language.arguments import expect_mapping, expression, name_of, plain
from anholonomy.system.constraints import Kind
from anholonomy.system.frames.adapted import solved_frame
from anholonomy.system.model import Model

__all__ = ["Voronec", "voronec_residuals", "voronec_principle"]


@final
class Voronec(AbstractPrinciple):
    """Independent velocities; one equation for each."""

    name = "voronec"
    title = "Voronec's equations"
    handles = Kind.LINEAR | Kind.AFFINE | Kind.TIME_DEPENDENT | Kind.POSITION
    needs = (COORDINATES,)
    choose_frame = staticmethod(solved_frame)

    def _derive(self, model: Model, frame: AdaptedFrame) -> EquationsOfMotion:
        solved = _Solved.of(model, frame)
        record = Recorder("$r")
        lifts, drift = solved.lifts(record)
        flow = rates_of_steps(solved.frame.definitions, solved.flow, record)

        l = model.lagrangian.xreplace(solved.given)
        momenta_i = gradient(l, solved.speeds)
        momenta_n = gradient(model.lagrangian, solved.dependent_velocities)
        right = []
        for i, h_i in enumerate(lifts):
            coasting = along(momenta_i[i], flow)
            pull = along(l, h_i)
            curvature = dot(momenta_n, solved.turning(i, lifts, drift))
            applied = dot(solved.frame.span_ba[i], model.forces_a)
            right.append(pull - coasting + curvature + applied)
        velocities = solved.frame.velocities
        named = [Assign(w, value) for w, value in solved.given.items() if w != value]
        span = solved.frame.span_ba
        return EquationsOfMotion(
            principle=self.name,
            model=model,
            speeds=solved.speeds,
            definitions=(*solved.frame.definitions, *record.assignments, *named),
            K=jacobian(momenta_i, solved.speeds),
            rhs=tuple(right),
            is_definite=True,
            acceleration_matrix=tuple(zip(*span, strict=True)) if span else ((),) * len(velocities),
            acceleration_bias=tuple(along(value, flow) for value in velocities),
            frame=solved.frame,
        )


@final
@dataclass(frozen=True)
class _Solved:
    r"""The constraints as $\dot q^\nu = a_{\nu i}\,\dot q^i + a_\nu$: positions of both kinds of velocities, and the frame."""

    model: Model
    frame: AdaptedFrame
    independent: tuple[int, ...]
    dependent: tuple[int, ...]

    @classmethod
    def of(cls, model: Model, frame: AdaptedFrame) -> _Solved:
        """A frame whose speeds are velocities, its unit entries written as such; any other is refused."""
        if strange := [u.name for u in frame.speeds if u not in model.velocities]:
            names = ", ".join(w.name for w in model.velocities)
            raise NotSupportedError(
                f"{model.name}: Voronec's speeds are velocities of the system ({names}), and {strange[0]} is none of "
                'them; choose among them with `speeds`, or use "hamel", which takes any speeds.'
            )
        independent = tuple(model.velocities.index(u) for u in frame.speeds)
        place = {a: i for i, a in enumerate(independent)}
        span_ba = tuple(
            tuple(symengine.Integer(int(place[a] == i)) if a in place else entry for a, entry in enumerate(row))
            for i, row in enumerate(frame.span_ba)
        )
        offset_a = tuple(zero if a in place else entry for a, entry in enumerate(frame.offset_a))
        dependent = tuple(a for a in range(model.frame.size) if a not in place)
        return cls(model, replace(frame, span_ba=span_ba, offset_a=offset_a), independent, dependent)

    @property
    def written(self) -> _Solved:
        """The same without definitions."""
        span_ba = tuple(inline(row, self.frame.definitions) for row in self.frame.span_ba)
        offset_a = inline(self.frame.offset_a, self.frame.definitions)
        return replace(self, frame=replace(self.frame, span_ba=span_ba, offset_a=offset_a, definitions=()))

    @property
    def speeds(self) -> tuple[Symbol, ...]:
        return self.frame.speeds

    @property
    def given(self) -> dict[Symbol, Expr]:
        """What each velocity is in terms of the independent ones."""
        return dict(zip(self.model.velocities, self.frame.velocities, strict=True))

    @property
    def flow(self) -> dict[Symbol, Expr]:
        """The rates of coordinates and time along a motion."""
        return {**dict(zip(self.model.coordinates, self.frame.velocities, strict=True)), time: symengine.Integer(1)}

    @property
    def dependent_velocities(self) -> tuple[Symbol, ...]:
        return tuple(self.model.velocities[n] for n in self.dependent)

    @property
    def slopes_ni(self) -> Matrix:
        r"""$a_{\nu i}$, a row for each dependent velocity."""
        return tuple(tuple(row[n] for row in self.frame.span_ba) for n in self.dependent)

    @property
    def offset_n(self) -> Vector:
        r"""$a_\nu$."""
        return tuple(self.frame.offset_a[n] for n in self.dependent)

    def lifts(self, record: Recorder) -> tuple[list[dict[Symbol, Expr]], dict[Symbol, Expr]]:
        r"""$h_i$ and $h_t$, each as rates of coordinates, time and definitions."""
        q, definitions = self.model.coordinates, self.frame.definitions
        lifts = [rates_of_steps(definitions, dict(zip(q, row, strict=True)), record) for row in self.frame.span_ba]
        drift = {**dict(zip(q, self.frame.offset_a, strict=True)), time: symengine.Integer(1)}
        return lifts, rates_of_steps(definitions, drift, record)

    def turning(self, i: int, lifts: list[dict[Symbol, Expr]], drift: dict[Symbol, Expr]) -> Vector:
        r"""$A^\nu{}_{ij}\,\dot q^j + A^\nu{}_i$ for each dependent velocity."""
        result = []
        for slopes, offset in zip(self.slopes_ni, self.offset_n, strict=True):
            A_j = [along(slopes[i], h_j) - along(a, lifts[i]) for h_j, a in zip(lifts, slopes, strict=True)]
            A = along(slopes[i], drift) - along(offset, lifts[i])
            result.append(dot(A_j, self.speeds) + A)
        return tuple(result)


def voronec_principle(model: Model, variations: Mapping[Any, Any], frame: AdaptedFrame | None = None) -> Expr:
    r"""What Voronec's principle says vanishes along every motion, for a variation of the independent coordinates.

    .. math::
       \Bigl(\frac{\partial l}{\partial q^s} - \frac{d}{dt}\frac{\partial l}{\partial\dot q^s} + Q_s\Bigr)\delta q^s
       + K_\nu\Bigl(\frac{d}{dt}\delta q^\nu - \delta\dot q^\nu\Bigr), \qquad \delta q^\nu = a_{\nu i}\,\delta q^i

    ``variations`` are the $\delta q^i$ in coordinates, velocities and ``t``, by coordinate; those not given are zero.
    $\delta\dot q^\nu$ is the variation of $a_{\nu i}\dot q^i + a_\nu$, and $\delta\dot q^i = \frac{d}{dt}\delta q^i$. The
    result is in coordinates, independent velocities, their accelerations (``x''``) and ``t``; no coefficient of
    Voronec's equations is used. Which velocities are independent is the choice of ``frame``.

    >>> from anholonomy.catalogue import skate
    >>> from anholonomy.system.frames.adapted import frame_of_speeds
    >>> from anholonomy.algebra.simplification.simplify import simplify
    >>> simplify(voronec_principle(skate(), {"theta": "t"}, frame_of_speeds(skate().model, ["x'", "theta'"])))
    -I*t*theta''
    """
    model = plain(model)
    _refuse_unless_covered(model)
    solved = _Solved.of(model, frame or Voronec().frame(model)).written
    flow = {**solved.flow, **{u: symbol(f"{u.name}'") for u in solved.speeds}}
    delta_i = [delta.xreplace(solved.given) for delta in _read_variations(solved, variations)]
    delta_a = tuple(dot(column, delta_i) for column in zip(*solved.frame.span_ba, strict=True))
    varied = dict(zip(model.coordinates, delta_a, strict=True))
    varied |= {u: total_derivative(delta, flow) for u, delta in zip(solved.speeds, delta_i, strict=True)}

    l = model.lagrangian.xreplace(solved.given)
    momenta_n = gradient(model.lagrangian, solved.dependent_velocities)
    inertia = [total_derivative(p, flow) for p in gradient(l, solved.speeds)]
    transposed = [
        total_derivative(delta_a[n], flow) - along(solved.frame.velocities[n], varied) for n in solved.dependent
    ]
    virtual = dot(gradient(l, model.coordinates), delta_a) - dot(inertia, delta_i)
    applied = dot([Q.xreplace(solved.given) for Q in model.forces_a], delta_a)
    return virtual + applied + dot([K.xreplace(solved.given) for K in momenta_n], transposed)


def _refuse_unless_covered(model: Model) -> None:
    if why := Voronec().obstacle(model):
        raise NotSupportedError(f"{model.name}: Voronec's principle {why}.")


def _read_variations(solved: _Solved, given: Mapping[Any, Any]) -> list[Expr]:
    model = solved.model
    expect_mapping(given, f"{model.name}: the variations", "a dict from coordinates to expressions")
    names = [model.coordinates[i].name for i in solved.independent]
    read = {name_of(q, "a varied coordinate"): value for q, value in given.items()}
    if unknown := sorted(set(read) - set(names)):
        raise UnknownNameError(
            f"{model.name}: {unknown[0]} is not an independent coordinate; vary {', '.join(names)}, the others follow."
        )
    found = [expression(read[q], f"the variation of {q}") if q in read else zero for q in names]
    if strange := sorted(s.name for delta in found for s in delta.free_symbols if s.name not in model.names):
        raise UnknownNameError(
            f"{model.name}: {strange[0]} appears in a variation but is not declared; use other symbols."
        )
    return found


def voronec_residuals(model: Model, connection: EhresmannConnection) -> Vector:
    r"""The same equations without coordinates, as residuals along the lifts $\eta = h_i$ of a connection's base.

    .. math::
       \delta L_c(\eta) + F(\eta) - \mathbb F L\bigl(B(\dot q + \partial_t, \eta)\bigr), \qquad
       L_c(q, \dot q, t) = L(q, \operatorname{pr}\dot q, t), \quad
       \operatorname{pr}\dot q = (\dot q + \partial_t)^h - \partial_t

    They vanish along a motion and along nothing else that is admissible. The curvature is the connection's. Written
    in coordinates, velocities and accelerations of the base, and ``t``.

    >>> from anholonomy.catalogue import skate
    >>> from anholonomy.algebra.simplification.simplify import simplify
    >>> simplify(voronec_residuals(skate(), skate().geometry.ehresmann(["x", "theta"]))[1])
    -I*theta''
    """
    model = plain(model)
    _refuse_unless_covered(model)
    if {*connection.coordinates, time} != {*model.coordinates, time}:
        raise DeclarationError(
            f"{model.name}: the connection is one of other coordinates ({', '.join(map(str, connection.coordinates))}); "
            "give one of this system, such as `system.geometry.ehresmann(base)`."
        )
    one = symengine.Integer(1)
    velocity = dict(zip(model.coordinates, model.velocities, strict=True))
    base = [velocity.get(s, one) for s in connection.base]
    columns = zip(*connection.lifts_ij, strict=True)
    motion = {q: dot(base, column) for q, column in zip(connection.coordinates, columns, strict=True)}
    admissible = {velocity[q]: rate for q, rate in motion.items() if q in velocity}
    flow = motion | {w: symbol(f"{w.name}'") for w in base if w != one}

    L_c = model.lagrangian.xreplace(admissible)
    momenta = gradient(model.lagrangian, model.velocities)
    fibre_derivative = {q: p.xreplace(admissible) for q, p in zip(velocity, momenta, strict=True)}
    pushed = [
        slope - total_derivative(p, flow) + Q.xreplace(admissible)
        for slope, p, Q in zip(
            gradient(L_c, model.coordinates), gradient(L_c, model.velocities), model.forces_a, strict=True
        )
    ]
    residuals = []
    for s, row in zip(connection.base, connection.lifts_ij, strict=True):
        eta = dict(zip(connection.coordinates, row, strict=True))
        turned = [
            fibre_derivative[n] * B * motion[i] * eta[j]
            for (n, i, j), B in (
                (tuple(connection.coordinates[k] for k in place), B) for place, B in connection.curvature.items
            )
        ]
        if s != time:
            residuals.append(dot(pushed, [eta[q] for q in velocity]) - symengine.Add(*turned))
    return tuple(residuals)
