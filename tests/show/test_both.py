"""Two motions on one ground, and turns that add up."""

from __future__ import annotations

import numpy as np
import pytest

from anholonomy.catalogue import skate
from anholonomy.show.animation.animate import both_films
from anholonomy.show.animation.rotations import from_spin, matrix_of


def test_turns_add_up_in_their_order() -> None:
    # A quarter about z, then one about x: the later turn stands on the left.
    count = 200
    step = (np.pi / 2) / (2 * count)
    rates = np.zeros((3, 4 * count + 1))
    rates[2, : 2 * count] = 1.0
    rates[0, 2 * count + 1 :] = 1.0
    rates[[0, 2], 2 * count] = 0.5
    turned = from_spin(rates, step, 2)
    assert len(turned) == count + 1
    first = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    then = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    np.testing.assert_allclose(matrix_of(turned[-1].tolist()), then @ first, atol=0.02)
    np.testing.assert_allclose(matrix_of(turned[count // 2].tolist()), first, atol=0.02)
    np.testing.assert_allclose(np.linalg.norm(turned, axis=1), 1.0, atol=1e-12)


def test_the_ground_of_two_motions_reaches_around_both_and_not_much_farther() -> None:
    start = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}
    runs = [skate().simulate({**start, "x": x, "theta'": turn}, until=6) for x, turn in ((0, 0.5), (20, -0.5))]
    films = both_films(*runs)
    grounds = [next(actor for actor in film.actors if actor.kind == "plane") for film in films]
    assert grounds[0] is grounds[1]
    places = np.vstack([actor.position[:, :2] for film in films for actor in film.actors if actor.trail])
    middle, half = grounds[0].position[0, :2], grounds[0].scale[0, :2] / 2
    low, high = places.min(axis=0), places.max(axis=0)
    assert (middle - half <= low).all()
    assert (middle + half >= high).all()
    assert (2 * half <= high - low + 8 * grounds[0].step).all()
    assert [film.times[-1] for film in films] == pytest.approx([6.0, 6.0])
