"""Mistakes over the whole public interface, geometry apart: each is refused in a sentence, and none ends in a Python error.

`tests/system/test_bad_inputs.py` has the declarations and `tests/cli/test_errors.py` the command line; here are the other verbs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
import sympy
from sympy.physics.mechanics import KanesMethod, Particle, Point, ReferenceFrame, dynamicsymbols

import anholonomy as ah
from anholonomy.catalogue import chaplygin_sleigh, skate
from tests.wording import blames

START = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}
NAN, HUGE = float("nan"), 10**400
LENGTHY = np.ones(2)


@cache
def run() -> ah.Motion:
    return skate().simulate(START, times=[0, 0.5, 1])


@cache
def equations() -> ah.Equations:
    return skate().derive()


@cache
def free() -> ah.System:
    return ah.System(coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2")


@cache
def moving() -> ah.answers.MovingObserver:
    return free().geometry.moving_observer({"x": "x + t"})


@cache
def reduced() -> ah.answers.ReducedSystem:
    return chaplygin_sleigh().reduced(fibre=["y"])


@cache
def hamiltonian() -> Any:
    return skate().hamiltonian_form()


@cache
def kane() -> KanesMethod:
    q, u = dynamicsymbols("q u")
    space, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(space, u * space.x)
    ball = Particle("ball", origin, sympy.Symbol("m"))
    return KanesMethod(space, [q], [u], [q.diff() - u], bodies=[ball], forcelist=[(origin, -q * space.x)])


def body(**words: Any) -> ah.bodies.RigidBody:
    return ah.bodies.RigidBody(**{"name": "b", "mass": 1, "inertia": [1, 1, 1], **words})


WALL = ah.bodies.RigidBody("wall", mass=0, inertia=[0, 0, 0], moves="nowhere")
ARM = body(name="arm")
HINGE = ah.bodies.Revolute(WALL, ARM)


def built(**words: Any) -> ah.System:
    return ah.System(**{"bodies": [body()], "gravity": 9.81, **words})


def hung(joint: ah.bodies.Revolute, *loads: Any) -> ah.System:
    return ah.System(bodies=[WALL, ARM], joints=[joint], loads=loads)


def rolling(**words: Any) -> ah.System:
    return built(
        contacts=[ah.bodies.Rolling(**{"body": "b", "surface": ah.bodies.Sphere(1), "on": ah.bodies.Plane(), **words})]
    )


def simulated(**words: Any) -> ah.Motion:
    return skate().simulate(**{"start": START, "until": 0.1, **words})


def each(verb: str, call: Callable[..., Any], names: tuple[str, ...], **values: Any) -> list[Any]:
    """One mistake for each value: what is given, in which verb, and the names in the sentence."""
    return [pytest.param(lambda value=value: call(value), names, id=f"{verb}-{name}") for name, value in values.items()]


def one(name: str, call: Callable[[], Any], names: tuple[str, ...]) -> Any:
    return pytest.param(call, names, id=name)


DERIVING = [
    *each("derive-by", skate().derive, (), number=3, empty="", list=["hamel"], array=LENGTHY),
    one("derive-by-class", lambda: skate().derive(ah.principles.Kane), ()),
    *each("derive-at", lambda v: skate().derive(at=v), (), number=3, text="x", list=[1], none_inside=[None]),
    one("derive-at-short", lambda: skate().derive(at={"x": 0}), ()),
    one("derive-at-unknown", lambda: skate().derive(at={**START, "xdot": 1}), ("x'",)),
    *each("derive-speeds", lambda v: skate().derive(speeds=v), ("speeds",), number=3, text="fast", set={"x'"}),
    one("derive-speeds-short", lambda: skate().derive(speeds=["x'"]), ()),
    one("derive-speeds-nonlinear", lambda: skate().derive(speeds=["x'^2", "theta'"]), ()),
    one("derive-speeds-dot", lambda: skate().derive(speeds=["xdot", "theta'"]), ("x'",)),
    one("derive-speeds-dependent", lambda: skate().derive(speeds=["theta'", "2*theta'"]), ()),
    one("derive-speeds-where-none", lambda: skate().derive("gauss", speeds=["x'", "theta'"]), ("speeds",)),
    *each(
        "verify-states", lambda v: skate().verify(states=v), ("states",), zero=0, half=1.5, huge=HUGE, text="x", nan=NAN
    ),
    *each("verify-state", lambda v: skate().verify(states=[v]), (), none=None, number=3, short={"x": 1}),
    *each(
        "verify-digits",
        lambda v: skate().verify(digits=v),
        ("digits",),
        few=3,
        huge=HUGE,
        half=1.5,
        text="x",
        none=None,
    ),
    *each("verify-seed", lambda v: skate().verify(seed=v), ("seed",), list=[], text="x", half=0.5, none=None),
    *each(
        "state-digits",
        lambda v: equations().at(START, v),
        ("digits",),
        zero=0,
        huge=HUGE,
        text="x",
        none=None,
        inf=math.inf,
    ),
    *each(
        "accelerations",
        lambda v: equations().accelerations(v),
        (),
        none=None,
        number=3,
        list=[1],
        empty={},
        texts={"x": "q"},
    ),
    one("accelerations-nan", lambda: equations().accelerations({**START, "x": NAN}), ()),
    one("reactions-violating", lambda: equations().reactions({**START, "y'": 3}), ()),
]

MOVING = [
    *each("start", lambda v: simulated(start=v), (), number=3, text="x", list=[0, 0, 0], array=LENGTHY),
    *each(
        "until",
        lambda v: simulated(until=v),
        ("until",),
        text="x",
        nan=NAN,
        inf=math.inf,
        huge=HUGE,
        list=[1],
        yes=True,
    ),
    *each(
        "times",
        lambda v: simulated(until=None, times=v),
        ("times",),
        number=3,
        text="x",
        empty=[],
        none=[None],
        huge=[0, HUGE],
    ),
    *each(
        "tolerance",
        lambda v: simulated(tolerance=v),
        ("tolerance",),
        zero=0,
        one=1,
        huge=HUGE,
        text="x",
        none=None,
        nan=NAN,
    ),
    *each("integrator", lambda v: simulated(integrator=v), ("integrator",), text="euler", number=3, array=LENGTHY),
    *each("project", lambda v: simulated(project=v), ("project",), text="yes", number=3, array=LENGTHY),
    *each(
        "events",
        lambda v: simulated(events=v),
        (),
        text="x",
        list=["x"],
        number=3,
        tuple={(1,): "x"},
        none={"a": None},
    ),
    one("events-dot", lambda: simulated(events={"a": "xdot"}), ("x'",)),
    *each("stop", lambda v: simulated(stop=v), (), unknown="a", number=3, none=[None], nested=[["a"]]),
    *each(
        "max-step",
        lambda v: simulated(max_step=v),
        ("max_step",),
        zero=0,
        negative=-1,
        nan=NAN,
        huge=HUGE,
        text="x",
        yes=True,
    ),
    *each(
        "breaks",
        lambda v: simulated(breaks=v),
        ("breaks",),
        text="x",
        nan=[NAN],
        huge=[HUGE],
        nested=[[1]],
        none=[None],
    ),
    *each("progress", lambda v: simulated(progress=v), ("progress",), number=3, text="x", list=[1]),
    *each(
        "parameters",
        lambda v: simulated(parameters=v),
        (),
        number=3,
        text="m",
        unknown={"q": 1},
        nan={"m": NAN},
        none={"m": None},
    ),
    *each(
        "go-on",
        lambda v: run().continue_to(until=v),
        ("until",),
        before=0.5,
        text="x",
        nan=NAN,
        huge=HUGE,
        none=None,
        yes=True,
    ),
    *each("go-on-stop", lambda v: run().continue_to(until=2, stop=v), (), unknown="a", number=3),
    *each("go-on-progress", lambda v: run().continue_to(until=2, progress=v), ("progress",), number=3),
    *each(
        "at", lambda v: run().at(v), (), text="x", outside=7, nan=NAN, huge=HUGE, empty=[], none=None, nested=[[0.1]]
    ),
    *each(
        "ask",
        lambda v: run()[v],
        (),
        none=None,
        empty="",
        list=["x"],
        number=3,
        slice=slice(3),
        gibberish="x +",
        dot="xdot",
    ),
    *each("plot", lambda v: run().plot(v), (), number=3, unknown=["speed"], empty="", nul="a\0.png", ending="a.xyz"),
    *each("plot-into", lambda v: run().plot(["x"], v), (), number=3, text="", ending="a.xyz"),
    *each(
        "animate-frames", lambda v: run().animate(frames=v), ("frames",), one=1, half=2.5, text="x", huge=HUGE, yes=True
    ),
    *each(
        "animate-playback",
        lambda v: run().animate(playback=v),
        ("playback",),
        zero=0,
        text="x",
        nan=NAN,
        huge=HUGE,
        yes=True,
    ),
    *each("animate-follow", lambda v: run().animate(follow=v), ("follow",), text="x", number=3),
    *each(
        "animate-scene",
        lambda v: run().animate(scene=v),
        (),
        number=3,
        text="x",
        shape=[{"shape": "blob"}],
        none=[None],
    ),
    *each("animate-path", lambda v: run().animate(v), (), number=3, ending="film.xyz", empty=""),
    *each("save-motion", lambda v: run().save(v), (), number=3, none=None, ending="run.xlsx", nul="a\0.nc"),
    one("normal-forces-of-none", lambda: run().normal_forces, ()),
]

CHANGING = [
    *each(
        "with-parameters",
        lambda v: skate().with_parameters(m=v),
        ("m",),
        text="1",
        huge=HUGE,
        nan=NAN,
        yes=True,
    ),
    *each(
        "with-forces",
        lambda v: skate().with_forces(v),
        (),
        number=3,
        none=None,
        list=["1"],
        unknown={"z": 1},
        text={"x": "1 +"},
    ),
    *each(
        "with-forces-parameters",
        lambda v: skate().with_forces({"x": 1}, v),
        (),
        number=3,
        text="c",
        clash={"x": 1},
        array=LENGTHY,
    ),
    *each(
        "with-forces-instead", lambda v: skate().with_forces({"x": 1}, instead=v), ("instead",), number=3, text="yes"
    ),
    one("with-forces-dot", lambda: skate().with_forces({"x": "-xdot"}), ("x'",)),
    *each(
        "with-start",
        skate().with_start,
        (),
        number=3,
        text="x",
        list=[1],
        letters={"x": "q"},
        nan={"x": NAN},
        none={"x": None},
    ),
    *each(
        "fibre",
        lambda v: chaplygin_sleigh().reduced(fibre=v),
        (),
        number=3,
        text="y",
        unknown=["z"],
        none=[None],
        all=["x", "y"],
    ),
    *each("reconstruct", lambda v: reduced().reconstruct(v), (), none=None, text="x", data=3),
    one("reconstruct-other", lambda: reduced().reconstruct(run()), ()),
    *each("hamiltonian-speeds", lambda v: skate().hamiltonian_form(v), ("speeds",), number=3, text="x", set={"x'"}),
    *each("bracket", lambda v: hamiltonian().bracket(v, "x"), (), none=None, list=["x"], unknown="q", text="x +"),
    *each("rate", lambda v: hamiltonian().rate(v), (), none=None, number=NAN, unknown="q"),
    *each(
        "moving-frame",
        lambda v: free().geometry.moving_observer(v),
        (),
        number=3,
        text="x",
        unknown={"z": "t"},
        strange={"x": "x + W*t"},
    ),
    *each(
        "moving-frame-parameters",
        lambda v: free().geometry.moving_observer({"x": "x + t"}, v),
        (),
        number=3,
        text="W",
        taken={"x": 1},
    ),
    one("moving-frame-flat", lambda: free().seen_from(free().geometry.moving_observer({"x": "y"})), ()),
    *each("seen-from", lambda v: free().seen_from(v), (), none=None, dict={"x": "x + t"}, system=free()),
    one("seen-from-other", lambda: skate().seen_from(moving()), ()),
    *each("fixed-state", lambda v: moving().fixed_state(v), (), none=None, number=3, short={"x": 1}),
    *each(
        "ehresmann",
        lambda v: skate().geometry.ehresmann(v),
        (),
        none=None,
        number=3,
        unknown=["z"],
        surrogate=["\ud800"],
        few=["x"],
    ),
    *each("velocity", ah.velocity, (), none=None, number=3, list=["x"]),
    *each("load", ah.load, (), none=None, number=3, absent="absent.toml", folder=".", nul="a\0"),
    *each("load-motion", ah.load, (), absent="absent.nc"),
]

EXPORTING = [
    *each(
        "backend",
        lambda v: equations().function(v),
        (),
        text="fortran",
        number=3,
        none=None,
        array=LENGTHY,
    ),
    *each("quantity", lambda v: equations().function(of=v), (), text="rate", number=3, array=LENGTHY),
    *each(
        "c-of", lambda v: equations().c_source(of=v), (), number=3, unknown=["speed"], text="speed", nested=[["rates"]]
    ),
    *each(
        "c-name",
        lambda v: equations().c_source(name=v),
        (),
        number=3,
        empty="",
        reserved="double",
        blank="a b",
    ),
    *each("modelica-name", lambda v: equations().modelica(name=v), (), number=3, reserved="model"),
    *each("casadi-of", lambda v: equations().casadi(of=v), (), number=3, none=None, list=["rates"]),
    *each("jax-of", lambda v: equations().jax(of=v), (), number=3, array=LENGTHY),
    *each("call-t", lambda v: equations().function()(v, [0, 0, 0, 1, 1]), ("t",), text="x", dict={}, huge=HUGE),
    *each(
        "call-x",
        lambda v: equations().function()(0, v),
        ("x",),
        text="x",
        none=None,
        short=[1, 2],
        dict={},
        texts=["a"] * 5,
    ),
    *each("call-p", lambda v: equations().function()(0, [0, 0, 0, 1, 1], v), ("p",), text="x", short=[1], number=3),
    one("call-free", lambda: skate().with_parameters(m=None).derive().function()(0, [0, 0, 0, 1, 1]), ()),
]

IMPORTING = [
    *each("from-sympy", lambda v: ah.from_sympy(v, name="a"), (), none=None, number=3, system=skate(), cls=KanesMethod),
    *each("from-sympy-name", lambda v: ah.from_sympy(kane(), name=v), (), number=3, empty="", none=None),
    *each(
        "from-sympy-parameters",
        lambda v: ah.from_sympy(kane(), name="a", parameters=v),
        (),
        number=3,
        text="m",
        nan={"m": NAN},
    ),
    one("from-sympy-unknown", lambda: ah.from_sympy(kane(), name="a", parameters={"k": 1}), ("k",)),
    *each(
        "from-sympy-patience",
        lambda v: ah.from_sympy(kane(), name="a", patience=v),
        ("patience",),
        text="x",
        none=None,
        nan=NAN,
    ),
    *each("trailers", ah.catalogue.n_trailer, ("0", "500"), negative=-1, many=10**9, half=1.5, text="x"),
    *each("pairs", ah.catalogue.contact_particle, ("1", "500"), zero=0, many=10**9),
    *each("audit-states", lambda v: ah.audit(kane(), states=v), ("states",), zero=0, text="x", half=1.5),
]

BODIES = [
    *each("body-name", lambda v: body(name=v), (), number=3, empty="", blank="a b", none=None),
    *each("mass", lambda v: body(mass=v), ("mass",), none=None, negative=-1, list=[1], text="1 +", nan=NAN, huge=math.inf),
    *each("inertia", lambda v: body(inertia=v), ("inertia",), none=None, number=3, short=[1, 1], negative=[1, 1, -1], text="I", deep=[[1]]),
    *each("centre", lambda v: body(centre=v), (), number=3, short=[1], text="abc", array=np.array(3.0)),
    *each("moves", lambda v: body(moves=v), ("moves",), number=3, text="up", array=LENGTHY),
    *each("bodies", lambda v: built(bodies=v), (), number=3, text="b", none=[None], twice=[body(), body()]),
    *each("joints", lambda v: built(joints=v), (), number=3, none=[None], body=[body()]),
    *each("contacts", lambda v: built(contacts=v), (), number=3, none=[None], text="b"),
    *each("loads", lambda v: built(loads=v), (), number=3, none=[None], text="b"),
    *each("gravity", lambda v: built(gravity=v), ("gravity",), list=[1, 2], dict={}, text="9.81 m", yes=True, nan=NAN),
    *each("parent", lambda v: hung(ah.bodies.Revolute(v, ARM)), (), none=None, number=3, unknown="door"),
    *each("child", lambda v: hung(ah.bodies.Revolute(WALL, v)), (), none=None, number=3, unknown="door", parent=WALL),
    *each("joint-axis", lambda v: ah.bodies.Revolute(WALL, ARM, axis=v), (), zero=[0, 0, 0], short=[1], text="z", array=np.array(3.0)),
    *each("joint-angle", lambda v: ah.bodies.Revolute(WALL, ARM, angle=v), (), number=3, empty="", reserved="t", array=LENGTHY),
    *each("slide", lambda v: ah.bodies.Prismatic(WALL, ARM, distance=v), (), number=3, blank="a b"),
    *each("ball-joint", lambda v: hung(ah.bodies.Spherical(WALL, ARM, prefix=v)), (), number=3, blank="a b"),
    *each("universal-axes", lambda v: ah.bodies.Universal(WALL, ARM, axes=v), ("axes",), number=3, one=[[1, 0, 0]], same=[[1, 0, 0], [2, 0, 0]]),
    *each("universal-angles", lambda v: ah.bodies.Universal(WALL, ARM, angles=v), (), number=3, one=["a"], array=np.array(3.0), text="ab"),
    *each("rolling-body", lambda v: rolling(body=v), (), none=None, number=3, unknown="door"),
    *each("rolling-surface", lambda v: rolling(surface=v), (), none=None, number=3, support=ah.bodies.Plane()),
    *each("rolling-on", lambda v: rolling(on=v), (), none=None, number=3, surface=ah.bodies.Sphere(1)),
    *each("rolling-twist", lambda v: rolling(twist=v), ("twist",), number=3, text="some", array=LENGTHY),
    *each("sphere", ah.bodies.Sphere, (), none=None, negative=-1, zero=0, text="r +", list=[1], nan=NAN),
    *each("disc-axis", lambda v: ah.bodies.Disc(1, axis=v), ("axis",), zero=0, text="z", half=1.5, array=LENGTHY, double=np.float64(2)),
    *each("torus", lambda v: ah.bodies.Torus(1, v), (), none=None, negative=-1),
    *each("ellipsoid", lambda v: ah.bodies.Ellipsoid(1, 1, v), (), none=None, negative=-1, list=[1]),
    *each("convex", lambda v: ah.bodies.Convex(v), (), none=None, number=3, text="u1^2", unknown="q"),
    *each("cylinder-axis", lambda v: ah.bodies.Cylinder(1, v), ("axis",), zero=0, text="z", array=LENGTHY),
    *each("cylinder-inside", lambda v: ah.bodies.Cylinder(1, inside=v), ("inside",), text="yes", array=LENGTHY, number=3),
    *each("plane-normal", lambda v: ah.bodies.Plane(normal=v), (), zero=[0, 0, 0], number=3, short=[1]),
    *each("bowl", lambda v: rolling(on=ah.bodies.Bowl(v)), (), small=0.5, none=None, negative=-1),
    *each("level", lambda v: rolling(on=ah.bodies.LevelSurface(v)), (), none=None, number=3, text="z =", nowhere="1 = 0"),
    *each("force", lambda v: built(loads=[ah.bodies.Force("b", v)]), (), none=None, number=3, short=[1], unknown="q"),
    *each("force-axes", lambda v: built(loads=[ah.bodies.Force("b", [1, 0, 0], axes=v)]), ("axes",), text="mine", array=LENGTHY),
    *each("force-body", lambda v: built(loads=[ah.bodies.Force(v, [1, 0, 0])]), (), none=None, number=3, unknown="door"),
    *each("spring", lambda v: built(loads=[ah.bodies.Spring("b", stiffness=v, length=1)]), ("stiffness",), none=None, negative=-1, list=[1]),
    *each("spring-to", lambda v: built(loads=[ah.bodies.Spring("b", v, stiffness=1, length=1)]), (), number=3, unknown="door"),
    *each("damper", lambda v: built(loads=[ah.bodies.Damper("b", damping=v)]), ("damping",), none=None, negative=-1, text="c +"),
    *each("motor-on", lambda v: hung(HINGE, ah.bodies.Motor(v, 1)), (), none=None, number=3, unknown="door", list=["arm_angle"]),
    *each("motor", lambda v: hung(HINGE, ah.bodies.Motor(HINGE, v)), (), none=None, list=[1], text="1 +"),
    *each("joint-spring", lambda v: hung(HINGE, ah.bodies.JointSpring(v, stiffness=1)), ("JointSpring",), none=None, body=ARM),
]  # fmt: skip

MISTAKES = [*DERIVING, *MOVING, *CHANGING, *EXPORTING, *IMPORTING, *BODIES]


@pytest.mark.parametrize(("mistake", "names"), MISTAKES)
def test_a_mistake_is_refused_in_a_sentence(mistake, names, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with blames(ah.Error, *names):
        mistake()
    assert not list(tmp_path.iterdir())


def test_the_list_is_long():
    assert len({each.id for each in MISTAKES}) == len(MISTAKES) >= 300
