"""Programs as CUDA device functions.

What only parameters make is kept together, so that a compiler takes it out of the loop over steps, and sine and cosine of an angle are
one call.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import pi
from typing import NamedTuple, final

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.expressions import Expr, time
from anholonomy.algebra.steps.definitions import Assign, Solve
from anholonomy.base.errors import NotSupportedError
from anholonomy.programs.backends.c import c_solver
from anholonomy.programs.program import Program

__all__ = ["device_function", "solver"]


_LONG = 120
"""Letters from which on a text gets a name of its own, which bounds lines and nesting alike."""
_SPELLED = {"abs": "fabs"}
_NAME = re.compile(r"\w+(\[\d+\])?|R\([^()]*\)")


@final
class Text(NamedTuple):
    """A piece of code, and whether it is the same at every state."""

    code: str
    fixed: bool


@final
@dataclass
class KernelArithmetic:
    """Expressions as CUDA text; ``lines`` gains the definitions of what is used twice or too long to nest.

    >>> from anholonomy.algebra.arithmetic import evaluate
    >>> from anholonomy.algebra.expressions import symbol
    >>> x, a, b = symbol("x"), Text("P0", True), Text("P1", True)
    >>> code = KernelArithmetic()
    >>> evaluate(x * symbol("a") / symbol("b"), code, {x: Text("x[0]", False), symbol("a"): a, symbol("b"): b}).code
    '((P0 * (R(1.0) / P1)) * x[0])'
    """

    lines: list[str] = field(default_factory=list)
    _angles: dict[str, tuple[int, set[str]]] = field(default_factory=dict)
    _count: int = 0

    def fresh(self, letter: str) -> str:
        """A name nobody else has."""
        self._count += 1
        return f"{letter}{self._count - 1}"

    def named(self, value: Text) -> Text:
        """The value itself if it is a name or a number, otherwise a variable that has it."""
        if _NAME.fullmatch(value.code):
            return value
        variable = self.fresh("v")
        self.lines.append(f"const real {variable} = {value.code};")
        return Text(variable, value.fixed)

    def number(self, value: Fraction | float) -> Text:
        return Text(f"R({float(value)!r})", True)

    def pi(self) -> Text:
        return self.number(pi)

    def add(self, terms: Sequence[Text]) -> Text:
        return self._joined(" + ", terms)

    def multiply(self, factors: Sequence[Text]) -> Text:
        minus = self.number(-1.0)
        rest = [factor for factor in factors if factor != minus]
        if not rest:
            return self.number((-1.0) ** len(factors))
        product = self._joined(" * ", rest)
        return Text(f"(-{product.code})", product.fixed) if (len(factors) - len(rest)) % 2 else product

    def _joined(self, sign: str, parts: Sequence[Text]) -> Text:
        """Fixed parts first and in brackets of their own, so that a compiler takes them out of the loop over steps."""
        fixed, moving = ([part for part in parts if part.fixed is kind] for kind in (True, False))
        if fixed and moving:
            return self._chain(sign, [self._chain(sign, fixed), *moving])
        return self._chain(sign, [*fixed, *moving])

    def _chain(self, sign: str, parts: Sequence[Text]) -> Text:
        line = parts[0]
        for part in parts[1:]:
            left = self.named(Text(f"({line.code})", line.fixed)) if len(line.code) > _LONG else line
            line = Text(f"{left.code}{sign}{part.code}", left.fixed and part.fixed)
        if len(parts) == 1:
            return line
        whole = Text(f"({line.code})", line.fixed)
        return self.named(whole) if len(whole.code) > _LONG else whole

    def power(self, base: Text, exponent: int | Fraction) -> Text:
        exponent = Fraction(exponent)
        if exponent.denominator == 2:
            root = Text(f"{'rsqrt' if exponent < 0 else 'sqrt'}({base.code})", base.fixed)
            return self.power(root, abs(exponent.numerator))
        if exponent.denominator > 1 or abs(exponent) > 64:
            return Text(f"pow({base.code}, {self.number(exponent).code})", base.fixed)
        if exponent < 0:
            return Text(f"(R(1.0) / {self.power(base, -exponent).code})", base.fixed)
        return self._whole_power(base, int(exponent))

    def _whole_power(self, base: Text, exponent: int) -> Text:
        if exponent == 0:
            return self.number(1.0)
        if exponent == 1:
            return base
        square, factors = self.named(base), list[Text]()
        while exponent:
            if exponent & 1:
                factors.append(square)
            exponent >>= 1
            if exponent:
                square = self.named(Text(f"({square.code} * {square.code})", base.fixed))
        return self._chain(" * ", factors)

    def general_power(self, base: Text, exponent: Text) -> Text:
        return Text(f"pow({base.code}, {exponent.code})", base.fixed and exponent.fixed)

    def function(self, name: str, arguments: Sequence[Text]) -> Text:
        fixed = all(argument.fixed for argument in arguments)
        if name in ("sin", "cos"):
            return Text(self._of_angle(name, arguments[0]), fixed)
        if name == "sign":
            x = self.named(arguments[0]).code
            # Zero and NaN pass through unchanged.
            return self.named(Text(f"({x} > R(0.0) ? R(1.0) : ({x} < R(0.0) ? R(-1.0) : {x}))", fixed))
        if name == "if":
            u, a, b = (self.named(argument).code for argument in arguments)
            return self.named(Text(f"({u} > R(0.0) ? {a} : {b})", fixed))
        return Text(f"{_SPELLED.get(name, name)}({', '.join(argument.code for argument in arguments)})", fixed)

    def _of_angle(self, name: str, angle: Text) -> str:
        """The sine or cosine of an angle; where both are asked for, the line that defines them becomes one call."""
        of = self.named(angle).code
        if of not in self._angles:
            self._angles[of] = (len(self.lines), set())
            self.lines.append("")
        place, asked = self._angles[of]
        asked.add(name)
        tail = re.sub(r"\W", "_", of)
        if len(asked) == 2:
            self.lines[place] = f"real sin_{tail}, cos_{tail}; both({of}, &sin_{tail}, &cos_{tail});"
        else:
            self.lines[place] = f"const real {name}_{tail} = {name}({of});"
        return f"{name}_{tail}"


def device_function(program: Program, name: str, size: str, inline: bool = True) -> str:
    """``name(t, x, p, out)`` for a state ``x`` of one thread; ``P0 …`` are macros for the parameters.

    >>> from anholonomy.programs.program import lower
    >>> from anholonomy.algebra.expressions import symbol
    >>> x, v, k = (symbol(name) for name in "xvk")
    >>> print(device_function(lower([x, v], [k], [], [v, -k * x]), "rates", "N"))
    static __device__ __forceinline__ void rates(const real t, const real (&x)[N], const Parameters &p, real (&out)[N])
    {
        (void)t; (void)x; (void)p;
        out[0] = x[1];
        out[1] = (-(P0 * x[0]));
    }
    """
    code = KernelArithmetic()
    known: dict[Expr, Text] = {time: Text("t", False)}
    known |= {s: Text(f"x[{i}]", False) for i, s in enumerate(program.states)}
    known |= {s: Text(f"P{i}", True) for i, s in enumerate(program.parameters)}
    for step in program.steps:
        if isinstance(step, Assign):
            known[step.target] = code.named(evaluate(step.value, code, known))
        else:
            _solve(step, code, known)
    results = [evaluate(output, code, known).code for output in program.outputs]
    body = [*code.lines, *(f"out[{i}] = {text};" for i, text in enumerate(results))]
    kind = "__forceinline__" if inline else "__noinline__"
    head = f"static __device__ {kind} void {name}(const real t, const real (&x)[N], const Parameters &p, real (&out)[{size}])"
    return "\n".join([head, "{", "    (void)t; (void)x; (void)p;", *(f"    {line}" for line in body), "}"])


def _solve(step: Solve, code: KernelArithmetic, known: dict[Expr, Text]) -> None:
    if step.least:
        raise NotSupportedError(
            "a kernel does not solve linear systems that may be dependent; use redundant='drop', or device='cpu'."
        )
    matrix = ", ".join(evaluate(entry, code, known).code for row in step.matrix for entry in row)
    right = ", ".join(evaluate(entry, code, known).code for entry in step.right)
    a, b, size = code.fresh("a"), code.fresh("b"), len(step.unknowns)
    code.lines += [f"real {a}[{size * size}] = {{{matrix}}};", f"real {b}[{size}] = {{{right}}};"]
    code.lines.append(f"solve({size}, {a}, {b});")
    known.update((u, Text(f"{b}[{i}]", False)) for i, u in enumerate(step.unknowns))


def solver() -> str:
    """The elimination with partial pivoting that larger linear systems call."""
    text = c_solver("solve").replace("static void", "static __device__ __noinline__ void").replace("double", "real")
    return text.replace("(real)NAN", 'R(nan(""))').replace("0.0", "R(0.0)")
