"""Random vehicles of two to eight wheels: drives, cars, cranes and road trains with casters, trailers and arms."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tests.properties.vehicles.arrows import Angle, Arrow, Component, velocity_of
from tests.properties.vehicles.vehicle import Vehicle

CHASSIS = ("drive", "car", "sledge", "crab", "trolley")
"""A driven axle; an axle and a steered wheel or axle; an axle that slides; two steered ones; casters alone."""


@dataclass(frozen=True)
class Body:
    """Something rigid in the plane: the velocity of a point of it and its heading."""

    arrows: tuple[Arrow, ...]
    heading: Angle

    def point(self, ahead: str = "", aside: str = "") -> tuple[Arrow, ...]:
        """The velocity of the point so far ahead and aside, to the left."""
        sizes = ((ahead, 1), (aside, 2))
        return (*self.arrows, *(Arrow((size,), self.heading, self.heading, n) for size, n in sizes if size))


@dataclass
class Workshop:
    """Where a vehicle is put together part by part; names are given as they are needed."""

    draw: np.random.Generator
    coordinates: list[str] = field(default_factory=lambda: ["x", "y", "theta"])
    parameters: list[str] = field(default_factory=list)
    constraints: list[Component] = field(default_factory=list)
    inertias: list[tuple[str, Component]] = field(default_factory=list)
    springs: list[tuple[str, str]] = field(default_factory=list)
    weights: list[tuple[str, str]] = field(default_factory=list)
    drags: list[tuple[str, str]] = field(default_factory=list)
    speeds: list[tuple[str, Component]] = field(default_factory=list)
    wheels: int = 0
    steers_behind: bool = False

    def chance(self, share: float) -> bool:
        return bool(self.draw.random() < share)

    def new(self, letter: str, among: list[str]) -> str:
        among.append(f"{letter}{sum(each.rstrip('0123456789') == letter for each in among) + 1}")
        return among[-1]

    def length(self, letter: str = "l") -> str:
        return self.new(letter, self.parameters)

    def angle(self, letter: str) -> str:
        return self.new(letter, self.coordinates)

    # Bodies.

    def massive(self, body: Body, *, offset: bool) -> None:
        centre = body.point(self.length("c") if offset else "")
        m = self.length("m")
        self.inertias += [(m, Component(centre)), (m, Component(centre, (), 1))]
        self.spinning(body.heading)

    def spinning(self, rates: tuple[str, ...]) -> None:
        self.inertias.append((self.length("J"), Component((Arrow((), rates),))))

    def heading(self, body: Body, letter: str) -> Angle:
        """A new angle, measured from the body or from the ground."""
        name = self.angle(letter)
        return (*body.heading, name) if self.chance(0.5) else (name,)

    def trailer(self, body: Body) -> Body:
        """A body hitched on or behind the axle of another, its own axle behind the hitch."""
        hitch = Body(body.point(self.length("e")), body.heading) if self.chance(0.5) else body
        heading = self.heading(body, "psi")
        trailer = Body((*hitch.arrows, Arrow((self.length("d"),), heading, heading, 3)), heading)
        self.massive(trailer, offset=self.chance(0.3))
        if self.chance(0.15):
            self.steers_behind = True
            self.steered(trailer, "")
        else:
            self.axle(trailer, rolling=int(self.draw.integers(0, 3)) if self.chance(0.3) else 0)
        if self.chance(0.2):
            self.caster(trailer)
        return trailer

    def arm(self, body: Body) -> Body:
        """A link that turns about a point of a body, its mass at its end."""
        joint = body.point(self.length(), self.length() if self.chance(0.3) else "")
        heading = self.heading(body, "alpha")
        link = Body((*joint, Arrow((self.length(),), heading, heading, 1)), heading)
        self.massive(link, offset=False)
        if self.chance(0.5):
            self.weights.append((self.length("g"), heading[-1]))
        self.speeds.append((f"{heading[-1]}'", velocity_of(heading[-1])))
        return link

    # Wheels.

    def rolling(self, point: tuple[Arrow, ...], heading: Angle) -> str:
        phi = self.angle("phi")
        self.constraints.append(Component((*point, Arrow((self.length("r"),), (phi,), heading, 2)), heading))
        self.spinning((phi,))
        if self.chance(0.3):
            self.drags.append((self.length("k"), phi))
        return phi

    def axle(self, body: Body, ahead: str = "", rolling: int = 0, wheels: int = 2) -> list[str]:
        """Wheels that do not slip aside; those that roll have an angle."""
        self.wheels += wheels
        self.constraints.append(Component(body.point(ahead), body.heading, 1))
        track = self.length("b") if rolling == 2 else ""
        sides = [Body(body.arrows, body.heading).point(ahead, track)] if rolling else []
        if rolling == 2:
            (*rest, last) = sides[0]
            sides.append((*rest, Arrow(last.size, last.rates, last.angle, last.quarters + 2)))
        return [self.rolling(side, body.heading) for side in sides]

    def steered(self, body: Body, ahead: str, aside: str = "") -> Body:
        """A wheel that is turned about the point where it touches, or an axle of two about its middle."""
        delta = self.angle("delta")
        heading = (*body.heading, delta)
        wheel = Body(body.point(ahead, aside), heading)
        wheels = 2 if self.chance(0.25) else 1
        self.axle(wheel, rolling=wheels if self.chance(0.4) else 0, wheels=wheels)
        self.spinning(heading)
        if self.chance(0.5):
            self.springs.append((self.length("k"), delta))
        self.speeds.append((f"{delta}'", velocity_of(delta)))
        return wheel

    def caster(self, body: Body) -> None:
        """A wheel that trails behind the point about which it turns."""
        self.wheels += 1
        delta = self.angle("delta")
        heading = (*body.heading, delta)
        pivot = body.point(self.length(), self.length("b") if self.chance(0.5) else "")
        point = (*pivot, Arrow((self.length("d"),), heading, heading, 3))
        self.constraints.append(Component(point, heading, 1))
        self.spinning(heading)
        if self.chance(0.5):
            self.rolling(point, heading)


def draw_vehicle(draw: np.random.Generator, name: str) -> Vehicle:
    """A chassis with what it carries and draws."""
    shop, kind = Workshop(draw), str(draw.choice(CHASSIS))
    chassis = Body((Arrow((), ("x",)), Arrow((), ("y",), (), 1)), ("theta",))
    shop.massive(chassis, offset=shop.chance(0.5))
    _chassis(shop, kind, chassis)
    last = chassis
    for _ in range(int(draw.choice([0, 0, 1, 1, 2, 3]))):
        if shop.wheels <= 6:
            last = shop.trailer(last)
    link = chassis if shop.chance(0.7) else last
    for _ in range(int(draw.choice([0, 0, 0, 1, 1, 2]))):
        link = shop.arm(link)
    return Vehicle(
        f"{name} {kind}",
        tuple(shop.coordinates),
        tuple(shop.parameters),
        tuple(shop.constraints),
        tuple(shop.inertias),
        tuple(shop.springs),
        tuple(shop.weights),
        tuple(shop.drags),
        () if shop.steers_behind else tuple(shop.speeds),
        shop.chance(0.3),
    )


def _chassis(shop: Workshop, kind: str, chassis: Body) -> None:
    """The wheels of the chassis itself, and speeds that determine how it moves."""
    casters = int(shop.draw.choice([0, 0, 1, 1, 2]))
    forward = Component(chassis.arrows, chassis.heading)
    turning = ("theta'", velocity_of("theta"))
    if kind == "drive":
        wheels = shop.axle(chassis, rolling=2)
        driven = [(f"{phi}'", velocity_of(phi)) for phi in wheels]
        shop.speeds += driven if shop.chance(0.5) else [("v", forward), turning]
    elif kind == "sledge":
        ahead = shop.length() if shop.chance(0.5) else ""
        shop.axle(chassis, ahead, rolling=int(shop.draw.integers(0, 2)))
        shop.speeds += [("v", forward), turning]
    elif kind == "car":
        shop.axle(chassis, shop.length("a") if shop.chance(0.2) else "", rolling=int(shop.draw.integers(0, 3)))
        front = shop.steered(chassis, shop.length(), shop.length("b") if shop.chance(0.2) else "")
        shop.speeds.append(("v", Component(front.arrows, front.heading)))
    elif kind == "crab":
        front = shop.steered(chassis, shop.length(), shop.length("b") if shop.chance(0.3) else "")
        rear = shop.steered(chassis, "")
        shop.speeds.append(("v", Component(rear.arrows, rear.heading)))
    else:
        casters += 2
        shop.speeds += [("x'", velocity_of("x")), ("y'", velocity_of("y")), turning]
    for _ in range(casters):
        shop.caster(chassis)
