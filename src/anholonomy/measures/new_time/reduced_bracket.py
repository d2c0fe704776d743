r"""Route and answer: the almost-Poisson bracket of the system becomes a Poisson bracket in a new time.

.. math:: \{q^i, \pi_a\} = X_a{}^i, \qquad \{\pi_a, \pi_b\} = -C_{ab}{}^d\pi_d, \qquad P[X_a, X_b] = C_{ab}{}^dX_d

Let the fields $\xi$ commute with the $X_a$ and leave the energy alone. On functions that they leave alone too, $f^{-1}\{\,,\}$ obeys Jacobi's
identity exactly when, with $\psi_a = X_a(\ln f)$ and $\xi(f) = 0$,

.. math:: [X_a, X_b] - C_{ab}{}^dX_d - \psi_aX_b + \psi_bX_a \in \operatorname{span}\xi, \qquad
   \sum_{abc} \bigl(X_c(C_{ab}{}^d) - \psi_cC_{ab}{}^d - C_{ab}{}^eC_{ec}{}^d\bigr) = 0 \ \ (\text{cyclic}),

and then the motion is Hamiltonian in the time $d\tau = f\,dt$. Both are linear in $\psi$. A refutation is one of this bracket: others that give the
same motion, its gauge transforms, are not looked at. A multiplier without a closed form is known by $X_a(\ln f) = \psi_a$ and $d\ln f/dt = \psi_au^a$; it is 1
where a path to a state begins (`anholonomy.measures.path_integral`), and along a motion where that does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, final

import numpy as np
import symengine

from anholonomy.algebra.calculus import along
from anholonomy.algebra.constant_relations import constant_relations
from anholonomy.algebra.expressions import Expr, Matrix, Vector, dot, identity, zero
from anholonomy.algebra.linear_algebra.sampled import certified_rows
from anholonomy.algebra.linear_algebra.symbolic import nullspace_on, solve
from anholonomy.algebra.normal_forms.canonical import NoNormalForm
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import ASIDE, check, effort, patience
from anholonomy.base.errors import NotSupportedError, TimeLimitError
from anholonomy.base.tolerances import GATHERED
from anholonomy.base.verdict import Verdict
from anholonomy.equations.almost_poisson import AlmostPoisson, almost_poisson
from anholonomy.equations.reduction.quotient import Quotient
from anholonomy.equations.reduction.symmetries import candidates
from anholonomy.findings import CarriesFinding, Finding, Identity, Quantity, Scope, vanishing
from anholonomy.language.answers import Part, Readable, below, equations
from anholonomy.language.writing import brief
from anholonomy.laws.divergence import Divergence
from anholonomy.laws.evaluation import expect_motion, value_at, within
from anholonomy.laws.generic_scope import generic, on_declared_level
from anholonomy.laws.group_functions import logarithms_in_names
from anholonomy.laws.primitives import exponential, primitive_along
from anholonomy.laws.prolongation.bracket_closure import BracketClosure, ValuedField, contradiction
from anholonomy.laws.reduced_motion import reduced_motion
from anholonomy.measures.new_time.all_symmetries import none_missing
from anholonomy.measures.new_time.along_motion import apart_in_new_time, new_times, old_times
from anholonomy.measures.new_time.no_multiplier_by_rank import Overdetermined, overdetermined
from anholonomy.measures.path_integral import PathIntegral
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

__all__ = [
    "ReducedBracket",
    "bracket_in_new_time",
    "has_bracket",
    "modulo_all_symmetries",
    "rank_of",
    "undecided_bracket",
]

_LONGEST = 3_000
"""Operations in the inertia up to which symmetries are looked for: derivatives of its inverse grow with the square of them."""


def has_bracket(model: Model) -> bool:
    """True if the motion is that of a bracket: constraints linear in the velocities, nothing that changes with time, no applied forces."""
    motion = reduced_motion(model)
    if model.momenta_a is not None or not motion.has_frame or motion.mentions_time:
        return False
    return all(F == 0 for F in model.forces_a) and not Divergence(motion).has_offset


def bracket_in_new_time(model: Model, time_limit: float | None) -> ReducedBracket:
    """The decision, within a time."""
    try:
        with patience(time_limit):
            found = ReducedBracket(*_Search(Divergence(reduced_motion(model))).decided(_claim(model)))
            found = replace(found, finding=on_declared_level(found.finding, model))
            return modulo_all_symmetries(found, found.symmetries, model.directions)
    except (TimeLimitError, KeyboardInterrupt) as trouble:
        return undecided_bracket(model, trouble)


def modulo_all_symmetries(found: ReducedBracket, symmetries: Matrix, directions: Sequence[str]) -> ReducedBracket:
    """A refutation modulo the symmetries that were found, as one modulo all where none is missing; otherwise it is said beside what stays unknown.

    More symmetries leave fewer functions alone, whose bracket may be Poisson.
    """
    finding = found.finding
    if not finding.is_refuted or any(isinstance(each, Overdetermined) for each in finding.evidence):
        return found
    model = found.model if found.quotient is None else found.quotient.model
    all_of_them = None
    try:
        with effort(ASIDE):
            all_of_them = none_missing(reduced_motion(model.without_zero_parameters), len(symmetries))
    except TimeLimitError:
        check()
    if all_of_them is not None:
        return replace(found, finding=replace(finding, evidence=(*finding.evidence, all_of_them)))
    names = "; ".join(in_directions(row, directions) for row in symmetries)
    which = f"which are {names}" if names else "and none was found"
    why = f"modulo the symmetries that were found, {which}, it is not, and others may be missing"
    there = finding.claim.replace("that its symmetries leave alone", "that the symmetries which were found leave alone")
    there = there.replace("modulo symmetries", "modulo the symmetries that were found")
    return replace(
        found, finding=Finding.unknown(finding.claim, why), besides=(replace(finding, claim=there), *found.besides)
    )


def in_directions(row: Vector, directions: Sequence[str]) -> str:
    """A field in words, such as -y along x, x along y."""
    return ", ".join(f"{brief(e)} along {name}" for e, name in zip(row, directions, strict=True) if e != 0)


def undecided_bracket(model: Model, why: object) -> ReducedBracket:
    """The answer that nothing is known, and why."""
    return ReducedBracket(Finding.unknown(_claim(model), why), model, (), None)


def _claim(model: Model) -> str:
    return f"the bracket of {model.name}, on functions that its symmetries leave alone, is Poisson in a new time"


def rank_of(form: AlmostPoisson) -> int:
    """The rank of a bracket at generic points, as balls prove it at one."""
    return len(certified_rows(form.matrix_xy, on=form.model.frame.orbit))


@final
@dataclass(frozen=True, repr=False)
class ReducedBracket(CarriesFinding, Readable):
    r"""The bracket of functions that symmetries leave alone, Poisson in a new time, $d\tau = f\,dt$; true in an ``if`` when that is proven.

    Attributes
    ----------
    finding
        The claim, its verdict and its evidence.
    symmetries
        The fields $\xi$ in the frame of the system, a row each.
    logarithm
        $\ln f$ where it was found, otherwise None; in the coordinates of the bracket.
    form
        The bracket of the old time; None where it is written when asked for.
    quotient
        The reduction by which the answer for ``model`` was found; None where ``model`` itself was asked.
    besides
        What was found before over other reductions of the same system.
    declared
        The system as it was declared where that has constraints on positions, which are solved in ``model``; otherwise None.
    hull
        The fields with the derivatives of $\ln f$ along them, where it was found in no closed form.
    """

    finding: Finding
    model: Model
    symmetries: Matrix
    logarithm: Expr | None
    form: AlmostPoisson | None = field(default=None, compare=False)
    quotient: Quotient | None = field(default=None, compare=False)
    besides: tuple[Finding, ...] = field(default=(), compare=False)
    declared: Model | None = field(default=None, compare=False)
    hull: BracketClosure | None = field(default=None, compare=False)
    lagrangian: None = field(default=None, init=False)

    @cached_property
    def multiplier(self) -> Expr | None:
        r"""$f$ with $d\tau = f\,dt$, in the names of the system; $f^{-1}\{\,,\}$ obeys Jacobi's identity."""
        if self.logarithm is None or self.quotient is None:
            return self._below
        return simplify(exponential(self.logarithm.xreplace(dict(self.quotient.space.named))))

    @cached_property
    def _below(self) -> Expr | None:
        """The multiplier in the coordinates of the bracket."""
        return None if self.logarithm is None else simplify(exponential(self.logarithm))

    @property
    def reduction(self) -> str:
        """By what the system was divided, and what is left of the configuration."""
        if self.quotient is None:
            return ""
        space = self.quotient.space
        left = [f"{s} = {brief(value)}" for s, value in space.named.items()] + [q.name for q in space.kept]
        return f"modulo a group of dimension {len(self.quotient.symmetries)}: {', '.join(left) or 'speeds alone'}"

    @cached_property
    def _form(self) -> AlmostPoisson:
        return self.form or almost_poisson(self.model)

    @property
    def bracket(self) -> AlmostPoisson:
        r"""The bracket of the new time, $f^{-1}\{\,,\}$, with the same Hamiltonian.

        >>> from anholonomy.catalogue import suslov
        >>> print(suslov().hamiltonize().bracket)
        Suslov, reduced: Hamiltonian form on the constraint submanifold
          M1 = I11*w1
          M2 = I22*w2
          h = (M1^2/I11 + M2^2/I22)/2
          {M1, M2} = -(I13*M1/I11 + I23*M2/I22)
        """
        _ = self._plain
        rows = tuple(tuple(simplify(e / self._below) for e in row) for row in self._form.matrix_xy)
        return replace(self._form, matrix_xy=rows)

    @property
    def hamiltonian(self) -> Expr:
        r"""$h(q, \pi)$, which goes with the bracket in either time."""
        return self._form.hamiltonian

    @property
    def momenta(self) -> dict[str, Expr]:
        """The momenta of the bracket by name, in its coordinates and speeds."""
        return dict(zip((p.name for p in self._form.momenta), self._form.definitions, strict=True))

    @property
    def why_no_lagrangian(self) -> str:
        """The sentence that says why `lagrangian` is None."""
        return (
            "no Lagrangian is given here: what is Hamiltonian are the functions that symmetries leave alone, and their bracket is not one "
            "of coordinates with as many momenta"
        )

    @cached_property
    def remark(self) -> str:
        """A remark that a bracket of rank two says little: $f$ cancels from its Jacobi identity."""
        if not self or rank_of(self._form) > 2:
            return ""
        return "the bracket has rank two, and of such a one every function is a multiplier: nothing follows about a Lagrangian"

    def check(self, run: Any) -> Finding:
        r"""Compare the motion of $f^{-1}\{\,,\}$ in the new time, from the same start, with a motion.

        Where momenta divide by what vanishes on the way, it is started again after that.

        >>> from anholonomy.catalogue import veselova
        >>> top = veselova()
        >>> run = top.simulate({"q0": 0.8, "q1": 0, "q2": 0.6, "q3": 0, "w1": 0.7, "w2": 2, "w3": 2.4}, until=1)
        >>> bool(top.hamiltonize().check(run))
        True
        """
        f, own, numbers = self._below, self._form.model.frame.in_coordinates, self._numbers
        if numbers is None:
            apart = apart_in_new_time(run, self._form, own(f) if f is not None else f, self._plain, self.quotient)
        else:
            apart = apart_in_new_time(run, self._form, None, numbers.rate, self.quotient, numbers.rate_below)
        return within("the motion is one of the bracket in the new time", "the largest distance", apart, GATHERED)

    def __call__(self, state: Mapping[str, object]) -> float:
        """$|f|$ at a state, the rate of the new time, which grows; what it does not depend on may be left out."""
        if self._numbers is not None:
            return self._numbers.at(state)
        return abs(value_at(self.declared or self.model, self._plain, state, "the multiplier"))

    @cached_property
    def _numbers(self) -> _NumericMultiplier | None:
        """The multiplier in numbers, where it has no closed form."""
        if not self or self.logarithm is not None or self.hull is None:
            return None
        return _NumericMultiplier(self.hull, self._form.model, self.model, self.quotient)

    def _over_time(self, run: Any) -> tuple[Expr | None, Expr]:
        """The multiplier along a motion, or the rate of its logarithm."""
        found = (None, self._numbers.rate) if self._numbers is not None else (self._plain, zero)
        expect_motion(run, self.model)
        return found

    def time(self, run: Any) -> xr.DataArray:
        r"""$\tau$ along a motion, 0 at its start."""
        return new_times(run, *self._over_time(run))

    def old_time(self, run: Any, tau: Any) -> xr.DataArray:
        r"""$t$ along a motion at given values of $\tau$, which is 0 at its start: the inverse of `time`."""
        return old_times(run, *self._over_time(run), tau)

    @property
    def _plain(self) -> Expr:
        if self._numbers is not None:
            raise NotSupportedError(
                f"{self.model.name}: no closed form of the multiplier was found; call the answer with a state."
            )
        if self.multiplier is None:
            raise NotSupportedError(f"the multiplier is asked for, but {self.finding}.")
        return self.model.frame.in_coordinates(self.multiplier)

    def as_rows(self) -> Iterator[Part]:
        yield self.finding
        if self.multiplier is not None:
            yield from equations({"f": self.multiplier})
        elif self._numbers is not None:
            yield from below(
                "no closed form of f was found; its numbers are integrated, 1 where a motion or a path begins"
            )
            yield from equations({f"{each.name}(ln f)": each.value for each in self._numbers.hull.fields})
        if self.quotient is not None:
            yield from below(self.reduction)
            yield from equations({**self.momenta, "h": self.hamiltonian})
            yield from below(self.why_no_lagrangian)
        yield from below(*([self.remark] if self.remark else []), *self.besides)

    def _data(self) -> dict[str, Any]:
        return self.finding.to_dict() | {
            "multiplier": self.multiplier,
            "reduction": self.reduction,
            "remark": self.remark,
            "besides": self.besides,
            "text": self.text(),
        }


@final
@dataclass(frozen=True)
class _NumericMultiplier:
    """A multiplier by its derivatives along the fields of a bracket.

    ``base`` is the system of the bracket, ``model`` the one whose states are given, and ``quotient`` the way between them, None where they are the same.
    """

    hull: BracketClosure
    base: Model
    model: Model
    quotient: Quotient | None

    @cached_property
    def _path(self) -> PathIntegral:
        found = PathIntegral.of(self.base, self.base.coordinates, self.hull.basis)
        if found is None:
            raise NotSupportedError(
                f"{self.base.name} has a multiplier, but no closed form of it was found, and no chart to integrate it in."
            )
        return found

    def at(self, state: Mapping[str, object]) -> float:
        """The multiplier at a state, for which the whole configuration is needed."""
        what, model = "the multiplier", self.model
        places = {q.name: value_at(model, self._above(q), state, what) for q in self.base.coordinates}
        free = [s for s in self.base.parameter_symbols if s not in self.base.values]
        return float(np.exp(self._path.at(places, {s.name: value_at(model, s, state, what) for s in free})))

    def _above(self, e: Expr) -> Expr:
        """A function of the invariants in the coordinates of the model."""
        if self.quotient is None:
            return e
        return self.model.frame.in_coordinates(e.xreplace(dict(self.quotient.space.invariants)))

    @cached_property
    def rate_below(self) -> Expr:
        r"""$\psi_au^a$ in the coordinates and velocities of the bracket's system."""
        speeds = [field.name.removeprefix("X(").removesuffix(")") for field in self.hull.fields]
        own = {u.name: u for u in self.base.velocities}
        return dot([field.value for field in self.hull.fields], [own[name] for name in speeds])

    @cached_property
    def rate(self) -> Expr:
        """The same in those of the model whose motions are given."""
        if self.quotient is None:
            return self.rate_below
        carried, velocities = self.quotient.carried, {w: w for w in self.model.velocities}
        speeds = dict(zip(carried.speeds, carried.speeds_of(velocities), strict=True))
        return self._above(self.rate_below.xreplace(speeds))


@final
@dataclass(frozen=True)
class _Search:
    divergence: Divergence

    @cached_property
    def rows(self) -> Matrix:
        return self.divergence.motion.span_ba

    @cached_property
    def brackets(self) -> dict[tuple[int, int], Vector]:
        motion = self.divergence.motion
        return {(a, b): motion.bracket(a, b) for a, b in combinations(range(len(self.rows)), 2)}

    @cached_property
    def structure(self) -> dict[tuple[int, int], Vector]:
        r"""$C_{ab}{}^d$."""
        columns = tuple(zip(*self.divergence.projector, strict=True))
        upper = {ab: tuple(dot(Z, column) for column in columns) for ab, Z in self.brackets.items()}
        return upper | {(b, a): tuple(-e for e in value) for (a, b), value in upper.items()}

    @cached_property
    def symmetries(self) -> Matrix:
        """Combinations of right-invariant fields and of coordinate directions that leave everything alone."""
        motion, frame = self.divergence.motion, self.divergence.motion.model.frame
        fields = candidates(frame)
        if not fields:
            return ()
        metric = [frame.in_coordinates(e) for row in self.divergence.named_metric_ab for e in row]
        invariant = [*metric, *(e for value in self.structure.values() for e in value), self.potential]
        functions = []
        for row in fields:
            rates = frame.direction(row)
            turned = (e for each in motion.brackets_with(row, rates) for e in each)
            functions.append([*turned, *(along(e, rates) for e in invariant)])
        try:
            relations = constant_relations(functions, frame.coordinates, motion.on)
        except NoNormalForm:
            return ()
        columns = tuple(zip(*fields, strict=True))
        found = tuple(tuple(simplify(dot(c, column)) for column in columns) for c in relations)
        return tuple(found[k] for k in certified_rows(found, on=motion.on)) if found else ()

    @cached_property
    def potential(self) -> Expr:
        motion = self.divergence.motion
        return motion.model.lagrangian.xreplace(dict.fromkeys(motion.model.velocities, zero))

    def equations(self) -> Iterator[tuple[str, Vector, Expr]]:
        r"""Rows $(A, r)$ of $A\psi = r$, each with a name."""
        m, on = len(self.rows), self.divergence.motion.on
        forms = nullspace_on(self.symmetries, on) if self.symmetries else identity(len(self.rows[0]))
        C = self.structure
        for (a, b), Z in self.brackets.items():
            for k, form in enumerate(forms):
                slopes = [zero] * m
                slopes[a] = slopes[a] + dot(form, self.rows[b])
                slopes[b] = slopes[b] - dot(form, self.rows[a])
                inside = dot(C[a, b], [dot(form, row) for row in self.rows])
                yield f"{{q, p{a + 1}, p{b + 1}}} along form {k + 1}", tuple(slopes), dot(form, Z) - inside
        fields = self.divergence.motion.fields
        for a, b, c in combinations(range(m), 3):
            for d in range(m):
                slopes, right = [zero] * m, zero
                for x, y, z in ((a, b, c), (b, c, a), (c, a, b)):
                    slopes[z] = slopes[z] + C[x, y][d]
                    inner = symengine.Add(*(C[x, y][e] * C[e, z][d] for e in range(m) if e != z))
                    right = right + along(C[x, y][d], dict(fields[z])) - inner
                yield f"{{p{a + 1}, p{b + 1}, p{c + 1}}} on p{d + 1}", tuple(slopes), right

    def decided(self, claim: str) -> tuple[Finding, Model, Matrix, Expr | None]:
        motion = self.divergence.motion
        model, on = motion.model, motion.on
        size = int(symengine.count_ops(*(e for row in self.divergence.named_metric_ab for e in row)))
        if size > _LONGEST:
            if (too_many := overdetermined(motion)) is not None:
                return Finding(claim, Verdict.REFUTED, (too_many,), generic(model)), model, (), None
            why = f"its inertia, of {size:,} operations, is too long for a search for symmetries"
            return Finding.unknown(claim, why), model, (), None
        rows = list(self.equations())
        chosen = certified_rows([row for _, row, _ in rows], on=on) if rows else ()
        if len(chosen) == len(self.rows):
            (psi,) = solve([rows[k][1] for k in chosen], [[rows[k][2] for k in chosen]])
        else:
            psi = (zero,) * len(self.rows)
        left = [Quantity(f"the Jacobiator {name}", dot(row, psi) - right) for name, row, right in rows]
        jacobi = vanishing(claim, "every Jacobiator", left, on)
        if not jacobi:
            if len(chosen) == len(self.rows) or not jacobi.is_refuted:
                return jacobi, model, self.symmetries, None
            why = "the equations leave the multiplier open, and a constant one does not do"
            return Finding.unknown(claim, why), model, self.symmetries, None
        along_d = [ValuedField(f"X({u.name})", (*row, zero), rates, value) for u, row, rates, value in
                   zip(motion.speeds, self.rows, motion.fields, psi, strict=True)]  # fmt: skip
        along_v = [ValuedField("a symmetry", (*row, zero), model.frame.direction(row), zero) for row in self.symmetries]
        fields = (*along_d, *along_v)
        hints = [self.divergence.determinant]
        found = primitive_along(model.coordinates, [f.rates for f in fields], [f.value for f in fields], hints, on)
        if found is not None:
            named = logarithms_in_names(found, model.frame)
            misfits = tuple(along(found, f.rates) - f.value for f in fields)
            evidence = (*jacobi.evidence, Identity("d(ln f) on every field", misfits, "", on))
            scope = Scope.of(misfits, on).also(jacobi.scope)
            return Finding(claim, Verdict.PROVEN, evidence, scope), model, self.symmetries, named
        independent = certified_rows([f.components for f in fields], on=on)
        conflict = contradiction(model.frame, [fields[k] for k in independent], on)
        if conflict is not None:
            return Finding(claim, Verdict.REFUTED, (conflict,)), model, self.symmetries, None
        why = "every Jacobiator can be made to vanish, but no multiplier was found in closed form"
        return Finding.unknown(claim, why), model, self.symmetries, None
