r"""Differential forms in any frame, and Cartan's calculus of them.

.. math::
   d\omega = e_a(\omega_I)\,\theta^a\wedge\theta^I + \omega_I\, d\theta^I, \qquad
   d\theta^d = -\tfrac12\, c_{ab}{}^d\,\theta^a\wedge\theta^b, \qquad
   \mathcal L_X = d\, i_X + i_X\, d

A form keeps one component for each strictly increasing multi-index $I$, and $(\theta^a\wedge\theta^b)(e_a, e_b) = 1$.
The structure functions are those of $[e_a, e_b] = c_{ab}{}^d e_d$. Time is a parameter unless it is a coordinate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING, Any, final

import symengine

from anholonomy.algebra.expressions import Expr, Symbol, as_expression, zero
from anholonomy.algebra.short_forms_on_groups import shortened
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import DeclarationError, quoted
from anholonomy.findings import Finding
from anholonomy.geometry.field_text import form_row, read_component, read_index, read_terms
from anholonomy.geometry.tensor import Index, Tensor, transition, vector_components
from anholonomy.language.answers import Part, Readable
from anholonomy.language.arguments import expect, expect_callable, expect_index, expect_mapping, factor, name_of

if TYPE_CHECKING:
    from anholonomy.geometry.frame import Frame

__all__ = ["Form"]


@final
@dataclass(frozen=True, init=False, repr=False)
class Form(Readable):
    r"""A differential form $\omega = \sum_{a < b < \ldots} \omega_{ab\ldots}\,\theta^a\wedge\theta^b\wedge\ldots$

    Parameters
    ----------
    frame
        The frame whose coframe $\theta^a$ the components refer to.
    components
        Text in the differentials of the coordinates, such as ``"x*dy∧dz - dx∧dy"`` (``^`` between two differentials is
        read as ``∧``), brought to the frame; or a dict from labels of the frame in one text, ``"y z"``, or from
        indices counted from 0, ``(1, 2)``, to components.
    degree
        Needed only where the components do not show it: for zero.
    functions
        Names that the text may call as functions nobody specifies.

    Notes
    -----
    ``^`` is the wedge, and Python binds it looser than ``+`` and ``*``: write ``(x*dy ^ dz) + (dx ^ dy)``.

    Examples
    --------
    >>> from anholonomy.geometry.frame import Frame
    >>> chart = Frame(["x", "y", "z"])
    >>> contact = Form(chart, "dz - y*dx")
    >>> print(contact.d())
    dx∧dy
    >>> print(contact ^ contact.d())
    dx∧dy∧dz
    >>> print(Form(chart, {"y z": "x"}).d().d())
    0
    >>> heisenberg = Frame(["x", "y", "z"], [["1", "0", "y"], ["0", "1", "0"], ["0", "0", "1"]])
    >>> print(contact.in_frame(heisenberg), "and", contact.in_frame(heisenberg).d())
    θ^3 and θ^1∧θ^2
    """

    frame: Frame
    degree: int
    items: tuple[tuple[Index, Expr], ...]

    def __init__(
        self,
        frame: Frame,
        components: Mapping[Any, Any] | str,
        degree: int | None = None,
        functions: Sequence[str] = (),
    ) -> None:
        expect(frame, "the frame of the form", "Frame")
        if isinstance(components, str):
            names = [q.name for q in frame.coordinates]
            terms = read_terms(components, names, functions)
            _refuse_directions(frame, components, terms.get((), zero))
            form = _in_differentials(frame, {i: frame.in_coordinates(value) for i, value in terms.items()})
        else:
            expect_mapping(components, "the components of the form")
            values = {
                read_index(key, frame.labels): read_component(value, f"the component {key!r} of the form", functions)
                for key, value in components.items()
            }
            form = _of_one_degree(frame, {i: frame.in_coordinates(value) for i, value in values.items()})
        if degree is not None and form.items and form.degree != degree:
            raise DeclarationError(
                f"the components are those of a {form.degree}-form, and the degree given is {degree}."
            )
        self._set(frame, form.degree if form.items or degree is None else degree, form.items)

    def _set(self, frame: Frame, degree: int, items: tuple[tuple[Index, Expr], ...]) -> None:
        for name, value in (("frame", frame), ("degree", degree), ("items", items)):
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, frame: Frame, degree: int, terms: Mapping[Any, Any] | Iterable[tuple[Index, Any]]) -> Form:
        r"""The sum of terms $w\,\theta^a\wedge\theta^b\wedge\ldots$, indices in any order; equal indices give zero."""
        total: dict[Index, list[Expr]] = {}
        for index, value in terms.items() if isinstance(terms, Mapping) else terms:
            if sign := orientation(index):
                total.setdefault(tuple(sorted(index)), []).append(sign * as_expression(value))
        sums = ((index, symengine.Add(*values)) for index, values in sorted(total.items()))
        form = cls.__new__(cls)
        form._set(frame, degree, tuple((index, value) for index, value in sums if value != 0))
        return form

    @classmethod
    def function(cls, frame: Frame, value: Any, functions: Sequence[str] = ()) -> Form:
        """A function as a form of degree 0."""
        return cls.of(frame, 0, {(): frame.in_coordinates(read_component(value, "the function", functions))})

    @classmethod
    def from_tensor(cls, tensor: Tensor) -> Form:
        """The form with the components of an antisymmetric tensor whose indices are all lower."""
        expect(tensor, "what becomes a form", "Tensor")
        if set(tensor.slots) > {"d"} or "u" in tensor.slots:
            raise DeclarationError(
                f"a form has lower indices only, and the tensor has {tensor.slots}; lower them first."
            )
        form = cls.of(tensor.frame, tensor.rank, {i: v for i, v in tensor.items if i == tuple(sorted(set(i)))})
        if not (form.tensor - tensor).is_zero():
            raise DeclarationError(
                "a form is antisymmetric, and the tensor is not proven to be; antisymmetrise it first."
            )
        return form

    @property
    def tensor(self) -> Tensor:
        r"""The antisymmetric tensor $\omega_{ab\ldots} = \omega(e_a, e_b, \ldots)$."""
        values = {
            tuple(index[k] for k in order): orientation(order) * value
            for index, value in self.items
            for order in permutations(range(self.degree))
        }
        return Tensor.of(self.frame, "d" * self.degree, values, "ω")

    @cached_property
    def components(self) -> Mapping[Index, Expr]:
        """The non-zero components by strictly increasing index."""
        return dict(self.items)

    def __getitem__(self, index: int | Index) -> Expr:
        place = index if isinstance(index, tuple) else (index,)
        for i in place:
            expect_index(i, self.frame.size, "an index of the form")
        sign = orientation(place)
        return sign * self.components.get(tuple(sorted(place)), zero) if sign else zero

    def __add__(self, other: Form) -> Form:
        self._refuse_other_frame(other)
        if self.items and other.items and self.degree != other.degree:
            raise DeclarationError(f"a sum needs forms of one degree, and these have {self.degree} and {other.degree}.")
        return Form.of(self.frame, self.degree if self.items else other.degree, (*self.items, *other.items))

    def __sub__(self, other: Form) -> Form:
        self._refuse_other_frame(other)
        return self + (-1) * other

    def __neg__(self) -> Form:
        return (-1) * self

    def __mul__(self, other: Any) -> Form:
        """The product with a function."""
        if isinstance(other, Form):
            return self ^ other
        function = factor(other, "the factor of the form")
        return self.map(lambda value: value * function)

    __rmul__ = __mul__

    def __xor__(self, other: Form) -> Form:
        r"""$\alpha\wedge\beta$."""
        self._refuse_other_frame(other)
        terms = ((i + j, a * b) for i, a in self.items for j, b in other.items)
        return Form.of(self.frame, self.degree + other.degree, terms)

    def map(self, function: Callable[[Expr], Any]) -> Form:
        """The form with a function applied to each component."""
        expect_callable(function)
        return Form.of(self.frame, self.degree, {i: function(v) for i, v in self.items})

    def simplified(self) -> Form:
        """Every component in its shortest form; what is provably zero disappears."""
        return self.map(simplify)

    def d(self) -> Form:
        r"""The exterior derivative; $d\theta^d = -\frac12 c_{ab}{}^d\theta^a\wedge\theta^b$ in an anholonomic frame.

        >>> from anholonomy.geometry.frame import Frame
        >>> f = Form.function(Frame(["x", "y"]), "f(x)*y", functions=["f"])
        >>> print(f.d())
        y*D(f(x), x) dx + f(x) dy
        """
        n, terms = range(self.frame.size), []
        for index, value in self.items:
            terms += [((a, *index), self.frame.derivative(a, value)) for a in n]
            for place, d in enumerate(index):
                sign = (-1) ** (place + 1)
                before, after = index[:place], index[place + 1 :]
                terms += [
                    ((*before, a, b, *after), sign * c * value)
                    for a in n
                    for b in n[a + 1 :]
                    if (c := self.frame.structure_abd[a][b][d]) != 0
                ]
        return Form.of(self.frame, self.degree + 1, terms)

    def interior(self, field: Tensor) -> Form:
        r"""$(i_X\omega)_{b\ldots} = X^a\omega_{ab\ldots}$, the field in the first place; zero for a function."""
        X = vector_components(field, self.frame)
        terms = (
            ((*index[:place], *index[place + 1 :]), (-1) ** place * X[a] * value)
            for index, value in self.items
            for place, a in enumerate(index)
            if X[a] != 0
        )
        return Form.of(self.frame, max(self.degree - 1, 0), terms)

    def lie_derivative(self, field: Tensor) -> Form:
        r"""$\mathcal L_X\omega = d(i_X\omega) + i_X d\omega$."""
        moving = self.d().interior(field)
        return moving + self.interior(field).d() if self.degree else moving

    def __call__(self, *fields: Tensor) -> Expr:
        r"""$\omega(X, Y, \ldots)$."""
        if len(fields) != self.degree:
            raise DeclarationError(
                f"a {self.degree}-form takes {self.degree} vector fields, and {len(fields)} were given."
            )
        form = self
        for field in fields:
            form = form.interior(field)
        return simplify(form[()])

    def in_frame(self, frame: Frame) -> Form:
        """The same form with components in another frame over the same root."""
        if frame == self.frame:
            return self
        lower, _ = transition(self.frame, frame)
        images = [Form.of(frame, 1, {(b,): row[a] for b, row in enumerate(lower)}) for a in range(self.frame.size)]
        return _substituted(self, frame, images, lambda value: value).simplified()

    def pullback(self, images: Mapping[Any, Any], onto: Frame, functions: Sequence[str] = ()) -> Form:
        r"""$\varphi^*\omega$ along a map $q^i = \varphi^i$ into the coordinates of this form.

        ``images`` gives every coordinate as an expression in the coordinates of ``onto``, the frame for the result.
        Derivatives of unspecified functions only follow a map that takes their arguments to different coordinates.

        >>> from anholonomy.geometry.frame import Frame
        >>> area, polar = Form(Frame(["x", "y"]), "dx∧dy"), Frame(["r", "phi"])
        >>> print(area.pullback({"x": "r*cos(phi)", "y": "r*sin(phi)"}, polar))
        r dr∧dphi
        """
        expect_mapping(images, "the images")
        expect(onto, "the frame of the pullback", "Frame")
        chart = self.frame.root or self.frame
        if not chart.is_chart:
            raise DeclarationError("a form on redundant coordinates has no pullback by a map of them; use a chart.")
        given = {name_of(name, "a coordinate"): value for name, value in images.items()}
        if set(given) != {q.name for q in chart.coordinates}:
            wanted = ", ".join(q.name for q in chart.coordinates)
            raise DeclarationError(
                f"a map for this form gives each of {wanted}, and the one given has {', '.join(given)}."
            )
        values = {q: read_component(given[q.name], f"the image of {q.name}", functions) for q in chart.coordinates}
        differentials = [Form.of(onto, 0, {(): values[q]}).d() for q in chart.coordinates]
        return _substituted(
            self.in_frame(chart), onto, differentials, lambda value: _composed(value, values)
        ).simplified()

    def is_zero(self) -> Finding:
        """Whether every component vanishes: proven, refuted, or unknown."""
        return self._components("ω").vanishes("the form is zero")

    def is_closed(self) -> Finding:
        r"""Whether $d\omega = 0$: proven, refuted, or unknown.

        >>> from anholonomy.geometry.frame import Frame
        >>> print(Form(Frame(["x", "y"]), "y*dx + x*dy").is_closed())
        the form is closed: proven, dω = 0
        """
        return self.d()._components("dω").vanishes("the form is closed")

    def _components(self, letter: str) -> Tensor:
        """The components in increasing order of indices, as numbers with a name."""
        return Tensor.of(self.frame, "d" * self.degree, self.components, letter)

    def _refuse_other_frame(self, other: Form) -> None:
        expect(other, "what is joined to the form", "Form")
        if other.frame != self.frame:
            raise DeclarationError("both forms are needed in one frame; bring one over with `in_frame`.")

    def __repr__(self) -> str:
        return self.text()

    def as_rows(self) -> Iterable[Part]:
        return [form_row(self.frame, self._shown().items)]

    def _shown(self) -> Form:
        """The form as it is printed, on a group without what vanishes there."""
        return self.simplified().map(lambda value: shortened(value, self.frame.orbit))


def orientation(index: Sequence[int]) -> int:
    """The sign of the permutation that sorts the indices, 0 if two are equal.

    >>> orientation((0, 2, 1)), orientation((2, 0, 1)), orientation((1, 1))
    (-1, 1, 0)
    """
    if len(set(index)) < len(index):
        return 0
    inversions = sum(a > b for place, a in enumerate(index) for b in index[place + 1 :])
    return -1 if inversions % 2 else 1


def _refuse_directions(frame: Frame, text: str, function: Expr) -> None:
    """The name of a direction in a text without differentials is meant as a form, and would be read as a parameter."""
    labels = set() if frame.is_chart else set(frame.labels) - {q.name for q in frame.coordinates}
    if found := sorted(s.name for s in function.free_symbols if s.name in labels):
        raise DeclarationError(
            f"the form {quoted(text)} uses {found[0]}, a direction of the frame; give components by directions, "
            f"such as {{{found[0]!r}: '1'}}, or differentials of coordinates."
        )


def _of_one_degree(frame: Frame, values: Mapping[Index, Expr]) -> Form:
    degrees = {len(index) for index in values}
    if len(degrees) > 1:
        raise DeclarationError(f"the components of a form have one degree, and these have {sorted(degrees)}.")
    return Form.of(frame, max(degrees, default=0), values)


def _in_differentials(frame: Frame, terms: Mapping[Index, Expr]) -> Form:
    r"""A form in $dq^i = e_a{}^i\theta^a$, brought to the frame; nothing needs to be inverted for that."""
    differentials = [
        Form.of(frame, 1, {(a,): row[i] for a, row in enumerate(frame.anchor_ai)})
        for i in range(len(frame.coordinates))
    ]
    plain = _of_one_degree(frame, terms)
    if frame.is_chart:
        return plain
    return _substituted(plain, frame, differentials, lambda value: value).simplified()


def _substituted(form: Form, frame: Frame, images: Sequence[Form], value_of: Callable[[Expr], Expr]) -> Form:
    r"""$\sum_I \omega_I\,\theta^{i_1}\wedge\ldots$ with one-forms in the places of the $\theta^i$."""
    total = Form.of(frame, form.degree, ())
    for index, value in form.items:
        term = Form.of(frame, 0, {(): value_of(value)})
        for i in index:
            term = term ^ images[i]
        total = total + term
    return total


def _composed(value: Expr, images: Mapping[Symbol, Expr]) -> Expr:
    """A component at the image of a point."""
    for node in value.atoms(symengine.Derivative):
        # Inside a derivative only a variable can stand for a variable, and only for one.
        there = [image.subs(images) for image in node.args[0].args]
        if not all(isinstance(each, symengine.Symbol) for each in there) or len(set(there)) < len(there):
            raise DeclarationError(
                f"{node} has no form at {', '.join(map(str, there))}; specify the function for this map."
            )
    return value.subs(images)
