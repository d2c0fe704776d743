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
    """Something wrong, how it is refused, and what the sentence must say."""

    id: str
    make: Callable[..., object]
    refusal: type[Error]
    says: tuple[str, ...]


def skate(**changes: object) -> ah.System:
    """The skate, declared with something else."""
    return ah.System(**{**SKATE, **changes})


def declaring(id: str, refusal: type[Error], *says: str, **changes: object) -> Mistake:
    return Mistake(id, lambda _: skate(**changes), refusal, says)


def starting(id: str, *says: str, refusal: type[Error] = StateError, of: object = None, **start: object) -> Mistake:
    """A wrong start: entries replaced, or left out when given as None; ``x_`` stands for ``x'``."""
    changes = {name.replace("_", "'"): value for name, value in start.items()}
    given = {name: value for name, value in {**START, **changes}.items() if value is not None}
    return Mistake(id, lambda _: skate(**(of or {})).simulate(given, until=1), refusal, says)


def running(id: str, refusal: type[Error], *says: str, of: object = None, **options: object) -> Mistake:
    return Mistake(id, lambda _: skate(**(of or {})).simulate(START, **options), refusal, says)


def reading(id: str, text: str | bytes, *says: str, refusal: type[Error] = FileError) -> Mistake:
    def make(folder: Path) -> object:
        path = folder / "skate.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return ah.load(path)

    return Mistake(id, make, refusal, says)


def rewritten(key: str, value: str) -> str:
    """The skate's file with another value for one key."""
    changed, count = re.subn(rf"(?m)^{key} = .*$", lambda _: f"{key} = {value}", FILE)
    return changed if count else f"{FILE}{key} = {value}\n"


x, y, t = sympy.symbols("x y t")

SYMBOLS = [
    declaring("eulers-number", DeclarationError, "write exp(2*x)", lagrangian="x'^2 - e^(2*x)"),
    declaring("eulers-number-alone", DeclarationError, "write exp(1)", lagrangian="x'^2 - e*x"),
    declaring(
        "undeclared-in-lagrangian",
        DeclarationError,
        "skate",
        "g",
        "the Lagrangian",
        "`parameters`",
        lagrangian="x'^2 + y'^2 + theta'^2 - g*y",
    ),
    declaring(
        "undeclared-several",
        DeclarationError,
        "g, k appear",
        "`parameters`",
        lagrangian="x'^2 + y'^2 + theta'^2 - g*y - k*x",
    ),
    declaring(
        "undeclared-in-constraint",
        DeclarationError,
        "b appears in constraint 1",
        "`parameters`",
        constraints=["x' = b*y'"],
    ),
    declaring(
        "undeclared-in-labelled-constraint",
        DeclarationError,
        "b appears in the constraint 'edge'",
        constraints={"edge": "x' = b*y'"},
    ),
    declaring(
        "undeclared-in-force", DeclarationError, "c appears in the force on x", "`parameters`", forces={"x": "-c*x'"}
    ),
    declaring(
        "undeclared-in-span",
        DeclarationError,
        "r appears in vector 1 of the span",
        "`parameters`",
        span=[["r", 0, 0], TURN],
    ),
    declaring(
        "velocity-of-undeclared-coordinate",
        DeclarationError,
        "z'",
        "z is not a coordinate",
        "`coordinates`",
        lagrangian="x'^2 + z'^2",
    ),
    declaring("velocity-of-parameter", DeclarationError, "m'", "m is a parameter", lagrangian="x'^2 + m'^2"),
    declaring(
        "acceleration-in-lagrangian", DeclarationError, "x''", "the Lagrangian", "velocities", lagrangian="x'*x''"
    ),
    declaring(
        "acceleration-squared", DeclarationError, "c1", "not linear in the accelerations", constraints=["x''^2 = y'"]
    ),
    declaring("acceleration-in-force", DeclarationError, "y''", "the force on x", forces={"x": "y''"}),
    declaring(
        "misspelt-coordinate",
        DeclarationError,
        "tehta",
        "did you mean theta",
        lagrangian="x'^2 + y'^2 + theta'^2 - sin(tehta)",
    ),
]

RATES = [
    declaring(f"rate-{written}", DeclarationError, f"so write {meant}.", lagrangian=f"x'^2 + y'^2 + ({written})^2")
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
    declaring(
        "duplicate-coordinates", DeclarationError, "x is declared twice", "keep one", coordinates=["x", "y", "x"]
    ),
    declaring(
        "coordinate-parameter-clash",
        DeclarationError,
        "x is both a coordinate and a parameter",
        "rename",
        parameters={"x": 1, "m": 1, "I": 1},
    ),
    declaring("reserved-time", DeclarationError, "`t`", "time", "choose another", coordinates=["t", "y", "theta"]),
    declaring(
        "reserved-function",
        DeclarationError,
        "`sin`",
        "function",
        "choose another",
        parameters={"m": 1, "I": 1, "sin": 2},
    ),
    declaring("reserved-pi", DeclarationError, "`pi`", "π", "choose another", parameters={"pi": 3}),
    declaring("coordinate-with-blank", DeclarationError, "'my x'", "letter", coordinates=["my x", "y", "theta"]),
    declaring("coordinate-with-digit-first", DeclarationError, "'2x'", "letter", coordinates=["2x", "y", "theta"]),
    declaring("coordinate-with-prime", DeclarationError, "`x'`", "name it `x`", coordinates=["x'", "y", "theta"]),
    declaring("coordinate-empty-name", DeclarationError, "''", "letter", coordinates=["", "y", "theta"]),
    declaring("coordinate-number", DeclarationError, "a coordinate is 3", "name", coordinates=[3, "y", "theta"]),
    declaring("no-coordinates", DeclarationError, "no coordinates", "at least one", coordinates=[]),
    declaring("coordinates-as-text", DeclarationError, "`coordinates` is 'xy'", "list", coordinates="xy"),
    declaring("coordinates-none", DeclarationError, "`coordinates` is None", "list", coordinates=None),
    declaring(
        "wrong-kind-word",
        DeclarationError,
        "theta",
        "'rotation'",
        "'length' or 'angle'",
        coordinates={"x": "length", "y": "length", "theta": "rotation"},
    ),
    declaring(
        "kind-not-hashable",
        DeclarationError,
        "theta",
        "'length' or 'angle'",
        coordinates={"x": "length", "y": "length", "theta": ["angle"]},
    ),
    declaring("empty-name", DeclarationError, "name", name="  "),
    declaring("name-is-number", DeclarationError, "name", name=7),
]

PARAMETERS = [
    declaring(
        "parameter-nan", DeclarationError, "the parameter m", "nan", "finite", parameters={"m": float("nan"), "I": 1}
    ),
    declaring(
        "parameter-inf", DeclarationError, "the parameter m", "inf", "finite", parameters={"m": float("inf"), "I": 1}
    ),
    declaring(
        "parameter-text", DeclarationError, "the parameter m", "'heavy'", "number", parameters={"m": "heavy", "I": 1}
    ),
    declaring("parameter-bool", DeclarationError, "the parameter m", "True", "number", parameters={"m": True, "I": 1}),
    declaring(
        "parameter-list", DeclarationError, "the parameter m", "[1, 2]", "number", parameters={"m": [1, 2], "I": 1}
    ),
    declaring("parameter-complex", DeclarationError, "the parameter m", "number", parameters={"m": 1j, "I": 1}),
    declaring("parameter-huge", DeclarationError, "the parameter m", "number", parameters={"m": 10**400, "I": 1}),
    declaring("parameters-as-text", DeclarationError, "`parameters` is 'm, I'", "dict", parameters="m, I"),
    declaring("parameters-as-number", DeclarationError, "`parameters` is 3", "dict", parameters=3),
    declaring("parameter-twice", DeclarationError, "m is declared twice", "keep one", parameters=["m", "I", "m"]),
    Mistake("with-no-table", lambda _: skate().with_parameters(2.0), DeclarationError, ("2.0", "give a dict")),
    Mistake("with-unknown-in-table", lambda _: skate().with_parameters({"M": 2}), UnknownNameError, ("'M'", "m, I")),
    Mistake("with-unknown-parameter", lambda _: skate().with_parameters(M=2), UnknownNameError, ("'M'", "m, I")),
    Mistake(
        "with-parameter-nan",
        lambda _: skate().with_parameters(m=float("nan")),
        DeclarationError,
        ("m", "nan", "finite"),
    ),
    Mistake(
        "with-parameter-zero",
        lambda _: skate().with_parameters(m=0),
        DeclarationError,
        ("degenerate", "because m is 0"),
    ),
]

TEXTS = [
    declaring("lagrangian-not-an-expression", ExpressionError, "the Lagrangian", "`*`", lagrangian="2x'^2"),
    declaring("lagrangian-empty", ExpressionError, "the Lagrangian", "empty", lagrangian=""),
    declaring("lagrangian-none", DeclarationError, "give either a `lagrangian`", "`momenta`", lagrangian=None),
    declaring("lagrangian-and-momenta", DeclarationError, "either a `lagrangian`", momenta={"x": "x'"}),
    declaring("redundant-word", DeclarationError, "redundant='yes'", "'keep'", redundant="yes"),
    declaring("momentum-of-nobody", DeclarationError, "a momentum of z", "x, y", lagrangian=None, momenta={"z": "x'"}),
    declaring("lagrangian-list", DeclarationError, "the Lagrangian is ['x']", "give text", lagrangian=["x"]),
    declaring("lagrangian-nan", DeclarationError, "the Lagrangian is nan", lagrangian=float("nan")),
    declaring(
        "lagrangian-sympy-matrix",
        DeclarationError,
        "the Lagrangian",
        "SymPy expression",
        lagrangian=sympy.Matrix([x, y]),
    ),
    declaring(
        "lagrangian-sympy-equation", DeclarationError, "the Lagrangian", "SymPy expression", lagrangian=sympy.Eq(x, y)
    ),
    declaring(
        "lagrangian-sympy-function", Error, "the Lagrangian", "zeta", lagrangian=sympy.zeta(x) + ah.velocity("x") ** 2
    ),
    declaring("lagrangian-sympy-complex", Error, "the Lagrangian", lagrangian=sympy.I * ah.velocity("x") ** 2),
    declaring("lagrangian-sympy-infinite", Error, "the Lagrangian", lagrangian=sympy.oo * ah.velocity("x") ** 2),
    declaring(
        "lagrangian-sympy-partial", Error, "the Lagrangian", lagrangian=sympy.Derivative(sympy.Function("f")(x, y), x)
    ),
    declaring(
        "constraint-without-equals", ExpressionError, "constraint 1", "=", constraints=["x'*sin(theta) - y'*cos(theta)"]
    ),
    declaring("constraint-double-equals", ExpressionError, "constraint 1", "single `=`", constraints=["x' == y'"]),
    declaring("constraint-two-equals", ExpressionError, "constraint 1", "more than one", constraints=["x' = y' = 0"]),
    declaring("constraint-none", DeclarationError, "constraint 1 is None", "give text", constraints=[None]),
    declaring("constraint-bool", DeclarationError, "constraint 1", "True", constraints=[sympy.true]),
    declaring("constraints-as-text", DeclarationError, "`constraints` is", "list", constraints="x' = y'"),
    declaring("constraints-as-number", DeclarationError, "`constraints` is 3", "list", constraints=3),
    declaring("constraint-inequality", DeclarationError, "constraint 1", "equation", constraints=[sympy.Lt(x, y)]),
    declaring("force-text", ExpressionError, "the force on x", forces={"x": "3*"}),
    declaring("force-on-unknown", DeclarationError, "force on z", "x, y, theta", forces={"z": "1"}),
    declaring("force-on-acceleration", DeclarationError, "force on x''", "x, y, theta", forces={"x''": "1"}),
    declaring(
        "force-twice", DeclarationError, "the force on x is given twice", "keep one", forces={"x": "1", "x'": "2"}
    ),
    declaring(
        "force-by-a-speed",
        DeclarationError,
        "v appears in the force on x",
        "one of the `speeds`",
        forces={"x": "-v"},
        constraints=["x'*sin(theta) = y'*cos(theta)"],
        speeds={"v": "x'*cos(theta) + y'*sin(theta)", "w": "theta'"},
    ),
    declaring("forces-as-list", DeclarationError, "`forces` is ['1']", "dict", forces=["1"]),
]

PHYSICS = [
    declaring("square-of-velocities", DeclarationError, "c1", "as that of a square", constraints=["(x' - y')^2 = 0"]),
    declaring("square-of-positions", DeclarationError, "c1", "take the root", constraints=["(x^2 + y^2 - 1)^2 = 0"]),
    declaring(
        "dependent-where-they-hold",
        DeclarationError,
        "c1 and c2 are dependent",
        "say redundant='drop'",
        constraints=["x = 0", "x' + x*y' = 0"],
    ),
    declaring("label-number", DeclarationError, "label 1", "text", constraints={1: "x' = 0", "1": "y' = 0"}),
    declaring("label-empty", DeclarationError, "label ''", "text", constraints={"": "x' = 0"}),
    declaring(
        "nowhere-finite",
        DeclarationError,
        "the Lagrangian",
        "logarithms",
        lagrangian="x'^2 + y'^2 + theta'^2 + log(-1 - x^2)",
        constraints=[],
    ),
    declaring("constraint-identity", DeclarationError, "c1", "identity", "drop it", constraints=["x' - x' = 0"]),
    declaring(
        "constraint-hidden-identity",
        DeclarationError,
        "c1",
        "identity",
        "drop it",
        constraints=["sin(theta)^2*x' + cos(theta)^2*x' = x'"],
    ),
    declaring(
        "constraint-false", DeclarationError, "c1", "no motion can meet it", "correct or drop it", constraints=["2 = 3"]
    ),
    declaring("constraint-on-parameter", DeclarationError, "c1", "no motion can meet it", constraints=["m = 3"]),
    declaring("constraint-on-time", DeclarationError, "c1", "no motion can meet it", constraints=["t = 3"]),
    declaring(
        "dependent-two",
        DeclarationError,
        "a and b are dependent",
        "drop one",
        constraints={"a": "x' = y'", "b": "2*x' = 2*y'"},
    ),
    declaring(
        "dependent-three",
        DeclarationError,
        "a, b and c are dependent",
        "drop one",
        constraints={"a": "x' = y'", "b": "theta' = y'", "c": "x' + theta' = 2*y'"},
    ),
    declaring(
        "dependent-two-of-three",
        DeclarationError,
        "a and c are dependent",
        constraints={"a": "x' = y'", "b": "theta' = y'", "c": "3*x' = 3*y'"},
    ),
    declaring(
        "dependent-with-functions",
        DeclarationError,
        "c1 and c2 are dependent",
        constraints=["x'*sin(theta) = y'*cos(theta)", "x'*tan(theta) = y'"],
    ),
    declaring(
        "dependent-affine", DeclarationError, "c1 and c2 are dependent", constraints=["x' = y' + 1", "2*x' = 2*y' + 2"]
    ),
    declaring(
        "contradictory",
        DeclarationError,
        "c1 and c2 contradict each other",
        "correct or drop",
        constraints=["x' = y' + 1", "x' = y' + 2"],
    ),
    declaring(
        "contradictory-in-time", DeclarationError, "c1 and c2 contradict each other", constraints=["x' = t", "x' = 0"]
    ),
    declaring(
        "too-many-constraints",
        DeclarationError,
        "4 constraints on 3 velocities",
        "drop",
        constraints=["x' = 0", "y' = 0", "theta' = 0", "x' = y'"],
    ),
    declaring("position-twice", DeclarationError, "c1 and c2 are dependent", constraints=["x = y", "x - y = 0"]),
    declaring("no-real-state", DeclarationError, "no state", "the constraint c1", constraints=["x'^2 + y'^2 = -1"]),
    declaring("mass-zero", DeclarationError, "degenerate", "because m is 0", parameters={"m": 0, "I": 1}),
    declaring(
        "no-inertia-in-one-direction",
        DeclarationError,
        "degenerate",
        "because theta' occurs nowhere in the Lagrangian; give every admissible direction a kinetic energy.",
        lagrangian="m*(x'^2 + y'^2)/2",
    ),
    declaring(
        "linear-lagrangian",
        DeclarationError,
        "degenerate",
        "occurs only linearly in the Lagrangian; give",
        lagrangian="x*y' - y*x' + theta'",
    ),
    declaring("no-velocities-in-lagrangian", DeclarationError, "degenerate", "kinetic energy", lagrangian="-m*x"),
    declaring(
        "cancelled-inertia",
        DeclarationError,
        "change is undetermined; give",
        lagrangian="m*(x' + y')^2/2 + I*theta'^2/2",
        constraints=[],
    ),
]

SPANS = [
    declaring("span-short-vector", DeclarationError, "vector 1 of `span`", "3 components", span=[[1, 0], TURN]),
    declaring("span-long-vector", DeclarationError, "vector 2 of `span`", "3 components", span=[FORWARD, [0, 0, 1, 0]]),
    declaring("span-violating", DeclarationError, "vector 1 of the span", "c1", "homogeneous", span=[[1, 0, 0], TURN]),
    declaring("span-dependent", DeclarationError, "linearly dependent", "independent", span=[TURN, [0, 0, 2]]),
    declaring("span-too-few", DeclarationError, "span is 1", "3 - 1 = 2", "give 2", span=[TURN]),
    declaring("span-too-many", DeclarationError, "span is 3", "3 - 1 = 2", "give 2", span=[FORWARD, TURN, TURN]),
    declaring(
        "span-with-velocity", DeclarationError, "vector 2 of the span", "x'", "positions", span=[FORWARD, [0, 0, "x'"]]
    ),
    declaring(
        "span-with-nonlinear", DeclarationError, "c1", "nonlinear", "drop `span`", span=[FORWARD, TURN], **NONLINEAR
    ),
    declaring("span-flat", DeclarationError, "vector 1 of `span`", "components", span=[1, 0, 0]),
    declaring("span-number", DeclarationError, "`span` is 3", "list", span=3),
    declaring("span-text", DeclarationError, "`span` is 'x'", "list", span="x"),
    declaring("speeds-without-span", DeclarationError, "`speeds`", "give `span`", speeds=["u", "v"]),
    declaring(
        "speeds-clash-parameter",
        DeclarationError,
        "the speed m clashes",
        "rename",
        span=[FORWARD, TURN],
        speeds=["m", "v"],
    ),
    declaring(
        "speeds-clash-each-other",
        DeclarationError,
        "the speed v clashes",
        "rename",
        span=[FORWARD, TURN],
        speeds=["v", "v"],
    ),
    declaring(
        "speeds-count",
        DeclarationError,
        "`speeds` has 1",
        "2 vectors",
        "each vector",
        span=[FORWARD, TURN],
        speeds=["v"],
    ),
    declaring("speeds-reserved", DeclarationError, "`t`", "time", span=[FORWARD, TURN], speeds=["t", "v"]),
    declaring("speeds-text", DeclarationError, "`speeds` is 'uv'", "list", span=[FORWARD, TURN], speeds="uv"),
    declaring("speeds-number", DeclarationError, "`speeds` is 2", "list", span=[FORWARD, TURN], speeds=2),
]

PRINCIPLES = [
    Mistake("unknown-principle", lambda _: skate().derive("newton"), UnknownNameError, ("'newton'", "hamel", "maggi")),
    Mistake("principle-not-a-name", lambda _: skate().derive(3), UnknownNameError, ("3", "hamel")),
    Mistake(
        "hamel-on-nonlinear",
        lambda _: skate(**NONLINEAR).derive("hamel"),
        NotSupportedError,
        ("hamel", "nonlinear", "skate", "lagrange-dalembert"),
    ),
    running("simulate-hamel-on-nonlinear", NotSupportedError, "hamel", "nonlinear", of=NONLINEAR, until=1, by="hamel"),
    running("simulate-by-unknown", UnknownNameError, "'newton'", "hamel", until=1, by="newton"),
    Mistake(
        "verify-bad-state",
        lambda _: skate().verify(states=[{"x": 0}]),
        StateError,
        ("y, theta", "every coordinate"),
    ),
    Mistake(
        "accelerations-bad-state",
        lambda _: skate().derive().accelerations({**START, "y'": 1}),
        StateError,
        ("c1", "nearest"),
    ),
]

STATES = [
    starting("state-missing-coordinate", "lacks y", "every coordinate", y=None),
    starting("state-missing-velocity", "theta'", "give it", theta_=None),
    starting("state-missing-two-velocities", "x', y'", "one of them", theta=1, x_=None),
    starting(
        "state-missing-all-velocities-free",
        "lacks x', y', theta'",
        "every velocity",
        of={"constraints": []},
        x_=None,
        theta_=None,
    ),
    starting("state-misspelt", "thet", "did you mean theta?", thet=1),
    starting("state-misspelt-velocity", "thea'", "did you mean theta'?", thea_=1),
    starting("state-unknown", "zzz", "x, x'", zzz=1),
    starting("state-nan", "x = nan", "finite", x=float("nan")),
    starting("state-inf", "x' = inf", "finite", x_=float("inf")),
    starting("state-text", "x = 'one'", "number", x="one"),
    starting("state-zero-division-text", "x = '1/0'", "number", x="1/0"),
    starting("state-bool", "x = True", "number", x=True),
    starting("state-list", "x = [1]", "number", x=[1]),
    starting("state-complex", "x = 1j", "number", x=1j),
    starting("state-acceleration", "x''", "did you mean x'?", x__=1),
    starting(
        "state-violates-velocity", "violates the constraint c1 by 1", "x'=1, y'=0, theta'=0.5", "project=True", y_=1
    ),
    starting(
        "state-violates-position",
        "position violates the constraint c1 by 3",
        "nearest",
        "x=1, y=0",
        "project=True",
        of={"constraints": ["x^2 + y^2 = 1"]},
        x=2,
        x_=0,
    ),
    starting("state-not-finite", "not finite", "start elsewhere", of={"constraints": ["x'/theta = y'"]}),
    starting(
        "state-impossible-nonlinear",
        "no y' was found",
        "c1",
        "project=True",
        of={"constraints": ["x'^2 + y'^2 = 1"]},
        x_=2,
    ),
    starting(
        "state-parameter-missing",
        "the parameter m has no value",
        "`parameters`",
        of={"parameters": {"m": None, "I": 1}},
    ),
    starting("state-singular-constraints", "dependent", "start elsewhere", of={"constraints": ["x'*x = y'*x"]}, y_=1),
    Mistake(
        "state-not-a-dict",
        lambda _: skate().simulate([0, 0, 0, 1, 0, 0.5], until=1),
        StateError,
        ("dict", "[0, 0, 0, 1, 0, 0.5]"),
    ),
    declaring("declared-start-misspelt", StateError, "has thet", "did you mean theta?", start={"thet": 1}),
    declaring("declared-start-dot", StateError, "did you mean x'?", start={**START, "xdot": 1}),
    Mistake("changed-start-misspelt", lambda _: skate().with_start({"thea'": 1}), StateError, ("theta'?",)),
    declaring("name-half-a-character", DeclarationError, "plain text", name="skate\ud800"),
    declaring("label-nul", DeclarationError, "the label 'c\\x00'", "plain text", constraints={"c\0": "x' = y'"}),
    running("event-half-a-character", IntegrationError, "plain text", until=1, events={"\udfff": "x"}),
    Mistake(
        "verify-unknown-word",
        lambda _: skate().verify(principles=[]),
        UnknownNameError,
        ("verify has no 'principles'",),
    ),
    Mistake("linearize-nowhere", lambda _: skate().linearize(), UnknownNameError, ("linearize needs `at`",)),
    Mistake("save-without-name", lambda _: skate().save(), UnknownNameError, ("save needs `path`",)),
    Mistake(
        "part-without-support",
        lambda _: ah.bodies.Rolling(BODY, surface=ah.bodies.Disc(1)),
        UnknownNameError,
        ("needs `on`",),
    ),
    Mistake(
        "part-misspelt",
        lambda _: ah.bodies.Revolute(BODY, BODY, angel="x"),
        UnknownNameError,
        ("did you mean 'angle'?",),
    ),
    Mistake(
        "part-by-place",
        lambda _: ah.bodies.Rolling(BODY, ah.bodies.Disc(1), ah.bodies.Plane()),
        UnknownNameError,
        ("after body", "by name"),
    ),
    Mistake("part-twice", lambda _: ah.bodies.RigidBody("a", name="b"), UnknownNameError, ("'name' twice",)),
    Mistake("group-like-one", lambda _: ah.groups.read("SO(3)"), UnknownNameError, ("did you mean 'SO3'?",)),
    Mistake(
        "group-speed",
        lambda _: ah.System(group="SO3", kinetic=[1, 1, 1], constraints=["wx = 0"]),
        DeclarationError,
        ("wx appears", "the speeds w1, w2, w3"),
    ),
    declaring("misspelt-keyword", UnknownNameError, "no 'lagrangean'", "did you mean 'lagrangian'?", lagrangean="x'^2"),
    declaring("unknown-keyword", UnknownNameError, "no 'zzz'", "coordinates, lagrangian", zzz=1),
    Mistake(
        "positional-name",
        lambda _: ah.System("skate", **SKATE),
        UnknownNameError,
        ("'skate'", "by name: name, coordinates"),
    ),
    running("misspelt-option", UnknownNameError, "'util'", "did you mean 'until'?", util=1),
    Mistake("misspelt-speeds", lambda _: skate().derive(speed=["x'"]), UnknownNameError, ("'speed'", "'speeds'?")),
    starting("state-rounding-alone", "by 1e-16", "y'=0", "project=True", x_=0, y_=1e-16, theta_=0),
    starting("state-right-angle", "x'=0, y'=0,", "but for rounding", theta=math.pi / 2, theta_=0),
    Mistake("state-none", lambda _: skate().simulate(None, until=1), StateError, ("declares no start", "dict")),
    Mistake("state-name-not-text", lambda _: skate().simulate({**START, 3: 1}, until=1), StateError, ("3", "x, x'")),
]

TIMES = [
    running("neither-until-nor-times", IntegrationError, "`until`", "`times`", "skate"),
    running("both-until-and-times", IntegrationError, "either `until` or `times`", until=1, times=[0, 1]),
    running("until-is-start", IntegrationError, "until=0", "t=0", until=0),
    running("until-nan", IntegrationError, "until=nan", until=float("nan")),
    running("until-text", IntegrationError, "until='long'", "number", until="long"),
    running("until-list", IntegrationError, "until=[1, 2]", "number", "`times`", until=[1, 2]),
    running("times-unsorted", IntegrationError, "`times`", "skate", "increase", times=[0, 2, 1]),
    running("times-repeated", IntegrationError, "`times`", "increase", times=[0, 1, 1]),
    running("times-empty", IntegrationError, "`times`", "at least one", times=[]),
    running("times-nan", IntegrationError, "`times`", "finite", times=[0, float("nan")]),
    running("times-text", IntegrationError, "`times`", "numbers", times=["now", "then"]),
    running("times-number", IntegrationError, "`times`", "list", times=3.0),
    running("times-table", IntegrationError, "`times`", "list", times=[[0, 1], [2, 3]]),
    running("times-complex", IntegrationError, "`times`", "numbers", times=[0, 1j]),
    Mistake(
        "start-time-mismatch",
        lambda _: skate().simulate({**START, "t": 1}, times=[0, 1]),
        IntegrationError,
        ("t=1", "begins at 0", "equal"),
    ),
    Mistake(
        "until-is-start-time",
        lambda _: skate().simulate({**START, "t": 2}, until=2),
        IntegrationError,
        ("until=2", "t=2"),
    ),
    running("unknown-integrator", UnknownNameError, "'euler'", "taylor", until=1, integrator="euler"),
    running("tolerance-zero", IntegrationError, "tolerance", "between 0 and 1", until=1, tolerance=0),
    running("tolerance-large", IntegrationError, "tolerance", "between 0 and 1", until=1, tolerance=2),
    running("tolerance-text", IntegrationError, "tolerance", "'fine'", until=1, tolerance="fine"),
    running("tolerance-nan", IntegrationError, "tolerance", "between 0 and 1", until=1, tolerance=float("nan")),
    running("parameter-unknown", Error, "M", "m", until=1, parameters={"M": 1}),
    running("parameter-is-coordinate", Error, "x", "parameter", until=1, parameters={"x": 1}),
    running("parameters-not-a-dict", Error, "`parameters`", "dict", until=1, parameters=[1]),
]

FILES = [
    reading("file-start-unquoted", FILE + "[start]\nx' = 1\n", "a name with a prime is quoted, in line 8"),
    reading("file-parameter-ratio", rewritten("parameters", '{ m = 1.0, I = "1/3" }'), "I in `parameters` is '1/3'"),
    reading("file-parameter-truth", rewritten("parameters", "{ m = 1.0, I = true }"), "I in `parameters` is true"),
    reading("file-parameter-date", rewritten("parameters", "{ I = 2020-01-01 }"), "I in `parameters` is the date 2020"),
    reading("file-force-number", rewritten("forces", "{ x = 1 }"), "x in `forces` is 1; write a table"),
    reading("file-force-list", rewritten("forces", '["x"]'), "`forces` is ['x']; write a table"),
    Mistake("file-missing", lambda f: ah.load(f / "none.toml"), FileError, ("no file", "none.toml", "check the path")),
    Mistake("file-is-folder", lambda f: ah.load(f), FileError, ("directory", "check the path")),
    Mistake("file-path-number", lambda _: ah.load(3), FileError, ("3", "path")),
    reading("file-not-toml", "name = = 3", "skate.toml", "TOML"),
    reading("file-truncated", 'schema = "anholonomy-system-1', "skate.toml", "TOML"),
    reading("file-single-quotes", rewritten("lagrangian", "'x'^2/2'"), "first prime", "line 4", "use double quotes"),
    reading("file-single-quotes-in-list", FILE + "forces = [\n  'x' = 1',\n]\n", "line 8", "use double quotes"),
    reading(
        "file-lagrangian-below-table",
        FILE.replace("lagrangian", "#").replace("parameters", "#") + '[parameters]\nlagrangian = "x\'^2"\n',
        "lacks 'lagrangian'",
        "stands in the table [parameters]",
        "above the first table",
    ),
    reading(
        "file-constraints-below-parameters",
        FILE.replace("constraints", "#").replace("parameters", "#")
        + '[parameters]\nm = 1\nconstraints = ["x\' = 1"]\n',
        "`constraints` stands in the table [parameters]",
        "above the first table",
    ),
    reading("file-deep-lists", f"x = {'[' * 9000}{']' * 9000}", "too deeply"),
    reading("file-deep-tables", f"x = {'{a = ' * 3000}1{'}' * 3000}", "too deeply"),
    reading("file-long-number", rewritten("parameters", f"{{ m = {'9' * 5000} }}"), "thousands of digits"),
    reading("file-empty", "", "skate.toml", "schema"),
    reading("file-binary", b"\x00\xff\xfe\x89HDF", "skate.toml", "UTF-8", "TOML"),
    reading(
        "file-wrong-schema", rewritten("schema", '"anholonomy-system-9"'), "anholonomy-system-9", "anholonomy-system-1"
    ),
    reading("file-schema-number", rewritten("schema", "1"), "schema 1", "anholonomy-system-1"),
    reading("file-no-lagrangian", FILE.replace("lagrangian", "#"), "lacks 'lagrangian'", "add it"),
    reading("file-no-name", FILE.replace("name", "#"), "lacks 'name'", "add it"),
    reading("file-no-coordinates", FILE.replace("coordinates", "#"), "lacks 'coordinates'", "add it"),
    reading("file-unknown-key", FILE + 'energy = "x"\n', "'energy'", "lagrangian"),
    reading(
        "file-kinetic-number", rewritten("lagrangian", "3").replace("lagrangian", "kinetic"), "`kinetic` is 3", "rows"
    ),
    reading(
        "file-misspelt-key", FILE.replace("lagrangian", "lagrangain"), "'lagrangain'", "did you mean 'lagrangian'?"
    ),
    reading("file-lagrangian-number", rewritten("lagrangian", "true"), "skate.toml", "`lagrangian`", "a text"),
    reading("file-lagrangian-list", rewritten("lagrangian", '["x"]'), "skate.toml", "`lagrangian`", "a text"),
    reading("file-lagrangian-date", rewritten("lagrangian", "2020-01-01"), "skate.toml", "`lagrangian`", "a text"),
    reading("file-name-number", rewritten("name", "3"), "skate.toml", "`name` is 3", "a text"),
    reading("file-constraints-number", rewritten("constraints", "3"), "skate.toml", "`constraints`", "list"),
    reading("file-constraints-text", rewritten("constraints", '"x\' = 0"'), "skate.toml", "`constraints`", "list"),
    reading(
        "file-constraint-table",
        rewritten("constraints", "{ a = { b = 1 } }"),
        "skate.toml",
        "`constraints`",
        "equation",
    ),
    reading("file-parameters-list", rewritten("parameters", '["m", "I"]'), "skate.toml", "`parameters`", "table"),
    reading("file-parameter-text", rewritten("parameters", '{ m = "1", I = 1 }'), "skate.toml", "m", "number"),
    reading("file-parameter-table", rewritten("parameters", "{ m = { kg = 1 }, I = 1 }"), "skate.toml", "m", "number"),
    reading(
        "file-parameter-nan",
        rewritten("parameters", "{ m = nan, I = 1 }"),
        "the parameter m",
        "finite",
        refusal=DeclarationError,
    ),
    reading("file-coordinates-text", rewritten("coordinates", '"xy"'), "skate.toml", "`coordinates`", "list"),
    reading(
        "file-coordinates-numbers",
        rewritten("coordinates", "[1, 2]"),
        "skate.toml",
        "entry 1 of `coordinates` is 1",
        "names",
    ),
    reading(
        "file-coordinates-kind",
        rewritten("coordinates", "{ x = 1, y = 2, theta = 3 }"),
        "skate.toml",
        "`coordinates`",
        '"length" or "angle"',
    ),
    reading("file-span-flat", rewritten("span", '["1", "0", "0"]'), "skate.toml", "`span`"),
    reading("file-span-numbers", rewritten("span", "[1, 0, 0]"), "skate.toml", "`span`"),
    reading("file-span-text", rewritten("span", '"x"'), "skate.toml", "`span`"),
    reading(
        "file-speeds-text",
        FILE + 'span = [["cos(theta)", "sin(theta)", "0"], [0, 0, 1]]\nspeeds = "uv"\n',
        "skate.toml",
        "`speeds`",
    ),
    reading(
        "file-speeds-numbers",
        FILE + 'span = [["cos(theta)", "sin(theta)", "0"], [0, 0, 1]]\nspeeds = [1, 2]\n',
        "skate.toml",
        "entry 1 of `speeds` is 1",
        "names",
    ),
    reading("file-forces-list", rewritten("forces", '["1"]'), "skate.toml", "`forces`", "table"),
    reading("file-forces-number", rewritten("forces", "7"), "skate.toml", "`forces`"),
    reading("file-free-text", rewritten("free", '"g"'), "skate.toml", "`free`", "list"),
    reading("file-free-clash", rewritten("free", '["m"]'), "skate.toml", "m", "`free`"),
    reading("file-free-number", rewritten("free", "[3]"), "skate.toml", "entry 1 of `free` is 3", "names"),
    reading("file-syntax", rewritten("lagrangian", '"2x\'"'), "the Lagrangian", "`*`", refusal=ExpressionError),
    reading(
        "file-ill-posed", rewritten("parameters", "{ m = 1.0 }"), "skate", "I", "`parameters`", refusal=DeclarationError
    ),
    Mistake("save-no-folder", lambda f: skate().save(f / "none" / "skate.toml"), FileError, ("cannot write", "folder")),
    Mistake("save-onto-folder", lambda f: skate().save(f), FileError, ("cannot write", "it is a folder")),
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
        ("no file", "none.nc", "check the path"),
    ),
    Mistake("trajectory-folder", lambda f: ah.load(f), FileError, ("no file", "check the path")),
    Mistake("trajectory-broken", lambda f: ah.load(broken_netcdf(f)), FileError, ("broken.nc", "netCDF")),
    Mistake("trajectory-text", lambda f: ah.load(text_file(f)), FileError, ("text.nc", "netCDF")),
    Mistake(
        "trajectory-other",
        lambda f: ah.load(other_netcdf(f)),
        FileError,
        ("other.nc", "not a trajectory", "anholonomy-trajectory-1"),
    ),
    Mistake("trajectory-stripped", lambda f: ah.load(stripped_netcdf(f)), FileError, ("stripped.nc", "velocity")),
    Mistake("trajectory-path-number", lambda _: ah.load(3), FileError, ("3", "path")),
    Mistake(
        "trajectory-save-no-folder",
        lambda f: short_run().save(f / "none" / "run.nc"),
        FileError,
        ("none", "make it first"),
    ),
    Mistake("trajectory-save-onto-folder", lambda f: short_run().save(folder_named(f)), FileError, ("it is a folder",)),
    Mistake("trajectory-save-no-ending", lambda f: short_run().save(f / "run"), FileError, (".nc (netCDF)", ".csv")),
    Mistake("trajectory-save-other-ending", lambda f: short_run().save(f / "run.xlsx"), FileError, (".nc", ".csv")),
    Mistake("trajectory-save-empty-path", lambda _: short_run().save(""), FileError, ("''", "not a path")),
    Mistake("save-empty-path", lambda _: skate().save(""), FileError, ("''", "not a path")),
    Mistake("save-nul-in-path", lambda f: skate().save(f"{f}/a\0.toml"), FileError, ("not a path",)),
    Mistake("save-surrogate-in-path", lambda f: skate().save(f"{f}/a\ud800.toml"), FileError, ("not a path",)),
    Mistake("save-long-path", lambda f: skate().save(f / ("a" * 400)), FileError, ("cannot write", "too long")),
    Mistake("trajectory-save-long-path", lambda f: short_run().save(f / f"{'a' * 400}.nc"), FileError, ("too long",)),
    Mistake("trajectory-load-long-path", lambda f: ah.load(f / ("a" * 400)), FileError, ("too long",)),
    Mistake("load-long-path", lambda f: ah.load(f / ("a" * 400)), FileError, ("too long",)),
    Mistake("load-empty-path", lambda _: ah.load(""), FileError, ("''", "not a path")),
    Mistake("trajectory-load-empty-path", lambda _: ah.load(""), FileError, ("''", "not a path")),
    Mistake("trajectory-load-table", lambda f: ah.load(f / "run.csv"), FileError, ("table", ".nc")),
    Mistake("plot-empty-path", lambda _: short_run().plot(""), FileError, ("''", "not a path")),
    Mistake("animate-empty-path", lambda _: short_run().animate(""), FileError, ("''", "not a path")),
    Mistake("variable-unknown", lambda _: short_run()["nope"], UnknownNameError, ("'nope'", "x, y, theta", "energy")),
    Mistake("variable-misspelt", lambda _: short_run()["thet"], UnknownNameError, ("'thet'", "theta")),
    Mistake("variable-number", lambda _: short_run()[0], UnknownNameError, ("0", "by name or expression")),
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


def check_sentence(message: str) -> None:
    """One paragraph: a sentence, or a sentence and the place it is about."""
    sentence, *place = message.split("\n")
    assert re.search(r"[.?]$", sentence), f"no full stop: {message!r}"
    assert len(place) in (0, 2)
    assert not place or re.fullmatch(r" *\^", place[1])
    assert len(sentence) < 500
    assert not re.search(r"Traceback|Error\b|Exception|<class|object at 0x|NoneType|\bself\b", message), message


@pytest.mark.exhaustive_for("trajectory-broken", "trajectory-other", "trajectory-stripped")
@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.id)
def test_a_mistake_is_refused_in_a_sentence(mistake, tmp_path):
    with pytest.raises(Error) as caught:
        mistake.make(tmp_path)
    message = str(caught.value)
    assert isinstance(caught.value, mistake.refusal), f"{type(caught.value).__name__}: {message}"
    for fragment in mistake.says:
        assert fragment in message
    check_sentence(message)


def test_mistakes_have_names_of_their_own():
    names = [mistake.id for mistake in MISTAKES]
    assert len(names) == len(set(names)) >= 70


def test_a_refused_save_leaves_the_old_file(tmp_path):
    path = tmp_path / "skate.toml"
    skate().save(path)
    before = path.read_bytes()
    with pytest.raises(Error):
        skate().with_parameters(m=0).save(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["skate.toml"]
