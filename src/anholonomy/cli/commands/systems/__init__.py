"""What there is. A new command is one new file and one new line here."""

from anholonomy.cli.commands.systems.list import *
from anholonomy.cli.commands.systems.show import *
