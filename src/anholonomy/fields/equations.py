r"""What follows from the declaration of a field: extremal equations, first variation, constraints, currents, a Lagrangian.

.. math::
   \delta S = \int (F_i - D_a\Pi_i^a)\,\delta u^i\,dV + \oint \Pi_i^a n_a\,\delta u^i\,dA
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, final

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, identity, symbol, unused, zero
from anholonomy.algebra.linear_algebra.symbolic import inverse, nullspace
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import DeclarationError, NotSupportedError, UnknownNameError, quoted
from anholonomy.base.notebook import Shown
from anholonomy.equations.find_lagrangian import Exactness
from anholonomy.fields.expressions import Jets, Words
from anholonomy.findings import CarriesFinding, Finding, Quantity, vanishing
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.geometry.distributions.leaves import Leaves
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.potentials import potential
from anholonomy.language.answers import EQUALS, Part, Readable, Row, below, equations, joined, title
from anholonomy.language.arguments import expression

if TYPE_CHECKING:
    from anholonomy.fields.field import Field

__all__ = [
    "Current",
    "FieldConstraints",
    "FieldEquations",
    "FieldVariation",
    "current_of",
    "extremals",
    "field_equations",
    "find_lagrangian",
    "first_variation",
]


# Extremal equations, with constraints by d'Alembert's principle or by the vakonomic one.
#
# .. math::
#    e_k^i\,(F_i - D_a\Pi_i^a) = 0 \quad (A_i e_k^i = 0), \qquad
#    \text{vakonomic: } \Pi_i^a + \mu^a A_i \text{ and } F_i + \mu^a\,\partial_i(A_j u^j_a + b) \text{ instead of } \Pi_i^a, F_i


PRINCIPLES = ("dalembert", "vakonomic")


def field_equations(field: Field, by: str = "dalembert") -> FieldEquations:
    """The equations by a principle."""
    if by not in PRINCIPLES:
        raise UnknownNameError(
            f"{field.name}: there is no principle {quoted(by)} for fields; take {' or '.join(PRINCIPLES)}."
        )
    jets = field.jets
    constrained = tuple(each for c in field.constraints for each in c.equations(jets))
    if by == "vakonomic" and field.constraints:
        jets, momentum, force = _with_multipliers(field)
        return FieldEquations(field, by, jets, extremals(jets, momentum, force), constrained)
    inside = tuple(dot(e, field.extremal_i) for e in _admissible_ki(field))
    return FieldEquations(field, by, jets, inside, constrained)


@final
@dataclass(frozen=True, repr=False)
class FieldEquations(Readable):
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

    def as_rows(self) -> Iterable[Part]:
        yield title(f"{self.field.name}: extremal equations{f' by {self.by}' if self.field.constraints else ''}")
        yield from below(*((simplify(each), EQUALS, zero) for each in self.all))

    @cached_property
    def connection_form(self) -> Vector:
        r"""d'Alembert's equations by covariant derivatives in the adapted frame: $\bar F_k - D_a\bar\Pi_k^a + \gamma_{ak}{}^\mu\,\bar\Pi_\mu^a$.

        $\gamma_{ak}{}^\mu = (D_a e_k^i)\,\theta^\mu_i$, bars are components in the frame $e_\mu$, its first fields being admissible.
        """
        field, jets = self.field, self.field.jets
        frame_mi = _adapted_mi(field)
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


def extremals(jets: Jets, momentum_ia: Matrix, force_i: Vector) -> Vector:
    r"""$F_i - D_a\Pi_i^a$."""
    return tuple(
        F - sum((jets.total(P, a) for a, P in enumerate(row)), zero)
        for F, row in zip(force_i, momentum_ia, strict=True)
    )


def _admissible_ki(field: Field) -> Matrix:
    """A basis of the variations that the constraints allow."""
    size = len(field.jets.fields)
    return nullspace([c.row for c in field.constraints]) if field.constraints else identity(size)


def _adapted_mi(field: Field) -> Matrix:
    """A frame whose first fields are admissible; its last are the rows of the constraints."""
    return (*_admissible_ki(field), *(c.row for c in field.constraints))


def _with_multipliers(field: Field) -> tuple[Jets, Matrix, Vector]:
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


# The first variation: what vanishes inside, and what at the ends.
#
# .. math:: \text{free: } \Pi_i^a n_a = 0, \qquad \text{moving: also } (L\,\delta^a_b - \Pi_i^a u^i_b)\,n_a = 0


KINDS = ("fixed", "free", "moving")
"""Boundaries by a word; ``{"on": "u^2 + v^2 = 1"}`` is the fourth kind."""


def first_variation(field: Field, boundary: str | Mapping[str, Any]) -> FieldVariation:
    """Sort what must vanish."""
    names = [p.name for p in field.jets.parameters]
    if isinstance(boundary, Mapping) and "on" not in boundary:
        if unknown := [each for each in boundary if each not in names]:
            raise UnknownNameError(
                f"{field.name}: boundary[{unknown[0]!r}] is of no parameter; they are {', '.join(names)}."
            )
        kinds = [boundary.get(name, "fixed") for name in names]
    else:
        kinds = [boundary] * len(names)
    ends = tuple(_ends(field, a, kind) for a, kind in enumerate(kinds))
    return FieldVariation(field, field_equations(field).all, ends)


@final
@dataclass(frozen=True, repr=False)
class FieldVariation(Readable):
    """What extremals satisfy, inside and at the ends of each parameter."""

    field: Field
    inside: Vector
    ends: tuple[Ends, ...]

    def as_rows(self) -> Iterable[Part]:
        yield title(f"{self.field.name}: first variation")
        yield Row("inside: ", joined((simplify(each), EQUALS, zero) for each in self.inside), depth=1)
        yield from below(*self.ends)

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


@final
@dataclass(frozen=True)
class Ends(Readable):
    """What must hold at the ends of one parameter."""

    parameter: Symbol
    kind: str
    given: tuple[Symbol, ...]
    conditions: Vector

    def as_rows(self) -> Iterable[Part]:
        given = f"{', '.join(u.name for u in self.given)} {'is' if len(self.given) == 1 else 'are'} given"
        said = [(simplify(each), EQUALS, zero) for each in self.conditions]
        found = joined([*said, given if self.given else ""]) or "nothing"
        yield Row(f"at the ends of {self.parameter}: ", found)


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
            raise NotSupportedError(
                f"{field.name}: an end that moves counts the action it sweeps, which needs a Lagrangian."
            )
        swept = [
            (field.lagrangian if b == a else zero) - dot(momenta, jets.first(b)) for b in range(len(jets.parameters))
        ]
        return Ends(parameter, kind, (), (*momenta, swept[a]))
    raise UnknownNameError(
        f"{field.name}: the boundary {quoted(kind)} is unknown; take {', '.join(KINDS)}, or {{'on': equation}}."
    )


def _variation(field: Field, given: Mapping[str, Any]) -> Vector:
    names = [u.name for u in field.jets.fields]
    if unknown := [each for each in given if each not in names]:
        raise UnknownNameError(f"{field.name}: {unknown[0]!r} is no field to vary; the fields are {', '.join(names)}.")
    return tuple(expression(given[u], f"the variation of {u}") if u in given else zero for u in names)


def _maps(field: Field, given: Mapping[str, Any]) -> dict[Symbol, Expr]:
    names = [u.name for u in field.jets.fields]
    if missing := [u for u in names if u not in given]:
        raise DeclarationError(f"{field.name}: the map says nothing of {missing[0]}; give a text in the parameters.")
    return {symbol(u): expression(given[u], f"the map of {u}") for u in names}


# The constraints as an exterior system: does it have leaves, and what does it demand of maps?
#
# .. math:: \theta_i u^i_a = 0 \;\Longrightarrow\; D_b(\theta_i u^i_a) - D_a(\theta_i u^i_b) = d\theta(u_b, u_a) = 0


@final
@dataclass(frozen=True)
class FieldConstraints(Shown):
    """What the constraints of a field say together."""

    field: Field

    @cached_property
    def distribution(self) -> Distribution:
        """The admissible directions of the target, where constraints depend on fields alone."""
        field, jets = self.field, self.field.jets
        if not field.constraints:
            raise NotSupportedError(f"{field.name} has no constraints; every direction is admissible.")
        used = set().union(*(entry.free_symbols for c in field.constraints for entry in c.row))
        if any(c.offset != 0 for c in field.constraints) or not used.isdisjoint(jets.parameters):
            raise NotSupportedError(
                f"{field.name}: its constraints depend on parameters; directions of the target need forms that do not."
            )
        return Distribution(Frame.chart(jets.fields), tuple(c.row for c in field.constraints))

    def is_integrable(self) -> Finding:
        """Whether the admissible directions of the target have leaves: Frobenius, with the proof or the bracket that leaves them."""
        return self.distribution.is_integrable()

    def leaves(self) -> Leaves:
        """The functions of the fields that stay constant, where there are leaves."""
        return self.distribution.leaves()

    @cached_property
    def compatibility(self) -> Vector:
        r"""What two directions demand of first derivatives besides the constraints, $d\theta(u_a, u_b) = 0$: Spencer's operator on them.

        Empty where each constraint speaks of one direction; zero where there are leaves.
        """
        jets, found = self.field.jets, list[Expr]()
        for c in self.field.constraints:
            for a, b in combinations(c.directions, 2):
                first, second = jets.first(a), jets.first(b)
                value = zero
                for i, j in combinations(range(len(jets.fields)), 2):
                    curl = partial(c.row[j], jets.fields[i]) - partial(c.row[i], jets.fields[j])
                    value += curl * (first[i] * second[j] - first[j] * second[i])
                value += sum((partial(A, jets.parameters[a]) * u for A, u in zip(c.row, second, strict=True)), zero)
                value -= sum((partial(A, jets.parameters[b]) * u for A, u in zip(c.row, first, strict=True)), zero)
                found.append(simplify(value))
        return tuple(found)


# Currents of symmetries: conserved on extremals, or what feeds them.
#
# .. math::
#    J^a = \Pi_i^a\,(\eta^i - \xi^b u^i_b) + L\,\xi^a, \qquad
#    D_a J^a = -E_i\,(\eta^i - \xi^b u^i_b) + \bigl[\eta^i_{;a}\Pi_i^a + \eta^i F_i + \dots\bigr]


def current_of(field: Field, generator: Mapping[str, Any]) -> Current:
    """The current of a generator; where parameters are moved a Lagrangian is needed."""
    jets = field.jets
    words = Words(field.name, jets, None)
    parameters, names = [p.name for p in jets.parameters], [u.name for u in jets.fields]
    if unknown := [each for each in generator if each not in (*parameters, *names)]:
        raise UnknownNameError(f"{field.name}: {unknown[0]!r} is neither a parameter nor a field of it.")
    moved = {each: words.read(value, f"the generator along {each}", 0) for each, value in generator.items()}
    xi = [moved.get(p, zero) for p in parameters]
    eta = [moved.get(u, zero) for u in names]
    if field.lagrangian is None and any(entry != 0 for entry in xi):
        raise NotSupportedError(
            f"{field.name}: a symmetry that moves parameters needs a Lagrangian; move fields alone."
        )
    if field.constraints:
        raise NotSupportedError(
            f"{field.name}: currents are given without constraints, whose reactions would feed them."
        )
    L = zero if field.lagrangian is None else field.lagrangian
    directions = range(len(parameters))
    # What a symmetry does at one place: the change of the field less what its transport brings.
    change = [e - sum((xi[b] * jets.first(b)[i] for b in directions), zero) for i, e in enumerate(eta)]
    components = tuple(dot([row[a] for row in field.momentum_ia], change) + L * xi[a] for a in directions)
    # On extremals D_a J^a + E_i Q^i has no second derivatives left: it is what the symmetry lacks.
    source = simplify(sum((jets.total(J, a) for a, J in enumerate(components)), dot(field.extremal_i, change)))
    shown = " + ".join(
        f"d/d{each}" if value == 1 else f"({value}) d/d{each}" for each, value in moved.items() if value != 0
    )
    claim = f"the current of {shown or 'nothing'} is conserved"
    finding = vanishing(claim, "div J", [Quantity("div J", source)])
    return Current(field, components, source, finding)


@final
@dataclass(frozen=True, repr=False)
class Current(CarriesFinding, Readable):
    """A current, what its divergence is on extremals, and whether that vanishes."""

    field: Field
    components: Vector
    source: Expr
    finding: Finding

    def as_rows(self) -> Iterable[Part]:
        yield self.finding
        parts = zip(self.field.jets.parameters, self.components, strict=True)
        yield from equations({f"J_{a}": simplify(J) for a, J in parts})


# Is there a Lagrangian behind forces and momenta?
#
# .. math:: F_i\,du^i + \Pi_i^a\,du^i_a = dL, \qquad \text{parameters } t^a \text{ held}


def find_lagrangian(field: Field) -> Exactness:
    """Decide by mixed derivatives, then integrate; beside a Lagrangian only applied forces are left to integrate."""
    jets = field.jets
    directions = range(len(jets.parameters))
    places = [*jets.fields, *(u for a in directions for u in jets.first(a))]
    names = [f"force on {u}" for u in jets.fields]
    names += [f"momentum of {u} along {jets.parameters[a]}" for a in directions for u in jets.fields]
    form = [*field.force_i, *(row[a] for a in directions for row in field.momentum_ia)]
    gaps = (
        Quantity(
            f"d({names[i]})/d({places[j]}) - d({names[j]})/d({places[i]})",
            partial(form[i], places[j]) - partial(form[j], places[i]),
        )
        for i, j in combinations(range(len(places)), 2)
    )
    closed = vanishing("forces and momenta come from a Lagrangian", "every difference of mixed derivatives", gaps)
    if not closed:
        return Exactness(closed, None)
    own = zero if field.lagrangian is None else field.lagrangian
    rest = form if field.lagrangian is None else [*field.applied_i, *(zero for _ in form[len(jets.fields) :])]
    found = potential(places, tuple(rest))
    return Exactness(closed, None if found is None else simplify(own + found))
