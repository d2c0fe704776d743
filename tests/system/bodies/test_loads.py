"""Springs, dampers and motors: closed forms, energies, and sentences for mistakes."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import anholonomy as ah
from tests.wording import blames

WALL = ah.bodies.RigidBody("wall", mass=0, inertia=[0, 0, 0], moves="nowhere")
CART = ah.bodies.RigidBody("cart", mass=2, inertia=[1, 1, 1])
RAIL = ah.bodies.Prismatic(WALL, CART, axis=[1, 0, 0], distance="s")


def cart(*loads, **words):
    return ah.System(name="cart", bodies=[WALL, CART], joints=[RAIL], loads=loads, **words)


def test_a_cart_on_a_spring_and_a_damper_is_the_damped_oscillator():
    loads = [
        [ah.bodies.Spring(CART, stiffness=8, length=0), ah.bodies.Damper(CART, damping=0.4, end=[-5, 0, 0])],
        [ah.bodies.JointSpring(RAIL, stiffness=8), ah.bodies.JointDamper("s", damping=0.4)],
    ]
    for each in loads:  # 2 s'' = -8 s - 0.4 s'
        run = cart(*each).simulate({"s": 1, "s'": 0}, until=5)
        t, w = run.time.values, np.sqrt(4 - 0.01)
        np.testing.assert_allclose(run["s"], np.exp(-0.1 * t) * (np.cos(w * t) + 0.1 / w * np.sin(w * t)), atol=1e-12)


def test_springs_are_part_of_the_energy_which_is_conserved():
    run = cart(ah.bodies.Spring(CART, stiffness=8, length=2, end=[-1, 1, 0])).simulate({"s": 1, "s'": 0}, until=5)
    length = np.hypot(run["s"] + 1, 1)
    np.testing.assert_allclose(run.energy, run["s'"] ** 2 + 4 * (length - 2) ** 2, atol=1e-13)
    assert float(abs(run.energy - run.energy[0]).max()) < 1e-12


def test_a_motor_that_holds_still_needs_no_name():
    run = cart(ah.bodies.Motor(RAIL, "4*t")).simulate({"s": 0, "s'": 0}, until=3)
    np.testing.assert_allclose(run["s"], run.time.values**3 / 3, atol=1e-12)


def test_letters_of_loads_are_parameters_where_none_are_declared():
    assert set(cart(ah.bodies.Motor(RAIL, "u"), ah.bodies.Spring(CART, stiffness="k", length="l")).parameters) == {
        "u",
        "k",
        "l",
    }


def test_a_spherical_pendulum_hangs_on_a_ball_and_socket():
    """A conical motion of the spherical pendulum: w^2 = g/(l cos a)."""
    bob = ah.bodies.RigidBody("bob", mass=1.5, inertia=[0, 0, 0])
    system = ah.System(
        name="pendulum",
        bodies=[WALL, bob],
        joints=[ah.bodies.Spherical(WALL, bob, own=[0, 0, "l"])],
        gravity=9.81,
        parameters={"l": 0.7},
        lagrangian="1e-3*bob_w3^2/2",  # a point has no inertia about the rod
    )
    a = 0.6
    w = np.sqrt(9.81 / (0.7 * np.cos(a)))
    start = {"bob_q0": np.cos(a / 2), "bob_q1": np.sin(a / 2), "bob_q2": 0, "bob_q3": 0}
    # The rod goes round the vertical: R^T (0, 0, w) without its part along the rod.
    run = system.simulate(start | {"bob_w1": 0, "bob_w2": w * np.sin(a), "bob_w3": 0}, until=3)
    height = run["bob_q0^2 - bob_q1^2 - bob_q2^2 + bob_q3^2"]
    np.testing.assert_allclose(height, np.cos(a), atol=1e-12)


def test_parts_are_equal_where_their_words_are_and_travel():
    again = ah.bodies.Prismatic("wall", "cart", axis=[1, 0, 0], distance="s")
    assert again == RAIL
    assert again != ah.bodies.Prismatic("wall", "cart", axis=[0, 1, 0], distance="s")
    for part in (
        CART,
        RAIL,
        ah.bodies.Rolling(CART, surface=ah.bodies.Sphere("r"), on=ah.bodies.Plane(slope="a")),
        ah.bodies.Motor(RAIL, "u"),
    ):
        for copied in (pickle.loads(pickle.dumps(part)), copy.deepcopy(part), copy.copy(part)):
            assert copied == part
            assert hash(copied) == hash(part)
    bodies, joints = pickle.loads(pickle.dumps(([WALL, CART], [RAIL])))
    assert ah.System(bodies=bodies, joints=joints) == ah.System(bodies=[WALL, CART], joints=[RAIL])


@pytest.mark.parametrize(
    ("make", "names"),
    [
        (lambda: cart("spring"), ("loads", "spring")),
        (lambda: cart(ah.bodies.Motor("phi", 1)), ()),
        (lambda: cart(ah.bodies.Motor(ah.bodies.Spherical(WALL, CART), 1)), ()),
        (lambda: cart(ah.bodies.Motor(ah.bodies.Cylindrical(WALL, CART), 1)), ("cart_angle", "cart_distance")),
        (lambda: cart(ah.bodies.Damper(CART, "cart", damping=1)), ()),
        (lambda: cart(ah.bodies.Spring("cat", stiffness=1, length=0)), ("cat",)),
        (lambda: ah.bodies.Spring(CART, stiffness=-1, length=0), ()),
        (lambda: ah.bodies.Universal(WALL, CART, axes=[[1, 0, 0], [2, 0, 0]]), ()),
        (lambda: ah.bodies.Universal(WALL, CART, axes=[1, 0, 0]), ()),
        (lambda: ah.bodies.Universal(WALL, CART, angles=["a"]), ()),
        (lambda: ah.bodies.Universal(WALL, CART, angles=3), ()),
        (lambda: ah.bodies.Prismatic(WALL, CART, distance="1s"), ("s",)),
        (lambda: ah.bodies.Prismatic(WALL, CART, axis=[0, 0, 0]), ()),
        (lambda: ah.System(bodies=[WALL, CART], joints=["rail"]), ()),
    ],
)
def test_a_mistake_gets_a_sentence(make, names):
    with blames(ah.Error, *names):
        make()
