"""The application: the commands under one name."""

from __future__ import annotations

from itertools import groupby
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from anholonomy._version import __version__
from anholonomy.cli.commands import COMMANDS, theme

__all__ = ["app"]


class Themes(TyperGroup):
    """Commands whose help lists them by their rooms."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """A heading for each room, and a line for each command."""
        column = max(map(len, self.commands))
        for heading, names in groupby(self.commands, lambda name: theme(COMMANDS[name])):
            rows = [(name.ljust(column), str(COMMANDS[name].__doc__).partition("\n")[0]) for name in names]
            with formatter.section(heading):
                formatter.write_dl(rows)


# Plain help: it starts faster and reads the same in a terminal, a pipe and a log.
app = typer.Typer(cls=Themes, rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"anholonomy {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Nonholonomic mechanics: declare a system once; derive, prove, simulate and draw it.

    \b
    Examples:
      anholonomy list
      anholonomy derive chaplygin-sleigh --by all
      anholonomy simulate chaplygin-sleigh --until 20 --plot sleigh.png
      anholonomy study my-robot.toml --start x=0 --start "x'=1" --until 10 --output results

    \b
    Exit codes: 0 done; 1 the principles disagree or the motion ended early;
    2 refused, with the reason; 130 interrupted, what was computed being kept.
    """
    if context.invoked_subcommand is None:
        print(context.get_help())


for _name, _command in COMMANDS.items():
    app.command(_name)(_command)
