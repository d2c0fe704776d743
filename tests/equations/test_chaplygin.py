"""Chaplygin's equations: agreement, textbook forms, the base as a system of its own, and refusals."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import anholonomy as ah
from anholonomy.algebra.numbers.balls import precision
from anholonomy.algebra.zero_test import is_zero
from anholonomy.catalogue import ENTRIES, chaplygin_sleigh, disc_on_circle, knife_edge, n_trailer, rolling_disk
from anholonomy.equations.evaluation import evaluate_equations
from anholonomy.equations.principles import chaplygin, lagrange_dalembert
from anholonomy.equations.reduction.bundle import moved
from anholonomy.equations.verification import verify
from anholonomy.language import parse_expression
from anholonomy.system.states.random_states import admissible_points
from tests.equations.base_of_a_fibre import base_agrees, trial
from tests.properties.random_systems import functions
from tests.wording import blames

BRIEF = settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
COVERED = [key for key, entry in ENTRIES.items() if chaplygin.Chaplygin().covers(entry.make())]


def agrees(model) -> bool:
    pair = [lagrange_dalembert.LagrangeDAlembert(), chaplygin.Chaplygin()]
    verification = verify(model, states=1, principles=pair)
    return len(verification.principles) == 2 and verification.agree


@st.composite
def with_a_fibre(draw: st.DrawFn) -> ah.System:
    """Two or three base coordinates, one or two of the fibre; affine, moving, forced, with gyroscopic terms."""
    r = [f"r{i}" for i in range(draw(st.integers(2, 3)))]
    y = [f"y{i}" for i in range(draw(st.integers(1, 2)))]
    places = [*r, "t"]
    squares = []
    for k, name in enumerate([*r, *y]):
        inner = [f"{name}'"] + [f"({draw(functions(places))})*{other}'" for other in [*r, *y][:k]]
        squares.append(f"(1 + ({draw(functions(places))})^2)*({' + '.join(inner)})^2/2")
    linear = " + ".join(f"({draw(functions(places))})*{name}'" for name in [*r, *y])
    return ah.System(
        name="random",
        coordinates=[*y, *r],
        lagrangian=f"{' + '.join(squares)} + {linear} - ({draw(functions(places))})",
        constraints=[
            f"(2 + {draw(functions(places))})*{name}' = "
            + " + ".join(f"({draw(functions(places))})*{q}'" for q in r)
            + f" + {draw(functions(places))}"
            for name in y
        ],
        forces={y[0]: f"{draw(functions(places))} - y0'", r[0]: f"-k*{r[1]}' + {draw(functions(places))}"},
        parameters={"k": 0.3},
    )


@pytest.mark.parametrize("key", COVERED)
def test_agrees_with_multipliers_on_the_catalogue(key: str) -> None:
    assert agrees(ENTRIES[key].make())


def test_most_of_the_catalogue_is_covered() -> None:
    assert {"chaplygin-sleigh", "rolling-disk", "leaning-disc", "knife-edge", "affine-particle"} <= set(COVERED)


@pytest.mark.exhaustive
@BRIEF
@given(with_a_fibre())
def test_agrees_with_multipliers_on_random_systems_with_a_fibre(system: ah.System) -> None:
    assert agrees(system)


@pytest.mark.exhaustive
@settings(parent=BRIEF, max_examples=6)
@given(with_a_fibre())
def test_the_base_of_a_random_system_moves_like_the_system(system: ah.System) -> None:
    """At a state: accelerations of the unconstrained base are those of the constrained system."""
    base = system.reduced().base
    assert not base.constraints
    with precision(40):
        point = next(admissible_points(system.model, 35, seed=3))
        above = evaluate_equations(system.derive("lagrange-dalembert").data, point).accelerations
        below = evaluate_equations(base.derive("hamel").data, point).accelerations
        expected = dict(zip(system.velocities, above, strict=True))
        gaps = [abs(a - expected[w]) for w, a in zip(base.velocities, below, strict=True)]
        assert max(float(gap.abs_upper()) for gap in gaps) < 1e-24 * (1 + max(float(abs(a).abs_upper()) for a in above))


def test_the_sleigh_over_x_and_theta() -> None:
    r"""$l = \tfrac12(m\dot x^2/\cos^2\theta + (I + ma^2)\dot\theta^2)$ and the gyroscopic force of $B^y{}_{x\theta} = 1/\cos^2\theta$."""
    base = chaplygin_sleigh(m=None, I=None, a=None).reduced(fibre=["y"]).base
    assert [q.name for q in base.coordinates] == ["x", "theta"]
    assert base.model.coordinate_kinds == ("length", "angle")
    assert is_zero(base.lagrangian - parse_expression("m*x'^2/(2*cos(theta)^2) + (I + m*a^2)*theta'^2/2"))
    K = "m*(tan(theta)*x' + a*cos(theta)*theta')"
    for Q, text in zip(base.model.forces_a, (f"{K}*theta'/cos(theta)^2", f"-{K}*x'/cos(theta)^2"), strict=True):
        assert is_zero(Q - parse_expression(text))


def test_the_gyroscopic_force_does_no_work_when_nothing_moves() -> None:
    for system in (chaplygin_sleigh(), rolling_disk(), ENTRIES["leaning-disc"].make(), ENTRIES["free-particle"].make()):
        base = system.reduced().base
        assert is_zero(sum(Q * w for Q, w in zip(base.model.forces_a, base.velocities, strict=True)))


def test_the_balanced_disc_on_a_growing_circle() -> None:
    """(m r^2 + I) a^2 phi'' + (2 m r^2 + I) a a' phi' = -m r g a cos(phi), without the unbalancing parameter."""
    disc = ah.System(
        name="balanced disc",
        coordinates=["phi", "psi"],
        lagrangian="m/2*(r*(1 + k*t))^2*phi'^2 + I/2*psi'^2 - m*g*r*(1 + k*t)*sin(phi)",
        constraints=["psi' = (1 + k*t)*phi'"],
        parameters=["m", "I", "r", "k", "g"],
    )
    (row,), (value,) = disc.derive("chaplygin").data.explicit
    a = "(1 + k*t)"
    assert is_zero(row[0] - parse_expression(f"(m*r^2 + I)*{a}^2"))
    assert is_zero(value + parse_expression(f"(2*m*r^2 + I)*{a}*k*phi' + m*r*g*{a}*cos(phi)"))


def test_the_equations_do_not_mention_the_fibre() -> None:
    for key in COVERED:
        equations = ENTRIES[key].make().derive("chaplygin")
        model = equations.system.model
        fibre = set(moved(model.frame, [a for a, w in enumerate(model.velocities) if w not in equations.speeds]))
        K, right = equations.data.explicit
        assert not {s for e in (*right, *itertools.chain(*K)) for s in e.free_symbols} & fibre


DISGUISED = ah.System(
    name="disguised",
    coordinates=["x", "theta", "y"],
    lagrangian="x'^2/2 + theta'^2/2 + (sin(y)^2 + cos(y)^2)*y'^2/2 + y'*x*(exp(y)*exp(-y))",
    constraints=["exp(y)*cos(theta)*y' = exp(y)*sin(theta)*x' + exp(y)*t"],
)


def test_a_coordinate_that_cancels_appears_nowhere() -> None:
    assert agrees(DISGUISED)
    assert DISGUISED.reduced().fibre == ("y",)


SCALED = ah.System(
    name="scaled",
    coordinates=["x", "y", "z", "u", "v", "w"],
    lagrangian="(x'^2 + y'^2 + z'^2 + u'^2 + v'^2 + w'^2)/2 + x*u'",
    constraints=[
        "(1 + u^2)*(u' + x*v' + y*w' - z*x' + t) = 0",
        "v' + y*u' + z*w' - x*y' + x = 0",
        "w' + z*u' + x*v' - y*z' = 0",
    ],
)


def test_a_fibre_that_needs_steps() -> None:
    assert chaplygin.Chaplygin().frame(SCALED).definitions
    assert agrees(SCALED)
    assert agrees(ah.System(**{**_words(SCALED), "forces": {"u": "x*w'", "x": "v'"}}))


def _words(system: ah.System) -> dict:
    return {
        "name": system.name,
        "coordinates": [q.name for q in system.coordinates],
        "lagrangian": system.lagrangian,
        "constraints": [c.declared for c in system.constraints],
    }


CASES = {
    "sleigh": (chaplygin_sleigh(), ["y"], {"x": 0.3, "theta": -0.4, "x'": 1.0, "theta'": 0.4}, {"y": 0.7}, 3.0),
    "knife edge": (knife_edge(), None, {"x": 0.1, "phi": -0.3, "x'": 0.5, "phi'": 0.4}, {}, 2.0),
    "rolling disk": (rolling_disk(), None, {"theta": 0.2, "phi": 0.1, "theta'": 1.1, "phi'": 0.7}, {"x": 1.0}, 10.0),
    "moving, forced": (trial(), None, {"x": 0.1, "y": 0.2, "x'": 0.3, "y'": -0.2, "t": 0.5}, {"z": 2.0}, 2.0),
}


@pytest.mark.exhaustive_for("moving, forced", "sleigh")
@pytest.mark.parametrize(("system", "fibre", "start", "lifted", "until"), CASES.values(), ids=CASES.keys())
def test_base_and_reconstruction_are_the_motion(system, fibre, start, lifted, until) -> None:
    reduced = system.reduced(fibre)
    below = reduced.base.simulate(start, until=until)
    above = reduced.reconstruct(below, lifted)
    whole = system.simulate(
        {**dict.fromkeys(reduced.fibre, 0.0), **lifted, **start}, until=until, by="lagrange-dalembert"
    )
    assert np.array_equal(above.time, below.time)
    for q in system.coordinates:
        assert float(abs(above[q.name] - whole[q.name]).max()) < 1e-11
        if q.name not in reduced.fibre:
            assert float(abs(below[q.name] - whole[q.name]).max()) < 1e-11


def test_the_full_motion_goes_on_where_a_base_ends() -> None:
    """The sleigh turns past the headings where its constraint cannot be solved for x', and for y'."""
    sleigh = chaplygin_sleigh()
    start = {"x": 0, "y": 0, "theta": 0, "x'": 0.2, "theta'": 1.5}
    one, other = sleigh.simulate(start, until=4), sleigh.simulate(start, until=4, by="chaplygin")
    assert float(one["theta"][-1]) > 1.6
    assert other.data.attrs["charts"] > 1
    for name in ("x", "y", "theta"):
        assert float(abs(one[name] - other[name]).max()) < 1e-11


def test_reconstruction_keeps_the_parameters_of_the_motion() -> None:
    reduced = chaplygin_sleigh(m=None, I=None, a=None).reduced(["y"])
    start = {"x": 0, "theta": 0, "x'": 1.0, "theta'": 0.4}
    values = {"m": 2.0, "I": 0.5, "a": 0.3}
    below = reduced.base.simulate(start, until=1, parameters=values)
    above = reduced.reconstruct(below)
    assert float(abs(above["x"] - below["x"]).max()) < 1e-13
    expected = chaplygin_sleigh(**values).simulate({**start, "y": 0}, until=1)
    assert float(abs(above["y"] - expected["y"]).max()) < 1e-12


def test_a_motion_of_something_else_is_refused() -> None:
    reduced = chaplygin_sleigh().reduced(["y"])
    other = rolling_disk().reduced().base.simulate({"theta": 0, "phi": 0, "theta'": 1, "phi'": 1}, until=1)
    with blames(ah.errors.IntegrationError, "x"):
        reduced.reconstruct(other)
    below = reduced.base.simulate({"x": 0, "theta": 0, "x'": 1.0, "theta'": 0.4}, until=1)
    with blames(ah.errors.UnknownNameError, "x", "y"):
        reduced.reconstruct(below, {"x": 1})


REFUSED = {
    "too few": (n_trailer(2), None, ("3", "theta0")),
    "in the Lagrangian": (disc_on_circle(c=0.1), None, ()),
    "not free": (chaplygin_sleigh(), ["theta"], ("theta",)),
    "too many": (chaplygin_sleigh(), ["x", "y"], ("1", "2")),
    "unknown": (chaplygin_sleigh(), ["q"], ("q",)),
    "text": (chaplygin_sleigh(), "y", ()),
    "not solvable": (
        ah.System(name="slider", coordinates=["x", "y"], lagrangian="x'^2 + y'^2*(1 + x^2)", constraints=["x' = t"]),
        None,
        ("y",),
    ),
    "forced": (
        ah.System(
            name="pushed",
            coordinates=["x", "y"],
            lagrangian="x'^2 + y'^2*(1 + x^2)",
            constraints=["y' = x*x'"],
            forces={"x": "y"},
        ),
        None,
        ("x'", "y"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("system", "fibre", "names"), REFUSED.values(), ids=REFUSED.keys())
def test_refusals(system, fibre, names) -> None:
    with blames(ah.Error, *names):
        system.reduced(fibre)
    if fibre is None:
        with blames(ah.errors.NotSupportedError, *names):
            system.derive("chaplygin")


def test_speeds_must_be_those_of_a_base() -> None:
    sleigh = chaplygin_sleigh()
    assert [u.name for u in sleigh.derive("chaplygin", speeds=["theta'", "x'"]).speeds] == ["theta'", "x'"]
    with blames(ah.errors.NotSupportedError, "u"):
        sleigh.derive("chaplygin", speeds={"u": "x'*cos(theta) + y'*sin(theta)", "omega": "theta'"})
    tilted = ah.System(
        name="tilted", coordinates=["x", "y", "z"], lagrangian="x'^2 + y'^2 + z'^2 - x", constraints=["x' + z' = y*y'"]
    )
    with blames(ah.errors.NotSupportedError, "x"):
        tilted.derive("chaplygin", speeds=["y'", "z'"])


def test_a_base_without_coordinates_is_refused() -> None:
    driven = ah.System(name="driven", coordinates=["x"], lagrangian="x'^2", constraints=["x' = t"])
    assert agrees(driven)
    with blames(ah.errors.NotSupportedError):
        driven.reduced()


def test_the_base_moves_like_the_whole() -> None:
    assert agrees(trial())
    assert base_agrees()
