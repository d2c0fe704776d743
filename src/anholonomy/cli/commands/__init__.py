"""Commands that are more than one verb, and the help of all. A new one is a function in a file that the list below names."""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable

from anholonomy.cli.commands.catalogue import *
from anholonomy.cli.commands.equations import *
from anholonomy.cli.commands.motions import *
from anholonomy.cli.commands.steady import *
from anholonomy.cli.commands.sweep import *
from anholonomy.cli.commands.pages import *
from anholonomy.cli.verbs import command_of, verbs

_FUNCTIONS = [each for each in builtins.list(globals().values()) if inspect.isfunction(each)]
WRITTEN: dict[str, Callable[..., None]] = {
    each.__name__.rstrip("_"): each for each in _FUNCTIONS if each.__module__.startswith(f"{__name__}.")
}
"""The functions that are written out, by the name of the command."""

HEADINGS: dict[str, tuple[str, ...]] = {
    "Catalogue": ("list", "show", "units"),
    "Equations and reduction": (
        "derive", "export", "verify", "accelerations", "reactions", "hamiltonian-form", "find-lagrangian", "reduce", "reduced",
        "reduced-by-group",
    ),
    "Geometry": ("geometry", "is-holonomic"),
    "Conserved quantities and other consequences": ("analyse",),
    "Motions": ("simulate", "discrete", "animate", "plan"),
    "Many motions, and measured ones": ("sweep", "fit"),
    "Steady motions, closed orbits, chaos": ("linearize", "stability", "section"),
    "Paths": ("geodesic",),
    "Reports and the studio": ("report", "study", "studio"),
}  # fmt: skip
"""The headings of the help with their first commands. Further verbs follow under the heading of the object that has them."""

_FURTHER = {
    "system": "Conserved quantities and other consequences",
    "geometry": "Geometry",
    "stability": "Steady motions, closed orbits, chaos",
    "paths": "Paths",
    "equations": "Equations and reduction",
    "motion": "Motions",
}


def headings() -> dict[str, builtins.list[str]]:
    """Every command under its heading, in the order of the help."""
    found = {heading: [*names] for heading, names in HEADINGS.items()}
    placed = {name for names in HEADINGS.values() for name in names}
    for name, verb in verbs().items():
        if name not in placed | WRITTEN.keys():
            found[_FURTHER[verb.owner]].append(name)
    found["Reports and the studio"] += [name for name in WRITTEN if name not in placed]
    return found


COMMANDS: tuple[str, ...] = tuple(name for names in headings().values() for name in names)
"""Every command, in the order of the help."""

OTHER_NAMES: dict[str, str] = {other: name for name, verb in verbs().items() for other in verb.particular.also}
"""Other names of commands."""


def summary_of(name: str) -> str:
    """One line of help."""
    return str(WRITTEN[name].__doc__).partition("\n")[0] if name in WRITTEN else verbs()[name].summary


def function_of(name: str) -> Callable[..., None] | None:
    """The function of a command, by its name or another; None if there is no such command."""
    name = OTHER_NAMES.get(name, name)
    if name in WRITTEN:
        return WRITTEN[name]
    return command_of(verbs()[name]) if name in COMMANDS else None
