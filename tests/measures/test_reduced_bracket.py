"""Brackets of what symmetries leave: the multipliers of the literature, and Jacobi's identity by differences."""

from __future__ import annotations

import numpy as np
import pytest

from anholonomy import System, Verdict, catalogue
from anholonomy.measures.new_time.reduced_bracket import bracket_in_new_time

I = np.array([1.0, 2.0, 2.5])


def test_veselova() -> None:
    r"""Fedorov and Jovanović 2004: $f = (\gamma\cdot I^{-1}\gamma)^{-1/2}$, up to a constant."""
    h = catalogue.veselova().hamiltonize()
    assert h.verdict is Verdict.PROVEN
    assert len(h.symmetries) == 1
    ratios = []
    for q in ((0.8, 0.1, 0.2), (0.3, 0.5, -0.4), (-0.1, 0.6, 0.3)):
        q0, q1, q2, q3 = np.array([np.sqrt(1 - np.dot(q, q)), *q])
        gamma = np.array([2 * (q1 * q3 - q0 * q2), 2 * (q2 * q3 + q0 * q1), 1 - 2 * (q1**2 + q2**2)])
        ratios.append(h({"q0": q0, "q1": q1, "q2": q2, "q3": q3}) * np.sqrt(gamma @ (gamma / I)))
    np.testing.assert_allclose(ratios, ratios[0], rtol=1e-12)
    run = catalogue.veselova().simulate(
        {"q0": 0.8, "q1": 0.0, "q2": 0.6, "q3": 0.0, "w1": 0.7, "w2": 2.0, "w3": 2.4}, until=1.0
    )
    tau = h.time(run).values
    assert tau[0] == 0
    assert (np.diff(tau) > 0).all()


@pytest.mark.exhaustive
def test_the_bracket_of_chaplygins_ball_needs_more_than_a_multiplier() -> None:
    """García-Naranjo 2007: reduced by its symmetries it is not conformally Poisson without a gauge transformation."""
    h = bracket_in_new_time(catalogue.chaplygin_ball().model, 60)
    assert h.verdict is Verdict.REFUTED
    assert len(h.symmetries) == 3
    assert h.finding.check() is Verdict.REFUTED
    even = bracket_in_new_time(catalogue.rolling_ball().model, 60)
    assert len(even.symmetries) >= 3


def test_two_momenta_are_always_poisson() -> None:
    """Suslov's problem, reduced by all rotations, has nothing but two momenta left."""
    h = bracket_in_new_time(catalogue.suslov().model, 60)
    assert h.verdict is Verdict.PROVEN
    assert h.multiplier == 1
    assert len(h.symmetries) == 3


def test_impatience() -> None:
    assert bracket_in_new_time(catalogue.veselova().model, 1e-6).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("constraint", ["v3 = 0", "v1 + w2 = 0", "w3 = 0"])
def test_five_speeds_on_a_group_are_answered(constraint: str) -> None:
    """What is left by all translations and rotations are speeds alone, on which a refuted bracket needs no coordinates."""
    h = System(name="body", group="SE3", kinetic=[1, 1, 1, 2, 3, 4], constraints=[constraint]).hamiltonize()
    assert not h.is_unknown
    assert "speeds alone" in str(h)
