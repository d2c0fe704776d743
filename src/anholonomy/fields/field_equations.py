r"""Extremal equations of a field, with constraints by d'Alembert's principle or by the vakonomic one.

.. math::
   e_k^i\,(F_i - D_a\Pi_i^a) = 0 \quad (A_i e_k^i = 0), \qquad
   \text{vakonomic: } \Pi_i^a + \mu^a A_i \text{ and } F_i + \mu^a\,\partial_i(A_j u^j_a + b) \text{ instead of } \Pi_i^a, F_i
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from anholonomy.displays.typeset import Typeset
from anholonomy.fields.jets import Jets
from anholonomy.language.brevity import Readable, brief
from anholonomy.lazy import cached_property
from anholonomy.refusals import UnknownName
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.display.latex import latex
from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Matrix, Symbol, Vector, dot, identity, unused, zero
from anholonomy.symbolic.matrices.kernels import nullspace
from anholonomy.symbolic.matrices.linear import inverse

if TYPE_CHECKING:
    from anholonomy.fields.field import Field

__all__ = ["PRINCIPLES", "FieldEquations", "admissible_ki", "extremals", "field_equations"]

PRINCIPLES = ("dalembert", "vakonomic")


@final
@dataclass(frozen=True, repr=False)
class FieldEquations(Typeset, Readable):
    """Equations that extremals satisfy, each an expression that vanishes, in derivatives of fields and multipliers.

    Attributes
    ----------
    inside
        The extremal equations: as many as admissible directions by d'Alembert, as many as fields by the vakonomic principle.
    constrained
        The constraints.
    jets
        The names; the vakonomic principle has multipliers among the fields.
    """

    field: Field
    by: str
    jets: Jets
    inside: Vector
    constrained: Vector

    @property
    def all(self) -> Vector:
        """Extremal equations and constraints."""
        return (*self.inside, *self.constrained)

    @property
    def multipliers(self) -> tuple[Symbol, ...]:
        """Of the vakonomic principle."""
        return self.jets.fields[len(self.field.jets.fields) :]

    def lines(self, whole: bool = False) -> list[str]:
        suffix = f" by {self.by}" if self.field.constraints else ""
        rows = [f"  {brief(simplify(each), whole)} = 0" for each in self.all]
        return [f"{self.field.name}: extremal equations{suffix}", *rows]

    def latex(self) -> str:
        """One line for each equation."""
        rows = r" \\ ".join(f"{latex(simplify(each))} &= 0" for each in self.all)
        return rf"\begin{{aligned}} {rows} \end{{aligned}}"

    @cached_property
    def connection_form(self) -> Vector:
        r"""d'Alembert's equations by covariant derivatives in the adapted frame: $\bar F_k - D_a\bar\Pi_k^a + \gamma_{ak}{}^\mu\,\bar\Pi_\mu^a$.

        $\gamma_{ak}{}^\mu = (D_a e_k^i)\,\theta^\mu_i$, bars are components in the frame $e_\mu$, its first fields being admissible.
        """
        field, jets = self.field, self.field.jets
        frame_mi = adapted_mi(field)
        inverse_im = inverse(frame_mi)
        size = range(len(jets.fields))
        momentum_ma = [
            [dot(e, [row[a] for row in field.momentum_ia]) for a in range(len(jets.parameters))] for e in frame_mi
        ]
        result = []
        for k in range(len(self.inside)):
            value = dot(frame_mi[k], field.force_i)
            for a in range(len(jets.parameters)):
                moved = [jets.total(entry, a) for entry in frame_mi[k]]
                gamma = [dot(moved, [inverse_im[i][m] for i in size]) for m in size]
                value += dot(gamma, [row[a] for row in momentum_ma]) - jets.total(momentum_ma[k][a], a)
            result.append(value)
        return tuple(result)


def field_equations(field: Field, by: str = "dalembert") -> FieldEquations:
    """The equations by a principle."""
    if by not in PRINCIPLES:
        raise UnknownName(f"{field.name}: there is no principle {by!r:.40} for fields; take {' or '.join(PRINCIPLES)}.")
    jets = field.jets
    constrained = tuple(each for c in field.constraints for each in c.equations(jets))
    if by == "vakonomic" and field.constraints:
        jets, momentum, force = with_multipliers(field)
        return FieldEquations(field, by, jets, extremals(jets, momentum, force), constrained)
    inside = tuple(dot(e, field.extremal_i) for e in admissible_ki(field))
    return FieldEquations(field, by, jets, inside, constrained)


def extremals(jets: Jets, momentum_ia: Matrix, force_i: Vector) -> Vector:
    r"""$F_i - D_a\Pi_i^a$."""
    return tuple(
        F - sum((jets.total(P, a) for a, P in enumerate(row)), zero)
        for F, row in zip(force_i, momentum_ia, strict=True)
    )


def admissible_ki(field: Field) -> Matrix:
    """A basis of the variations that the constraints allow."""
    size = len(field.jets.fields)
    return nullspace([c.row for c in field.constraints]) if field.constraints else identity(size)


def adapted_mi(field: Field) -> Matrix:
    """A frame whose first fields are admissible; its last are the rows of the constraints."""
    return (*admissible_ki(field), *(c.row for c in field.constraints))


def with_multipliers(field: Field) -> tuple[Jets, Matrix, Vector]:
    """Multipliers among the fields, with momenta and forces of the one-form with its constraints added."""
    jets, mu = field.jets, list[Symbol]()
    momentum, force = [list(row) for row in field.momentum_ia], list(field.force_i)
    taken = {s.name for s in (*jets.names, *jets.parameters, *field.constant_symbols)}
    for c in field.constraints:
        for a, said in zip(c.directions, c.equations(jets), strict=True):
            mu.append(unused(f"mu{len(mu) + 1}", lambda name: name in taken))
            taken.add(mu[-1].name)
            for i, u in enumerate(jets.fields):
                momentum[i][a] += mu[-1] * c.row[i]
                force[i] += mu[-1] * partial(said, u)
    # The equation of a multiplier is its constraint, which stands by itself.
    rows = (*map(tuple, momentum),)
    return Jets(jets.parameters, (*jets.fields, *mu)), rows, tuple(force)
