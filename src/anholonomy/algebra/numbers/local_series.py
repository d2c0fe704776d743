r"""Truncated power series about a point in several variables, exact where their coefficients are rational and balls elsewhere.

.. math:: f(x_0 + h) = \sum_{|\alpha| \le n} f_\alpha h^\alpha, \qquad f_\alpha \in \mathbb{Q}\ \text{or a ball}

A rational coefficient is exact: zero is zero, and 1e-30 is not. A function that jumps or kinks where its argument is exactly zero has
no series there; each side of it has one, which is chosen by a sign for the linear part of the argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, TypeAlias, final

import flint
import symengine

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.expressions import Expr
from anholonomy.algebra.numbers.balls import ball, excludes_zero
from anholonomy.algebra.steps.definitions import Assign, Step

__all__ = [
    "Coefficient", "LocalArithmetic", "LocalSeries", "NoSeries", "SwitchHere", "is_certain", "is_zero", "rational",
    "ball_of", "run_local", "sign_of", "with_moduli",
]  # fmt: skip

Coefficient: TypeAlias = Any
"""A rational number of FLINT, which is exact, or a ball."""
Monomial: TypeAlias = tuple[int, ...]
Direction: TypeAlias = tuple[tuple[int, str], ...]

_ZERO, _ONE = flint.fmpq(0), flint.fmpq(1)


class NoSeries(ArithmeticError):
    """A function has no power series at the point, or it is not known whether it has."""


@final
class SwitchHere(NoSeries):
    """A switching function vanishes at the point; ``direction`` is its linear part up to a factor, None without one."""

    def __init__(self, direction: Direction | None, name: str) -> None:
        super().__init__(name)
        self.direction, self.name = direction, name


def rational(value: Fraction | int) -> Coefficient:
    """Return an exact coefficient."""
    return flint.fmpq(value.numerator, value.denominator)


def is_zero(value: Coefficient) -> bool:
    """True if a coefficient is exactly zero."""
    return isinstance(value, flint.fmpq) and value == 0


def is_certain(value: Coefficient) -> bool:
    """True if a coefficient is proven different from zero."""
    return value != 0 if isinstance(value, flint.fmpq) else excludes_zero(value)


def sign_of(value: Coefficient) -> int | None:
    """Return the sign of a coefficient, or None if it is not decided."""
    if isinstance(value, flint.fmpq):
        return (value > 0) - (value < 0)
    return None if not excludes_zero(value) else 1 if value > 0 else -1


@final
class LocalSeries:
    """Coefficients by monomials, each the sorted places of its variables; what is not there is exactly zero."""

    __slots__ = ("parts",)

    def __init__(self, parts: Mapping[Monomial, Coefficient]) -> None:
        self.parts = {m: c for m, c in parts.items() if not is_zero(c)}

    @property
    def constant(self) -> Coefficient:
        """The value at the point."""
        return self.parts.get((), _ZERO)

    def coefficient(self, *monomial: int) -> Coefficient:
        """The coefficient of a monomial."""
        return self.parts.get(tuple(sorted(monomial)), _ZERO)

    def moved(self) -> LocalSeries:
        """The series without its constant."""
        return LocalSeries({m: c for m, c in self.parts.items() if m})


_FUNCTIONS: Final = (
    *("sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "sqrt", "erf"),
    *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
)


def _by_exponentials(x: Any) -> dict[str, Callable[[], Any]]:
    """Functions that FLINT's series lack."""
    return {
        "sinh": lambda: (x.exp() - (-x).exp()) / 2,
        "cosh": lambda: (x.exp() + (-x).exp()) / 2,
        "tanh": lambda: 1 - 2 / ((2 * x).exp() + 1),
        "asinh": lambda: (x + (x * x + 1).sqrt()).log(),
        "acosh": lambda: (x + (x * x - 1).sqrt()).log(),
        "atanh": lambda: ((1 + x) / (1 - x)).log() / 2,
        "acos": lambda: flint.arb_series([flint.arb.pi() / 2]) - x.asin(),
    }


@final
class LocalArithmetic:
    """Every node of an expression as a series to ``degree``; ``signs`` chooses sides of switches by their directions.

    With ``values_only`` a switch that is zero has the value of the language there, which serves values and no derivatives.
    ``met`` collects the directions of the switches that were on the way.
    """

    def __init__(self, degree: int, signs: Mapping[Direction, int] | None = None, *, values_only: bool = False) -> None:
        self.degree, self.values_only = degree, values_only
        self.signs = signs or {}
        self.met: dict[Direction, LocalSeries] = {}

    def number(self, value: Fraction | float) -> LocalSeries:
        return LocalSeries({(): rational(Fraction(value))})

    def pi(self) -> LocalSeries:
        return LocalSeries({(): flint.arb.pi()})

    def variable(self, value: Coefficient, place: int | None = None) -> LocalSeries:
        """A number, or one that varies."""
        return LocalSeries({(): value} | ({(place,): _ONE} if place is not None else {}))

    def add(self, terms: Sequence[LocalSeries]) -> LocalSeries:
        total: dict[Monomial, Coefficient] = {}
        for term in terms:
            for m, c in term.parts.items():
                total[m] = total[m] + c if m in total else c
        return LocalSeries(total)

    def times(self, a: LocalSeries, b: LocalSeries) -> LocalSeries:
        """The product of two."""
        total: dict[Monomial, Coefficient] = {}
        for m, c in a.parts.items():
            for n, d in b.parts.items():
                if len(m) + len(n) <= self.degree:
                    both = tuple(sorted(m + n)) if m and n else m or n
                    value = c * d
                    total[both] = total[both] + value if both in total else value
        return LocalSeries(total)

    def scaled(self, a: LocalSeries, factor: Coefficient) -> LocalSeries:
        """A multiple of a series."""
        return LocalSeries({m: c * factor for m, c in a.parts.items()} if not is_zero(factor) else {})

    def multiply(self, factors: Sequence[LocalSeries]) -> LocalSeries:
        result = factors[0]
        for factor in factors[1:]:
            result = self.times(result, factor)
        return result

    def power(self, base: LocalSeries, exponent: int | Fraction) -> LocalSeries:
        fraction = Fraction(exponent)
        if fraction.denominator == 1 and fraction >= 0:
            return self._whole(base, int(fraction))
        if self.values_only and fraction > 0 and is_zero(base.constant):
            return LocalSeries({})
        if not is_certain(base.constant):
            raise SwitchHere(None, "a pole or a root") if is_zero(base.constant) else NoSeries("a pole or a root")
        if fraction.denominator == 1:
            return self._whole(self.inverse(base), -int(fraction))
        first = _exact_power(base.constant, fraction)
        if first is None:
            value = ball_of(base.constant)
            if not value > 0:
                raise NoSeries("a root of a negative number")
            first = (value.log() * ball(fraction)).exp()
        factors, c = [first], first
        for k in range(self.degree):
            c = c * rational((fraction - k) / (k + 1)) / base.constant
            factors.append(c)
        return self._composed(factors, base.moved())

    def _whole(self, base: LocalSeries, exponent: int) -> LocalSeries:
        if exponent > self.degree and is_zero(base.constant):
            return LocalSeries({})
        result, square = LocalSeries({(): _ONE}), base
        while exponent:
            if exponent % 2:
                result = self.times(result, square)
            exponent //= 2
            if exponent:
                square = self.times(square, square)
        return result

    def inverse(self, a: LocalSeries) -> LocalSeries:
        """The reciprocal of a series whose constant is not zero."""
        if not is_certain(a.constant):
            raise SwitchHere(None, "a pole") if is_zero(a.constant) else NoSeries("a pole")
        c = 1 / a.constant
        factors = [c]
        for _ in range(self.degree):
            factors.append(-factors[-1] * c)
        return self._composed(factors, a.moved())

    def general_power(self, base: LocalSeries, exponent: LocalSeries) -> LocalSeries:
        if not exponent.moved().parts and isinstance(exponent.constant, flint.fmpq):
            return self.power(base, Fraction(int(exponent.constant.p), int(exponent.constant.q)))
        return self.function("exp", [self.times(exponent, self.function("log", [base]))])

    def function(self, name: str, arguments: Sequence[LocalSeries]) -> LocalSeries:
        match name:
            case "if":
                s = self._sign(arguments[0], name)
                return arguments[1] if s > 0 else arguments[2]
            case "sign":
                return LocalSeries({(): rational(self._sign(arguments[0], name))})
            case "abs":
                return self.scaled(arguments[0], rational(self._sign(arguments[0], name)))
            case "atan2":
                return self._angle(*arguments)
        (u,) = arguments
        if name not in _FUNCTIONS:
            raise NoSeries(name)
        return self._composed(self._taylor(name, u.constant), u.moved())

    def _sign(self, u: LocalSeries, name: str) -> int:
        s = sign_of(u.constant)
        if s is None:
            raise NoSeries(f"{name} of what may be zero")
        if s or self.values_only:
            return s
        linear = {m[0]: c for m, c in u.parts.items() if len(m) == 1}
        if not linear or not all(isinstance(c, flint.fmpq) for c in linear.values()):
            raise SwitchHere(None, name)
        lead = linear[min(linear)]
        direction = tuple((k, str(c / lead)) for k, c in sorted(linear.items()))
        self.met[direction] = LocalSeries({(k,): c / lead for k, c in linear.items()})
        if direction not in self.signs:
            raise SwitchHere(direction, name)
        return self.signs[direction] * (1 if lead > 0 else -1)

    def _angle(self, y: LocalSeries, x: LocalSeries) -> LocalSeries:
        right, up = sign_of(x.constant), sign_of(y.constant)
        if right == 1:
            return self.function("atan", [self.times(y, self.inverse(x))])
        if up in (1, -1):
            half = LocalSeries({(): flint.arb.pi() / 2 * up})
            turned = self.function("atan", [self.times(x, self.inverse(y))])
            return self.add([half, self.scaled(turned, rational(-1))])
        raise SwitchHere(None, "atan2")

    def _taylor(self, name: str, at: Coefficient) -> list[Coefficient]:
        before, flint.ctx.cap = flint.ctx.cap, self.degree + 1
        try:
            if isinstance(at, flint.fmpq):
                x = flint.fmpq_series([at, 1])
                try:
                    if name != "sqrt":
                        return _padded(getattr(x, name)(), self.degree + 1, _ZERO)
                except (ValueError, AttributeError, ZeroDivisionError):
                    pass
            if name == "sqrt":
                root = self.power(self.variable(at, 0), Fraction(1, 2))
                return [root.coefficient(*([0] * k)) for k in range(self.degree + 1)]
            y = flint.arb_series([ball_of(at), 1])
            special = _by_exponentials(y).get(name)
            found = _padded(special() if special else getattr(y, name)(), self.degree + 1, flint.arb(0))
        finally:
            flint.ctx.cap = before
        if not all(c.is_finite() for c in found):
            raise NoSeries(name)
        return found

    def _composed(self, factors: Sequence[Coefficient], h: LocalSeries) -> LocalSeries:
        """By Horner's rule."""
        result = LocalSeries({(): factors[-1]})
        for c in reversed(factors[:-1]):
            result = self.times(result, h)
            result = self.add([result, LocalSeries({(): c})])
        return result


def ball_of(value: Coefficient) -> flint.arb:
    """Return a ball that contains a coefficient."""
    return flint.arb(value) if isinstance(value, flint.fmpq) else value


def _padded(series: Any, count: int, nothing: Coefficient) -> list[Coefficient]:
    found = list(series.coeffs())[:count]
    return [*found, *(nothing for _ in range(count - len(found)))]


def _exact_power(value: Coefficient, exponent: Fraction) -> Coefficient | None:
    """Return a rational power of a rational number if it is rational."""
    if not isinstance(value, flint.fmpq) or value <= 0:
        return None
    roots = []
    for part in (value.p, value.q):
        root = flint.fmpz(part).root(exponent.denominator)
        if root**exponent.denominator != part:
            return None
        roots.append(root)
    base = flint.fmpq(roots[0], roots[1])
    return base**exponent.numerator if exponent.numerator >= 0 else 1 / base**-exponent.numerator


def with_moduli(expression: Expr) -> Expr:
    r"""Write roots of squares as moduli, $\sqrt{u^2 v} = |u|\sqrt v$.

    >>> x, y = symengine.symbols("x y")
    >>> with_moduli(1 + symengine.sqrt(x**2)), with_moduli(symengine.sqrt(1 + x**2))
    (1 + abs(x), sqrt(1 + x**2))
    """
    changed: dict[Expr, Expr] = {}
    for node in expression.atoms(symengine.Pow):
        base, exponent = node.args
        if not isinstance(exponent, symengine.Rational) or isinstance(exponent, symengine.Integer):
            continue
        result = symengine.Integer(1)
        for factor in base.args if isinstance(base, symengine.Mul) else (base,):
            inner, power = factor.args if isinstance(factor, symengine.Pow) else (factor, symengine.Integer(1))
            even = isinstance(power, symengine.Integer) and int(power) % 2 == 0
            result *= symengine.Abs(inner) ** (power * exponent) if even else factor**exponent
        if result != node:
            changed[node] = result
    return expression.xreplace(changed) if changed else expression


def run_local(
    steps: Iterable[Step], values: Mapping[Expr, LocalSeries], do: LocalArithmetic
) -> dict[Expr, LocalSeries]:
    """Return everything that the steps define, with ``values``; `NoSeries` if something has no series there."""
    known: dict[Expr, LocalSeries] = dict(values)
    for step in steps:
        if isinstance(step, Assign):
            known[step.target] = evaluate(with_moduli(step.value), do, known)
            continue
        if step.least:
            raise NoSeries("dependent equations")
        matrix = [[evaluate(with_moduli(entry), do, known) for entry in row] for row in step.matrix]
        right = [evaluate(with_moduli(entry), do, known) for entry in step.right]
        known |= dict(zip(step.unknowns, _solved(matrix, right, do), strict=True))
    return known


def _solved(matrix: list[list[LocalSeries]], right: list[LocalSeries], do: LocalArithmetic) -> list[LocalSeries]:
    """Gauss and Jordan, with the pivots that are largest at the point."""
    rows = [[*row, b] for row, b in zip(matrix, right, strict=True)]
    for column in range(len(rows)):
        best = max(range(column, len(rows)), key=lambda i: _size(rows[i][column].constant))
        if not is_certain(rows[best][column].constant):
            raise NoSeries("a matrix that may be singular")
        rows[column], rows[best] = rows[best], rows[column]
        inverse = do.inverse(rows[column][column])
        rows[column] = [do.times(inverse, entry) for entry in rows[column]]
        for i, row in enumerate(rows):
            factor = row[column]
            if i != column and factor.parts:
                minus = do.scaled(factor, rational(-1))
                rows[i] = [do.add([a, do.times(minus, b)]) for a, b in zip(row, rows[column], strict=True)]
    return [row[-1] for row in rows]


def _size(value: Coefficient) -> float:
    if isinstance(value, flint.fmpq):
        return abs(float(Fraction(int(value.p), int(value.q))))
    return float(abs(value).lower()) if excludes_zero(value) else 0.0
