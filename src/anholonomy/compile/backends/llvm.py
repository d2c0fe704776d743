"""Programs as machine code: one LLVM instruction an operation, straight down the steps.

The code is written as LLVM's text by the same walk that serves every arithmetic, each value a register,
and compiled by llvmlite. SymEngine's own LLVM visitor is not used: it has no notion of steps, so it
would either write shared subexpressions out again or flatten the products that made them shared.
A `Solve` becomes a call of one LU solver with partial pivoting.

Of a batch, several members go side by side through one list of instructions, once so many were asked for that its compilation pays.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, final

import numpy as np

from anholonomy.compile.backends.base import AbstractBackend, Array, Kernel, Unsupported
from anholonomy.compile.backends.llvm_arithmetic import LlvmArithmetic
from anholonomy.compile.backends.llvm_text import LANES, SOLVER, batch_text, single_text
from anholonomy.compile.program import Program

__all__ = ["LlvmBackend"]

_HUGE = 150_000
"""Operations above which quick compilation is worth more than quick code."""
_MANY = 50_000
"""Members of batches after which code for several at a time is compiled: that takes as long as half a million of them."""


@final
@dataclass(frozen=True)
class MachineCode:
    """The address of ``void f(double t, double *x, double *p, double *out)``, or of the same for batches, valid while this lives."""

    address: int
    _engine: Any


@lru_cache(maxsize=64)
def compile_machine_code(program: Program) -> MachineCode:
    """The program as machine code; raises `Unsupported` if the machine's library lacks a function."""
    return _compiled(program, *single_text(program))


@lru_cache(maxsize=64)
def _compile_batches(program: Program) -> Any:
    """``f(begin, end, t, step, x, row, p, row, step, out)``: the same for many members, `LANES` at a time."""
    code = _compiled(program, *batch_text(program))
    size, place = ctypes.c_int64, ctypes.c_void_p
    function = ctypes.CFUNCTYPE(None, size, size, place, size, place, size, place, size, size, place)(code.address)
    function.code = code  # type: ignore[attr-defined]  # which it must not outlive
    return function


def _compiled(program: Program, code: LlvmArithmetic, text: str) -> MachineCode:
    engine = compile_text(text, code.externals, quick=program.operations > _HUGE, factorises=not program.is_straight)
    return MachineCode(int(engine.get_function_address("program")), engine)


def compile_text(text: str, externals: Iterable[str], *, quick: bool, factorises: bool) -> Any:
    """The engine that holds the machine code of a module, valid while it lives."""
    import llvmlite.binding as llvm  # type: ignore[import-untyped]

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    _publish(externals)
    if factorises:
        from anholonomy.compile.backends.native import solve_in_place

        llvm.add_symbol(SOLVER, solve_in_place.address)
    module = llvm.parse_assembly(text)
    # No optimisation passes: the steps already share what can be shared, and passes cost more than they save.
    # Nor the careful register allocator for huge programs: 12 s instead of 2 for 64 trailers, where it would pay only
    # after some 40,000 evaluations.
    engine = llvm.create_mcjit_compiler(module, _this_machine(opt=0 if quick else 2))
    engine.finalize_object()
    return engine


def _this_machine(opt: int) -> Any:
    """What to compile for; a virtual machine may lack instructions that its processor's name promises."""
    import llvmlite.binding as llvm

    name, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    return llvm.Target.from_default_triple().create_target_machine(cpu=name, features=features, opt=opt)


def _publish(names: Iterable[str]) -> None:
    """Tell LLVM where the mathematical functions are; what it finds by itself depends on earlier imports."""
    import llvmlite.binding as llvm

    # On Windows the functions live in the C runtime, elsewhere in the process itself.
    library = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
    plain = {name.split(".")[1] if name.startswith("llvm.") else name for name in names} - {"sqrt", "fabs", "fma"}
    # LLVM merges a sine and a cosine of one angle into this where it exists.
    for name in plain | {"sincos"}:
        try:
            address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
        except AttributeError:
            if name in plain:
                raise Unsupported(f"the mathematical library of this machine has no {name}") from None
            continue
        llvm.add_symbol(name, address)


@final
class LlvmBackend(AbstractBackend):
    """The program as machine code, called for one member of the batch after another.

    >>> from anholonomy.compile.program import lower
    >>> from anholonomy.symbolic.expressions import symbol
    >>> x, v, k = (symbol(name) for name in "xvk")
    >>> f = LlvmBackend().compile(lower([x, v], [k], [], [v, -k * x]))
    >>> f(0.0, [1.0, 2.0], [9.0])
    array([ 2., -9.])
    """

    name = "llvm"
    handles_solves = True

    def _compile(self, program: Program) -> Kernel:
        from anholonomy.compile.backends.native import evaluate_columns

        code, rows, seen = compile_machine_code(program), len(program.outputs), 0

        def kernel(t: Array, x: Array, p: Array) -> Array:
            nonlocal seen
            out, count = np.empty((rows, x.shape[1])), x.shape[1]
            seen += count if count > LANES else 0
            if seen < _MANY or count <= LANES:
                evaluate_columns(code.address, t, x, p, out)
                return out
            # The last members go with some of those before them.
            for begin, end in ((0, count - count % LANES), (count - LANES, count)):
                _evaluate_batch(program, begin, end, t, x, p, out)
            return out

        return kernel


def _evaluate_batch(program: Program, begin: int, end: int, t: Array, x: Array, p: Array, out: Array) -> None:
    # What all members share is written out for those that go together, and each group finds it at the same place.
    t = np.repeat(t, LANES) if t.size == 1 else t
    p = np.repeat(p, LANES, axis=1) if p.shape[1] == 1 else p
    steps = (int(t.size == x.shape[1]), int(p.shape[1] == x.shape[1]))
    _compile_batches(program)(
        begin,
        end,
        t.ctypes.data,
        steps[0],
        x.ctypes.data,
        x.shape[1],
        p.ctypes.data,
        p.shape[1],
        steps[1],
        out.ctypes.data,
    )
