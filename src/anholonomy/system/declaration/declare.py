"""The function that makes a model of a user's words, and those that make one of other forces or parameters.

Every word is read by a function of its own, in the order in which `declare` takes them; expressions are read in the vocabulary of the
declaration, which refuses symbols that nobody declared and says what may be meant.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import combinations
from typing import Any, final

import symengine

from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, free_symbols, matrix_vector, symbol, zero
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.errors import DeclarationError, NotSupportedError, quoted
from anholonomy.base.verdict import Verdict
from anholonomy.geometry.groups import AbstractGroup
from anholonomy.language import check_name, to_text
from anholonomy.language.arguments import equation, expect_list, expect_mapping, expression, is_list, name_of, value_of
from anholonomy.language.functions import add
from anholonomy.language.names import is_title
from anholonomy.language.syntax_errors import rate_meant
from anholonomy.system.checks.redundant_constraints import with_redundant_rows, without_redundant
from anholonomy.system.constraints import Constraint, Kind, classify
from anholonomy.system.declaration.configuration import Configuration, configuration
from anholonomy.system.declaration.inputs import read_inputs, told_of_input
from anholonomy.system.declaration.unspecified_functions import calls_only, read_functions, refuse_calls
from anholonomy.system.frames.speeds import read_speeds
from anholonomy.system.model import Model
from anholonomy.system.scene import Shape, read_scene
from anholonomy.system.units.checking import check_dimensions
from anholonomy.system.units.to_si import checked_units, in_si, parameters_in_si
from anholonomy.system.warnings import atoms_of, warn_of_twins

__all__ = [
    "UNNAMED",
    "declare",
    "parameter_values",
    "start_items",
    "with_forces",
    "with_parameters_replaced",
]

UNNAMED = "system"
"""What a system is called whose user gave it no name."""
_REDUNDANT = ("refuse", "drop", "keep")


def declare(
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
    is_closed_loop: bool = False,
) -> Model:
    """The model that a declaration describes; names and symbols are checked, physics is not yet.

    Of a closed loop, whose feedback a user wrote with plain numbers, terms need not fit together.
    """
    _refuse_title(name)
    warn_of_twins(name, atoms_of([coordinates, lagrangian, constraints, forces, span, momenta, kinetic, potential]))
    space = configuration(name, coordinates, group)
    names, frame, velocities = space.coordinates, space.frame, space.velocities
    parameters, known = parameters_in_si(name, parameters, units)
    values = parameter_values(name, parameters)
    _refuse_clashes(name, space, values)
    pushing = read_inputs(name, inputs, {*space.names, *values})
    check = _Vocabulary(name, space, values, functions, speeds, pushing)
    L = _lagrangian(check, lagrangian, kinetic, potential, momenta)
    rows = tuple(
        classify(label, check(equation(row, what, names), what, accelerations=True), frame, velocities)
        for label, row, what in _labelled(name, constraints, check.functions)
    )
    _refuse_redundant(name, redundant, momenta)
    model = Model(
        name=name,
        coordinate_kinds=space.kinds,
        frame=frame,
        velocities=velocities,
        lagrangian=L,
        constraints=rows,
        forces_a=_components("force", {} if forces is None else forces, space, check.with_inputs()),
        parameter_items=(*values.items(), *((u, None) for u in pushing)),
        span_ba=_span(name, span, space.directions, check),
        speed_names=None if span is None else _speed_names(name, speeds, span, names, values),
        momenta_a=None if momenta is None else _components("momentum", momenta, space, check),
        group=space.group,
        invariants=space.invariants,
        keeps_redundant=redundant == "keep",
        one_sided=_one_sided(name, one_sided, [row.label for row in rows]),
        functions=check.functions,
        inputs=pushing,
        scene=_scene(check, scene),
    )
    model = _with_units(model, known, start, is_closed_loop)
    model = {"drop": without_redundant, "keep": with_redundant_rows}.get(redundant, lambda same: same)(model)
    return model if speeds is None or span is not None else _with_speeds(model, speeds)


def _with_units(model: Model, units: Mapping[str, str], start: Mapping[Any, Any] | None, is_closed_loop: bool) -> Model:
    """The model with its units, in which its terms fit together, and with its start, which may have units of its own."""
    if units:
        kinds = dict(zip((q.name for q in model.coordinates), model.coordinate_kinds, strict=True))
        others = {*model.directions, *(p for p, _ in model.parameter_items)}
        model = model.replaced(units=checked_units(model.name, units, kinds, others))
        if not is_closed_loop:
            check_dimensions(model)
    return model if start is None else model.replaced(start_items=start_items(model.name, in_si(model, start)))


def with_forces(
    model: Model,
    forces: Mapping[Any, Any],
    parameters: Mapping[Any, Any] | Iterable[Any],
    inputs: Sequence[Any],
    instead: bool,
) -> Model:
    """The model with further forces, or with these instead of its own, and the parameters and inputs that they need."""
    if not isinstance(instead, bool):
        raise DeclarationError(f"{model.name}: instead={quoted(instead)} says nothing; say True or False.")
    space = configuration(model.name, model.own_coordinates, model.group)
    parameters, known = parameters_in_si(model.name, parameters, dict(model.units))
    values = {**model.parameters, **parameter_values(model.name, parameters)}
    _refuse_clashes(model.name, space, values)
    heads = list(map(str, model.functions))
    new = read_inputs(model.name, inputs, {*space.names, *values, *model.inputs})
    check = _Vocabulary(model.name, space, values, heads, model.speed_names or (), (*model.inputs, *new))
    given = _components("force", forces, space, check.with_inputs())
    total = given if instead else tuple(add(a, b) for a, b in zip(model.forces_a, given, strict=True))
    pushing = tuple(u for u in (*model.inputs, *new) if u in new or not instead or symbol(u) in free_symbols(total))
    items = (*values.items(), *((u, None) for u in pushing))
    changed = model.replaced(forces_a=total, parameter_items=items, inputs=pushing, units=tuple(known.items()))
    check_dimensions(changed)
    return changed


def with_parameters_replaced(model: Model, values: Mapping[Symbol, Expr]) -> Model:
    """The model with parameters that are functions of the others, which may be numbers.

    >>> import symengine
    >>> from anholonomy.system.declaration.declare import declare
    >>> model = declare(coordinates=["x", "y"], lagrangian="(x'^2 + y'^2 - a*x^2 - b*y^2)/2", parameters=["a", "b"])
    >>> a, b = model.parameter_symbols
    >>> changed = with_parameters_replaced(model, {a: 4 * b})
    >>> changed.parameters, a in changed.lagrangian.free_symbols
    (mappingproxy({'b': None}), False)
    """
    frame = model.frame
    structure = [e for row in frame.structure_abd for each in row for e in each] if not frame.is_chart else []
    if not free_symbols([*(e for row in frame.anchor_ai for e in row), *structure]).isdisjoint(values):
        raise NotSupportedError(
            f"{model.name}: a parameter of its group cannot be replaced; declare the group with its value."
        )

    def there(expression: Expr) -> Expr:
        return expression.xreplace(dict(values))

    def each(some: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return tuple(map(there, some))

    def rows(some: tuple[Constraint, ...]) -> tuple[Constraint, ...]:
        return tuple(classify(c.label, there(c.declared), frame, model.velocities) for c in some)

    names = {s.name for s in values}
    changed = model.replaced(
        lagrangian=there(model.lagrangian),
        constraints=rows(model.constraints),
        implied=rows(model.implied),
        forces_a=each(model.forces_a),
        momenta_a=None if model.momenta_a is None else each(model.momenta_a),
        span_ba=None if model.span_ba is None else tuple(map(each, model.span_ba)),
        speed_values=None if model.speed_values is None else each(model.speed_values),
        parameter_items=tuple((name, value) for name, value in model.parameter_items if name not in names),
        redundant_rows=(),
    )
    return with_redundant_rows(changed) if model.keeps_redundant else changed


def scene_for(model: Model, scene: Sequence[Mapping[str, Any]]) -> tuple[Shape, ...]:
    """The shapes of a scene in the names of a system that is declared already."""
    space = configuration(model.name, model.own_coordinates, model.group)
    heads = list(map(str, model.functions))
    check = _Vocabulary(model.name, space, model.parameters, heads, model.speed_names or (), model.inputs)
    return _scene(check, scene)


def _scene(check: _Vocabulary, scene: Any) -> tuple[Shape, ...]:
    names = check.space.coordinates
    return read_scene(check.name, scene, lambda value, what: check(expression(value, what, coordinates=names), what))


# What a symbol may be.


@final
class _Vocabulary:
    """Refuses expressions that use symbols nobody declared."""

    def __init__(
        self,
        name: str,
        space: Configuration,
        values: Mapping[str, Any],
        functions: Sequence[str],
        chosen: Any = (),
        inputs: tuple[str, ...] = (),
    ) -> None:
        self.name, self.space, self.inputs = name, space, inputs
        self.chosen = set(map(str, chosen)) if isinstance(chosen, Sequence | Mapping) else set()
        named = {s.name for s in space.named}
        rates = {name for name in named if name.endswith("'")}
        self.places = {*space.coordinates, *(named - rates), *values, "t"}
        self.accelerations = {f"{v.name}'" for v in space.velocities}
        self.speeds = {*(v.name for v in space.velocities), *(rates - self.accelerations)}
        self.functions = read_functions(name, functions, self.places)

    def with_inputs(self) -> _Vocabulary:
        """The same for forces, which may use inputs."""
        found = copy(self)
        found.places = {*self.places, *self.inputs}
        return found

    def read(self, value: Any, what: str, coordinates: Collection[str], velocities: bool = True) -> Expr:
        """An expression that may call the declared functions."""
        heads = [call.get_name() for call in self.functions]
        found = expression(value, what, functions=heads, coordinates=coordinates)
        return self(calls_only(self.name, what, found, self.functions), what, velocities)

    def __call__(self, value: Expr, what: str, velocities: bool = True, accelerations: bool = False) -> Expr:
        used = {s.name for s in value.free_symbols}
        beyond = used - self.places
        if not beyond or (velocities and beyond <= self.speeds):
            return value.xreplace(self.space.named) if self.space.named else value
        second = {s for s in used if s.endswith("''")} | (used & self.accelerations)
        if second and not accelerations:
            raise DeclarationError(
                f"{self.name}: {what} uses {min(second)}; accelerations follow from the equations of motion, so "
                "write it with positions and velocities."
            )
        allowed = self.places | self.speeds if velocities else self.places
        allowed = allowed | self.accelerations if second else allowed
        unknown = sorted(used - allowed)
        if not unknown:  # accelerations, where they may be
            return value.xreplace(self.space.named) if self.space.named else value
        if not velocities and unknown[0] in self.speeds:
            raise DeclarationError(
                f"{self.name}: {what} uses the velocity {unknown[0]}; it may depend on positions and t only."
            )
        raise DeclarationError(f"{self.name}: {self._stranger(unknown, what, allowed)}{_about_e(value, unknown)}")

    def _stranger(self, unknown: Sequence[str], what: str, allowed: Iterable[str]) -> str:
        """What to do about symbols that are not in the vocabulary."""
        first, bare = unknown[0], unknown[0].rstrip("'")
        if meant := rate_meant(unknown, self.space.coordinates):
            return f"{meant[0]} appears in {what}; a time derivative is written with a prime, so write {meant[1]}."
        near = difflib.get_close_matches(first, sorted(allowed), 1, cutoff=0.75)
        hint = f", or did you mean {near[0]}?" if near else "."
        if first != bare and bare in {*self.space.coordinates, *(s.name for s in self.space.named)}:
            speeds = ", ".join(v.name for v in self.space.velocities)
            return f"{first} appears in {what} but {bare} belongs to a group; write it with the speeds {speeds}."
        if bare in self.inputs:
            return told_of_input(first, bare, what)
        if first != bare and bare in self.places:
            kind = "the time" if bare == "t" else "a parameter, which is constant"
            return f"{first} appears in {what} but {bare} is {kind}; make it a coordinate or drop the prime."
        if first != bare:
            return f"{first} appears in {what} but {bare} is not a coordinate; add it to `coordinates`{hint}"
        if first in self.chosen:
            return f"{first} appears in {what}; it is one of the `speeds`, so write it out with velocities."
        if len(unknown) == 1:
            said = f"{first} appears in {what} but is neither a coordinate nor a parameter; add it to `parameters`"
        else:
            said = f"{', '.join(unknown)} appear in {what} but are neither coordinates nor parameters; add them to `parameters`"
        if self.space.group and not near:
            hint = f", or write it with the speeds {', '.join(v.name for v in self.space.velocities)}."
        return f"{said} (None, in a file 'free', leaves a symbol open){hint}"


def _about_e(value: Expr, unknown: Sequence[str]) -> str:
    """A hint for those who mean Euler's number."""
    if "e" not in unknown:
        return ""
    powers = sorted(to_text(node.args[1]) for node in value.atoms(symengine.Pow) if node.args[0] == symbol("e"))
    return f" If e is Euler's number, write exp({powers[0] if powers else '1'})."


def _refuse_title(name: object) -> None:
    if not is_title(name):
        raise DeclarationError(f"the name of a system is {quoted(name)}; give a plain text, or leave `name` out.")


def _refuse_clashes(name: str, space: Configuration, values: Mapping[str, Any]) -> None:
    if both := sorted(set(space.coordinates) & set(values)):
        raise DeclarationError(f"{name}: {both[0]} is both a coordinate and a parameter; rename one of them.")
    if both := sorted({*space.directions, *(s.name for s in space.named)} & set(values)):
        what = "speed" if both[0] in space.directions else "function"
        raise DeclarationError(
            f"{name}: {both[0]} is both a {what} of the group {quoted(space.group)} and a parameter; rename the parameter, or give "
            "the group a prefix."
        )


# The words, one by one.


def _lagrangian(check: _Vocabulary, lagrangian: Any, kinetic: Any, potential: Any, momenta: Any) -> Expr:
    r"""$L$ as given, or $\tfrac12 w^aK_{ab}w^b - V$; 0 where momenta take its place."""
    name, names = check.name, check.space.coordinates
    if sum(each is not None for each in (lagrangian, kinetic, momenta)) != 1:
        raise DeclarationError(
            f"{name}: give either a `lagrangian`, or `kinetic` and perhaps `potential`, or `momenta` together with `forces`."
        )
    if potential is not None and kinetic is None:
        raise DeclarationError(
            f"{name}: `potential` goes with `kinetic`; here, put it into the Lagrangian or the forces."
        )
    if lagrangian is not None:
        return check.read(lagrangian, "the Lagrangian", names)
    if momenta is not None:
        return zero
    w = check.space.velocities
    # The members of a SymPy matrix are its entries, not its rows.
    kinetic = kinetic.tolist() if hasattr(kinetic, "tolist") else kinetic
    if not is_list(kinetic) or len(kinetic) != len(w):
        raise DeclarationError(f"{name}: `kinetic` needs {len(w)} rows or, if it is diagonal, {len(w)} entries.")
    rows = [row if is_list(row) else [row if a == b else 0 for b in range(len(w))] for a, row in enumerate(kinetic)]
    if any(len(row) != len(w) for row in rows):
        raise DeclarationError(f"{name}: every row of `kinetic` needs {len(w)} entries, one for each velocity.")
    what = "the kinetic matrix"
    K = [[check(expression(e, what, coordinates=names), what, velocities=False) for e in row] for row in rows]
    for a, b in combinations(range(len(w)), 2):
        if zero_test(K[a][b] - K[b][a]) is Verdict.REFUTED:
            raise DeclarationError(
                f"{name}: `kinetic` has {to_text(K[a][b])} and {to_text(K[b][a])} in places ({a + 1}, {b + 1}) and "
                f"({b + 1}, {a + 1}); it must be symmetric."
            )
    V = zero
    if potential is not None:
        V = check.read(potential, "the potential", names, velocities=False)
    return dot(w, matrix_vector(K, w)) / 2 - V


def _labelled(name: str, given: Sequence[Any] | Mapping[str, Any], functions: Vector) -> Iterator[tuple[str, Any, str]]:
    """Constraints with their labels and what to call them in a sentence."""
    if isinstance(given, str) or not isinstance(given, Sequence | Mapping):
        raise DeclarationError(f"{name}: `constraints` is {given!r}; give a list of equations such as [\"x' = y*z'\"].")
    if isinstance(given, Mapping):
        if wrong := [label for label in given if not is_title(label)]:
            raise DeclarationError(
                f"{name}: a constraint has the label {quoted(wrong[0])}; give it a plain text, or give a list."
            )
        rows = [(label, row, f"the constraint {label!r}") for label, row in given.items()]
    else:
        rows = [(f"c{k}", row, f"constraint {k}") for k, row in enumerate(given, 1)]
    for label, row, what in rows:
        refuse_calls(name, what, row, functions)
        yield label, row, what


def parameter_values(name: str, given: Mapping[Any, Any] | Iterable[Any]) -> dict[str, float | None]:
    if isinstance(given, str) or not isinstance(given, Iterable) or getattr(given, "ndim", 1) != 1:
        raise DeclarationError(f"{name}: `parameters` is {quoted(given)}; give a dict of values such as {{'m': 1.0}}.")
    items = list(given.items()) if isinstance(given, Mapping) else [(p, None) for p in given]
    values: dict[str, float | None] = {}
    for key, value in items:
        p = name_of(key, f"{name}: a parameter")
        check_name(p, f"{name}: the parameter")
        if p in values:
            raise DeclarationError(f"{name}: the parameter {p} is declared twice; keep one.")
        values[p] = value_of(value, f"{name}: the parameter {p}")
    return values


def _components(kind: str, given: Mapping[Any, Any], space: Configuration, check: _Vocabulary) -> Vector:
    r"""A covector, ``"force"`` or ``"momentum"``, from a dict by coordinate or speed, with or without a prime.

    A coordinate of a group that is no direction itself counts as what its rate does, $Q_a = E_a{}^iQ_i$.
    """
    name, (word, of) = check.name, ("forces", "on") if kind == "force" else ("momenta", "of")
    expect_mapping(given, f"{name}: `{word}`", "a dict from coordinate to expression", verb="is")
    by_name: dict[str, Any] = {}
    for key, value in given.items():
        place = _place(f"{name}: there is a {kind} {of}", name_of(key, f"{name}: a {kind}'s coordinate"), space)
        if place in by_name:
            raise DeclarationError(f"{name}: the {kind} {of} {place} is given twice; keep one.")
        by_name[place] = value
    whats = {q: f"the {kind} {of} {q}" for q in by_name}
    found = {q: check.read(by_name[q], whats[q], space.directions) for q in by_name}
    columns = dict(zip(space.coordinates, zip(*space.frame.anchor_ai, strict=True), strict=True))
    pulled = [(columns[q], value) for q, value in found.items() if q not in space.directions]
    return tuple(
        add(found.get(q, zero), *(column[a] * value for column, value in pulled))
        for a, q in enumerate(space.directions)
    )


def _place(said: str, key: str, space: Configuration) -> str:
    """The direction, or the coordinate of a group, that a key of forces or momenta means."""
    bare = key.removesuffix("'")
    if key in space.directions:
        return key
    along = ", ".join(space.directions)
    if bare in {s.name for c in space.invariants for s in (c.position or c.declared).free_symbols}:
        raise DeclarationError(
            f"{said} {key}, one of the redundant coordinates of {quoted(space.group)}; give it along {along}."
        )
    if bare in space.coordinates:
        return bare
    kinds = "the coordinates are" if space.frame.is_chart else "the directions are"
    raise DeclarationError(f"{said} {key}, which is not a coordinate; {kinds} {along}.")


def _span(name: str, given: Sequence[Sequence[Any]] | None, names: Sequence[str], check: _Vocabulary) -> Matrix | None:
    if given is None:
        return None
    width = len(names)
    expect_list(given, f"{name}: `span`", f"a list of vectors, each a list of {width} components", verb="is")
    rows = []
    for k, vector in enumerate(given, 1):
        if not is_list(vector) or len(vector) != width:
            raise DeclarationError(
                f"{name}: vector {k} of `span` is {vector!r}; give a list of {width} components, one for each coordinate."
            )
        what = f"vector {k} of the span"
        rows.append(
            tuple(check(expression(entry, what, coordinates=names), what, velocities=False) for entry in vector)
        )
    return tuple(rows)


def _speed_names(
    name: str, given: Any, span: Sequence[Any], names: Sequence[str], values: Mapping[str, Any]
) -> tuple[str, ...] | None:
    """Names for the speeds along a span."""
    if given is None:
        return None
    if not is_list(given):
        raise DeclarationError(
            f"{name}: `speeds` is {given!r}; beside a span give a list of names, one for each vector of the span."
        )
    if len(given) != len(span):
        raise DeclarationError(
            f"{name}: `speeds` has {len(given)} names and `span` {len(span)} vectors; give a name for each vector."
        )
    for k, speed in enumerate(given):
        check_name(speed, f"{name}: the speed")
        if speed in names or speed in values or speed in given[:k]:
            raise DeclarationError(f"{name}: the speed {speed} clashes with another name; rename it.")
    return tuple(given)


def _with_speeds(model: Model, given: Any) -> Model:
    """The model with speeds of the user's choice, as functions of the velocities."""
    for constraint in model.constraints:
        if constraint.kind & (Kind.NONLINEAR | Kind.ACCELERATION):
            raise DeclarationError(
                f"{model.name}: speeds are chosen for constraints linear in the velocities, and {constraint.label} is none; "
                "drop `speeds`."
            )
    symbols, values = read_speeds(model, given)
    return model.replaced(speed_names=tuple(u.name for u in symbols), speed_values=values)


def _refuse_redundant(name: str, redundant: str, momenta: Any) -> None:
    if not isinstance(redundant, str) or redundant not in _REDUNDANT:
        raise DeclarationError(f"{name}: redundant={quoted(redundant)} is none of {', '.join(map(repr, _REDUNDANT))}.")
    if redundant == "keep" and momenta is not None:
        raise DeclarationError(
            f"{name}: the principles that keep redundant constraints need a Lagrangian, and there are `momenta`; say redundant='drop'."
        )


def _one_sided(name: str, given: Sequence[str], labels: Sequence[str]) -> tuple[str, ...]:
    if not is_list(given) or not all(isinstance(label, str) for label in given):
        raise DeclarationError(f"{name}: `one_sided` is {quoted(given)}; give a list of labels of constraints.")
    if unknown := [label for label in given if label not in labels]:
        known = ", ".join(labels) or "none"
        raise DeclarationError(
            f"{name}: `one_sided` has {unknown[0]!r}, which labels no constraint; the constraints are {known}."
        )
    return tuple(label for label in labels if label in given)


def start_items(name: str, given: Mapping[Any, Any] | None) -> tuple[tuple[str, float | str], ...]:
    """Numbers, and texts that are numbers; whether they make a state is found when a motion begins there."""
    if given is None:
        return ()
    expect_mapping(given, f"{name}: `start`", "a dict from coordinates and velocities to numbers", verb="is")
    found: dict[str, float | str] = {}
    for key, value in given.items():
        q = name_of(key, f"{name}: a name in `start`")
        what = f"{name}: the start of {q}"
        if isinstance(value, int | float) and (number := value_of(value, what)) is not None:
            found[q] = number
            continue
        exact = expression(value, what)
        if exact.free_symbols:
            raise DeclarationError(f"{what} is {value!s:.60}, which is no number; give one, or a text such as 'pi/2'.")
        found[q] = to_text(exact)
    return tuple(found.items())
