r"""Functions that nobody specified in a Lagrangian: those for which the answer is another than in general.

.. math:: \varrho = \sum_\alpha \varrho_\alpha[V]\,u^\alpha = 0 \ \ \forall u \iff \varrho_\alpha[V] = 0 \ \ \forall\alpha

The equation that fails is a polynomial in the speeds, whose coefficients are differential equations for the functions: every
function with another answer satisfies them. Which arguments a function may keep is asked of the same system with fewer of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, islice, product
from typing import final

import symengine

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, symbol, unused, zero
from anholonomy.algebra.linear_algebra.symbolic import nullspace
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.algebra.normal_forms.ring import Polynomial
from anholonomy.algebra.simplification.simplify import simplify_vector
from anholonomy.algebra.unknown_functions import unknown_functions
from anholonomy.base.deadlines import ASIDE, check
from anholonomy.base.errors import NotSupportedError
from anholonomy.base.verdict import Verdict
from anholonomy.findings import CarriesFinding, Finding, Reason
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.language.answers import Part, Readable, Row
from anholonomy.language.writing import to_text
from anholonomy.system.declaration.unspecified_functions import with_functions
from anholonomy.system.model import Model
from anholonomy.vakonomic.comparison.multiplier_equations import Prolongation

__all__ = ["FunctionSolution", "fewer_arguments", "requirements", "solutions"]

Decide = Callable[[Model], Prolongation]
_ARGUMENTS = 5
"""Arguments of a function up to which all choices of fewer are tried."""
_BRANCHES = 8
"""Products of factors that are gone through, one factor of each."""
_DEGREE, _GENERATORS = 2, 8
"""Of polynomials that are tried, and of functions that they are made of."""
_JETS = 4
"""Derivatives of a function that a decision may read."""


def requirements(failing: Expr, speeds: Sequence[Symbol]) -> Vector:
    """What must vanish for every function with another answer: the coefficients of the speeds, without what no function is in.

    >>> V, (x, y, u) = symengine.Function("V"), symengine.symbols("x y u")
    >>> requirements(x * V(x, y).diff(y) * u**2 + V(x, y).diff(x) * u, [u])
    (Derivative(V(x, y), y), Derivative(V(x, y), x))
    """
    try:
        forms = Canonical([failing])
        numerator = forms.quotient(failing).num
    except NoNormalForm:
        return (failing,)
    places = [k for k, g in enumerate(forms.ring.meaning) if g in set(speeds)]
    parts: dict[tuple[int, ...], dict[tuple[int, ...], object]] = {}
    for exponents, coefficient in numerator.to_dict().items():
        power = tuple(int(exponents[k]) for k in places)
        rest = tuple(0 if k in places else e for k, e in enumerate(exponents))
        parts.setdefault(power, {})[rest] = coefficient
    found = (_essential(forms, forms.ring.context.from_dict(parts[power])) for power in sorted(parts, reverse=True))
    return tuple(dict.fromkeys(found))


def _essential(forms: Canonical, polynomial: Polynomial) -> Expr:
    """The product of the factors with a function in them; 1 where there is none, so that nothing can make it vanish."""
    kept = [forms.ring.expanded(f) for f, _ in polynomial.factor()[1]]
    return symengine.Mul(*(f for f in kept if unknown_functions(f)))


def fewer_arguments(model: Model, holds: Callable[[Model], bool]) -> Iterator[Expr]:
    """The largest choices of arguments such that every function of them alone has the other answer; of a single function."""
    if len(model.functions) != 1 or len(model.functions[0].args) > _ARGUMENTS:
        return
    (call,) = model.functions
    found: list[set[Symbol]] = []
    for count in range(len(call.args) - 1, 0, -1):
        for some in combinations(call.args, count):
            check()
            if any(set(some) <= larger for larger in found):
                continue
            shorter = symengine.Function(call.get_name())(*some)
            if holds(model.replaced(lagrangian=model.lagrangian.xreplace({call: shorter}), functions=(shorter,))):
                found.append(set(some))
                yield shorter


# All functions with the other answer, as far as their differential equations are elementary.
#
# .. math:: a^k_i(q)\,\partial_iV = 0 \ \Rightarrow\ V = F(I_1, \dots, I_r), \qquad a^k(I_s) = 0
#
# Equations of first order are vector fields, and a solution is any function of what these leave constant. That it does is proven for all $F$ at once:
# the decision reads finitely many derivatives of $F$ at a point, and a polynomial with free coefficients has any. Other linear equations
# are solved among polynomials in the coordinates, and in sines and cosines of angles, with coefficients to be found.


def solutions(model: Model, requirements: Vector, known: Sequence[Expr], decide: Decide) -> Iterator[FunctionSolution]:
    """Solutions of the requirements on a model's single function; those with arguments that are ``known`` are left out."""
    if len(model.functions) != 1 or any(not unknown_functions(each) for each in requirements):
        return
    (call,) = model.functions
    met: list[set[Expr]] = [set(each.args) for each in known]
    for branch in islice(_branches(requirements), _BRANCHES):
        check()
        for found in (_by_integrals(model, call, branch, decide), _among_polynomials(model, call, branch, decide)):
            if found is None:
                continue
            own = set(found.value.args) if not found.among else set[Expr]()
            if found.among and any(_is_function_of(found.value, model, args) for args in met):
                continue
            if not found.among and any(own <= larger for larger in met):
                break
            met.append(own or {found.value})
            yield found
            break


@final
@dataclass(frozen=True, repr=False)
class FunctionSolution(CarriesFinding, Readable):
    """Functions for which every motion is vakonomic.

    Attributes
    ----------
    value
        What the function is: a call of arbitrary functions of some arguments, or an expression with free coefficients.
    finding
        That the answer is yes for all of these, with its evidence.
    among
        The class that was searched; empty where the value is arbitrary in its arguments.
    """

    value: Expr
    finding: Finding
    among: str = ""

    def as_rows(self) -> Iterable[Part]:
        among = f", the only ones among {self.among}" if self.among else ""
        yield Row("for ", "" if self.among else "every ", self.value, f" they are{among}")


def _branches(requirements: Vector) -> Iterator[Vector]:
    """One factor of each requirement, those that determine most first."""
    choices = []
    for each in requirements:
        forms = Canonical([each])
        written = [forms.ring.expanded(f) for f, _ in forms.quotient(each).num.factor()[1]]
        choices.append([f for f in written if unknown_functions(f)] or [each])
    seen = set()
    for some in product(*choices):
        branch = tuple(dict.fromkeys(some))
        if frozenset(branch) not in seen:
            seen.add(frozenset(branch))
            yield branch


def _field(equation: Expr, call: Expr) -> Vector | None:
    r"""The coefficients $a_i$ of an equation $a_i\,\partial_iV = 0$; None where it is another."""
    slopes = {partial(call, q): symbol(f"_V{i}") for i, q in enumerate(call.args)}
    plain = equation.xreplace(slopes)
    if unknown_functions(plain) or plain.xreplace(dict.fromkeys(slopes.values(), zero)) != 0:
        return None
    row = tuple(partial(plain, s) for s in slopes.values())
    return None if any(not e.free_symbols.isdisjoint(slopes.values()) for e in row) else row


def _by_integrals(model: Model, call: Expr, branch: Vector, decide: Decide) -> FunctionSolution | None:
    """An arbitrary function of what the equations of first order leave constant, where it satisfies the others too."""
    fields = [row for row in (_field(each, call) for each in branch) if row is not None]
    if not fields:
        return None
    try:
        integrals = Distribution.from_vectors(fields, [q.name for q in call.args]).leaves(ASIDE).functions
    except NotSupportedError:
        return None
    if not integrals:
        return None
    value, used = _general(model, integrals)
    found = decide(_with(model, call, value, used))
    if not found.verdict(None) or found.order + 1 > _JETS:
        return None
    whole = symengine.Function(call.get_name())(*integrals)
    why = (
        f"the equations close after {found.order} derivatives for a polynomial of degree {_JETS} with free coefficients"
    )
    return FunctionSolution(
        whole, Finding(f"every motion is vakonomic for {to_text(whole)}", Verdict.PROVEN, (Reason(why),))
    )


def _general(model: Model, arguments: Sequence[Expr]) -> tuple[Expr, list[Symbol]]:
    """A polynomial in some functions with free coefficients: any derivatives up to the highest that is read."""
    names = _names(model)
    terms = [symengine.Mul(*some) for n in range(1, _JETS + 1) for some in combinations_with_replacement(arguments, n)]
    used = [next(names) for _ in terms]
    return symengine.Add(*(c * term for c, term in zip(used, terms, strict=True))), used


def _among_polynomials(model: Model, call: Expr, branch: Vector, decide: Decide) -> FunctionSolution | None:
    """The polynomials that satisfy linear equations, with what is left of their coefficients free."""
    generators, words = _generators(model, call)
    if not 0 < len(generators) <= _GENERATORS:
        return None
    terms = [
        symengine.Mul(*some) for n in range(1, _DEGREE + 1) for some in combinations_with_replacement(generators, n)
    ]
    terms = [t for t in dict.fromkeys(terms) if not any(t == symengine.sin(q) ** 2 for q in call.args)]
    names = _names(model)
    c = [next(names) for _ in terms]
    trial = symengine.Add(*(a * term for a, term in zip(c, terms, strict=True)))
    rows: list[Vector] = []
    try:
        for equation in branch:
            rows += _coefficients(equation.xreplace({call: trial}), c, call.args)
    except (NoNormalForm, ValueError):
        return None
    basis = nullspace(tuple(rows)) if rows else ()
    if not basis:
        return None
    kept = c[: len(basis)]
    shapes = simplify_vector(symengine.Add(*(e * t for e, t in zip(row, terms, strict=True))) for row in basis)
    value = symengine.Add(*(a * shape for a, shape in zip(kept, shapes, strict=True)))
    found = decide(_with(model, call, value, kept))
    if not found.verdict(None):
        return None
    why = Reason(f"the equations close after {found.order} derivatives")
    claim = f"every motion is vakonomic for {call.get_name()} = {to_text(value)}"
    return FunctionSolution(
        value, Finding(claim, Verdict.PROVEN, (why,)), f"polynomials of degree {_DEGREE} in {words}"
    )


def _generators(model: Model, call: Expr) -> tuple[list[Expr], str]:
    """Coordinates, and of angles their sines and cosines."""
    kinds = dict(zip(model.coordinates, model.coordinate_kinds, strict=True))
    found: list[Expr] = []
    for q in call.args:
        found += [symengine.cos(q), symengine.sin(q)] if kinds.get(q) == "angle" else [q]
    return found, ", ".join(map(to_text, found))


def _coefficients(expression: Expr, c: Sequence[Symbol], moving: Sequence[Symbol]) -> Matrix:
    """Rows of what must vanish for an expression, linear in ``c``, to vanish at all values of ``moving``."""
    forms = Canonical([expression])
    numerator = forms.quotient(expression).num
    meaning = list(forms.ring.meaning)
    places = {k: c.index(g) for k, g in enumerate(meaning) if g in c}
    outer = [k for k, g in enumerate(meaning) if k not in places and not g.free_symbols.isdisjoint(moving)]
    rows: dict[tuple[int, ...], dict[int, Expr]] = {}
    for exponents, number in numerator.to_dict().items():
        (which,) = [places[k] for k in places for _ in range(int(exponents[k]))]
        power = tuple(int(exponents[k]) for k in outer)
        rest = {tuple(0 if k in outer or k in places else e for k, e in enumerate(exponents)): number}
        row = rows.setdefault(power, {})
        row[which] = row.get(which, zero) + forms.ring.expanded(forms.ring.context.from_dict(rest))
    return tuple(tuple(row.get(i, zero) for i, _ in enumerate(c)) for row in rows.values())


def _is_function_of(value: Expr, model: Model, arguments: set[Expr]) -> bool:
    """Whether an expression has only symbols that known solutions are arbitrary in."""
    own = value.free_symbols & set(model.coordinates)
    return bool(own <= arguments)


def _names(model: Model) -> Iterator[Symbol]:
    """Names of coefficients, c1, c2, …, that a model does not have."""
    taken = set(model.names)
    k = 0
    while True:
        k += 1
        yield unused(f"c{k}", taken.__contains__)


def _with(model: Model, call: Expr, value: Expr, free: Sequence[Symbol]) -> Model:
    """The model with its function written out, the coefficients being parameters."""
    items = (*model.parameter_items, *((s.name, None) for s in free))
    given: Mapping[str, Expr] = {call.get_name(): value}
    return with_functions(model.replaced(parameter_items=items), given)
