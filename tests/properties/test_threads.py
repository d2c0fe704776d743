"""Two threads at once with different digits: each gets what it asked for, and none waits for the other for ever."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from threading import Thread

import flint
import pytest

import anholonomy as ah
from anholonomy.algebra.numbers.balls import precision
from anholonomy.base.caching import cached_property

_WAIT = 30


@pytest.fixture(autouse=True)
def _impatient() -> Iterator[None]:
    """Threads change places a thousand times more often than usual."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(5e-6)
    yield
    sys.setswitchinterval(usual)


def together(*tasks: Callable[[], None]) -> None:
    """Run all at once; what one of them raises, or that one does not end, fails the test."""
    troubles: list[BaseException] = []

    def guarded(task: Callable[[], None]) -> None:
        try:
            task()
        except BaseException as trouble:
            troubles.append(trouble)

    threads = [Thread(target=guarded, args=(task,), daemon=True) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(_WAIT)
    assert not any(thread.is_alive() for thread in threads)
    if troubles:
        raise troubles[0]


def _skate(k: int) -> ah.System:
    return ah.System(
        name=f"skate {k}",
        coordinates=["x", "y", "theta"],
        lagrangian=f"({k + 2}*(x'^2 + y'^2) + theta'^2)/2",
        constraints=["sin(theta)*x' = cos(theta)*y'"],
    )


def test_verification_with_different_digits() -> None:
    before = flint.ctx.prec

    def verifying(digits: int) -> None:
        for k in range(4):
            assert _skate(k).verify(states=1, digits=digits)

    together(lambda: verifying(15), lambda: verifying(70))
    assert flint.ctx.prec == before


def test_states_and_accelerations_with_different_digits() -> None:
    r"""$\ddot x = -\dot\theta\,v\sin\theta$ with $v = \dot x/\cos\theta$, to 60 digits beside 12."""
    equations = _skate(0).derive("lagrange-dalembert")
    state = {"x": 0, "y": 0, "theta": "0.3", "x'": "0.7", "theta'": "1.1"}

    def asking(digits: int) -> None:
        for _ in range(30):
            found = equations.at(state, digits=digits).accelerations[0]
            with precision(80):
                theta = flint.arb("0.3")
                truth = -flint.arb("1.1") * flint.arb("0.7") * theta.tan()
            assert found.overlaps(truth)
            assert found.rad() < flint.arb(10) ** (-digits)

    together(lambda: asking(12), lambda: asking(60))


def test_geometry_beside_other_digits() -> None:
    def measuring() -> None:
        for k in range(8):
            assert _skate(k).geometry.distribution.growth_vector(at={"x": 0, "y": 0, "theta": "pi/2"}) == (2, 3)

    def disturbing() -> None:
        for k in range(200):
            with precision(10 + k):
                time.sleep(0)

    together(measuring, disturbing)


class _Precise:
    """Something that needs the precision when it is first asked for."""

    @cached_property
    def value(self) -> int:
        with precision(30):
            return 1


def test_a_thread_in_turn_does_not_wait_for_one_that_waits_for_it() -> None:
    """One computes a property and needs the precision; the other has the precision and needs such a property."""
    first, second = _Precise(), _Precise()

    def has_the_precision() -> None:
        with precision(30):
            time.sleep(0.2)
            assert second.value

    def needs_it() -> None:
        time.sleep(0.05)
        assert first.value

    together(has_the_precision, needs_it)
