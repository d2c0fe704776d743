r"""The Whipple bicycle: a frame with a rigid rider, a fork, and two wheels that roll without slipping.

.. math::
   \dot x = r_R\,(\dot\chi + \dot\theta_R)\cos\psi, \qquad \dot y = r_R\,(\dot\chi + \dot\theta_R)\sin\psi, \qquad
   u = v_F + \omega_F\times\rho = 0, \qquad \rho = -\frac{r_F}{\sigma}\left(e_3 - (a\cdot e_3)\,a\right)

The rear wheel touches the ground at $(x, y)$, heads along $\psi$ (``theta``), leans by ``roll`` and carries the frame, which is
pitched by $\chi$ against it; $v_F$, $\omega_F$ and $a$ are velocity of the centre, angular velocity and axle of the front wheel,
$\sigma = \sqrt{1 - (a\cdot e_3)^2}$. It stands on the ground when its centre is at the height $r_F\sigma$, which fixes the pitch.
Five constraints leave three speeds: leaning, steering, rolling on. About upright straight running at the speed $v$, lean
$\varphi$ and steer $\delta$, both positive to the right, obey

.. math:: M\ddot q + v\,C_1\dot q + (g K_0 + v^2 K_2)\,q = f, \qquad q = (\varphi, \delta) .

Lengths, masses and inertias are named as in the benchmark, whose z points down; ours points up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi
from typing import Any, final

import symengine

from anholonomy.algebra.expressions import Expr, Vector, dot, matrix_vector, symbol, zero
from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.public.system import System
from anholonomy.system.bodies import Revolute, RigidBody
from anholonomy.system.bodies.joints import Tree
from anholonomy.system.bodies.vectors import AXES, add, cross, rotation, scaled, transposed

__all__ = ["whipple_bicycle"]

_COORDINATES = ("x", "y", "theta", "roll", "pitch", "steer", "rear_turn", "front_turn")
_ONE = symengine.Integer(1)


def whipple_bicycle(
    roll_torque: str = "0",
    steer_torque: str = "0",
    w: float | None = 1.02,
    c: float | None = 0.08,
    lam: float | None = pi / 10,
    g: float | None = 9.81,
    rR: float | None = 0.3,
    mR: float | None = 2.0,
    IRxx: float | None = 0.0603,
    IRyy: float | None = 0.12,
    xB: float | None = 0.3,
    zB: float | None = -0.9,
    mB: float | None = 85.0,
    IBxx: float | None = 9.2,
    IBxz: float | None = 2.4,
    IByy: float | None = 11.0,
    IBzz: float | None = 2.8,
    xH: float | None = 0.9,
    zH: float | None = -0.7,
    mH: float | None = 4.0,
    IHxx: float | None = 0.05892,
    IHxz: float | None = -0.00756,
    IHyy: float | None = 0.06,
    IHzz: float | None = 0.00708,
    rF: float | None = 0.35,
    mF: float | None = 3.0,
    IFxx: float | None = 0.1405,
    IFyy: float | None = 0.28,
) -> System:
    """Wheel base ``w``, trail ``c``, steering axis tilted by ``lam``; R, B, H, F are rear wheel, frame, fork and front wheel.

    The torques are texts in t, the coordinates and their velocities: ``roll_torque`` leans the bicycle to the right about the
    line of its track, ``steer_torque`` turns the handlebar to the right against the frame.

    >>> bicycle = whipple_bicycle(mB=75.0)
    >>> bicycle
    System('Whipple bicycle', 8 coordinates, 5 constraints)
    >>> bicycle.derive("hamel", speeds=["roll'", "steer'", "rear_turn'"]).speeds
    (roll', steer', rear_turn')
    """
    parameters = {
        "w": w, "c": c, "lam": lam, "g": g, "rR": rR, "mR": mR,
        "IRxx": IRxx, "IRyy": IRyy, "xB": xB, "zB": zB, "mB": mB, "IBxx": IBxx,
        "IBxz": IBxz, "IByy": IByy, "IBzz": IBzz, "xH": xH, "zH": zH, "mH": mH,
        "IHxx": IHxx, "IHxz": IHxz, "IHyy": IHyy, "IHzz": IHzz, "rF": rF, "mF": mF,
        "IFxx": IFxx, "IFyy": IFyy,
    }  # fmt: skip
    bodies, joints = _parts()
    moving = _moving(joints)
    return System(
        name="Whipple bicycle",
        coordinates={name: "length" if name in "xy" else "angle" for name in _COORDINATES},
        lagrangian=symengine.Add(*(moving[body.name].lagrangian(body) for body in bodies)),
        constraints={
            "rear along": "x' = rR*(pitch' + rear_turn')*cos(theta)",
            "rear across": "y' = rR*(pitch' + rear_turn')*sin(theta)",
            **_front_contact(moving["fork"]),
        },
        forces={"roll": roll_torque, "steer": steer_torque},
        parameters=parameters,
        span=[_direction(moving["fork"], free) for free in ("roll", "steer", "rear_turn")],
        scene=_scene(Tree.of(bodies, joints)),
    )


def _parts() -> tuple[list[RigidBody], list[Revolute]]:
    """Track and lean are parts without mass; the origin of every other part is the centre of its wheel."""
    track = RigidBody("track", mass=0, inertia=[0, 0, 0], moves="plane")
    lean = RigidBody("lean", mass=0, inertia=[0, 0, 0])
    frame = RigidBody("frame", mass="mB", inertia=_upright("B"), centre=["xB", 0, "-zB - rR"])
    fork = RigidBody("fork", mass="mH", inertia=_upright("H"), centre=["xH - w", 0, "-zH - rF"])
    rear = RigidBody("rear", mass="mR", inertia=["IRxx", "IRyy", "IRxx"])
    front = RigidBody("front", mass="mF", inertia=["IFxx", "IFyy", "IFxx"])
    joints = [
        Revolute(track, lean, axis=[1, 0, 0], angle="roll"),
        Revolute(lean, frame, at=[0, 0, "rR"], axis=[0, 1, 0], angle="pitch"),
        Revolute(frame, rear, axis=[0, 1, 0], angle="rear_turn"),
        # The steering axis, pointing down, meets the ground at the trail ahead of the front contact.
        Revolute(
            frame, fork, at=["w + c", 0, "-rR"], own=["c", 0, "-rF"], axis=["sin(lam)", 0, "-cos(lam)"], angle="steer"
        ),
        Revolute(fork, front, axis=[0, 1, 0], angle="front_turn"),
    ]
    return [track, lean, frame, fork, rear, front], joints


def _upright(part: str) -> list[list[Any]]:
    """The inertia of a part that mirrors itself; turning y and z over changes the sign of the product xz."""
    return [[f"I{part}xx", 0, f"-I{part}xz"], [0, f"I{part}yy", 0], [f"-I{part}xz", 0, f"I{part}zz"]]


@final
@dataclass(frozen=True)
class _Moving:
    r"""How a part moves, in its own axes: velocity $v$ of its origin, angular velocity $w$, the vertical $\gamma$, and the height $h$.

    With vectors in the axes of the part that has them, nothing is turned into space and back:

    .. math:: w' = Q^{\mathsf T}w + \dot\vartheta\,n, \quad \gamma' = Q^{\mathsf T}\gamma, \quad
       v' = Q^{\mathsf T}(v + w\times a) - w'\times b, \quad h' = h + \gamma\cdot a - \gamma'\cdot b .
    """

    v: Vector
    w: Vector
    gamma: Vector
    h: Expr

    def child(self, joint: Revolute) -> _Moving:
        """The part on a joint. A wheel is round, so its axes need not turn with it."""
        is_wheel = joint.angle.endswith("turn")
        back = AXES if is_wheel else transposed(rotation(joint.axis, symbol(joint.angle)))
        w = add(matrix_vector(back, self.w), scaled(symbol(f"{joint.angle}'"), joint.axis))
        gamma = matrix_vector(back, self.gamma)
        v = matrix_vector(back, add(self.v, cross(self.w, joint.at)))
        h = self.h + dot(self.gamma, joint.at) - dot(gamma, joint.own)
        return _Moving(add(v, scaled(-1, cross(w, joint.own))), w, gamma, h)

    def lagrangian(self, body: RigidBody) -> Expr:
        r"""$\tfrac12 m|v + w\times c|^2 + \tfrac12 w\cdot Iw - mg\,(h + \gamma\cdot c)$."""
        v = add(self.v, cross(self.w, body.centre))
        kinetic = (body.mass * dot(v, v) + dot(self.w, matrix_vector(body.inertia, self.w))) / 2
        return kinetic - body.mass * symbol("g") * (self.h + dot(self.gamma, body.centre))


def _moving(joints: list[Revolute]) -> dict[str, _Moving]:
    """Every part by name, from the track on."""
    x, y, c, s = symbol("x'"), symbol("y'"), symengine.cos(symbol("theta")), symengine.sin(symbol("theta"))
    parts = {"track": _Moving((x * c + y * s, y * c - x * s, zero), (zero, zero, symbol("theta'")), AXES[2], zero)}
    for joint in joints:
        parts[_name(joint.child)] = parts[_name(joint.parent)].child(joint)
    return parts


def _name(body: RigidBody | str) -> str:
    return body if isinstance(body, str) else body.name


def _front_contact(fork: _Moving) -> dict[str, Expr]:
    r"""The front wheel's centre against its height on the ground, and the slip of its lowest point across and along its track.

    With $\sigma^2 = \gamma_1^2 + \gamma_3^2$ the heading is $t = (\gamma_3, 0, -\gamma_1)/\sigma$, the arm $\rho = -r_F(\gamma_1, 0,
    \gamma_3)/\sigma$, and with $n = \gamma\times t$

    .. math:: n\cdot u = \sigma v_2 - \gamma_2\,\frac{\gamma_1v_1 + \gamma_3v_3}{\sigma} - r_F\,(\gamma_1w_3 - \gamma_3w_1), \qquad
       t\cdot u = \frac{\gamma_3v_1 - \gamma_1v_3}{\sigma} - r_F\,(w_2 + \dot\vartheta_F) .
    """
    (v1, v2, v3), (w1, w2, w3), (g1, g2, g3), r = fork.v, fork.w, fork.gamma, symbol("rF")
    sigma = symengine.sqrt(1 - g2**2)
    return {
        "height": fork.h - r * sigma,
        "front across": sigma * v2 - g2 * (g1 * v1 + g3 * v3) / sigma - r * (g1 * w3 - g3 * w1),
        "front along": (g3 * v1 - g1 * v3) / sigma - r * (w2 + symbol("front_turn'")),
    }


def _direction(fork: _Moving, free: str) -> list[Expr]:
    r"""The admissible motion with one of the free speeds 1 and the others 0.

    It is regular until a wheel lies flat or the front wheel is steered across, where it blocks the rolling.
    Of pitch, yaw and turning only the pitch lifts the lowest point of the front wheel, and only the yaw is left to keep it
    from slipping along the axle; with $k = r_F\,(\gamma_1w_3 - \gamma_3w_1)/\sigma$ each follows from

    .. math:: \gamma\cdot v - \gamma_2\,k = 0, \qquad v_2 - k = 0, \qquad \gamma_3v_1 - \gamma_1v_3 = \sigma r_F\,(w_2 + \dot\vartheta_F) .
    """
    g1, g2, g3 = fork.gamma
    sigma, r = symengine.sqrt(1 - g2**2), symbol("rF")

    def slips(**velocities: Expr) -> Vector:
        """Of the lowest point for these velocities: up, along the axle, and ahead in radii; the yaw does not matter."""
        values = {symbol(f"{name}'"): velocities.get(name, zero) for name in _COORDINATES} | {symbol("theta"): zero}
        v, w = (tuple(entry.xreplace(values) for entry in each) for each in (fork.v, fork.w))
        k = r * (g1 * w[2] - g3 * w[0]) / sigma
        return dot(fork.gamma, v) - g2 * k, v[1] - k, (g3 * v[0] - g1 * v[2]) / (sigma * r) - w[1]

    own = slips(**{free: _ONE} if free != "rear_turn" else {"x": symbol("rR")})
    tilted, yawed = slips(pitch=_ONE, x=symbol("rR")), slips(theta=_ONE)
    pitch = zero if free == "rear_turn" else -own[0] / slips(pitch=_ONE)[0]
    yaw = -(own[1] + pitch * tilted[1]) / yawed[1]
    ahead = symbol("rR") * (pitch + int(free == "rear_turn"))
    found = {
        free: _ONE,
        "x": ahead * symengine.cos(symbol("theta")),
        "y": ahead * symengine.sin(symbol("theta")),
        "pitch": pitch,
        "theta": yaw,
        "front_turn": own[2] + pitch * tilted[2] + yaw * yawed[2],
    }
    return [found.get(name, zero) for name in _COORDINATES]


def _scene(tree: Tree) -> list[dict[str, Any]]:
    """Two wheels, the rods of the frame up to a head on the steering axis, and the fork with its handlebar."""
    along = "((rF - zB)*sin(lam))", "((rF - zB)*cos(lam))"
    head = f"w + c - {along[0]}", "0", f"{along[1]} - rR"
    grip = f"c - {along[0]}", "0", f"{along[1]} - rF"
    seat = "xB - w/5", "0", "-zB - rR"
    pedals = "w/2", "0", "0"
    hub = "0", "0", "0"

    def drawn(shape: str, part: str, **words: Any) -> dict[str, Any]:
        pose = tree.poses[part]
        turned = [entry for row in pose.rotation for entry in row]
        return {"shape": shape, "position": list(pose.position), "rotation": turned, **words}

    def rods(part: str, *points: Sequence[str]) -> dict[str, Any]:
        return drawn("polyline", part, points=[list(point) for point in points], colour="second")

    return [
        {"shape": "plane"},
        drawn("wheel", "rear", radius="rR", thickness="rR/10"),
        drawn("wheel", "front", radius="rF", thickness="rF/10"),
        rods("frame", hub, pedals, head, seat, hub),
        rods("frame", pedals, seat),
        rods("fork", hub, grip, (grip[0], "w/5", grip[2]), (grip[0], "-w/5", grip[2])),
        {"shape": "trail", "position": ["x", "y", "0"]},
    ]


ENTRY = Entry(
    make=whipple_bicycle,
    start={
        "x": 0.0,
        "y": 0.0,
        "theta": 0.0,
        "roll": 0.0,
        "pitch": 0.0,
        "rear_turn": 0.0,
        "steer": 0.0,
        "front_turn": 0.0,
        "x'": 4.6,
        "roll'": 0.5,
        "steer'": 0.0,
    },
    until=5.0,
    facts=(
        "its equations linearised about upright straight running are the benchmark's",
        "upright it is stable between the weave speed 4.29238253634111 and the capsize speed 6.02426201538837",
        "pushed at 4.6 m/s it rights itself, and rolls on straight in another direction",
        "pushed at 3 m/s it falls over",
        "what the push gave to its energy it keeps as speed",
    ),
    claims=Claims(source="Meijaard, Papadopoulos, Ruina and Schwab, Proc. R. Soc. A 463 (2007)"),
    references=(
        "F. J. W. Whipple, The stability of the motion of a bicycle, Quarterly Journal of Pure and Applied Mathematics 30, 1899",
        "J. P. Meijaard, J. M. Papadopoulos, A. Ruina and A. L. Schwab, Linearized dynamics equations for the balance and steer"
        " of a bicycle: a benchmark and review, Proceedings of the Royal Society A 463, 2007",
        "P. Basu-Mandal, A. Chatterjee and J. M. Papadopoulos, Hands-free circular motions of a benchmark bicycle, Proceedings"
        " of the Royal Society A 463, 2007",
    ),
)
