"""What is nearly always a mistake is said in a warning that names it; what is merely unusual is not."""

from __future__ import annotations

import warnings

import pytest

import anholonomy as ah
from anholonomy.catalogue import ENTRIES
from tests.wording import blames

BLADE = "x'*sin(theta) = y'*cos(theta)"


def plane(*constraints, lagrangian="(x'^2 + y'^2 + theta'^2)/2", **words):
    return ah.System(name="s", coordinates=["x", "y", "theta"], lagrangian=lagrangian, constraints=constraints, **words)


def without_doubt(make):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return make()


@pytest.mark.parametrize(
    ("row", "meant"),
    [
        ("x*cos(theta + 0.3) = y*sin(theta + 0.3)", "x'"),
        ("y = b*sin(theta)*x", "y'"),
        ("x*sin(theta) - y*cos(theta) + b*theta = 0", "theta'"),
    ],
)
def test_forgotten_primes(row, meant):
    with blames(ah.errors.MissingPrimeWarning, "c2", meant):
        plane(BLADE, row, parameters={"b": 0.7})


@pytest.mark.parametrize(
    ("row", "meant"),
    [
        ("x'*sin(theta) = y*cos(theta)", "cos(theta)*y'"),
        ("x'*cos(theta) + y*sin(theta) = b*theta'", "sin(theta)*y'"),
    ],
)
def test_half_forgotten_primes(row, meant):
    with blames(ah.errors.MissingPrimeWarning, "c1", meant):
        plane(row, lagrangian="(x'^2 + y'^2 + b*theta'^2)/2", parameters={"b": 0.7})


@pytest.mark.parametrize(
    "row",
    [
        "x' = y",  # a drift with a rate of 1
        "x'*sin(theta) - y'*cos(theta) = k*y*sin(theta) + k*x*cos(theta)",  # a blade on a turntable
        "x'*sin(theta) - y'*cos(theta) = y*sin(theta) + x*cos(theta)",  # that turns once in 2 pi
        "x' = k*y*cos(theta)",
        "x'*sin(theta) - y'*cos(theta) = sin(theta)",  # a wind
    ],
)
def test_affine_constraints_are_legitimate(row):
    without_doubt(lambda: plane(row, lagrangian="(x'^2 + y'^2 + theta'^2)/2 - k*x^2", parameters={"k": 0.7}))


@pytest.mark.parametrize("row", ["x = 2*y", "x^2 + y^2 = 1", "x = cos(theta)", "x = y*theta"])
def test_constraints_on_positions_are_legitimate(row):
    without_doubt(lambda: plane(BLADE, row))
    without_doubt(lambda: plane("x*sin(theta) = y*cos(theta)"))


def test_negative_masses():
    lagrangian = "m*(x'^2 + y'^2)/2 + J*theta'^2/2 - k*x^2/2"
    with blames(ah.errors.ImplausibleMassWarning, "m"):
        plane(BLADE, lagrangian=lagrangian, parameters={"m": -1.0, "J": 1.0, "k": 2.0})
    fine = without_doubt(lambda: plane(BLADE, lagrangian=lagrangian, parameters={"m": 1.0, "J": 1.0, "k": -2.0}))
    with blames(ah.errors.ImplausibleMassWarning, "J"):
        fine.with_parameters(J=-0.1)
    start = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 1}
    for moved in (fine.simulate, fine.ensemble):
        with blames(ah.errors.ImplausibleMassWarning, "m"):
            moved(start, until=0.1, parameters={"m": -1.0})
        without_doubt(lambda moved=moved: moved(start, until=0.1, parameters={"k": -3.0}))
    without_doubt(lambda: plane(lagrangian="(x'^2 + y'^2 - theta'^2)/2"))  # a metric that is meant so


@pytest.mark.parametrize(("moments", "doubtful"), [([1, 1, 5], True), ([1, 2, 3], False), ([0, 0, 1], False)])
def test_moments_of_inertia_that_no_solid_has(moments, doubtful):
    """The triangle inequality; a 0 says that a moment does not matter."""

    def make():
        return ah.System(name="s", bodies=[ah.bodies.RigidBody("top", mass=1, inertia=moments, moves="point")])

    if doubtful:
        with blames(ah.errors.ImplausibleMassWarning, "1", "5"):
            make()
    elif 0 not in moments:
        without_doubt(make)
    figure = ah.bodies.RigidBody("figure", mass=1, inertia=[1, 1, 5], moves="plane")
    without_doubt(lambda: ah.System(name="s", bodies=[figure]))


def test_moments_of_a_rotation_that_no_solid_has():
    """Where nothing restrains the rotation: with w3 = 0 it does not matter what the moment about it is."""
    for words in (
        {"group": "SO3", "kinetic": [1, 1, 5]},
        {"group": ah.groups.SO3() * ah.groups.Rn("x"), "kinetic": [5, "a", "a", 7]},
    ):
        with blames(ah.errors.ImplausibleMassWarning, "s", "1", "5"):
            ah.System(name="s", **words, parameters={"a": 1} if "a" in words["kinetic"] else {})
    for words in (
        {"kinetic": [1, 2, 3]},
        {"kinetic": [1, 1, 5], "constraints": ["w3 = 0"]},
        {"kinetic": ["1 + R33^2", 1, 5]},
        {"kinetic": ["a", 1, 5], "parameters": ["a"]},
        {"group": "SU2", "kinetic": [1, 1, 5]},
        {"group": "SE2", "kinetic": [1, 1, 5]},
    ):
        without_doubt(lambda words=words: ah.System(name="s", **({"group": "SO3"} | words)))


@pytest.mark.parametrize(("theta", "meant"), [(90, "'pi/2'"), (-45.0, "'-pi/4'"), ("270", "'3*pi/2'"), (360, "'2*pi'")])
def test_degrees_at_a_start(theta, meant):
    start = {"x": 0, "y": 0, "theta": theta, "x'": 0.0, "y'": 0.0, "theta'": 1}
    with blames(ah.errors.DegreesWarning, meant):
        plane(BLADE).simulate(start, until=1)


def test_degrees_in_a_parameter():
    slope = "(x'^2 + y'^2 + theta'^2)/2 - x*sin(alpha) + cos(k*theta)"
    with blames(ah.errors.DegreesWarning, "alpha", "30"):
        plane(lagrangian=slope, parameters={"alpha": 30, "k": 60})


@pytest.mark.parametrize("potential", ["x*sin(30)", "cos(theta + 30)", "cos(theta - 30)"])
def test_degrees_in_a_sine(potential):
    with blames(ah.errors.DegreesWarning, "30", "pi", "6"):
        plane(lagrangian=f"(x'^2 + y'^2 + theta'^2)/2 - {potential}")
    without_doubt(lambda: plane(lagrangian="(x'^2 + y'^2 + theta'^2)/2 - x*sin(pi/6) + cos(30*theta) + cos(y + 1)"))


def machine(*joints, slope=0.5, **spring):
    """A sledge on a slope with a child, and a spring at the joint ``hinge``."""
    sledge, arm, hand = (ah.bodies.RigidBody(name, mass=1, inertia=[1, 1, 1]) for name in ("sledge", "arm", "hand"))
    hinge = ah.bodies.Revolute(sledge, arm, at=[1, 0, 0], own=[1, 0, 0], angle="hinge")
    last = joints[0](arm, hand) if joints else ah.bodies.Fixed(arm, hand, at=[1, 0, 0], own=[0, 1, 0], angle=0.5)
    return ah.System(
        name="s",
        bodies=[sledge, arm, hand],
        joints=[hinge, last],
        contacts=[ah.bodies.Sliding(sledge, surface=ah.bodies.Sphere(1), on=ah.bodies.Plane(slope=slope))],
        loads=[ah.bodies.JointSpring(**({"on": hinge, "stiffness": 1, "rest": 0.5} | spring))],
        gravity=9.81,
    )


@pytest.mark.parametrize(
    ("make", "names"),
    [
        (lambda: machine(slope=30), ("pi/6", "slope", "30")),
        (
            lambda: machine(lambda a, b: ah.bodies.Fixed(a, b, own=[0, 1, 0], angle="90")),
            ("angle", "90", "pi/2"),
        ),
        (lambda: machine(rest=-45), ("JointSpring", "rest", "-45", "-pi/4")),
    ],
    ids=["slope", "fixed", "spring"],
)
def test_degrees_in_parts(make, names):
    with blames(ah.errors.DegreesWarning, *names) as seen:
        make()
    assert len(seen) == 1


def test_parts_that_have_no_degrees():
    def slide(arm, hand):
        return ah.bodies.Prismatic(arm, hand, axis=[0, 1, 0], distance="way")

    without_doubt(machine)
    without_doubt(lambda: machine(slide, on="way", rest=90))


def test_other_numbers_are_no_degrees():
    start = {"x": 90, "y": 45, "theta": 1.5, "x'": 0, "y'": 0, "theta'": 90}
    without_doubt(lambda: plane(BLADE).derive().accelerations({**start, "theta": 100}))
    without_doubt(lambda: plane(BLADE).derive().accelerations(start))


def test_unused_parameters():
    with blames(ah.errors.UnusedParameterWarning, "mass"):
        plane(lagrangian="m*(x'^2 + y'^2 + theta'^2)/2", parameters={"m": 1, "mass": 2})
    scene = [{"shape": "sphere", "position": ["x", "y", "r"], "radius": "r"}]
    without_doubt(lambda: plane(parameters={"r": 0.1}, scene=scene))


def test_the_catalogue_is_above_doubt():
    for entry in ENTRIES.values():
        without_doubt(entry.make)


def test_a_doubt_is_a_note_at_the_command_line(capsys):
    from anholonomy.cli.main import main

    with pytest.raises(SystemExit):
        main(["simulate", "skate", "--start", "theta=90", "--set", "m=-2", "--until", "1"])
    notes = capsys.readouterr().err.splitlines()
    assert len(notes) == 2
    assert all(note.startswith("note: skate: ") and "simplefilter" not in note for note in notes)


@pytest.mark.parametrize(
    ("lagrangian", "words", "names"),
    [
        (
            "m*x'^2/2 + J*theta'^2/2 - m*x",
            {},
            ("m", "2", "x'"),
        ),
        ("m*x'^2/2 + m*theta'^2/2", {}, ("m", "theta'", "2")),
        ("m*x'^2/2 + J*theta'^2/2 - k*x^2/2", {"forces": {"x": "-k*x'"}}, ("x", "k")),
    ],
)
def test_a_term_that_kinds_do_not_fit_is_named(lagrangian, words, names):
    with blames(ah.errors.DimensionWarning, *names):
        ah.System(
            coordinates={"x": "length", "theta": "angle"},
            lagrangian=lagrangian,
            parameters={"m": 1.0, "k": 2.0, "J": 3.0},
            **words,
        )


@pytest.mark.parametrize(
    "lagrangian",
    [
        "(x'^2 + theta'^2)/2 - x",  # everything is one
        "m*x'^2/2 + theta'^2/2 - k*x^2/2",  # the moment of inertia is one
        "m*x'^2/2 + J*theta'^2/2 - 9.81*m*x",
        "m*x'^2/2 + J*theta'^2/2 - 10*m*x",
        "m*x'^2/2 + m*k*theta'^2 - k*x",  # k may be anything
        "m*(x'^2 + theta'^2)/2 - m*x",  # what stands in the bracket is one with what is one
    ],
)
def test_units_that_may_be_one_are_no_misfit(lagrangian):
    without_doubt(
        lambda: ah.System(
            coordinates={"x": "length", "theta": "angle"},
            lagrangian=lagrangian,
            parameters={s: 1.0 for s in "mkJ" if s in lagrangian},
        )
    )


def test_many_systems_of_one_form_are_looked_at_once():
    from anholonomy.system.warnings import _misfit

    def make(m):
        return ah.System(coordinates={"x": "length"}, lagrangian="m*x'^2/2 - m*g*x", parameters={"m": m, "g": 9.81})

    make(1.0)
    before = _misfit.cache_info()
    make(2.0)
    assert (_misfit.cache_info().hits, _misfit.cache_info().misses) == (before.hits + 1, before.misses)
