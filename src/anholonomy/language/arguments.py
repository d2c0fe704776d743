"""Arguments as users give them, read or refused: text, SymPy, SymEngine, numbers, names, lists.

Text, SymPy, SymEngine and plain numbers come in; SymEngine expressions go on. Text is parsed, never evaluated. SymPy is recognised
by its module so that it need not be imported for users who never touch it.

The functions that begin with *expect* return what they were given, or refuse it in a sentence: what the argument is, what stands
there, and what to give instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from numbers import Integral, Rational, Real
from typing import TYPE_CHECKING, Any

import symengine

from anholonomy.algebra.arithmetic import FUNCTIONS, function_name
from anholonomy.algebra.expressions import ATOMS, Expr, from_sympy, walked
from anholonomy.algebra.piecewise import corner_name, renewed
from anholonomy.base.errors import DeclarationError, Error, quoted
from anholonomy.language.functions import Unreal, check_walked
from anholonomy.language.limits import REMEMBERED
from anholonomy.language.parser import parse_equation, parse_expression

if TYPE_CHECKING:
    import sympy

__all__ = [
    "equation", "expect", "expect_callable", "expect_index", "expect_list", "expect_mapping", "expect_names",
    "expect_number", "expect_whole", "expression", "factor", "finite", "is_list", "name_of", "single", "value_of",
    "plain", "velocity",
]  # fmt: skip


def expression(
    value: object, what: str, functions: Sequence[str] = (), coordinates: Collection[str] | None = None
) -> Expr:
    """An expression from text, SymPy, SymEngine or a number; ``functions`` stay unspecified.

    In SymPy, ``x(t)`` is the coordinate x; with ``coordinates`` given, no other function of time is let in.
    """
    functions = expect_names(functions, "the functions")
    if functions and isinstance(value, str):
        return parse_expression(value, what=what, functions=functions)
    return _admit(value, what, parse_expression, coordinates)


def equation(value: object, what: str, coordinates: Collection[str] | None = None) -> Expr:
    """Left side minus right side, from text with ``=``, a SymPy ``Eq``, or an expression meant to vanish."""
    if _is_sympy(value) and getattr(value, "is_Equality", False):
        left, right = value.args  # type: ignore[attr-defined]
        return _from_sympy(left, what, coordinates) - _from_sympy(right, what, coordinates)
    return _admit(value, what, parse_equation, coordinates)


def _admit(value: object, what: str, parse: Callable[..., Expr], coordinates: Collection[str] | None) -> Expr:
    if isinstance(value, str):
        return parse(value, what=what)
    if isinstance(value, symengine.Basic):
        return _spoken(value, what)
    if _is_sympy(value):
        return _from_sympy(value, what, coordinates)
    if isinstance(value, Rational) and not isinstance(value, bool):
        return _spoken(symengine.Rational(int(value.numerator), int(value.denominator)), what)
    if isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value):
        return _decimal(float(value))
    raise DeclarationError(f"{what} is {quoted(value)}; give text, a SymPy expression or a number.")


def _from_sympy(value: Any, what: str, coordinates: Collection[str] | None) -> Expr:
    """A SymPy expression of the language, its derivatives those of coordinates by time."""
    import sympy
    from sympy.core.function import AppliedUndef

    if value in (sympy.true, sympy.false):
        raise DeclarationError(
            f"{what} is {value}, which SymPy made of an equation without unknowns; correct or drop it."
        )
    if not isinstance(value, sympy.Expr):
        shown = " ".join(str(value).split())
        raise DeclarationError(
            f"{what} is {shown:.80}; give one SymPy expression, or an equation `Eq` for a constraint."
        )
    derivatives = value.atoms(sympy.Derivative)
    if any(not isinstance(d.expr, AppliedUndef) for d in derivatives):
        value = value.doit()  # the derivative of a product, left unevaluated
        derivatives = value.atoms(sympy.Derivative)
    value = value.replace(_is_curve, lambda curve: curve.doit())
    for d in derivatives:
        if any(s.name != "t" for s in d.variables) or d.expr.args != d.variables[:1]:
            raise DeclarationError(f"{what} has {d}; only derivatives of coordinates such as x(t) by t are velocities.")
    for called in sorted(value.atoms(AppliedUndef), key=str):
        _refuse_function(called, what, coordinates)
    for function, by in (
        (sympy.cot, lambda a: sympy.cos(a) / sympy.sin(a)),
        (sympy.sec, lambda a: 1 / sympy.cos(a)),
        (sympy.csc, lambda a: 1 / sympy.sin(a)),
    ):
        value = value.replace(function, by)  # SymPy makes them of its own accord, from tan(x + pi/2)
    fine = {f: sympy.Rational(f) for f in value.atoms(sympy.Float) if f._prec > 53}  # beyond a double: exact
    try:
        translated = from_sympy(value.xreplace(fine))
    except (symengine.SympifyError, AttributeError, NotImplementedError, RuntimeError, TypeError, ValueError):
        foreign = next((node for node in sympy.preorder_traversal(value) if _is_foreign(node)), value)
        raise DeclarationError(
            f"{what} has {foreign!s:.80}, which is not part of the language; the functions are {', '.join(FUNCTIONS)}."
        ) from None
    return _spoken(translated, what)


def _is_curve(node: Any) -> bool:
    """Whether a SymPy function is written out on demand only, as the curves of its muscles are."""
    return (type(node).__module__ or "").startswith("sympy.physics.") and bool(node.is_Function)


def _is_foreign(node: Any) -> bool:
    """Whether a SymPy node is neither arithmetic nor a function."""
    return not (node.is_Atom or node.is_Add or node.is_Mul or node.is_Pow or node.is_Function) or node.is_Piecewise


def _refuse_function(called: Any, what: str, coordinates: Collection[str] | None) -> None:
    """A function nobody specified is a coordinate if it is one of time; else its values are missing."""
    name = called.func.__name__
    of_time = [str(argument) for argument in called.args] == ["t"]
    if of_time and (coordinates is None or name in coordinates):
        return
    if coordinates is not None and name in coordinates:
        raise DeclarationError(f"{what} has {called}; the coordinate {name} is a function of t, so write {name}(t).")
    raise DeclarationError(
        f"{what} has {called}, a function that nobody specified; write it out, or make {name} a parameter, as a symbol, "
        "if it is constant."
    )


def _spoken(value: Expr, what: str) -> Expr:
    """The expression, if the language has words for all of it and its constants are real.

    A float is the decimal it prints as, here as in a text, so that a file says the same as its system.
    """
    try:
        return _admitted(value)
    except _Foreign as problem:
        raise DeclarationError(f"{what} {problem}") from None


_KNOWN = ATOMS - {symengine.RealDouble} | {symengine.Add, symengine.Mul, symengine.Pow, symengine.sin, symengine.cos}
"""What most nodes are."""


class _Foreign(Exception):
    """What an expression has that does not belong, as the end of a sentence."""


@lru_cache(maxsize=1)
def _sound() -> list[dict[Expr, float | None]]:
    """Nodes without corners and floats that were admitted lately: entries of matrices and scenes share most of theirs."""
    return [{}]


@lru_cache(maxsize=1024)
def _admitted(value: Expr) -> Expr:
    lately = _sound()
    if len(lately[0]) > REMEMBERED:
        lately[0] = {}
    sound = lately[0]
    nodes = walked(value, known=sound)
    if is_special := any(_is_special(node) for node, _ in nodes):
        nodes, sound = walked(value), {}
    for node, _ in nodes:
        known = type(node) in _KNOWN or isinstance(node, symengine.Symbol | symengine.Number)
        if not (known or node in (symengine.pi, symengine.E) or function_name(node) in FUNCTIONS):
            raise _Foreign(f"has {node}, which is not part of the language; the functions are {', '.join(FUNCTIONS)}.")
    try:
        check_walked(nodes, sound)
    except Unreal as problem:
        raise _Foreign(f"is {value}: {problem}") from None
    if not is_special:
        return value
    # First the corners: SymEngine's own sign must not be inside when SymEngine substitutes.
    return renewed(value).xreplace(
        {node: _decimal(float(node)) for node, _ in nodes if isinstance(node, symengine.RealDouble)}
    )


def _is_special(node: Expr) -> bool:
    return type(node) not in _KNOWN and (isinstance(node, symengine.RealDouble) or corner_name(node) is not None)


def _decimal(value: float) -> Expr:
    exact = Fraction(repr(value))
    return symengine.Rational(exact.numerator, exact.denominator)


def single(value: Any) -> Any:
    """What an array of no dimension holds, as a sample of a motion is one; everything else as it is.

    >>> import numpy as np
    >>> single(np.array(2.0)), single(np.array([2.0])), single("pi/2")
    (2.0, array([2.]), 'pi/2')
    """
    return value.item() if getattr(value, "ndim", None) == 0 and callable(getattr(value, "item", None)) else value


def finite(value: object) -> float | None:
    """A finite number as a double; None for everything else, truth values and numbers beyond doubles among it.

    >>> finite(2), finite("2"), finite(True), finite(10**400)
    (2.0, None, None, None)
    """
    value = single(value)
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        return number if math.isfinite(number := float(value)) else None
    except OverflowError:
        return None


def value_of(value: object, what: str) -> float | None:
    """A parameter's value: a finite number, or None for a symbol that stays free."""
    value = single(value)
    if value is None:
        return None
    numeric = isinstance(value, Real) or (_is_sympy(value) and getattr(value, "is_real", False))
    if numeric and not isinstance(value, bool):
        try:
            if math.isfinite(result := float(value)):  # type: ignore[arg-type]
                return result
        except (OverflowError, TypeError):
            pass
    raise DeclarationError(
        f"{what} has the value {quoted(value)}; give a finite number, or None (in a file 'free') to leave it open."
    )


def name_of(thing: object, what: str) -> str:
    """A name from text, a symbol, or a SymPy ``dynamicsymbols`` function or its derivative by time."""
    if isinstance(thing, str):
        return thing
    if isinstance(thing, symengine.Symbol):
        return str(thing.name)
    if _is_sympy(thing):
        if getattr(thing, "is_Symbol", False):
            return str(thing.name)  # type: ignore[attr-defined]
        if getattr(thing, "is_Function", False):
            return str(thing.func.__name__)  # type: ignore[attr-defined]
        if getattr(thing, "is_Derivative", False) and set(thing.variables) == set(thing.expr.args):  # type: ignore[attr-defined]
            moving, primes = thing.expr, "'" * len(thing.variables)  # type: ignore[attr-defined]
            return f"{name_of(moving, what)}{primes}"
    raise DeclarationError(f"{what} is {thing!r}; give its name as text or as a symbol.")


def is_list(thing: object) -> bool:
    """Anything with a length and an order, SymPy's and NumPy's vectors included, but not a text or a dict.

    >>> is_list(("x", "y")), is_list("xy"), is_list({"x": 1})
    (True, False, False)
    """
    if isinstance(thing, str | bytes | Mapping) or not hasattr(thing, "__getitem__"):
        return False
    try:
        len(thing)  # type: ignore[arg-type]
    except TypeError:  # an array without dimensions
        return False
    return True


def velocity(coordinate: str | sympy.Symbol) -> sympy.Symbol:
    """The SymPy symbol that stands for the velocity of a coordinate.

    >>> velocity("x")
    x'
    """
    import sympy

    return sympy.Symbol(name_of(coordinate, "the coordinate") + "'")


def _is_sympy(value: Any) -> bool:
    # The class of an undefined function such as x(t) has no module of its own.
    return any((base.__module__ or "").startswith("sympy.") for base in type(value).__mro__)


# Arguments that must be of a kind.


def plain(given: Any) -> Any:
    """The plain data behind a noun, such as the model of a system; anything else as it is. Functions for authors take both."""
    return getattr(given, "model", given)


def expect(thing: object, what: str, *kinds: str) -> None:
    """Refuse what is of none of the kinds.

    Kinds are given by their names, so that classes which hold each other need not import each other; every class is abstract or
    final, and its name says which it is.

    >>> expect(3, "the metric", "Metric", "Tensor")
    Traceback (most recent call last):
    anholonomy.base.errors.DeclarationError: the metric is 3; give a Metric or Tensor.
    """
    if not any(base.__name__ in kinds for base in type(thing).__mro__):
        raise DeclarationError(f"{what} is {quoted(thing)}; give a {' or '.join(kinds)}.")


def expect_list(
    things: Any, what: str, give: str = "a list", *, verb: str = "are", refusal: type[Error] = DeclarationError
) -> Sequence[Any]:
    """The things, refused unless they are a list; ``give`` says which list is meant.

    >>> expect_list("xy", "the coordinates")
    Traceback (most recent call last):
    anholonomy.base.errors.DeclarationError: the coordinates are 'xy'; give a list.
    >>> expect_list(3, "skate: `span`", "a list of vectors", verb="is")
    Traceback (most recent call last):
    anholonomy.base.errors.DeclarationError: skate: `span` is 3; give a list of vectors.
    """
    if not is_list(things):
        raise refusal(f"{what} {verb} {quoted(things)}; give {give}.")
    return things  # type: ignore[no-any-return]


def expect_names(
    names: Any, what: str, give: str = "a list of names", *, verb: str = "are", refusal: type[Error] = DeclarationError
) -> tuple[str, ...]:
    """The names, refused unless they are a list of texts.

    >>> expect_names(["x", 1], "the functions")
    Traceback (most recent call last):
    anholonomy.base.errors.DeclarationError: the functions are ['x', 1]; give a list of names.
    """
    if not is_list(names) or not all(isinstance(name, str) for name in names):
        raise refusal(f"{what} {verb} {quoted(names)}; give {give}.")
    return tuple(names)


def expect_mapping(
    things: Any, what: str, give: str = "a dict", *, verb: str = "are", refusal: type[Error] = DeclarationError
) -> Mapping[Any, Any]:
    """The things, refused unless they are a dict; ``give`` says from what to what.

    >>> expect_mapping([1], "skate: `parameters`", "a dict from names to numbers", verb="is")
    Traceback (most recent call last):
    anholonomy.base.errors.DeclarationError: skate: `parameters` is [1]; give a dict from names to numbers.
    """
    if not isinstance(things, Mapping):
        raise refusal(f"{what} {verb} {quoted(things)}; give {give}.")
    return things


def expect_number(
    value: Any,
    what: str,
    give: str = "a finite number",
    *,
    above: float = -math.inf,
    refusal: type[Error] = DeclarationError,
) -> float:
    """A finite number as a double, refused unless it is greater than ``above``.

    >>> expect_number(0, "the period", "a positive number", above=0)
    Traceback (most recent call last):
    anholonomy.base.errors.DeclarationError: the period is 0; give a positive number.
    """
    number = finite(value)
    if number is None or not number > above:
        raise refusal(f"{what} is {quoted(value)}; give {give}.")
    return number


def expect_whole(
    value: Any, what: str, least: int, most: int | None = None, *, refusal: type[Error] = DeclarationError
) -> int:
    """A whole number, refused unless it lies between the bounds, both included.

    >>> expect_whole(2.0, "the degree", 0), expect_whole(3, "the degree", 0, 6)
    Traceback (most recent call last):
    anholonomy.base.errors.DeclarationError: the degree is 2.0; give a whole number from 0 on.
    """
    number = int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None
    if number is None or number < least or (most is not None and number > most):
        reach = "on" if most is None else f"to {most}"
        raise refusal(f"{what} is {quoted(value)}; give a whole number from {least} {reach}.")
    return number


def expect_callable(function: Callable[..., Any]) -> None:
    """Refuse what cannot be called."""
    if not callable(function):
        raise DeclarationError(
            f"{quoted(function)} is no function; give one of Python, such as `lambda value: 2*value`."
        )


def expect_index(index: Any, size: int, what: str) -> int:
    """A whole number from 0 to size - 1.

    >>> expect_index(2, 2, "the direction")
    Traceback (most recent call last):
    anholonomy.base.errors.DeclarationError: the direction is 2; give a whole number from 0 to 1.
    """
    return expect_whole(index, what, 0, size - 1)


def factor(value: Any, what: str) -> Any:
    """A function in front of a tensor or form: what is computed as it is, anything else read.

    >>> factor("2*x", "the factor")
    2*x
    """
    return value if isinstance(value, symengine.Basic | int) else expression(value, what)
