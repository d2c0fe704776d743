"""What the tests of the facts share: how a check is registered, a motion of an entry, what constant means."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from anholonomy.catalogue import ENTRIES
from anholonomy.public.system import Motion
from anholonomy.system.constraints import Kind

Checks = dict[tuple[str, str], Callable[[], None]]

NONLINEAR = [key for key, entry in ENTRIES.items() if any(Kind.NONLINEAR in kind for kind in entry.make().model.kinds)]
"""Entries with a constraint that is not linear in the velocities."""


def registers(checks: Checks) -> Callable[[str, str], Callable[[Callable[[], None]], Callable[[], None]]]:
    """A decorator that puts the check of one fact of one entry, or of a claim of the literature in other words, into ``checks``."""

    def fact(key: str, text: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
        def register(check: Callable[[], None]) -> Callable[[], None]:
            assert (key, text) not in checks
            checks[key, text] = check
            return check

        return register

    return fact


def stated(keys: list[str]) -> set[tuple[str, str]]:
    """The facts of these entries."""
    return {(key, text) for key in keys for text in ENTRIES[key].facts}


def motion(key: str, until: float | None = None, by: str | None = None, **start: float) -> Motion:
    """The entry's own motion, or one with another end or other start values (``theta_`` stands for theta')."""
    entry = ENTRIES[key]
    changed = {name.replace("_", "'"): value for name, value in start.items()}
    return entry.make().simulate({**entry.start, **changed}, until=until or entry.until, by=by)


def values(run: Motion, *names: tuple[str, ...]) -> tuple[np.ndarray, ...]:
    return tuple(run[name].values for name in names)


def constant(series: np.ndarray, tolerance: float = 1e-12) -> bool:
    return bool(np.ptp(series) <= tolerance * max(1.0, np.abs(series).max()))
