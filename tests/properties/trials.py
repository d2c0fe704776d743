"""What is asked of a module with one of its terms changed: do the principles still agree?

Every trial has models in which each term of its module is at work; an unbroken package passes it.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import ModuleType

import anholonomy as ah
from anholonomy.algebra.expressions import symbol
from anholonomy.algebra.numbers.balls import ball, precision
from anholonomy.equations import almost_poisson
from anholonomy.equations import lagrangian as euler_lagrange
from anholonomy.equations import lagrangian as inertia
from anholonomy.equations.evaluation import evaluate_equations
from anholonomy.equations.principles import (
    PRINCIPLES,
    chaplygin,
    connection,
    first_variation,
    gauss,
    gibbs_appell,
    hamel,
    hamiltonian,
    kane,
    lagrange_dalembert,
    maggi,
    udwadia_kalaba,
    vakonomic,
    voronec,
)
from anholonomy.equations.reduction import cyclic as cyclic_directions
from anholonomy.equations.verification import verify
from anholonomy.geometry import adapted_frame as adapted
from anholonomy.geometry import frame
from anholonomy.language.arguments import plain
from anholonomy.system import momenta
from anholonomy.system.model import Model
from anholonomy.system.states.newton import evaluate_at
from anholonomy.system.states.random_states import admissible_points
from tests.equations.base_of_a_fibre import base_agrees
from tests.equations.brackets import bracket_agrees, forced, moving
from tests.equations.quadratic_parts import quadratic_parts_are_right
from tests.properties.moving_frames import in_frame
from tests.properties.mutation import Mutant, broken
from tests.system.long_lagrangians import lengthy

_COUNT = itertools.count()
_L = "(1 + x^2)*x'^2/2 + (y' + sin(z)*x')^2/2 + (2 + cos(y))*z'^2/2 + x*y*z' - x*cos(y) - t*z"


def _system(lagrangian: str, constraints: list[str], **words: object) -> ah.System:
    # A new name each time, so that nothing is remembered from another mutant.
    forces = words.pop("forces", {"x": "-x' + y", "z": "x*y'"})
    return ah.System(
        name=f"trial {next(_COUNT)}", coordinates=["x", "y", "z"], lagrangian=lagrangian, constraints=constraints,
        forces=forces, **words,
    )  # fmt: skip


def _moved(system: Model, drift: bool = True) -> Model:
    """The system in a moving frame, or in one that stands still."""
    entry = ah.language.parse_expression
    rows = [[entry(e) for e in row] for row in (["1", "0", "0"], ["sin(z)", "1", "0"], ["x*y", "cos(x)", "1"])]
    if not drift:
        return in_frame(system, rows, [entry("0")] * 3)
    rows[2][0] = entry("x*t")
    return in_frame(system, rows, [entry("t*y"), entry("x"), entry("sin(z)")])


def general() -> list[Model]:
    """Affine, time-dependent, forced, on a chart and in a moving frame."""
    system = _system(_L, ["(2 + sin(t*y))*x' + x*z*y' + cos(z)*z' + t*sin(x) = 0"])
    return [system, _moved(system)]


def on_a_chart() -> list[Model]:
    return general()[:1]


def natural() -> list[Model]:
    """Linear constraints and a metric independent of time, with a gyroscopic term that depends on it."""
    lagrangian = "(1 + x^2)*x'^2/2 + (y' + sin(z)*x')^2/2 + (2 + cos(y))*z'^2/2 + t*x*y*z' + t*z*y*x' - x*cos(y) - t*z"
    system = _system(lagrangian, ["(2 + sin(y))*x' + x*z*y' + cos(z)*z' = 0"])
    return [system, _moved(system, drift=False)]


def fibred() -> list[Model]:
    """A fibre of two coordinates, a fibre that is a group, and a base that is one."""
    number = next(_COUNT)
    plain = ah.System(
        name=f"trial {number}", coordinates=["x", "y", "u", "v"],
        lagrangian="(1 + x^2)*x'^2/2 + (y' + sin(x)*u')^2/2 + (2 + cos(y))*u'^2/2 + (v' + x*y')^2/2 + x*y*u' - x*cos(y) - t*y",
        constraints=["u' = x*t*y' + sin(y)*x' + t*x*y", "v' = cos(x*y)*x' + (2 + x)*y' + t*sin(y)"],
        forces={"x": "-x' + y", "u": "x*y'", "v": "t*x'"},
    )  # fmt: skip
    turning = ah.System(
        name=f"turning {number}", group="SO3", coordinates=["x", "y"],
        lagrangian="(1 + x^2)*w1^2/2 + (w2 + y*x')^2/2 + w3^2 + (2 + sin(y))*x'^2/2 + y'^2/2 + x*w3 - x*y",
        constraints=["w1 = y*x' + t*x", "w2 = x*t*y' + y", "w3 = sin(x)*x' + x*y*y' + t"], forces={"w1": "x*y'", "x": "-x'"},
    )  # fmt: skip
    rolling = ah.System(
        name=f"rolling {number}", group="SO3", coordinates=["x", "y"],
        lagrangian="w1^2/2 + w2^2 + 3*w3^2/2 + w1*w3/3 + (x' + w1/2)^2/2 + y'^2 + w2*y'/4",
        constraints=["x' = 2*w2 + w3 + t", "y' = w1 - w3*t"], forces={"w1": "w2*t", "x": "-y'"},
    )  # fmt: skip
    return [plain, turning, rolling]


def curved() -> list[Model]:
    """A nonlinear constraint, one on accelerations, and both."""
    nonlinear = "(2 + sin(y))*x' + x*z*y'^2 + cos(z)*z' + t*x'*y' + sin(x) = 0"
    second = "(2 + y')*y'' + x*z'' + sin(z)*x'' + x'*z' - t = 0"
    return [_system(_L, rows) for rows in ([nonlinear], [second], [nonlinear, second])] + general()


def redundant() -> list[Model]:
    """Rows that repeat each other, and rows on accelerations that contradict each other."""
    row = "(2 + sin(t*y))*x' + x*z*y' + cos(z)*z' + t*sin(x)"
    repeated = _system(_L, [f"{row} = 0", f"x*({row}) = 0"], redundant="keep")
    clashing = _system(_L, ["x'' + z*y'' = t", "2*x'' + 2*z*y'' = x'"], redundant="keep")
    return [repeated, clashing, *general()]


def vakonomic_models() -> list[Model]:
    return [curved()[0], *on_a_chart()]


def agree(module: ModuleType, models: Callable[[], list[Model]]) -> bool:
    """Whether the principle of the module agrees with multipliers (or with a rival, where these do not go)."""
    own = [cls for cls in vars(module).values() if isinstance(cls, type) and cls.__module__ == module.__name__]
    principles = [cls() for cls in own if issubclass(cls, ah.principles.AbstractPrinciple)]
    rivals = [lagrange_dalembert.LagrangeDAlembert(), maggi.Maggi(), gauss.Gauss(), udwadia_kalaba.UdwadiaKalaba()]
    rivals += [hamel.Hamel()] if not principles else []
    rivals += [chaplygin.Chaplygin()] if module is cyclic_directions else []
    rivals += [connection.Connection(), hamiltonian.Hamiltonian()] if module is inertia else []
    present = {type(p) for p in principles}
    principles += [rival for rival in rivals if type(rival) not in present]
    return all(verify(model, states=1, principles=principles).agree for model in models())


def extremal(module: ModuleType, models: Callable[[], list[Model]]) -> bool:
    r"""Whether vakonomic rates satisfy Euler and Lagrange's equations of $L + \mu\varphi$ on the space of $(q, \mu)$."""
    for model in map(plain, models()):
        free = model.replaced(forces_a=(symbol("t") * 0,) * model.frame.size)
        equations = vakonomic.Vakonomic().derive(free)
        with precision(40):
            point = next(admissible_points(free, 35, seed=1))
            point |= {mu: ball(k + 2) / 3 for k, mu in enumerate(equations.costates)}
            rates = _rates(equations, point)
            if not all(abs(value) < 1e-25 for value in _residual(free, equations, {**point, **rates})):
                return False
    return True


def _rates(equations: ah.principles.EquationsOfMotion, point: dict) -> dict:  # type: ignore[type-arg]
    from anholonomy.algebra.steps.in_balls import run_steps

    known = run_steps(equations.unknown_steps, point)
    return {rate: known[rate] for rate in equations.rates}


def _residual(model: Model, equations: ah.principles.EquationsOfMotion, point: dict) -> list:  # type: ignore[type-arg]
    """The multipliers as further coordinates of an unconstrained system: its own equations, nothing of the module."""
    mu = equations.costates
    rates = [symbol(f"{m.name}'") for m in mu]
    phi = [c.expression for c in model.constraints]
    action = model.lagrangian + sum((m * f for m, f in zip(mu, phi, strict=True)), start=symbol("t") * 0)
    p = [action.diff(w) for w in model.velocities]
    moving = {**model.frame.coordinate_rates(model.velocities), **dict(zip(mu, rates, strict=True))}
    moving |= {w: symbol(f"{w.name}'") for w in model.velocities} | {symbol("t"): symbol("t") ** 0}
    total = lambda f: sum((f.diff(s) * rate for s, rate in moving.items()), start=symbol("t") * 0)
    own = [total(p_i) - action.diff(q) for p_i, q in zip(p, model.coordinates, strict=True)]
    return evaluate_at([*own, *(total(f) for f in phi)], point)


def partial_velocities_agree(module: ModuleType, models: Callable[[], list[Model]]) -> bool:
    """Whether Kane's principle, which moves the momenta, agrees with multipliers, which do not; in a short and in a long text."""
    pair = [kane.Kane(), lagrange_dalembert.LagrangeDAlembert()]
    return all(verify(model, states=1, principles=pair).agree for model in (*models(), *map(lengthy, models())))


def principle_holds(module: ModuleType, models: Callable[[], list[Model]]) -> bool:
    """Whether Voronec's principle and its invariant form vanish along motions."""
    for model in map(plain, models()):
        chosen = voronec.Voronec().frame(model)
        motion = lagrange_dalembert.LagrangeDAlembert().derive(model)
        names = [model.coordinates[model.velocities.index(u)].name for u in chosen.speeds]
        variation = {q: f"(1 + {k})*t*x*{names[0]}'" for k, q in enumerate(names)}
        with precision(40):
            point = next(admissible_points(model, 35, seed=1))
            found = evaluate_equations(motion, point).accelerations
            point |= dict(zip(model.accelerations, found, strict=True))
            claims = [voronec.voronec_principle(model, variation, chosen)]
            claims += voronec.voronec_residuals(model, ah.connections.EhresmannConnection.of(model, names))
            if not all(abs(value) < 1e-25 for value in evaluate_at(claims, point)):
                return False
    return True


def base_and_whole(module: ModuleType, models: Callable[[], list[Model]]) -> bool:
    """Whether Chaplygin's equations, and the base as a system of its own, move like the whole."""
    return agree(module, models) and base_agrees()


def brackets_move(module: ModuleType, models: Callable[[], list[Model]]) -> bool:
    """Whether the almost-Poisson bracket gives the rates that multipliers give."""
    return all(bracket_agrees(model) for model in models())


def quadratic(module: ModuleType, models: Callable[[], list[Model]]) -> bool:
    """Whether the parts of a Lagrangian are right at rest and where rest is 0/0."""
    return agree(module, models) and quadratic_parts_are_right()


@dataclass(frozen=True)
class Trial:
    """A module, its functions with arithmetic that counts, and the question that shows whether it is sound."""

    module: ModuleType
    functions: tuple[str, ...]
    models: Callable[[], list[Model]]
    is_sound: Callable[[ModuleType, Callable[[], list[Model]]], bool] = agree


_SPECIAL = (
    Trial(lagrange_dalembert, ("_derive",), curved),
    Trial(maggi, ("_derive",), curved),
    Trial(kane, ("_derive",), general),
    Trial(hamel, ("_derive",), general),
    Trial(voronec, ("_derive", "lifts", "turning"), on_a_chart),
    Trial(voronec, ("voronec_principle", "voronec_residuals"), on_a_chart, principle_holds),
    Trial(chaplygin, ("_derive",), fibred),
    Trial(cyclic_directions, ("of", "_turning", "base_model"), fibred, base_and_whole),
    Trial(gibbs_appell, ("gibbs_function", "_in_speeds", "_along_directions", "_stationary"), curved),
    Trial(gauss, ("gauss_function", "_derive", "_normal"), redundant),
    Trial(udwadia_kalaba, ("_derive",), redundant),
    Trial(connection, ("_derive", "turning", "force"), natural),
    Trial(hamiltonian, ("_derive",), general),
    Trial(almost_poisson, ("_bracket", "rate", "_written", "_matrix"), lambda: [forced(), moving()], brackets_move),
    Trial(inertia, ("quadratic_parts",), natural, quadratic),
    Trial(first_variation, ("_derive",), general),
    Trial(vakonomic, ("_derive", "_extended", "_matrix"), vakonomic_models, extremal),
    Trial(euler_lagrange, ("variational_derivative",), general),
    Trial(momenta, ("pull",), general, partial_velocities_agree),
    Trial(adapted, ("velocities", "flow", "fields", "transport"), general),
    Trial(frame, ("bracket",), general),
)


def _suitable(principle: ah.principles.AbstractPrinciple) -> list[Model]:
    """Those of all the models that a principle covers."""
    makers = (general, natural, fibred, curved, redundant)
    return [model for make in makers for model in make() if principle.covers(model)]


TRIALS = _SPECIAL + tuple(
    Trial(sys.modules[type(each).__module__], ("_derive",), partial(_suitable, each))
    for each in PRINCIPLES
    if type(each).__module__ not in {trial.module.__name__ for trial in _SPECIAL}
)
"""Of a principle that nobody has said more about, the terms of its derivation are changed."""


def is_noticed(mutant: Mutant, trial: Trial) -> bool:
    """Whether a changed term makes the trial fail; an error is a failure too."""
    with broken(mutant):
        try:
            return not trial.is_sound(trial.module, trial.models)
        except Exception:  # whatever a wrong term provokes
            return True
