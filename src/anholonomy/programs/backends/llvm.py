"""Programs as LLVM text and machine code: one instruction an operation, straight down the steps.

First the arithmetic, whose numbers are registers; then the text of a program, for one member of a batch or for several side by side;
then the machine code, made of the text by llvmlite, and the backend. SymEngine's own LLVM visitor is not used: it has no notion of
steps, so it would either write shared subexpressions out again or flatten the products that made them shared. A `Solve` becomes a call
of one LU solver with partial pivoting. Of a batch, several members go side by side once so many were asked for that the compilation of
code for them pays.
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

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.expressions import Expr, time
from anholonomy.algebra.steps.definitions import Assign, Solve
from anholonomy.programs.backends.base import AbstractBackend, Array, Kernel, Unsupported
from anholonomy.programs.program import Program

__all__ = ["LlvmBackend"]


SINCOS = "anholonomy_sincos"
"""The function that returns sine and cosine of several angles."""

_INTRINSICS = {"sin", "cos", "exp", "log", "sqrt", "abs", "pow"}
_SPELLED = {"abs": "fabs"}


@final
@dataclass
class LlvmArithmetic:
    """Expressions as registers of LLVM, of one number or of several side by side; ``lines`` gains the instructions that fill them.

    >>> from anholonomy.algebra.arithmetic import evaluate
    >>> from anholonomy.algebra.expressions import symbol
    >>> x = symbol("x")
    >>> code = LlvmArithmetic()
    >>> evaluate(x**2, code, {x: "%x"})
    '%v0'
    >>> code.lines
    ['%v0 = fmul double %x, %x']
    """

    lanes: int = 1
    lines: list[str] = field(default_factory=list)
    externals: dict[str, str] = field(default_factory=dict)
    """Functions from outside with their types."""
    fused: bool = False
    """Whether a product may be added without being rounded first, and sine and cosine of one angle are computed together, side by side."""
    _count: int = 0
    _angles: dict[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """The type of a value."""
        return "double" if self.lanes == 1 else f"<{self.lanes} x double>"

    def emit(self, instruction: str) -> str:
        register = f"%v{self._count}"
        self._count += 1
        self.lines.append(f"{register} = {instruction}")
        return register

    def number(self, value: Fraction | float) -> str:
        # LLVM reads a double exactly only as its bits.
        bits = "0x" + struct.pack(">d", float(value)).hex().upper()
        return bits if self.lanes == 1 else f"<{', '.join([f'double {bits}'] * self.lanes)}>"

    def pi(self) -> str:
        return self.number(float(np.pi))

    def add(self, terms: Sequence[str]) -> str:
        return self._chain("fadd", terms)

    def multiply(self, factors: Sequence[str]) -> str:
        minus = self.number(-1.0)
        if minus in factors and len(factors) > 1:
            rest = list(factors)
            rest.remove(minus)
            return self.emit(f"fneg {self.kind} {self._chain('fmul', rest)}")
        return self._chain("fmul", factors)

    def _chain(self, operation: str, values: Sequence[str]) -> str:
        return self.emit_chain(f"{operation} contract" if self.fused else operation, values)

    def emit_chain(self, operation: str, values: Sequence[str]) -> str:
        """One operation after the other."""
        result = values[0]
        for value in values[1:]:
            result = self.emit(f"{operation} {self.kind} {result}, {value}")
        return result

    def power(self, base: str, exponent: int | Fraction) -> str:
        if exponent < 0:
            return self.emit(f"fdiv {self.kind} {self.number(1.0)}, {self.power(base, -exponent)}")
        if Fraction(exponent).denominator == 2:
            return self.power(self.function("sqrt", [base]), Fraction(exponent).numerator)
        if Fraction(exponent).denominator > 1 or exponent > 64:
            return self.function("pow", [base, self.number(float(exponent))])
        result, square, left = "", base, int(exponent)
        while left:
            if left & 1:
                result = self._chain("fmul", [result, square]) if result else square
            left >>= 1
            if left:
                square = self._chain("fmul", [square, square])
        return result or self.number(1.0)

    def general_power(self, base: str, exponent: str) -> str:
        return self.function("pow", [base, exponent])

    def function(self, name: str, arguments: Sequence[str]) -> str:
        if name == "sign":
            return self._sign(*arguments)
        if name == "if":
            return self._if(*arguments)
        if self.fused and name in ("sin", "cos"):
            return self._sine_and_cosine(*arguments)[name == "cos"]
        spelled = _SPELLED.get(name, name)
        if name in _INTRINSICS:
            return self._call(f"llvm.{spelled}.{'' if self.lanes == 1 else f'v{self.lanes}'}f64", self.kind, arguments)
        if self.lanes == 1:
            return self._call(spelled, "double", arguments)
        each = [[self.lane(a, k) for a in arguments] for k in range(self.lanes)]
        return self.joined([self._call(spelled, "double", lane) for lane in each])

    def _sine_and_cosine(self, angle: str) -> tuple[str, str]:
        """Both by one call of `SINCOS`, which the module that this text becomes part of must define."""
        pair = f"{{{self.kind}, {self.kind}}}"
        if angle not in self._angles:
            self._angles[angle] = self.emit(f"call {pair} @{SINCOS}({self.kind} {angle})")
        both = self._angles[angle]
        return self.emit(f"extractvalue {pair} {both}, 0"), self.emit(f"extractvalue {pair} {both}, 1")

    def _call(self, callee: str, kind: str, arguments: Sequence[str]) -> str:
        self.externals[callee] = f"{kind} @{callee}({', '.join([kind] * len(arguments))})"
        return self.emit(f"call {kind} @{callee}({', '.join(f'{kind} {a}' for a in arguments)})")

    def lane(self, value: str, index: int) -> str:
        """One of the numbers of a value."""
        return self.emit(f"extractelement {self.kind} {value}, i64 {index}")

    def joined(self, lanes: Sequence[str]) -> str:
        """Numbers as one value."""
        value = "undef"
        for k, each in enumerate(lanes):
            value = self.emit(f"insertelement {self.kind} {value}, double {each}, i64 {k}")
        return value

    def _choose(self, comparison: str, u: str, a: str, b: str) -> str:
        truth = "i1" if self.lanes == 1 else f"<{self.lanes} x i1>"
        holds = self.emit(f"fcmp {comparison} {self.kind} {u}, {self.number(0.0)}")
        return self.emit(f"select {truth} {holds}, {self.kind} {a}, {self.kind} {b}")

    def _if(self, u: str, a: str, b: str) -> str:
        return self._choose("ogt", u, a, b)

    def _sign(self, x: str) -> str:
        unit = self.function("copysign", [self.number(1.0), x])
        # "one": ordered and not equal, so that zero and NaN pass through unchanged.
        return self._choose("one", x, unit, x)


# The text of a program: for one member of a batch, or for several side by side in a loop over all.


LANES = 4
"""Members of a batch that go side by side: as many doubles as the registers of a common processor hold."""
SOLVER = "anholonomy_solve_in_place"

_BATCH = "i64 %begin, i64 %end, ptr %t, i64 %t.step, ptr noalias %x, i64 %x.row, ptr %p, i64 %p.row, i64 %p.step, ptr noalias %out"


def single_text(program: Program) -> tuple[LlvmArithmetic, str]:
    """``void program(double t, double *x, double *p, double *out)``, and the functions it needs from outside."""
    code = LlvmArithmetic()
    _write(program, code, "%t")
    arguments = "double %t, ptr noalias %x, ptr noalias %p, ptr noalias %out"
    return code, _module(program, code, arguments, [*code.lines, "ret void"])


def batch_text(program: Program) -> tuple[LlvmArithmetic, str]:
    """The same for the members from ``begin`` up to ``end``: rows of an array hold one value of each, ``row`` apart.

    With ``step`` 0 all members find time or parameters at the same place.
    """
    code = LlvmArithmetic(LANES)
    time_now = code.emit(f"load {code.kind}, ptr {code.emit('getelementptr double, ptr %t, i64 %t.column')}, align 8")
    _write(program, code, time_now)
    loop = [
        "br label %loop",
        "loop:",
        "%column = phi i64 [%begin, %start], [%next, %loop]",
        "%t.column = mul i64 %column, %t.step",
        "%p.column = mul i64 %column, %p.step",
        *code.lines,
        f"%next = add i64 %column, {LANES}",
        "%more = icmp slt i64 %next, %end",
        "br i1 %more, label %loop, label %done",
        "done:",
        "ret void",
    ]
    return code, _module(program, code, _BATCH, loop)


def written(program: Program, code: LlvmArithmetic, row: int) -> list[str]:
    """The body of ``void f(ptr t, ptr x, ptr p, ptr out)`` for members side by side whose values lie in rows of that many numbers."""
    now = code.emit(f"load {code.kind}, ptr %t, align 64")
    _write(program, code, now, row)
    return [*_scratch(program), *code.lines, "ret void"]


def _scratch(program: Program) -> list[str]:
    """One scratch area serves all the solves, since each is over before the next begins."""
    largest = max((len(s.unknowns) for s in program.steps if isinstance(s, Solve)), default=0)
    areas = [f"%matrix = alloca double, i64 {largest**2}", f"%right = alloca double, i64 {largest}"]
    return areas if largest else []


def _module(program: Program, code: LlvmArithmetic, arguments: str, body: Sequence[str]) -> str:
    return "\n".join(
        [
            *(f"declare {kind}" for kind in code.externals.values()),
            f"declare void @{SOLVER}(i64, ptr, ptr)",
            f"define void @program({arguments}) {{",
            "start:",
            *_scratch(program),
            *body,
            "}",
        ]
    )


def _write(program: Program, code: LlvmArithmetic, now: str, row: int | None = None) -> None:
    """The instructions of the program, from loading its inputs to storing its outputs; a ``row`` is as long as that, or found at run time."""
    known: dict[Expr, str] = {time: now}
    for symbols, array in ((program.states, "%x"), (program.parameters, "%p")):
        known.update((s, _load(code, _place(code, array, i, row))) for i, s in enumerate(symbols))
    for step in program.steps:
        if isinstance(step, Assign):
            known[step.target] = evaluate(step.value, code, known)
        else:
            values = [evaluate(source, code, known) for source in step.sources]
            known.update(zip(step.unknowns, _solved(code, len(step.unknowns), values), strict=True))
    for i, output in enumerate(program.outputs):
        value = evaluate(output, code, known)
        code.lines.append(f"store {code.kind} {value}, ptr {_place(code, '%out', i, row)}, align 8")


def _place(code: LlvmArithmetic, array: str, index: int, known: int | None = None) -> str:
    """Where a value is, or those of the members that go together."""
    if code.lanes == 1 or known is not None:
        return code.emit(f"getelementptr double, ptr {array}, i64 {index * (known or 1)}")
    row, column = ("%p.row", "%p.column") if array == "%p" else ("%x.row", "%column")
    beginning = code.emit(f"mul i64 {row}, {index}")
    return code.emit(f"getelementptr double, ptr {array}, i64 {code.emit(f'add i64 {beginning}, {column}')}")


def _load(code: LlvmArithmetic, place: str) -> str:
    return code.emit(f"load {code.kind}, ptr {place}, align 8")


def _solved(code: LlvmArithmetic, size: int, values: Sequence[str]) -> list[str]:
    """The unknowns of a linear system, one member after the other."""
    members = [values] if code.lanes == 1 else [[code.lane(v, k) for v in values] for k in range(code.lanes)]
    found = []
    for member in members:
        for i, value in enumerate(member):
            array, index = ("%matrix", i) if i < size**2 else ("%right", i - size**2)
            place = code.emit(f"getelementptr double, ptr {array}, i64 {index}")
            code.lines.append(f"store double {value}, ptr {place}")
        code.lines.append(f"call void @{SOLVER}(i64 {size}, ptr %matrix, ptr %right)")
        places = [code.emit(f"getelementptr double, ptr %right, i64 {i}") for i in range(size)]
        found.append([code.emit(f"load double, ptr {place}") for place in places])
    return found[0] if code.lanes == 1 else [code.joined(each) for each in zip(*found, strict=True)]


# Machine code: the text compiled, and found by its address.


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
        from anholonomy.programs.backends.llvm_runtime import solve_in_place

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

    >>> from anholonomy.programs.program import lower
    >>> from anholonomy.algebra.expressions import symbol
    >>> x, v, k = (symbol(name) for name in "xvk")
    >>> f = LlvmBackend().compile(lower([x, v], [k], [], [v, -k * x]))
    >>> f(0.0, [1.0, 2.0], [9.0])
    array([ 2., -9.])
    """

    name = "llvm"
    handles_solves = True

    def _compile(self, program: Program) -> Kernel:
        from anholonomy.programs.backends.llvm_runtime import evaluate_columns

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
