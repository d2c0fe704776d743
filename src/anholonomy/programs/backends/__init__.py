"""The list of backends, a program in and a function of numbers out, and the fastest function that is quick to make.

A new backend is one new file and one new line here.
"""

from __future__ import annotations

from anholonomy.programs.backends.numpy import *
from anholonomy.programs.backends.llvm import *
from anholonomy.programs.backends.heyoka import *
from anholonomy.programs.backends.casadi import *
from anholonomy.programs.backends.jax import *

from anholonomy.programs.backends.base import AbstractBackend, Function, Unsupported
from anholonomy.programs.program import Program
from anholonomy.base.registry import listed, publish

BACKENDS: dict[str, AbstractBackend] = {kind.name: kind() for kind in listed(globals(), AbstractBackend)}
"""Every backend by the name that a user gives."""
_WORTHWHILE = 20_000
"""Operations up to which machine code is made within a second."""


def fast_function(program: Program) -> Function:
    """Machine code where it can be had quickly, the reference interpreter otherwise."""
    if program.operations > _WORTHWHILE:
        return BACKENDS["numpy"].compile(program)
    try:
        return BACKENDS["llvm"].compile(program)
    except (Unsupported, ImportError):
        return BACKENDS["numpy"].compile(program)


publish(globals())
