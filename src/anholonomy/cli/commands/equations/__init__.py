"""Equations, and what they reduce to. A new command is one new file and one new line here."""

from anholonomy.cli.commands.equations.derive import *
from anholonomy.cli.commands.equations.export import *
from anholonomy.cli.commands.equations.verify import *
from anholonomy.cli.commands.equations.reduce import *
from anholonomy.cli.commands.equations.hamiltonian import *
from anholonomy.cli.commands.equations.lagrangian import *
