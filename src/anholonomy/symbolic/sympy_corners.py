"""SymPy's ``sign``, ``Heaviside``, ``Max``, ``Min``, ``Piecewise`` and ``atan2`` as functions known by name only, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sympy

__all__ = ["with_sympy_corners", "without_sympy_corners"]


def with_sympy_corners(expression: sympy.Expr) -> sympy.Expr:
    """Functions called as the language does, as SymPy's own.

    >>> import sympy
    >>> x = sympy.Symbol("x")
    >>> with_sympy_corners(sympy.Function("if")(x, 1, 0))
    Piecewise((1, x > 0), (0, True))
    """
    import sympy

    own = {
        "sign": sympy.sign,
        "heaviside": sympy.Heaviside,
        "max": sympy.Max,
        "min": sympy.Min,
        "atan2": sympy.atan2,
        "if": lambda u, a, b: sympy.Piecewise((a, u > 0), (b, True)),
    }
    return expression.replace(lambda node: _name(node) in own, lambda node: own[_name(node)](*node.args))


def _name(node: Any) -> str:
    from sympy.core.function import AppliedUndef

    return str(node.func.__name__) if isinstance(node, AppliedUndef) else ""


def without_sympy_corners(expression: sympy.Expr) -> sympy.Expr:
    """SymPy's functions by the language's names; `ValueError` for a piece without a value or a strange condition.

    >>> import sympy
    >>> x = sympy.Symbol("x")
    >>> without_sympy_corners(sympy.Piecewise((1, x <= 2), (x, True)))
    if(x - 2, x, 1)
    """
    import sympy

    named = sympy.Function

    def step(u: Any, middle: Any) -> Any:
        return named("heaviside")(u) if middle == sympy.S.Half else named("if")(u, 1, named("if")(-u, 0, middle))

    def pieces(*cases: Any) -> Any:
        value: Any = sympy.nan
        for result, condition in reversed(cases):
            value = _chosen(condition, result, value)
        if value.has(sympy.nan):
            raise ValueError("a piece without a value")
        return value

    for function, by in (
        (sympy.sign, named("sign")),
        (sympy.atan2, named("atan2")),
        (sympy.Heaviside, step),
        (sympy.Max, named("max")),
        (sympy.Min, named("min")),
        (sympy.Piecewise, pieces),
    ):
        expression = expression.replace(function, by)
    return expression


def _chosen(condition: Any, a: Any, b: Any) -> Any:
    """``a`` where the condition holds, else ``b``, by strict comparisons with zero alone."""
    import sympy

    choose = sympy.Function("if")
    match condition:
        case sympy.logic.boolalg.BooleanTrue():
            return a
        case sympy.logic.boolalg.BooleanFalse():
            return b
        case sympy.StrictGreaterThan():
            return choose(condition.lhs - condition.rhs, a, b)
        case sympy.StrictLessThan():
            return choose(condition.rhs - condition.lhs, a, b)
        case sympy.GreaterThan():
            return choose(condition.rhs - condition.lhs, b, a)
        case sympy.LessThan():
            return choose(condition.lhs - condition.rhs, b, a)
        case sympy.Eq():
            return _chosen(sympy.Ge(*condition.args) & sympy.Le(*condition.args), a, b)
        case sympy.Ne():
            return _chosen(sympy.Eq(*condition.args), b, a)
        case sympy.Not():
            return _chosen(condition.args[0], b, a)
        case sympy.And():
            for part in reversed(condition.args):
                a = _chosen(part, a, b)
            return a
        case sympy.Or():
            for part in reversed(condition.args):
                b = _chosen(part, a, b)
            return b
    raise ValueError(f"the condition {condition} is no comparison")
