"""Arithmetic as the text of LLVM: one instruction an operation, on one number or on several side by side."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import final

import numpy as np

__all__ = ["SINCOS", "LlvmArithmetic"]

SINCOS = "anholonomy_sincos"
"""The function that returns sine and cosine of several angles."""

_INTRINSICS = {"sin", "cos", "exp", "log", "sqrt", "abs", "pow"}
_SPELLED = {"abs": "fabs"}


@final
@dataclass
class LlvmArithmetic:
    """Expressions as registers of LLVM, of one number or of several side by side; ``lines`` gains the instructions that fill them.

    >>> from anholonomy.symbolic.arithmetic import evaluate
    >>> from anholonomy.symbolic.expressions import symbol
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
