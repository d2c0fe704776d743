r"""The shapes drawn for bodies, supports and joints where the user declares none: surfaces, or the box with the same mass and inertia.

.. math:: a_k = \tfrac12\bigl(h(e_k) + h(-e_k)\bigr), \qquad
   \ell_1^2 = \frac{6}{m}\,(I_2 + I_3 - I_1) \ \text{ and cyclic}

$a_k$ are the half widths of a surface with the support function $h$ along the body's axes, $\ell_k$ the edges of the box.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import symengine

from anholonomy.algebra.expressions import Expr, Matrix, Vector, dot, zero
from anholonomy.system.bodies.body import Pose, RigidBody
from anholonomy.system.bodies.contacts import KnifeEdge, Rolling, Sliding
from anholonomy.system.bodies.declaration import labelled
from anholonomy.system.bodies.joints import AbstractJoint, Tree, named
from anholonomy.system.bodies.shapes import AbstractSupport, AbstractSurface, Ball, Ellipsoid, Plane
from anholonomy.system.bodies.vectors import AXES, ORIGIN, add, cross, product, scaled, transposed, unit
from anholonomy.system.scene import NORMAL, PLACE

__all__ = ["scenery"]

_COLOURS = ("body", "second", "wheel")


def scenery(words: Mapping[str, Any]) -> dict[str, Any]:
    """The word ``scene`` for the bodies of a declaration, none where it has one; the bodies are known to be sound."""
    bodies, contacts = words.get("bodies"), words.get("contacts") or ()
    if not bodies or words.get("scene") is not None:
        return {}
    tree = Tree.of(bodies, words.get("joints") or ())
    touching = [(prefix, c) for prefix, c in labelled(tree, contacts) if isinstance(c, Rolling | Sliding)]
    supports = {contact.on: contact for _, contact in reversed(touching)}
    scene = [_support(contact.on, contact.surface) for contact in reversed(supports.values())]
    dressed: dict[str, AbstractSurface] = {}
    for prefix, contact in touching:
        pose, name = tree.pose(contact.body), _name(contact.body)
        scene.append(_surface(contact.surface, pose, _COLOURS[len(dressed) % 3]))
        scene.append({"shape": "trail", "position": list(contact.place(pose, prefix))})
        dressed.setdefault(name, contact.surface)
    for contact in contacts:
        if isinstance(contact, KnifeEdge):
            pose = tree.pose(contact.body)
            frame = transposed((contact.along, contact.across, cross(contact.along, contact.across)))
            scene.append(_table("blade", pose.point(contact.at), product(pose.rotation, frame), trail=True))
    # Only its inertia is known of any other body: what it carries is seen through it, and leaves the trails.
    clear = {"clear": True, "trail": False} if scene else {}
    level = any(body.moves == "plane" for body in tree.bodies.values())
    boxes = [_box(body, tree.poses[name], level) for name, body in tree.bodies.items() if name not in dressed]
    scene += [table | clear for found in boxes for table in found]
    scene += _rods(tree, words.get("joints") or (), _middles(tree, dressed, level))
    if level and not supports:
        scene.insert(0, {"shape": "plane"})
    return {"scene": scene}


def _name(body: RigidBody | str) -> str:
    return body.name if isinstance(body, RigidBody) else str(body)


def _table(shape: str, position: Vector, rotation: Matrix = AXES, **words: Any) -> dict[str, Any]:
    turn = {} if rotation == AXES else {"rotation": [entry for row in rotation for entry in row]}
    return {"shape": shape, "position": list(position), **turn, **words}


# Surfaces and supports.


def _surface(surface: AbstractSurface, pose: Pose, colour: str) -> dict[str, Any]:
    # A support function may be that of a body beside its origin; what is drawn has its middle in the middle.
    middle = tuple((surface.reach(scaled(-1, e)) - surface.reach(e)) / 2 for e in AXES)
    return _solid(surface, pose.point(add(surface.at, middle)), middle, pose.rotation, colour)


def _solid(surface: AbstractSurface, centre: Vector, middle: Vector, R: Matrix, colour: str) -> dict[str, Any]:
    if surface.is_sphere:
        return _table("sphere", centre, R, radius=surface.round, colour=colour)
    cores = [(surface.reach(e) + surface.reach(scaled(-1, e))) / 2 for e in AXES]
    flat = [k for k, core in enumerate(cores) if core == 0]
    if flat and surface.round == 0:
        # The axis of a disc is the third of its own axes.
        k = flat[0]
        columns = transposed(R)
        turned = transposed(tuple(columns[(k + j + 1) % 3] for j in range(3)))
        return _table("disc", centre, turned, radius=cores[(k + 1) % 3], colour=colour)
    if isinstance(surface, Ellipsoid):
        length, width, height = (2 * core for core in cores)
        return _table("ellipsoid", centre, R, length=length, width=width, height=height, colour=colour)
    h = surface.reach(scaled(-1, NORMAL)) - dot(middle, NORMAL) + surface.round * symengine.sqrt(dot(NORMAL, NORMAL))
    return _table("convex", centre, R, support=h, colour=colour)


def _support(support: AbstractSupport, surface: AbstractSurface) -> dict[str, Any]:
    """A plane, a ball, or the part of another surface around the motion; what turns is seen to turn."""
    spin = {} if support.rotation == ORIGIN else {"spin": list(support.rotation)}
    if isinstance(support, Plane):
        return _plane(support) | spin
    if isinstance(support, Ball):
        return _table("sphere", support.displacement, radius=support.radius, colour="muted") | spin
    equation, offset = _equation(support, surface)
    return _table("surface", support.displacement, equation=equation, offset=offset) | spin


def _equation(support: AbstractSupport, surface: AbstractSurface) -> tuple[Expr, Expr]:
    """What vanishes on a surface, and how far below that the support is.

    A support says how far a point is from it; of a parallel surface only the way of a sphere's centre is known.
    """
    return support.touch(PLACE, zero).gap, zero if support.takes_points else surface.round


def _plane(plane: Plane) -> dict[str, Any]:
    """Level or inclined."""
    resting = plane.displacement == ORIGIN and plane.rotation == ORIGIN
    first = unit(plane.tangents[0], "the plane's tangent")
    R = transposed((first, cross(plane.normal, first), plane.normal))
    table = _table("plane", plane.displacement, R)
    if resting:
        del table["position"]
    return table


# Boxes of bodies without a surface.


def _box(body: RigidBody, pose: Pose, level: bool) -> list[dict[str, Any]]:
    """The box of the same inertia; none for what has no mass. On a ``level`` floor it stands."""
    if body.mass == 0 or body.moves == "nowhere":
        return []
    sizes = {word: e for word, e in zip(("length", "width", "height"), _edges(body), strict=True) if e != 0}
    place, trail = add(pose.point(body.centre), _lift(body, level)), body.moves in ("space", "plane")
    return [_table("box", place, pose.rotation, trail=trail, **sizes)]


def _edges(body: RigidBody) -> list[Expr]:
    I = [body.inertia[k][k] for k in range(3)]
    if _is_flat(body):
        # Of a body in the plane only the inertia about the vertical is known to matter.
        return [symengine.sqrt(6 * I[2] / body.mass) * share for share in (1, 1, symengine.Rational(1, 4))]
    return [symengine.sqrt(symengine.Abs(6 * (I[k - 1] + I[k - 2] - I[k]) / body.mass)) for k in range(3)]


def _is_flat(body: RigidBody) -> bool:
    return bool(body.moves == "plane" or body.inertia[0][0] == body.inertia[1][1] == 0)


def _lift(body: RigidBody, level: bool) -> Vector:
    """Half the height of a box that stands on the floor."""
    stands = level and body.mass != 0 and _is_flat(body)
    return scaled(_edges(body)[2] / 2, AXES[2]) if stands else ORIGIN


# Joints: rods from the middle of the parent to the joint, along a slide, and on to the middle of the child.
#
# .. math:: x + R\,c \;\to\; x + R\,a \;\to\; x' + R'b \;\to\; x' + R'c'
#
# with the notation of `anholonomy.system.bodies.joints` and the middles $c$, $c'$. Where both bodies
# stand on a floor, the joint is lifted with the parent.


def _rods(
    tree: Tree, joints: Sequence[AbstractJoint], middles: Mapping[str, tuple[Vector, Vector]]
) -> list[dict[str, Any]]:
    """The rods of all joints; ``middles`` of bodies in their axes with their lifts, none for what is not drawn."""
    return [
        {"shape": "rod", "position": list(one), "to": list(other)}
        for joint in joints
        for one, other in _segments(tree, joint, middles)
    ]


def _middles(tree: Tree, dressed: Mapping[str, AbstractSurface], level: bool) -> dict[str, tuple[Vector, Vector]]:
    """By name the middle of every body that is drawn, or that only connects: in its own axes, and how far it is lifted."""
    return {
        name: (dressed[name].at, ORIGIN) if name in dressed else (body.centre, _lift(body, level))
        for name, body in tree.bodies.items()
        if body.moves != "nowhere"
    }


def _segments(
    tree: Tree, joint: AbstractJoint, middles: Mapping[str, tuple[Vector, Vector]]
) -> Iterator[tuple[Vector, Vector]]:
    parent, child = (named(tree.bodies, body) for body in (joint.parent, joint.child))
    above, below = tree.poses[parent], tree.poses[child]
    first, stands = middles.get(parent, (joint.at, ORIGIN))
    last, follows = middles.get(child, (joint.own, ORIGIN))
    lift = stands if follows != ORIGIN else ORIGIN
    hinge = add(above.point(joint.at), lift)
    if first != joint.at:
        yield add(above.point(first), stands), hinge
    if "length" in joint.coordinates.values():
        slid = add(below.point(joint.own), lift)
        yield hinge, slid
        hinge = slid
    if last != joint.own:
        yield hinge, add(below.point(last), follows)
