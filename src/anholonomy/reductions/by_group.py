r"""A system modulo its symmetries, whether or not its constraints are a connection: what is left, and the way back up.

.. math:: D/G \ni (\gamma, u), \qquad \dot q = u^aY_a(q), \qquad \gamma = (R_{31}, R_{32}, R_{33})
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from anholonomy.analysis.conserved import conserved
from anholonomy.analysis.integrals.in_momenta import in_momenta
from anholonomy.analysis.laws import Laws
from anholonomy.analysis.measure import InvariantMeasure, measure_over_orbits
from anholonomy.analysis.multipliers.over_orbits import bracket_over_orbits
from anholonomy.analysis.reduced_bracket import ReducedBracket
from anholonomy.displays.typeset import Typeset
from anholonomy.formulations.almost_poisson import AlmostPoisson
from anholonomy.formulations.reduction.book_form import BookForm
from anholonomy.formulations.reduction.quotient import Quotient, quotient
from anholonomy.formulations.reduction.quotient_bracket import quotient_bracket
from anholonomy.language.brevity import Readable
from anholonomy.lazy import cached_property
from anholonomy.refusals import InadmissibleState, IntegrationProblem, UnknownName
from anholonomy.simulate.trajectories.from_dataset import parameters_of
from anholonomy.simulate.trajectories.trajectory import Trajectory
from anholonomy.symbolic.expressions import Expr, Vector
from anholonomy.symbolic.numbers.balls import precision
from anholonomy.symbolic.numbers.doubles import in_doubles
from anholonomy.symbolic.patience import LIMIT
from anholonomy.system.declaration.solved import on_its_level
from anholonomy.system.states.states import complete_state
from anholonomy.tolerances import NOTHING

__all__ = ["ReducedByGroup"]


@final
@dataclass(frozen=True, repr=False)
class ReducedByGroup(Typeset, Readable):
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
    >>> print(veselova().reduced(by="group"))
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

    full: Any
    base: Any
    quotient: Quotient = field(repr=False)

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
        return tuple(dict(zip(self.full.directions, row, strict=True)) for row in self.quotient.symmetries)

    @cached_property
    def _on_level(self) -> ReducedByGroup:
        """The same where constraints on positions are solved: what follows from the equations is asked on their declared level."""
        there = on_its_level(self.full)
        if there is self.full:
            return self
        full, found = type(self.full)._of(there), quotient(there)
        return ReducedByGroup(full, type(self.full)._of(found.base), found)

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

    def conserved(self, degree: int = 2, functions: Sequence[Any] | None = None, limit: float | None = LIMIT) -> Laws:
        """What is conserved of the reduced motion, in momenta where that is short; options as for `System.conserved`.

        >>> from anholonomy.catalogue import chaplygin_ball
        >>> print(*chaplygin_ball().reduced(by="group").conserved(), sep="; ")
        (M1*w1 + M2*w2 + M3*w3)/2 is constant (energy); M1*gamma1 + M2*gamma2 + M3*gamma3 is constant (linear in the speeds);
          M1^2 + M2^2 + M3^2 is constant (quadratic in the speeds)
        """
        there = self._on_level
        return in_momenta(conserved(there.base, degree=degree, functions=functions, limit=limit), there._book)

    def invariant_measure(self, limit: float | None = LIMIT) -> InvariantMeasure:
        r"""A measure of the reduced motion, in the invariants: it is carried down from one of the full motion.

        The volume of the invariants is that of the configurations carried down; a refutation is one for the full system.
        """
        return measure_over_orbits(self._on_level.full, self._on_level.quotient, limit)

    def hamiltonize(self, limit: float | None = LIMIT) -> ReducedBracket:
        r"""Whether the reduced bracket is Poisson in a new time, $d\tau = f\,dt$ with $f$ of the invariants; or the Jacobiator that fails.

        >>> from anholonomy.catalogue import chaplygin_ball
        >>> h = chaplygin_ball().reduced(by="group").hamiltonize()
        >>> h.verdict
        <Verdict.PROVEN: 'proven'>
        """
        return bracket_over_orbits(self._on_level.quotient, limit)

    def below(self, state: Mapping[str, object]) -> dict[str, float]:
        """The state of the base under one of the full system.

        >>> from anholonomy.catalogue import chaplygin_ball
        >>> state = {"q0": 1, "q1": 0, "q2": 0, "q3": 0, "x": 0, "y": 0, "w1": 1, "w2": 2, "w3": 3}
        >>> list(chaplygin_ball().reduced(by="group").below(state).values())
        [0.0, 0.0, 1.0, 1.0, 2.0, 3.0]
        """
        with precision(30):
            point = {s: float(v.mid()) for s, v in complete_state(self.full, state).items()}
        space, carried = self.quotient.space, self.quotient.carried
        places = [e.xreplace(point) for e in space.invariants.values()] + [point[q] for q in space.kept]
        own = {v: point[v] for v in self.full.velocities}
        if carried.has_own_directions:
            speeds = carried.speeds_of({**point, **own})
        else:
            span = np.array([[float(e.xreplace(point)) for e in row] for row in carried.span_above])
            speeds = tuple(np.linalg.lstsq(span.T, list(own.values()), rcond=None)[0])
        names = [s.name for s in (*self.base.coordinates, *self.base.velocities)]
        return dict(zip(names, [*map(float, places), *map(float, speeds)], strict=True))

    def simulate(
        self,
        start: Mapping[str, object],
        until: float | None = None,
        times: Sequence[float] | None = None,
        **options: Any,
    ) -> Any:
        """The reduced motion from a state of the base, or from the one below a state of the full system; options as for `System.simulate`."""
        above = {s.name for s in (*self.full.coordinates, *self.full.velocities)}
        below = {s.name for s in (*self.base.coordinates, *self.base.velocities)}
        if isinstance(start, Mapping) and set(map(str, start)) & (above - below):
            time_ = {"t": start["t"]} if "t" in start else {}
            start = self.below(start) | time_
        return self.base.simulate(start, until, times, **options)

    def reconstruct(self, motion: Any, start: Mapping[str, object] | None = None) -> Any:
        """The motion of the full system over a motion of the base, at the same times.

        Both are integrated together, $\\dot q = u^aY_a(q)$, from a configuration above the beginning of the motion: that of ``start``, as far as
        it says, and otherwise one that is found. Where it begins in the group changes nothing else.

        >>> from anholonomy.catalogue import suslov
        >>> reduced = suslov().reduced(by="group")
        >>> above = reduced.reconstruct(reduced.simulate({"w1": 1, "w2": -2}, until=2))
        >>> [float(above[q][0]) for q in ("q0", "q1", "w1", "w2")]
        [1.0, 0.0, 1.0, -2.0]
        """
        if (
            not isinstance(motion, Trajectory)
            or motion.model.coordinates != self.base.coordinates
            or motion.model.velocities != self.base.velocities
        ):
            raise IntegrationProblem(
                f"{self.full.name}: {motion!r:.60} is no motion of the base; simulate it, and give that motion."
            )
        start = {} if start is None else start
        if not isinstance(start, Mapping):
            raise IntegrationProblem(
                f"{self.full.name}: `start` is {start!r:.60}; give a dict from coordinates to numbers."
            )
        known = [q.name for q in self.full.coordinates]
        if strange := sorted(set(map(str, start)) - set(known)):
            raise UnknownName(
                f"{self.full.name}: {strange[0]} is no coordinate ({', '.join(known)}); the motion says how fast it begins."
            )
        parameters = parameters_of(motion.data)
        values = {s.name: float(motion[s.name][0]) for s in (*self.base.coordinates, *self.base.velocities)}
        place = self._above(values, {str(q): float(v) for q, v in start.items()})  # type: ignore[arg-type]
        at = {q: place[q.name] for q in self.full.coordinates} | {
            s: parameters.get(s.name) for s in self.full.parameter_symbols
        }
        speeds = [values[u.name] for u in self.base.velocities]
        span = np.array([[float(e.xreplace(at)) for e in row] for row in self.quotient.carried.span_above])
        moving = dict(zip((w.name for w in self.full.velocities), np.asarray(speeds @ span).tolist(), strict=True))
        return self.full.simulate(
            {**place, **moving, "t": float(motion.time[0])},
            times=motion.time.values.tolist(),
            parameters=parameters,
            tolerance=float(motion.data.attrs["tolerance"]),
        )

    def _above(self, values: Mapping[str, float], start: Mapping[str, float]) -> dict[str, float]:
        """A configuration with the invariants of a state of the base: what was given, or found by least squares over the group."""
        space, group = self.quotient.space, self.full.group
        names = [q.name for q in self.full.coordinates]
        tied = [q.name for q in group.coordinates] if group is not None else []
        goal = np.array([values[s.name] for s in space.invariants])
        f = in_doubles(self.full.coordinates, list(space.invariants.values())) if space.invariants else None
        kept = {q.name: values[q.name] for q in space.kept}
        free = [q for q in names if q not in tied and q not in kept and q not in start]
        given = all(q in start or q in kept for q in tied)
        turns = 0 if given or group is None else group.dimension

        def place(x: np.ndarray) -> dict[str, float]:
            here = dict.fromkeys(names, 0.0) | {**start, **kept} | dict(zip(free, x[turns:].tolist(), strict=True))
            if turns:
                here |= dict(zip(tied, group.exp(x[:turns]).tolist(), strict=True)) | kept
            return here

        def apart(x: np.ndarray) -> np.ndarray:
            here = place(x)
            return np.zeros(0) if f is None else np.asarray(f([here[q] for q in names])).ravel() - goal

        return place(_root(apart, turns + len(free), self.full.name))

    def lines(self, whole: bool = False) -> list[str]:
        """The invariants, the momenta and the reduced equations."""
        head = f"{self.full.name}, modulo a group of dimension {len(self.quotient.symmetries)}"
        return [head, *(f"  {line}" for line in self._book.lines(whole))]

    def latex(self) -> str:
        """The same in LaTeX."""
        return self._book.latex()


def _root(apart: Any, size: int, name: str) -> np.ndarray:
    """Where a function of so many numbers vanishes, from a few beginnings."""
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
    raise InadmissibleState(
        f"{name}: `start` is no configuration above this motion; leave out coordinates that the invariants determine."
    )
