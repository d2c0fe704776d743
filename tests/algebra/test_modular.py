"""What is computed modulo a prime agrees with what exact arithmetic gives."""

from __future__ import annotations

import random
from fractions import Fraction

import flint
import symengine

from anholonomy.algebra.residues.linear_algebra import PRIMES, modular_kernel, rational
from anholonomy.algebra.residues.rank_of_functions import rank_below


def test_fractions_come_back():
    rng = random.Random(1)
    for prime in PRIMES:
        for _ in range(50):
            value = Fraction(rng.randint(-(10**8), 10**8), rng.randint(1, 10**8))
            assert rational(value.numerator * pow(value.denominator, -1, prime) % prime, prime) == value


def test_kernels_annihilate_and_have_the_right_size():
    names = flint.fmpq_mpoly_ctx.get(["a"], flint.Ordering.degrevlex)
    rng, prime = random.Random(2), PRIMES[0]
    for width, rank in ((5, 3), (7, 7), (6, 1)):
        left = [[rng.randint(-3, 3) for _ in range(rank)] for _ in range(20)]
        right = [[rng.randint(-3, 3) for _ in range(width)] for _ in range(rank)]
        product = [[sum(a * b[j] for a, b in zip(row, right, strict=True)) for j in range(width)] for row in left]
        exact = flint.fmpq_mat(20, width, [x for row in product for x in row])
        rows = [{j: names.constant(x) for j, x in enumerate(row) if x} for row in product]
        kernel = modular_kernel(rows, width, [1], prime)
        assert len(kernel) == width - exact.rank()
        assert all(
            sum(x * v for x, v in zip(row, vector, strict=True)) % prime == 0 for row in product for vector in kernel
        )


def test_ranks_respect_the_circle():
    x, y = symengine.symbols("x y")
    sin, cos = symengine.sin, symengine.cos
    turned = [
        [cos(x + y / 2), sin(x + y / 2)],
        [cos(x) * cos(y / 2) - sin(x) * sin(y / 2), sin(x) * cos(y / 2) + cos(x) * sin(y / 2)],
    ]
    assert rank_below(turned) == 1
    assert rank_below([[x, sin(x)], [1 + x, cos(x)]]) == 2
    k = symengine.Symbol("k")
    assert rank_below([[k, symengine.Integer(2)], [x, x]], {k: symengine.Integer(2)}) == 1
    assert rank_below([[symengine.exp(x)]]) is None
