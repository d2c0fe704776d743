r"""Warnings about declarations that are nearly always mistakes, pointing at the user's own line.

Each names the culprit and the cure, and how to silence it: angles in degrees, parameters that occur nowhere, negative masses and
impossible moments of inertia, forgotten primes, terms of different dimensions, two SymPy symbols of one name, and a constraint put
into the Lagrangian.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, is_dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, final

import numpy as np
import symengine
from numpy.typing import NDArray

from anholonomy.algebra.arithmetic import function_name
from anholonomy.algebra.calculus import gradient, jacobian, partial
from anholonomy.algebra.expressions import Expr, Symbol, free_symbols, symbol, time, zero
from anholonomy.algebra.numbers.balls import MANY_DIGITS, Ball, precision
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.tolerances import NOTHING, VANISHES
from anholonomy.base.verdict import Verdict
from anholonomy.geometry.groups import SO3, Product
from anholonomy.language import to_text
from anholonomy.language.arguments import is_list
from anholonomy.system.checks.in_doubles import has_surely_inertia, sampled
from anholonomy.system.checks.well_posed import is_nonsingular
from anholonomy.system.constraints import Constraint, Kind
from anholonomy.system.model import Model
from anholonomy.system.momenta import inertia_at
from anholonomy.system.states.newton import evaluate_at, rows_at
from anholonomy.system.states.random_states import admissible_points
from anholonomy.system.units.checking import inescapable_misfit

__all__ = [
    "AmbiguousNameWarning", "DegreesWarning", "DeclarationWarning", "MissingPrimeWarning", "SubstitutedConstraintWarning", "DimensionWarning", "ImplausibleMassWarning", "UnusedParameterWarning",
    "angles_of", "atoms_of", "doubt_angle", "doubt_moments", "spoken", "warn_if_substituted", "warn_of_degrees", "warn_of_mistakes",
    "warn_of_negative_masses", "warn_of_twins", "warn_of_values", "warn_the_user",
]  # fmt: skip


class DeclarationWarning(UserWarning):
    """Something can be declared as it is and is probably not meant so: the base of all warnings of this package."""


def warn_of_mistakes(model: Model, built: bool = False) -> None:
    """Say what in a declaration is probably not meant; bodies and contacts that ``built`` it forget no primes, a number
    of theirs, such as a mass that floats, may fall out, and their angles and moments are doubted by name.
    """
    if not built:
        warn_of_forgotten_primes(model)
        warn_of_idle_parameters(model)
        warn_of_unfit_terms(model)
        warn_of_sines_of_degrees(model)
        warn_of_impossible_moments(model)
    warn_of_values(model)


def warn_of_values(model: Model) -> None:
    """Say which values of parameters are probably not meant."""
    warn_of_negative_masses(model)
    warn_of_parameters_in_degrees(model)


def unless(meant: str, category: type[DeclarationWarning]) -> str:
    """How to silence a warning, for the end of its sentence."""
    return f"(if {meant}: warnings.simplefilter('ignore', anholonomy.errors.{category.__name__}))"


def warn_the_user(message: str, category: type[Warning]) -> None:
    """Warn as if from the line that called into the package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


_PACKAGE = str(Path(str(sys.modules[__name__.partition(".")[0]].__file__)).parent) + os.sep


# Angles of 90: people think in degrees, and angles are in radians.


class DegreesWarning(DeclarationWarning):
    """An angle such as 90 looks like degrees."""


def warn_of_degrees(model: Model, values: Mapping[Symbol, Ball | float]) -> None:
    """Say so where an angle among ``values`` is a multiple of 30 or 45."""
    round_ones = {s: number for s, value in values.items() if _is_round(number := float(value))}
    for s in sorted(round_ones.keys() & angles_of(model), key=str) if round_ones else ():
        doubt_angle(f"{model.name}: {s.name} = {round_ones[s]:g}", round_ones[s])


def doubt_angle(said: str, value: float) -> None:
    """Say of one angle that it looks like degrees, if it does; ``said`` is how the user wrote it."""
    if _is_round(value):
        warn_the_user(
            f"{said} looks like degrees, and angles are in radians; give '{_in_radians(value)}' "
            f"{unless('radians are meant', DegreesWarning)}.",
            DegreesWarning,
        )


def warn_of_sines_of_degrees(model: Model) -> None:
    """The same for numbers in sines, alone or beside an angle."""
    for node in sorted(turning_nodes(spoken(model)), key=str):
        for term in symengine.Add.make_args(node.args[0]):
            if isinstance(term, symengine.Number):
                doubt_angle(f"{model.name}: {float(term):g} in {to_text(node)}", float(term))


def warn_of_parameters_in_degrees(model: Model) -> None:
    """The same for the values of parameters."""
    warn_of_degrees(model, {symbol(name): value for name, value in model.parameter_items if value is not None})


def angles_of(model: Model) -> set[Symbol]:
    """Coordinates that are declared as angles, and whatever is a term in the argument of a sine, lengths apart."""
    kinds = dict(zip(model.coordinates, model.coordinate_kinds, strict=True))
    arguments = [node.args[0] for node in turning_nodes(spoken(model))]
    terms = {s for argument in arguments for s in argument.free_symbols if partial(argument, s) in (1, -1)}
    return {q for q, kind in kinds.items() if kind == "angle"} | {s for s in terms if kinds.get(s) != "length"}


def spoken(model: Model) -> list[Expr]:
    """What a declaration says."""
    return [model.lagrangian, *(c.declared for c in model.constraints), *model.forces_a, *(model.momenta_a or ())]


def turning_nodes(expressions: Iterable[Expr]) -> set[Expr]:
    """The sines, cosines and tangents in expressions.

    >>> import symengine
    >>> x = symengine.Symbol("x")
    >>> turning_nodes([x * symengine.sin(x) ** 2])
    {sin(x)}
    """
    seen, found, stack = set[Expr](), set[Expr](), list(expressions)
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if function_name(node) in ("sin", "cos", "tan"):
            found.add(node)
        stack += node.args
    return found


def _is_round(value: float) -> bool:
    return bool(value) and 0 in (value % 30, value % 45)


def _in_radians(degrees: float) -> str:
    """A fraction of pi.

    >>> _in_radians(90), _in_radians(-45), _in_radians(270), _in_radians(360)
    ('pi/2', '-pi/4', '3*pi/2', '2*pi')
    """
    part = Fraction(int(degrees), 180)
    times = {1: "", -1: "-"}.get(part.numerator, f"{part.numerator}*")
    return f"{times}pi" + ("" if part.denominator == 1 else f"/{part.denominator}")


# Parameters that nothing uses: a name that was misspelt somewhere.


class UnusedParameterWarning(DeclarationWarning):
    """A parameter occurs nowhere."""


def warn_of_idle_parameters(model: Model) -> None:
    """Say which parameters occur in no part of a declaration, the scene included."""
    used = {s.name for s in free_symbols([*spoken(model), *(entry for row in model.span_ba or () for entry in row)])}
    idle = [name for name, _ in model.parameter_items if name not in used]
    drawn = {s.name for s in _drawn(model.scene)} if idle else set()
    for name in (each for each in idle if each not in drawn):
        warn_the_user(
            f"{model.name}: the {'input' if name in model.inputs else 'parameter'} {name} occurs nowhere; drop it, or correct a name "
            f"{unless('it is kept for later', UnusedParameterWarning)}.",
            UnusedParameterWarning,
        )


def _drawn(thing: Any) -> Iterator[Symbol]:
    """The symbols in shapes, however deep."""
    if is_dataclass(thing):
        thing = tuple(vars(thing).values())
    if isinstance(thing, tuple | list):
        for each in thing:
            yield from _drawn(each)
    elif hasattr(thing, "free_symbols"):
        yield from thing.free_symbols


# Negative masses: $\partial^2L/\partial w^a\partial w^b$ is positive with the sizes of the parameters and not with their signs. And impossible bodies:
# of the moments of inertia of a solid none exceeds the sum of the others, $I_1 + I_2 - I_3 = 2\int x_3^2\,dm$.


class ImplausibleMassWarning(DeclarationWarning):
    """A parameter makes the kinetic energy negative, or moments of inertia are those of no body."""


def warn_of_negative_masses(model: Model) -> None:
    """Say which negative parameters make the kinetic energy negative; a metric that is meant so has no such parameter."""
    below = {symbol(name) for name, value in model.parameter_items if value is not None and value < 0}
    if not below or model.momenta_a is not None or not below & model.lagrangian.free_symbols:
        return
    if not _is_negative_somewhere(model):
        return
    mass = jacobian(gradient(model.lagrangian, model.velocities), model.velocities)
    guilty = sorted(s.name for s in below & free_symbols(entry for row in mass for entry in row))
    positive = model.with_values(tuple((name, v if v is None else abs(v)) for name, v in model.parameter_items))
    if guilty and not _is_negative_somewhere(positive):
        warn_the_user(
            f"{model.name}: the kinetic energy can be negative because {' and '.join(guilty)} "
            f"{'is' if len(guilty) == 1 else 'are'} negative; give masses and moments of inertia positive values "
            f"{unless('that is meant', ImplausibleMassWarning)}.",
            ImplausibleMassWarning,
        )


def _is_negative_somewhere(model: Model) -> bool:
    found = sampled(model)
    if found is not None and np.ptp(found.inertia, axis=0).max() < VANISHES * np.abs(found.inertia).max():
        return _is_negative(found.inertia[0])
    mass = jacobian(gradient(model.lagrangian, model.velocities), model.velocities)
    with precision(30):
        points = islice(admissible_points(model, 20, seed=5), 2)
        return any(_is_negative(np.array(rows_at(mass, point), dtype=float)) for point in points)


def _is_negative(M: NDArray[np.float64]) -> bool:
    size = np.sqrt(np.maximum(np.abs(np.diag(M)), 1e-300))  # units change nothing
    return bool(np.linalg.eigvalsh(M / np.outer(size, size)).min() < -1e-9)


def warn_of_impossible_moments(model: Model) -> None:
    """Say so where rotations that nothing restrains have the moments of no solid."""
    if not model.group or model.momenta_a is not None:
        return
    group = model.group
    restrained = free_symbols(c.expression for c in model.constraints)
    values = {symbol(name): value for name, value in model.parameter_items if value is not None}
    for factor in group.factors if isinstance(group, Product) else (group,):
        if not isinstance(factor, SO3) or restrained & {*factor.speeds}:
            continue
        speeds = factor.speeds
        mass = jacobian(gradient(model.lagrangian, speeds), speeds)
        entries = [[entry.xreplace(values) for entry in row] for row in mass]
        if not any(entry.free_symbols for row in entries for entry in row):
            doubt_moments(model.name, "", np.array(entries, dtype=float))


def doubt_moments(name: str, of: str, inertia: NDArray[np.float64]) -> None:
    """Say of three moments that they are no solid's, if so; a 0 says that a moment does not matter. ``of`` names the body."""
    small, middle, large = np.linalg.eigvalsh(inertia)
    if small > 0 and large > (1 + NOTHING) * (small + middle):
        warn_the_user(
            f"{name}: the moments of inertia{of} are {small:.4g}, {middle:.4g} and {large:.4g}, and of a solid body none exceeds "
            f"the sum of the others; correct them {unless('it is no solid', ImplausibleMassWarning)}.",
            ImplausibleMassWarning,
        )


# Forgotten primes: a constraint on positions that reads as the row of a wheel or a blade, or such a row half primed.
#
# On a system with constraints on velocities, $x\sin\theta = y\cos\theta$ is nearly always $\dot x\sin\theta = \dot y\cos\theta$.
# A height $z = r\cos\theta$, a circle $x^2 + y^2 = r^2$ or a rolling $x = r\varphi$ is not of that form. So is
# $\dot x\sin\theta = y\cos\theta$: a position beside a velocity has a rate for a factor, as in $\dot x = \Omega y$.


class MissingPrimeWarning(DeclarationWarning):
    """A constraint on positions reads as one on velocities without its primes."""


def warn_of_forgotten_primes(model: Model) -> None:
    """Say which constraints without a velocity look like those with them, where there are such, and which are half primed."""
    if not model.frame.is_chart or all(Kind.POSITION in c.kind for c in model.constraints):
        return
    moving = dict(zip(model.coordinates, model.velocities, strict=True))
    for c in model.constraints:
        if c.position is not None and _lacks_primes(c.position, set(moving)):
            _warn(model, c, "no velocity in it", _primed(c.position, moving), "it does restrict positions")
        elif Kind.AFFINE in c.kind and c.position is None and _is_half_primed(c, moving):
            said = f"{to_text(c.offset)} without a prime beside velocities"
            _warn(model, c, said, c.expression - c.offset + _primed(c.offset, moving), "it is affine")


def _warn(model: Model, c: Constraint, said: str, meant: Expr, otherwise: str) -> None:
    warn_the_user(
        f"{model.name}: the constraint {c.label} has {said}; if {to_text(meant)} = 0 is meant, write its primes "
        f"{unless(otherwise, MissingPrimeWarning)}.",
        MissingPrimeWarning,
    )


def _is_half_primed(c: Constraint, moving: Mapping[Symbol, Symbol]) -> bool:
    """Whether positions have only sines for factors, which are no rates, and none of them stands there with its prime too."""
    if not c.offset.free_symbols <= set(moving) or not _lacks_primes(c.offset, set(moving)):
        return False
    alone = c.offset.xreplace(_held(c.offset)).free_symbols & set(moving)
    return not {moving[q] for q in alone} & c.expression.free_symbols


def _primed(g: Expr, moving: Mapping[Symbol, Symbol]) -> Expr:
    """The row with velocities for its positions, those in sines apart."""
    held = _held(g)
    return g.xreplace(held).xreplace(moving).xreplace({s: node for node, s in held.items()})


def _held(g: Expr) -> dict[Expr, Expr]:
    """The sines and cosines, with symbols to stand for them."""
    return {node: symengine.Dummy() for node in turning_nodes([g])}


def _lacks_primes(g: Expr, coordinates: Collection[Symbol]) -> bool:
    """Linear and homogeneous in positions, with sines of a position for factors."""
    held = {node: s for node, s in _held(g).items() if node.free_symbols & set(coordinates)}
    shown = g.xreplace(held)
    moving = tuple(shown.free_symbols & set(coordinates))
    slopes = gradient(shown, moving)
    if not free_symbols(slopes) & set(held.values()):
        return False
    curved = [partial(slope, q) for slope in slopes for q in moving]
    return all(zero_test(each) is Verdict.PROVEN for each in (*curved, shown.xreplace(dict.fromkeys(moving, zero))))


# Terms that do not fit together, where kinds of coordinates are all that is said of dimensions.
#
# A declaration without units may be written in units in which a mass, a radius or gravity is one, and then terms of different dimensions are
# added in good order. So nothing is refused here, and nothing said where a term could hide such a unit.


_LONGEST = 150
"""Operations of a declaration that somebody has typed; what is longer comes from a program, and takes as long to go through as to declare."""


class DimensionWarning(DeclarationWarning):
    """Kinds of coordinates give two terms of a sum different dimensions."""


def warn_of_unfit_terms(model: Model) -> None:
    """Say which term does not fit the others, if lengths and angles are given and units are not."""
    if model.units or not any(model.coordinate_kinds) or not model.parameter_items:
        return
    said = tuple(spoken(model))
    if time in free_symbols(said):  # as in cos(t), with a unit in which a frequency is one
        return
    names = tuple(name for name, _ in model.parameter_items)
    words = (model.coordinates, model.coordinate_kinds, model.velocities, names, model.speed_values, said)
    if misfit := _misfit(_Spoken(words, model)):
        warn_the_user(
            f"{model.name}: {misfit.removesuffix('.')} {unless('a unit is chosen so that a factor is one', DimensionWarning)}.",
            DimensionWarning,
        )


@final
@dataclass(frozen=True)
class _Spoken:
    """What dimensions depend on: values do not matter, so that many systems of one form are looked at once."""

    words: tuple[Any, ...]
    model: Model = field(compare=False)


@lru_cache(maxsize=256)
def _misfit(spoken: _Spoken) -> str:
    return "" if symengine.count_ops(*spoken.words[-1]) > _LONGEST else inescapable_misfit(spoken.model)


# Two SymPy symbols of one name: different to SymPy, which never lets them cancel, and one and the same here.


_USUAL = ("real", "positive", "negative", "nonnegative", "nonpositive", "nonzero", "integer")


class AmbiguousNameWarning(DeclarationWarning):
    """Two SymPy symbols of one name and different assumptions were taken for one."""


def warn_of_twins(name: str, atoms: Iterable[Any]) -> None:
    """Say which name stands for several symbols or functions of time, and in what they differ."""
    first: dict[tuple[bool, str], Any] = {}
    for own in sorted(
        {atom if atom.is_Symbol else atom.func for atom in atoms}, key=lambda own: (own.name, _assumed(own))
    ):
        twin = first.setdefault((isinstance(own, type), own.name), own)
        if twin != own:
            warn_the_user(
                f"{name}: there are two symbols called {own.name}, one {_assumed(twin)} and one {_assumed(own)}, which are "
                "different to SymPy and the same here; make it once, with the same assumptions everywhere.",
                AmbiguousNameWarning,
            )
            return


def atoms_of(thing: Any) -> Iterator[Any]:
    """SymPy's symbols and functions of time in expressions, however deep in lists and dicts."""
    if isinstance(thing, Mapping):
        for value in thing.values():
            yield from atoms_of(value)
    elif is_list(thing) and not hasattr(thing, "free_symbols"):
        for value in thing:
            yield from atoms_of(value)
    elif hasattr(thing, "atoms") and not isinstance(thing, symengine.Basic | symengine.MatrixBase):
        from sympy import Symbol
        from sympy.core.function import AppliedUndef

        yield from thing.atoms(Symbol, AppliedUndef)


def _assumed(own: Any) -> str:
    """The assumptions that a user gives; those of a function are kept among all that follow from them."""
    functions = getattr(own, "_kwargs", {})
    given = getattr(own, "_assumptions_orig", None) or {word: functions[word] for word in _USUAL if word in functions}
    said = [word if value else f"not {word}" for word, value in sorted(given.items())]
    return " and ".join(said) or "without assumptions"


# The classic mistake: a constraint put into the Lagrangian before varying it.
#
# What is substituted leaves a trace: velocities that the constraints determine and that the Lagrangian no longer contains,
# or a direction that they exclude in which it has neither inertia nor momentum. A coordinate may lack inertia of its own for
# good reason, so this is a warning and not a refusal.


class SubstitutedConstraintWarning(DeclarationWarning):
    """The Lagrangian looks as if a constraint had been put into it."""


def warn_if_substituted(model: Model) -> None:
    """Say so when the constraints determine velocities, or exclude a direction, that have no part in the Lagrangian."""
    flat = flat_direction(model)
    if not flat:  # a velocity that is missing is such a direction, too
        return
    if missing := missing_velocities(model):
        seen = (
            f"{', '.join(missing)} occur{'s' if len(missing) == 1 else ''} in the constraints but not in the Lagrangian"
        )
    else:
        seen = f"the constraints exclude a direction of {', '.join(flat)} in which the Lagrangian has no inertia"
    warn_the_user(
        f"{model.name}: {seen}. If a constraint was put into it, the equations will be wrong unless that constraint is "
        "integrable: give the Lagrangian of the unconstrained system. (A coordinate without inertia of its own is no mistake.)",
        SubstitutedConstraintWarning,
    )


def missing_velocities(model: Model) -> tuple[str, ...]:
    """Velocities that occur in a constraint on velocities but not in the Lagrangian.

    >>> from anholonomy.catalogue import skate
    >>> missing_velocities(skate().model)
    ()
    """
    if model.momenta_a is not None:
        return ()
    rows = [c for c in model.velocity_constraints if Kind.POSITION not in c.kind]
    used = [any(c.coefficients[a] != 0 for c in rows) for a in range(model.frame.size)]
    return tuple(
        w.name
        for w, occurs in zip(model.velocities, used, strict=True)
        if occurs and zero_test(partial(model.lagrangian, w)) is Verdict.PROVEN
    )


def flat_direction(model: Model) -> tuple[str, ...]:
    r"""The velocities in a direction $n$ with $Mn = 0$, $n\cdot\partial L/\partial w = 0$ and $An \ne 0$, at sampled states; none if none."""
    rows_na = tuple(c.coefficients for c in model.velocity_constraints if Kind.POSITION not in c.kind)
    if model.momenta_a is not None or not rows_na or has_surely_inertia(model):
        return ()
    model = model.with_free_parameters  # a parameter that happens to be zero is no trace of anything
    names: tuple[str, ...] = ()
    with precision(MANY_DIGITS + 10):
        for point in islice(admissible_points(model, MANY_DIGITS, seed=8), 2):
            inertia = inertia_at(model, point)
            if is_nonsingular(inertia, MANY_DIGITS):
                return ()
            inertia = [[value.mid() for value in row] for row in inertia]
            M, A = (np.array(rows, dtype=float) for rows in (inertia, rows_at(rows_na, point)))
            momentum = np.array(
                [float(v.mid()) for v in evaluate_at(gradient(model.lagrangian, model.velocities), point)]
            )
            _, sizes, directions = np.linalg.svd(M)
            kernel = directions[sizes <= 1e-12 * max(sizes.max(initial=0.0), 1e-300)]
            flat = [n for n in kernel if abs(n @ momentum) <= 1e-12 * np.abs(momentum).max(initial=1e-300)]
            excluded = [n for n in flat if np.abs(A @ n).max() > 1e-9 * np.abs(A).max()]
            if not excluded:
                return ()
            names = tuple(w.name for w, size in zip(model.velocities, np.abs(excluded[0]), strict=True) if size > 1e-9)
    return names
