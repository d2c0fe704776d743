"""Axles are read from constraints, and what they say of the motion is what the constraints say."""

from __future__ import annotations

import random

import numpy as np
import pytest
import symengine as se

from anholonomy import System, catalogue
from anholonomy.language.arguments import plain
from anholonomy.show.animation.default_scene import axles, usual_scene


def velocity_across(model, axle, state):
    """n(α)·dP/dt by a finite difference along the velocity, from the place alone."""
    values = {s: state[s.name] for s in (*model.coordinates, *plain(model).parameter_symbols)}
    h = 1e-6

    def at(step):
        moved = {q: values[q] + step * state[f"{q.name}'"] for q in model.coordinates}
        place = axle.place((*model.coordinates[:2], 0))
        return np.array([float(se.sympify(p).subs({**values, **moved})) for p in place[:2]])

    rate = (at(h) - at(-h)) / (2 * h)
    alpha = float(axle.heading.subs(values))
    return np.sin(alpha) * rate[0] - np.cos(alpha) * rate[1]


@pytest.mark.parametrize("seed", range(8))
def test_a_random_train_is_read_back(seed):
    """Rows made from places by hand, multiplied, disguised by angle sums: the axles found move along their headings only."""
    draw = random.Random(seed)
    angles, place, rows = ["theta"], [], ["x'*sin(theta) - y'*cos(theta) = 0"]
    for k in range(draw.randint(1, 3)):
        hitch = draw.choice([["theta"], [], angles])
        place = [(f"{draw.choice([-1, 1]) * draw.randint(1, 9)}/4", angle) for angle in dict.fromkeys(hitch)]
        own = f"psi{k}"
        angles.append(own)
        rods = [*place, (f"-{draw.randint(1, 9)}/3", own)]
        terms = " ".join(f"- ({length})*cos({own} - {angle})*{angle}'" for length, angle in rods)
        rows.append(f"{draw.choice(['', '3*', '-'])}(x'*sin({own}) - y'*cos({own}) {terms}) = 0")
    energy = " + ".join(f"{q}'^2" for q in ["x", "y", *angles])
    train = System(coordinates=["x", "y", *angles], lagrangian=energy, constraints=rows)
    found = axles(train.model, (*train.coordinates[:2], 0))
    assert {str(axle.heading) for axle in found} == set(angles)
    names = [s.name for s in (*train.coordinates, *train.velocities)]
    state = {name: draw.uniform(-2, 2) for name in names}
    for axle in found:
        row = next(
            c for c in train.constraints if axle.heading in set().union(*(e.free_symbols for e in c.coefficients[:2]))
        )
        value = float(row.expression.subs({se.Symbol(name): value for name, value in state.items()}))
        across = velocity_across(train, axle, state)
        assert min(abs(value / across - k) for k in (1, 3, -1)) < 1e-6


@pytest.mark.parametrize(
    "constraint",
    [
        "x'*cos(theta) + y'*sin(theta) = r*phi'",  # rolls
        "x'*sin(theta) - y'*cos(theta) = x*theta'",  # the rod is no constant
        "x'*sin(theta) - y'*cos(theta) = sin(theta)*phi'",  # no rod has this rate
        "x'*sin(theta) - 2*y'*cos(theta) = 0",  # no heading
        "x'^2 + y'^2 = phi'^2",
    ],
)
def test_what_is_no_axle_is_not_drawn_as_one(constraint):
    system = System(
        coordinates=["x", "y", "theta", "phi"],
        lagrangian="x'^2 + y'^2 + theta'^2 + phi'^2",
        constraints=[constraint],
        parameters={"r": 1.0} if "r*" in constraint else {},
    )
    assert axles(system.model, (*system.coordinates[:2], 0)) == []


def test_a_blade_is_as_large_as_its_body_and_not_as_its_path():
    skate = System(
        coordinates=["x", "y", "theta"],
        lagrangian="m*(x'^2 + y'^2)/2 + I*theta'^2/2",
        constraints=["x'*sin(theta) = y'*cos(theta)"],
        parameters={"m": 2.0, "I": 0.08},
    )
    for until in (10, 1000):
        film = skate.simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.001}, until=until).animate().film
        (blade,) = (actor for actor in film.actors if actor.kind == "blade")
        assert blade.scale[0, 0] == pytest.approx(0.2)


def test_a_camera_that_follows_has_the_whole_train_in_view():
    train = catalogue.n_trailer(3)
    shapes = usual_scene(train.model.replaced(scene=()))
    assert [shape.kind for shape in shapes].count("blade") == 4
    start = {"x": 0, "y": 0, "theta0": 0, "theta1": 0, "theta2": 0, "theta3": 0, "x'": 1, "theta0'": 0}
    film = train.simulate(start, until=100).animate(follow=True).film
    lead = film.actors[film.lead].position
    for actor in film.actors:
        if len(actor.position) > 1:
            assert np.linalg.norm(actor.position - lead, axis=1).max() + actor.reach <= film.room
