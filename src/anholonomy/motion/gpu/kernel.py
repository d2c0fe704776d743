"""A kernel of a system: one CUDA text from its equations, with a launcher and names, for a million motions.

The equations are in one set of speeds, their linear systems unrolled; the text says what to watch and where events are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from anholonomy.algebra.expressions import Symbol, Vector, free_symbols, replaced, time
from anholonomy.algebra.simplification.simplify import simplify_vector
from anholonomy.algebra.steps.definitions import inline, written_size
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import FileError, IntegrationError, NotSupportedError, UnknownNameError, quoted
from anholonomy.base.files import path_of, write_whole
from anholonomy.base.notebook import Shown
from anholonomy.equations.derivation import Derivation
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.geometry.adapted_frame import SHRUNK
from anholonomy.language.writing import to_text
from anholonomy.motion.charts.one_motion import RunnableEquations, runnable_at_start
from anholonomy.motion.events.one_motion import Watchlist
from anholonomy.motion.gpu import launcher as launching
from anholonomy.motion.gpu.cuda_source import kernel_source
from anholonomy.motion.gpu.launcher import Launched, Launcher, LaunchRefused
from anholonomy.motion.observables.one_motion import quantity_values
from anholonomy.motion.problem.one_motion import start_point
from anholonomy.programs.backends.base import Array
from anholonomy.programs.exports.c_source import plain as harmless
from anholonomy.programs.program import Program, lower
from anholonomy.system.declaration.inputs import refuse_inputs
from anholonomy.system.declaration.unspecified_functions import refuse_unspecified
from anholonomy.system.frames.default import generic_point
from anholonomy.system.model import Model

__all__ = ["Kernel", "kernel_for", "kernel_in"]


_READ_ME = """{title}

kernel.cu    one thread a motion; rates, events and three methods: rk4, dopri5, dop853
names.json   the names of state, parameters and events, in the order of the kernel's arrays
launcher.py  needs NumPy, and CuPy for a GPU or a C++ compiler for the CPU

    from launcher import Launcher
    runs = Launcher.load(".")({{{starts}}}, times=[0, 1])
    runs["{first}"], runs.outcome(0)

State: {state}
{velocities}"""


@final
@dataclass(frozen=True)
class Kernel(Shown):
    """Equations of motion as source that a GPU, or a C++ compiler, takes.

    >>> from anholonomy.catalogue import chaplygin_sleigh
    >>> kernel = chaplygin_sleigh().derive("kane").kernel()
    >>> kernel
    Kernel('Chaplygin sleigh' by 'kane': x, y, theta, u, omega)
    >>> "ENTRY dop853" in kernel.source
    True
    """

    source: str
    names: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"Kernel({self.names['name']!r} by {self.names['principle']!r}: {', '.join(self.names['state'])})"

    @cached_property
    def launcher(self) -> Launcher:
        """What integrates members with it."""
        return Launcher(self.source, self.names)

    def __call__(self, starts: Mapping[str, Any], times: Any, **options: Any) -> Launched:
        """Integrate members from states of its own, coordinates and speeds; options as for `Launcher`."""
        try:
            return self.launcher(starts, times, **options)
        except LaunchRefused as problem:
            raise IntegrationError(f"{self.names['name']}: {problem}") from None

    def save(self, folder: str | Path) -> Path:
        """Source, names and launcher in a folder, for machines that have nothing else of this package."""
        place = path_of(folder)
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise FileError(f"{folder} cannot be a folder ({problem.strerror}); give another name.") from None
        state = self.names["state"]
        page = _READ_ME.format(
            title=f"{self.names['name']}: a kernel by {self.names['principle']}",
            starts=", ".join(f'"{name}": 0.0' for name in state),
            first=state[0],
            state=", ".join(state),
            velocities="\n".join(f"{name} = {text}" for name, text in self.names["velocities"].items()),
        )
        files = {
            "kernel.cu": self.source,
            "names.json": json.dumps(self.names, indent=1),
            "launcher.py": Path(launching.__file__).read_text("utf-8"),
            "README.txt": page,
        }
        for name, text in files.items():
            write_whole(place / name, text)
        return place


LANGUAGES = ("cuda", "c++")
"""What the source is: one text is both."""
_READABLE = 400
"""Letters up to which a velocity in terms of speeds is told with the names."""


def kernel_for(
    declared: Model,
    derivation: Derivation,
    language: str,
    at: Mapping[str, object] | None,
    events: Mapping[str, Any] | None,
) -> Kernel:
    """The kernel of a derivation: in the speeds that a user chose, or in those that are good for all values of the parameters."""
    model = derivation.model
    if not derivation.asked_speeds:
        derivation = Derivation.for_all_values(model, derivation.principle)
    return kernel_of(
        declared, derivation, language, None if at is None else start_point(model, (), dict(at), False), events
    )


def kernel_of(
    declared: Model,
    derivation: Derivation,
    language: str = "cuda",
    at: Mapping[Symbol, float] | None = None,
    events: Mapping[str, Any] | None = None,
) -> Kernel:
    """The kernel in speeds that are good at a state, by default a generic one."""
    model = derivation.model
    if language not in LANGUAGES:
        raise UnknownNameError(f"there is no kernel in {quoted(language)}; choose from {', '.join(LANGUAGES)}.")
    refuse_unspecified(model, "a kernel")
    refuse_inputs(model, "a kernel")
    point = {s: float(v) for s, v in {time: 0.0, **(generic_point(declared) if at is None else at)}.items()}
    # No velocity determines the multipliers of a vakonomic motion: they are states, generic where they are not given.
    point = {**dict.fromkeys(derivation.principle.costates(model), 1.0), **point}
    p = np.array([point[s] for s in model.parameter_symbols])
    runnable = runnable_at_start(derivation, point, p)
    watchlist = Watchlist.of(declared, model, events, (), not derivation.principle.costates(model))
    return kernel_in(declared, runnable, watchlist, point[time], runnable.state(point), p)


def kernel_in(
    declared: Model, runnable: RunnableEquations, watchlist: Watchlist, t: float, x: Array, p: Array
) -> Kernel:
    """The kernel of one chart, pivots of its linear systems chosen at a state."""
    if (modes := runnable.compiled.modes) is not None and modes.switches:
        raise NotSupportedError(
            f"{declared.name} jumps or kinks (abs, sign, if), which a kernel would step over; integrate it on the CPU."
        )
    rates = runnable.straight(t, x, p)
    # What the unrolled linear systems divide by, and what the choice of the speeds does.
    pivots, chosen = lower(rates.states, rates.parameters, rates.steps, rates.pivots), runnable.compiled.pivots
    watched = (pivots,) if chosen is None else (pivots, chosen)
    source = kernel_source(rates, watched, _events(runnable.equations, watchlist.functions), SHRUNK)
    names = _names(declared, runnable, watchlist)
    return Kernel(_titled(source, names), names)


def _events(e: EquationsOfMotion, functions: Vector) -> Program:
    """Events as functions of the state, by way of the accelerations and multipliers that they ask for."""
    meant = quantity_values(e, free_symbols(functions))
    more = tuple(step for step in e.observables.steps if step not in e.definitions) if meant else ()
    outputs = tuple(replaced(f, meant) for f in functions)
    return lower(e.state, e.model.parameter_symbols, (*e.definitions, *more), outputs)


def _names(declared: Model, runnable: RunnableEquations, watchlist: Watchlist) -> dict[str, Any]:
    e = runnable.equations
    return {
        "name": e.model.name,
        "principle": e.principle,
        "state": [s.name for s in e.state],
        "velocities": _in_states(e),
        "parameters": dict(declared.parameter_items),
        "sizes": [1.0] * len(e.state),
        "events": list(watchlist.names),
        # The loss of a one-sided constraint is the fall of its multiplier.
        "directions": [0] * watchlist.own + [-1] * len(watchlist.sided),
    }


def _in_states(e: EquationsOfMotion) -> dict[str, str]:
    """Velocities in terms of what the state has, speeds or momenta, where that is short."""
    others = [w for w in e.model.velocities if w not in e.state and written_size([w], e.definitions) <= _READABLE]
    own = {*e.state, *e.model.parameter_symbols, time}
    written = zip(others, simplify_vector(inline(others, e.definitions)), strict=True)
    texts = {w.name: to_text(value) for w, value in written if free_symbols((value,)) <= own}
    return {name: text for name, text in texts.items() if len(text) <= _READABLE}


def _titled(source: str, names: Mapping[str, Any]) -> str:
    """The source behind a comment that says what its arrays hold."""
    lines = [
        f"{names['name']}: motions by {names['principle']}, one thread each.",
        f"x = ({', '.join(names['state'])})",
        *(f"P{i} = {name}" for i, name in enumerate(names["parameters"])),
        *(f"{name} = {text}" for name, text in names["velocities"].items()),
        *(f"event {j}: {name}" for j, name in enumerate(names["events"])),
    ]
    return "\n".join(["/*", *(f" * {harmless(line)}" for line in lines), " */", source])
