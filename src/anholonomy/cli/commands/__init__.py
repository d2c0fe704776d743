"""The commands under their headings, in the order of the help.

The commands, room by room, in the order of the help. A new one is one new line in the list of its room.

Equations, and what they reduce to. A new command is one new file and one new line here.

Many motions, and measured ones. A new command is one new file and one new line here.

Motions. A new command is one new file and one new line here.

Steady motions, closed orbits, chaos. A new command is one new file and one new line here.

Pages to read and to play with. A new command is one new file and one new line here.

Geometry and what follows. A new command is one new file and one new line here.

What there is. A new command is one new file and one new line here.
"""

from __future__ import annotations

from anholonomy.cli.commands.analyse import *
from anholonomy.cli.commands.animate import *
from anholonomy.cli.commands.answers import *
from anholonomy.cli.commands.derive import *
from anholonomy.cli.commands.discrete import *
from anholonomy.cli.commands.export import *
from anholonomy.cli.commands.fit import *
from anholonomy.cli.commands.geodesic import *
from anholonomy.cli.commands.geometry import *
from anholonomy.cli.commands.linearize import *
from anholonomy.cli.commands.list import *
from anholonomy.cli.commands.lyapunov import *
from anholonomy.cli.commands.periodic import *
from anholonomy.cli.commands.plan import *
from anholonomy.cli.commands.reduce import *
from anholonomy.cli.commands.report import *
from anholonomy.cli.commands.section import *
from anholonomy.cli.commands.show import *
from anholonomy.cli.commands.simulate import *
from anholonomy.cli.commands.stability import *
from anholonomy.cli.commands.studio import *
from anholonomy.cli.commands.study import *
from anholonomy.cli.commands.sweep import *
from collections.abc import Callable
import builtins
import inspect
import sys


_FUNCTIONS = [each for each in builtins.list(globals().values()) if inspect.isfunction(each)]
COMMANDS: dict[str, Callable[..., None]] = {each.__name__.rstrip("_"): each for each in _FUNCTIONS}
"""Every command by the name it has at the command line."""


def theme(command: Callable[..., None]) -> str:
    """What the commands of a room have in common: the first sentence of the room."""
    room = sys.modules[command.__module__.rpartition(".")[0]]
    return str(room.__doc__).partition(".")[0]
