"""Exceptions among the commands that are made of verbs, and the verbs that have no command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated, Any, final

import typer

from anholonomy.base.errors import quoted
from anholonomy.cli.parameters import CONFIGURATION, NUMBER, STATE, Kind, Read, many, named_floats, text

if TYPE_CHECKING:
    from anholonomy.cli.target import Study

__all__ = ["FORMER_OPTIONS", "PARTICULARS", "PLAIN", "WITHOUT", "Particular"]


@final
@dataclass(frozen=True, kw_only=True)
class Particular:
    """What a command does differently from what the signature and the docstring of its verb say."""

    summary: str = ""
    more: str = ""
    """A paragraph of help."""
    examples: tuple[str, ...] = ()
    """What follows the name of the command in the examples of its help."""
    also: tuple[str, ...] = ()
    """Other names of the command."""
    of: str = ""
    """The verb whose signature the command has, such as paths.least_action, if it is not the one of the same name."""
    kinds: Mapping[str, Kind | None] = field(default_factory=dict)
    """How parameters are typed; None leaves one to Python."""
    required: tuple[str, ...] = ()
    """Parameters that must be typed."""
    optional: tuple[str, ...] = ()
    """Parameters that need not be typed."""
    more_parameters: tuple[str, ...] = ()
    """Parameters besides those of the verb, for ``call``."""
    call: Callable[[Any, dict[str, Any]], Any] | None = None
    """Makes the answer from the object that has the verb and the arguments."""
    told: Callable[[Study, Any, Mapping[str, Any]], str] | None = None
    """Makes the text that is printed."""
    code: Callable[[Any], int] | None = None
    """The exit code of an answer."""
    empty_if_code: bool = False
    """True if an answer with another code than 0 has no motion to save or draw."""
    output: str | None = None
    """What --output writes: "run" for a motion, "data" for numbers, "base" for a system, "" for nothing; found if None."""
    numbers: str = "numbers"
    """What a netCDF file holds."""
    drawn: Callable[[Any, Mapping[str, Any]], Mapping[str, Any] | None] = lambda answer, how: {}
    """Arguments of the plot; None if there is nothing to draw."""


PLAIN = Particular()


def _derived(system: Any, given: dict[str, Any]) -> Any:
    """The equations by one principle, or those by every principle that covers the system and the names of the others."""
    from anholonomy.base.errors import NotSupportedError
    from anholonomy.equations.principles import PRINCIPLES

    if given.get("by") != "all":
        return system.derive(**given)
    found, left, speeds = [], [], given.pop("speeds", None)
    for principle in PRINCIPLES:
        try:
            words = {**given, "by": principle, "speeds": speeds if principle.takes_speeds else None}
            found.append(system.derive(**words).data)
        except NotSupportedError:
            left.append(principle.name)
    return found, left


def _equations(study: Study, answer: Any, how: Mapping[str, Any]) -> str:
    from anholonomy.show.text.equations import forms, latex_forms

    if not isinstance(answer, tuple):
        return str(answer.latex() if how["latex"] else answer.text(how["whole"]))
    found, left = answer
    width = get_terminal_size((120, 24)).columns
    text = latex_forms(found) if how["latex"] else forms(found, width, how["whole"])
    # In LaTeX output, too, the last line must do no harm.
    return text + (f"\n\n{'% ' if how['latex'] else ''}not covering this system: {', '.join(left)}" if left else "")


def _hamiltonian(study: Study, answer: Any, how: Mapping[str, Any]) -> str:
    return f"{answer.latex()}\n% {answer.is_poisson()}" if how["latex"] else f"{answer}\n{answer.is_poisson()}"


def _lagrangian(study: Study, answer: Any, how: Mapping[str, Any]) -> str:
    return str(answer.latex()) if how["latex"] else f"{study.system.name}: {answer}"


def _page(study: Study, answer: Any, how: Mapping[str, Any]) -> str:
    from anholonomy.catalogue.entry import page_beside

    if how["latex"]:
        return str(answer.latex())
    beside: list[str] = []
    if study.claims is not None and "level" not in how:
        beside = page_beside(study.system, study.claims, answer)
    return "\n".join([answer.text(how["whole"]), *beside])


def _rows(rows: list[tuple[str, str]], title: str) -> str:
    from anholonomy.cli.output import print_table

    print_table(("", ""), rows, title=title)
    return ""


def _path(study: Study, answer: Any, how: Mapping[str, Any]) -> str:
    if not answer.report.converged:
        return str(answer)
    rows = [
        (name, f"{value:.10g}")
        for name, value in (("length", answer.length), ("action", answer.cost), ("time", answer.duration))
    ]
    rows += [(f"p_{name}", f"{value:.10g}") for name, value in answer.covector.items()]
    return _rows([*rows, ("found", str(answer.report))], study.system.name)


def _reduced(study: Study, answer: Any, how: Mapping[str, Any]) -> str:
    from anholonomy.cli.output import print_sections
    from anholonomy.show.text.declaration import sections

    print_sections(f"{answer.base.name}, over the fibre {', '.join(answer.fibre)}", sections(answer.base.model))
    return str(answer.base.derive("hamel"))


def _orbit(study: Study, answer: Any, how: Mapping[str, Any]) -> str:
    return f"{answer}\n  through " + ", ".join(f"{name} = {value:.9g}" for name, value in answer.start.items())


def _orbit_near(stability: Any, given: dict[str, Any]) -> Any:
    near = stability.system.simulate(given.pop("start"), given.pop("until"))
    return stability.periodic_orbit(near, **given)


def _either_path(paths: Any, given: dict[str, Any]) -> Any:
    return paths.least_action(**given) if "duration" in given else paths.shortest(**given)


def _section(motion: Any, given: dict[str, Any]) -> Any:
    return motion.section(**{name: value for name, value in given.items() if name != "axes"})


def _section_drawn(answer: Any, how: Mapping[str, Any]) -> Mapping[str, Any] | None:
    from anholonomy.base.errors import UnknownNameError

    x, y = how.get("axes", (None, None))
    if unknown := [name for name in (x, y) if name is not None and name not in answer.data]:
        raise UnknownNameError(
            f"--axes has {quoted(unknown[0])}; the variables are {', '.join(map(str, answer.data))}."
        )
    return {"x": x, "y": y} if len(answer) else None


def _has_path(answer: Any) -> int:
    return 0 if answer.report.converged else 1


def _sigma(value: list[str], option: str, study: Study) -> Any:
    from anholonomy.cli.values import assignments, number

    alone = [each for each in value if "=" not in each]
    return number(alone[0], option) if alone else assignments(value, option)


def _limits(value: list[str], option: str, study: Study) -> dict[str, tuple[float | None, float | None]]:
    from anholonomy.cli.values import bounds_of, number

    ends = bounds_of(value).items()
    return {name: (low and number(low, option), high and number(high, option)) for name, (low, high) in ends}  # type: ignore[misc]


def _guess(value: list[str] | None, option: str, study: Study) -> Any:
    from anholonomy.cli.values import parts, starts

    return {**study.start, **starts(parts(value or []), option)} or None


def _commas(value: list[str], option: str, study: Study) -> list[str]:
    from anholonomy.cli.values import parts

    return parts(value)


def _implied(kind: Kind, read: Read) -> Kind:
    return Kind(option=kind.option, read=read, implied=True)


_SOLVE_FOR = many("INPUT", "An input whose constant value the steady motion determines", "--solve-for")
_START = many("NAME=VALUE,…", "A value at the start, such as x=0", read=STATE.read)
_WAY = "x=0,y=0,theta=0"

PARTICULARS: dict[str, Particular] = {
    # Of a system.
    "units": Particular(summary="Print the dimension of every name, as far as kinds and units imply it.", examples=("chaplygin-sleigh",)),
    "derive": Particular(
        summary="Derive the equations of motion and print them; --by all prints the forms side by side.",
        examples=(
            "chaplygin-sleigh",
            "chaplygin-sleigh --by all",
            "skate --by kane --speed \"v=x'*cos(theta)+y'*sin(theta)\" --speed \"w=theta'\"",
            "n-trailer:1",
            "whipple-bicycle --all",
            "my-robot.toml --by lagrange-dalembert --latex",
        ),
        kinds={"by": text("PRINCIPLE", "{principles}, or all that cover the system; hamel where it does.")},
        call=_derived,
        told=_equations,
        output="",
    ),
    "verify": Particular(
        summary="Compare every principle with every other, in certified arithmetic.",
        more="Leaves with 0 when all agree, and with 1 when some do not or only one covers the system.",
        examples=("chaplygin-sleigh", "my-robot.toml --states 20 --digits 50"),
        code=lambda answer: 0 if answer.agree else 1,
    ),
    "hamiltonian-form": Particular(
        summary="Print the Hamiltonian form on the constraint submanifold, and whether its bracket obeys Jacobi's identity.",
        examples=("chaplygin-sleigh", "my-robot.toml --latex"),
        also=("hamiltonian",),
        told=_hamiltonian,
    ),
    "find-lagrangian": Particular(
        summary="Print the Lagrangian of which force and momentum are the differential, or the condition that fails.",
        more="For a system that has a Lagrangian and forces, the question is whether one Lagrangian contains both.",
        examples=("my-robot.toml", "knife-edge"),
        also=("lagrangian",),
        told=_lagrangian,
    ),
    "reduced": Particular(
        summary="Leave out the constraints and as many coordinates that appear nowhere: a Chaplygin system on its base.",
        examples=("chaplygin-sleigh", "rolling-disk --fibre x --fibre y --output base.toml"),
        told=_reduced,
        output="base",
    ),
    "reduced-by-group": Particular(
        summary="Divide by all translations and turns that leave the system alone, in speeds and invariants.",
        examples=("chaplygin-ball",),
        output="base",
    ),
    "analyse": Particular(
        summary="Print what follows from the equations: conserved quantities, and whatever else can be asked, with proofs.",
        more="Of a system of the catalogue the last lines say which claims of the literature are among it.",
        examples=(
            "chaplygin-ball",
            "my-robot.toml --only conserved --json laws.json",
            "chaplygin-sleigh --only conserved --free a",
            "free-particle --only conserved --level \"x' = 0\"",
        ),
        told=_page,
    ),
    "conserved": Particular(
        summary="Print the conserved quantities that are polynomials in the speeds, each proven.",
        examples=("chaplygin-sleigh", "chaplygin-sleigh --free a", "free-particle --level \"x' = 0\" --degree 1"),
    ),
    "momentum-equation": Particular(
        summary="Print the momentum equation of a field on the configurations.", examples=("skate --field theta=1",)
    ),
    "moving-energy": Particular(
        summary="Print the energy that is conserved in affine, moving and time-dependent systems: E - <p, Y> for a field Y.",
        examples=("ball-on-turntable",),
    ),
    "invariant-measure": Particular(
        summary="Is there an invariant measure? Print its density, or the proof that there is none.",
        examples=("suslov", "chaplygin-ball --json measure.json"),
    ),
    "hamiltonize": Particular(
        summary="Is the system Hamiltonian in a new time? Print the multiplier, or the equation that fails.",
        examples=("free-particle", "rolling-disk --fibre x --fibre y"),
    ),
    "compare-vakonomic": Particular(
        summary="Print whether every motion is vakonomic, or the one from a state: with the multiplier, or what fails.",
        examples=("carriage", """skate --start "x=0,y=0,theta=0,x'=1,theta'=0\"""", "my-robot.toml --json answer.json"),
        also=("compare",),
        kinds={"start": _START},
    ),
    "closed-form": Particular(
        summary="Print the motion in closed form, if its equations can be solved one after the other.",
        examples=("free-particle",),
    ),
    "controllability": Particular(
        summary="Does what acts on the system reach every state near one at rest? Print the brackets as evidence.",
        examples=("unicycle", "skate --at theta=0"),
    ),
    "is-holonomic": Particular(
        summary="Can the velocity constraints be rewritten as equations between positions (Frobenius' theorem)?",
        examples=("skate",),
    ),
    "plan": Particular(
        summary="Plan a motion from one state to another by its speeds, or by forces, and print what it costs and how well it does.",
        more="The motion is found by collocation (extra plan: CasADi with IPOPT) and verified by integrating it.\n"
        "Ctrl-C keeps the best plan so far; the exit code is 1 if no plan was found.",
        examples=(
            f"skate --start {_WAY} --end x=0,y=1,theta=0 --cost time --bound u=-1,1 --bound omega=-1,1",
            "heisenberg --start x=0,y=0,z=0 --end x=0,y=0,z=1 --horizon 1 -o plan.nc --plot plan.png",
            'my-robot.toml --start x=0,y=0 --end x=4,y=0 --obstacle "(x-2)^2 + y^2 >= 1" -o plan.nc',
        ),
        kinds={
            "start": CONFIGURATION,
            "inputs": many("NAME=FORCE", "A force to plan with, such as phi=tau, instead of speeds", read=CONFIGURATION.read),
        },
        call=lambda system, given: system.plan(given.pop("start", None), **given),
        told=lambda study, answer, how: _rows(answer.rows, study.system.name),
        code=lambda answer: 0 if answer.converged else 1,
        optional=("start",),
    ),
    "fit": Particular(
        summary="Find parameters and starts that fit measured data best, with their errors and what the data leave open.",
        more="The start is that of the motion at the first time of the data; it and the values of --set are guesses for what is estimated.",
        examples=(
            "chaplygin-sleigh data.csv --estimate a,m --start \"theta'=0.4\"",
            'my-robot.toml data.csv --estimate "I,x\'" --sigma 0.01 --bound I=0, --plot fit.png',
        ),
        kinds={
            "data": Kind(
                option=Annotated[
                    Path,
                    typer.Argument(
                        metavar="DATA",
                        help="A CSV table: `time` and what was measured, such as x, theta' or x*cos(theta), by name.",
                    ),
                ]
            ),
            "start": _implied(_START, _guess),
            "observed": many("NAME,…", "The columns to use; all of them if not given", "--observed", read=_commas),
            "sigma": many("[NAME=]VALUE", "The error of the measurements, or of one column", read=_sigma),
            "bounds": many("NAME=LOW,HIGH", "Bounds of an estimate, such as m=0,", read=_limits),
            "modulo": many("NAME,…", "An angle that was measured but for full turns", read=_commas),
        },
        output="run",
    ),
    # Of its geometry.
    "distribution": Particular(summary="Print the admissible directions.", examples=("rolling-disk",), output=""),
    "adapted-frame": Particular(
        summary="Print directions that span the admissible velocities: the declared span, or the software's choice.",
        examples=("chaplygin-sleigh",),
        output="",
    ),
    "frame": Particular(summary="Print the frame in which the velocities are written.", examples=("suslov",), output=""),
    "metric": Particular(summary="Print the kinetic metric.", examples=("chaplygin-sleigh",), output=""),
    "ehresmann": Particular(
        summary="Print the connection of the constraints over base coordinates, by its horizontal directions.",
        examples=("chaplygin-sleigh --base y,theta",),
        output="",
    ),
    "momentum-map": Particular(summary="Print the spatial momentum by velocity.", examples=("suslov",)),
    # Of its stability.
    "steady-motion": Particular(
        summary="Find the equilibrium, or the motion carried by symmetries, that has the fixed values.",
        examples=("leaning-disc --fixed \"phi'=3\"",),
        kinds={"inputs": _SOLVE_FOR},
        output="",
    ),
    "periodic-orbit": Particular(
        summary="Find the closed orbit, up to symmetry, near the motion from the start, and print its period and multipliers.",
        examples=("leaning-disc --until 5", "oscillator.toml --start x=2 --start \"x'=0\" --until 20 --plot orbit.png"),
        also=("periodic",),
        kinds={"near": None},
        more_parameters=("start", "until"),
        call=_orbit_near,
        told=_orbit,
    ),
    "lyapunov-exponents": Particular(
        summary="Print the Lyapunov exponents of the motion from the start; Ctrl-C keeps the averages so far.",
        examples=("chaplygin-ball --until 200", "double.toml --until 1000 --count 1 --plot convergence.png"),
        also=("lyapunov",),
        numbers="averages",
    ),
    "phase-portrait": Particular(
        summary="Draw motions from a grid of starts in the plane of two names.",
        examples=("nonholonomic-oscillator --over x=-1:1:5 --over \"x'=0.5,1\" --until 4 --plot portrait.png",),
        required=("ax",),
        told=lambda study, answer, how: f"picture written to {how['ax']}",
        output="",
    ),
    # Of its paths.
    "geodesic": Particular(
        of="paths.least_action",
        summary="Find the shortest admissible path between two configurations, or that of least action in a given time.",
        more="The exit code is 1 if no path to the end was found.",
        examples=(
            f"skate --start {_WAY} --end x=0,y=1,theta=0 --plot parking.png",
            "heisenberg --start x=0,y=0,z=0 --end x=0,y=0,z=1 -o path.nc",
        ),
        kinds={"start": CONFIGURATION},
        optional=("duration",),
        call=_either_path,
        told=_path,
        code=_has_path,
        empty_if_code=True,
    ),
    "shortest": Particular(
        summary="Find the shortest admissible path between two configurations.",
        examples=(f"skate --start {_WAY} --end x=0,y=1,theta=0",),
        kinds={"start": CONFIGURATION},
        told=_path,
        code=_has_path,
        empty_if_code=True,
    ),
    "least-action": Particular(
        summary="Find the admissible path of least action between two configurations in a given time.",
        examples=(f"skate --start {_WAY} --end x=0,y=1,theta=0 --duration 1",),
        kinds={"start": CONFIGURATION},
        told=_path,
        code=_has_path,
        empty_if_code=True,
    ),
    "extremal": Particular(
        summary="Follow the normal extremal from a configuration with given momenta.",
        examples=("heisenberg --start x=0,y=0,z=0 --momenta x=1,y=0,z=0.5 --until 2",),
        kinds={
            "start": CONFIGURATION,
            "momenta": many("NAME=VALUE,…", "The momentum of a direction, such as x=1", "--momenta", read=named_floats),
            "until": text("TIME", "The length of the path, in time.", read=NUMBER),
        },
    ),
    "wave-front": Particular(
        summary="Find where all extremals of unit speed are after a length, for one constraint in three dimensions.",
        examples=("heisenberg --start x=0,y=0,z=0 --radius 1 --plot front.png",),
        kinds={"start": CONFIGURATION},
    ),
    "abnormal": Particular(
        summary="Print the abnormal extremals of the constraints, or that there are none.", examples=("martinet",)
    ),
    "side-by-side": Particular(
        summary="Compare the motion of mechanics with the vakonomic one from the same state.",
        examples=("skate --until 3 --plot both.png",),
        output="",
    ),
    # Of equations and motions.
    "accelerations": Particular(
        summary="Print the accelerations at a state.", examples=("chaplygin-sleigh --start \"theta'=1\"",)
    ),
    "reactions": Particular(
        summary="Print the reaction forces at a state.", examples=("chaplygin-sleigh --start \"theta'=1\" --by maggi",)
    ),
    "section": Particular(
        summary="Cut a motion by a condition: its Poincaré section, each crossing located to rounding.",
        examples=(
            "leaning-disc --of \"theta' = 0\" --until 20",
            'double.toml --of "a = 0" --direction 1 --until 500 --plot points.png -o points.nc',
        ),
        kinds={
            "condition": text("CONDITION", 'The condition, such as "theta = 0".', "--of"),
            "axes": Kind(
                option=Annotated[
                    tuple[str, str] | None,
                    typer.Option("--axes", metavar="X Y", help="The two variables to draw; by default the first that vary."),
                ]
            ),
        },
        more_parameters=("axes",),
        call=_section,
        numbers="crossings",
        drawn=_section_drawn,
    ),
}  # fmt: skip
"""By the name of the command, in the order of their owners."""

_FILE = "changes the declaration: edit the system's file"
WITHOUT: dict[str, dict[str, str]] = {
    "system": {
        "with_parameters": "the option --set of every command",
        "with_start": "the option --start",
        "with_forces": _FILE,
        "with_inputs": _FILE,
        "with_functions": _FILE,
        "seen_from": "takes a moving observer, an object of Python",
        "ensemble": "takes arrays; `anholonomy sweep` has ranges",
        "save": "anholonomy export --to toml",
        "to_toml": "anholonomy export --to toml",
        "explore": "sliders of a notebook; `anholonomy studio` has them on a page",
    },
    "geometry": {"moving_observer": "returns an object for seen_from"},
    "stability": {},
    "paths": {"variational": "returns an object that takes variations"},
    "equations": {
        "text": "anholonomy derive",
        "latex": "anholonomy derive --latex",
        "sympy": "anholonomy export --to sympy",
        "sympy_velocities": "anholonomy export --to sympy",
        "at": "returns balls; see accelerations and reactions",
        "ensemble": "takes arrays; `anholonomy sweep` has ranges",
        "function": "returns a function of Python",
        "jacobian": "returns a function of Python",
        "c_source": "anholonomy export --to c",
        "casadi": "returns an object of CasADi",
        "jax": "returns a function of JAX",
        "modelica": "anholonomy export --to modelica",
        "kernel": "anholonomy export --to cuda",
    },
    "motion": {
        "at": "anholonomy simulate --times",
        "continue_to": "anholonomy simulate run.nc --until",
        "sensitivity": "returns an array",
        "plot": "anholonomy simulate --plot",
        "player": "a widget of notebooks; `anholonomy animate` writes a page",
    },
}
"""By owner, the verbs that have no command of their own, with the reason or with what to type."""

FORMER_OPTIONS: dict[str, dict[str, str]] = {
    "--given": {"": "--fixed"},
    "--limit": {"": "--time-limit"},
    "--on": {"": "--level"},
    "--reduce": {"": "--summary"},
    "--unknown": {"": "--free", "fit": "--estimate"},
}
"""Options of earlier versions, with what to type now, by command."""
