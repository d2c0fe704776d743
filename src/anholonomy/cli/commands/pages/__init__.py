"""Pages to read and to play with. A new command is one new file and one new line here."""

from anholonomy.cli.commands.pages.report import *
from anholonomy.cli.commands.pages.study import *
from anholonomy.cli.commands.pages.studio import *
