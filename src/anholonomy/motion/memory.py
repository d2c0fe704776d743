"""How much memory is free; what does not fit is refused.

How much memory is free, and what would not fit into it: refused with its size before it is asked for.
"""

from __future__ import annotations

from pathlib import Path

from anholonomy.base.errors import IntegrationError

__all__ = ["free_memory", "refuse_unless_free"]

_LITTLE = 2**26
"""Bytes for which nobody asks how much memory is free."""


def refuse_unless_free(needed: float, what: str, cure: str) -> None:
    """Refuse, with its size, ``what`` needs more bytes than are free.

    >>> refuse_unless_free(8e3, "s: 1000 members", "ask for fewer")
    """
    if needed < _LITTLE or needed <= 0.8 * (free := free_memory()):
        return
    raise IntegrationError(f"{what} are {needed / 1e9:.3g} GB, and {free / 1e9:.3g} GB of memory are free; {cure}.")


def free_memory() -> float:
    """Bytes; infinite where the system does not say."""
    try:
        with Path("/proc/meminfo").open() as file:
            free = next(line for line in file if line.startswith("MemAvailable"))
        return 1024.0 * float(free.split()[1])
    except (OSError, StopIteration):
        return float("inf")
