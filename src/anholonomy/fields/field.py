r"""A `Field`: a map of a region of several parameters, declared by a Lagrangian or by forces and momenta, with constraints.

.. math::
   \phi = F_i\,du^i + \Pi_i^a\,du^i_a, \qquad
   \phi(\delta^1 u) = (F_i - D_a \Pi_i^a)\,\delta u^i + D_a(\Pi_i^a\,\delta u^i)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, final

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol, free_symbols, symbol, zero
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import DeclarationError, UnknownNameError, quoted
from anholonomy.base.notebook import Typeset
from anholonomy.fields.equations import (
    Current,
    FieldConstraints,
    FieldEquations,
    FieldVariation,
    current_of,
    extremals,
    field_equations,
    find_lagrangian,
    first_variation,
)
from anholonomy.fields.expressions import FieldConstraint, Jets, Words, read_constraints, read_jets
from anholonomy.language.arguments import expect_mapping, value_of

if TYPE_CHECKING:
    import xarray as xr

    from anholonomy.equations.find_lagrangian import Exactness

__all__ = ["Field"]


@final
@dataclass(frozen=True, init=False, repr=False)
class Field(Typeset):
    r"""Maps $t^a \mapsto u^i$ whose first variation is given: by a Lagrangian, or by forces $F_i$ and momenta $\Pi_i^a$.

    Parameters
    ----------
    name
        What to call it.
    parameters
        Names of the independent variables, such as ``["t", "s"]``; derivatives are ``u_t``, ``u_ts``.
    fields
        Names of the dependent ones.
    lagrangian
        A text in fields and first derivatives; forces may be added to its own.
    momenta
        Instead: by parameter, ``{"t": "rho*u_t", "s": "-T*u_s"}``; of several fields by parameter and field,
        ``{"t": {"u": …, "v": …}, …}``.
    forces
        By field.
    constraints
        Equations linear in first derivatives: ``u_t = r*theta_t`` in one direction, ``dv = w*du`` in every one.
    constants
        Values by name, None for free ones. Without it every other letter is a free constant.

    Examples
    --------
    >>> string = Field(name="string", parameters=["t", "s"], fields=["u"],
    ...                momenta={"t": "rho*u_t", "s": "-T*u_s"}, forces={"u": "-c*u_t"})
    >>> print(string.equations())
    string: extremal equations
      T*u_ss - c*u_t - rho*u_tt = 0
    """

    name: str
    jets: Jets
    lagrangian: Expr | None
    momentum_ia: tuple[tuple[Expr, ...], ...]
    force_i: tuple[Expr, ...]
    applied_i: tuple[Expr, ...]
    constraints: tuple[FieldConstraint, ...]
    constant_items: tuple[tuple[str, float | None], ...]

    def __init__(
        self,
        *,
        parameters: Sequence[str],
        fields: Sequence[str],
        name: str = "field",
        lagrangian: Any = None,
        momenta: Mapping[str, Any] | None = None,
        forces: Mapping[str, Any] | None = None,
        constraints: Sequence[Any] | Mapping[str, Any] = (),
        constants: Mapping[str, float | None] | None = None,
    ) -> None:
        if not isinstance(name, str):
            raise DeclarationError(f"a field has the name {quoted(name)}; give a text.")
        jets = read_jets(name, parameters, fields)
        known = _constants(name, jets, constants)
        words = Words(name, jets, None if known is None else frozenset(known))
        if (lagrangian is None) == (momenta is None):
            raise DeclarationError(f"{name}: give either a Lagrangian, or momenta (and forces), not both or neither.")
        applied = _by_field(words, forces or {}, "the force on")
        if momenta is None:
            L: Expr | None = words.read(lagrangian, "the Lagrangian")
            momentum = tuple(
                tuple(partial(L, jets.of(i, (a,))) for a in range(len(jets.parameters)))
                for i in range(len(jets.fields))
            )
            own = tuple(partial(L, u) for u in jets.fields)
        else:
            L, momentum, own = None, _momenta(words, momenta), (zero,) * len(jets.fields)
        rows = read_constraints(words, constraints)
        used = free_symbols([*applied, *own, *((L and [L]) or []), *(e for r in momentum for e in r)])
        used |= free_symbols([e for c in rows for e in (*c.row, c.offset)])
        letters = sorted(s.name for s in used if s not in jets.names and s not in jets.parameters)
        values = dict.fromkeys(letters) if known is None else known
        for attribute, value in {
            "name": name,
            "jets": jets,
            "lagrangian": L,
            "momentum_ia": momentum,
            "force_i": tuple(f + Q for f, Q in zip(own, applied, strict=True)),
            "applied_i": applied,
            "constraints": rows,
            "constant_items": tuple(values.items()),
        }.items():
            object.__setattr__(self, attribute, value)

    def __repr__(self) -> str:
        jets = self.jets
        shown = f"({', '.join(u.name for u in jets.fields)}) of ({', '.join(p.name for p in jets.parameters)})"
        return f"Field({self.name!r}, {shown}, {len(self.constraints)} constraints)"

    @property
    def constants(self) -> dict[str, float | None]:
        """The constants with their values; None for free ones."""
        return dict(self.constant_items)

    @property
    def constant_symbols(self) -> tuple[Symbol, ...]:
        return tuple(symbol(name) for name, _ in self.constant_items)

    def with_constants(self, **values: float | None) -> Self:
        """The same field with other values."""
        if unknown := [name for name in values if name not in self.constants]:
            raise UnknownNameError(
                f"{self.name} has no constant {unknown[0]!r}; it has {', '.join(self.constants) or 'none'}."
            )
        changed = {name: value_of(value, name) for name, value in values.items()}
        made = object.__new__(type(self))
        for attribute, value in self.__dict__.items():
            object.__setattr__(made, attribute, value)
        object.__setattr__(made, "constant_items", tuple((self.constants | changed).items()))
        return made

    @cached_property
    def extremal_i(self) -> tuple[Expr, ...]:
        r"""$E_i = F_i - D_a \Pi_i^a$, which unconstrained extremals make zero."""
        return extremals(self.jets, self.momentum_ia, self.force_i)

    def equations(self, by: str = "dalembert") -> FieldEquations:
        """The extremal equations; with constraints by d'Alembert's principle, or ``by="vakonomic"``."""
        return field_equations(self, by)

    def latex(self, by: str = "dalembert") -> str:
        """The equations in LaTeX."""
        return self.equations(by).latex()

    def first_variation(self, boundary: str | Mapping[str, Any] = "fixed") -> FieldVariation:
        """The first variation: what must vanish inside, and at the boundary for fixed, free, moving or guided ends.

        ``boundary`` is a word for all ends, or one for each parameter: ``{"s": "free", "t": "fixed"}``; ``{"s": {"on": "u^2 + v^2 = 1"}}``
        guides the end along a surface.

        >>> string = Field(parameters=["t", "s"], fields=["u"], lagrangian="u_t^2/2 - u_s^2/2")
        >>> print(string.first_variation({"t": "fixed", "s": "free"}))
        field: first variation
          inside: u_ss - u_tt = 0
          at the ends of t: u is given
          at the ends of s: -u_s = 0
        """
        return first_variation(self, boundary)

    def find_lagrangian(self) -> Exactness:
        """Whether forces and momenta come from a Lagrangian, and which; or the mixed derivative that says no."""
        return find_lagrangian(self)

    def current(self, **generator: Any) -> Current:
        """The current of a symmetry, by what it does to fields and parameters: ``current(t="1")``, ``current(u="1")``.

        >>> wave = Field(parameters=["t", "s"], fields=["u"], lagrangian="u_t^2/2 - u_s^2/2")
        >>> print(wave.current(t=1))
        the current of d/dt is conserved: proven, div J = 0
          J_t = -(u_s^2 + u_t^2)/2
          J_s = u_s*u_t
        """
        return current_of(self, generator)

    @cached_property
    def constraint(self) -> FieldConstraints:
        """The constraints as an exterior system: directions, integrability, what it demands of maps."""
        return FieldConstraints(self)

    def solve(
        self,
        grid: Mapping[str, Any],
        boundary: Mapping[str, Any],
        start: Mapping[str, Any],
        until: float | None = None,
        times: Sequence[float] | None = None,
        *,
        by: str = "dalembert",
        constants: Mapping[str, float] | None = None,
        scheme: str | None = None,
        order: int = 4,
        tolerance: float = 1e-8,
    ) -> xr.Dataset:
        """The motion of the field by the method of lines; its dimensions are time and the parameters of the ``grid``.

        ``grid`` is ``{"s": (0, 1, 400)}``: from, to, how many points. ``boundary`` is ``{"s": "periodic"}``, or a condition for each end:
        ``{"s=0": "u = 0", "s=1": "u_s = 0"}``, several in a list; ``"fixed"`` keeps the start and ``"free"`` has no momentum through it.
        ``start`` has a text in the parameters, an array or a number for each field, and for its rate (``"u_t"``). The ``scheme`` is
        ``"differences"`` of an ``order`` (2, 4, 6), or ``"spectral"`` (Fourier on periodic grids, Chebyshev elsewhere).
        """
        from anholonomy.fields.evolution import evolved

        field = self.with_constants(**constants) if constants else self
        return evolved(field, grid, boundary, start, until, times, by, scheme, order, tolerance)

    def stationary(
        self,
        grid: Mapping[str, Any],
        boundary: Mapping[str, Any],
        guess: Mapping[str, Any] | None = None,
        *,
        constants: Mapping[str, float] | None = None,
        scheme: str | None = None,
        order: int = 4,
        tolerance: float = 1e-10,
    ) -> xr.Dataset:
        """The extremal over a region of space, by Newton's method with exact derivatives; words as for `solve`."""
        from anholonomy.fields.rest import rested

        field = self.with_constants(**constants) if constants else self
        return rested(field, grid, boundary, guess or {}, scheme, order, tolerance)

    def plot(self, run: xr.Dataset, path: Any = None) -> Any:
        """Space and time of every field of a solution; returns the axes, and keeps the picture in a file if one is named."""
        from anholonomy.show.figures.space_time import plot_field

        return plot_field(run, path)

    def animate(self, run: xr.Dataset, path: Any) -> Any:
        """A film (.gif) of a string or a sheet."""
        from anholonomy.show.figures.space_time import animate_field

        return animate_field(run, path)


def _constants(name: str, jets: Jets, given: Any) -> dict[str, float | None] | None:
    if given is None:
        return None
    expect_mapping(given, f"{name}: the constants", "a dict from names to numbers")
    taken = {s.name for s in (*jets.parameters, *jets.names)}
    if clash := [each for each in given if each in taken]:
        raise DeclarationError(f"{name}: {clash[0]} is a constant and a parameter, field or derivative; rename one.")
    return {each: value_of(value, each) for each, value in given.items()}


def _by_field(words: Words, given: Any, what: str) -> tuple[Expr, ...]:
    names = [u.name for u in words.jets.fields]
    expect_mapping(given, f"{words.name}: {what} fields", "a dict from fields to texts", verb="is")
    if unknown := [each for each in given if each not in names]:
        raise UnknownNameError(
            f"{words.name}: {what} {unknown[0]!r}, which is no field; the fields are {', '.join(names)}."
        )
    return tuple(words.read(given[u], f"{what} {u}") if u in given else zero for u in names)


def _momenta(words: Words, given: Any) -> tuple[tuple[Expr, ...], ...]:
    """By parameter, then by field; a single field needs no second key."""
    jets = words.jets
    names = [p.name for p in jets.parameters]
    expect_mapping(given, f"{words.name}: the momenta", "a dict from parameters to texts")
    if unknown := [each for each in given if each not in names]:
        raise UnknownNameError(
            f"{words.name}: momenta[{unknown[0]!r}] is of no parameter; they are {', '.join(names)}."
        )
    columns = []
    for a in names:
        part = given.get(a, {})
        if not isinstance(part, Mapping):
            if len(jets.fields) > 1:
                raise DeclarationError(
                    f"{words.name}: momenta[{a!r}] must say of which field: a dict from fields to texts."
                )
            part = {jets.fields[0].name: part}
        columns.append(_by_field(words, part, f"the momentum along {a} of"))
    return tuple(zip(*columns, strict=True))
