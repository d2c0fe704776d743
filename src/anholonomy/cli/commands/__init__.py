"""The commands, in the order of the help, and the headings that it has. A new command is one new file and one new line here."""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable

from anholonomy.cli.commands.list import *
from anholonomy.cli.commands.show import *
from anholonomy.cli.commands.derive import *
from anholonomy.cli.commands.export import *
from anholonomy.cli.commands.verify import *
from anholonomy.cli.commands.reduce import *
from anholonomy.cli.commands.hamiltonian import *
from anholonomy.cli.commands.lagrangian import *
from anholonomy.cli.commands.geometry import *
from anholonomy.cli.commands.analyse import *
from anholonomy.cli.commands.compare import *
from anholonomy.cli.commands.simulate import *
from anholonomy.cli.commands.discrete import *
from anholonomy.cli.commands.geodesic import *
from anholonomy.cli.commands.plan import *
from anholonomy.cli.commands.animate import *
from anholonomy.cli.commands.linearize import *
from anholonomy.cli.commands.stability import *
from anholonomy.cli.commands.section import *
from anholonomy.cli.commands.periodic import *
from anholonomy.cli.commands.lyapunov import *
from anholonomy.cli.commands.sweep import *
from anholonomy.cli.commands.fit import *
from anholonomy.cli.commands.report import *
from anholonomy.cli.commands.study import *
from anholonomy.cli.commands.studio import *

_FUNCTIONS = [each for each in builtins.list(globals().values()) if inspect.isfunction(each)]
COMMANDS: dict[str, Callable[..., None]] = {each.__name__.rstrip("_"): each for each in _FUNCTIONS}
"""Every command by the name it has at the command line."""

HEADINGS = {
    "list": "What there is",
    "derive": "Equations, and what they reduce to",
    "geometry": "Geometry and what follows",
    "simulate": "Motions",
    "linearize": "Steady motions, closed orbits, chaos",
    "sweep": "Many motions, and measured ones",
    "report": "Pages to read and to play with",
}
"""The headings of the help, each by the first command that stands under it."""
