r"""J13: geodesics on graded Lie algebras (Example 4.9, Corollary 4.10).

.. math:: g(a, [a, [a, c]]) = 0 \quad\text{for every } a, c \in d = \mathfrak g_1

The corollary says that this suffices. It is necessary, too: velocities are constant, $\mu = \mu_0 - \nu t$, and $\mu([a, c]) = 0$ for all times
asks for $\nu([a, c]) = -g(a, [a, [a, c]]) = 0$. In the display before it the double integral has the other sign.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import anholonomy as ah

pytestmark = pytest.mark.filterwarnings("ignore::anholonomy.errors.ImplausibleMassWarning")  # metrics, of no solid

GRADED = {
    "SO3": (ah.groups.SO3(), (2,), (0, 1)),
    "SO21": (ah.groups.SO21(), (0,), (1, 2)),
    "SL2R": (ah.groups.SL2R(), (0,), (1, 2)),
    "two": (ah.groups.SO3(prefix="a_") * ah.groups.SO3(prefix="b_"), (2, 5), (0, 1, 3, 4)),
}
"""Groups with the even and odd directions of a basis."""


def constants(group: str) -> np.ndarray:
    found = GRADED[group][0].algebra.constants_abd
    return np.array([[[float(c) for c in row] for row in plane] for plane in found])


def is_graded(c: np.ndarray, even: tuple[int, ...], odd: tuple[int, ...]) -> bool:
    wrong = [(even, even, odd), (even, odd, even), (odd, odd, odd)]
    return all(c[a, b, d] == 0 for A, B, D in wrong for a, b, d in product(A, B, D))


def double_bracket(c: np.ndarray, metric: np.ndarray, odd: tuple[int, ...], rng: np.random.Generator) -> bool:
    """The condition at random velocities, in numbers: a cubic that vanishes at forty of them vanishes."""
    size, worst = len(metric), 0.0
    for _ in range(40):
        a, b = np.zeros(size), np.zeros(size)
        a[list(odd)], b[list(odd)] = rng.normal(size=len(odd)), rng.normal(size=len(odd))
        once = np.einsum("a,b,abd->d", a, b, c)
        worst = max(worst, abs(a * metric @ np.einsum("a,b,abd->d", a, once, c)))
    return worst < 1e-12


@pytest.mark.parametrize("group", GRADED)
def test_J13_the_double_bracket_decides_both_ways(group: str) -> None:
    space, even, odd = GRADED[group]
    c, rng = constants(group), np.random.default_rng(3)
    assert is_graded(c, even, odd)
    seen = set()
    for metric in ([1] * 6, [1, 2, 3, 2, 2, 5], [2, 1, 1, 1, 1, 4], [1, 3, 1, 1, 2, 1], [1, 1, 2, 3, 3, 1]):
        weights = metric[: len(c)]
        rows = [f"{space.speeds[k].name} = 0" for k in even]
        system = ah.System(name="g", group=space, kinetic=list(map(str, weights)), constraints=rows)
        answer = system.compare_vakonomic()
        holds = double_bracket(c, np.array(weights, dtype=float), odd, rng)
        assert answer.conditions["grading"].verdict is ah.Verdict.of(holds)
        assert answer.verdict is ah.Verdict.of(holds)
        seen.add(holds)
    assert False in seen


def test_J13_on_the_rotations_two_moments_must_be_equal() -> None:
    top = ah.System(
        name="top", group="SO3", kinetic=["A", "B", "C"], constraints=["w3 = 0"], parameters=["A", "B", "C"]
    )
    answer = top.compare_vakonomic()
    assert answer.verdict is ah.Verdict.REFUTED
    assert "A = B" in str(answer.finding)


def test_J13_the_printed_double_integral_has_the_other_sign() -> None:
    r"""$\dot c' = -[a, \tilde c]$ and $\dot b = \dot{\tilde c} + [a, c']$ give $b = \tilde c - [a, [a, \int\!\!\int\tilde c]]$."""
    c, t = constants("SO3"), np.linspace(0, 1, 2001)
    a = np.array([0.3, -0.8, 0.0])
    odd = np.stack([np.sin(np.pi * t), t * (1 - t), 0 * t], axis=1)
    ad = lambda f: np.einsum("a,tb,abd->td", a, f, c)
    integral = lambda f: np.concatenate([np.zeros((1, 3)), np.cumsum((f[1:] + f[:-1]) / 2, axis=0) * (t[1] - t[0])])
    b = odd + integral(ad(integral(-ad(odd))))
    twice = ad(ad(integral(integral(odd))))
    assert np.abs(b - (odd - twice)).max() < 1e-6
    assert np.abs(b - (odd + twice)).max() > 1e-2
