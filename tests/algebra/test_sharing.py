"""Shared expressions say what was given, and parts that sums or products have in common are there once."""

from __future__ import annotations

import random

import numpy as np
import pytest
import symengine as se

from anholonomy.algebra.expressions import symbol
from anholonomy.algebra.steps.definitions import Assign, in_one_pass, inline, share
from tests.programs.programs import every_function


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("method", [share, in_one_pass])
def test_what_is_shared_says_the_same(method, seed):
    draw = random.Random(seed)
    atoms = [symbol(name) for name in "abcd"]
    for _ in range(6):
        atoms += [draw.choice(every_function(draw.choice(atoms), draw.choice(atoms))) for _ in range(3)]
        atoms += [se.Add(*draw.sample(atoms, 4)), se.Mul(*draw.sample(atoms, 3))]
    named, reduced = method(atoms, "w")
    back = inline(reduced, [Assign(target, value) for target, value in named])
    at = dict(zip((symbol(name) for name in "abcd"), (0.3, 0.7, 1.1, -0.4), strict=True))
    given, found = (
        [float(each.subs(at).n(53, real=True)) if not _jumps(each) else 0.0 for each in side] for side in (atoms, back)
    )
    np.testing.assert_allclose(found, given, rtol=1e-9)


def _jumps(expression) -> bool:
    """SymEngine has no numbers for functions that it knows by name only."""
    return bool(expression.atoms(se.FunctionSymbol))


@pytest.mark.parametrize("kind", [se.Add, se.Mul])
def test_a_chain_of_partial_sums_takes_as_many_operations_as_it_has_links(kind):
    links = [symbol(f"x{k}") for k in range(60)]
    chain = [se.sin(kind(*links[: k + 1])) for k in range(1, len(links))]
    named, reduced = in_one_pass(chain, "w")
    assert se.count_ops(*(value for _, value in named), *reduced) == 2 * len(chain)


def test_names_come_before_their_use():
    x = [symbol(f"x{k}") for k in range(8)]
    expressions = [se.sin(x[i] + x[j] + x[0]) * se.cos(x[j] * x[i] * x[1]) for i in range(2, 8) for j in range(i)]
    known = set(x)
    for target, value in in_one_pass(expressions, "w")[0]:
        assert value.free_symbols <= known
        known.add(target)
