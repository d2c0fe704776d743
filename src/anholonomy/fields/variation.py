r"""The first variation of a field: what vanishes inside, and what at the boundary.

.. math::
   \delta S = \int (F_i - D_a\Pi_i^a)\,\delta u^i\,dV + \oint \Pi_i^a n_a\,\delta u^i\,dA, \qquad
   \text{moving: } (L\,\delta^a_b - \Pi_i^a u^i_b)\,n_a = 0
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from anholonomy.fields.field_equations import field_equations
from anholonomy.fields.parsing import Words
from anholonomy.findings import Finding, Quantity, vanishing
from anholonomy.language.brevity import Readable, brief
from anholonomy.language.given import expression
from anholonomy.refusals import IllPosedSystem, NotCovered, UnknownName
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, dot, symbol, zero
from anholonomy.symbolic.matrices.kernels import nullspace

if TYPE_CHECKING:
    from anholonomy.fields.field import Field

__all__ = ["KINDS", "FieldVariation", "first_variation"]

KINDS = ("fixed", "free", "moving")
"""Boundaries by a word; ``{"on": "u^2 + v^2 = 1"}`` is the fourth kind."""


@final
@dataclass(frozen=True)
class Ends(Readable):
    """What must hold at the ends of one parameter."""

    parameter: Symbol
    kind: str
    given: tuple[Symbol, ...]
    conditions: Vector

    def lines(self, whole: bool = False) -> list[str]:
        said = [f"{brief(simplify(each), whole)} = 0" for each in self.conditions]
        said += (
            [f"{', '.join(u.name for u in self.given)} {'is' if len(self.given) == 1 else 'are'} given"]
            if self.given
            else []
        )
        return [f"at the ends of {self.parameter}: {', '.join(said) or 'nothing'}"]


@final
@dataclass(frozen=True, repr=False)
class FieldVariation(Readable):
    """What extremals satisfy, inside and at the ends of each parameter."""

    field: Field
    inside: Vector
    ends: tuple[Ends, ...]

    def lines(self, whole: bool = False) -> list[str]:
        inside = ", ".join(f"{brief(simplify(each), whole)} = 0" for each in self.inside)
        return [f"{self.field.name}: first variation", f"  inside: {inside}", *(f"  {each}" for each in self.ends)]

    def identity(self, variation: Mapping[str, Any]) -> Finding:
        r"""That $\phi(\delta^1 u) = E_i\,\delta u^i + D_a(\Pi_i^a\,\delta u^i)$, for a variation in fields and parameters."""
        field, jets = self.field, self.field.jets
        delta = _variation(field, variation)
        paired = dot(field.force_i, delta)
        whole = dot(field.extremal_i, delta)
        for a in range(len(jets.parameters)):
            momenta = [row[a] for row in field.momentum_ia]
            paired += dot(momenta, [jets.total(d, a) for d in delta])
            whole += jets.total(dot(momenta, delta), a)
        return vanishing("the first variation is split", "the difference", [Quantity("the difference", paired - whole)])

    def density(self, maps: Mapping[str, Any], variation: Mapping[str, Any]) -> Expr:
        r"""$\phi(\delta^1 u)$ along given functions of the parameters, to be integrated over the region."""
        field, jets = self.field, self.field.jets
        delta = _variation(field, variation)
        value = dot(field.force_i, delta)
        for a in range(len(jets.parameters)):
            value += dot([row[a] for row in field.momentum_ia], [jets.total(d, a) for d in delta])
        return value.xreplace(jets.prolonged(_maps(field, maps)))

    def is_extremal(self, maps: Mapping[str, Any]) -> Finding:
        """Whether given functions of the parameters satisfy the equations inside."""
        values = self.field.jets.prolonged(_maps(self.field, maps))
        left = (Quantity(f"equation {k + 1}", each.xreplace(values)) for k, each in enumerate(self.inside))
        return vanishing("the map is an extremal", "every equation", left)


def first_variation(field: Field, boundary: str | Mapping[str, Any]) -> FieldVariation:
    """Sort what must vanish."""
    names = [p.name for p in field.jets.parameters]
    if isinstance(boundary, Mapping) and "on" not in boundary:
        if unknown := [each for each in boundary if each not in names]:
            raise UnknownName(
                f"{field.name}: boundary[{unknown[0]!r}] is of no parameter; they are {', '.join(names)}."
            )
        kinds = [boundary.get(name, "fixed") for name in names]
    else:
        kinds = [boundary] * len(names)
    ends = tuple(_ends(field, a, kind) for a, kind in enumerate(kinds))
    return FieldVariation(field, field_equations(field).all, ends)


def _ends(field: Field, a: int, kind: Any) -> Ends:
    jets = field.jets
    parameter, momenta = jets.parameters[a], tuple(row[a] for row in field.momentum_ia)
    if isinstance(kind, Mapping) and set(kind) == {"on"}:
        given = kind["on"] if isinstance(kind["on"], list | tuple) else [kind["on"]]
        words = Words(field.name, jets, None)
        surfaces = [words.read_equation(text, "the surface of an end", 0) for text in given]
        along = nullspace([[partial(g, u) for u in jets.fields] for g in surfaces])
        return Ends(parameter, "on", (), (*surfaces, *(dot(e, momenta) for e in along)))
    if kind == "fixed":
        return Ends(parameter, kind, jets.fields, ())
    if kind == "free":
        return Ends(parameter, kind, (), momenta)
    if kind == "moving":
        if field.lagrangian is None:
            raise NotCovered(f"{field.name}: an end that moves counts the action it sweeps, which needs a Lagrangian.")
        swept = [
            (field.lagrangian if b == a else zero) - dot(momenta, jets.first(b)) for b in range(len(jets.parameters))
        ]
        return Ends(parameter, kind, (), (*momenta, swept[a]))
    raise UnknownName(
        f"{field.name}: the boundary {kind!r:.40} is unknown; take {', '.join(KINDS)}, or {{'on': equation}}."
    )


def _variation(field: Field, given: Mapping[str, Any]) -> Vector:
    names = [u.name for u in field.jets.fields]
    if unknown := [each for each in given if each not in names]:
        raise UnknownName(f"{field.name}: {unknown[0]!r} is no field to vary; the fields are {', '.join(names)}.")
    return tuple(expression(given[u], f"the variation of {u}") if u in given else zero for u in names)


def _maps(field: Field, given: Mapping[str, Any]) -> dict[Symbol, Expr]:
    names = [u.name for u in field.jets.fields]
    if missing := [u for u in names if u not in given]:
        raise IllPosedSystem(f"{field.name}: the map says nothing of {missing[0]}; give a text in the parameters.")
    return {symbol(u): expression(given[u], f"the map of {u}") for u in names}
