r"""A Lie group in coordinates, possibly redundant, with its frame of left-invariant fields; and groups side by side.

.. math::
   \dot g = g\,\xi, \qquad \dot q^i = E_a{}^i(q)\,w^a, \qquad [E_a, E_b] = c_{ab}{}^d E_d

with $\xi = w^aE_a$ the body velocity. The coordinates may be more than the dimension (a unit quaternion, the entries of a
matrix); then the group is where the invariants vanish, and nothing needs to invert the anchor. The same motion seen from
space has the velocity $\eta = \dot g g^{-1} = \mathrm{Ad}_g\xi$, and of a free motion the momentum $\mathrm{Ad}^*_{g^{-1}}p$ is
constant. In a direct product coordinates, speeds and structure stand side by side, $c = c_1 \oplus c_2$.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, TypeAlias, final

import numpy as np
import symengine
from numpy.typing import NDArray

from anholonomy.algebra.calculus import gradient
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, matrix_vector, symbol, zero
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import DeclarationError, StateError, quoted
from anholonomy.base.notebook import Shown
from anholonomy.base.tolerances import CLEAR, EXACT
from anholonomy.geometry.algebras.lie_algebra import LieAlgebra
from anholonomy.geometry.frame import Frame
from anholonomy.language import check_name

__all__ = ["AbstractGroup", "Array", "Product", "prefixed", "refuse_large", "titled"]

Array: TypeAlias = NDArray[np.float64]
LARGEST = 128
"""The largest dimension of a group."""


class AbstractGroup(Shown, abc.ABC):
    """One group. A new one is one new file with its algebra, its anchor and its operations on numbers."""

    examples: ClassVar[tuple[str, ...]]
    """Texts that name such groups: what a refusal proposes, a table shows and the laws are tried on."""
    elements: ClassVar[str] = ""
    """What its elements are, as words before the list of coordinates; its name, where nothing is said."""
    motion: ClassVar[str] = "velocities along its basis"
    """What its speeds mean; empty where they are the velocities of its coordinates."""
    name: str
    """The name in texts and files, such as ``SO3``; with a prefix of its symbols, ``SO3:ball_``."""
    algebra: LieAlgebra
    coordinates: tuple[Symbol, ...]
    speeds: tuple[Symbol, ...]
    """The body velocities $w^a$, one for each direction of the algebra."""

    def _details(self) -> Iterable[tuple[str, str]]:
        listed = (", ".join(map(str, each)) for each in (self.coordinates, self.speeds))
        return zip(("coordinates", "speeds", "algebra"), (*listed, str(self.algebra)), strict=True)

    @property
    def turning(self) -> tuple[Symbol, ...]:
        r"""The coordinates that are angles: with $2\pi$ more in one of them the element is the same."""
        return ()

    @final
    def __eq__(self, other: object) -> bool:
        """Groups are one if they read as one: a name says all of a group, its symbols included."""
        return type(self) is type(other) and self.name == other.name

    @final
    def __hash__(self) -> int:
        return hash((type(self), self.name))

    @classmethod
    def read(cls, name: str, prefix: str, inside: str | None) -> AbstractGroup | None:
        """The group that ``name:prefix(inside)`` means, None where that is another kind's; by default, the class's own name."""
        make: Callable[[str], AbstractGroup] = cls
        return make(prefix) if name == cls.__name__ and inside is None else None

    @property
    @abc.abstractmethod
    def anchor_ai(self) -> Matrix:
        """The left-invariant fields, a row each, in the coordinates."""

    @property
    @abc.abstractmethod
    def invariants(self) -> Mapping[str, Expr]:
        """By label, functions of redundant coordinates that vanish on the group."""

    @abc.abstractmethod
    def signs(self, g: Array) -> Mapping[str, float]:
        """By label, what is positive wherever a path in the group leads to ``g`` from the identity; at most 1 in size."""

    @property
    @abc.abstractmethod
    def named(self) -> Mapping[str, Expr]:
        """Names that a user may write for functions on the group, such as the entries of a rotation matrix."""

    @property
    @abc.abstractmethod
    def identity(self) -> Array:
        """The coordinates of the neutral element."""

    @abc.abstractmethod
    def _multiply(self, g: Array, h: Array) -> Array:
        """The coordinates of $g h$."""

    @abc.abstractmethod
    def _inverse(self, g: Array) -> Array:
        """The coordinates of $g^{-1}$."""

    @abc.abstractmethod
    def _exp(self, xi: Array) -> Array:
        r"""The coordinates of $\exp(\xi^aE_a)$."""

    @abc.abstractmethod
    def _log(self, g: Array) -> Array:
        r"""The shortest $\xi$ with $\exp\xi = g$."""

    @abc.abstractmethod
    def _adjoint(self, g: Array) -> Array:
        r"""The matrix of $\mathrm{Ad}_g$ in the basis of the algebra."""

    @property
    @abc.abstractmethod
    def adjoint_ab(self) -> Matrix:
        r"""The matrix of $\mathrm{Ad}_g$ in the coordinates of $g$, acting on columns."""

    @property
    @abc.abstractmethod
    def inverse_i(self) -> Vector:
        r"""The coordinates of $g^{-1}$ in those of $g$."""

    @property
    @final
    def dimension(self) -> int:
        return self.algebra.dimension

    @cached_property
    def right_anchor_ai(self) -> Matrix:
        r"""The right-invariant fields, $E^R_a = (\mathrm{Ad}_{g^{-1}})^b{}_a E_b$; they commute with the left-invariant ones."""
        columns = tuple(zip(*self.anchor_ai, strict=True))
        return tuple(matrix_vector(columns, weights) for weights in self.coadjoint_ab)

    @cached_property
    def coadjoint_ab(self) -> Matrix:
        r"""The matrix of $\mathrm{Ad}^*_{g^{-1}}$ on momenta in the coordinates of $g$, $(\mathrm{Ad}_{g^{-1}})^{\mathsf T}$."""
        there = dict(zip(self.coordinates, self.inverse_i, strict=True))
        return tuple(tuple(entry.xreplace(there) for entry in column) for column in zip(*self.adjoint_ab, strict=True))

    @cached_property
    def frame(self) -> Frame:
        """The left-invariant frame, with its constant structure."""
        labels = [w.name for w in self.speeds]
        origin = tuple(symengine.Rational(*float(value).as_integer_ratio()) for value in self.identity)
        return Frame.with_structure(
            self.coordinates,
            self.anchor_ai,
            self.algebra.constants_abd,
            labels,
            origin,
            tuple(self.invariants.values()),
            {symbol(label): value for label, value in self.named.items()},
            partial(getattr, self, "coadjoint_ab"),
        )

    @final
    def multiply(self, g: Sequence[float] | Array, h: Sequence[float] | Array) -> Array:
        """The coordinates of $g h$."""
        a, b = self._element(g), self._element(h)
        return self._finite(lambda: self._multiply(a, b), "the product of these elements")

    @final
    def inverse(self, g: Sequence[float] | Array) -> Array:
        """The coordinates of $g^{-1}$."""
        a = self._element(g)
        return self._finite(lambda: self._inverse(a), "the inverse of this element")

    @final
    def exp(self, xi: Sequence[float] | Array) -> Array:
        r"""The coordinates of $\exp(\xi^aE_a)$."""
        vector = self._direction(xi)
        return self._finite(lambda: self._exp(vector), "the exponential of this vector")

    @final
    def log(self, g: Sequence[float] | Array) -> Array:
        r"""The shortest $\xi$ with $\exp\xi = g$."""
        a = self._element(g)
        return self._finite(lambda: self._log(a), "the logarithm of this element")

    @final
    def adjoint(self, g: Sequence[float] | Array) -> Array:
        r"""The matrix of $\mathrm{Ad}_g\xi = g\xi g^{-1}$ in the basis of the algebra."""
        a = self._element(g)
        return self._finite(lambda: self._adjoint(a), "the adjoint map of this element")

    @final
    def _element(self, g: Any) -> Array:
        """Coordinates on the group, up to rounding and to what a millionth of each can mend."""
        found = _numbers(g, len(self.coordinates), f"an element of {self.name:.60}", self.coordinates)
        at = dict(zip(self.coordinates, found.tolist(), strict=True))
        for label, value in self.invariants.items():
            if abs(off := float(value.xreplace(at))) <= CLEAR:
                continue
            tied = [q for q in self.coordinates if q in value.free_symbols]
            slopes = [abs(float(slope.xreplace(at))) for slope in gradient(value, tied)]
            sizes = np.array([abs(at[q]) for q in tied])
            if not abs(off) <= CLEAR + float(slopes @ (CLEAR * sizes + EXACT * sizes.max())):
                raise self._off(g, f"its invariant {label!r} is {off:.3g} and not 0")
        for label, lean in self.signs(found).items():
            if lean < -EXACT:
                raise self._off(g, f"{label} is negative")
        return found

    @final
    def _off(self, g: Any, why: str) -> StateError:
        return StateError(
            f"{quoted(g)} is not an element of {self.name:.60}, because {why}; give one, such as `exp` makes of a vector."
        )

    @final
    def _finite(self, act: Callable[[], Array], what: str) -> Array:
        """What an operation gives, refused where doubles cannot hold it."""
        try:
            with np.errstate(all="ignore"):
                found = act()
        except (ArithmeticError, np.linalg.LinAlgError):
            found = np.array(np.nan)
        if not np.isfinite(found).all():
            raise StateError(f"{self.name:.60}: {what} is not finite in double precision; stay nearer to the identity.")
        return found

    @final
    def _direction(self, xi: Any) -> Array:
        return _numbers(xi, len(self.speeds), f"a vector of the algebra of {self.name}", self.speeds)

    @final
    def coadjoint(self, g: Array) -> Array:
        r"""The matrix of $\mathrm{Ad}^*_{g^{-1}}$ on momenta, $(\mathrm{Ad}_{g^{-1}})^{\mathsf T}$."""
        return self.adjoint(self.inverse(g)).T

    @final
    def space_velocity(self, g: Array, xi: Array) -> Array:
        r"""The right trivialisation from the left one, $\eta = \dot gg^{-1} = \mathrm{Ad}_g\xi$."""
        return np.asarray(self.adjoint(g) @ self._direction(xi))

    @final
    def body_velocity(self, g: Array, eta: Array) -> Array:
        r"""The left trivialisation from the right one, $\xi = g^{-1}\dot g = \mathrm{Ad}_{g^{-1}}\eta$."""
        return np.asarray(self.adjoint(self.inverse(g)) @ self._direction(eta))

    @final
    def rates(self, g: Sequence[float], xi: Sequence[float]) -> Array:
        r"""$\dot q^i = E_a{}^i\xi^a$ in numbers."""
        at = dict(zip(self.coordinates, self._element(g).tolist(), strict=True))
        rows = [[float(entry.xreplace(at)) for entry in row] for row in self.anchor_ai]
        return np.asarray(self._direction(xi) @ np.array(rows))

    @final
    def __mul__(self, other: AbstractGroup) -> AbstractGroup:
        """The direct product."""
        return Product(self, other)

    @final
    def __rmul__(self, other: object) -> AbstractGroup:
        """The direct product with something that is no group, which says so."""
        return Product(other, self)  # type: ignore[arg-type]

    @final
    def __repr__(self) -> str:
        return self.name


def _numbers(given: Any, size: int, what: str, symbols: Sequence[Symbol]) -> Array:
    """Finite numbers, one for each symbol."""
    try:
        found = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        found = np.array(np.nan)
    if found.shape != (size,) or not np.isfinite(found).all():
        names = ", ".join(s.name for s in symbols)
        raise StateError(f"{quoted(given)} is not {what}; give {size} finite numbers, {names}.")
    return found


def titled(name: str, prefix: object) -> str:
    """The name of a group whose symbols have a prefix, which is checked.

    >>> titled("SO3", "ball_"), titled("SO3", "")
    ('SO3:ball_', 'SO3')
    """
    if prefix == "":
        return name
    check_name(prefix, f"the prefix of {name}")  # type: ignore[arg-type]
    return f"{name}:{prefix}"


def prefixed(prefix: str, names: Iterable[str]) -> tuple[Symbol, ...]:
    """Symbols with a prefix, each of them a name that the language reads."""
    found = [prefix + name for name in names]
    for name in found:
        check_name(name, "the symbol")
    return tuple(map(symbol, found))


def refuse_large(name: str, dimension: int) -> None:
    """Structure constants are a table of cubic size."""
    if dimension > LARGEST:
        raise DeclarationError(f"{name} has the dimension {dimension}; a group has at most {LARGEST}.")


def direct_sum(*algebras: LieAlgebra) -> LieAlgebra:
    """Algebras that commute with one another, in one."""
    size = sum(algebra.dimension for algebra in algebras)
    table = [[[zero] * size for _ in range(size)] for _ in range(size)]
    start = 0
    for algebra in algebras:
        n = range(algebra.dimension)
        for a in n:
            for b in n:
                for d in n:
                    table[start + a][start + b][start + d] = algebra.constants_abd[a][b][d]
        start += algebra.dimension
    return LieAlgebra(tuple(tuple(map(tuple, plane)) for plane in table))


@final
class Product(AbstractGroup):
    """Groups side by side, written ``SO3() * Rn("x", "y")``."""

    examples = ("SE2 * S1(phi)",)

    def __init__(self, *factors: AbstractGroup) -> None:
        if not factors:
            raise DeclarationError("a product has no factors; give groups to join.")
        flat: list[AbstractGroup] = []
        for factor in factors:
            if not isinstance(factor, AbstractGroup):
                raise DeclarationError(f"{quoted(factor)} is no group; join groups, such as SO3() * Rn('x', 'y').")
            flat += factor.factors if isinstance(factor, Product) else (factor,)
        self.factors: tuple[AbstractGroup, ...] = tuple(flat)
        self.name = " * ".join(factor.name for factor in self.factors)
        refuse_large(self.name, sum(factor.dimension for factor in self.factors))
        self.algebra = direct_sum(*(factor.algebra for factor in self.factors))
        self.coordinates = tuple(q for factor in self.factors for q in factor.coordinates)
        self.speeds = tuple(w for factor in self.factors for w in factor.speeds)
        names = [s.name for s in (*self.coordinates, *self.speeds)]
        names += [label for factor in self.factors for label in factor.named]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise DeclarationError(
                f"two factors of {self.name} use the name {twice[0]}; give one of them a prefix, such as prefix='a_', or "
                "other names."
            )

    @property
    def anchor_ai(self) -> Matrix:
        width, start, rows = len(self.coordinates), 0, []
        for factor in self.factors:
            size = len(factor.coordinates)
            rows += [(zero,) * start + row + (zero,) * (width - start - size) for row in factor.anchor_ai]
            start += size
        return tuple(rows)

    @property
    def turning(self) -> tuple[Symbol, ...]:
        return tuple(q for each in self.factors for q in each.turning)

    @property
    def invariants(self) -> Mapping[str, Expr]:
        return {label: value for factor in self.factors for label, value in factor.invariants.items()}

    def signs(self, g: Array) -> Mapping[str, float]:
        parts = zip(self.factors, self._split(g), strict=True)
        return {label: value for factor, part in parts for label, value in factor.signs(part).items()}

    @property
    def named(self) -> Mapping[str, Expr]:
        return {label: value for factor in self.factors for label, value in factor.named.items()}

    @property
    def identity(self) -> Array:
        return np.concatenate([factor.identity for factor in self.factors])

    def _multiply(self, g: Array, h: Array) -> Array:
        return self._each(lambda factor, a, b: factor.multiply(a, b), self._split(g), self._split(h))

    def _inverse(self, g: Array) -> Array:
        return self._each(lambda factor, a: factor.inverse(a), self._split(g))

    def _exp(self, xi: Array) -> Array:
        return self._each(lambda factor, v: factor.exp(v), self._split_speeds(xi))

    def _log(self, g: Array) -> Array:
        return self._each(lambda factor, a: factor.log(a), self._split(g))

    @property
    def adjoint_ab(self) -> Matrix:
        width, start, rows = self.dimension, 0, []
        for factor in self.factors:
            size = factor.dimension
            rows += [(zero,) * start + tuple(row) + (zero,) * (width - start - size) for row in factor.adjoint_ab]
            start += size
        return tuple(rows)

    @property
    def inverse_i(self) -> Vector:
        return tuple(each for factor in self.factors for each in factor.inverse_i)

    def _adjoint(self, g: Array) -> Array:
        blocks = [factor.adjoint(part) for factor, part in zip(self.factors, self._split(g), strict=True)]
        size, start = self.dimension, 0
        result = np.zeros((size, size))
        for block in blocks:
            result[start : start + len(block), start : start + len(block)] = block
            start += len(block)
        return result

    def _each(self, act: Callable[..., Array], *parts: list[Array]) -> Array:
        return np.concatenate([act(factor, *each) for factor, *each in zip(self.factors, *parts, strict=True)])

    def _split(self, g: Array) -> list[Array]:
        return np.split(np.asarray(g, dtype=float), np.cumsum([len(f.coordinates) for f in self.factors])[:-1])

    def _split_speeds(self, xi: Array) -> list[Array]:
        return np.split(np.asarray(xi, dtype=float), np.cumsum([f.dimension for f in self.factors])[:-1])
