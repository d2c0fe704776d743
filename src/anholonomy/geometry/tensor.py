r"""Tensors in a frame, of which only the non-zero components are kept, and the claim that components vanish.

A tensor of type $T^{a}{}_{b}$ has ``slots = "ud"``: one letter for each index in the order of its axes, ``u`` for an
upper and ``d`` for a lower one. Under a change of frame $\bar e_b = B_b{}^a e_a$ lower indices transform with $B$ and
upper ones with its inverse, $\bar T^a{}_b = (B^{-1})_c{}^a\,B_b{}^d\,T^c{}_d$. A vector field is a tensor with one upper index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from itertools import product
from typing import TYPE_CHECKING, Any, final

import symengine

from anholonomy.algebra.expressions import Expr, Matrix, Vector, as_expression, symbol, zero
from anholonomy.algebra.latex import latex, latex_name
from anholonomy.algebra.short_forms_on_groups import shortened
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import DeclarationError, quoted
from anholonomy.findings import Finding, Quantity, vanishing
from anholonomy.findings.special_values import special_values
from anholonomy.language.answers import EQUALS, Mark, Part, Readable, Row
from anholonomy.language.arguments import expect, expect_callable, expect_index, expect_mapping, factor

if TYPE_CHECKING:
    from anholonomy.geometry.frame import Frame  # a frame holds tensors, so here it is only a type

__all__ = ["Index", "Tensor", "components_vanish", "transition", "vector_components"]

Index = tuple[int, ...]


@final
@dataclass(frozen=True, repr=False)
class Tensor(Readable):
    r"""Components of a tensor field in a frame.

    Attributes
    ----------
    frame
        The frame the components refer to.
    slots
        ``u`` or ``d`` for each index.
    items
        Indices and values of the components that are not structurally zero, in order of index.
    letter
        What to call it when printing.

    Examples
    --------
    >>> from anholonomy.geometry.frame import Frame
    >>> chart = Frame(["x", "y"])
    >>> T = Tensor.of(chart, "ud", {(0, 1): symengine.Symbol("y")}, "T")
    >>> print(T)
    T^x_y = y
    >>> T[0, 1], T[1, 0], T.trace(0, 1)[()]
    (y, 0, 0)
    """

    frame: Frame
    slots: str
    items: tuple[tuple[Index, Expr], ...]
    letter: str = field(default="T", compare=False)

    @classmethod
    def of(cls, frame: Frame, slots: str, components: Mapping[Index, Any], letter: str = "T") -> Tensor:
        """A tensor from a dict of components; zeros are dropped."""
        expect(frame, "the frame of the tensor", "Frame")
        if not isinstance(slots, str) or set(slots) - {"u", "d"}:
            raise DeclarationError(
                f"the slots are {quoted(slots)}; give a text with u or d for each index, such as 'ud'."
            )
        expect_mapping(components, "the components of the tensor")
        for index in components:
            _refuse_index(frame, slots, index)
        items = sorted((index, _component(value)) for index, value in components.items())
        return cls(frame, slots, tuple((index, value) for index, value in items if value != 0), letter)

    @classmethod
    def build(cls, frame: Frame, slots: str, value: Callable[..., Any], letter: str = "T") -> Tensor:
        """A tensor whose component at indices i, j, … is ``value(i, j, …)``."""
        expect(frame, "the frame of the tensor", "Frame")
        expect_callable(value)
        indices = product(range(frame.size), repeat=len(slots))
        return cls.of(frame, slots, {index: value(*index) for index in indices}, letter)

    @cached_property
    def components(self) -> Mapping[Index, Expr]:
        """The non-zero components by index."""
        return dict(self.items)

    @property
    def rank(self) -> int:
        """The number of indices."""
        return len(self.slots)

    def __getitem__(self, index: int | Index) -> Expr:
        place = index if isinstance(index, tuple) else (index,)
        if (found := self.components.get(place)) is not None:
            return found
        _refuse_index(self.frame, self.slots, place)
        return zero

    def __add__(self, other: Tensor) -> Tensor:
        self._refuse_unless_alike(other)
        total = dict(self.components)
        for index, value in other.items:
            total[index] = total.get(index, zero) + value
        return Tensor.of(self.frame, self.slots, total, self.letter)

    def __sub__(self, other: Tensor) -> Tensor:
        self._refuse_unless_alike(other)
        return self + (-1) * other

    def __neg__(self) -> Tensor:
        return (-1) * self

    def __mul__(self, other: Any) -> Tensor:
        """The tensor product, or the product with a function."""
        if isinstance(other, Tensor):
            if other.frame != self.frame:
                raise DeclarationError("a product needs both tensors in one frame; bring one over with `in_frame`.")
            values = {i + j: a * b for i, a in self.items for j, b in other.items}
            return Tensor.of(self.frame, self.slots + other.slots, values, self.letter)
        function = factor(other, "the factor of the tensor")
        return self.map(lambda value: value * function)

    __rmul__ = __mul__

    def map(self, function: Callable[[Expr], Expr]) -> Tensor:
        """The tensor with a function applied to each non-zero component."""
        expect_callable(function)
        return Tensor.of(self.frame, self.slots, {i: function(v) for i, v in self.items}, self.letter)

    def named(self, letter: str) -> Tensor:
        """The same tensor under another letter."""
        expect(letter, "the letter of the tensor", "str")
        return Tensor(self.frame, self.slots, self.items, letter)

    def permuted(self, *axes: int) -> Tensor:
        """The axes in another order: the new axis k is the old axis ``axes[k]``."""
        if len(axes) != self.rank or set(axes) != set(range(self.rank)):
            raise DeclarationError(f"the axes are {axes}; give the numbers from 0 to {self.rank - 1} in some order.")
        values = {tuple(index[a] for a in axes): value for index, value in self.items}
        return Tensor.of(self.frame, "".join(self.slots[a] for a in axes), values, self.letter)

    def trace(self, first: int, second: int) -> Tensor:
        """The contraction of an upper with a lower index."""
        expect_index(first, self.rank, "the first index of the trace")
        expect_index(second, self.rank, "the second index of the trace")
        if {self.slots[first], self.slots[second]} != {"u", "d"}:
            raise DeclarationError("a trace pairs an upper with a lower index; raise or lower one first.")
        total: dict[Index, Expr] = {}
        for index, value in self.items:
            if index[first] == index[second]:
                rest = tuple(i for k, i in enumerate(index) if k not in (first, second))
                total[rest] = total.get(rest, zero) + value
        slots = "".join(s for k, s in enumerate(self.slots) if k not in (first, second))
        return Tensor.of(self.frame, slots, total, self.letter)

    def with_index(self, axis: int, matrix: Matrix, slot: str) -> Tensor:
        r"""One index replaced by another kind: $\bar T_{\ldots b\ldots} = M_b{}^a\, T_{\ldots a\ldots}$."""
        expect_index(axis, self.rank, "the index of the tensor")
        total: dict[Index, list[Expr]] = {}
        for index, value in self.items:
            for b, row in enumerate(matrix):
                if row[index[axis]] != 0:
                    place = (*index[:axis], b, *index[axis + 1 :])
                    total.setdefault(place, []).append(row[index[axis]] * value)
        slots = self.slots[:axis] + slot + self.slots[axis + 1 :]
        return Tensor.of(self.frame, slots, {i: symengine.Add(*terms) for i, terms in total.items()}, self.letter)

    def in_frame(self, frame: Frame) -> Tensor:
        """The same tensor field with components in another frame over the same root."""
        if frame == self.frame:
            return self
        lower, upper = transition(self.frame, frame)
        result = self
        for axis, slot in enumerate(self.slots):
            result = result.with_index(axis, lower if slot == "d" else upper, slot)
        return Tensor(frame, self.slots, result.items, self.letter).simplified()

    def simplified(self) -> Tensor:
        """Every component in its shortest form; what is provably zero disappears."""
        return self.map(simplify)

    def is_zero(self) -> Finding:
        """Whether every component vanishes: proven, refuted, or unknown."""
        return self.vanishes(f"the tensor {self.letter} is zero")

    def vanishes(self, claim: str) -> Finding:
        """A claim that holds exactly if every component vanishes.

        >>> from anholonomy.geometry.frame import Frame
        >>> print(Tensor.of(Frame(["x"]), "ud", {(0, 0): 2}).vanishes("nothing moves"))
        nothing moves: refuted, T^x_x = 2
        """
        named = (Quantity(self._name(i, "^", "_"), value, self._mark(i)) for i, value in self.items)
        return components_vanish(self.frame, claim, self.letter, named, self.letter)

    def _refuse_unless_alike(self, other: Tensor) -> None:
        expect(other, "what is added to the tensor", "Tensor")
        if other.frame != self.frame:
            raise DeclarationError("a sum needs both tensors in one frame; bring one over with `in_frame`.")
        if other.slots != self.slots:
            raise DeclarationError(f"a sum needs tensors of one type, and these are {self.slots} and {other.slots}.")

    def _name(self, index: Index, up: str, down: str) -> str:
        """The component's name, upper and lower indices in the order of the axes; commas part those that are longer than a letter."""
        labels = [self.frame.labels[i] for i in index]
        apart = "," if max(map(len, labels), default=0) > 1 else ""
        text, last = self.letter, ""
        for slot, label in zip(self.slots, labels, strict=True):
            text += (apart if slot == last else up if slot == "u" else down) + label
            last = slot
        return text

    def _mark(self, index: Index) -> str:
        """The component's name in LaTeX."""
        names = (self.frame.labels[i] for i in index)
        labelled = zip(
            self.slots, (name if name.isdigit() else latex_name(symbol(name)) for name in names), strict=True
        )
        return self._letter_mark + "".join(f"{{}}{'^' if slot == 'u' else '_'}{{{label}}}" for slot, label in labelled)

    @property
    def _letter_mark(self) -> str:
        return latex_name(symbol(self.letter)) if self.letter.isascii() and self.letter.isidentifier() else self.letter

    @cached_property
    def shown(self) -> tuple[tuple[Index, Expr], ...]:
        """The components as they are printed: on a group without those that vanish there, and in a short form."""
        short = ((index, shortened(value, self.frame.orbit)) for index, value in self.items)
        return tuple((index, value) for index, value in short if value != 0)

    def as_rows(self) -> Iterable[Part]:
        rows = (Row(Mark(self._name(index, "^", "_"), self._mark(index)), EQUALS, value) for index, value in self.shown)
        return rows if self.shown else iter([Row(Mark(self.letter, self._letter_mark), EQUALS, zero)])

    def table(self) -> Table:
        """The non-zero components as a table, for a notebook: one row each, indices and value."""
        rows = [(*(self.frame.labels[i] for i in index), latex(value)) for index, value in self.shown]
        marks = ["upper" if slot == "u" else "lower" for slot in self.slots]
        return Table(self.letter, (*marks, "component"), tuple(rows))


@final
@dataclass(frozen=True)
class Table:
    """Rows of labels and a formula; a notebook shows it as HTML."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(text)}</th>" for text in self.heads)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row[:-1]) + f"<td>${escape(row[-1])}$</td></tr>"
            for row in self.rows
        )
        return f"<table><caption>{escape(self.title)}</caption><tr>{head}</tr>{body}</table>"


def transition(old: Frame, new: Frame) -> tuple[Matrix, Matrix]:
    r"""How indices go from one frame to another: $\bar e_b = M_b{}^a e_a$ for lower ones, $\bar\theta^b = N_a{}^b\ldots$ for upper.

    Both matrices have a row for each new index; the frames must share their root.
    """
    expect(new, "the new frame", "Frame")
    if (old.root or old) != (new.root or new):
        raise DeclarationError(
            "the two frames live on different coordinates; a tensor cannot go from one to the other."
        )
    lower = _times(new.matrix_ba, old.inverse_ab)
    upper = tuple(zip(*_times(old.matrix_ba, new.inverse_ab), strict=True))
    return lower, upper


def vector_components(field: Tensor, frame: Frame) -> Vector:
    """The components of a vector field in a frame, zeros included."""
    expect(field, "the field", "Tensor")
    if field.slots != "u":
        raise DeclarationError(f"a vector field has one upper index, and the tensor given has {field.slots or 'none'}.")
    brought = field.in_frame(frame)
    return tuple(brought[a] for a in range(frame.size))


def components_vanish(frame: Frame, claim: str, what: str, components: Iterable[Quantity], mark: str = "") -> Finding:
    """The finding that a claim holds because components vanish, and where it is refuted the parameters for which it may hold.

    ``what`` names the components together, and ``mark`` does so in LaTeX.

    >>> import symengine
    >>> from anholonomy.geometry.frame import Frame
    >>> k, x = symengine.symbols("k x")
    >>> print(components_vanish(Frame(["x"]), "it is flat", "R", [Quantity("R_1", k * x - x)]).text())
    ... # doctest: +ELLIPSIS
    it is flat: refuted, R_1 = (k - 1)*x, not zero at k = ...; it holds only where k = 1
    """
    given = list(components)
    found = vanishing(claim, what, given, frame.orbit, mark)
    if not found.is_refuted:
        return found
    special = special_values((each.value for each in given), frame.coordinates, frame.orbit)
    return replace(found, scope=replace(found.scope, special=special))


def _refuse_index(frame: Frame, slots: str, index: object) -> None:
    if not isinstance(index, tuple) or len(index) != len(slots):
        raise DeclarationError(
            f"{quoted(index)} is no index of a tensor {slots!r}; give a tuple of {len(slots)} numbers."
        )
    for i in index:
        expect_index(i, frame.size, "an index of the tensor")


def _component(value: Any) -> Expr:
    return as_expression(factor(value, "a component of the tensor"))


def _times(left: Sequence[Sequence[Expr]], right: Sequence[Sequence[Expr]]) -> Matrix:
    columns = tuple(zip(*right, strict=True))
    return tuple(
        tuple(
            symengine.Add(*(a * b for a, b in zip(row, column, strict=True) if a != 0 and b != 0)) for column in columns
        )
        for row in left
    )
