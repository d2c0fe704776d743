r"""Bodies, joints, contacts and loads as the words of a declaration, checked.

.. math:: L = \sum_B T_B - V, \qquad V = -\sum_B m_B\,\vec g\cdot x_B

with $x_B$ the centres of mass. The result is what a user would have written by hand: coordinates, a group for the attitudes,
a Lagrangian, labelled constraints, forces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import symengine

from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, free_symbols, symbol, time, zero
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.errors import DeclarationError, quoted
from anholonomy.base.verdict import Verdict
from anholonomy.language.arguments import expect_mapping, is_list, name_of
from anholonomy.system.bodies.body import RigidBody
from anholonomy.system.bodies.contacts import HEIGHT, AbstractContact, Rolling, Sliding
from anholonomy.system.bodies.joints import AbstractJoint, Fixed, Revolute, Tree, named
from anholonomy.system.bodies.loads import AbstractLoad, JointSpring
from anholonomy.system.bodies.part import Part
from anholonomy.system.bodies.shapes import AbstractSurface, Plane
from anholonomy.system.bodies.vectors import AXES, ORIGIN, cross, number, scalar, vector
from anholonomy.system.warnings import doubt_angle, doubt_moments

__all__ = ["labelled", "with_bodies"]


def with_bodies(
    *, bodies: Any = (), joints: Any = (), contacts: Any = (), loads: Any = (), gravity: Any = None, **words: Any
) -> dict[str, Any]:
    """The words of a declaration, with what the bodies add to them."""
    given = {"joints": joints, "contacts": contacts, "loads": loads, "bodies": bodies}
    for word, value in given.items():
        if isinstance(value, str | Mapping) or not isinstance(value, Sequence):
            raise DeclarationError(f"{words['name']}: `{word}` is {value!r}; give a list.")
    if not bodies:
        if extra := [word for word, value in given.items() if value] + (["gravity"] if gravity is not None else []):
            raise DeclarationError(f"{words['name']}: `{extra[0]}` needs `bodies`; give a list of RigidBody(…).")
        return words
    if clash := [word for word in ("group", "kinetic", "momenta") if words.get(word) is not None]:
        raise DeclarationError(f"{words['name']}: the bodies say what `{clash[0]}` is; drop it.")
    tree = Tree.of(bodies, joints)
    touching = labelled(tree, contacts)
    _refuse_wrong_axes(tree, joints, contacts)
    places = {q: kind for prefix, contact in touching for q, kind in contact.coordinates(prefix).items()}
    if taken := sorted(set(places) & set(tree.coordinates)):
        raise DeclarationError(
            f"{words['name']}: a body or joint has the coordinate {taken[0]} of a contact; rename it."
        )
    known = tree.coordinates | places
    own = _own_coordinates(words.get("coordinates", ()))
    if taken := sorted(set(own) & set(known)):
        raise DeclarationError(
            f"{words['name']}: the coordinate {taken[0]} belongs to a body; rename yours or drop it."
        )
    turning = tree.group.coordinates if tree.group is not None else ()
    moving = {*known, *own, *(q.name for q in turning)}
    touched, further = _constraints(tree, touching, moving), _own_constraints(words.get("constraints", ()))
    if taken := sorted(set(touched) & set(further)):
        raise DeclarationError(f"{words['name']}: a contact has a constraint {taken[0]!r} too; label yours otherwise.")
    _refuse_impossible(tree, contacts, words.get("parameters"))
    _warn_of_inertia(words["name"], tree.bodies, _known(words.get("parameters")))
    for load in loads:
        if not isinstance(load, AbstractLoad):
            raise DeclarationError(f"`loads` has {quoted(load)}; give a list of loads, such as Force(…) and Spring(…).")
    _warn_of_degrees(words["name"], tree, joints, contacts, loads)
    theirs = _lagrangian(tree, gravity, {}, loads)
    return {
        **words,
        "coordinates": known | own,
        "group": tree.group,
        "lagrangian": _lagrangian(tree, gravity, words, loads),
        "parameters": words.get("parameters")
        or _letters(
            tree,
            [theirs, *touched.values(), *(Q for load in loads for Q in load.components(tree))],
            {*moving, *map(str, words.get("inputs", ()))},
        ),
        "potential": None,
        "constraints": touched | further,
        "one_sided": _one_sided(touched, words.get("one_sided", ())),
        "forces": _forces(tree, loads, words.get("forces") or {}),
    }


def _letters(tree: Tree, expressions: Sequence[Expr], moving: Collection[str]) -> list[str]:
    """What the bodies' numbers are called: parameters without values, where none are declared."""
    speeds = {s.name for s in tree.velocities}
    named = (s.name for s in free_symbols(expressions) if s != time)
    return sorted(name for name in named if name.removesuffix("'") not in moving and name not in speeds)


def _lagrangian(tree: Tree, gravity: Any, words: Mapping[str, Any], loads: Sequence[AbstractLoad]) -> Expr:
    """Kinetic less potential energies, those of loads among them, and what the user adds."""
    pull = _gravity(gravity)
    terms = [-load.potential(tree) for load in loads]
    for name, body in tree.bodies.items():
        pose = tree.poses[name]
        terms += [pose.kinetic_energy(body), body.mass * dot(pull, pose.point(body.centre))]
    for word, sign in (("lagrangian", 1), ("potential", -1)):
        if words.get(word) is not None:
            terms.append(sign * scalar(words[word], f"the {word.capitalize()}"))
    return symengine.Add(*terms)


def _gravity(given: Any) -> Vector:
    r"""$-g\,e_3$ from a strength, or the vector that is given."""
    if given is None:
        return ORIGIN
    if is_list(given):
        return vector(given, "gravity", "m/s^2")
    return zero, zero, -scalar(given, "gravity", "m/s^2")


def _forces(tree: Tree, loads: Sequence[AbstractLoad], own: Any) -> dict[str, Any]:
    if not loads:
        return own if not isinstance(own, Mapping) else dict(own)
    expect_mapping(own, "`forces`", "a dict from coordinate to expression", verb="is")
    total: dict[str, Any] = {}
    for q, value in own.items():
        place = name_of(q, "a force's coordinate").removesuffix("'")
        if place in total:
            raise DeclarationError(f"the force on {place} is given twice; keep one.")
        total[place] = scalar(value, f"the force on {q}")
    for load in loads:
        parts = load.components(tree)
        for w, part in zip(tree.velocities, parts, strict=True):
            direction = w.name.removesuffix("'")
            if part != 0:
                total[direction] = total.get(direction, zero) + part
    return total


# Constraints and coordinates: those of contacts, and the user's own.


def labelled(tree: Tree, contacts: Sequence[AbstractContact]) -> list[tuple[str, AbstractContact]]:
    """The contacts, each with the words that tell it from the others."""
    for contact in contacts:
        if not isinstance(contact, AbstractContact):
            raise DeclarationError(
                f"`contacts` has {contact!r}; give a list of Rolling(…), Sliding(…) and KnifeEdge(…)."
            )
    names = [named(tree.bodies, contact.body) for contact in contacts]
    times, count = Counter(names), Counter[str]()
    found = []
    for name, contact in zip(names, contacts, strict=True):
        count[name] += 1
        prefix = f"{name} " if len(contacts) > 1 else ""
        found.append((prefix + (f"{count[name]} " if times[name] > 1 else ""), contact))
    return found


def _constraints(
    tree: Tree, contacts: Sequence[tuple[str, AbstractContact]], coordinates: Collection[str]
) -> dict[str, Any]:
    """Those of the contacts."""
    rows: dict[str, Any] = {}
    for prefix, contact in contacts:
        _refuse_carried(contact, coordinates)
        found = contact.constraints(tree.pose(contact.body), prefix)
        rows |= {f"{prefix}{label}": row for label, row in found.items() if not _holds(label, row, tree)}
    return rows


def _holds(label: str, row: Expr, tree: Tree) -> bool:
    """Whether a body cannot but touch: a wheel on the axle of a carriage that moves in the plane."""
    freely = tree.group is not None  # some body is free to leave the plane
    return label == HEIGHT and not freely and zero_test(row) is Verdict.PROVEN


def _one_sided(touched: Mapping[str, Any], own: Any) -> Any:
    """The heights of the contacts, since a support pushes and cannot pull, and what the user adds."""
    heights = [label for label in touched if label.split()[-1] == HEIGHT]
    return [*heights, *own] if isinstance(own, Sequence) and not isinstance(own, str) else own


def _own_coordinates(given: Any) -> dict[str, str]:
    if isinstance(given, str) or not isinstance(given, Sequence | Mapping):
        raise DeclarationError(f"`coordinates` is {given!r}; give a list of names such as ['s'].")
    names = [name_of(q, "a coordinate") for q in given]
    return dict(zip(names, given.values() if isinstance(given, Mapping) else [""] * len(names), strict=True))


def _own_constraints(own: Any) -> dict[str, Any]:
    if isinstance(own, str) or not isinstance(own, Sequence | Mapping):
        raise DeclarationError(f"`constraints` is {own!r}; give a list of equations such as [\"x' = y*z'\"].")
    return dict(own) if isinstance(own, Mapping) else {f"c{k}": row for k, row in enumerate(own, 1)}


# What no body has, and what moves by itself.


def _refuse_impossible(tree: Tree, contacts: Sequence[AbstractContact], parameters: Any) -> None:
    """Masses and sizes that no body has, where parameters give them values; those in numbers were refused before."""
    values = _known(parameters)
    sizes = {f"the mass of {name}": body.mass for name, body in tree.bodies.items()}
    for contact in contacts:
        if isinstance(contact, Rolling | Sliding):
            sizes[f"the width of the {type(contact.surface).__name__}"] = contact.surface.width
            sizes |= contact.on.room(contact.surface.round if contact.surface.is_sphere else zero)
    for what, expression in sizes.items():
        if (known := number(expression.xreplace(values))) is not None and known < 0:
            raise DeclarationError(
                f"{what}, {expression}, is {known:.6g} with these parameters; it must not be negative."
            )


def _known(parameters: Any) -> dict[Symbol, Any]:
    """The values that parameters have."""
    given = parameters.items() if isinstance(parameters, Mapping) else ()
    return {symbol(str(name)): value for name, value in given if isinstance(value, int | float)}


def _refuse_carried(contact: AbstractContact, coordinates: Collection[str]) -> None:
    """A support moves as it is told, in time, and shapes do not change; what moves by itself is a body."""
    if not isinstance(contact, Rolling | Sliding):
        return
    surface, on = contact.surface, contact.on
    carried = (*on.displacement, *(on.normal if isinstance(on, Plane) else ()))
    if strange := sorted(s.name for s in free_symbols(carried) if s.name in coordinates):
        raise DeclarationError(
            f"where a support is uses the coordinate {strange[0]}; let it depend on t and parameters only."
        )
    shapes = free_symbols((surface.core, surface.round, *surface.at, *on.shape))
    if strange := sorted(s.name for s in shapes if s.name in coordinates or s == time):
        raise DeclarationError(
            f"the surface or the support of a contact uses {strange[0]}; its shape may depend on parameters only."
        )


# Wheels about the wrong axis: one that its joint turns about a diameter, or that lies flat and touches all round.


def _refuse_wrong_axes(tree: Tree, joints: Sequence[AbstractJoint], contacts: Sequence[AbstractContact]) -> None:
    """Refuse a disc or torus that nobody gave an axis and whose joint has another, or whose axis is the normal of its plane."""
    turning = {named(tree.bodies, joint.child): joint.axis for joint in joints if isinstance(joint, Revolute)}
    for contact in contacts:
        if not isinstance(contact, Rolling | Sliding) or (axis := contact.surface.axis) is None:
            continue
        name, surface = named(tree.bodies, contact.body), contact.surface
        what = f"the {type(surface).__name__} of {name}"
        if "axis" not in surface.words and name in turning and not _parallel(axis, turning[name]):
            raise DeclarationError(
                f"{what} is about axis 3, since no `axis` says otherwise, and the joint turns {name} about another; give "
                f"{_advice(surface, turning[name])}."
            )
        flat = isinstance(contact.on, Plane) and _parallel(tree.pose(name).direction(axis), contact.on.normal)
        if flat:
            raise DeclarationError(
                f"{what} lies flat on its plane and touches it all round; give the axis that it turns about, as in "
                f"{_advice(surface, AXES[1])}."
            )


def _parallel(a: Vector, b: Vector) -> bool:
    return all(zero_test(entry) is Verdict.PROVEN for entry in cross(a, b))


def _advice(surface: AbstractSurface, axis: Vector) -> str:
    number = next((k for k, e in enumerate(AXES, 1) if _parallel(axis, e)), "…")
    return f"{type(surface).__name__}(…, axis={number})"


# Warnings: moments of inertia that no solid has, $I_1 + I_2 < I_3$ against $\int x_3^2\,dm \ge 0$, and a slope of 30, which is nearly always one of 30 degrees.


def _warn_of_inertia(name: str, bodies: Mapping[str, RigidBody], values: Mapping[Symbol, Any]) -> None:
    """Say which body has a moment that exceeds the sum of the others, though all three are given and matter.

    In the plane one moment matters, and a 0 says that a moment does not; a body with rotors or water around it is rare.
    """
    for label, body in bodies.items():
        entries = [[number(entry.xreplace(values)) for entry in row] for row in body.inertia]
        if body.moves == "plane" or any(entry is None for row in entries for entry in row):
            continue
        doubt_moments(name, f" of {label}", np.array(entries, dtype=float))


def _warn_of_degrees(
    name: str,
    tree: Tree,
    joints: Sequence[AbstractJoint],
    contacts: Sequence[AbstractContact],
    loads: Sequence[AbstractLoad],
) -> None:
    """Say which angles of joints, supports and springs look like degrees; of parameters the declaration says it."""
    for part, word in _angles(tree, joints, contacts, loads):
        if word in part.words and (known := number(scalar(part.words[word], word, ""))) is not None:
            doubt_angle(f"{name}: {type(part).__name__}({word}={known:g})", known)


def _angles(
    tree: Tree, joints: Sequence[AbstractJoint], contacts: Sequence[AbstractContact], loads: Sequence[AbstractLoad]
) -> Iterator[tuple[Part, str]]:
    yield from ((joint, "angle") for joint in joints if isinstance(joint, Fixed))
    supports = (getattr(contact, "on", None) for contact in contacts)
    yield from ((support, "slope") for support in supports if isinstance(support, Plane))
    springs = (load for load in loads if isinstance(load, JointSpring))
    yield from ((spring, "rest") for spring in springs if tree.coordinates[spring.coordinate(tree)] == "angle")
