"""Back onto constraints by the shortest way, whether or not their rows are independent."""

from __future__ import annotations

import numpy as np
import pytest

from anholonomy.simulate.pieces.projection import _shortest


@pytest.mark.parametrize("gap", [1.0, 1e-3, 1e-9, 0.0], ids=["apart", "near", "nearer", "dependent"])
def test_the_correction_is_the_shortest_that_fits(gap):
    draw = np.random.default_rng(4)
    J = draw.normal(size=(5, 2, 6))
    J[:, 1] = J[:, 0] + gap * J[:, 1]
    wanted = draw.normal(size=(5, 6))
    phi = np.einsum("kni,ki->kn", J, wanted)
    found = _shortest(J, phi)
    np.testing.assert_allclose(np.einsum("kni,ki->kn", J, found), phi, atol=1e-7)
    for rows, change in zip(J, found, strict=True):
        across = np.linalg.svd(rows)[2][2:]  # what both rows leave open
        np.testing.assert_allclose(across @ change, 0, atol=1e-6)


def test_a_large_step_is_not_taken_for_rows_that_rounding_keeps_apart():
    J = np.array([[[1.0, 0.0], [1.0, 1e-17]]])
    np.testing.assert_allclose(_shortest(J, np.array([[1e-12, 2e-12]])), [[1.5e-12, 0.0]], atol=1e-25)
