"""Run a command: parse, call, print. Every refusal ends here, as one sentence and exit code 2; a warning as a note."""

from __future__ import annotations

import contextlib
import functools
import io
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, Any, NoReturn, final

import typer
from typer.core import TyperGroup

from anholonomy._version import __version__
from anholonomy.base.errors import Error, quoted
from anholonomy.cli.commands import COMMANDS, function_of, headings, summary_of
from anholonomy.cli.parameters import in_options
from anholonomy.cli.verb_table import FORMER_OPTIONS

__all__ = ["main", "app"]


_SPOKEN = {
    "pass project=True": "add --project",
    "`times`": "--times",
    "until=": "--until ",
    "`events`": "--event",
    "the time_limit is": "--time-limit is",
    "give one, a dict from names to numbers": "give --start, such as --start x=0,y=0",
    " of seconds, or None for no limit": " of seconds",
}
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
        code = command.main(arguments, prog_name="anholonomy", standalone_mode=False)
    except Error as refusal:
        return _complain(str(refusal), 2)
    except usage_error as problem:
        return _complain(_with_cure(problem), 2)
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


def _with_cure(problem: Any) -> str:
    """What is wrong with the words that were typed, and what to type."""
    message, context = str(problem.format_message()).strip(), getattr(problem, "ctx", None)
    option, path = getattr(problem, "option_name", None), "anholonomy" if context is None else context.command_path
    if found := re.match("No such command '(.*)'", message, re.DOTALL):
        from anholonomy.language.suggestions import did_you_mean

        near = did_you_mean(found[1], COMMANDS)
        return f"there is no command {quoted(found[1])}; {near}`{path} --help` lists the commands."
    if option in FORMER_OPTIONS and context is not None:
        now = FORMER_OPTIONS[option].get(context.command.name, FORMER_OPTIONS[option][""])
        if any(now in each.opts for each in context.command.params):
            return f"{context.command.name} has no option {option}; write {now}."
    ending = "lists the commands" if path == "anholonomy" else "has examples"
    return message if message.endswith("?") else f"{message.rstrip('.')}; `{path} --help` {ending}."


def _complain(sentence: str, code: int) -> int:
    for said, typed in _SPOKEN.items():
        sentence = sentence.replace(said, typed)
    sentence = in_options(sentence)
    print(f"anholonomy: {sentence}" + ("" if sentence.endswith((".", "^", "?")) else "."), file=sys.stderr)
    return code


# The application: the commands under one name, and its help.


@final
class _Commands(TyperGroup):
    """Commands that are made when they are called, and help that lists them under headings."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Make a command; None if there is none of this name."""
        function = function_of(cmd_name)
        return None if function is None else _made(cmd_name, function)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Every heading, with a line for each command below it."""
        column = max(map(len, COMMANDS))
        for heading, names in headings().items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(column), summary_of(name)) for name in names])


def _made(name: str, function: Callable[..., None]) -> Any:
    """The command of a function."""
    single = typer.Typer(rich_markup_mode=None, add_completion=False)
    single.command(name)(_speaking(function))
    command: Any = typer.main.get_command(single)
    for option in command.params:
        if "{" in (getattr(option, "help", None) or ""):
            option.help = _with_names(option.help)
    return command


def _speaking(function: Callable[..., None]) -> Callable[..., None]:
    """The same function, whose warnings are notes."""

    @functools.wraps(function)
    def call(*arguments: Any, **words: Any) -> None:
        with _spoken_warnings():
            function(*arguments, **words)

    return call


def _with_names(text: str) -> str:
    """The names of principles, integrators and methods written into a text; they are imported only here."""
    from anholonomy.equations.principles import PRINCIPLES
    from anholonomy.motion.discrete import METHODS
    from anholonomy.motion.integrators import INTEGRATORS

    text = text.replace("{principles}", ", ".join(principle.name for principle in PRINCIPLES))
    return text.replace("{integrators}", " or ".join(INTEGRATORS)).replace("{methods}", " or ".join(METHODS))


# Plain help: it starts faster and reads the same in a terminal, a pipe and a log.
app = typer.Typer(cls=_Commands, rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)


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
