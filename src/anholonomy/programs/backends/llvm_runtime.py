"""What machine code made from programs needs around it: a call by address, and an LU solver.

Numba compiles this file once per machine and keeps the result on disk; the programs themselves never
pass through Numba. It is imported only where machine code is wanted, because Numba costs half a second.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import carray, types  # type: ignore[attr-defined]
from numba.extending import intrinsic

__all__ = ["call_program", "evaluate_columns", "solve_in_place"]


def _call_program(context: Any, address: Any, t: Any, x: Any, p: Any, out: Any) -> Any:
    """Call the compiled program at ``address`` with the time and the addresses of three arrays."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, t, *arrays = arguments
        pointer = ir.DoubleType().as_pointer()
        function = ir.FunctionType(ir.VoidType(), [ir.DoubleType(), pointer, pointer, pointer])
        callee = builder.inttoptr(address, function.as_pointer())
        builder.call(callee, [t, *(builder.inttoptr(array, pointer) for array in arrays)])
        return context.get_dummy_value()

    return types.void(types.uintp, types.float64, types.uintp, types.uintp, types.uintp), generate


call_program: Any = intrinsic(_call_program)


@numba.cfunc("void(int64, CPointer(float64), CPointer(float64))", cache=True)
def solve_in_place(size: int, matrix: Any, right: Any) -> None:
    """Replace ``right`` by the solution, ``matrix`` (row after row) by its factors; NaN if singular."""
    a = carray(matrix, (size, size))
    b = carray(right, (size,))
    for k in range(size):
        pivot = k
        for i in range(k + 1, size):
            if abs(a[i, k]) > abs(a[pivot, k]):
                pivot = i
        if pivot != k:
            b[k], b[pivot] = b[pivot], b[k]
            for j in range(k, size):
                a[k, j], a[pivot, j] = a[pivot, j], a[k, j]
        if a[k, k] == 0.0:
            for i in range(size):
                b[i] = np.nan
            return
        for i in range(k + 1, size):
            if a[i, k] != 0.0:
                factor = a[i, k] / a[k, k]
                for j in range(k + 1, size):
                    a[i, j] -= factor * a[k, j]
                b[i] -= factor * b[k]
    for k in range(size - 1, -1, -1):
        for j in range(k + 1, size):
            b[k] -= a[k, j] * b[j]
        b[k] /= a[k, k]


@numba.njit("void(uintp, float64[::1], float64[:, ::1], float64[:, ::1], float64[:, ::1])", cache=True, nogil=True)
def evaluate_columns(address: int, t: Any, x: Any, p: Any, out: Any) -> None:
    """Evaluate the program at every member of a batch, one column each."""
    state, values, result = np.empty(x.shape[0]), p[:, 0].copy(), np.empty(out.shape[0])
    # Plain loops: assigning a strided column to an array costs more than the program itself.
    for column in range(x.shape[1]):
        for i in range(x.shape[0]):
            state[i] = x[i, column]
        if p.shape[1] > 1:
            for i in range(p.shape[0]):
                values[i] = p[i, column]
        t_column = t[column] if t.size > 1 else t[0]
        call_program(address, t_column, state.ctypes.data, values.ctypes.data, result.ctypes.data)
        for i in range(out.shape[0]):
            out[i, column] = result[i]
