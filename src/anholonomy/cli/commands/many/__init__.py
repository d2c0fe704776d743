"""Many motions, and measured ones. A new command is one new file and one new line here."""

from anholonomy.cli.commands.many.sweep import *
from anholonomy.cli.commands.many.fit import *
