"""Linear systems modulo a prime, at many points and in power series: what is found solves them."""

from __future__ import annotations

import numpy as np
import pytest

from anholonomy.algebra.residues.arrays import PRIMES, ResidueArrays
from anholonomy.algebra.residues.series import ResidueSeries, monomials

SIZE, COUNT = 4, 5
RNG = np.random.default_rng(3)


def test_linear_systems_at_many_points() -> None:
    prime, do = PRIMES[0], ResidueArrays(PRIMES[0], COUNT)
    matrix = [[RNG.integers(1, prime, COUNT) for _ in range(SIZE)] for _ in range(SIZE)]
    right = [RNG.integers(1, prime, COUNT) for _ in range(SIZE)]
    z = do.solve(matrix, right)
    assert do.good.all()
    for row, b in zip(matrix, right, strict=True):
        assert (sum(a * value % prime for a, value in zip(row, z, strict=True)) % prime == b).all()


@pytest.mark.parametrize("order", [0, 2])
def test_linear_systems_of_series(order: int) -> None:
    prime, table = PRIMES[0], monomials(2, order)
    do = ResidueSeries(table, ResidueArrays(prime, COUNT))
    matrix = [[RNG.integers(1, prime, (COUNT, len(table))) for _ in range(SIZE)] for _ in range(SIZE)]
    right = [RNG.integers(1, prime, (COUNT, len(table))) for _ in range(SIZE)]
    z = do.solve(matrix, right)
    for row, b in zip(matrix, right, strict=True):
        left = do.add([do.multiply([a, value]) for a, value in zip(row, z, strict=True)])
        assert (left % prime == b).all()
