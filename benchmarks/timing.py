"""Wall time, best of several, and how to forget what earlier calls left in caches."""

from __future__ import annotations

import functools
import gc
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import gettempdir
from time import perf_counter
from typing import Any, TypeVar

__all__ = ["as_users_do", "best", "best_in_turn", "cold", "once", "seconds", "times", "warmed"]

T = TypeVar("T")

_TURN = 0.01
"""Seconds of a turn: a quick call is made several times in it."""


def once(call: Callable[[], T]) -> tuple[float, T]:
    """Seconds and the result."""
    began = perf_counter()
    result = call()
    return perf_counter() - began, result


def best(call: Callable[[], Any], *, repeat: int = 5, at_least: float = 0.02, cap: float = 5.0) -> float:
    """Seconds of the fastest call; quick calls are timed many at a time, slow ones not beyond ``cap`` in all."""
    first, _ = once(call)
    count = max(1, int(at_least / max(first, 1e-9)))
    fastest, began = first, perf_counter()
    for _ in range(repeat):
        if perf_counter() - began > cap:
            break
        spent, _ = once(lambda: [call() for _ in range(count)])
        fastest = min(fastest, spent / count)
    return fastest


def warmed(call: Callable[[], T], spent: float = 0.5) -> Callable[[], T]:
    """The call after it was made for so many seconds: what is often asked for is optimised on the way."""
    began = perf_counter()
    while perf_counter() - began < spent:
        call()
    return call


def best_in_turn(calls: Mapping[str, Callable[[], Any]], rounds: int = 60) -> dict[str, float]:
    """Seconds of the fastest call of each, taken in turn, so that a busy moment of the machine spares none of them."""
    fastest = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            began = perf_counter()
            while True:
                fastest[name] = min(fastest[name], once(call)[0])
                if perf_counter() - began > _TURN:
                    break
    return fastest


def cold() -> None:
    """Empty the caches of both sides: ours, SymPy's, and heyoka's compiled code.

    The grammar stays: it is built once a process, as an import is.
    """
    import heyoka
    from sympy.core.cache import clear_cache

    from anholonomy.motion.integrators.taylor import Taylor

    for found in _caches(len(sys.modules)):
        found.cache_clear()
    Taylor._pool.clear()
    clear_cache()
    heyoka.llvm_state.set_diskcache_enabled(False)
    heyoka.llvm_state.clear_memcache()


@functools.lru_cache(maxsize=1)
def _caches(modules: int) -> list[Any]:
    """Ours; looked for again only when further modules were loaded, because it takes long."""
    found = [each for each in gc.get_objects() if isinstance(each, functools._lru_cache_wrapper)]
    kept = "anholonomy.language.parser"
    return [each for each in found if each.__module__.startswith("anholonomy") and each.__module__ != kept]


def as_users_do() -> dict[str, str]:
    """The environment of a fresh process that keeps the bytecode it makes, as one has it who imports a package again."""
    folder = str(Path(gettempdir()) / "anholonomy-bytecode")
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | {"PYTHONPYCACHEPREFIX": folder}


def seconds(value: float) -> str:
    """A time as a person would say it.

    >>> seconds(0.00123), seconds(12.3)
    ('1.23 ms', '12.3 s')
    """
    units = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))
    unit, size = next((each for each in units if value >= each[1]), units[-1])
    return f"{value / size:.3g} {unit}"


def times(ratio: float) -> str:
    """A ratio as a factor.

    >>> times(153.2), times(0.51)
    ('150×', '0.51×')
    """
    return f"{float(f'{ratio:.2g}'):g}×"
