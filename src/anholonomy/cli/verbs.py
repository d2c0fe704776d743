"""Commands made of verbs: the methods of `System`, of its accessors, of `Equations` and of `Motion`.

A command has the name of the verb, with hyphens. Its options follow from the signature of the verb (`parameters.py`) and from what the
answer can do: ``--output``, ``--plot``, ``--json``, ``--latex`` and ``--all``. `verb_table.py` has the exceptions.

Names and summaries are read from the source, so that the help imports no mathematics.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, final

import typer

from anholonomy.cli import options
from anholonomy.cli.parameters import Kind, option_of, typed
from anholonomy.cli.verb_table import PARTICULARS, PLAIN, WITHOUT, Particular

if TYPE_CHECKING:
    from anholonomy.cli.target import Study

__all__ = ["OWNERS", "Verb", "command_of", "verbs"]

OWNERS = ("system", "geometry", "stability", "paths", "equations", "motion")
"""The objects that have verbs. Each is a class in the module of its name in `anholonomy.public`."""
_ACCESSORS = ("geometry", "stability", "paths")
_MAKING = {"equations": ("by", "speeds"), "motion": ("start", "until", "tolerance")}
"""Parameters from which equations and motions are made, before the verb is called."""
_PUBLIC = Path(__file__).parents[1] / "public"
_KEYWORD = inspect.Parameter.KEYWORD_ONLY


@final
@dataclass(frozen=True)
class Verb:
    """A public verb with the command that calls it."""

    name: str
    owner: str
    attribute: str
    documented: str

    @property
    def particular(self) -> Particular:
        """The exceptions of the command."""
        return PARTICULARS.get(self.name, PLAIN)

    @property
    def summary(self) -> str:
        """One line of help: the first of the verb's docstring, unless the table has another."""
        return self.particular.summary or re.sub(r"``|`|\$", "", self.documented)

    def function(self) -> tuple[Any, bool]:
        """The function behind the verb; True if it is a property."""
        module = import_module(f"anholonomy.public.{self.owner}")
        found = inspect.getattr_static(getattr(module, self.owner.capitalize()), self.attribute)
        if inspect.isfunction(found):
            return found, False
        return getattr(found, "fget", None) or found.func, True

    def parameters(self) -> list[inspect.Parameter]:
        """The parameters of the verb, with options by keyword written out, and those that make its owner."""
        function, is_property = self.function()
        own: dict[str, inspect.Parameter] = {}
        for each in [] if is_property else list(inspect.signature(function).parameters.values())[1:]:
            if str(each.annotation).startswith("Unpack["):
                own |= _written_out(str(each.annotation))
            elif each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL):
                own[each.name] = each
        for name in (*_MAKING.get(self.owner, ()), *self.particular.more_parameters):
            own.setdefault(name, inspect.Parameter(name, _KEYWORD, default=None))
        return list(own.values())

    def answers(self) -> list[type]:
        """The classes of the answer."""
        written = str(self.function()[0].__annotations__.get("return", ""))
        homes = _read(self.owner)[1]
        names = [part.partition("[")[0] for part in written.split(" | ")]
        found = [getattr(import_module(homes[name]), name) for name in names if name in homes]
        return [each for each in found if inspect.isclass(each)]

    def call(self, study: Study, given: dict[str, Any]) -> Any:
        """Call the verb."""
        owner = _owner(self.owner, study, given)
        if self.particular.call is not None:
            return self.particular.call(owner, given)
        answer = getattr(owner, self.attribute)
        return answer if self.function()[1] else answer(**given)


def _written_out(annotation: str) -> dict[str, inspect.Parameter]:
    """The parameters that ``Unpack[SimulationOptions]`` stands for; None leaves the default to the verb."""
    from anholonomy.public import options as shared

    kind = getattr(shared, annotation.removeprefix("Unpack[").removesuffix("]"))
    return {
        name: inspect.Parameter(name, _KEYWORD, default=None, annotation=getattr(hint, "__forward_arg__", str(hint)))
        for name, hint in kind.__annotations__.items()
    }


def _owner(name: str, study: Study, given: dict[str, Any]) -> Any:
    """The object that has the verb."""
    system = study.system
    if name == "system":
        return system
    if name in _ACCESSORS:
        return getattr(system, name)
    made = {each: given.pop(each) for each in _MAKING[name] if each in given}
    return system.derive(**made) if name == "equations" else system.simulate(**made)


@cache
def verbs() -> dict[str, Verb]:
    """Every verb that has a command, by the name of the command."""
    found: dict[str, Verb] = {}
    for owner in OWNERS:
        for attribute, (documented, is_property) in _read(owner)[0].items():
            verb = Verb(attribute.replace("_", "-"), owner, attribute, documented)
            is_data = is_property and owner not in _ACCESSORS and verb.name not in PARTICULARS
            if not is_data and attribute not in WITHOUT[owner]:
                found.setdefault(verb.name, verb)
    for name, special in PARTICULARS.items():
        if special.of:
            found[name] = Verb(name, *special.of.split("."), "")  # type: ignore[call-arg]
    return found


@cache
def _read(owner: str) -> tuple[dict[str, tuple[str, bool]], dict[str, str]]:
    """The public methods of a class, with the first line of their docstrings, and the module of each name that its file imports."""
    tree = ast.parse((_PUBLIC / f"{owner}.py").read_text(encoding="utf-8"))
    methods: dict[str, tuple[str, bool]] = {}
    homes: dict[str, str] = {}
    for node in (*tree.body, *(inner for each in tree.body if isinstance(each, ast.If) for inner in each.body)):
        if isinstance(node, ast.ImportFrom) and node.module:
            homes |= {alias.asname or alias.name: node.module for alias in node.names}
        elif isinstance(node, ast.ClassDef) and node.name == owner.capitalize():
            for each in node.body:
                if isinstance(each, ast.FunctionDef) and not each.name.startswith("_"):
                    marks = {ast.unparse(mark).rpartition(".")[2] for mark in each.decorator_list}
                    first = (ast.get_docstring(each) or "").partition("\n")[0]
                    methods[each.name] = first, bool(marks & {"property", "cached_property"})
    return methods, homes


@final
@dataclass(frozen=True)
class _Abilities:
    """What an answer can do, as its classes show."""

    output: str
    plot: str
    has_dict: bool
    has_latex: bool
    has_whole: bool

    @classmethod
    def of(cls, kinds: list[type], wanted: str | None) -> _Abilities:
        names = {name for kind in kinds for name in (*dir(kind), *_fields(kind))}
        output = next((each for each in ("run", "data") if each in names), "") if wanted is None else wanted
        ways = [inspect.signature(getattr(kind, "plot")).parameters for kind in kinds if hasattr(kind, "plot")]  # noqa: B009
        canvas = next((name for way in ways for name in ("figure", "ax") if name in way), "")
        needs = [p for way in ways for p in list(way.values())[1:] if p.default is p.empty]
        texts = [inspect.signature(getattr(kind, "text")).parameters for kind in kinds if hasattr(kind, "text")]  # noqa: B009
        return cls(
            output,
            "" if needs else canvas,
            "to_dict" in names,
            "latex" in names,
            any("whole" in text for text in texts),
        )

    def parameters(self) -> list[inspect.Parameter]:
        """The options of the answer."""
        all_ = {
            "output_": self.output and _OUTPUTS[self.output],
            "plot_": self.plot and options.Picture,
            "json_": self.has_dict and options.Json,
            "latex_": self.has_latex and options.Latex,
            "whole_": self.has_whole and options.All,
        }
        return [
            inspect.Parameter(
                name, _KEYWORD, default=False if name in ("latex_", "whole_") else None, annotation=option
            )
            for name, option in all_.items()
            if option
        ]


def _fields(kind: type) -> set[str]:
    return {name for each in kind.__mro__ for name in inspect.get_annotations(each)}


_OUTPUTS: dict[str, Any] = {
    "run": options.MotionFile,
    "base": Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="A system file (.toml) for the base.")
    ],
    "data": Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="A netCDF file for the numbers.")
    ],
}


def command_of(verb: Verb) -> Callable[..., None]:
    """The function from which Typer makes the command of a verb."""
    special, abilities = verb.particular, _Abilities.of(verb.answers(), verb.particular.output)
    kinds: dict[str, tuple[Kind, str]] = {}
    made = [inspect.Parameter("target", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=options.Target)]
    for each in verb.parameters():
        is_special = each.name in special.kinds
        kind = special.kinds[each.name] if is_special else typed(each)
        if kind is not None:
            default = (
                None if each.name in special.optional else each.empty if each.name in special.required else each.default
            )
            parameter, option = option_of(each.name, kind, default)
            made.append(parameter)
            kinds[each.name] = kind, option
        elif each.default is each.empty and not is_special:
            raise TypeError(
                f"{verb.owner}.{verb.attribute}: its parameter {each.name} cannot be typed at the command line; give its kind in "
                "PARTICULARS, or a reason in WITHOUT (cli/verb_table.py)."
            )
    made.append(inspect.Parameter("set_", _KEYWORD, default=None, annotation=options.Set))
    made += [each for each in abilities.parameters() if not (each.name == "plot_" and "ax" in kinds)]

    def command(target: str, set_: list[str] | None, **words: Any) -> None:
        _run(verb, abilities, kinds, target, set_, words)

    command.__signature__ = inspect.Signature(sorted(made, key=lambda each: each.kind))  # type: ignore[attr-defined]
    command.__annotations__ = {}
    command.__name__, command.__doc__ = verb.name, _help(verb, made)
    return command


def _run(
    verb: Verb,
    abilities: _Abilities,
    kinds: Mapping[str, tuple[Kind, str]],
    target: str,
    parameters: list[str] | None,
    words: Mapping[str, Any],
) -> None:
    """Read what was typed, call the verb, print the answer and write its files."""
    from anholonomy.cli.output import check_outputs, leave_json, leave_motion, leave_numbers, leave_picture
    from anholonomy.cli.target import find

    special, output, picture, json = verb.particular, *(words.get(f"{name}_") for name in ("output", "plot", "json"))
    is_motion = abilities.output == "run"
    check_outputs(motion=output if is_motion else None, picture=picture)
    check_outputs(numbers=None if is_motion else output)
    check_outputs(numbers=json)
    study = find(target).with_values(parameters, None)
    given = {
        name: kind.read(words[name], option, study)
        for name, (kind, option) in kinds.items()
        if words[name] not in (None, [], ()) or (kind.implied and not (name == "until" and words.get("times")))
    }
    how = {**given, "whole": bool(words.get("whole_")), "latex": bool(words.get("latex_"))}
    answer = verb.call(study, given)
    code = special.code(answer) if special.code is not None else 0
    has_motion = is_motion and not (code and special.empty_if_code)
    if has_motion:
        leave_motion(answer.run, output)
    if said := (special.told or _told)(study, answer, how):
        print(said)
    drawn = None if picture is None or (is_motion and not has_motion) else special.drawn(answer, how)
    if drawn is not None:
        leave_picture(lambda path: answer.plot(**{abilities.plot: path}, **drawn), picture)
    if abilities.output == "data":
        leave_numbers(answer.data, output, special.numbers)
    elif abilities.output == "base" and output is not None:
        answer.base.save(output)
        print(f"the base is saved in {output}")
    leave_json(answer, json, "the answer is")
    raise typer.Exit(code)


def _told(study: Study, answer: Any, how: Mapping[str, Any]) -> str:
    """The answer as text or LaTeX."""
    if how["latex"]:
        from anholonomy.base.errors import NotSupportedError

        if not hasattr(answer, "latex"):
            raise NotSupportedError(f"{study.system.name}: this answer has no LaTeX; leave out --latex.")
        return str(answer.latex())
    if isinstance(answer, dict):
        from anholonomy.language.writing import to_text

        return "\n".join(
            f"{name} = {f'{value:.12g}' if isinstance(value, float) else to_text(value)}"
            for name, value in answer.items()
        )
    return str(answer.text(how["whole"]) if hasattr(answer, "text") else answer)


def _help(verb: Verb, made: list[inspect.Parameter]) -> str:
    """The help: a summary, a paragraph, other names and examples."""
    special = verb.particular
    required = [each for each in made[1:] if each.default is each.empty]
    usual = " ".join(
        ["chaplygin-sleigh", *(f"{_option(each)} {each.annotation.__metadata__[0].metavar}" for each in required)]
    )
    examples = "\n".join(f"  anholonomy {verb.name} {words}" for words in special.examples or (usual,))
    also = f"The command has another name: {' or '.join(special.also)}." if special.also else ""
    blocks = [verb.summary, special.more, also, f"\b\nExamples:\n{examples}"]
    return "\n\n".join(block for block in blocks if block)


def _option(parameter: inspect.Parameter) -> str:
    return str(parameter.annotation.__metadata__[0].default)
