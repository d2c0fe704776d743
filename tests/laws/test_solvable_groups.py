r"""Groups of triangular matrices, which Cayley's map leaves: $\mathrm{diag}(e^s, e^{2s})$ with translations, $[a, b] = b$, $[a, c] = 2c$."""

import numpy as np
import pytest

from anholonomy import System
from anholonomy.algebra.calculus import partial
from anholonomy.algebra.linear_algebra.symbolic import determinant
from anholonomy.algebra.zero_test import is_zero
from anholonomy.groups import SE2, MatrixGroup, Rn, Semidirect
from anholonomy.laws.reduced_motion import reduced_motion

A, B, C = np.zeros((3, 3, 3), dtype=int)
A[0, 0], A[1, 1], B[0, 2], C[1, 2] = 1, 2, 1, 1
BASIS = [M.tolist() for M in (A, B, C)]
START = {"g11": 1, "g22": 1, "g13": 0, "g23": 0, "w1": 0.3, "w2": 0.5, "w3": 0.5}


def test_a_character_is_a_density():
    r"""$\theta_a = -\operatorname{tr}\mathrm{ad}_a + \operatorname{tr}_DP\,\mathrm{ad}_a = -3 + (2 + 2\cdot3)/5 = -7/5$ on $D = \langle a, b + c\rangle$."""
    body = System(name="body", group=MatrixGroup(BASIS), kinetic=[1, 2, 3], constraints=["w2 = w3"])
    mu = body.invariant_measure()
    (g11,) = (q for q in body.coordinates if q.name == "g11")
    assert is_zero(mu.density**5 / g11**7 - 5**5)
    assert mu.check(body.simulate(START, until=2))


def test_momenta_in_space_of_a_free_body():
    body = System(name="body", group=MatrixGroup(BASIS), kinetic=[1, 2, 3])
    laws = body.conserved()
    assert [law.kind for law in laws] == ["energy", *["momentum"] * 3]
    run = body.simulate(START | {"w3": -0.7}, until=2)
    for law in laws:
        assert float(abs(law.along(run) - law.along(run)[0]).max()) < 1e-11


AFFINE = [[[1, 0], [0, 0]], [[0, 1], [0, 0]]]
VOLUMES = [
    (Semidirect(Rn("s"), ["x"], [["exp(s)"]]), [1, 2], "dg(s, x)"),
    (Semidirect(Rn("s"), ["x", "y"], [["exp(s)", "0"], ["0", "exp(-s)"]]), [1, 2, 3], "ds dx dy"),
    (MatrixGroup(AFFINE), [1, 2], "dg(g11, g12)"),
    (MatrixGroup(AFFINE) * Rn("z"), [1, 2, 3], "dg(g11, g12) dz"),
    (SE2(), [1, 2, 3], "dx dy dtheta"),
]


@pytest.mark.parametrize(("group", "kinetic", "volume"), VOLUMES)
def test_the_volume_is_the_one_that_the_density_belongs_to(group, kinetic, volume):
    """A free body keeps a density of the coordinates: that of the coframe over the determinant of the fields."""
    body = System(name="body", group=group, kinetic=kinetic)
    mu = body.invariant_measure()
    motion = reduced_motion(body.model)
    stretch = determinant(body.geometry.frame.anchor_ai)
    N = body.geometry.frame.in_coordinates(mu.density) / stretch
    assert is_zero(sum(partial(N * motion.rates[s], s) for s in (*motion.coordinates, *motion.speeds)), motion.on)
    assert mu.volume == " ".join([volume, *(f"d{u.name}" for u in motion.speeds)])
    assert ("dg" in volume) is bool(stretch.free_symbols)


@pytest.mark.exhaustive
def test_six_momenta_of_a_body_in_four_dimensions():
    pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    basis = []
    for i, j in pairs:
        M = np.zeros((4, 4), dtype=int)
        M[i, j], M[j, i] = -1, 1
        basis.append(M.tolist())
    laws = System(name="body", group=MatrixGroup(basis), kinetic=[1, 2, 3, 4, 5, 7]).conserved(degree=1)
    assert sum(law.kind == "momentum" for law in laws) == 6
