"""Run a command: parse, call, print. Every refusal ends here, as one sentence and exit code 2; a warning as a note."""

from __future__ import annotations

import contextlib
import io
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, NoReturn, final

import typer
from typer.core import TyperGroup

from anholonomy._version import __version__
from anholonomy.base.errors import Error
from anholonomy.cli.commands import COMMANDS, HEADINGS

__all__ = ["main", "app"]


_SPOKEN = {"pass project=True": "add --project", "`times`": "--times", "until=": "--until ", "`events`": "--event"}
"""Words of the Python interface that refusals use, and what is typed here instead."""
_SILENCER = re.compile(r" \(if [^:]*: warnings\.simplefilter\([^)]*\)\)")
"""How Python silences a warning, which here is only a note."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command and leave with its exit code: 0 done, 1 the answer is no, 2 refused, 130 interrupted."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a letter shows a question mark, rather than nothing at all.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    sys.exit(_run(None if arguments is None else list(arguments)))


def _run(arguments: list[str] | None) -> int:
    # Typer may carry its own copy of Click and exports no more of its exceptions than this one's children.
    usage_error: type[Exception] = typer.BadParameter.__mro__[1]
    command = typer.main.get_command(app)
    try:
        with _spoken_warnings():
            code = command.main(arguments, prog_name="anholonomy", standalone_mode=False)
    except Error as refusal:
        return _complain(str(refusal), 2)
    except usage_error as problem:
        return _complain(problem.format_message(), 2)  # type: ignore[attr-defined]
    except typer.Abort:
        # Older versions of Typer turn Ctrl-C into this, newer ones into the exit code itself.
        return 130
    return code if isinstance(code, int) else 0


@contextlib.contextmanager
def _spoken_warnings() -> Iterator[None]:
    """Our own warnings as one line on standard error each, once; all others as Python has them."""
    from anholonomy.system.warnings import DeclarationWarning

    with warnings.catch_warnings():
        shown, said = warnings.showwarning, set[str]()

        def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
            if not issubclass(category, DeclarationWarning):
                shown(message, category, *where, **more)
            elif str(message) not in said:
                said.add(str(message))
                print(f"note: {_SILENCER.sub('', str(message))}", file=sys.stderr)

        # A motion declares its system again, and a filter of Python's might hide or raise what a user must read.
        warnings.simplefilter("always", DeclarationWarning)
        warnings.showwarning = show
        yield


def _complain(sentence: str, code: int) -> int:
    for said, typed in _SPOKEN.items():
        sentence = sentence.replace(said, typed)
    print(f"anholonomy: {sentence}" + ("" if sentence.endswith((".", "^", "?")) else "."), file=sys.stderr)
    return code


# The application: the commands under one name, and its help.


@final
class _WithHeadings(TyperGroup):
    """Commands whose help lists them under headings."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Every heading, with a line for each command below it."""
        column = max(map(len, self.commands))
        sections: list[tuple[str, list[tuple[str, str]]]] = []
        for name in self.commands:
            if name in HEADINGS:
                sections.append((HEADINGS[name], []))
            sections[-1][1].append((name.ljust(column), str(COMMANDS[name].__doc__).partition("\n")[0]))
        for heading, rows in sections:
            with formatter.section(heading):
                formatter.write_dl(rows)


# Plain help: it starts faster and reads the same in a terminal, a pipe and a log.
app = typer.Typer(cls=_WithHeadings, rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)


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
