"""Two hundred systems with a known law in disguise are recognised, of two hundred generic ones nothing is claimed.

Every claim is tried along a motion too, integrated by SciPy, to 1e-11.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
import sympy as sp

from anholonomy import System, Verdict
from anholonomy.algebra.expressions import to_sympy
from anholonomy.algebra.numbers.balls import precision
from anholonomy.system.states.complete_state import complete_state
from tests.properties.random_laws.disguise import Plain, T, rate
from tests.properties.random_laws.generic import generic, generic_free
from tests.properties.random_laws.known import with_integrals, with_measure, with_moving_energy, with_multiplier

LIMIT = 1e-11


def moved(system: System, rng: random.Random) -> Any:
    """A motion from a random start, not where a constraint makes a velocity large."""
    free = [w.name for w in system.velocities][: len(system.velocities) - len(system.constraints)]
    for _ in range(40):
        start = {name: rng.uniform(0.2, 0.6) for name in (*(q.name for q in system.coordinates), *free)} | {"t": 0.0}
        with precision(20):
            state = complete_state(system.model, start)
        if all(abs(float(state[w].mid())) < 2 for w in system.velocities):
            break
    return system.simulate(start, times=[0.0, 0.2, 0.4], integrator="scipy")


def is_constant(values: Any) -> bool:
    found = np.asarray(values)
    return bool(np.ptp(found) <= LIMIT * max(1.0, np.abs(found).max()))


def slopes(plain: Plain, values: list[sp.Expr], rng: random.Random) -> np.ndarray:
    """Gradients on the constraint submanifold, with time, at a random point of it."""
    v = [rate(q) for q in plain.coordinates]
    count = len(v) - len(plain.constraints)
    solved = sp.solve(plain.constraints, v[count:], dict=True)[0] if plain.constraints else {}
    free = [*map(sp.Symbol, plain.coordinates), *v[:count], T]
    at = {s: rng.uniform(0.3, 0.8) for s in free}
    return np.array([[float(e.subs(solved).diff(s).subs(at)) for s in free] for e in values])


def integrals_are_recognised(seed: int) -> None:
    rng = random.Random(seed)
    plain = with_integrals(rng)
    degree = max(sp.Poly(e, *map(rate, plain.coordinates)).total_degree() for e in plain.integrals)
    system = plain.system(f"integrals {seed}")
    laws = system.conserved(degree=degree)
    found = slopes(plain, [to_sympy(law.expression) for law in laws], random.Random(seed))
    for wanted in slopes(plain, list(plain.integrals), random.Random(seed)):
        combination = np.linalg.lstsq(found.T, wanted, rcond=1e-10)[0]
        assert np.abs(found.T @ combination - wanted).max() < 1e-8 * np.abs(wanted).max(), str(laws)
    run = moved(system, rng)
    assert all(is_constant(law.along(run)) for law in laws)


def a_measure_is_recognised(seed: int) -> None:
    rng = random.Random(seed)
    system = with_measure(rng).system(f"measure {seed}")
    mu = system.invariant_measure()
    assert mu.verdict is Verdict.PROVEN, str(mu)
    assert mu.check(moved(system, rng))


def a_multiplier_is_recognised(seed: int) -> None:
    rng = random.Random(seed)
    system, fibre, expected = with_multiplier(rng)
    h = system.hamiltonize(fibre=fibre or None)
    assert h.verdict is Verdict.PROVEN, str(h)
    points = [{q.name: rng.uniform(-0.8, 0.8) for q in h.base.coordinates} for _ in range(3)]
    ratios = [h(at) / float(expected.subs({sp.Symbol(k): value for k, value in at.items()})) for at in points]
    np.testing.assert_allclose(ratios, ratios[0], rtol=1e-12)
    assert h.check(moved(system, rng))


def a_moving_energy_is_recognised(seed: int) -> None:
    rng = random.Random(seed)
    system = with_moving_energy(rng).system(f"moving energy {seed}")
    found = system.moving_energy()
    assert found, str(found)
    assert is_constant(found.along(moved(system, rng)))


def nothing_is_claimed(seed: int) -> None:
    """No measure, no moving energy where constraints move, and of each fourth system no integral, of the others no multiplier."""
    rng = random.Random(seed)
    system = generic(rng)
    moves = system.constraints[0].offset != 0
    assert system.invariant_measure().verdict is Verdict.REFUTED
    assert not moves or system.moving_energy().verdict is Verdict.REFUTED
    if seed % 4:
        h = generic_free(rng).hamiltonize()
        assert h.verdict is Verdict.REFUTED
        assert h.finding.check() is Verdict.REFUTED
        return
    degree = 2 if seed % 8 == 0 else 1
    laws = system.conserved(degree=degree)
    assert [law.kind for law in laws] == (["energy"] if degree == 2 and not moves else []), str(laws)
    for law in laws:
        assert is_constant(law.along(moved(system, rng)))


KNOWN = {
    integrals_are_recognised: range(60),
    a_measure_is_recognised: range(80, 130),
    a_multiplier_is_recognised: range(130, 180),
    a_moving_energy_is_recognised: range(180, 220),
}


@pytest.mark.parametrize("law", KNOWN, ids=lambda law: law.__name__)
def test_a_disguised_law(law: Any) -> None:
    law(KNOWN[law][0])


def test_a_generic_system() -> None:
    nothing_is_claimed(1000)


@pytest.mark.exhaustive
@pytest.mark.parametrize("law", KNOWN, ids=lambda law: law.__name__)
@pytest.mark.parametrize("tenth", range(10))
def test_disguised_laws(law: Any, tenth: int) -> None:
    for seed in KNOWN[law][tenth::10]:
        law(seed)


@pytest.mark.exhaustive
@pytest.mark.parametrize("tenth", range(10))
def test_generic_systems(tenth: int) -> None:
    for seed in range(1000, 1200)[tenth::10]:
        nothing_is_claimed(seed)
