"""One self-contained C99 text from equations of motion: a page of comments, then a function for every quantity.

The user's names appear in comments only, made harmless there; the code knows ``t``, ``x``, ``p`` and ``dx`` or ``out``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from anholonomy.base.errors import ArgumentError, quoted
from anholonomy.language.arguments import is_list
from anholonomy.programs.backends.c import c_function, c_solver
from anholonomy.programs.exports.functions import QUANTITIES, Export, Quantity

__all__ = ["c_source", "identifier", "plain"]

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
_WORDS = """
algorithm and annotation auto block break case char class connect connector const constant constrainedby
continue default der discrete do double each else elseif elsewhen encapsulated end enum enumeration equation
expandable extends extern external false final float flow for function goto if import impure in initial inline
inner input int long loop main model not operator or outer output package parameter partial protected public
pure record redeclare register replaceable restrict return short signed sizeof static stream struct switch then
true type typedef union unsigned void volatile when while within
"""
_RESERVED = frozenset(_WORDS.split())
"""Words of Modelica and of C, which name no function."""
_MEANING = {
    "rates": "the rates of the state",
    "velocities": "the velocities at a state",
    "state": "the state, from coordinates and velocities",
    "accelerations": "the accelerations",
    "reactions": "the forces of the constraints",
    "multipliers": "the multipliers of the constraints",
    "energy": "the energy",
}


def identifier(name: str | None, title: str) -> str:
    """A name that prefixes functions: the one given, checked, or one made of the system's.

    >>> identifier(None, "Chaplygin sleigh, 2nd")
    'chaplygin_sleigh_2nd'
    >>> identifier("a-b", "")
    Traceback (most recent call last):
    anholonomy.base.errors.ArgumentError: 'a-b' cannot name a function; ... no word that C or Modelica reserves.
    """
    if name is None:
        made = re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")[:30].rstrip("_")
        return made if _IDENTIFIER.fullmatch(made) and made not in _RESERVED else f"system_{made}".rstrip("_")
    if not isinstance(name, str) or not _IDENTIFIER.fullmatch(name) or name in _RESERVED:
        raise ArgumentError(
            f"{name!r} cannot name a function; give a Latin letter followed by letters, digits and underscores, at most 40, "
            "and no word that C or Modelica reserves."
        )
    return name


def plain(text: str) -> str:
    """A text that can stand in a comment or a quoted string: it ends neither, and hides nothing.

    >>> plain("speed */ of θ")
    'speed * / of θ'
    """
    kept = (
        c if c.isalpha() or (c.isascii() and c.isprintable() and c not in '\\\\"') else f"<U+{ord(c):04X}>"
        for c in text
    )
    return re.sub(r"(?<=[*/?])(?=[*/?])", " ", "".join(kept))


def c_source(export: Export, name: str | None = None, of: Sequence[str] | None = None) -> str:
    """The text with all quantities, or those named; every function is ``void NAME_what(double t, const double *x, const double *p, double *out)``."""
    prefix = identifier(name, export.equations.model.name)
    has_energy = bool(export.equations.observables.energy)
    of = [of] if isinstance(of, str) else of
    if of is not None and not is_list(of):
        raise ArgumentError(f"`of` is {quoted(of)}; give a list of quantities, from {', '.join(QUANTITIES)}.")
    everything = [each for each in QUANTITIES if has_energy or each != "energy"]
    wanted = everything if of is None else [each for k, each in enumerate(of) if each not in of[:k]]
    quantities = [quantity for each in wanted if (quantity := export.regular(each)).outputs]
    solves = any(not quantity.program.is_straight for quantity in quantities)
    parts = [_header(export, prefix, quantities), "#include <math.h>"]
    parts += [_prototypes(prefix, quantities)]
    parts += [c_solver(f"{prefix}_solve")] if solves else []
    parts += [_defaults(export, prefix)]
    for quantity in quantities:
        parts.append(c_function(quantity.program, f"{prefix}_{quantity.name}", f"{prefix}_solve", _result(quantity)))
    return "\n\n".join(parts) + "\n"


def _header(export: Export, prefix: str, quantities: Sequence[Quantity]) -> str:
    by_name = {quantity.name: quantity for quantity in quantities}
    lines = [
        f"{plain(export.equations.model.name)}: equations of motion by {plain(export.equations.principle)}.",
        "",
        "No allocation, no globals; arrays must not overlap. At a singular state results are not finite, or wrong.",
        *_singular(export),
        "",
        f"p of every function ({prefix}_parameters writes these values):",
        *_rows("p", (_value(name, value, export) for name, value in export.parameters)),
    ]
    for heading, taken in (
        ("x of the functions of a state", QUANTITIES[:2]),
        ("x of the functions of a motion", QUANTITIES[2:]),
    ):
        users = [of for of in taken if of in by_name]
        if users:
            names = ", ".join(f"{prefix}_{of}" for of in users)
            lines += ["", f"{heading}, {names}:", *_rows("x", by_name[users[0]].inputs)]
    for quantity in quantities:
        out = _result(quantity)
        lines += ["", f"{out} of {prefix}_{quantity.name}, {_MEANING[quantity.name]}:", *_rows(out, quantity.outputs)]
    return "\n".join(["/*", *(f" * {line}".rstrip() for line in lines), " */"])


def _value(name: str, value: float | None, export: Export) -> str:
    if name in export.equations.model.inputs:
        return f"{name}, an input"
    return f"{name} = {'free' if value is None else repr(value)}"


def _singular(export: Export) -> list[str]:
    sentence = plain(export.equations.divisors.sentence())
    return [f"The equations are {sentence}."] if sentence else []


def _result(quantity: Quantity) -> str:
    return "dx" if quantity.name == "rates" else "out"


def _rows(array: str, names: Iterable[str]) -> list[str]:
    return [f"  {array}[{i}]  {plain(name)}" for i, name in enumerate(names)] or ["  none"]


def _prototypes(prefix: str, quantities: Sequence[Quantity]) -> str:
    # A function without a prototype is a warning to some compilers.
    arguments = "double t, const double *x, const double *p, double *"
    lines = [f"void {prefix}_{quantity.name}({arguments}{_result(quantity)});" for quantity in quantities]
    return "\n".join([f"void {prefix}_parameters(double *p);", *lines])


def _defaults(export: Export, prefix: str) -> str:
    values = ("(double)NAN" if value is None else repr(float(value)) for _, value in export.parameters)
    body = [f"    p[{i}] = {value};" for i, value in enumerate(values)] or ["    (void)p;"]
    return "\n".join([f"void {prefix}_parameters(double *p)", "{", *body, "}"])
