r"""Potentials of closed one-forms, and integrating factors of forms that are a function times a differential.

A potential is found one coordinate after the other,

.. math:: F \leftarrow F + \int \bigl(\theta_i - \partial_i F\bigr)\,dq^i .

Integrals that no table has are SymPy's; the result is checked by differentiation, so that a wrong one is never returned.

.. math:: \theta\wedge d\theta = 0, \quad \theta(V) = 1 \implies d\theta = \theta\wedge\beta, \quad \beta = i_V d\theta, \qquad
   d\beta = 0 \implies d\bigl(e^{\int\beta}\,\theta\bigr) = 0

With $V$ a coordinate direction this finds linear and separable factors. If $V$ is a symmetry of $\ker\theta$ then
$1/\theta(V)$ is a factor at once; translations, scalings, rotations and shears are tried. Several forms are tried row by row,
solved for every choice of dependent coordinates, which is how rows that are integrable only together come apart. A
function found may be used to eliminate a coordinate; then the rest is a smaller problem of the same kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice

import symengine

from anholonomy.algebra.arithmetic import function_name
from anholonomy.algebra.calculus import gradient, partial
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, from_sympy, to_sympy, zero
from anholonomy.algebra.linear_algebra.symbolic import determinant, independent_rows, inverse
from anholonomy.algebra.piecewise import corner_name, corners
from anholonomy.algebra.simplification.simplify import simplify, simplify_vector
from anholonomy.algebra.unknown_functions import unknown_functions
from anholonomy.algebra.zero_test import are_all_zero, is_zero
from anholonomy.geometry.frame import Frame

__all__ = ["by_table", "integrals_of_forms", "is_closed", "potential"]

MAX_OPERATIONS = 60
"""SymPy's integration may not come back from much longer integrands."""
_INTEGRALS: dict[str, Callable[[Expr], Expr]] = {
    "sin": lambda u: -symengine.cos(u),
    "cos": symengine.sin,
    "sign": symengine.Abs,
    "abs": lambda u: u * symengine.Abs(u) / 2,
}


def is_closed(q: Sequence[Symbol], form: Sequence[Expr]) -> bool:
    r"""Whether $\partial_i\theta_j = \partial_j\theta_i$ is proven.

    >>> x, y = symengine.symbols("x y")
    >>> is_closed([x, y], [y, x]), is_closed([x, y], [y, -x])
    (True, False)
    """
    return all(is_zero(partial(form[j], q[i]) - partial(form[i], q[j])) for i, j in combinations(range(len(q)), 2))


def potential(q: Sequence[Symbol], form: Sequence[Expr]) -> Expr | None:
    """A function with the form as its differential, or None if none was found.

    >>> x, y = symengine.symbols("x y")
    >>> potential([x, y], [2 * x * y, x**2 + symengine.cos(y)])
    x**2*y + sin(y)
    """
    F = zero
    for s, entry in zip(q, form, strict=True):
        rest = simplify(entry - partial(F, s))
        if rest == 0 or is_zero(rest):
            continue
        part = _antiderivative(rest, s)
        if part is None:
            return None
        F = F + part
    proven = are_all_zero(a - b for a, b in zip(gradient(F, q), form, strict=True))
    return simplify(F) if proven else None


def _antiderivative(f: Expr, s: Symbol) -> Expr | None:
    if s not in f.free_symbols:
        return f * s
    if (found := by_table(f, s)) is not None:
        return found
    if int(symengine.count_ops(f)) > MAX_OPERATIONS or unknown_functions(f):
        return None
    import sympy

    integrand = to_sympy(f)
    # Real symbols, or arctangents come back as logarithms of complex numbers.
    real = {a: sympy.Symbol(a.name, real=True) for a in integrand.free_symbols}
    try:
        found = sympy.integrate(integrand.xreplace(real), real[sympy.Symbol(s.name)], heurisch=False)
    except (NotImplementedError, ValueError, TypeError, RecursionError):
        return None
    if found.has(sympy.Integral, sympy.Piecewise, sympy.RootSum, sympy.I):
        return None
    try:
        return from_sympy(found)
    except (RuntimeError, TypeError, ValueError):
        return None


def by_table(f: Expr, s: Symbol) -> Expr | None:
    r"""Terms that are a constant times $s^n$, or sine, cosine, sign or modulus of $as+b$: what gravity and springs are made of.

    >>> x, a = symengine.symbols("x a")
    >>> by_table(a * symengine.sin(2 * x + a) + a * x, x)
    (1/2)*a*x**2 + (-1/2)*a*cos(a + 2*x)
    """
    expanded = symengine.expand(f)
    parts = [_of_term(term, s) for term in (expanded.args if expanded.is_Add else (expanded,))]
    return None if None in parts else symengine.Add(*parts)


def _of_term(term: Expr, s: Symbol) -> Expr | None:
    factors = term.args if term.is_Mul else (term,)
    moving = [factor for factor in factors if s in factor.free_symbols]
    constant = symengine.Mul(*(factor for factor in factors if s not in factor.free_symbols))
    if not moving:
        return constant * s
    (factor, *more) = moving
    if more:
        return None
    if factor == s:
        return constant * s**2 / 2
    if isinstance(factor, symengine.Pow) and factor.args[0] == s and isinstance(factor.args[1], symengine.Integer):
        return None if factor.args[1] == -1 else constant * s ** (factor.args[1] + 1) / (factor.args[1] + 1)
    if (name := function_name(factor)) in _INTEGRALS:
        rate = partial(factor.args[0], s)
        if rate != 0 and s not in rate.free_symbols:
            return constant * _INTEGRALS[name](factor.args[0]) / rate
    return None


MAX_CHOICES = 12
"""Ways to solve for other differentials that are tried."""


def integrals_of_forms(frame: Frame, forms_ni: Matrix) -> list[Expr]:
    """Functions whose differential is a combination of the forms, as many as were met.

    >>> x, y = symengine.symbols("x y")
    >>> integrals_of_forms(Frame(["x", "y"]), ((2 * x * y, x / x),))         # dy + 2 x y dx
    [y*exp(x**2)]
    """
    return _integrals(frame.coordinates, forms_ni)


def _integrals(q: Sequence[Symbol], forms: Matrix) -> list[Expr]:
    found: list[Expr] = []
    for rows in islice(_solved_forms(forms), MAX_CHOICES):
        for row in (*rows, *_mixtures(q, rows)):
            F = _integral(q, row)
            if F is not None and F not in found:
                found.append(F)
                if len(forms) > 1:
                    found += _on_level_sets(q, forms, F)
        if len(found) >= len(forms):
            break
    return found


def _solved_forms(forms: Matrix) -> Iterator[Matrix]:
    """The rows as they are, then solved for each choice of dependent coordinates that is possible."""
    yield forms
    width = len(forms[0]) if forms else 0
    for columns in combinations(range(width), len(forms)):
        block = [[row[j] for j in columns] for row in forms]
        if is_zero(determinant(block)):
            continue
        try:
            weights = inverse(block)
        except ZeroDivisionError:  # what a determinant too long for a proof left open
            continue
        columns_ni = tuple(zip(*forms, strict=True))
        yield tuple(simplify_vector(dot(w, column) for column in columns_ni) for w in weights)


def _mixtures(q: Sequence[Symbol], rows: Matrix) -> Iterator[Vector]:
    """Sums and differences of two rows, and what a rotation of two coordinates makes of them."""
    for one, two in combinations(rows, 2):
        weights: list[tuple[Expr, Expr]] = [(symengine.Integer(1), symengine.Integer(k)) for k in (1, -1)]
        for (i, a), (j, b) in combinations(enumerate(q), 2):
            if one[i] != 0 and two[j] != 0:
                weights.append((b, -a))
        for u, v in weights:
            yield tuple(u * x + v * y for x, y in zip(one, two, strict=True))


def _integral(q: Sequence[Symbol], form: Vector) -> Expr | None:
    """A function with a differential proportional to the form, or None."""
    if is_closed(q, form):
        return potential(q, form)
    if not _is_integrable(q, form):
        return None
    for factor in _factors(q, form):
        scaled = simplify_vector(factor * entry for entry in form)
        if is_closed(q, scaled):
            F = potential(q, scaled)
            if F is not None and not _jumps(F):
                return F
    return None


def _jumps(F: Expr) -> bool:
    """Whether a factor such as 1/sign(x) has torn a function apart: constant on either side, and on no leaf through both."""
    return any(corner_name(node) in ("sign", "heaviside", "if") for node in corners(F))


def _is_integrable(q: Sequence[Symbol], form: Vector) -> bool:
    r"""$\theta\wedge d\theta = 0$, without which no factor exists."""

    def d(i: int, j: int) -> Expr:
        return partial(form[j], q[i]) - partial(form[i], q[j])

    triples = combinations(range(len(q)), 3)
    return all(is_zero(form[i] * d(j, k) + form[j] * d(k, i) + form[k] * d(i, j)) for i, j, k in triples)


def _factors(q: Sequence[Symbol], form: Vector) -> Iterator[Expr]:
    present = [k for k, entry in enumerate(form) if entry != 0]
    for k in present:
        yield 1 / form[k]
    for k in present:
        normal = simplify_vector(entry / form[k] for entry in form)
        # theta(V) = 1 for V = d/dq^k, so beta_i = d_k theta_i - d_i theta_k = d_k theta_i.
        beta = tuple(partial(entry, q[k]) for entry in normal)
        if is_closed(q, beta):
            exponent = potential(q, beta)
            if exponent is not None:
                yield symengine.exp(exponent) / form[k]
    for V in _symmetries(q):
        pairing = simplify(dot(form, V))
        if pairing != 0 and not is_zero(pairing):
            yield 1 / pairing


def _symmetries(q: Sequence[Symbol]) -> Iterator[Vector]:
    """Scalings, rotations, hyperbolic rotations and shears, as candidates."""
    n = range(len(q))
    yield tuple(q)
    for i in n:
        yield tuple(q[k] if k == i else zero for k in n)
    for i, j in combinations(n, 2):
        for a, b in ((q[i], q[j]), (q[i], -q[j]), (-q[j], q[i]), (q[j], q[i]), (q[j], zero), (zero, q[i])):
            yield tuple(a if k == i else b if k == j else zero for k in n)
        for p in (2, 3):
            yield tuple(q[i] if k == i else p * q[j] if k == j else zero for k in n)
            yield tuple(p * q[i] if k == i else q[j] if k == j else zero for k in n)


def _on_level_sets(q: Sequence[Symbol], forms: Matrix, F: Expr) -> list[Expr]:
    """Where F = const gives a coordinate in terms of the others, the remaining forms have one coordinate less."""
    for k, s in enumerate(q):
        slope = partial(F, s)
        if slope == 0 or s in slope.free_symbols or is_zero(slope):
            continue
        level = symengine.Symbol("_level")
        value = (level - F.xreplace({s: zero})) / slope
        rest = [x for x in q if x != s]
        restricted = []
        for form in forms:
            here = [entry.xreplace({s: value}) for entry in form]
            pulled = gradient(value, rest)
            others = [entry for i, entry in enumerate(here) if i != k]
            restricted.append(simplify_vector(a + here[k] * b for a, b in zip(others, pulled, strict=True)))
        kept = tuple(restricted[k] for k in independent_rows(restricted))
        if len(kept) >= len(forms):
            return []
        return [G.xreplace({level: F}) for G in _integrals(rest, kept)] if kept else []
    return []
