"""Programs as C99: one function each, with neutral names, no allocation, no globals and math.h alone.

A `Solve` becomes a call of one LU solver with partial pivoting, which stands in the text as well, so that a state
where a fixed order of pivots would divide by zero is as good as any other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import pi
from typing import final

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.expressions import Expr, time
from anholonomy.algebra.steps.definitions import Assign, Solve
from anholonomy.programs.program import Program

__all__ = ["c_function", "c_solver"]

_LONG = 90
"""Letters from which on a text gets a name of its own, which bounds lines and nesting alike."""
_SPELLED = {"abs": "fabs"}


@final
@dataclass
class CArithmetic:
    """Expressions as C text; ``lines`` gains the definitions of what is used twice or too long to nest.

    >>> from anholonomy.algebra.expressions import symbol
    >>> x, y = symbol("x"), symbol("y")
    >>> code = CArithmetic()
    >>> evaluate((x * y) ** 2 / 3, code, {x: "x[0]", y: "x[1]"})
    '(0.3333333333333333 * (x[0] * x[0]) * (x[1] * x[1]))'
    >>> evaluate((x + 1) ** 2, code, {x: "x[0]"}), code.lines
    ('(v0 * v0)', ['const double v0 = (1.0 + x[0]);'])
    """

    lines: list[str] = field(default_factory=list)
    _count: int = 0

    def fresh(self, letter: str) -> str:
        """A name nobody else has."""
        self._count += 1
        return f"{letter}{self._count - 1}"

    def name(self, text: str) -> str:
        """A variable with that value."""
        variable = self.fresh("v")
        self.lines.append(f"const double {variable} = {text};")
        return variable

    def _short(self, text: str) -> str:
        return text if len(text) <= _LONG else self.name(text)

    def number(self, value: Fraction | float) -> str:
        # The shortest decimal that denotes the nearest double; C reads it back as that very double.
        text = repr(float(value))
        return f"({text})" if text.startswith("-") else text

    def pi(self) -> str:
        return self.number(pi)

    def add(self, terms: Sequence[str]) -> str:
        return self._chain(" + ", terms)

    def multiply(self, factors: Sequence[str]) -> str:
        minus, rest = self.number(-1.0), list(factors)
        if minus in rest and len(rest) > 1:
            rest.remove(minus)
            return f"(-{self._chain(' * ', rest)})"
        return self._chain(" * ", rest)

    def _chain(self, operation: str, parts: Sequence[str]) -> str:
        if len(parts) == 1:
            return parts[0]
        line = parts[0]
        for part in parts[1:]:
            # Sums of thousands of terms occur; each line holds a handful.
            line = f"{self.name(f'({line})') if len(line) > _LONG else line}{operation}{part}"
        return self._short(f"({line})")

    def power(self, base: str, exponent: int | Fraction) -> str:
        if exponent < 0:
            return f"(1.0 / {self.power(base, -exponent)})"
        if Fraction(exponent).denominator == 2:
            return self.power(f"sqrt({base})", Fraction(exponent).numerator)
        if Fraction(exponent).denominator > 1 or exponent > 64:
            return self._short(f"pow({base}, {self.number(float(exponent))})")
        if exponent == 1:
            return base
        square, left, factors = self.atom(base), int(exponent), []
        while left:
            if left & 1:
                factors.append(square)
            left >>= 1
            if left:
                square = f"({square} * {square})" if left == 1 else self.name(f"({square} * {square})")
        return self._chain(" * ", factors) if factors else self.number(1.0)

    def atom(self, text: str) -> str:
        """The text itself if it is a number or a variable, otherwise a variable with its value."""
        return text if re.fullmatch(r"[\w.]+(\[\d+\])?", text) else self.name(text)

    def general_power(self, base: str, exponent: str) -> str:
        return self._short(f"pow({base}, {exponent})")

    def function(self, name: str, arguments: Sequence[str]) -> str:
        if name == "sign":
            x = self.atom(arguments[0])
            # Zero and NaN pass through unchanged.
            return self.name(f"({x} > 0.0) ? 1.0 : (({x} < 0.0) ? -1.0 : {x})")
        if name == "if":
            u, a, b = map(self.atom, arguments)
            return self.name(f"({u} > 0.0) ? {a} : {b}")
        return self._short(f"{_SPELLED.get(name, name)}({', '.join(arguments)})")


def c_function(program: Program, name: str, solver: str, out: str = "out") -> str:
    """``void name(double t, const double *x, const double *p, double *out)``; ``solver`` is the name of `c_solver`'s.

    >>> from anholonomy.programs.program import lower
    >>> from anholonomy.algebra.expressions import symbol
    >>> x, v, k = (symbol(name) for name in "xvk")
    >>> print(c_function(lower([x, v], [k], [], [v, -k * x]), "spring", "solve"))
    void spring(double t, const double *x, const double *p, double *out)
    {
        (void)t; (void)x; (void)p;
        out[0] = x[1];
        out[1] = (-(p[0] * x[0]));
    }
    """
    code = CArithmetic()
    known: dict[Expr, str] = {time: "t"}
    for symbols, array in ((program.states, "x"), (program.parameters, "p")):
        known.update((s, f"{array}[{i}]") for i, s in enumerate(symbols))
    for step in program.steps:
        if isinstance(step, Assign):
            known[step.target] = code.atom(evaluate(step.value, code, known))
        else:
            _write_solve(step, code, known, solver)
    results = [evaluate(output, code, known) for output in program.outputs]
    body = [*code.lines, *(f"{out}[{i}] = {text};" for i, text in enumerate(results))]
    head = f"void {name}(double t, const double *x, const double *p, double *{out})"
    return "\n".join([head, "{", "    (void)t; (void)x; (void)p;", *(f"    {line}" for line in body), "}"])


def _write_solve(step: Solve, code: CArithmetic, known: dict[Expr, str], solver: str) -> None:
    matrix = [evaluate(entry, code, known) for row in step.matrix for entry in row]
    right = [evaluate(entry, code, known) for entry in step.right]
    a, b, size = code.fresh("a"), code.fresh("b"), len(step.unknowns)
    code.lines.append(f"double {a}[{size * size}] = {{{', '.join(matrix)}}};")
    code.lines.append(f"double {b}[{size}] = {{{', '.join(right)}}};")
    code.lines.append(f"{solver}({size}, {a}, {b});")
    known.update((u, f"{b}[{i}]") for i, u in enumerate(step.unknowns))


def c_solver(name: str) -> str:
    """A static function that replaces ``b`` by the solution of ``a z = b`` and ``a`` by its factors; NaN if singular."""
    return _SOLVER.replace("SOLVE", name)


_SOLVER = """static void SOLVE(int n, double *a, double *b)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) {
            if (fabs(a[i * n + k]) > fabs(a[best * n + k])) { best = i; }
        }
        if (best != k) {
            const double right = b[k];
            b[k] = b[best];
            b[best] = right;
            for (int j = k; j < n; j++) {
                const double entry = a[k * n + j];
                a[k * n + j] = a[best * n + j];
                a[best * n + j] = entry;
            }
        }
        if (!(fabs(a[k * n + k]) > 0.0)) {
            for (int i = 0; i < n; i++) { b[i] = (double)NAN; }
            return;
        }
        for (int i = k + 1; i < n; i++) {
            const double factor = a[i * n + k] / a[k * n + k];
            for (int j = k + 1; j < n; j++) { a[i * n + j] -= factor * a[k * n + j]; }
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) { b[k] -= a[k * n + j] * b[j]; }
        b[k] /= a[k * n + k];
    }
}"""
