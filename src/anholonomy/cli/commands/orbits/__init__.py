"""Steady motions, closed orbits, chaos. A new command is one new file and one new line here."""

from anholonomy.cli.commands.orbits.linearize import *
from anholonomy.cli.commands.orbits.stability import *
from anholonomy.cli.commands.orbits.section import *
from anholonomy.cli.commands.orbits.periodic import *
from anholonomy.cli.commands.orbits.lyapunov import *
