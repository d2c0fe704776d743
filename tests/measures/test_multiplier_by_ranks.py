"""Multipliers refuted by ranks modulo a prime: never where there is one, and long systems are decided."""

from __future__ import annotations

import pytest

from anholonomy import System, Verdict, catalogue
from anholonomy.equations.reduction.spatial import seen_from_space
from anholonomy.laws.reduced_motion import reduced_motion
from anholonomy.measures.new_time.no_multiplier_by_rank import StructureAtPoint, overdetermined

HAVE = ["skate", "free_particle", "knife_edge", "suslov", "veselova", "rubber_ball", "chaplygin_ball"]
HAVE_NONE = ["rattleback"]


@pytest.mark.parametrize("name", HAVE)
def test_nothing_is_refuted_that_is_there(name: str) -> None:
    """Chaplygin's ball needs the parts of the bracket that leave its motion alone."""
    assert overdetermined(reduced_motion(getattr(catalogue, name)().model)) is None


@pytest.mark.parametrize("name", HAVE_NONE)
def test_what_is_refuted_by_formulas_is_refuted_by_ranks(name: str) -> None:
    found = overdetermined(reduced_motion(getattr(catalogue, name)().model))
    assert found is not None
    assert found.check() is Verdict.PROVEN


@pytest.mark.parametrize("name", ["chaplygin_ball", "rattleback", "snakeboard"])
def test_what_bends_the_motion_does_no_work(name: str) -> None:
    """The sum over all permutations of the indices vanishes."""
    here = StructureAtPoint(reduced_motion(getattr(catalogue, name)().model), 0)
    K, prime, n = here.bent, here.do.prime, range(here.size)
    assert any(K[a, b, c] for a in n for b in n for c in n)
    assert all((K[a, b, c] + K[b, c, a] + K[c, a, b]) % prime == 0 for a in n for b in n for c in n)


def test_a_magnetic_term_is_not_looked_at() -> None:
    magnetic = System(
        name="magnetic",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2 + x*y'",
        constraints=["z' = y*x'"],
    )
    assert overdetermined(reduced_motion(magnetic.model)) is None


@pytest.mark.exhaustive
def test_the_bicycle_has_none() -> None:
    # What is remembered of an equal model is not the same object; a bicycle made again was searched until the memory was full.
    seen_from_space(catalogue.whipple_bicycle().model.without_zero_parameters)
    h = catalogue.whipple_bicycle().hamiltonize(time_limit=None)
    assert h.verdict is Verdict.REFUTED
    assert h.finding.check() is Verdict.REFUTED
