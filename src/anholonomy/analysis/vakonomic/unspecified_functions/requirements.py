r"""Functions that nobody specified: which of them keep the answer.

.. math:: \varrho = \sum_\alpha \varrho_\alpha[V]\,u^\alpha = 0 \ \ \forall u \iff \varrho_\alpha[V] = 0 \ \ \forall\alpha

The equation that fails is a polynomial in the speeds, whose coefficients are differential equations for the functions: every
function with another answer satisfies them. Which arguments a function may keep is asked of the same system with fewer of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import symengine

from anholonomy.symbolic.arithmetic import unknown_functions
from anholonomy.symbolic.expressions import Expr, Symbol, Vector
from anholonomy.symbolic.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.symbolic.normal_forms.quotients import Polynomial
from anholonomy.symbolic.patience import check
from anholonomy.system.model import Model

__all__ = ["fewer_arguments", "requirements"]

_ARGUMENTS = 5
"""Arguments of a function up to which all choices of fewer are tried."""


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
            if holds(model.with_words(lagrangian=model.lagrangian.xreplace({call: shorter}), functions=(shorter,))):
                found.append(set(some))
                yield shorter
