r"""What bodies look like, where nobody says: their surfaces, or the box with the same mass and inertia.

.. math:: a_k = \tfrac12\bigl(h(e_k) + h(-e_k)\bigr), \qquad
   \ell_1^2 = \frac{6}{m}\,(I_2 + I_3 - I_1) \ \text{ and cyclic}

$a_k$ are the half widths of a surface with the support function $h$ along the body's axes, $\ell_k$ the edges of the box.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import symengine

from anholonomy.bodies.body import RigidBody
from anholonomy.bodies.contacts import KnifeEdge, Rolling, Sliding
from anholonomy.bodies.poses import Pose
from anholonomy.bodies.supports import AbstractSupport, Ball, Bowl, Cylinder, Plane
from anholonomy.bodies.surfaces import AbstractSurface
from anholonomy.bodies.tree import Tree
from anholonomy.bodies.vectors import AXES, NOWHERE, add, cross, product, scaled, transposed, unit
from anholonomy.symbolic.expressions import Expr, Matrix, Vector, dot, time, zero

__all__ = ["scenery"]

_RING = 24
_COLOURS = ("body", "second", "wheel")


def scenery(words: Mapping[str, Any]) -> dict[str, Any]:
    """The word ``scene`` for the bodies of a declaration, none where it has one; the bodies are known to be sound."""
    bodies, contacts = words.get("bodies"), words.get("contacts") or ()
    if not bodies or words.get("scene") is not None:
        return {}
    tree = Tree.of(bodies, words.get("joints") or ())
    touching = [contact for contact in contacts if isinstance(contact, Rolling | Sliding)]
    supports = list({id(contact.on): contact.on for contact in touching}.values())
    scene = [table for support in supports for table in _support(support)]
    dressed: set[str] = set()
    for contact in touching:
        pose, name = tree.pose(contact.body), _name(contact.body)
        scene += _surface(contact.surface, contact.on, pose, _COLOURS[len(dressed) % 3])
        dressed.add(name)
    for contact in contacts:
        if isinstance(contact, KnifeEdge):
            pose = tree.pose(contact.body)
            frame = transposed((contact.along, contact.across, cross(contact.along, contact.across)))
            scene.append(_table("blade", pose.point(contact.at), product(pose.rotation, frame), trail=True))
    for name, body in tree.bodies.items():
        if name not in dressed and body.moves != "nowhere":
            scene += _box(body, tree.poses[name])
    return {"scene": scene}


def _name(body: RigidBody | str) -> str:
    return body.name if isinstance(body, RigidBody) else str(body)


def _table(shape: str, position: Vector, rotation: Matrix = AXES, **words: Any) -> dict[str, Any]:
    turn = {} if rotation == AXES else {"rotation": [entry for row in rotation for entry in row]}
    return {"shape": shape, "position": list(position), **turn, **words}


def _surface(surface: AbstractSurface, on: AbstractSupport, pose: Pose, colour: str) -> list[dict[str, Any]]:
    """A sphere, a disc where the surface is flat along an axis, or else the ellipsoid of the same half widths."""
    centre = pose.point(surface.at)
    shapes = [_solid(surface, centre, pose.rotation, colour)]
    if isinstance(on, Plane):
        away = add(centre, scaled(-1, on.displacement))
        foot = add(centre, scaled(-dot(on.normal, away), on.normal))
        return [*shapes, {"shape": "trail", "position": list(foot)}]
    return [{**shapes[0], "trail": True}]


def _solid(surface: AbstractSurface, centre: Vector, R: Matrix, colour: str) -> dict[str, Any]:
    if surface.is_sphere:
        return _table("sphere", centre, R, radius=surface.round, colour=colour)
    cores = [(surface.reach(e) + surface.reach(scaled(-1, e))) / 2 for e in AXES]
    flat = [k for k, core in enumerate(cores) if core == 0]
    if flat:
        # The axis of a disc is the third of its own axes.
        k = flat[0]
        columns = transposed(R)
        turned = transposed(tuple(columns[(k + j + 1) % 3] for j in range(3)))
        thick = {"thickness": 2 * surface.round} if surface.round != 0 else {}
        return _table("disc", centre, turned, radius=cores[(k + 1) % 3] + surface.round, colour=colour, **thick)
    length, width, height = (2 * (core + surface.round) for core in cores)
    return _table("ellipsoid", centre, R, length=length, width=width, height=height, colour=colour)


def _support(support: AbstractSupport) -> list[dict[str, Any]]:
    if isinstance(support, Plane):
        return [_plane(support)]
    if isinstance(support, Ball):
        return [_table("sphere", support.displacement, radius=support.radius, colour="muted")]
    if isinstance(support, Bowl):
        r = support.radius
        rings = [_ring(r, AXES[i], AXES[j]) for i, j in ((0, 1), (1, 2), (2, 0))]
        return [_table("polyline", support.displacement, points=ring) for ring in rings]
    if isinstance(support, Cylinder):
        r, k = support.radius, support.axis - 1
        round_about = AXES[(k + 1) % 3], AXES[(k + 2) % 3]
        shifts = [scaled(n * r, AXES[k]) for n in (-2, -1, 0, 1)]
        return [_table("polyline", add(support.displacement, shift), points=_ring(r, *round_about)) for shift in shifts]
    return []


def _plane(plane: Plane) -> dict[str, Any]:
    """Level or inclined; a turntable turns its grid."""
    resting = plane.displacement == NOWHERE and plane.rotation == NOWHERE
    first = unit(plane.tangents[0], "the plane's tangent")
    R = transposed((first, cross(plane.normal, first), plane.normal))
    speed = dot(plane.rotation, plane.normal)
    if speed != 0 and time not in speed.free_symbols:
        c, s = symengine.cos(speed * time), symengine.sin(speed * time)
        R = product(R, ((c, -s, zero), (s, c, zero), AXES[2]))
    table = _table("plane", plane.displacement, R)
    if resting:
        del table["position"]
    return table


def _ring(radius: Expr, a: Vector, b: Vector) -> list[list[Expr]]:
    angles = [symengine.Rational(2 * n, _RING) * symengine.pi for n in range(_RING + 1)]
    return [list(add(scaled(radius * symengine.cos(t), a), scaled(radius * symengine.sin(t), b))) for t in angles]


def _box(body: RigidBody, pose: Pose) -> list[dict[str, Any]]:
    """The box of the same inertia; none for what has no mass."""
    if body.mass == 0:
        return []
    I = [body.inertia[k][k] for k in range(3)]
    edges = [symengine.sqrt(symengine.Abs(6 * (I[k - 1] + I[k - 2] - I[k]) / body.mass)) for k in range(3)]
    if body.moves == "plane":
        # Of a body in the plane only the inertia about the vertical is known to matter.
        edges = [symengine.sqrt(6 * I[2] / body.mass) * share for share in (1, 1, symengine.Rational(1, 4))]
    sizes = {word: edge for word, edge in zip(("length", "width", "height"), edges, strict=True) if edge != 0}
    return [_table("box", pose.point(body.centre), pose.rotation, trail=body.moves in ("space", "plane"), **sizes)]
