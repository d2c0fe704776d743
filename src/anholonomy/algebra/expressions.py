"""Expressions as SymEngine trees, small vectors and matrices of them, and their translation from and to SymPy.

A velocity is a symbol; time is the symbol ``t``. SymPy appears only at the door: `from_sympy` takes what users hand in, `to_sympy`
gives them back what they know. SymPy is imported inside those functions because it costs a third of a second.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import symengine

if TYPE_CHECKING:
    import sympy

__all__ = [
    "ATOMS", "Expr", "Matrix", "Symbol", "Vector", "as_expression", "dot", "free_symbols", "from_sympy", "identity",
    "is_naught", "matrix_product", "matrix_vector", "nodes_of", "number", "replaced", "symbol", "time", "to_sympy",
    "unused", "walked", "zero",
]  # fmt: skip


Expr: TypeAlias = Any
"""A SymEngine expression (the library ships no type information)."""
Symbol: TypeAlias = Any
Vector: TypeAlias = tuple[Expr, ...]
Matrix: TypeAlias = tuple[Vector, ...]
"""Rows of expressions; immutable and hashable, unlike SymEngine's matrices."""

symbol = symengine.Symbol
time: Symbol = symengine.Symbol("t")
zero: Expr = symengine.Integer(0)
_NAUGHT = type(zero)
ATOMS = frozenset(map(type, map(symengine.sympify, ("x", "0", "1", "-1", "2", "1/2", "2/3", 0.5))))
"""What SymEngine makes of symbols and numbers: asking these for arguments is idle."""


def number(value: int | float) -> Expr:
    """A number as an exact expression where it is exact: 0.5 stays a float, 2 is an integer."""
    return symengine.Integer(value) if isinstance(value, int) else symengine.RealDouble(value)


def as_expression(value: Expr) -> Expr:
    """A number or expression as an expression; text is refused, because SymEngine would evaluate it.

    >>> as_expression(2) / 3
    2/3
    """
    if isinstance(value, str):
        raise TypeError("text is parsed by the language, never evaluated")
    return symengine.sympify(value)


def unused(name: str, taken: Callable[[str], bool]) -> Symbol:
    """A symbol of that name, with underscores added until nobody else has it."""
    while taken(name):
        name += "_"
    return symbol(name)


def is_naught(value: Expr) -> bool:
    """Whether a value is written as 0; SymEngine's own comparison with a number of Python takes fifty times as long.

    >>> x = symbol("x")
    >>> is_naught(x - x), is_naught(0), is_naught(x)
    (True, True, False)
    """
    kind = type(value)
    return kind is _NAUGHT or (kind is int and value == 0)


def free_symbols(expressions: Iterable[Expr]) -> set[Symbol]:
    """All symbols that occur in any of the expressions."""
    found: set[Symbol] = set()
    for expression in expressions:
        found |= expression.free_symbols
    return found


def nodes_of(expression: Expr, *kinds: type) -> list[Expr]:
    """The nodes of some kinds, each once however often it occurs: SymEngine's ``atoms`` goes through them as often as they are written.

    >>> x = symbol("x")
    >>> nodes_of(symengine.sin(x) + x * symengine.sin(x), symengine.sin)
    [sin(x)]
    """
    return [node for node, _ in walked(expression) if isinstance(node, kinds)]


def walked(*expressions: Expr, known: Container[Expr] = ()) -> list[tuple[Expr, Sequence[Expr]]]:
    """Every node once, with its arguments, which come before it; those that are ``known`` already are left out.

    >>> x = symbol("x")
    >>> walked(symengine.sin(2 * x))
    [(2, ()), (x, ()), (2*x, (2, x)), (sin(2*x), (2*x,))]
    """
    seen: set[Expr] = set()
    found: list[tuple[Expr, Sequence[Expr]]] = []
    waiting: list[tuple[Expr, Sequence[Expr] | None]] = [(expression, None) for expression in reversed(expressions)]
    while waiting:
        node, arguments = waiting.pop()
        if arguments is None:
            if node in seen or node in known:
                continue
            if type(node) in ATOMS:
                seen.add(node)
                found.append((node, ()))
                continue
            arguments = node.args
            waiting.append((node, arguments))
            waiting += [(argument, None) for argument in reversed(arguments) if argument not in seen]
        elif node not in seen:
            seen.add(node)
            found.append((node, arguments))
    return found


def replaced(expression: Expr, values: Mapping[Symbol, Expr]) -> Expr:
    """The expression with its symbols replaced; of a long table only what occurs is read, where SymEngine would read it all."""
    return expression.xreplace({s: values[s] for s in expression.free_symbols if s in values})


def dot(left: Sequence[Expr], right: Sequence[Expr]) -> Expr:
    r"""$\sum_i a_i b_i$, skipping structural zeros."""
    return symengine.Add(*(a * b for a, b in zip(left, right, strict=True) if not (is_naught(a) or is_naught(b))))


def identity(size: int) -> Matrix:
    """The unit matrix."""
    return tuple(tuple(symengine.Integer(int(i == j)) for j in range(size)) for i in range(size))


def matrix_vector(matrix: Sequence[Sequence[Expr]], vector: Sequence[Expr]) -> Vector:
    r"""$(A v)_i = \sum_j A_{ij} v_j$."""
    return tuple(dot(row, vector) for row in matrix)


def matrix_product(left: Matrix, right: Matrix) -> Matrix:
    """$AB$."""
    columns = tuple(zip(*right, strict=True))
    return tuple(tuple(dot(row, column) for column in columns) for row in left)


def to_sympy(expression: Expr) -> sympy.Expr:
    """The same expression in SymPy, symbol names kept."""
    import sympy

    if not hasattr(expression, "_sympy_"):
        return sympy.Float(expression)
    return _with_sympy_corners(sympy.S(expression._sympy_()))


def from_sympy(expression: sympy.Expr, names: Mapping[sympy.Basic, str] | None = None) -> Expr:
    """Translate a SymPy expression; ``names`` maps SymPy atoms (say ``x(t)``) to our names.

    ``Derivative(x(t), t)`` becomes the symbol ``x'`` and ``x(t)`` the symbol ``x``, so models written
    with ``dynamicsymbols`` come in unchanged.

    >>> import sympy
    >>> from sympy.physics.mechanics import dynamicsymbols
    >>> x = dynamicsymbols("x")
    >>> str(from_sympy(x.diff() ** 2 + x))
    "x + x'**2"
    """
    import sympy
    from sympy.core.function import AppliedUndef

    # Highest derivatives first: x'' contains x' contains x(t).
    rename: dict[sympy.Basic, sympy.Symbol] = {}
    moving = [atom for atom in expression.atoms(AppliedUndef) if len(atom.args) == 1]
    for derivative in expression.atoms(sympy.Derivative):
        order = int(sum(count for _, count in derivative.variable_count))
        rename[derivative] = sympy.Symbol(derivative.expr.func.__name__ + "'" * order)
    for atom in moving:
        rename[atom] = sympy.Symbol(atom.func.__name__)
    for atom, name in (names or {}).items():
        rename[atom] = sympy.Symbol(name)
    ordered = sorted(rename.items(), key=lambda item: -item[0].count_ops())
    for atom, name in ordered:
        expression = expression.xreplace({atom: name})
    # Assumptions (positive=True, …) make SymPy symbols of one name differ; names are all we keep.
    plain = {s: sympy.Symbol(s.name) for s in expression.free_symbols}
    return as_expression(_without_sympy_corners(expression.xreplace(plain)))


# SymPy's ``sign``, ``Heaviside``, ``Max``, ``Min``, ``Piecewise`` and ``atan2`` as functions known by name only, and back.


def _with_sympy_corners(expression: sympy.Expr) -> sympy.Expr:
    """Functions called as the language does, as SymPy's own.

    >>> import sympy
    >>> x = sympy.Symbol("x")
    >>> _with_sympy_corners(sympy.Function("if")(x, 1, 0))
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


def _without_sympy_corners(expression: sympy.Expr) -> sympy.Expr:
    """SymPy's functions by the language's names; `ValueError` for a piece without a value or a strange condition.

    >>> import sympy
    >>> x = sympy.Symbol("x")
    >>> _without_sympy_corners(sympy.Piecewise((1, x <= 2), (x, True)))
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
