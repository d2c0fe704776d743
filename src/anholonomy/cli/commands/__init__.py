"""The commands. A new one is one new file and one new line here."""

from __future__ import annotations

from collections.abc import Callable

from anholonomy.cli.commands.animate import animate
from anholonomy.cli.commands.derive import derive
from anholonomy.cli.commands.export import export
from anholonomy.cli.commands.geometry import geometry
from anholonomy.cli.commands.hamiltonian import hamiltonian
from anholonomy.cli.commands.lagrangian import lagrangian
from anholonomy.cli.commands.list_systems import list_systems
from anholonomy.cli.commands.reduce import reduce
from anholonomy.cli.commands.show import show
from anholonomy.cli.commands.simulate import simulate
from anholonomy.cli.commands.study import study
from anholonomy.cli.commands.verify import verify

__all__ = ["COMMANDS"]

COMMANDS: dict[str, Callable[..., None]] = {
    "list": list_systems,
    "show": show,
    "derive": derive,
    "export": export,
    "verify": verify,
    "geometry": geometry,
    "reduce": reduce,
    "hamiltonian": hamiltonian,
    "lagrangian": lagrangian,
    "simulate": simulate,
    "animate": animate,
    "study": study,
}
"""Every command by the name it has at the command line."""
