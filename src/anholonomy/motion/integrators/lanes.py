"""A program made ready for ensembles: its steps as machine code, and one call that integrates a block of members side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from anholonomy.motion.integrators.dop853_llvm import kernel_text
from anholonomy.motion.integrators.lanes_layout import Layout
from anholonomy.programs.backends.base import Array
from anholonomy.programs.backends.llvm import compile_text
from anholonomy.programs.program import Program

__all__ = ["Block", "Halt", "Kernel", "Watching", "kernel_of"]

Halt = NDArray[np.int64]
"""One number; set to something else than 0 it ends what runs."""
MOST = 2_000_000
"""Attempts at a step after which a member is given up."""


@final
@dataclass(frozen=True)
class Watching:
    """What a program watches, and what is asked of it: vectors of a frame first, then numbers that must not shrink, then those that keep their sign."""

    program: Program
    vectors: int = 0
    width: int = 0
    shrinking: int = 0
    frame_share: float = 0.0
    share: float = 0.0

    @property
    def kinds(self) -> NDArray[np.int64]:
        framed = self.vectors * self.width
        rest = len(self.program.outputs) - framed - self.shrinking
        return np.array([2] * framed + [0] * self.shrinking + [1] * rest, dtype=np.int64)


@final
@dataclass
class Block:
    """What a block of members came to: samples, how each ended, the place in the grid it got to, the time and state there, its steps."""

    out: Array
    status: NDArray[np.int64]
    filled: NDArray[np.int64]
    stop_times: Array
    stop_states: Array
    steps: NDArray[np.int64]

    def of(self, chosen: NDArray[np.bool_]) -> Block:
        """That of some of the members."""
        return Block(*(getattr(self, each.name)[chosen] for each in fields(self)))


@final
@dataclass(frozen=True, eq=False)
class Kernel:
    """Machine code for one program."""

    layout: Layout
    codes: tuple[int, ...]
    watching: Watching | None
    engine: Any = field(repr=False)

    def integrate(
        self,
        t: Array,
        x: Array,
        p: Array,
        times: Array,
        tolerance: float,
        halt: Halt,
        *,
        first: NDArray[np.int64] | None = None,
        ends: Array | None = None,
        longest: Array | float = np.inf,
        duration: float | None = None,
        forward: bool | None = None,
        out: Array | None = None,
    ) -> Block:
        """Members from ``x`` (member, state) at ``t`` with parameters ``p`` (member or 1, parameter), sampled at ``times`` (member or 1, time).

        ``first`` is where in the times each begins, ``ends`` where steps must end (member or 1, stop), the last time by default;
        ``forward`` says which way time goes where the first member does not tell.
        """
        from anholonomy.motion.integrators import lanes_loop as driver

        count, n = x.shape
        grid = np.ascontiguousarray(np.atleast_2d(times))
        stops = np.ascontiguousarray(grid[:, -1:] if ends is None else np.atleast_2d(ends))
        places = np.zeros(count, dtype=np.int64) if first is None else first
        onward = bool(stops[0, -1] >= t[0]) if forward is None else forward
        direction = 1.0 if onward else -1.0
        w = self._room()
        at = self.layout.places
        w[at["direction"]] = direction
        w[at["tolerance"]] = tolerance
        w[at["duration"]] = abs(float(stops[0, -1] - t[0])) if duration is None else duration
        w[at["shortest"]] = 1e-300
        block = Block(
            np.full((count, grid.shape[1], n), np.nan) if out is None else out,
            np.zeros(count, dtype=np.int64),
            np.array(places),
            np.array(t, dtype=float),
            np.array(x, dtype=float),
            np.zeros(count, dtype=np.int64),
        )
        driver.drive(
            self.codes,
            tuple(at[name] for name in driver.ROWS),
            w,
            (np.ascontiguousarray(t), np.ascontiguousarray(x), np.ascontiguousarray(p), np.atleast_1d(longest) * 1.0),
            (grid, places),
            stops,
            self._watched,
            block.out,
            (block.status, block.filled, block.stop_times, block.stop_states, block.steps),
            MOST,
            halt,
        )
        return block

    @property
    def _watched(self) -> tuple[Any, ...]:
        each = self.watching
        if each is None:
            return np.zeros(0, dtype=np.int64), np.zeros(1), np.zeros(2, dtype=np.int64), np.zeros((1, 2))
        kinds = each.kinds
        parts = np.full(max(kinds.size, 1), each.share)
        parts[0] = each.frame_share if each.vectors else each.share
        shape = np.array([each.vectors, each.width], dtype=np.int64)
        return kinds, parts, shape, np.zeros((each.vectors + 1, each.vectors + 2))

    def _room(self) -> Array:
        """The array of a run, its rows where vector instructions want them."""
        lanes, rows = self.layout.lanes, self.layout["rows"]
        raw = np.zeros(rows * lanes + 8)
        shift = (-raw.ctypes.data % 64) // 8
        return raw[shift : shift + rows * lanes].reshape(rows, lanes)


@lru_cache(maxsize=1)
def _lanes() -> int:
    """As many doubles as the machine's vector registers hold."""
    import llvmlite.binding as llvm  # type: ignore[import-untyped]

    return 8 if llvm.get_host_cpu_features().get("avx512f", False) else 4


@lru_cache(maxsize=64)
def kernel_of(rates: Program, watching: Watching | None = None, lanes: int | None = None) -> Kernel:
    """The machine code for a program's rates, compiled once."""
    watch = None if watching is None else watching.program
    layout = Layout(
        len(rates.states), len(rates.parameters), 0 if watch is None else len(watch.outputs), lanes or _lanes()
    )
    code, text = kernel_text(rates, watch, layout)
    programs = [program for program in (rates, watch) if program is not None]
    engine = compile_text(text, code.externals, quick=False, factorises=not all(p.is_straight for p in programs))
    names: Sequence[str] = ("begin", "step", "dense", "commit", "enter", "watch")
    codes = tuple(
        int(engine.get_function_address(name)) if watch is not None or k < 4 else 0 for k, name in enumerate(names)
    )
    return Kernel(layout, codes, watching, engine)
