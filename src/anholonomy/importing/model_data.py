"""The data of a SymPy object, whichever class it is of: coordinates, speeds, bodies, loads, constraints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, final

from anholonomy.base.errors import DeclarationError, quoted

__all__ = ["Given", "read"]


@final
@dataclass(frozen=True)
class Given:
    """SymPy's data; everything in it is an object of SymPy's.

    ``kinematics``, ``configuration`` and ``velocity`` are expressions meant to vanish. With a ``lagrangian``, the
    ``bodies`` are witnesses only. ``potentials`` says whether potential energies of bodies count, ``values`` what
    constants are.
    """

    coordinates: tuple[Any, ...]
    speeds: tuple[Any, ...] = ()
    dependent: tuple[Any, ...] = ()
    auxiliary: tuple[Any, ...] = ()
    kinematics: tuple[Any, ...] = ()
    lagrangian: Any = None
    bodies: tuple[Any, ...] = ()
    loads: tuple[tuple[Any, Any], ...] = ()
    frame: Any = None
    configuration: tuple[Any, ...] = ()
    velocity: tuple[Any, ...] = ()
    potentials: bool = False
    values: Mapping[Any, float] = field(default_factory=dict)


def read(thing: object) -> Given:
    """The data of a KanesMethod, LagrangesMethod, System or JointsMethod, formed or not, or of a System of PyDy's."""
    from sympy.physics.mechanics import JointsMethod, KanesMethod, LagrangesMethod, System

    if isinstance(thing, KanesMethod):
        return _kane(thing)
    if isinstance(thing, LagrangesMethod):
        return _lagrange(thing)
    if isinstance(thing, System):
        return _system(thing)
    if isinstance(thing, JointsMethod):
        return _joints(thing)
    if type(thing).__module__ == "pydy.system":
        return _pydy(thing)
    raise DeclarationError(
        f"{quoted(thing)} cannot be imported; give a KanesMethod, a LagrangesMethod, a JointsMethod or a System of "
        "sympy.physics.mechanics, or declare a System with SymPy expressions."
    )


def _kane(kane: Any) -> Given:
    if not kane._bodylist:
        raise DeclarationError(
            "this KanesMethod has no bodies yet; call its `kanes_equations(bodies, loads)`, or give `bodies` when making it."
        )
    speeds = kane.u
    kinematics = kane._k_kqdot_implicit * kane._qdot + kane._k_ku_implicit * speeds + kane._f_k_implicit
    velocity = kane._k_nh * speeds + kane._f_nh if kane._k_nh else []
    return Given(
        coordinates=tuple(kane.q),
        speeds=tuple(speeds),
        dependent=tuple(kane._udep),
        auxiliary=tuple(kane._uaux),
        kinematics=tuple(kinematics),
        bodies=tuple(kane._bodylist),
        loads=_pairs(kane._forcelist),
        frame=kane._inertial,
        configuration=tuple(kane._f_h),
        velocity=tuple(velocity),
    )


def _lagrange(method: Any) -> Given:
    loads, holonomic = _pairs(method.forcelist), tuple(method._hol_coneqs)
    if loads and method.inertial is None:
        raise DeclarationError("this LagrangesMethod has loads and no inertial frame; give `frame` when making it.")
    return Given(
        coordinates=tuple(method.q),
        lagrangian=method._L[0],
        # Without a frame there is nothing to ask them.
        bodies=tuple(method.bodies or ()) if method.inertial is not None else (),
        loads=loads,
        frame=method.inertial,
        configuration=holonomic,
        velocity=tuple(method.coneqs)[len(holonomic) :],
    )


def _system(system: Any) -> Given:
    from sympy.physics.mechanics import LagrangesMethod

    if isinstance(system.eom_method, LagrangesMethod):
        return _lagrange(system.eom_method)
    if not system.bodies:
        raise DeclarationError("this System has no bodies; add some, or joints between them.")
    actuated = (load for actuator in system.actuators for load in actuator.to_loads())
    own = system.nonholonomic_constraints if system._vel_constrs is None else system.velocity_constraints
    return Given(
        coordinates=tuple(system.q),
        speeds=tuple(system.u),
        dependent=tuple(system.u_dep),
        auxiliary=tuple(system.u_aux),
        kinematics=tuple(system.kdes),
        bodies=tuple(system.bodies),
        loads=_pairs([*system.loads, *actuated]),
        frame=system.frame,
        configuration=tuple(system.holonomic_constraints),
        velocity=tuple(own),
        # They count for Lagrange's method and not for Kane's, and a System not yet formed has not chosen Kane's.
        potentials=system.eom_method is None,
    )


def _joints(method: Any) -> Given:
    if method.method is not None:
        return read(method.method)
    return Given(
        coordinates=tuple(method.q),
        speeds=tuple(method.u),
        kinematics=tuple(method.kdes),
        bodies=tuple(method._convert_bodies()),
        loads=_pairs(method.loads),
        frame=method.frame,
        potentials=True,
    )


def _pydy(system: Any) -> Given:
    """PyDy's System is a KanesMethod with numbers; a constant that has none stays free, and is not silently 1."""
    return replace(read(system.eom_method), values={c: float(value) for c, value in system.constants.items()})


def _pairs(loads: Any) -> tuple[tuple[Any, Any], ...]:
    return tuple((place, vector) for place, vector in loads or ())
