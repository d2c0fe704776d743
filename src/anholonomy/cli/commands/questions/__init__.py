"""Geometry and what follows. A new command is one new file and one new line here."""

from anholonomy.cli.commands.questions.geometry import *
from anholonomy.cli.commands.questions.analyse import *
from anholonomy.cli.commands.questions.compare import *
