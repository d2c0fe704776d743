"""A classical system with a start worth watching, its facts, the claims of the literature, and whether these are found.

Claims are no facts: what is true of a system is what its questions answer (`conserved`, `invariant_measure`, `hamiltonize`). Both are
compared as functions and not as texts. An integral is found when at random states its differential on the constraint submanifold is a
combination of those of the laws found; a density or a multiplier when its ratio to the one found does not depend on the state. What is
said not to be constant has a rate that is proven not to vanish.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from anholonomy.algebra.calculus import along, gradient, partial
from anholonomy.algebra.expressions import Expr, dot, time
from anholonomy.algebra.numbers.balls import DIGITS, precision
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.errors import Error
from anholonomy.base.tolerances import NOTHING
from anholonomy.base.verdict import Verdict
from anholonomy.language.arguments import expression
from anholonomy.laws.reduced_motion import reduced_motion
from anholonomy.public.system import System
from anholonomy.system.model import Model
from anholonomy.system.states.newton import evaluate_at
from anholonomy.system.states.random_states import admissible_points

__all__ = ["Claims", "Entry", "agreement", "are_proportional", "changes", "follow_from", "page_beside"]


@final
@dataclass(frozen=True)
class Entry:
    """A classical system: how to make it, a start worth watching, and what textbooks say about it.

    Attributes
    ----------
    make
        The function that declares it; every argument has a default.
    start, until
        An interesting motion.
    facts
        Statements about its motions that the tests check.
    claims
        What literature says about integrals, measures and multipliers; what is true is what the system's questions answer.
    references
        Where they come from.
    """

    make: Callable[..., System]
    start: Mapping[str, float]
    until: float
    facts: tuple[str, ...]
    claims: Claims
    references: tuple[str, ...]

    def compared(self, time_limit: float | None = None) -> dict[str, bool | None]:
        """By what literature claims, whether the questions of the system find it unaided, each in so many seconds; None where that is not known.

        >>> from anholonomy.catalogue import ENTRIES
        >>> ENTRIES["free-particle"].compared()
        {"x'": True, "sqrt(1 + x^2)*y'": True, 'measure': True, 'multiplier': True}
        """
        system = self.make()
        page = system.analyse(only=["conserved", "invariant_measure", "hamiltonize"], time_limit=time_limit)
        answers = (None if isinstance(page[name], str) else page[name] for name in page)
        return agreement(system.model, self.claims, *answers)

    @property
    def said(self) -> str:
        """What it is, in a sentence.

        >>> from anholonomy.catalogue import ENTRIES
        >>> ENTRIES["chaplygin-sleigh"].said
        'A body that slides on a blade and two free points.'
        """
        first = (sys.modules[self.make.__module__].__doc__ or "").partition("\n")[0]
        said = re.sub(r"[$`]", "", first.partition(": ")[2] or first)  # marks of mathematics and of code
        return said[:1].upper() + said[1:]

    @property
    def key(self) -> str:
        """The name at the command line."""
        return self.make.__name__.replace("_", "-")


@final
@dataclass(frozen=True, kw_only=True)
class Claims:
    """What literature claims of one system: integrals, invariant measures and multipliers, with their source.

    Texts are in the names of the system, ``R31`` and the like being entries of a rotation matrix.

    Attributes
    ----------
    source
        Where this is found.
    integrals
        Functions that are constant along every motion; the energy is the text ``"energy"``.
    broken
        Functions that are said not to be constant.
    measure
        The density of an invariant measure and its volume, or ``"none"``.
    multiplier
        The multiplier up to a constant factor, or ``"none"``.
    beyond
        Integrals that are no polynomials of degree one or two in the speeds: texts to be read, or words.
    """

    source: str
    integrals: tuple[str, ...] = ("energy",)
    broken: tuple[str, ...] = ()
    measure: tuple[str, str] | str | None = None
    multiplier: str | None = None
    beyond: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """The claims as sentences, and last their source.

        >>> print(*Claims(source="nobody", integrals=("x'",), measure=("1", "dx du"), multiplier="none").lines(), sep="; ")
        x' is constant; 1 is an invariant density of dx du; there is no multiplier; source: nobody
        """
        return [*self._sentences(), f"source: {self.source}"]

    def _sentences(self) -> Iterator[str]:
        yield from (f"{text} is constant" for text in self.integrals)
        yield from (text if " by " in text else f"{text} is constant" for text in self.beyond)
        yield from (f"{text} is not constant" for text in self.broken)
        if isinstance(self.measure, str):
            yield "there is no invariant measure"
        elif self.measure is not None:
            density, volume = self.measure
            yield f"{density} is an invariant density of {volume}"
        if self.multiplier is not None:
            yield "there is no multiplier" if self.multiplier == "none" else f"{self.multiplier} is a multiplier"


def agreement(model: Model, claims: Claims, laws: Any, measure: Any, multiplier: Any) -> dict[str, bool | None]:
    """By what is claimed, whether it was found; None where the question was given up or refused.

    Momenta that are cyclic in the new time are integrals too.
    """
    found: dict[str, bool | None] = {}
    if claims.integrals:
        own = [law.expression for law in laws if law.coefficients is None] if laws is not None else []
        own += getattr(multiplier, "laws", {}).values()
        found |= dict(zip(claims.integrals, follow_from(model, claims.integrals, own), strict=True))
    found |= {f"not {text}": changes(model, text) for text in claims.broken}
    if claims.measure is not None:
        found["measure"] = _answered(model, claims.measure, measure, "density")
    if claims.multiplier is not None:
        found["multiplier"] = _answered(model, claims.multiplier, multiplier, "multiplier")
    return found


def page_beside(system: System, claims: Claims, page: Any) -> list[str]:
    """The claims about what was asked on a page, each with whether it was found; nothing where the system has other coordinates than they speak of."""
    asked = {name: None if isinstance(page[name], str) else page[name] for name in page}
    laws, measure, multiplier = (asked.get(name) for name in ("conserved", "invariant_measure", "hamiltonize"))
    about = replace(
        claims,
        integrals=claims.integrals if laws is not None else (),
        broken=claims.broken if laws is not None else (),
        measure=claims.measure if measure is not None else None,
        multiplier=claims.multiplier if multiplier is not None else None,
    )
    try:
        found = agreement(system.model, about, laws, measure, multiplier)
    except (Error, KeyError):
        return []
    words = {True: "found", False: "not found", None: "unknown"}
    rows = [f"  {words[value]}: {name}" for name, value in found.items()]
    return ["", f"claims of the literature ({claims.source})", *rows] if rows else []


def _answered(model: Model, claim: tuple[str, str] | str, answer: Any, name: str) -> bool | None:
    """Whether an answer says what is claimed: that there is none, or the same function up to a factor."""
    if answer is None or answer.verdict is Verdict.UNKNOWN:
        return None
    if claim == "none":
        return answer.verdict is Verdict.REFUTED
    text, volume = (claim, None) if isinstance(claim, str) else claim
    own = getattr(answer, name)
    same_volume = volume is None or volume == answer.volume
    return own is not None and same_volume and are_proportional(model, text, own)


def follow_from(model: Model, claims: Sequence[str], found: Iterable[Expr]) -> list[bool]:
    """Whether each claim is a function of what was found, on the constraint submanifold, at a random state."""
    base = [*found, *(c.expression for c in model.constraints)]
    with precision(DIGITS):
        point = next(admissible_points(model, DIGITS, seed=1))
        known = [_slopes(model, value, point) for value in base]
        wanted = [_slopes(model, _read(model, text), point) for text in claims]
    basis = np.array([row / max(1e-300, np.abs(row).max()) for row in known])
    return [_combines(basis, row) for row in wanted]


def _combines(basis: np.ndarray, row: np.ndarray) -> bool:
    if not basis.size:
        return bool(np.abs(row).max() <= NOTHING)
    rest = row - basis.T @ np.linalg.lstsq(basis.T, row, rcond=1e-11)[0]
    return bool(np.abs(rest).max() <= NOTHING * np.abs(row).max())


def _slopes(model: Model, value: Expr, point: Any) -> np.ndarray:
    """The differential along the fields of the base frame, the velocities and time."""
    frame = model.frame
    fields = frame.fields
    parts = [*(along(value, e) for e in fields), *(partial(value, w) for w in model.velocities), partial(value, time)]
    return np.array([float(each.mid()) for each in evaluate_at(parts, point)])


def changes(model: Model, text: str) -> bool:
    """Whether a function is proven not to be constant along all motions."""
    motion = reduced_motion(model)
    rate = motion.rate(_read(motion.model, text).xreplace(motion.velocities))
    return zero_test(rate, motion.on).is_refuted


def are_proportional(model: Model, text: str, found: Expr) -> bool:
    """Whether a claim is the function found times a constant, up to a sign, at random states."""
    with precision(DIGITS):
        points = [next(admissible_points(model, DIGITS, seed)) for seed in (1, 2, 3, 4)]
        pairs = [evaluate_at([_read(model, text), model.frame.in_coordinates(found)], point) for point in points]
    ratios = [abs(float((claimed / own).mid())) for claimed, own in pairs]
    return max(ratios) - min(ratios) <= NOTHING * max(ratios)


def _read(model: Model, text: str) -> Expr:
    """A claim as an expression of coordinates, velocities, time and parameters."""
    if text == "energy":
        momenta = gradient(model.lagrangian, model.velocities)
        return dot(momenta, model.velocities) - model.lagrangian
    return model.frame.in_coordinates(expression(text, "a claim"))
