"""The commands, room by room, in the order of the help. A new one is one new line in the list of its room."""

from __future__ import annotations

import builtins
import inspect
import sys
from collections.abc import Callable

from anholonomy.cli.commands.systems import *
from anholonomy.cli.commands.equations import *
from anholonomy.cli.commands.questions import *
from anholonomy.cli.commands.motions import *
from anholonomy.cli.commands.orbits import *
from anholonomy.cli.commands.many import *
from anholonomy.cli.commands.pages import *

_FUNCTIONS = [each for each in builtins.list(globals().values()) if inspect.isfunction(each)]
COMMANDS: dict[str, Callable[..., None]] = {each.__name__.rstrip("_"): each for each in _FUNCTIONS}
"""Every command by the name it has at the command line."""


def theme(command: Callable[..., None]) -> str:
    """What the commands of a room have in common: the first sentence of the room."""
    room = sys.modules[command.__module__.rpartition(".")[0]]
    return str(room.__doc__).partition(".")[0]
