"""The arguments of `System` read into a model, and written to a file.

A system's declaration: its words read, checked and kept; others made from it; written to a file.

`System` has these verbs, beside those that derive and move.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from anholonomy.base.errors import IllPosedSystem, Refusal, UnknownName
from anholonomy.base.files import write_whole
from anholonomy.base.notebook import Shown
from anholonomy.equations.principles import PRINCIPLES
from anholonomy.geometry.groups import AbstractGroup
from anholonomy.language.arguments import name_of, value_of
from anholonomy.language.suggestions import with_known_keywords
from anholonomy.public.questions import Questions
from anholonomy.system.bodies.declaration import with_bodies
from anholonomy.system.bodies.scene import scenery
from anholonomy.system.bodies.toml import parts_toml, read_parts
from anholonomy.system.checks.redundant_constraints import revalued
from anholonomy.system.checks.well_posed import check_model
from anholonomy.system.declaration.declare import UNNAMED, declare, start_items, with_forces
from anholonomy.system.declaration.inputs import with_inputs
from anholonomy.system.declaration.toml import checked_toml, from_toml, read_system
from anholonomy.system.declaration.unspecified_functions import with_functions
from anholonomy.system.frames.moving import MovingFrame
from anholonomy.system.model import Model
from anholonomy.system.states.complete_state import refuse_unknown
from anholonomy.system.units.checking import check_dimensions
from anholonomy.system.units.to_si import in_si, parameters_in_si
from anholonomy.system.warnings import warn_if_substituted, warn_of_mistakes, warn_of_values

__all__ = ["Declaration", "words_of_file"]

_DECLARED = frozenset(
    [
        "constraints",
        "coordinates",
        "frame",
        "functions",
        "group",
        "inputs",
        "kinds",
        "lagrangian",
        "name",
        "one_sided",
        "parameters",
        "scene",
        "start",
        "units",
        "velocities",
    ]
)
"""What of a model's data a user has said, in the words of the declaration."""


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Declaration(Shown, Questions):
    """A model declared in a user's words."""

    assembly: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The words of a declaration by bodies, for files; empty where there are none, or forces were changed since."""

    @with_known_keywords("System")
    def __init__(
        self,
        *,
        name: str = UNNAMED,
        coordinates: Sequence[Any] | Mapping[Any, str] = (),
        lagrangian: Any = None,
        constraints: Sequence[Any] | Mapping[str, Any] = (),
        parameters: Mapping[Any, float | None] | Iterable[Any] = (),
        forces: Mapping[Any, Any] | None = None,
        span: Sequence[Sequence[Any]] | None = None,
        speeds: Sequence[Any] | Mapping[Any, Any] | None = None,
        momenta: Mapping[Any, Any] | None = None,
        redundant: str = "refuse",
        group: AbstractGroup | str | None = None,
        kinetic: Sequence[Any] | None = None,
        potential: Any = None,
        scene: Sequence[Mapping[str, Any]] | None = None,
        one_sided: Sequence[str] = (),
        start: Mapping[Any, Any] | None = None,
        functions: Sequence[str] = (),
        inputs: Sequence[Any] = (),
        units: Mapping[Any, str] | None = None,
        bodies: Sequence[Any] = (),
        joints: Sequence[Any] = (),
        contacts: Sequence[Any] = (),
        loads: Sequence[Any] = (),
        gravity: Any = None,
    ) -> None:
        words = _in_si({word: value for word, value in locals().items() if word != "self"})
        model = _declared(words)
        self._adopt(model, {word: value for word, value in words.items() if bodies and value is not None})
        warn_if_substituted(model)
        warn_of_mistakes(model, built=bool(bodies))

    @classmethod
    def _of(cls, model: Model, assembly: Mapping[str, Any] | None = None) -> Self:
        """A model that exists already, with verbs."""
        system = cls.__new__(cls)
        system._adopt(model, assembly)
        return system

    def _adopt(self, model: Model, assembly: Mapping[str, Any] | None = None) -> None:
        check_model(model)
        if model.start_items:
            refuse_unknown(model, model.start, [mu for f in PRINCIPLES for mu in type(f).costates(model)])
        vars(self).update(vars(model))  # with what is known of it already
        object.__setattr__(self, "assembly", assembly or {})

    def with_parameters(self, table: Mapping[Any, Any] | None = None, /, **values: Any) -> Self:
        """The same system with other values, by name or in a dict; None frees a symbol.

        >>> from anholonomy.catalogue import chaplygin_sleigh
        >>> chaplygin_sleigh().with_parameters(m=2.0).parameters["m"]
        2.0
        >>> chaplygin_sleigh().with_parameters({"m": 2.0, "a": 0.1}).parameters["a"]
        0.1
        """
        if table is not None and not isinstance(table, Mapping):
            raise IllPosedSystem(f"{self.name}: {table!r:.60} is no table of parameters; give a dict, or m=2.0.")
        values = {name_of(key, f"{self.name}: a parameter"): value for key, value in (table or {}).items()} | values
        if unknown := sorted(set(values) - set(self.parameters)):
            known = ", ".join(self.parameters) or "none"
            raise UnknownName(f"{self.name} has no parameter {unknown[0]!r}; its parameters are {known}.")
        given, units = parameters_in_si(self.name, values, dict(self.units))
        items = tuple(
            (p, value_of(given[p], f"{self.name}: the parameter {p}") if p in values else old)
            for p, old in self.parameter_items
        )
        model = revalued(self, items)
        if units != dict(self.units):
            model = model.with_words(units=tuple(units.items()))
            check_dimensions(model)
        changed = self._of(model, self.assembly)
        warn_of_values(changed)
        return changed

    def with_start(self, start: Mapping[Any, Any] | None) -> Self:
        """The same system whose motions begin elsewhere unless told otherwise; None leaves that open."""
        return self._of(self.with_words(start_items=start_items(self.name, in_si(self, start))), self.assembly)

    def with_forces(
        self,
        forces: Mapping[Any, Any],
        parameters: Mapping[Any, float | None] | Iterable[Any] = (),
        *,
        inputs: Sequence[Any] = (),
        instead: bool = False,
    ) -> Self:
        """The same system with further applied forces, or with these ``instead`` of its own.

        ``parameters`` are those that the forces need; one that the system has already gets another value. So are ``inputs``.

        >>> from anholonomy.catalogue import skate
        >>> braked = skate().with_forces({"x": "-c*x'", "y": "-c*y'"}, parameters={"c": 0.1})
        >>> [str(force) for force in braked.with_forces({"x": 1}).forces_a]
        ["1 - c*x'", "-c*y'", '0']
        """
        return self._of(with_forces(self, forces, parameters, inputs, instead))

    def with_inputs(self, /, **signals: Any) -> Self:
        """The same system with inputs written out, each a number or a text of feedback: the closed loop as a system of its own.

        >>> from anholonomy import System
        >>> cart = System(coordinates=["x"], lagrangian="x'^2/2", forces={"x": "F"}, inputs=["F"])
        >>> print(cart.with_inputs(F="-4*x - x'").derive())
        system: equations of motion by hamel
          x'' = -x' - 4*x
        """
        return self._of(with_inputs(self, signals))

    def with_functions(self, /, **functions: Any) -> Self:
        """The same system with functions written out, each a text in the names of its arguments.

        >>> from anholonomy import System
        >>> particle = System(coordinates=["x"], lagrangian="x'^2/2 - V(x)", functions=["V(x)"])
        >>> particle.with_functions(V="9*x").derive().accelerations({"x": 0, "x'": 1})
        {"x''": -9.0}
        """
        return self._of(with_functions(self, functions))

    def seen_from(self, moving: MovingFrame) -> Self:
        """The same system in a moving frame of its own: motions correspond by `MovingFrame.fixed_state`.

        Its parameters have the values that they have in this system, whichever they had when the frame was made.
        """
        if not isinstance(moving, MovingFrame):
            raise IllPosedSystem(f"{self.name}: {moving!r:.60} is no moving frame; make one with moving_frame({{…}}).")
        return self._of(moving.model_of(self))

    def save(self, path: str | Path) -> None:
        """Write the declaration as a TOML file that `load` reads back without loss."""
        write_whole(path, self.to_toml())

    def to_toml(self) -> str:
        """The declaration as a TOML text: by bodies, joints, contacts and loads where it was made so."""
        if self.assembly:
            try:
                text = parts_toml(self.assembly, self)
                if _declared(_read(text, self.name)) == self.with_words():
                    return text
            except Refusal:
                pass  # a word that no text can hold
        return checked_toml(self)

    def __dir__(self) -> list[str]:
        """What a user can do or read; tables are behind `model`."""
        verbs = {name for kind in type(self).__mro__ if not issubclass(Model, kind) for name in vars(kind)}
        return sorted(verbs | _DECLARED | set(dir(object)))

    def __repr__(self) -> str:
        sizes = {"coordinate": len(self.coordinates), "constraint": len(self.constraints)}
        counted = (f"{count} {what}{'' if count == 1 else 's'}" for what, count in sizes.items())
        return f"System({self.name!r}, {', '.join(counted)})"

    def _details(self) -> list[tuple[str, str]]:
        from anholonomy.show.text.declaration import sections

        return [(heading, "\n".join(lines)) for heading, lines in sections(self).items()]

    def _repr_latex_(self) -> str | None:
        """What a notebook shows: the Lagrangian and the constraints, or the line above where they are too long."""
        from anholonomy.show.text.equations import declaration_latex

        found = declaration_latex(self)
        return f"$${found}$$" if found else None


def _declared(words: Mapping[str, Any]) -> Model:
    plain = _in_si(words)
    return declare(**with_bodies(**{"name": UNNAMED, **plain}) | scenery(plain))


def _in_si(words: Mapping[str, Any]) -> dict[str, Any]:
    """The words with parameters in plain numbers and their units beside them."""
    given, units = parameters_in_si(words.get("name", UNNAMED), words.get("parameters", ()), words.get("units"))
    return {**words, "parameters": given, "units": units or None}


def _read(text: str, source: str) -> dict[str, Any]:
    return read_parts(from_toml(text, source, parts=True), source)


def words_of_file(path: str | Path) -> dict[str, Any]:
    """The words of the system that a TOML file declares."""
    return read_parts(read_system(path), str(path))
