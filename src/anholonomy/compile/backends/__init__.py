"""The backends, one file each: a program in, a function of numbers out."""

from __future__ import annotations

from anholonomy.compile.backends.base import Function, Unsupported
from anholonomy.compile.backends.llvm import LlvmBackend
from anholonomy.compile.backends.numpy import NumpyBackend
from anholonomy.compile.program import Program

__all__ = ["fast_function"]

_WORTHWHILE = 20_000
"""Operations up to which machine code is made within a second."""


def fast_function(program: Program) -> Function:
    """Machine code where it can be had quickly, the reference interpreter otherwise."""
    if program.operations > _WORTHWHILE:
        return NumpyBackend().compile(program)
    try:
        return LlvmBackend().compile(program)
    except (Unsupported, ImportError):
        return NumpyBackend().compile(program)
