"""Motions. A new command is one new file and one new line here."""

from anholonomy.cli.commands.motions.simulate import *
from anholonomy.cli.commands.motions.discrete import *
from anholonomy.cli.commands.motions.geodesic import *
from anholonomy.cli.commands.motions.plan import *
from anholonomy.cli.commands.motions.animate import *
