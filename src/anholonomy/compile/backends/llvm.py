"""Programs as machine code: one LLVM instruction an operation, straight down the steps.

The code is written as LLVM's text by the same walk that serves every arithmetic, each value a register,
and compiled by llvmlite. SymEngine's own LLVM visitor is not used: it has no notion of steps, so it
would either write shared subexpressions out again or flatten the products that made them shared.
A `Solve` becomes a call of one LU solver with partial pivoting.
"""

from __future__ import annotations

import ctypes
import struct
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, final

import numpy as np

from anholonomy.compile.backends.base import AbstractBackend, Array, Kernel, Unsupported
from anholonomy.compile.program import Program
from anholonomy.symbolic.arithmetic import evaluate
from anholonomy.symbolic.expressions import Expr, time
from anholonomy.symbolic.steps.straight_line import Assign, Solve

__all__ = ["LlvmArithmetic", "LlvmBackend", "MachineCode", "compile_machine_code"]

_INTRINSICS = {"sin", "cos", "exp", "log", "sqrt", "abs", "pow"}
_SPELLED = {"abs": "fabs"}
_HUGE = 150_000
"""Operations above which quick compilation is worth more than quick code."""
_ENTRY, _SOLVER = "program", "anholonomy_solve_in_place"


@final
@dataclass
class LlvmArithmetic:
    """Expressions as registers of LLVM; ``lines`` gains the instructions that fill them.

    >>> from anholonomy.symbolic.expressions import symbol
    >>> x = symbol("x")
    >>> code = LlvmArithmetic()
    >>> evaluate(x**2, code, {x: "%x"})
    '%v0'
    >>> code.lines
    ['%v0 = fmul double %x, %x']
    """

    lines: list[str] = field(default_factory=list)
    externals: dict[str, int] = field(default_factory=dict)
    _count: int = 0

    def emit(self, instruction: str) -> str:
        register = f"%v{self._count}"
        self._count += 1
        self.lines.append(f"{register} = {instruction}")
        return register

    def number(self, value: Fraction | float) -> str:
        # LLVM reads a double exactly only as its bits.
        return "0x" + struct.pack(">d", float(value)).hex().upper()

    def pi(self) -> str:
        return self.number(float(np.pi))

    def add(self, terms: Sequence[str]) -> str:
        return self._chain("fadd", terms)

    def multiply(self, factors: Sequence[str]) -> str:
        minus = self.number(-1.0)
        if minus in factors and len(factors) > 1:
            rest = list(factors)
            rest.remove(minus)
            return self.emit(f"fneg double {self._chain('fmul', rest)}")
        return self._chain("fmul", factors)

    def _chain(self, operation: str, values: Sequence[str]) -> str:
        result = values[0]
        for value in values[1:]:
            result = self.emit(f"{operation} double {result}, {value}")
        return result

    def power(self, base: str, exponent: int | Fraction) -> str:
        if exponent < 0:
            return self.emit(f"fdiv double {self.number(1.0)}, {self.power(base, -exponent)}")
        if Fraction(exponent).denominator == 2:
            return self.power(self.function("sqrt", [base]), Fraction(exponent).numerator)
        if Fraction(exponent).denominator > 1 or exponent > 64:
            return self.function("pow", [base, self.number(float(exponent))])
        result, square, left = "", base, int(exponent)
        while left:
            if left & 1:
                result = self.emit(f"fmul double {result}, {square}") if result else square
            left >>= 1
            if left:
                square = self.emit(f"fmul double {square}, {square}")
        return result or self.number(1.0)

    def general_power(self, base: str, exponent: str) -> str:
        return self.function("pow", [base, exponent])

    def function(self, name: str, arguments: Sequence[str]) -> str:
        if name == "sign":
            return self._sign(*arguments)
        if name == "if":
            return self._if(*arguments)
        spelled = _SPELLED.get(name, name)
        callee = f"llvm.{spelled}.f64" if name in _INTRINSICS else spelled
        self.externals[callee] = len(arguments)
        return self.emit(f"call double @{callee}({', '.join(f'double {a}' for a in arguments)})")

    def _if(self, u: str, a: str, b: str) -> str:
        positive = self.emit(f"fcmp ogt double {u}, {self.number(0.0)}")
        return self.emit(f"select i1 {positive}, double {a}, double {b}")

    def _sign(self, x: str) -> str:
        one, zero = self.number(1.0), self.number(0.0)
        unit = self.function("copysign", [one, x])
        # "one": ordered and not equal, so that zero and NaN pass through unchanged.
        nonzero = self.emit(f"fcmp one double {x}, {zero}")
        return self.emit(f"select i1 {nonzero}, double {unit}, double {x}")


@final
@dataclass(frozen=True)
class MachineCode:
    """The address of ``void f(double t, double *x, double *p, double *out)``, valid while this lives."""

    address: int
    _engine: Any


@lru_cache(maxsize=64)
def compile_machine_code(program: Program) -> MachineCode:
    """The program as machine code; raises `Unsupported` if the machine's library lacks a function."""
    import llvmlite.binding as llvm  # type: ignore[import-untyped]

    code = _write(program)
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    _publish(code.externals)
    if not program.is_straight:
        from anholonomy.compile.backends.native import solve_in_place

        llvm.add_symbol(_SOLVER, solve_in_place.address)
    module = llvm.parse_assembly(_module_text(program, code))
    # No optimisation passes: the steps already share what can be shared, and passes cost more than they save.
    # Nor the careful register allocator for huge programs: 12 s instead of 2 for 64 trailers, where it would pay only
    # after some 40,000 evaluations.
    engine = llvm.create_mcjit_compiler(module, _this_machine(opt=0 if program.operations > _HUGE else 2))
    engine.finalize_object()
    return MachineCode(int(engine.get_function_address(_ENTRY)), engine)


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
    plain = {name.removeprefix("llvm.").removesuffix(".f64") for name in names} - {"sqrt", "fabs"}
    # LLVM merges a sine and a cosine of one angle into this where it exists.
    for name in plain | {"sincos"}:
        try:
            address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
        except AttributeError:
            if name in plain:
                raise Unsupported(f"the mathematical library of this machine has no {name}") from None
            continue
        llvm.add_symbol(name, address)


def _module_text(program: Program, code: LlvmArithmetic) -> str:
    declarations = [
        f"declare double @{name}({', '.join(['double'] * count)})" for name, count in code.externals.items()
    ]
    largest = max((len(s.unknowns) for s in program.steps if isinstance(s, Solve)), default=0)
    # One scratch area serves all the solves, since each is over before the next begins.
    scratch = [f"%matrix = alloca double, i64 {largest**2}", f"%right = alloca double, i64 {largest}"]
    return "\n".join(
        [
            *declarations,
            f"declare void @{_SOLVER}(i64, ptr, ptr)",
            f"define void @{_ENTRY}(double %t, ptr noalias %x, ptr noalias %p, ptr noalias %out) {{",
            *(scratch if largest else []),
            *code.lines,
            "ret void",
            "}",
        ]
    )


def _write(program: Program) -> LlvmArithmetic:
    """The instructions of the program, from loading its inputs to storing its outputs."""
    code = LlvmArithmetic()
    known: dict[Expr, str] = {time: "%t"}
    for symbols, array in ((program.states, "%x"), (program.parameters, "%p")):
        known.update((s, _load(code, array, i)) for i, s in enumerate(symbols))
    for step in program.steps:
        if isinstance(step, Assign):
            known[step.target] = evaluate(step.value, code, known)
            continue
        size = len(step.unknowns)
        for i, entry in enumerate(entry for row in step.matrix for entry in row):
            _store(code, "%matrix", i, evaluate(entry, code, known))
        for i, entry in enumerate(step.right):
            _store(code, "%right", i, evaluate(entry, code, known))
        code.lines.append(f"call void @{_SOLVER}(i64 {size}, ptr %matrix, ptr %right)")
        known.update((u, _load(code, "%right", i)) for i, u in enumerate(step.unknowns))
    for i, output in enumerate(program.outputs):
        _store(code, "%out", i, evaluate(output, code, known))
    return code


def _load(code: LlvmArithmetic, array: str, index: int) -> str:
    place = code.emit(f"getelementptr double, ptr {array}, i64 {index}")
    return code.emit(f"load double, ptr {place}")


def _store(code: LlvmArithmetic, array: str, index: int, value: str) -> None:
    place = code.emit(f"getelementptr double, ptr {array}, i64 {index}")
    code.lines.append(f"store double {value}, ptr {place}")


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

        code, rows = compile_machine_code(program), len(program.outputs)

        def kernel(t: Array, x: Array, p: Array) -> Array:
            out = np.empty((rows, x.shape[1]))
            evaluate_columns(code.address, t, x, p, out)
            return out

        return kernel
