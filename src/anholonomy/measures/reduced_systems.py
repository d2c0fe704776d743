r"""A system reduced over a fibre or by a group: the smaller system, its conserved quantities in momenta, and the way back up.

Over a fibre the base is a system of its own, and the fibre follows its motions,

.. math:: \pi: S \times G \to S, \qquad \xi^A = a^A{}_i(r, t)\,w^i + a^A(r, t), \qquad \dot g = g\,\xi .

By a group what is left are the invariants and speeds along invariant directions, whether or not the constraints are a connection,

.. math:: D/G \ni (\gamma, u), \qquad \dot q = u^aY_a(q), \qquad \gamma = (R_{31}, R_{32}, R_{33}) .

Its conserved quantities are written as in a book,

.. math:: E = \tfrac12M\cdot u + V, \qquad M\cdot\gamma, \qquad M\cdot M, \qquad M\cdot M - (M\cdot\gamma)^2 ,

which are tried, and proven, and take the place of those that follow from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np

from anholonomy.algebra.calculus import along, gradient
from anholonomy.algebra.expressions import Expr, Vector, dot
from anholonomy.algebra.numbers.balls import precision
from anholonomy.algebra.numbers.doubles import in_doubles
from anholonomy.algebra.numeric_relations import numeric_rank
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import LIMIT
from anholonomy.base.errors import IntegrationError, StateError, UnknownNameError, quoted
from anholonomy.base.notebook import Shown
from anholonomy.base.tolerances import NOTHING
from anholonomy.base.verdict import Verdict
from anholonomy.equations.almost_poisson import AlmostPoisson
from anholonomy.equations.reduction.bundle import by_degree, identity_of, moved
from anholonomy.equations.reduction.cyclic import Reduction
from anholonomy.equations.reduction.in_momenta import BookForm, quotient_bracket
from anholonomy.equations.reduction.quotient import Quotient, quotient
from anholonomy.language.answers import Part, Readable, below, title
from anholonomy.language.arguments import expect_mapping
from anholonomy.laws.conserved import conserved
from anholonomy.laws.law import Law, Laws
from anholonomy.laws.proofs import constant
from anholonomy.laws.reduced_motion import ReducedMotion, reduced_motion
from anholonomy.measures.invariant_measure import InvariantMeasure, measure_over_orbits
from anholonomy.measures.new_time.modulo_symmetries import bracket_over_orbits
from anholonomy.measures.new_time.reduced_bracket import ReducedBracket
from anholonomy.motion.dataset.one_motion import parameters_of
from anholonomy.motion.geometric_phase import phase
from anholonomy.motion.trajectory import Trajectory
from anholonomy.system.declaration.declare import declare
from anholonomy.system.declaration.toml import from_toml, to_toml
from anholonomy.system.model import Model
from anholonomy.system.solved_constraints import on_its_level
from anholonomy.system.states.complete_state import complete_state

__all__ = ["ReducedSystem", "GroupReducedSystem"]


@final
@dataclass(frozen=True, repr=False)
class ReducedSystem(Shown):
    """A system, its base, and what lies between them.

    ``base`` is a system without constraints: its Lagrangian is that of ``full`` with the constraints put in, its
    forces are the applied ones and the gyroscopic one of the constraints' curvature.

    Attributes
    ----------
    full, base
        Both a `System`.
    reduction
        The expressions, in the order in which the principle uses its speeds.
    """

    model: Model
    reduction: Reduction
    _base: Model
    make: Callable[[Model], Any] = field(compare=False)

    def __repr__(self) -> str:
        return f"ReducedSystem({self.model.name!r} over the fibre {', '.join(self.fibre)}; its base has {len(self._base.coordinates)} coordinates)"

    @property
    def full(self) -> Any:
        """The system that was reduced."""
        return self.make(self.model)

    @cached_property
    def base(self) -> Any:
        """The system on the base."""
        return self.make(self._base)

    @property
    def fibre(self) -> tuple[str, ...]:
        """The coordinates of the fibre."""
        return tuple(q.name for q in moved(self.model.frame, self.reduction.fibre))

    @cached_property
    def fibre_velocities(self) -> dict[str, Any]:
        r"""The velocities of the fibre over a motion of the base, $\xi^A = a^A{}_iw^i + a^A$."""
        names = (self.model.velocities[n].name for n in self.reduction.fibre)
        return dict(zip(names, self.reduction.written[2], strict=True))

    @cached_property
    def gyroscopic(self) -> dict[str, Any]:
        r"""The force $K_D(B^D{}_{ij}w^j + B^D{}_{it})$ of the curvature, by velocity of the base; minus the JK term."""
        return dict(zip((u.name for u in self.reduction.frame.speeds), self.reduction.written[0], strict=True))

    @cached_property
    def gyroscopic_parts(self) -> dict[int, dict[str, Any]]:
        """The same force by degree in the velocities of the base: 2, 1 and 0."""
        parts = by_degree(tuple(self.gyroscopic.values()), self._base.velocities, f"{self.model.name}: the force")
        return {degree: dict(zip(self.gyroscopic, values, strict=True)) for degree, values in parts.items()}

    @cached_property
    def applied(self) -> dict[str, Any]:
        r"""The applied forces on the base, $Q_i + a^A{}_iQ_A$, by velocity."""
        return dict(zip((u.name for u in self.reduction.frame.speeds), self.reduction.written[1], strict=True))

    def phase(
        self,
        loop: Mapping[str, Any],
        until: float,
        *,
        parameters: Mapping[str, float] | None = None,
        tolerance: float = 1e-13,
    ) -> dict[str, float]:
        """The place of the fibre after a loop of the base, from its neutral element; coordinates by name.

        ``loop`` gives every coordinate of the base as a function of ``t`` from 0 to ``until``. For a group the result is
        the element that multiplies the start from the right.

        >>> from anholonomy.catalogue import rolling_disk
        >>> reduced = rolling_disk(R=1.0).reduced()
        >>> moved = reduced.phase({"theta": "sin(t)", "phi": "cos(t)"}, 6.283185307179586)
        >>> sorted(moved), round(moved["y"], 4)
        (['x', 'y'], 2.7649)
        """
        return phase(self.reduction, loop, until, parameters=parameters, tolerance=tolerance)

    def reconstruct(self, motion: Any, start: Mapping[str, object] | None = None) -> Any:
        """The motion of the full system over a motion of the base, at the same times.

        Base and fibre are integrated together from where the motion begins, the fibre from ``start``, by default 0 or the
        neutral element of a group: nothing depends on where it begins.

        >>> from anholonomy.catalogue import chaplygin_sleigh
        >>> reduced = chaplygin_sleigh().reduced(fibre=["y"])
        >>> below = reduced.base.simulate({"x": 0, "theta": 0, "x'": 1, "theta'": 0.2}, until=2)
        >>> above = reduced.reconstruct(below)
        >>> bool(abs(above["x"] - below["x"]).max() < 1e-13), float(above["y"][-1]) > 0
        (True, True)
        """
        names, start = [q.name for q in self._base.coordinates], {} if start is None else start
        expect_mapping(
            start,
            f"{self.model.name}: `start`",
            "a dict from the fibre to numbers",
            verb="is",
            refusal=IntegrationError,
        )
        if not isinstance(motion, Trajectory):
            raise IntegrationError(
                f"{self.model.name}: {quoted(motion)} is no motion; simulate `base` and give that motion."
            )
        if not self._is_of_the_base(motion):
            raise IntegrationError(
                f"{self.model.name}: this is no motion of the base, whose coordinates are {', '.join(names)}, but of "
                f"{motion.data.attrs['system']}; simulate `base` and give that motion."
            )
        if strange := sorted(set(map(str, start)) - set(self.fibre)):
            raise UnknownNameError(
                f"{self.model.name}: {strange[0]} is not in the fibre ({', '.join(self.fibre)}); the motion says where "
                "the rest begins."
            )
        moving = [*names, *(w.name for w in self._base.velocities)]
        values = {name: float(motion[name][0]) for name in moving}
        return self.full.simulate(
            {**self._neutral, **start, **values, "t": float(motion.time[0])},
            times=motion.time.values.tolist(),
            by="chaplygin",
            parameters=parameters_of(motion.data),
            tolerance=float(motion.data.attrs["tolerance"]),
        )

    def _is_of_the_base(self, motion: Trajectory) -> bool:
        """True if a motion obeys the declaration of the base, whatever the values of its parameters."""
        text = str(motion.data.attrs["declaration"])
        if text == to_toml(self._base):
            return True
        other, on = declare(**from_toml(text, "the declaration of the motion")), self._base.frame.orbit
        if (other.frame, other.velocities, other.constraints) != (self._base.frame, self._base.velocities, ()):
            return False
        pairs = zip((other.lagrangian, *other.forces_a), (self._base.lagrangian, *self._base.forces_a), strict=True)
        # The declaration of a motion is the text of the base: what a proof leaves open is not held against it.
        return all(zero_test(left - right, on) is not Verdict.REFUTED for left, right in pairs)

    @property
    def _neutral(self) -> dict[str, float]:
        found = {q.name: float(value) for q, value in identity_of(self.model).items()}
        return {q: found.get(q, 0.0) for q in self.fibre}


@final
@dataclass(frozen=True, repr=False)
class GroupReducedSystem(Readable):
    """A system, what is left of it modulo its symmetries, and what lies between them.

    ``base`` is a system of its own: its coordinates are what the symmetries leave alone, its velocities are speeds along invariant directions.

    Attributes
    ----------
    full, base
        Both a `System`.
    quotient
        The expressions.

    Examples
    --------
    >>> from anholonomy.catalogue import veselova
    >>> print(veselova().reduced_by_group())
    Veselova, modulo a group of dimension 1
      gamma1 = R31
      gamma2 = R32
      gamma3 = R33
      M1 = I1*w1
      M2 = I2*w2
      M3 = I3*w3
      gamma1^2 + gamma2^2 + gamma3^2 - 1 = 0
      M' = M × w + lambda1*gamma
      gamma' = gamma × w
      gamma · w = 0
    """

    model: Model
    quotient: Quotient = field(repr=False)
    make: Callable[[Model], Any] = field(repr=False, compare=False)

    @property
    def full(self) -> Any:
        """The system that was reduced."""
        return self.make(self.model)

    @cached_property
    def base(self) -> Any:
        """What is left of it, a system of its own."""
        return self.make(self._base)

    @property
    def _base(self) -> Model:
        return self.quotient.base

    @property
    def invariants(self) -> dict[str, Expr]:
        """The coordinates that the symmetries leave alone, by name, and what they are in the full system."""
        kept = {q.name: q for q in self.quotient.space.kept}
        return {s.name: value for s, value in self.quotient.space.named.items()} | kept

    @property
    def relations(self) -> Vector:
        """Functions of the invariants that vanish."""
        return self.quotient.space.relations

    @property
    def symmetries(self) -> tuple[dict[str, Expr], ...]:
        """A basis of the fields that leave everything alone, by direction of the full system."""
        return tuple(dict(zip(self.model.directions, row, strict=True)) for row in self.quotient.symmetries)

    @cached_property
    def _on_level(self) -> GroupReducedSystem:
        """The same where constraints on positions are solved: what follows from the equations is asked on their declared level."""
        there = on_its_level(self.model)
        if there is self.model:
            return self
        return GroupReducedSystem(there, quotient(there), self.make)

    @cached_property
    def _book(self) -> BookForm:
        return BookForm(self.quotient)

    @property
    def momenta(self) -> dict[str, Expr]:
        r"""$M_a = \partial\ell/\partial u^a$ by name."""
        return {s.name: value for s, value in self._book.momenta.items()}

    @cached_property
    def equations(self) -> Any:
        """The equations of motion of the base, for export and simulation."""
        return self.base.derive()

    @cached_property
    def bracket(self) -> AlmostPoisson:
        r"""The bracket on $D^*/G$ with its Hamiltonian: what is left of Poisson's."""
        return quotient_bracket(self._on_level.quotient)

    def conserved(
        self, degree: int = 2, functions: Sequence[Any] | None = None, time_limit: float | None = LIMIT
    ) -> Laws:
        """The conserved quantities of the reduced motion, in momenta where that is short; options as for `System.conserved`.

        >>> from anholonomy.catalogue import chaplygin_ball
        >>> print(*chaplygin_ball().reduced_by_group().conserved(), sep="; ")
        (M1*w1 + M2*w2 + M3*w3)/2 is constant (energy); M1*gamma1 + M2*gamma2 + M3*gamma3 is constant (linear in the speeds);
          M1^2 + M2^2 + M3^2 is constant (quadratic in the speeds)
        """
        there = self._on_level
        return _in_momenta(
            conserved(there._base, degree=degree, functions=functions, time_limit=time_limit), there._book
        )

    def invariant_measure(self, time_limit: float | None = LIMIT) -> InvariantMeasure:
        r"""A measure of the reduced motion, in the invariants: it is carried down from one of the full motion.

        The volume of the invariants is that of the configurations carried down; a refutation is one for the full system.
        """
        return measure_over_orbits(self._on_level.model, self._on_level.quotient, time_limit)

    def hamiltonize(self, time_limit: float | None = LIMIT) -> ReducedBracket:
        r"""Decide if the reduced bracket is Poisson in a new time, $d\tau = f\,dt$ with $f$ of the invariants; a refutation names the Jacobiator that fails.

        >>> from anholonomy.catalogue import chaplygin_ball
        >>> h = chaplygin_ball().reduced_by_group().hamiltonize()
        >>> h.verdict
        <Verdict.PROVEN: 'proven'>
        """
        return bracket_over_orbits(self._on_level.quotient, time_limit)

    def below(self, state: Mapping[str, object]) -> dict[str, float]:
        """The state of the base under one of the full system.

        >>> from anholonomy.catalogue import chaplygin_ball
        >>> state = {"q0": 1, "q1": 0, "q2": 0, "q3": 0, "x": 0, "y": 0, "w1": 1, "w2": 2, "w3": 3}
        >>> list(chaplygin_ball().reduced_by_group().below(state).values())
        [0.0, 0.0, 1.0, 1.0, 2.0, 3.0]
        """
        with precision(30):
            point = {s: float(v.mid()) for s, v in complete_state(self.model, state).items()}
        space, carried = self.quotient.space, self.quotient.carried
        places = [e.xreplace(point) for e in space.invariants.values()] + [point[q] for q in space.kept]
        own = {v: point[v] for v in self.model.velocities}
        if carried.has_own_directions:
            speeds = carried.speeds_of({**point, **own})
        else:
            span = np.array([[float(e.xreplace(point)) for e in row] for row in carried.span_above])
            speeds = tuple(np.linalg.lstsq(span.T, list(own.values()), rcond=None)[0])
        names = [s.name for s in (*self._base.coordinates, *self._base.velocities)]
        return dict(zip(names, [*map(float, places), *map(float, speeds)], strict=True))

    def simulate(
        self,
        start: Mapping[str, object],
        until: float | None = None,
        times: Sequence[float] | None = None,
        **options: Any,
    ) -> Any:
        """The reduced motion from a state of the base, or from the one below a state of the full system; options as for `System.simulate`."""
        above = {s.name for s in (*self.model.coordinates, *self.model.velocities)}
        below = {s.name for s in (*self._base.coordinates, *self._base.velocities)}
        if isinstance(start, Mapping) and set(map(str, start)) & (above - below):
            time_ = {"t": start["t"]} if "t" in start else {}
            start = self.below(start) | time_
        return self.base.simulate(start, until, times, **options)

    def reconstruct(self, motion: Any, start: Mapping[str, object] | None = None) -> Any:
        """The motion of the full system over a motion of the base, at the same times.

        Both are integrated together, $\\dot q = u^aY_a(q)$, from a configuration above the beginning of the motion: that of ``start``, as far as
        it says, and otherwise one that is found. Where it begins in the group changes nothing else.

        >>> from anholonomy.catalogue import suslov
        >>> reduced = suslov().reduced_by_group()
        >>> above = reduced.reconstruct(reduced.simulate({"w1": 1, "w2": -2}, until=2))
        >>> [float(above[q][0]) for q in ("q0", "q1", "w1", "w2")]
        [1.0, 0.0, 1.0, -2.0]
        """
        if (
            not isinstance(motion, Trajectory)
            or motion.model.coordinates != self._base.coordinates
            or motion.model.velocities != self._base.velocities
        ):
            raise IntegrationError(
                f"{self.model.name}: {quoted(motion)} is no motion of the base; simulate it, and give that motion."
            )
        start = {} if start is None else start
        expect_mapping(
            start,
            f"{self.model.name}: `start`",
            "a dict from coordinates to numbers",
            verb="is",
            refusal=IntegrationError,
        )
        known = [q.name for q in self.model.coordinates]
        if strange := sorted(set(map(str, start)) - set(known)):
            raise UnknownNameError(
                f"{self.model.name}: {strange[0]} is no coordinate ({', '.join(known)}); the motion says how fast it begins."
            )
        parameters = parameters_of(motion.data)
        values = {s.name: float(motion[s.name][0]) for s in (*self._base.coordinates, *self._base.velocities)}
        place = self._above(values, {str(q): float(v) for q, v in start.items()})  # type: ignore[arg-type]
        at = {q: place[q.name] for q in self.model.coordinates} | {
            s: parameters.get(s.name) for s in self.model.parameter_symbols
        }
        speeds = [values[u.name] for u in self._base.velocities]
        span = np.array([[float(e.xreplace(at)) for e in row] for row in self.quotient.carried.span_above])
        moving = dict(zip((w.name for w in self.model.velocities), np.asarray(speeds @ span).tolist(), strict=True))
        return self.full.simulate(
            {**place, **moving, "t": float(motion.time[0])},
            times=motion.time.values.tolist(),
            parameters=parameters,
            tolerance=float(motion.data.attrs["tolerance"]),
        )

    def _above(self, values: Mapping[str, float], start: Mapping[str, float]) -> dict[str, float]:
        """A configuration with the invariants of a state of the base: what was given, or found by least squares over the group."""
        space, group = self.quotient.space, self.model.group
        names = [q.name for q in self.model.coordinates]
        tied = [q.name for q in group.coordinates] if group is not None else []
        goal = np.array([values[s.name] for s in space.invariants])
        f = in_doubles(self.model.coordinates, list(space.invariants.values())) if space.invariants else None
        kept = {q.name: values[q.name] for q in space.kept}
        free = [q for q in names if q not in tied and q not in kept and q not in start]
        given = all(q in start or q in kept for q in tied)
        turns = 0 if given or group is None else group.dimension

        def place(x: np.ndarray) -> dict[str, float]:
            here = dict.fromkeys(names, 0.0) | {**start, **kept} | dict(zip(free, x[turns:].tolist(), strict=True))
            if turns and group is not None:
                here |= dict(zip(tied, group.exp(x[:turns]).tolist(), strict=True)) | kept
            return here

        def apart(x: np.ndarray) -> np.ndarray:
            here = place(x)
            return np.zeros(0) if f is None else np.asarray(f([here[q] for q in names])).ravel() - goal

        return place(_root(apart, turns + len(free), self.model.name))

    def as_rows(self) -> Iterable[Part]:
        yield title(f"{self.model.name}, modulo a group of dimension {len(self.quotient.symmetries)}")
        yield from below(*self._book.as_rows())


def _root(apart: Any, size: int, name: str) -> np.ndarray:
    """A zero of a function of so many numbers, from a few beginnings."""
    from scipy.optimize import least_squares

    rng, x = np.random.default_rng(1), np.zeros(size)
    for _ in range(8):
        if not len(apart(x)) or np.abs(apart(x)).max() <= 1e-15:
            return x
        found = least_squares(apart, x, xtol=1e-15, ftol=1e-15, gtol=1e-15) if size else None
        if found is not None and np.abs(found.fun).max() <= NOTHING:
            return np.asarray(found.x)
        if not size and np.abs(apart(x)).max() <= NOTHING:
            return x
        x = rng.uniform(-2, 2, size)
    raise StateError(
        f"{name}: `start` is no configuration above this motion; leave out coordinates that the invariants determine."
    )


def _in_momenta(laws: Laws, book: BookForm) -> Laws:
    """The same laws, written in momenta where that is possible."""
    motion = reduced_motion(book.quotient.base)
    mine = [_read(law, book) for law in laws if law.kind == "energy"]
    degree = max((law.degree for law in laws), default=0)
    mine += [law for law in _tried(motion, book) if law.degree <= degree]
    rest = [replace(law, named=_shortest(law.named, book)) for law in laws if law.kind != "energy"]
    kept: list[Law] = []
    for law in (*mine, *rest):
        if len(kept) < len(laws) and _rank(motion, [*kept, law]) > len(kept):
            kept.append(law)
    return replace(laws, found=tuple(kept)) if len(kept) == len(laws) else laws


def _read(energy: Law, book: BookForm) -> Law:
    """The energy as half of momentum times speed and the potential."""
    quotient = book.quotient
    if any(b != 0 for b in quotient.linear_a):
        return energy
    potential = quotient.space.written(quotient.carried.potential)
    return replace(energy, named=dot(tuple(book.momenta), quotient.base.velocities) / 2 + potential)


def _tried(motion: ReducedMotion, book: BookForm) -> Iterator[Law]:
    M, g = tuple(book.momenta), book.directions
    squares = dot(M, M)
    candidates: list[tuple[int, Expr]] = [(2, squares)]
    if g:
        candidates = [(1, dot(M, g)), (2, squares), (2, squares - dot(M, g) ** 2)]
    for degree, named in candidates:
        F = named.xreplace(book.momenta)
        if _looks_constant(motion, F) and (proof := constant(motion, F, (), motion.on, named)):
            yield Law(motion.model, ("linear", "quadratic")[degree - 1], degree, F, proof, named)


def _looks_constant(motion: ReducedMotion, F: Expr) -> bool:
    rate = along(F.xreplace(motion.velocities), motion.rates)
    return numeric_rank([[rate]], motion.model.frame.orbit) == 0


def _shortest(F: Expr, book: BookForm) -> Expr:
    return book.quotient.shortest(F)


def _rank(motion: ReducedMotion, laws: list[Law]) -> int:
    """The number of independent laws on the constraint submanifold, as doubles see it."""
    rows: list[Vector] = []
    for law in laws:
        F = law.expression.xreplace(motion.velocities)
        rows.append((*(along(F, field) for field in motion.fields), *gradient(F, motion.speeds)))
    return numeric_rank(rows, motion.model.frame.orbit)
