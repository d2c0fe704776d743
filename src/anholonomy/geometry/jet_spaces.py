r"""Jets of maps: derivatives as coordinates, total derivatives, prolongation, contact forms and sections.

.. math::
   D_a f = \partial_a f + x^\mu_{Ja}\,\frac{\partial f}{\partial x^\mu_J}, \qquad
   \xi^\mu_{Ja} = D_a \xi^\mu_J - x^\mu_{Jb}\, D_a \tau^b, \qquad
   \vartheta^\mu_J = dx^\mu_J - x^\mu_{Ja}\, dt^a

The 1-jet or 2-jet of a map from the parameters $t^a$ to the targets $x^\mu$ is a point with coordinates
$(t^a, x^\mu, x^\mu_a, x^\mu_{ab})$. Curves are maps of one parameter, and the jets of a curve are its positions, velocities and
accelerations. A transformation $\bar t(t, x), \bar x(t, x)$ and a field $\tau^a\partial_a + \xi^\mu\partial_\mu$ prolong
to jets, because both act on graphs of maps. The Spencer operator tells how far a section of jets is from being the jet of a map,

.. math:: s = (t^a,\ x^\mu(t),\ x^\mu_a(t)), \qquad
   Ds = (\partial_a x^\mu - x^\mu_a)\, dt^a \otimes \partial_\mu = 0 \iff s = j^1 x ,

and $Ds$ is also what the contact forms pull back to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, TypeAlias, final

import symengine

from anholonomy.algebra.calculus import along, partial
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, symbol, zero
from anholonomy.algebra.linear_algebra.symbolic import inverse
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import DeclarationError
from anholonomy.base.notebook import Shown
from anholonomy.findings import Finding, Quantity, vanishing
from anholonomy.geometry.forms import Form
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.tensor import Tensor
from anholonomy.language.answers import EQUALS, Part, Readable, Row
from anholonomy.language.arguments import (
    expect_index,
    expect_list,
    expect_mapping,
    expression,
    factor,
    is_list,
    name_of,
)

__all__ = ["JetSection", "JetSpace", "compose_jets"]

_Multi: TypeAlias = tuple[int, ...]
"""Which parameters a coordinate was differentiated by, in ascending order."""
_Index: TypeAlias = tuple[int, _Multi]
r"""$(\mu, J)$ of a jet coordinate $x^\mu_J$."""


@final
@dataclass(frozen=True, init=False)
class JetSpace(Shown):
    r"""The manifold of jets of maps from parameters to targets.

    Parameters
    ----------
    parameters, targets
        Names of the coordinates $t^a$ and $x^\mu$.
    order
        1 or 2 (or more): how many derivatives are coordinates.

    Derivatives are called ``x'``, ``x''`` where there is one parameter, and ``x_u``, ``x_u_v`` where there are several.

    Examples
    --------
    >>> curves = JetSpace(["t"], ["x", "y"], order=2)
    >>> curves.coordinates
    (t, x, y, x', y', x'', y'')
    >>> surfaces = JetSpace(["u", "v"], ["z"])
    >>> surfaces.coordinates
    (u, v, z, z_u, z_v)
    """

    parameters: tuple[Symbol, ...]
    targets: tuple[Symbol, ...]
    order: int

    def __init__(self, parameters: Sequence[Any], targets: Sequence[Any], order: int = 1) -> None:
        for names in (parameters, targets):
            expect_list(names, "the names of parameters and targets")
        if not isinstance(order, int) or order < 1 or not parameters or not targets:
            raise DeclarationError("a space of jets needs parameters, targets and an order of at least 1.")
        object.__setattr__(self, "parameters", tuple(symbol(name_of(q, "a parameter")) for q in parameters))
        object.__setattr__(self, "targets", tuple(symbol(name_of(q, "a target")) for q in targets))
        object.__setattr__(self, "order", order)
        if len(set(self.coordinates)) < len(self.coordinates):
            raise DeclarationError(f"the jet coordinates {self.coordinates} need different names; rename a target.")

    @cached_property
    def indices(self) -> tuple[_Index, ...]:
        r"""$(\mu, J)$ of every coordinate $x^\mu_J$, lower orders first."""
        r, n = range(len(self.parameters)), range(len(self.targets))
        return tuple((mu, J) for k in range(self.order + 1) for J in combinations_with_replacement(r, k) for mu in n)

    def __getitem__(self, index: _Index) -> Symbol:
        r"""The symbol of $x^\mu_J$."""
        expect_list(index, "an index of jets")
        mu, J = (*index, None)[:2]
        expect_index(mu, len(self.targets), "the number of a target")
        for a in expect_list(J, "the derivatives"):
            expect_index(a, len(self.parameters), "the number of a parameter")
        name = self.targets[mu].name
        if len(self.parameters) == 1:
            return symbol(name + "'" * len(J))
        return symbol("_".join([name, *(self.parameters[a].name for a in sorted(J))]))

    @cached_property
    def coordinates(self) -> tuple[Symbol, ...]:
        return (*self.parameters, *(self[index] for index in self.indices))

    @cached_property
    def frame(self) -> Frame:
        """The chart of all jet coordinates, for fields and forms on the space."""
        return Frame.chart(self.coordinates)

    def lower(self) -> Iterator[_Index]:
        """The indices of coordinates that still have a derivative among the coordinates."""
        return (index for index in self.indices if len(index[1]) < self.order)

    def total_derivative(self, f: Expr, a: int = 0) -> Expr:
        r"""$D_a f$, for a function of jets of lower order than the space.

        >>> curves = JetSpace(["t"], ["x"], order=2)
        >>> t, x, v, acceleration = curves.coordinates
        >>> curves.total_derivative(t * v + x**2)
        x' + t*x'' + 2*x*x'
        """
        f = factor(f, "the function")
        expect_index(a, len(self.parameters), "the number of a parameter")
        top = {self[index] for index in self.indices if len(index[1]) == self.order}
        if f.free_symbols & top:
            raise DeclarationError(
                f"the total derivative of {f} needs jets of order {self.order + 1}; take a larger order."
            )
        rates = {self.parameters[a]: symengine.Integer(1)}
        rates |= {self[mu, J]: self[mu, _with(J, a)] for mu, J in self.lower()}
        return along(f, rates)

    def prolong(self, images: Mapping[Any, Any] | Sequence[Any], functions: Sequence[str] = ()) -> JetSection:
        r"""$j^k x$: the section of jets that a map makes by differentiation.

        >>> surfaces = JetSpace(["u", "v"], ["z"], order=2)
        >>> print(surfaces.prolong({"z": "u^2*v"}))
        z = u^2*v
        z_u = 2*u*v
        z_v = u^2
        z_u_u = 2*v
        z_u_v = 2*u
        z_v_v = 0
        """
        values = self._of_targets(images, functions)
        found = {}
        for mu, J in self.indices:
            value = values[mu]
            for a in J:
                value = partial(value, self.parameters[a])
            found[mu, J] = value
        return self._section(found)

    def section(self, images: Mapping[Any, Any], functions: Sequence[str] = ()) -> JetSection:
        """Any section of the source projection: a function of the parameters for every jet coordinate.

        The derivatives need not be derivatives of the targets; `JetSection.spencer` says by how much they are not.
        """
        expect_mapping(images, "the functions of the section")
        given = {name_of(q, "a jet coordinate"): value for q, value in images.items()}
        names = {self[index].name: index for index in self.indices}
        if set(given) != set(names):
            wrong = sorted(set(given) ^ set(names))
            raise DeclarationError(
                f"a section needs one function for each of {', '.join(names)}; see to {', '.join(wrong)}."
            )
        what = "a component of the section"
        return self._section({names[q]: expression(value, what, functions) for q, value in given.items()})

    def _section(self, values: Mapping[_Index, Expr]) -> JetSection:
        return JetSection(
            self.parameters,
            tuple((index, self[index], values[index]) for index in self.indices),
            len(self.targets),
            self.order,
        )

    def prolong_field(
        self, xi: Sequence[Any], tau: Sequence[Any] | None = None, functions: Sequence[str] = ()
    ) -> Tensor:
        r"""The field $\tau^a\partial_a + \xi^\mu\partial_\mu$ carried to jets; a variation has $\tau = 0$.

        Components may depend on parameters and targets.

        >>> curves = JetSpace(["t"], ["x"], order=2)
        >>> print(curves.prolong_field(["0"], tau=["t"]))      # a change of the unit of time
        X^t = t
        X^x' = -x'
        X^x'' = -2*x''
        """
        what = "a component of the field"
        slide = [
            expression(each, what, functions)
            for each in expect_list(tau or [0] * len(self.parameters), "the components")
        ]
        moved = [expression(each, what, functions) for each in expect_list(xi, "the components")]
        if len(slide) != len(self.parameters) or len(moved) != len(self.targets):
            raise DeclarationError("a field needs one component for each target, and one for each parameter if any.")
        found: dict[_Index, Expr] = {(mu, ()): each for mu, each in enumerate(moved)}
        for mu, J in self.indices:
            if J:
                *shorter, a = J
                K = tuple(shorter)
                jets = [self[mu, _with(K, b)] for b in range(len(self.parameters))]
                slopes = [self.total_derivative(each, a) for each in slide]
                found[mu, J] = symengine.expand(self.total_derivative(found[mu, K], a) - dot(jets, slopes))
        values = [*slide, *(found[index] for index in self.indices)]
        return Tensor.of(self.frame, "u", {(k,): value for k, value in enumerate(values)}, "X")

    def prolong_map(self, targets: Sequence[Any], parameters: Sequence[Any] | None = None) -> dict[Symbol, Expr]:
        r"""A transformation $\bar t(t, x), \bar x(t, x)$ carried to jets: the new coordinates in terms of the old.

        .. math:: \bar x^\mu_{Ja} = (D_c\,\bar x^\mu_J)\,(M^{-1})^c{}_a, \qquad M^a{}_c = D_c\,\bar t^a

        >>> curves = JetSpace(["t"], ["x"])
        >>> curves.prolong_map(["t*x"], parameters=["2*t"])[curves.coordinates[2]]
        (1/2)*(x + t*x')
        """
        what = "a component of the transformation"
        new = [
            expression(each, what)
            for each in expect_list(self.parameters if parameters is None else parameters, "the images")
        ]
        images = [expression(each, what) for each in expect_list(targets, "the images")]
        if len(new) != len(self.parameters) or len(images) != len(self.targets):
            raise DeclarationError("a transformation needs one image for each target, and for each parameter if any.")
        r = range(len(self.parameters))
        try:
            back = inverse([[self.total_derivative(each, c) for each in new] for c in r])
        except ZeroDivisionError:
            raise DeclarationError(
                "the new parameters are dependent; a transformation needs independent ones."
            ) from None
        found: dict[_Index, Expr] = {(mu, ()): each for mu, each in enumerate(images)}
        for mu, J in self.indices:
            if J:
                *shorter, a = J
                slopes = [self.total_derivative(found[mu, tuple(shorter)], c) for c in r]
                found[mu, J] = dot(back[a], slopes)
        return dict(zip(self.parameters, new, strict=True)) | {self[index]: found[index] for index in self.indices}

    @cached_property
    def contact_forms(self) -> tuple[Form, ...]:
        r"""$\vartheta^\mu_J = dx^\mu_J - x^\mu_{Ja}\,dt^a$ for every coordinate below the top order.

        >>> print(JetSpace(["t"], ["x"]).contact_forms[0])
        -x' dt + dx
        """
        place = {q: k for k, q in enumerate(self.coordinates)}
        forms = []
        for mu, J in self.lower():
            terms = {(place[self[mu, J]],): symengine.Integer(1)}
            terms |= {(a,): -self[mu, _with(J, a)] for a in range(len(self.parameters))}
            forms.append(Form.of(self.frame, 1, terms))
        return tuple(forms)

    def _of_targets(self, images: Mapping[Any, Any] | Sequence[Any], functions: Sequence[str]) -> Vector:
        if isinstance(images, Mapping):
            given = {name_of(q, "a target"): value for q, value in images.items()}
            images = [given.get(q.name) for q in self.targets]
        if not is_list(images) or len(images) != len(self.targets) or any(each is None for each in images):
            raise DeclarationError(f"a map needs one function for each of {', '.join(q.name for q in self.targets)}.")
        return tuple(expression(each, "a component of the map", functions) for each in images)


@final
@dataclass(frozen=True, repr=False)
class JetSection(Readable):
    r"""Functions of the parameters for every jet coordinate; made by `JetSpace.prolong` and `JetSpace.section`.

    Attributes
    ----------
    parameters
        The symbols $t^a$.
    items
        Index $(\mu, J)$, symbol $x^\mu_J$ and value of every jet coordinate.
    targets, order
        How many targets there are, and how many derivatives.
    """

    parameters: tuple[Symbol, ...]
    items: tuple[tuple[_Index, Symbol, Expr], ...]
    targets: int
    order: int

    @cached_property
    def _values(self) -> dict[_Index, Expr]:
        return {index: value for index, _, value in self.items}

    def __getitem__(self, index: _Index) -> Expr:
        mu, J = index
        return self._values[mu, tuple(sorted(J))]

    @property
    def images(self) -> dict[Symbol, Expr]:
        """The value of every jet coordinate, for substitution and pullback."""
        return {q: value for _, q, value in self.items}

    def along(self, f: Expr) -> Expr:
        """A function on jets, pulled back to the parameters."""
        return f.xreplace(self.images)

    def spencer(self) -> dict[tuple[_Index, int], Expr]:
        r"""$(Ds)^\mu_{Ja} = \partial_a x^\mu_J - x^\mu_{Ja}$ by index $(\mu, J)$ and parameter $a$, zeros included.

        >>> section = JetSpace(["t"], ["x"]).section({"x": "t^2", "x'": "t"})
        >>> section.spencer()
        {((0, ()), 0): t}
        """
        return {
            ((mu, J), a): symengine.expand(partial(value, t) - self[mu, (*J, a)])
            for (mu, J), _, value in self.items
            if len(J) < self.order
            for a, t in enumerate(self.parameters)
        }

    def is_integrable(self) -> Finding:
        """Whether the section is the jet of its own targets: $Ds = 0$.

        >>> print(JetSpace(["t"], ["x"]).section({"x": "t^2", "x'": "2*t"}).is_integrable())
        the section is the jet of a map: proven, Ds = 0
        """
        names = {index: str(q) for index, q, _ in self.items}
        defects = (
            Quantity(f"D({names[index]})_{self.parameters[a]}", value) for (index, a), value in self.spencer().items()
        )
        return vanishing("the section is the jet of a map", "Ds", defects, mark="Ds")

    def as_rows(self) -> Iterable[Part]:
        return (Row(q, EQUALS, value) for _, q, value in self.items)


def compose_jets(outer: JetSection, inner: JetSection) -> JetSection:
    r"""The jet of $g \circ f$ from the jets of $g$ and of $f$, to second order.

    .. math:: (g\circ f)_a = g_\mu f^\mu_a, \qquad (g\circ f)_{ab} = g_{\mu\nu} f^\mu_a f^\nu_b + g_\mu f^\mu_{ab}

    The parameters of ``outer`` are the targets of ``inner``. It needs no integrability: jets compose at each point.

    >>> inner = JetSpace(["t"], ["x"], 2).prolong(["t^2"])
    >>> outer = JetSpace(["x"], ["y"], 2).prolong(["x^3"])
    >>> print(compose_jets(outer, inner))
    y = t^6
    y' = 6*t^5
    y'' = 30*t^4
    """
    if len(outer.parameters) != inner.targets or outer.order != inner.order or outer.order > 2:
        raise DeclarationError(
            "jets compose when the outer parameters are the inner targets and both have order 1 or 2."
        )
    at = dict(zip(outer.parameters, (inner[mu, ()] for mu in range(inner.targets)), strict=True))
    n = range(inner.targets)
    g = {(k, J): value.xreplace(at) for (k, J), _, value in outer.items}
    space = JetSpace(inner.parameters, [q for (_, J), q, _ in outer.items if not J], outer.order)
    found: dict[_Index, Expr] = {}
    for k, J in space.indices:
        if not J:
            found[k, J] = g[k, ()]
        elif len(J) == 1:
            found[k, J] = dot([g[k, (mu,)] for mu in n], [inner[mu, J] for mu in n])
        else:
            a, b = J
            first = (g[k, _with((mu,), nu)] * inner[mu, (a,)] * inner[nu, (b,)] for mu in n for nu in n)
            found[k, J] = sum(first, start=zero) + dot([g[k, (mu,)] for mu in n], [inner[mu, J] for mu in n])
    return space._section({index: symengine.expand(value) for index, value in found.items()})


def _with(J: _Multi, a: int) -> _Multi:
    return tuple(sorted((*J, a)))
