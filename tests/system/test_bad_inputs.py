"""Mistakes people make, and what they are told: a refusal of the right kind that names the culprit and the cure."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import sympy

import anholonomy as ah
from anholonomy.base.errors import (
    DeclarationError,
    Error,
    ExpressionError,
    FileError,
    IntegrationError,
    NotSupportedError,
    StateError,
    UnknownNameError,
)
from tests.wording import blames

SKATE = {
    "name": "skate",
    "coordinates": ["x", "y", "theta"],
    "lagrangian": "m*(x'^2 + y'^2)/2 + I*theta'^2/2",
    "constraints": ["x'*sin(theta) = y'*cos(theta)"],
    "parameters": {"m": 1.0, "I": 0.5},
}
BODY = ah.bodies.RigidBody("body", mass=1, inertia=[1, 1, 1])
START = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}
FORWARD, TURN = ["cos(theta)", "sin(theta)", 0], [0, 0, 1]
FILE = """schema = "anholonomy-system-1"
name = "skate"
coordinates = ["x", "y", "theta"]
lagrangian = "m*(x'^2 + y'^2)/2 + I*theta'^2/2"
constraints = ["x'*sin(theta) = y'*cos(theta)"]
parameters = { m = 1.0, I = 0.5 }
"""
NONLINEAR = {"constraints": ["x'^2 + y'^2 = 1"]}


class Mistake(NamedTuple):
    """Something wrong, how it is refused, and the names in the sentence."""

    id: str
    make: Callable[..., object]
    refusal: type[Error]
    names: tuple[str, ...]


def skate(**changes: object) -> ah.System:
    """The skate, declared with something else."""
    return ah.System(**{**SKATE, **changes})


def declaring(id: str, refusal: type[Error], *names: tuple[str, ...], **changes: object) -> Mistake:
    return Mistake(id, lambda _: skate(**changes), refusal, names)


def starting(
    id: str, *names: tuple[str, ...], refusal: type[Error] = StateError, of: object = None, **start: object
) -> Mistake:
    """A wrong start: entries replaced, or left out when given as None; ``x_`` stands for ``x'``."""
    changes = {name.replace("_", "'"): value for name, value in start.items()}
    given = {name: value for name, value in {**START, **changes}.items() if value is not None}
    return Mistake(id, lambda _: skate(**(of or {})).simulate(given, until=1), refusal, names)


def running(id: str, refusal: type[Error], *names: tuple[str, ...], of: object = None, **options: object) -> Mistake:
    return Mistake(id, lambda _: skate(**(of or {})).simulate(START, **options), refusal, names)


def reading(id: str, text: str | bytes, *names: tuple[str, ...], refusal: type[Error] = FileError) -> Mistake:
    def make(folder: Path) -> object:
        path = folder / "skate.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return ah.load(path)

    return Mistake(id, make, refusal, names)


def rewritten(key: str, value: str) -> str:
    """The skate's file with another value for one key."""
    changed, count = re.subn(rf"(?m)^{key} = .*$", lambda _: f"{key} = {value}", FILE)
    return changed if count else f"{FILE}{key} = {value}\n"


x, y, t = sympy.symbols("x y t")

SYMBOLS = [
    declaring("eulers-number", DeclarationError, "2", "x", lagrangian="x'^2 - e^(2*x)"),
    declaring("eulers-number-alone", DeclarationError, "1", lagrangian="x'^2 - e*x"),
    declaring(
        "undeclared-in-lagrangian",
        DeclarationError,
        "g",
        "parameters",
        lagrangian="x'^2 + y'^2 + theta'^2 - g*y",
    ),
    declaring(
        "undeclared-several",
        DeclarationError,
        "g",
        "k",
        "parameters",
        lagrangian="x'^2 + y'^2 + theta'^2 - g*y - k*x",
    ),
    declaring(
        "undeclared-in-constraint",
        DeclarationError,
        "b",
        "1",
        "parameters",
        constraints=["x' = b*y'"],
    ),
    declaring(
        "undeclared-in-labelled-constraint",
        DeclarationError,
        "edge",
        "b",
        constraints={"edge": "x' = b*y'"},
    ),
    declaring("undeclared-in-force", DeclarationError, "c", "x", "parameters", forces={"x": "-c*x'"}),
    declaring(
        "undeclared-in-span",
        DeclarationError,
        "r",
        "1",
        "span",
        "parameters",
        span=[["r", 0, 0], TURN],
    ),
    declaring(
        "velocity-of-undeclared-coordinate",
        DeclarationError,
        "z'",
        "coordinates",
        lagrangian="x'^2 + z'^2",
    ),
    declaring("velocity-of-parameter", DeclarationError, "m'", lagrangian="x'^2 + m'^2"),
    declaring("acceleration-in-lagrangian", DeclarationError, "x''", lagrangian="x'*x''"),
    declaring("acceleration-squared", DeclarationError, "c1", constraints=["x''^2 = y'"]),
    declaring("acceleration-in-force", DeclarationError, "y''", "x", forces={"x": "y''"}),
    declaring(
        "misspelt-coordinate",
        DeclarationError,
        "tehta",
        lagrangian="x'^2 + y'^2 + theta'^2 - sin(tehta)",
    ),
]

RATES = [
    declaring(f"rate-{written}", DeclarationError, meant, lagrangian=f"x'^2 + y'^2 + ({written})^2")
    for written, meant in {
        "theta_dot": "theta'",
        "thetadot": "theta'",
        "xdot": "x'",
        "dot_x": "x'",
        "dx/dt": "x'",
        "dtheta/dt": "theta'",
        "dxdt": "x'",
        "xddot": "x''",
    }.items()
]

NAMES = [
    declaring("duplicate-coordinates", DeclarationError, "x", coordinates=["x", "y", "x"]),
    declaring(
        "coordinate-parameter-clash",
        DeclarationError,
        "x",
        parameters={"x": 1, "m": 1, "I": 1},
    ),
    declaring("reserved-time", DeclarationError, "t", coordinates=["t", "y", "theta"]),
    declaring(
        "reserved-function",
        DeclarationError,
        "sin",
        parameters={"m": 1, "I": 1, "sin": 2},
    ),
    declaring("reserved-pi", DeclarationError, "pi", parameters={"pi": 3}),
    declaring("coordinate-with-blank", DeclarationError, "my x", coordinates=["my x", "y", "theta"]),
    declaring("coordinate-with-digit-first", DeclarationError, "2x", coordinates=["2x", "y", "theta"]),
    declaring("coordinate-with-prime", DeclarationError, "x'", "x", coordinates=["x'", "y", "theta"]),
    declaring("coordinate-empty-name", DeclarationError, coordinates=["", "y", "theta"]),
    declaring("coordinate-number", DeclarationError, "3", coordinates=[3, "y", "theta"]),
    declaring("no-coordinates", DeclarationError, coordinates=[]),
    declaring("coordinates-as-text", DeclarationError, "coordinates", "xy", coordinates="xy"),
    declaring("coordinates-none", DeclarationError, "coordinates", coordinates=None),
    declaring(
        "wrong-kind-word",
        DeclarationError,
        "theta",
        "rotation",
        "length",
        "angle",
        coordinates={"x": "length", "y": "length", "theta": "rotation"},
    ),
    declaring(
        "kind-not-hashable",
        DeclarationError,
        "theta",
        "length",
        "angle",
        coordinates={"x": "length", "y": "length", "theta": ["angle"]},
    ),
    declaring("empty-name", DeclarationError, name="  "),
    declaring("name-is-number", DeclarationError, name=7),
]

PARAMETERS = [
    declaring("parameter-nan", DeclarationError, "m", "nan", parameters={"m": float("nan"), "I": 1}),
    declaring("parameter-inf", DeclarationError, "m", "inf", parameters={"m": float("inf"), "I": 1}),
    declaring("parameter-text", DeclarationError, "m", "heavy", parameters={"m": "heavy", "I": 1}),
    declaring("parameter-bool", DeclarationError, "m", parameters={"m": True, "I": 1}),
    declaring("parameter-list", DeclarationError, "m", "1", "2", parameters={"m": [1, 2], "I": 1}),
    declaring("parameter-complex", DeclarationError, "m", parameters={"m": 1j, "I": 1}),
    declaring("parameter-huge", DeclarationError, "m", parameters={"m": 10**400, "I": 1}),
    declaring("parameters-as-text", DeclarationError, "parameters", "m, I", parameters="m, I"),
    declaring("parameters-as-number", DeclarationError, "parameters", "3", parameters=3),
    declaring("parameter-twice", DeclarationError, "m", "twice", parameters=["m", "I", "m"]),
    Mistake("with-no-table", lambda _: skate().with_parameters(2.0), DeclarationError, ("2.0",)),
    Mistake("with-unknown-in-table", lambda _: skate().with_parameters({"M": 2}), UnknownNameError, ("M",)),
    Mistake("with-unknown-parameter", lambda _: skate().with_parameters(M=2), UnknownNameError, ("M",)),
    Mistake(
        "with-parameter-nan",
        lambda _: skate().with_parameters(m=float("nan")),
        DeclarationError,
        ("m", "nan"),
    ),
    Mistake(
        "with-parameter-zero",
        lambda _: skate().with_parameters(m=0),
        DeclarationError,
        ("m", "0"),
    ),
]

TEXTS = [
    declaring("lagrangian-not-an-expression", ExpressionError, "*", lagrangian="2x'^2"),
    declaring("lagrangian-empty", ExpressionError, "empty", lagrangian=""),
    declaring("lagrangian-none", DeclarationError, "lagrangian", "momenta", lagrangian=None),
    declaring("lagrangian-and-momenta", DeclarationError, "lagrangian", momenta={"x": "x'"}),
    declaring("redundant-word", DeclarationError, "yes", "redundant", "keep", redundant="yes"),
    declaring("momentum-of-nobody", DeclarationError, "momentum", "z", lagrangian=None, momenta={"z": "x'"}),
    declaring("lagrangian-list", DeclarationError, "x", lagrangian=["x"]),
    declaring("lagrangian-nan", DeclarationError, "nan", lagrangian=float("nan")),
    declaring(
        "lagrangian-sympy-matrix",
        DeclarationError,
        "SymPy",
        lagrangian=sympy.Matrix([x, y]),
    ),
    declaring("lagrangian-sympy-equation", DeclarationError, "SymPy", lagrangian=sympy.Eq(x, y)),
    declaring("lagrangian-sympy-function", Error, lagrangian=sympy.zeta(x) + ah.velocity("x") ** 2),
    declaring("lagrangian-sympy-complex", Error, lagrangian=sympy.I * ah.velocity("x") ** 2),
    declaring("lagrangian-sympy-infinite", Error, lagrangian=sympy.oo * ah.velocity("x") ** 2),
    declaring("lagrangian-sympy-partial", Error, lagrangian=sympy.Derivative(sympy.Function("f")(x, y), x)),
    declaring("constraint-without-equals", ExpressionError, "1", constraints=["x'*sin(theta) - y'*cos(theta)"]),
    declaring("constraint-double-equals", ExpressionError, "1", "=", constraints=["x' == y'"]),
    declaring("constraint-two-equals", ExpressionError, "1", constraints=["x' = y' = 0"]),
    declaring("constraint-none", DeclarationError, "1", constraints=[None]),
    declaring("constraint-bool", DeclarationError, "1", constraints=[sympy.true]),
    declaring("constraints-as-text", DeclarationError, "constraints", constraints="x' = y'"),
    declaring("constraints-as-number", DeclarationError, "constraints", "3", constraints=3),
    declaring("constraint-inequality", DeclarationError, "1", constraints=[sympy.Lt(x, y)]),
    declaring("force-text", ExpressionError, "x", forces={"x": "3*"}),
    declaring("force-on-unknown", DeclarationError, "z", forces={"z": "1"}),
    declaring("force-on-acceleration", DeclarationError, "x''", forces={"x''": "1"}),
    declaring("force-twice", DeclarationError, "x", "twice", forces={"x": "1", "x'": "2"}),
    declaring(
        "force-by-a-speed",
        DeclarationError,
        "v",
        "x",
        "speeds",
        forces={"x": "-v"},
        constraints=["x'*sin(theta) = y'*cos(theta)"],
        speeds={"v": "x'*cos(theta) + y'*sin(theta)", "w": "theta'"},
    ),
    declaring("forces-as-list", DeclarationError, "forces", "1", forces=["1"]),
]

PHYSICS = [
    declaring("square-of-velocities", DeclarationError, "c1", "square", constraints=["(x' - y')^2 = 0"]),
    declaring("square-of-positions", DeclarationError, "c1", constraints=["(x^2 + y^2 - 1)^2 = 0"]),
    declaring(
        "dependent-where-they-hold",
        DeclarationError,
        "c1",
        "c2",
        "dependent",
        "drop",
        constraints=["x = 0", "x' + x*y' = 0"],
    ),
    declaring("label-number", DeclarationError, "label", "1", constraints={1: "x' = 0", "1": "y' = 0"}),
    declaring("label-empty", DeclarationError, "label", constraints={"": "x' = 0"}),
    declaring(
        "nowhere-finite",
        DeclarationError,
        lagrangian="x'^2 + y'^2 + theta'^2 + log(-1 - x^2)",
        constraints=[],
    ),
    declaring("constraint-identity", DeclarationError, "c1", "identity", constraints=["x' - x' = 0"]),
    declaring(
        "constraint-hidden-identity",
        DeclarationError,
        "c1",
        "identity",
        constraints=["sin(theta)^2*x' + cos(theta)^2*x' = x'"],
    ),
    declaring("constraint-false", DeclarationError, "c1", constraints=["2 = 3"]),
    declaring("constraint-on-parameter", DeclarationError, "c1", constraints=["m = 3"]),
    declaring("constraint-on-time", DeclarationError, "c1", constraints=["t = 3"]),
    declaring(
        "dependent-two",
        DeclarationError,
        "b",
        "dependent",
        constraints={"a": "x' = y'", "b": "2*x' = 2*y'"},
    ),
    declaring(
        "dependent-three",
        DeclarationError,
        "b",
        "c",
        "dependent",
        constraints={"a": "x' = y'", "b": "theta' = y'", "c": "x' + theta' = 2*y'"},
    ),
    declaring(
        "dependent-two-of-three",
        DeclarationError,
        "c",
        "dependent",
        constraints={"a": "x' = y'", "b": "theta' = y'", "c": "3*x' = 3*y'"},
    ),
    declaring(
        "dependent-with-functions",
        DeclarationError,
        "c1",
        "c2",
        "dependent",
        constraints=["x'*sin(theta) = y'*cos(theta)", "x'*tan(theta) = y'"],
    ),
    declaring(
        "dependent-affine", DeclarationError, "c1", "c2", "dependent", constraints=["x' = y' + 1", "2*x' = 2*y' + 2"]
    ),
    declaring(
        "contradictory",
        DeclarationError,
        "c1",
        "c2",
        constraints=["x' = y' + 1", "x' = y' + 2"],
    ),
    declaring("contradictory-in-time", DeclarationError, "c1", "c2", constraints=["x' = t", "x' = 0"]),
    declaring(
        "too-many-constraints",
        DeclarationError,
        "4",
        "3",
        constraints=["x' = 0", "y' = 0", "theta' = 0", "x' = y'"],
    ),
    declaring("position-twice", DeclarationError, "c1", "c2", constraints=["x = y", "x - y = 0"]),
    declaring("no-real-state", DeclarationError, "c1", constraints=["x'^2 + y'^2 = -1"]),
    declaring("mass-zero", DeclarationError, "m", "0", parameters={"m": 0, "I": 1}),
    declaring(
        "no-inertia-in-one-direction",
        DeclarationError,
        "theta'",
        "direction",
        lagrangian="m*(x'^2 + y'^2)/2",
    ),
    declaring(
        "linear-lagrangian",
        DeclarationError,
        lagrangian="x*y' - y*x' + theta'",
    ),
    declaring("no-velocities-in-lagrangian", DeclarationError, lagrangian="-m*x"),
    declaring(
        "cancelled-inertia",
        DeclarationError,
        lagrangian="m*(x' + y')^2/2 + I*theta'^2/2",
        constraints=[],
    ),
]

SPANS = [
    declaring("span-short-vector", DeclarationError, "span", "vector", "1", "3", span=[[1, 0], TURN]),
    declaring("span-long-vector", DeclarationError, "span", "vector", "2", "3", span=[FORWARD, [0, 0, 1, 0]]),
    declaring("span-violating", DeclarationError, "1", "span", "c1", span=[[1, 0, 0], TURN]),
    declaring("span-dependent", DeclarationError, "dependent", span=[TURN, [0, 0, 2]]),
    declaring("span-too-few", DeclarationError, "span", "1", "3", "2", span=[TURN]),
    declaring("span-too-many", DeclarationError, "span", "3", "1", "2", span=[FORWARD, TURN, TURN]),
    declaring("span-with-velocity", DeclarationError, "2", "span", "x'", span=[FORWARD, [0, 0, "x'"]]),
    declaring("span-with-nonlinear", DeclarationError, "c1", "nonlinear", "span", span=[FORWARD, TURN], **NONLINEAR),
    declaring("span-flat", DeclarationError, "span", "1", span=[1, 0, 0]),
    declaring("span-number", DeclarationError, "span", "3", span=3),
    declaring("span-text", DeclarationError, "span", "x", span="x"),
    declaring("speeds-without-span", DeclarationError, "speeds", "span", speeds=["u", "v"]),
    declaring(
        "speeds-clash-parameter",
        DeclarationError,
        "m",
        span=[FORWARD, TURN],
        speeds=["m", "v"],
    ),
    declaring(
        "speeds-clash-each-other",
        DeclarationError,
        "v",
        span=[FORWARD, TURN],
        speeds=["v", "v"],
    ),
    declaring(
        "speeds-count",
        DeclarationError,
        "speeds",
        "1",
        "2",
        span=[FORWARD, TURN],
        speeds=["v"],
    ),
    declaring("speeds-reserved", DeclarationError, "t", span=[FORWARD, TURN], speeds=["t", "v"]),
    declaring("speeds-text", DeclarationError, "speeds", "uv", span=[FORWARD, TURN], speeds="uv"),
    declaring("speeds-number", DeclarationError, "speeds", "2", span=[FORWARD, TURN], speeds=2),
]

PRINCIPLES = [
    Mistake("unknown-principle", lambda _: skate().derive("newton"), UnknownNameError, ("newton",)),
    Mistake("principle-not-a-name", lambda _: skate().derive(3), UnknownNameError, ("3",)),
    Mistake(
        "hamel-on-nonlinear",
        lambda _: skate(**NONLINEAR).derive("hamel"),
        NotSupportedError,
        ("hamel", "nonlinear"),
    ),
    running("simulate-hamel-on-nonlinear", NotSupportedError, "hamel", "nonlinear", of=NONLINEAR, until=1, by="hamel"),
    running("simulate-by-unknown", UnknownNameError, "newton", until=1, by="newton"),
    Mistake(
        "verify-bad-state",
        lambda _: skate().verify(states=[{"x": 0}]),
        StateError,
        (),
    ),
    Mistake(
        "accelerations-bad-state",
        lambda _: skate().derive().accelerations({**START, "y'": 1}),
        StateError,
        ("c1",),
    ),
]

STATES = [
    starting("state-missing-coordinate", "y", y=None),
    starting("state-missing-velocity", "theta'", theta_=None),
    starting("state-missing-two-velocities", "x'", "y'", theta=1, x_=None),
    starting(
        "state-missing-all-velocities-free",
        "x'",
        "y'",
        "theta'",
        of={"constraints": []},
        x_=None,
        theta_=None,
    ),
    starting("state-misspelt", "thet", thet=1),
    starting("state-misspelt-velocity", "thea'", "theta'", thea_=1),
    starting("state-unknown", "zzz", "x'", zzz=1),
    starting("state-nan", "x", "nan", x=float("nan")),
    starting("state-inf", "x'", "inf", x_=float("inf")),
    starting("state-text", "one", "x", x="one"),
    starting("state-zero-division-text", "1/0", "x", x="1/0"),
    starting("state-bool", "x", x=True),
    starting("state-list", "x", "1", x=[1]),
    starting("state-complex", "x", x=1j),
    starting("state-acceleration", "x''", "x'", x__=1),
    starting("state-violates-velocity", "violates", "c1", "1", "x'", y_=1),
    starting(
        "state-violates-position",
        "position",
        "violates",
        "c1",
        "3",
        of={"constraints": ["x^2 + y^2 = 1"]},
        x=2,
        x_=0,
    ),
    starting("state-not-finite", of={"constraints": ["x'/theta = y'"]}),
    starting(
        "state-impossible-nonlinear",
        "y'",
        "c1",
        "project",
        of={"constraints": ["x'^2 + y'^2 = 1"]},
        x_=2,
    ),
    starting(
        "state-parameter-missing",
        "m",
        "parameters",
        of={"parameters": {"m": None, "I": 1}},
    ),
    starting("state-singular-constraints", of={"constraints": ["x'*x = y'*x"]}, y_=1),
    Mistake(
        "state-not-a-dict",
        lambda _: skate().simulate([0, 0, 0, 1, 0, 0.5], until=1),
        StateError,
        ("dict", "1", "0.5"),
    ),
    declaring("declared-start-misspelt", StateError, "thet", start={"thet": 1}),
    declaring("declared-start-dot", StateError, "x'", start={**START, "xdot": 1}),
    Mistake("changed-start-misspelt", lambda _: skate().with_start({"thea'": 1}), StateError, ("theta'",)),
    declaring("name-half-a-character", DeclarationError, name="skate\ud800"),
    declaring("label-nul", DeclarationError, "label", constraints={"c\0": "x' = y'"}),
    running("event-half-a-character", IntegrationError, until=1, events={"\udfff": "x"}),
    Mistake(
        "part-without-support",
        lambda _: ah.bodies.Rolling(BODY, surface=ah.bodies.Disc(1)),
        UnknownNameError,
        ("on",),
    ),
    Mistake(
        "part-misspelt",
        lambda _: ah.bodies.Revolute(BODY, BODY, angel="x"),
        UnknownNameError,
        ("angle",),
    ),
    Mistake(
        "part-by-place",
        lambda _: ah.bodies.Rolling(BODY, ah.bodies.Disc(1), ah.bodies.Plane()),
        UnknownNameError,
        (),
    ),
    Mistake("part-twice", lambda _: ah.bodies.RigidBody("a", name="b"), UnknownNameError, ("name", "twice")),
    Mistake("group-like-one", lambda _: ah.groups.read("SO(3)"), UnknownNameError, ("SO3",)),
    Mistake(
        "group-speed",
        lambda _: ah.System(group="SO3", kinetic=[1, 1, 1], constraints=["wx = 0"]),
        DeclarationError,
        ("wx", "w1", "w2", "w3"),
    ),
    declaring("misspelt-keyword", UnknownNameError, "lagrangean", "lagrangian", lagrangean="x'^2"),
    declaring("unknown-keyword", UnknownNameError, "zzz", zzz=1),
    Mistake(
        "positional-name",
        lambda _: ah.System("skate", **SKATE),
        UnknownNameError,
        ("skate",),
    ),
    running("misspelt-option", UnknownNameError, "util", "until", util=1),
    starting("state-rounding-alone", "1e-16", "y'", "0", "project", x_=0, y_=1e-16, theta_=0),
    starting("state-right-angle", "x'", "0", "y'", theta=math.pi / 2, theta_=0),
    Mistake("state-none", lambda _: skate().simulate(None, until=1), StateError, ()),
    Mistake("state-name-not-text", lambda _: skate().simulate({**START, 3: 1}, until=1), StateError, ("3", "x'")),
]

TIMES = [
    running("neither-until-nor-times", IntegrationError, "until", "times"),
    running("both-until-and-times", IntegrationError, "until", "times", until=1, times=[0, 1]),
    running("until-is-start", IntegrationError, "until", "0", until=0),
    running("until-nan", IntegrationError, "until", "nan", until=float("nan")),
    running("until-text", IntegrationError, "long", "until", until="long"),
    running("until-list", IntegrationError, "until", "1", "2", "times", until=[1, 2]),
    running("times-unsorted", IntegrationError, "times", times=[0, 2, 1]),
    running("times-repeated", IntegrationError, "times", times=[0, 1, 1]),
    running("times-empty", IntegrationError, "times", times=[]),
    running("times-nan", IntegrationError, "times", times=[0, float("nan")]),
    running("times-text", IntegrationError, "times", times=["now", "then"]),
    running("times-number", IntegrationError, "times", times=3.0),
    running("times-table", IntegrationError, "times", times=[[0, 1], [2, 3]]),
    running("times-complex", IntegrationError, "times", times=[0, 1j]),
    Mistake(
        "start-time-mismatch",
        lambda _: skate().simulate({**START, "t": 1}, times=[0, 1]),
        IntegrationError,
        ("t", "1", "0"),
    ),
    Mistake(
        "until-is-start-time",
        lambda _: skate().simulate({**START, "t": 2}, until=2),
        IntegrationError,
        ("until", "2", "t"),
    ),
    running("unknown-integrator", UnknownNameError, "euler", until=1, integrator="euler"),
    running("tolerance-zero", IntegrationError, "tolerance", "0", "1", until=1, tolerance=0),
    running("tolerance-large", IntegrationError, "tolerance", "0", "1", until=1, tolerance=2),
    running("tolerance-text", IntegrationError, "tolerance", "fine", until=1, tolerance="fine"),
    running("tolerance-nan", IntegrationError, "tolerance", "0", "1", until=1, tolerance=float("nan")),
    running("parameter-unknown", Error, "M", until=1, parameters={"M": 1}),
    running("parameter-is-coordinate", Error, "x", until=1, parameters={"x": 1}),
    running("parameters-not-a-dict", Error, "parameters", "dict", until=1, parameters=[1]),
]

FILES = [
    reading("file-start-unquoted", FILE + "[start]\nx' = 1\n", "8"),
    reading("file-parameter-ratio", rewritten("parameters", '{ m = 1.0, I = "1/3" }'), "parameters", "1/3"),
    reading("file-parameter-truth", rewritten("parameters", "{ m = 1.0, I = true }"), "parameters"),
    reading("file-parameter-date", rewritten("parameters", "{ I = 2020-01-01 }"), "parameters", "date", "2020"),
    reading("file-force-number", rewritten("forces", "{ x = 1 }"), "forces", "x", "1"),
    reading("file-force-list", rewritten("forces", '["x"]'), "forces", "x"),
    Mistake("file-missing", lambda f: ah.load(f / "none.toml"), FileError, ("file", "toml")),
    Mistake("file-is-folder", lambda f: ah.load(f), FileError, ("folder",)),
    Mistake("file-path-number", lambda _: ah.load(3), FileError, ("3", "path")),
    reading("file-not-toml", "name = = 3", "toml", "TOML"),
    reading("file-truncated", 'schema = "anholonomy-system-1', "TOML"),
    reading("file-single-quotes", rewritten("lagrangian", "'x'^2/2'"), "4", "quotes"),
    reading("file-single-quotes-in-list", FILE + "forces = [\n  'x' = 1',\n]\n", "8", "quotes"),
    reading(
        "file-lagrangian-below-table",
        FILE.replace("lagrangian", "#").replace("parameters", "#") + '[parameters]\nlagrangian = "x\'^2"\n',
        "lagrangian",
        "table",
    ),
    reading(
        "file-constraints-below-parameters",
        FILE.replace("constraints", "#").replace("parameters", "#")
        + '[parameters]\nm = 1\nconstraints = ["x\' = 1"]\n',
        "constraints",
    ),
    reading("file-deep-lists", f"x = {'[' * 9000}{']' * 9000}"),
    reading("file-deep-tables", f"x = {'{a = ' * 3000}1{'}' * 3000}"),
    reading("file-long-number", rewritten("parameters", f"{{ m = {'9' * 5000} }}")),
    reading("file-empty", ""),
    reading("file-binary", b"\x00\xff\xfe\x89HDF", "UTF", "8", "TOML"),
    reading("file-wrong-schema", rewritten("schema", '"anholonomy-system-9"'), "anholonomy", "9", "1"),
    reading("file-schema-number", rewritten("schema", "1"), "schema", "1"),
    reading("file-no-lagrangian", FILE.replace("lagrangian", "#"), "lagrangian"),
    reading("file-no-name", FILE.replace("name", "#"), "name"),
    reading("file-no-coordinates", FILE.replace("coordinates", "#"), "coordinates"),
    reading("file-unknown-key", FILE + 'energy = "x"\n', "energy"),
    reading("file-kinetic-number", rewritten("lagrangian", "3").replace("lagrangian", "kinetic"), "kinetic", "3"),
    reading("file-misspelt-key", FILE.replace("lagrangian", "lagrangain"), "lagrangain", "lagrangian"),
    reading("file-lagrangian-number", rewritten("lagrangian", "true"), "lagrangian"),
    reading("file-lagrangian-list", rewritten("lagrangian", '["x"]'), "lagrangian"),
    reading("file-lagrangian-date", rewritten("lagrangian", "2020-01-01"), "lagrangian"),
    reading("file-name-number", rewritten("name", "3"), "name", "3"),
    reading("file-constraints-number", rewritten("constraints", "3"), "constraints"),
    reading("file-constraints-text", rewritten("constraints", '"x\' = 0"'), "constraints"),
    reading(
        "file-constraint-table",
        rewritten("constraints", "{ a = { b = 1 } }"),
        "constraints",
    ),
    reading("file-parameters-list", rewritten("parameters", '["m", "I"]'), "parameters"),
    reading("file-parameter-text", rewritten("parameters", '{ m = "1", I = 1 }'), "m"),
    reading("file-parameter-table", rewritten("parameters", "{ m = { kg = 1 }, I = 1 }"), "m"),
    reading(
        "file-parameter-nan",
        rewritten("parameters", "{ m = nan, I = 1 }"),
        "m",
        refusal=DeclarationError,
    ),
    reading("file-coordinates-text", rewritten("coordinates", '"xy"'), "coordinates"),
    reading(
        "file-coordinates-numbers",
        rewritten("coordinates", "[1, 2]"),
        "coordinates",
        "1",
    ),
    reading(
        "file-coordinates-kind",
        rewritten("coordinates", "{ x = 1, y = 2, theta = 3 }"),
        "coordinates",
        "length",
        "angle",
    ),
    reading("file-span-flat", rewritten("span", '["1", "0", "0"]'), "span"),
    reading("file-span-numbers", rewritten("span", "[1, 0, 0]"), "span"),
    reading("file-span-text", rewritten("span", '"x"'), "span"),
    reading(
        "file-speeds-text",
        FILE + 'span = [["cos(theta)", "sin(theta)", "0"], [0, 0, 1]]\nspeeds = "uv"\n',
        "speeds",
    ),
    reading(
        "file-speeds-numbers",
        FILE + 'span = [["cos(theta)", "sin(theta)", "0"], [0, 0, 1]]\nspeeds = [1, 2]\n',
        "speeds",
        "1",
    ),
    reading("file-forces-list", rewritten("forces", '["1"]'), "forces"),
    reading("file-forces-number", rewritten("forces", "7"), "forces"),
    reading("file-free-text", rewritten("free", '"g"'), "free"),
    reading("file-free-clash", rewritten("free", '["m"]'), "m", "free"),
    reading("file-free-number", rewritten("free", "[3]"), "free", "1", "3"),
    reading("file-syntax", rewritten("lagrangian", '"2x\'"'), "*", refusal=ExpressionError),
    reading("file-ill-posed", rewritten("parameters", "{ m = 1.0 }"), "parameters", refusal=DeclarationError),
    Mistake("save-no-folder", lambda f: skate().save(f / "none" / "skate.toml"), FileError, ("folder",)),
    Mistake("save-onto-folder", lambda f: skate().save(f), FileError, ("folder",)),
]


def other_netcdf(folder: Path) -> Path:
    import xarray as xr

    xr.Dataset({"q": ("time", np.arange(3.0))}).to_netcdf(folder / "other.nc", engine="h5netcdf")
    return folder / "other.nc"


def broken_netcdf(folder: Path) -> Path:
    (folder / "broken.nc").write_bytes(b"\x89HDF\r\n\x1a\n but no more")
    return folder / "broken.nc"


def stripped_netcdf(folder: Path) -> Path:
    """A trajectory somebody removed a dimension from."""
    run = skate().simulate(START, times=[0, 1])
    run.data.drop_vars(["velocity", "energy"]).to_netcdf(folder / "stripped.nc", engine="h5netcdf")
    return folder / "stripped.nc"


def folder_named(folder: Path) -> Path:
    (folder / "run.nc").mkdir()
    return folder / "run.nc"


def text_file(folder: Path) -> Path:
    (folder / "text.nc").write_text("time,x\n0,1\n")
    return folder / "text.nc"


def short_run() -> ah.Motion:
    return skate().simulate(START, times=[0, 1])


TRAJECTORIES = [
    Mistake(
        "trajectory-missing",
        lambda f: ah.load(f / "none.nc"),
        FileError,
        ("nc",),
    ),
    Mistake("trajectory-broken", lambda f: ah.load(broken_netcdf(f)), FileError, ("broken", "netCDF")),
    Mistake("trajectory-text", lambda f: ah.load(text_file(f)), FileError, ("netCDF",)),
    Mistake(
        "trajectory-other",
        lambda f: ah.load(other_netcdf(f)),
        FileError,
        ("trajectory", "1"),
    ),
    Mistake("trajectory-stripped", lambda f: ah.load(stripped_netcdf(f)), FileError, ("stripped",)),
    Mistake("trajectory-path-number", lambda _: ah.load(3), FileError, ("3", "path")),
    Mistake(
        "trajectory-save-no-folder",
        lambda f: short_run().save(f / "none" / "run.nc"),
        FileError,
        (),
    ),
    Mistake("trajectory-save-onto-folder", lambda f: short_run().save(folder_named(f)), FileError, ("folder",)),
    Mistake("trajectory-save-no-ending", lambda f: short_run().save(f / "run"), FileError, ("netCDF",)),
    Mistake("trajectory-save-other-ending", lambda f: short_run().save(f / "run.xlsx"), FileError, ()),
    Mistake("trajectory-save-empty-path", lambda _: short_run().save(""), FileError, ("path",)),
    Mistake("save-empty-path", lambda _: skate().save(""), FileError, ("path",)),
    Mistake("save-nul-in-path", lambda f: skate().save(f"{f}/a\0.toml"), FileError, ("path",)),
    Mistake("save-surrogate-in-path", lambda f: skate().save(f"{f}/a\ud800.toml"), FileError, ("path",)),
    Mistake("save-long-path", lambda f: skate().save(f / ("a" * 400)), FileError, ("long",)),
    Mistake("trajectory-save-long-path", lambda f: short_run().save(f / f"{'a' * 400}.nc"), FileError, ("long",)),
    Mistake("trajectory-load-long-path", lambda f: ah.load(f / f"{'a' * 400}.nc"), FileError, ("long",)),
    Mistake("load-long-path", lambda f: ah.load(f / ("a" * 400)), FileError, ("long",)),
    Mistake("load-empty-path", lambda _: ah.load(""), FileError, ("path",)),
    Mistake("trajectory-load-table", lambda f: ah.load(f / "run.csv"), FileError, ("table",)),
    Mistake("plot-empty-path", lambda _: short_run().plot(""), FileError, ("path",)),
    Mistake("animate-empty-path", lambda _: short_run().animate(""), FileError, ("path",)),
    Mistake("variable-unknown", lambda _: short_run()["nope"], UnknownNameError, ("nope",)),
    Mistake("variable-misspelt", lambda _: short_run()["thet"], UnknownNameError, ("thet",)),
    Mistake("variable-number", lambda _: short_run()[0], UnknownNameError, ("0",)),
    Mistake("variable-jerk", lambda _: short_run()["x'''"], ExpressionError, ("x'''", "x'")),
]

MISTAKES = [
    *SYMBOLS,
    *RATES,
    *NAMES,
    *PARAMETERS,
    *TEXTS,
    *PHYSICS,
    *SPANS,
    *PRINCIPLES,
    *STATES,
    *TIMES,
    *FILES,
    *TRAJECTORIES,
]


@pytest.mark.exhaustive_for("trajectory-broken", "trajectory-other", "trajectory-stripped")
@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.id)
def test_a_mistake_is_refused_in_a_sentence(mistake, tmp_path):
    with blames(mistake.refusal, *mistake.names):
        mistake.make(tmp_path)


def test_mistakes_have_names_of_their_own():
    names = [mistake.id for mistake in MISTAKES]
    assert len(names) == len(set(names)) >= 70


def test_a_refused_save_leaves_the_old_file(tmp_path):
    path = tmp_path / "skate.toml"
    skate().save(path)
    before = path.read_bytes()
    with blames(Error):
        skate().with_parameters(m=0).save(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["skate.toml"]
