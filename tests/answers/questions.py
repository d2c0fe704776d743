"""The questions: every verb of a system that makes sense for an entry of the catalogue, with what of its answer is kept.

A question is a function of a `Case` with the name that its answer has in the data. Only the public interface is used, so that a renamed verb
means one changed word here. What is kept does not depend on how sentences are worded.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

import anholonomy as ah
from tests.answers.numbers import Data, combined, entries, named, plain, values, word

ERRORS = {
    "Error": "Refusal",
    "ExpressionError": "SyntaxProblem",
    "DeclarationError": "IllPosedSystem",
    "ArgumentError": "IllPosedSystem",
    "StateError": "InadmissibleState",
    "FileError": "BrokenFile",
    "NotSupportedError": "NotCovered",
    "UnknownNameError": "UnknownName",
    "IntegrationError": "IntegrationProblem",
    "TimeLimitError": "GaveUp",
}
"""By the name of an exception today, what the data call it."""
PRINCIPLES = (
    "lagrange-dalembert",
    "maggi",
    "kane",
    "hamel",
    "voronec",
    "chaplygin",
    "gibbs-appell",
    "gauss",
    "udwadia-kalaba",
    "connection",
    "hamiltonian",
    "first-variation",
    "vakonomic",
)
LIMIT = 900.0
"""Seconds for whatever takes a limit: so many that no answer ends by the clock."""
EXACT, MOTION, SEARCH = 1e-9, 1e-7, 1e-5
"""What may differ: rounding; the steps of an integrator; where a search ends."""
PATHS = ("skate", "knife-edge", "chaplygin-sleigh", "free-particle", "heisenberg", "martinet", "engel")
"""Entries with short answers about shortest paths."""

SMALL = (*PATHS, "rolling-disk", "unicycle", "affine-particle", "nonholonomic-oscillator", "benenti", "disc-on-circle")
"""Entries of which everything at once is asked, which elsewhere repeats what is asked one by one."""


def limited(seconds: float = LIMIT) -> dict[str, float]:
    """The word for a limit of time, as every verb that has one takes it."""
    return {"time_limit": seconds}


@dataclass(frozen=True)
class Case:
    """An entry, its system and the admissible states at which it is asked."""

    entry: Any
    states: tuple[dict[str, float], ...] = ()

    @cached_property
    def system(self) -> Any:
        return self.entry.make()

    @property
    def start(self) -> dict[str, float]:
        return dict(self.entry.start)

    @property
    def until(self) -> float:
        return min(self.entry.until, 3.0)

    @property
    def coordinates(self) -> list[str]:
        return [q.name for q in self.system.coordinates]

    @property
    def velocities(self) -> list[str]:
        return [w.name for w in self.system.velocities]

    @property
    def directions(self) -> list[str]:
        """How fields and forces call the directions: coordinates, or speeds of a group."""
        return [w.removesuffix("'") for w in self.velocities]

    @property
    def on_chart(self) -> bool:
        return self.directions == self.coordinates

    @property
    def parameters(self) -> dict[str, float]:
        return dict(self.system.parameters)

    @property
    def points(self) -> list[dict[str, float]]:
        """The states with the parameters: where expressions are evaluated."""
        return [{**self.parameters, **state} for state in self.states]

    @property
    def span(self) -> Any:
        """Fields that span the admissible directions, a row of components each."""
        return self.system.geometry.adapted_frame.span_ba

    def at(self, *expressions: Any) -> list[Data]:
        """Expressions at the states."""
        return values(expressions, self.points)

    def place(self, k: int = 0) -> dict[str, float]:
        """Only the coordinates of a state."""
        return {name: self.states[k][name] for name in self.coordinates}

    def run(self, until: float | None = None, count: int = 3, **options: Any) -> Any:
        """The motion from the start of the entry at so many times."""
        return self.system.simulate(self.start, times=np.linspace(0, until or self.until, count), **options)

    def end(self, run: Any) -> list[float]:
        """Coordinates and velocities at the end of a motion."""
        return [float(run[name].values[-1]) for name in (*self.coordinates, *self.velocities)]


@dataclass(frozen=True)
class Question:
    """A name, what is asked, by how much an answer may differ, and for which entries it is asked; ``late`` ones wait until the quick ones are done."""

    name: str
    ask: Callable[[Case], Data]
    tolerance: float = EXACT
    late: bool = False
    only: Sequence[str] | None = None

    def concerns(self, key: str) -> bool:
        return self.only is None or key in self.only


QUESTIONS: dict[str, Question] = {}
"""Every question by its name."""


def question(
    name: str, tolerance: float = EXACT, late: bool = False, only: Sequence[str] | None = None
) -> Callable[[Callable[[Case], Data]], Callable[[Case], Data]]:
    """Enter a function of a case into the table."""

    def enter(ask: Callable[[Case], Data]) -> Callable[[Case], Data]:
        QUESTIONS[name] = Question(name, ask, tolerance, late, only)
        return ask

    return enter


# What is declared.


@question("declaration")
def _(case: Case) -> Data:
    model = case.system.model
    names = ("coordinates", "velocities", "constraints", "parameters", "redundant_rows", "implied", "on_positions", "invariants", "one_sided", "scene", "multipliers")  # fmt: skip
    return {name: len(getattr(model, name)) for name in names}


@question("tables")
def _(case: Case) -> Data:
    model = case.system.model
    return case.at(model.lagrangian, *model.forces_a, *model.offset_n, *entries(model.matrix_na))


@question("rates of constraints")
def _(case: Case) -> Data:
    return case.at(*case.system.model.bias_n)


@question("units")
def _(case: Case) -> Data:
    return {"fit together": not case.system.units.misfit}


@question("kept as text")
def _(case: Case) -> Data:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "system.toml"
        case.system.save(path)
        loaded = ah.load(path)
    return {"same text": loaded.to_toml() == case.system.to_toml(), "same model": loaded.model == case.system.model}


# Equations of motion.


@question("accelerations")
def _(case: Case) -> Data:
    equations = case.system.derive()
    return [list(equations.accelerations(state).values()) for state in case.states]


@question("reactions")
def _(case: Case) -> Data:
    equations = case.system.derive()
    return [list(equations.reactions(state).values()) for state in case.states]


def _derive(by: str) -> None:
    @question(f"derive by {by}")
    def _(case: Case) -> Data:
        equations = case.system.derive(by)
        mu = {f"mu{k}": 0.2 * k for k in range(1, len(case.system.constraints) + 1)} if by == "vakonomic" else {}
        found = [equations.at(state | mu, digits=20) for state in case.states]
        kinds = {"accelerations": [e.accelerations for e in found], "multipliers": [e.multipliers for e in found]}
        return plain(kinds | {"reactions": [e.reactions for e in found], "energy": [e.energy for e in found]})


for each in PRINCIPLES:
    _derive(each)


@question("derive in orthonormal speeds")
def _(case: Case) -> Data:
    equations = case.system.derive(speeds="orthonormal")
    return [list(equations.accelerations(state).values()) for state in case.states]


@question("verify")
def _(case: Case) -> Data:
    found = case.system.verify(states=2, seed=0)
    counts = {name: len(getattr(found, name)) for name in ("principles", "not_covering", "singular")}
    return counts | {"agree": found.agree, "verdict": word(found), "states": found.states}


@question("function and jacobian")
def _(case: Case) -> Data:
    equations = case.system.derive()
    x, p = [named(s.name) for s in equations.state], list(case.parameters.values())
    rates = {name: equations.function(name)(0.3, x, p) for name in ("numpy", "llvm")}
    return plain(rates | {"jacobian": equations.jacobian()(0.3, x, p) @ np.array(x)})


@question("texts of equations are made")
def _(case: Case) -> Data:
    equations = case.system.derive()
    names = ("text", "latex", "c_source", "modelica")
    return {name: bool(getattr(equations, name)()) for name in names} | {"kernel": bool(equations.kernel().source)}


@question("sizes of sympy matrices")
def _(case: Case) -> Data:
    K, right, unknowns = case.system.derive().sympy()
    return [*K.shape, *right.shape, len(unknowns)]


# Motions.


@question("simulate", MOTION)
def _(case: Case) -> Data:
    run = case.run()
    ends = {"energy": run.energy.values[-1], "multipliers": run.multipliers.values[-1], "complete": run.is_complete}
    return plain({"end": case.end(run), **ends, "small residual": bool(abs(run.constraint_residual).max() < 1e-9)})


def _simulate(name: str, **options: Any) -> None:
    @question(f"simulate by {name}", MOTION)
    def _(case: Case) -> Data:
        return case.end(case.run(case.until / 3, **options))


_simulate("multipliers", by="lagrange-dalembert")
_simulate("runge-kutta", integrator="runge-kutta", tolerance=1e-12)
_simulate("scipy", integrator="scipy", tolerance=1e-12)


@question("equations in orthonormal speeds simulate", MOTION)
def _(case: Case) -> Data:
    return case.end(case.system.derive(speeds="orthonormal").simulate(case.start, times=[0, case.until / 3]))


@question("motion at other times and further on", MOTION)
def _(case: Case) -> Data:
    run = case.run(case.until / 3)
    return {"between": case.end(run.at([case.until / 5])), "on": case.end(run.continue_to(case.until / 2))}


def _crossing(case: Case) -> tuple[str, float]:
    """A velocity or coordinate that changes along the motion, and a value on its way."""
    run = case.run()
    names = [*case.coordinates, *case.velocities]
    name = max(names, key=lambda each: abs(float(run[each].values[-1] - run[each].values[0])))
    first, last = float(run[name].values[0]), float(run[name].values[-1])
    return name, round(first + 0.37 * (last - first), 4)


@question("events", MOTION)
def _(case: Case) -> Data:
    name, level = _crossing(case)
    run = case.run(events={"passes": f"{name} - ({level})"}, count=301)
    return plain({"times": run.events.values, "labels": len(set(run.events["event"].values.tolist()))})


@question("an event stops", MOTION)
def _(case: Case) -> Data:
    name, level = _crossing(case)
    run = case.run(events={"passes": f"{name} - ({level})"}, stop="passes", count=301)
    return {"end": case.end(run), "time": float(run.time.values[-1])}


@question("section", MOTION)
def _(case: Case) -> Data:
    name, level = _crossing(case)
    section = case.run(count=301).section(f"{name} = {level}")
    return plain({each: section[each].values for each in ("time", *case.coordinates)})


@question("with a signal", MOTION)
def _(case: Case) -> Data:
    pushed = case.system.with_forces({case.directions[-1]: "tau"}, inputs=["tau"])
    return case.end(pushed.simulate(case.start, times=[0, case.until / 3], inputs={"tau": "sin(3*t)/2"}))


@question("with other parameters", MOTION)
def _(case: Case) -> Data:
    changed = case.system.with_parameters({name: 1.1 * p for name, p in case.parameters.items()})
    return case.end(changed.simulate(case.start, times=[0, case.until / 3], project=True))


def _discrete(method: str) -> None:
    @question(f"discrete by {method}", MOTION)
    def _(case: Case) -> Data:
        return case.end(case.system.simulate(case.start, until=0.2, step=0.02, integrator=method))


for each in ("dla-midpoint", "dla-trapezoidal", "reversible", "gni", "energy"):
    _discrete(each)


def _varied(case: Case) -> str:
    """The last velocity of the start that is not zero."""
    moving = [name for name, number in case.start.items() if name in case.velocities and number]
    return (moving or [name for name in case.start if name in case.velocities])[-1]


@question("sensitivity", MOTION)
def _(case: Case) -> Data:
    run = case.run(case.until / 3)
    return plain(run.sensitivity([*list(case.parameters)[:2], _varied(case)]).values[-1])


@question("ensemble", MOTION, late=True)
def _(case: Case) -> Data:
    starts = [case.start | {_varied(case): case.start[_varied(case)] * (1 + 0.02 * k) + 0.01 * k} for k in range(4)]
    runs = case.system.ensemble(starts, times=[0, 0.5], project=True)
    return {name: plain(runs[name].values[:, -1]) for name in (*case.coordinates, *case.velocities)}


@question("sweep", MOTION, late=True)
def _(case: Case) -> Data:
    name, number = next((name, p) for name, p in case.parameters.items() if p)
    runs = case.system.sweep({name: [0.9 * number, number, 1.1 * number]}, start=case.start, until=0.5, project=True)
    return {name: plain(runs[name].values[:, -1]) for name in case.coordinates}


# Geometry.


@question("adapted frame")
def _(case: Case) -> Data:
    frame = case.system.geometry.adapted_frame
    return case.at(*entries(frame.span_ba), *frame.offset_a)


@question("metric")
def _(case: Case) -> Data:
    metric = case.system.geometry.metric
    return {"determinant": case.at(metric.determinant), "orthonormal": word(metric.is_orthonormal())}


@question("distribution")
def _(case: Case) -> Data:
    found = case.system.geometry.distribution
    chow = word(found.is_bracket_generating(**limited()))
    dimensions = {"growth": list(found.growth_vector(**limited())), "derived": list(found.derived_flag(**limited()))}
    return dimensions | {"rank": found.rank, "integrable": word(found.is_integrable(**limited())), "chow": chow}


@question("growth vector at a place")
def _(case: Case) -> Data:
    return [list(case.system.geometry.distribution.growth_vector(at=case.place(k), **limited())) for k in (0, 1)]


@question("leaves and singular points")
def _(case: Case) -> Data:
    found = case.system.geometry.distribution
    places = found.singular_points(**limited())
    return {"leaves": len(found.leaves(**limited()).functions), "singular": None if places is None else {str(k): case.at(*v) for k, v in places.items()}}  # fmt: skip


@question("distribution in the metric", late=True)
def _(case: Case) -> Data:
    found, g = case.system.geometry.distribution, case.system.geometry.metric
    return {"invariant": word(found.is_geodesically_invariant(g)), "totally": word(found.is_totally_geodesic(g))}


@question("ehresmann")
def _(case: Case) -> Data:
    for base in combinations(reversed(case.coordinates), len(case.coordinates) - len(case.system.constraints)):
        try:
            found = case.system.geometry.ehresmann(base)
        except ah.Error:
            continue
        kept = {
            "slopes": case.at(*entries(found.slopes_ni)),
            "curvature": case.at(combined(found.curvature.components)),
        }
        return kept | {"flat": word(found.is_flat()), "base": list(base)}
    return "no base"


@question("levi civita")
def _(case: Case) -> Data:
    return case.at(combined(_table(ah.connections.levi_civita(case.system.geometry.metric, **limited()))))


@question("nonholonomic connection", late=True)
def _(case: Case) -> Data:
    return case.at(combined(_table(ah.connections.nonholonomic(case.system.geometry.metric, case.span))))


@question("energy-preserving connection", late=True)
def _(case: Case) -> Data:
    return case.at(combined(_table(ah.connections.energy_preserving(case.system.geometry.metric, case.span))))


def _table(connection: Any) -> dict[Any, Any]:
    """The coefficients of a connection by index."""
    return dict(connection.coefficients.items)


@question("killing fields", late=True)
def _(case: Case) -> Data:
    found = ah.geometry.killing_fields(case.system.geometry.metric, **limited())
    return {"count": len(found.fields), "complete": word(found.is_complete)}


@question("momentum map")
def _(case: Case) -> Data:
    return case.at(*case.system.geometry.momentum_map().values())


@question("seen from a moving frame")
def _(case: Case) -> Data:
    equations = case.system.seen_from(_moving(case)).derive()
    return [_accelerations_there(equations, case.place(k)) for k in range(len(case.states))]


def _accelerations_there(equations: Any, place: Mapping[str, float]) -> Data:
    """At the place, with the velocities that the moved constraints leave free, taken from their names."""
    velocities = {w.name: named(w.name) for w in equations.system.velocities}
    run = equations.system.simulate({**place, **velocities, "t": 0.5}, times=[0.5, 0.5001], project=True)
    names = [s.name for s in (*equations.system.coordinates, *equations.system.velocities)]
    state = {name: round(float(run[name].values[0]), 14) for name in names}
    return list(equations.accelerations(state | {"t": 0.5}).values())


def _moving(case: Case) -> Any:
    """A frame that is accelerated along the first coordinate, or turns about the third axis."""
    along = next(iter(case.system.model.own_coordinates), "")
    c, s = "cos(W*t/2)", "sin(W*t/2)"
    turn = {"q0": f"{c}*q0 - {s}*q3", "q1": f"{c}*q1 - {s}*q2", "q2": f"{c}*q2 + {s}*q1", "q3": f"{c}*q3 + {s}*q0"}
    return case.system.geometry.moving_observer({along: f"{along} + W*t^2"} if along else turn, parameters={"W": 0.3})


@question("a moving frame adds velocities")
def _(case: Case) -> Data:
    moving = _moving(case)
    return {"velocities": case.at(*moving.velocities), "distinguished": word(moving.is_distinguished)}


# What follows from the equations.


@question("hamiltonian")
def _(case: Case) -> Data:
    found = case.system.hamiltonian_form()
    return case.at(found.hamiltonian, *found.definitions, *found.drift_x, combined(entries(found.matrix_xy)))


@question("hamiltonian is poisson")
def _(case: Case) -> Data:
    return word(case.system.hamiltonian_form().is_poisson())


@question("rates by the bracket")
def _(case: Case) -> Data:
    return case.at(combined(case.system.hamiltonian_form().equations.values()))


@question("find a lagrangian")
def _(case: Case) -> Data:
    found = case.system.find_lagrangian()
    return {"verdict": word(found), "lagrangian": case.at(found.lagrangian)}


@question("momentum equations")
def _(case: Case) -> Data:
    found = [case.system.momentum_equation({name: "1"}, **limited()) for name in case.directions]
    numbers = [case.at(each.momentum, each.rate, each.symmetry, each.force, each.reaction) for each in found]
    return {"verdicts": [word(each) for each in found], "values": numbers}


def _laws(case: Case, laws: Any) -> Data:
    """Kinds, verdicts and values of laws, and what is known of others."""

    def numbers(law: Any) -> Data:
        try:
            return [law(state) for state in case.states]
        except ah.Error as refused:
            return refusal(refused)

    found = [*laws, *laws.consequences, *laws.on_cover]
    kept = {"kinds": [law.kind for law in found], "degrees": [law.degree for law in found], "values": plain([numbers(law) for law in found])}  # fmt: skip
    counts = {"found": len(laws.found), "consequences": len(laws.consequences), "on cover": len(laws.on_cover)}
    whole = {"completeness": [word(each) for each in laws.completeness], "strongest": word(laws.finding)}
    return kept | counts | whole | {"verdicts": [word(law) for law in found]}


@question("conserved", late=True)
def _(case: Case) -> Data:
    return _laws(case, case.system.conserved(**limited()))


@question("conserved of degree 1", late=True)
def _(case: Case) -> Data:
    laws = case.system.conserved(degree=1, **limited())
    return _laws(case, laws) | {"gone through again": [word(law.check()) for law in laws]}


@question("moving energy", late=True)
def _(case: Case) -> Data:
    found = case.system.moving_energy(**limited())
    return {"verdict": word(found), "values": case.at(found.expression, *found.field.values())}


@question("invariant measure", late=True)
def _(case: Case) -> Data:
    found = case.system.invariant_measure(**limited())
    return {"verdict": word(found), "density": case.at(found.density), "theorem": bool(found.theorem), "warnings": len(found.warnings)}  # fmt: skip


@question("hamiltonize", late=True)
def _(case: Case) -> Data:
    found = case.system.hamiltonize(**limited())
    kept = {"by a bracket": hasattr(found, "bracket"), "verdict": word(found), "multiplier": case.at(found.multiplier)}
    return kept | {"lagrangian": case.at(found.lagrangian), "warnings": len(getattr(found, "warnings", ()))}


@question("reduced")
def _(case: Case) -> Data:
    found = case.system.reduced()
    forces = [*found.gyroscopic.values(), *found.applied.values(), *found.fibre_velocities.values()]
    rates = [found.base.derive().accelerations(_only(found.base, state)) for state in case.states]
    return {"fibre": len(found.fibre), "forces": case.at(*forces), "accelerations": [list(r.values()) for r in rates]}


def _only(system: Any, state: Mapping[str, float]) -> dict[str, float]:
    """What of a state belongs to a system."""
    return {s.name: state[s.name] for s in (*system.coordinates, *system.velocities)}


@question("reduced by group", late=True)
def _(case: Case) -> Data:
    found = case.system.reduced_by_group()
    counts = {"invariants": len(found.invariants), "symmetries": len(found.symmetries), "relations": len(found.relations)}  # fmt: skip
    below = [found.below(state) for state in case.states]
    rates = [list(found.equations.accelerations(state).values()) for state in below]
    return counts | {"below": [list(each.values()) for each in below], "accelerations": rates}


@question("compare with vakonomic", late=True)
def _(case: Case) -> Data:
    found = case.system.compare_vakonomic(**limited())
    numbers = case.at(*found.multiplier.values()) if found.multiplier else None
    conditions = sorted(word(each) for each in found.conditions.values())
    kept = {"verdict": word(found), "multiplier": numbers, "freedom": found.freedom, "conditions": conditions}
    return kept | {"exceptions": sorted(word(each) for each in found.exceptions)}


@question("compare with vakonomic from a start", late=True)
def _(case: Case) -> Data:
    return word(case.system.compare_vakonomic(case.start, **limited()))


@question("solve", late=True)
def _(case: Case) -> Data:
    found = case.system.closed_form(**limited())
    kept = {"verdict": word(found), "found": len(found.found), "exceptions": len(found.exceptions)}
    return kept | ({"after 0.7": [_after(found, state) for state in case.states]} if word(found) == "proven" else {})


def _after(found: Any, state: Mapping[str, float]) -> Data:
    try:
        return plain(found(state, 0.7))
    except ah.Error as refused:
        return refusal(refused)


@question("controllability", late=True)
def _(case: Case) -> Data:
    found = case.system.controllability(**limited())
    return {"accessible": word(found.accessible), "small time": word(found.small_time), "brackets": len(found.brackets)}


@question("controllability by a force", late=True)
def _(case: Case) -> Data:
    pushed = case.system.with_forces({case.directions[-1]: "tau"}, inputs=["tau"])
    found = pushed.controllability(**limited())
    return {"accessible": word(found.accessible), "small time": word(found.small_time), "brackets": len(found.brackets)}


@question("analyse", late=True, only=SMALL)
def _(case: Case) -> Data:
    page = case.system.analyse(**limited())
    asked = {name: page[name] for name, _ in page.answers}
    return {name: "refused" if isinstance(each, str) else word(getattr(each, "finding", each)) for name, each in asked.items()}  # fmt: skip


# Steady motions, closed orbits, exponents.


@question("linearize", MOTION)
def _(case: Case) -> Data:
    A = case.system.linearize(case.states[0]).A.values
    u = np.array([named(f"column {k}") for k in range(len(A))])
    return plain({"A u": A @ u, "A A u": A @ A @ u, "size": len(A)})


@question("eigenvalues", SEARCH)
def _(case: Case) -> Data:
    found = case.system.linearize(case.start).eigenvalues
    return plain(np.poly(found))  # a repeated eigenvalue is known to half the digits, what it is a root of to all


@question("linearize with a force", MOTION)
def _(case: Case) -> Data:
    pushed = case.system.with_forces({case.directions[-1]: "tau"}, inputs=["tau"])
    return plain(pushed.linearize(case.start, inputs=["tau"]).B)


@question("linearize along a motion", MOTION)
def _(case: Case) -> Data:
    found = case.system.linearize(case.run(case.until / 3)).A.values
    return plain([A @ np.ones(len(A)) for A in found])


@question("steady motion", SEARCH)
def _(case: Case) -> Data:
    found = case.system.stability.steady_motion(near=case.start)
    return plain({"state": list(found.state.values()), "verdict": found.verdict, "pace": len(found.pace)})


@question("steady motion is stable", SEARCH, late=True)
def _(case: Case) -> Data:
    return word(case.system.stability.steady_motion().is_stable(**limited()))


@question("closed orbit", SEARCH, only=("leaning-disc", "nonholonomic-oscillator", "skate", "ball-on-turntable"))
def _(case: Case) -> Data:
    orbit = case.system.stability.periodic_orbit(near=case.system.simulate(case.start, until=min(case.entry.until, 15)))
    return plain({"period": orbit.period, "verdict": orbit.verdict, "shift": orbit.shift})


@question("lyapunov", SEARCH, late=True)
def _(case: Case) -> Data:
    return plain(case.system.stability.lyapunov_exponents(case.start, 1.0).values)


# Paths.


def _covector(case: Case) -> dict[str, float]:
    return {name: round(named(name) / 2, 3) for name in case.directions}


@question("exponential", MOTION)
def _(case: Case) -> Data:
    path = case.system.paths.extremal(case.place(), _covector(case), 0.4)
    return plain({"end": list(path.end.values()), "cost": path.cost, "length": path.length})


@question("conjugate time", SEARCH, only=PATHS)
def _(case: Case) -> Data:
    return plain(case.system.paths.extremal(case.place(), _covector(case), 3.0).conjugate_time())


@question("cut time", SEARCH, late=True, only=("heisenberg", "martinet"))
def _(case: Case) -> Data:
    return plain(case.system.paths.extremal(case.place(), _covector(case), until=6.0).cut_time(starts=4))


@question("abnormal by momenta", only=PATHS)
def _(case: Case) -> Data:
    path = case.system.paths.extremal(case.place(), _covector(case), 0.4)
    return [word(path.is_abnormal()), word(path.is_strictly_abnormal())]


@question("geodesic", SEARCH, late=True, only=PATHS)
def _(case: Case) -> Data:
    end = case.system.paths.extremal(case.place(), _covector(case), 0.4).end
    path = case.system.paths.shortest(case.place(), end, starts=3)
    return {"length": path.length, "converged": path.report.converged}


@question("wave front", SEARCH, late=True)
def _(case: Case) -> Data:
    q = case.system.paths.wave_front(case.place(), radius=0.3).data["q"].values
    return plain({"shape": q.shape, "sums": np.nansum(q, axis=(0, 1)), "squares": np.nansum(q**2, axis=(0, 1))})


@question("abnormal")
def _(case: Case) -> Data:
    found = case.system.paths.abnormal()
    verdicts = [word(found.finding), word(found.regular), word(found.strict)]
    return {"verdicts": verdicts, "values": case.at(found.place, *(found.field or ()))}


def _variational(kind: str) -> None:
    @question(f"variational, {kind}", MOTION)
    def _(case: Case) -> Data:
        problem = case.system.paths.variational(kind)
        conditions = case.at(*problem.varied_velocities, *problem.path_conditions, *problem.variation_conditions)
        run = case.run(0.5, count=41)
        variation = {name: f"{k + 1}/7*sin(2*pi*t)*t" for k, name in enumerate(case.directions)}
        return {"conditions": conditions, "variation": plain(problem.first_variation(run, variation))}


for each in ("free", "nonholonomic", "vakonomic"):
    _variational(each)


@question("a motion is stationary", late=True)
def _(case: Case) -> Data:
    run = case.run(0.5, count=41)
    kinds = ("free", "nonholonomic", "vakonomic")
    return {kind: word(case.system.paths.variational(kind).is_stationary(run)) for kind in kinds}


@question("side by side", SEARCH)
def _(case: Case) -> Data:
    both = case.system.paths.side_by_side(case.start, times=np.linspace(0, 0.4, 5))
    return plain({"multiplier": list(both.multiplier.values()), "difference": both.difference.values[-1]})


# Searches and pages, for some.


@question("plan", 1e-4, late=True, only=("heisenberg", "skate"))
def _(case: Case) -> Data:
    ends = {"heisenberg": {"x": 0, "y": 0, "z": 1}, "skate": {"x": 1, "y": 1, "theta": math.pi / 2}}
    start = dict.fromkeys(case.coordinates, 0)
    plan = case.system.plan(start, ends[case.entry.key], cost="effort", horizon=1, **limited())
    return {"cost": plan.cost, "converged": plan.converged}


@question("fit", SEARCH, late=True, only=("chaplygin-sleigh", "nonholonomic-oscillator"))
def _(case: Case) -> Data:
    t = np.linspace(0, 3, 31)
    run = case.system.simulate(case.start, times=t)
    data = {"time": t} | {name: run[name].values for name in case.coordinates}
    unknown = {"chaplygin-sleigh": ["a"], "nonholonomic-oscillator": ["kx", "ky"]}[case.entry.key]
    guess = case.system.with_parameters({name: 1.05 * case.parameters[name] for name in unknown})
    fit = guess.fit(data, estimate=unknown, start=case.start)
    return plain({"values": fit.values, "rank": fit.rank, "identifiable": fit.identifiable})


@question("report", late=True, only=("skate", "chaplygin-sleigh"))
def _(case: Case) -> Data:
    with tempfile.TemporaryDirectory() as folder:
        path = case.system.report(Path(folder) / "report.html", case.start, 1.0, **limited())
        return {"sections": path.read_text(encoding="utf-8").count("<h2")}


@question("claims of the literature", late=True, only=SMALL)
def _(case: Case) -> Data:
    return list(case.entry.compared().values())


def refusal(refused: BaseException) -> Data:
    """An exception as data: what its class is called."""
    name = type(refused).__name__
    return {"error": ERRORS.get(name, name)}


def some_states(system: Any, start: Mapping[str, float], count: int = 3) -> list[dict[str, float]]:
    """Admissible states near a start, drawn from names and numbers and moved onto the constraints; fewer where that fails."""
    found: list[dict[str, float]] = []
    for k in range(4 * count):
        size = 0.35 if k < 2 * count else 0.03
        near = {name: number + size * (2 * named(f"{name} {k}") - 1.6) for name, number in start.items()}
        try:
            run = system.simulate(near, times=[0, 1e-3], project=True)
        except ah.Error:
            continue
        names = [s.name for s in (*system.coordinates, *system.velocities)]
        found.append({name: float(run[name].values[0]) for name in names})
        if len(found) == count:
            break
    return found
