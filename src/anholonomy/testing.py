r"""Checks that authors of new parts run on them: a system, a principle, a connection, a group, a backend.

Each check raises `CheckFailed`, an `AssertionError`, with one sentence about the first law that is broken. The package's own tests
run them on all of its members. A part that passes obeys the laws at the places that were tried; that is no proof.

>>> from anholonomy.catalogue import skate
>>> from anholonomy.groups import SE2
>>> from anholonomy.principles import Kane
>>> check_system(skate())
>>> check_principle(Kane())
>>> check_group(SE2())
"""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import symengine
from numpy.typing import NDArray

from anholonomy.algebra.expressions import Expr, Symbol, symbol, time
from anholonomy.algebra.numbers.balls import precision
from anholonomy.algebra.piecewise import choose, heaviside, maximum, minimum, sign
from anholonomy.algebra.steps.definitions import Assign, Solve, Step
from anholonomy.base.errors import Error, NotSupportedError, quoted
from anholonomy.equations.evaluation import evaluate_equations
from anholonomy.equations.principles import formulation
from anholonomy.equations.principles.base import AbstractPrinciple
from anholonomy.geometry.connections.base import AbstractConnection, Promise
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.groups import AbstractGroup, as_group
from anholonomy.geometry.metric import Metric
from anholonomy.geometry.tensor import Tensor
from anholonomy.programs.backends.base import AbstractBackend
from anholonomy.programs.backends.numpy import NumpyBackend
from anholonomy.programs.program import Program
from anholonomy.system.model import Model
from anholonomy.system.states.random_states import admissible_points

if TYPE_CHECKING:
    from anholonomy.public.system import System

__all__ = ["CheckFailed", "check_backend", "check_connection", "check_group", "check_principle", "check_system"]


def __dir__() -> list[str]:
    return __all__


Array = NDArray[np.float64]


class CheckFailed(AssertionError):
    """A law that a part should obey is broken; the sentence says which, and where."""


def _symbols(names: str) -> tuple[Symbol, ...]:
    return tuple(map(symbol, names.split()))


def _require(holds: bool, sentence: str) -> None:
    if not holds:
        raise CheckFailed(sentence)


# Systems and principles: the same accelerations and reactions by every principle, at random admissible states, in ball arithmetic.


def check_system(system: System, states: int = 3, digits: int = 30) -> None:
    r"""Check a system: its principles agree, copies and files are the same system, and a short motion obeys its constraints.

    At random admissible states all principles that cover the system must give the same accelerations, reactions and multipliers, to
    ``digits`` digits. A motion is tried if the system has values for all parameters, no open inputs and functions, and a start.
    """
    verification = system.verify(states=states, digits=digits)
    _require(verification.agree, f"{system.name}: principles disagree: {verification}")
    _require(pickle.loads(pickle.dumps(system)) == system, f"{system.name}: a pickled copy is another system")
    _check_file(system)
    is_open = bool(system.inputs or system.model.functions) or None in system.parameters.values()
    if not is_open and system.start:
        run = system.simulate(until=0.1)
        residual = np.abs(run.constraint_residual.values).max(initial=0.0)
        size = 1 + np.abs(run.data["velocity"].values).max(initial=0.0)
        _require(bool(residual < 1e-9 * size), f"{system.name}: a motion leaves the constraints by {residual:.2g}")


def _check_file(system: System) -> None:
    """The declaration as text is the declaration."""
    from anholonomy.public.system import System
    from anholonomy.system.bodies.toml import read_parts
    from anholonomy.system.declaration.toml import from_toml

    text = system.to_toml()
    again = System(**read_parts(from_toml(text, system.name, parts=True), system.name))
    _require(again == system, f"{system.name}: the declaration in its own TOML text is another system")


def check_principle(principle: AbstractPrinciple, systems: Iterable[System] | None = None, states: int = 2) -> None:
    """Check a principle on systems of every kind: it covers what it says, and agrees with Lagrange–d'Alembert or Gauss there.

    ``systems`` are by default those of the catalogue that are not long, and one of each kind of constraint. The principle must cover at least one
    of them, raise `NotSupportedError` for those that it says it does not cover, and, unless its ``agrees`` is false, have the same
    accelerations and reactions as the reference at random admissible states, to 25 digits.
    """
    tried = 0
    for system in _systems() if systems is None else systems:
        model = system.model
        if not principle.covers(model):
            _refuses(principle, model)
            continue
        tried += 1
        try:
            equations = principle.derive(model)
        except Exception as problem:
            raise CheckFailed(
                f"{principle.name} on {system.name}: it says that it covers the system, and raises {quoted(problem, 200)}"
            ) from problem
        unknowns, rows = len(equations.rates) + len(equations.multipliers), len(equations.rhs)
        _require(
            unknowns == rows or equations.needs_least_squares,
            f"{principle.name} on {system.name}: {rows} equations for {unknowns} unknowns",
        )
        if principle.agrees:
            _agrees(principle, model, states)
    _require(tried > 0, f"{principle.name} covers none of the systems that were tried")


def _systems() -> list[System]:
    from anholonomy.catalogue import ENTRIES
    from anholonomy.public.system import System

    names, energy = ["x", "y", "z"], "(x'^2 + (1 + x^2)*y'^2 + z'^2)/2 + x*y' - x*y - cos(z)"
    rows = {
        "affine": ["z' = x*y' + 1/3"],
        "time-dependent": ["z' = x*y'*cos(t) + t"],
        "nonlinear": ["z'^2 = x'^2 + y'^2 + 1"],
        "position": ["z = x^2 + y/3"],
        "acceleration": ["z'' = x' - y"],
    }
    made = [
        System(name=kind, coordinates=names, lagrangian=energy, constraints=row, forces={"x": "-y'/5"})
        for kind, row in rows.items()
    ]
    momenta = {"x": "(1 + y^2)*x'", "y": "y' + x*x'/3", "z": "z'"}
    made.append(
        System(name="by momenta", coordinates=names, momenta=momenta, forces={"x": "-x"}, constraints=["z' = x*y'"])
    )
    twice = ["z' = x*y'", "2*z' - 2*x*y' = 0"]
    made.append(System(name="redundant", coordinates=names, lagrangian=energy, constraints=twice, redundant="keep"))
    short = [entry.make() for entry in ENTRIES.values()]
    return [*made, *(system for system in short if len(system.coordinates) <= _LONGEST)]


_LONGEST = 7
"""Coordinates of the longest system on which a principle is tried: the bicycle takes longer than all others together."""


def _refuses(principle: AbstractPrinciple, model: Model) -> None:
    try:
        principle.derive(model)
    except NotSupportedError:
        return
    except Error as other:
        raise CheckFailed(
            f"{principle.name} on {model.name}: raises {type(other).__name__}, not NotSupportedError"
        ) from other
    raise CheckFailed(
        f"{principle.name} on {model.name}: it says that it does not cover the system, and derives equations"
    )


def _agrees(principle: AbstractPrinciple, model: Model, states: int) -> None:
    others = [formulation(name) for name in ("lagrange-dalembert", "gauss")]
    reference = next((each for each in others if each.covers(model) and each.name != principle.name), None)
    if reference is None:
        return
    found = 0
    with precision(_DIGITS):
        for point in admissible_points(model, _DIGITS):
            try:
                one, other = (evaluate_equations(each.derive(model), point) for each in (principle, reference))
            except Error:  # a state at which some frame or the equations fail
                continue
            for kind in ("accelerations", "reactions"):
                for w, a, b in zip(model.velocities, getattr(one, kind), getattr(other, kind), strict=True):
                    gap, size = abs(a - b), 1 + abs(a) + abs(b)
                    _require(
                        bool(gap < size * _AGREE),
                        f"{principle.name} on {model.name}: {kind} along {w.name} differ from {reference.name} by {gap.str(3)}",
                    )
            found += 1
            if found == states:
                return
    _require(found > 0, f"{principle.name} on {model.name}: its equations are singular at every state that was tried")


_DIGITS = 40
"""Digits of the comparison of principles."""
_AGREE = 1e-25
"""Relative difference beyond which principles disagree."""


# Groups: the axioms, exponential and logarithm, adjoint maps, and fields that close with the structure constants.


def check_group(group: AbstractGroup | str, seed: int = 0) -> None:
    r"""Check a group in numbers: the axioms, $\log\exp\xi = \xi$, $\mathrm{Ad}_{\exp\xi} = e^{\mathrm{ad}_\xi}$, rates of products, names.

    It is tried at random elements and near the identity.
    """
    from scipy.linalg import expm

    group = as_group(group)
    name, e, draw = str(group), group.identity, np.random.default_rng(seed)
    for scale in (0.8, 1e-7):
        xi, eta, zeta = scale * draw.uniform(-1, 1, (3, group.dimension))
        g, h, k = map(group.exp, (xi, eta, zeta))
        size = 1 + max(np.abs(each).max() for each in (g, h, k)) ** 2
        laws: dict[str, tuple[Array, Array, float]] = {
            "g (h k) = (g h) k": (
                group.multiply(g, group.multiply(h, k)),
                group.multiply(group.multiply(g, h), k),
                1e-12,
            ),
            "g g^-1 = e": (group.multiply(g, group.inverse(g)), e, 1e-11),
            "g^-1 g = e": (group.multiply(group.inverse(g), g), e, 1e-11),
            "e g = g": (group.multiply(e, g), g, 1e-12),
            "g e = g": (group.multiply(g, e), g, 1e-12),
            "exp 0 = e": (group.exp(np.zeros(group.dimension)), e, 1e-12),
            "log exp xi = xi": (group.log(g), xi, 1e-12),
            "Ad(g h) = Ad(g) Ad(h)": (
                group.adjoint(group.multiply(g, h)),
                group.adjoint(g) @ group.adjoint(h),
                1e-12,
            ),
            "Ad(exp xi) = exp(ad xi)": (
                group.adjoint(g),
                expm(np.array(group.algebra.ad([float(x) for x in xi]), dtype=float)),
                1e-10,
            ),
            "body velocity of a space velocity": (group.body_velocity(g, group.space_velocity(g, eta)), eta, 1e-10),
            "rates of g exp(s eta)": (
                group.rates(g.tolist(), eta.tolist()),
                _slope(group, g, eta),
                1e-9,
            ),
            "the symbolic inverse": (_at(group.inverse_i, group.coordinates, g), group.inverse(g), 1e-11),
        }
        for law, (left, right, tolerance) in laws.items():
            gap = float(np.abs(np.asarray(left) - np.asarray(right)).max())
            _require(gap < tolerance * size, f"{name}: {law} fails by {gap:.2g}")
    again = as_group(group.name)
    parts = [(one.name, one.coordinates, one.speeds, one.algebra, one.anchor_ai) for one in (again, group)]
    same = parts[0] == parts[1]
    _require(same, f"{name}: its name {group.name!r} names another group")
    count = len(group.coordinates) - group.dimension
    _require(
        len(group.invariants) == count, f"{name}: {count} invariants are needed, and there are {len(group.invariants)}"
    )
    g = group.exp(draw.uniform(-0.8, 0.8, group.dimension))
    for label, value in group.invariants.items():
        (rest,) = _at((value,), group.coordinates, g)
        _require(bool(abs(rest) < 1e-10 * (1 + np.abs(g).max() ** 2)), f"{name}: {label} is {rest:.2g} on the group")


def _slope(group: AbstractGroup, g: Array, eta: Array, step: float = 1e-3) -> Array:
    r"""The derivative of $g\exp(s\eta)$ at 0 by central differences of order four."""
    products = {k: group.multiply(g, group.exp(k * step * eta)) for k in (-2, -1, 1, 2)}
    return np.asarray((8 * (products[1] - products[-1]) - (products[2] - products[-2])) / (12 * step))


def _at(values: Sequence[Expr], names: Sequence[Symbol], numbers: Array) -> Array:
    here = dict(zip(names, map(float, numbers), strict=True))
    return np.array([float(value.xreplace(here)) for value in values])


# Connections: torsion, curvature and geodesics by their definitions in coordinates, and the properties that a kind promises.


def check_connection(kind: type[AbstractConnection]) -> None:
    r"""Check a kind of connection on a metric and a distribution without symmetry, in a moving frame.

    Torsion and curvature must be $T(X, Y) = \nabla_XY - \nabla_YX - [X, Y]$ and $R(X, Y)Z = [\nabla_X, \nabla_Y]Z - \nabla_{[X, Y]}Z$ by plain
    derivatives on the chart; coefficients in another frame must be those of the inhomogeneous law; and the kind has exactly the
    properties that it promises.
    """
    x, y, z = chart = _symbols("x y z")
    frame = Frame(["x", "y", "z"], [["1", "0", "0"], ["x", "1", "0"], ["0", "0", "1"]])
    other = Frame(["x", "y", "z"], [["1", "z", "0"], ["0", "1", "0"], ["0", "0", "1"]])
    metric = Metric(frame, ["1", "1 + x^2", "1"])
    span = (
        Tensor.of(frame, "u", {(0,): symengine.Integer(1), (2,): y}),
        Tensor.of(frame, "u", {(1,): symengine.Integer(1)}),
    )
    connection = kind.sample(metric, span)
    place = dict(zip(chart, (0.7, -0.4, 1.3), strict=True))
    anchor = np.array([_at(row, chart, np.array(list(place.values()))) for row in frame.anchor_ai])

    def numbers(tensor: Tensor) -> Array:
        found = np.zeros((3,) * tensor.rank)
        for index, value in tensor.items:
            found[index] = float(value.xreplace(place))
        return found

    def components(field: Sequence[Expr]) -> Array:
        return np.asarray(np.linalg.solve(anchor.T, _at(field, chart, np.array(list(place.values())))))

    gamma = dict(connection.in_frame(Frame(["x", "y", "z"])).coefficients.items)

    def nabla(U: Sequence[Expr], V: Sequence[Expr]) -> list[Expr]:
        turned = [sum((g * U[j] * V[k] for (a, j, k), g in gamma.items() if a == i), start=0 * x) for i in range(3)]
        return [sum((U[j] * _partial(V[i], chart[j]) for j in range(3)), start=0 * x) + turned[i] for i in range(3)]

    X, Y, Z = [y, 1 + 0 * x, x * z], [z**2, x, 1 + 0 * x], [1 + x * y, z, y**2]
    bracket = [
        sum((X[j] * _partial(Y[i], chart[j]) - Y[j] * _partial(X[i], chart[j]) for j in range(3)), start=0 * x)
        for i in range(3)
    ]
    torsion = [u - v - w for u, v, w in zip(nabla(X, Y), nabla(Y, X), bracket, strict=True)]
    around = zip(nabla(X, nabla(Y, Z)), nabla(Y, nabla(X, Z)), nabla(bracket, Z), strict=True)
    curvature = [u - v - w for u, v, w in around]
    a, b, c = map(components, (X, Y, Z))
    laws = {
        "its torsion": (np.einsum("abc,b,c", numbers(connection.torsion), a, b), components(torsion), 1e-11),
        "its curvature": (
            np.einsum("abcd,b,c,d", numbers(connection.curvature), c, a, b),
            components(curvature),
            1e-11,
        ),
        "its coefficients in another frame": (
            numbers(connection.in_frame(other).coefficients.table),
            numbers(connection.coefficients_in(other).table),
            1e-12,
        ),
    }
    for what, (found, wanted, tolerance) in laws.items():
        gap = float(np.abs(found - wanted).max())
        _require(gap < tolerance, f"{kind.__name__}: {what} differ from their definition by {gap:.2g}")
    for promise in Promise:
        finding, is_promised = connection.keeps(promise, metric), promise in kind.promises
        kept = finding.verdict.is_proven if is_promised else finding.verdict.is_refuted
        verb = "promises" if is_promised else "does not promise"
        _require(kept, f"{kind.__name__} {verb} {promise.value!r}: {finding}")


def _partial(f: Expr, q: Symbol) -> Expr:
    from anholonomy.algebra.calculus import partial

    return partial(f, q)


# Backends: every function of the language against fifty digits, random programs against the reference, and batches.


def check_backend(backend: AbstractBackend, programs: int = 6, seed: int = 0) -> None:
    """Check a backend: every function of the language against 50 digits, random programs against the reference, batches against members.

    Linear systems are left to backends that handle them, and unrolled for the others.
    """
    x, y = states = _symbols("x0 x1")
    outputs = tuple(every_function(x, y))
    f = backend.compile(Program((x, y), (), (), outputs))
    for point in ([0.3, 0.7], [-1.4, 0.2], [1.9, -1.1]):
        at = {s: symengine.Rational(*value.as_integer_ratio()) for s, value in zip(states, point, strict=True)}
        exact = np.array([float(value.xreplace(at).n(170, real=True)) for value in outputs])
        gap = np.abs(f(0.0, point) - exact) / (1 + np.abs(exact))
        worst = int(np.argmax(gap))
        _require(bool(gap[worst] < 4e-14), f"{backend.name}: {outputs[worst]} at {point} is off by {gap[worst]:.2g}")
    draw = np.random.default_rng(seed)
    for k in range(programs):
        program = random_program(random.Random(seed + k))
        ready = program if backend.handles_solves else program.unrolled(reference(program))
        t, many, p = draw.uniform(0.1, 2, 5), draw.uniform(0.1, 2, (3, 5)), draw.uniform(0.1, 2, (2, 5))
        g, judge = backend.compile(ready), NumpyBackend().compile(program)
        together = g(t, many, p)
        for i in range(5):
            alone, wanted = g(t[i], many[:, i], p[:, i]), judge(t[i], many[:, i], p[:, i])
            _near(alone, wanted, f"{backend.name}: a random program (seed {seed + k}) differs from the reference")
            _near(together[:, i], alone, f"{backend.name}: a member of a batch differs from the same program alone")
    unused = backend.compile(Program(states, (symbol("p0"),), (), (y, symengine.Integer(2))))
    _near(unused(5.0, [1.0, 2.0], [4.0]), np.array([2.0, 2.0]), f"{backend.name}: inputs that do not occur disturb it")


def _near(found: Array, wanted: Array, sentence: str) -> None:
    gap = float(np.abs(np.asarray(found) - wanted).max())
    _require(gap < 1e-9 * (1 + np.abs(wanted).max()), f"{sentence}, by {gap:.2g}")


def reference(program: Program) -> Callable[[Solve], Array]:
    """The matrix of a linear system in numbers, at one point, by which pivots are chosen."""

    def matrix(step: Solve) -> Array:
        before = program.steps[: program.steps.index(step)]
        entries = tuple(entry for row in step.matrix for entry in row)
        values = NumpyBackend().compile(Program(program.states, program.parameters, before, entries))
        return np.asarray(values(0.3, [0.5, -0.7, 1.1], [0.9, 0.4]).reshape(len(step.unknowns), -1))

    return matrix


def every_function(x: Expr, y: Expr) -> list[Expr]:
    """Each function of the language, and each kind of power, at arguments for which it is smooth and bounded."""
    inside, positive = x / (1 + x**2), 1 + x**2
    one = [symengine.sin, symengine.cos, symengine.atan, symengine.tanh, symengine.asinh]
    small = [
        symengine.tan,
        symengine.asin,
        symengine.acos,
        symengine.sinh,
        symengine.cosh,
        symengine.atanh,
        symengine.exp,
    ]
    return [
        *(f(x) for f in one),
        *(f(inside) for f in small),
        *(
            symengine.acosh(1 + positive),
            symengine.log(positive),
            symengine.sqrt(positive),
            symengine.atan2(y, positive),
        ),
        *(positive**inside, positive ** symengine.Rational(-2, 3), symengine.erf(x), symengine.Abs(x)),
        *(positive ** symengine.Rational(3, 2), inside**5, positive**-3, symengine.pi * inside, symengine.E * inside),
        *(symengine.Rational(1, 3) * x, symengine.RealDouble(0.1) * y, x - y, -x * y),
    ]


def random_program(draw: random.Random, length: int = 12, solves: int = 2) -> Program:
    """A program of assignments with diagonally dominant linear systems among them, rows shuffled; defined everywhere."""
    states, parameters = _symbols("x0 x1 x2"), _symbols("p0 p1")
    atoms: list[Expr] = [*states, *parameters, time]
    steps: list[Step] = []
    places = set(draw.sample(range(length), solves))
    corners: list[Callable[[Expr, Expr], Expr]] = [
        lambda a, b: sign(a), lambda a, b: heaviside(a), lambda a, b: maximum(a, b, 1), lambda a, b: minimum(a, b), lambda a, b: choose(b, a, 1 + a**2),
    ]  # fmt: skip
    for k in range(length):
        a, b = draw.choice(atoms), draw.choice(atoms)
        steps.append(Assign(symbol(f"w{k}"), draw.choice([*every_function(a, b), *(f(a, b) for f in corners)])))
        atoms.append(symbol(f"w{k}"))
        if k in places:
            size = draw.randint(1, 5)
            rows = [[symengine.sin(draw.choice(atoms)) + 2 * size * (i == j) for j in range(size)] for i in range(size)]
            order = draw.sample(range(size), size)
            unknowns = tuple(symbol(f"z{k}_{i}") for i in range(size))
            right = tuple(symengine.cos(draw.choice(atoms)) for _ in range(size))
            steps.append(Solve(unknowns, tuple(tuple(rows[i]) for i in order), right))
            atoms += unknowns
    outputs = tuple(symengine.atan(draw.choice(atoms[-6:])) + draw.choice(atoms) for _ in states)
    return Program(tuple(states), tuple(parameters), tuple(steps), outputs)
