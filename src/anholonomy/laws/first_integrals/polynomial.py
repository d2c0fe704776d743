r"""Route: conserved quantities that are polynomials in the speeds, one class of coefficient functions after the other.

.. math:: F = \sum_{k,\alpha} c_{k\alpha}\,\varphi_k(q, t)\,\ell^\alpha, \qquad \dot F = 0

The functions $\varphi_k$ are products of what occurs in the system (`anholonomy.laws.ansatz.functions`), of more and more factors, and each class is gone
through exactly (`anholonomy.laws.ansatz.solutions`): until a motion has no room for another law, or a class is too large.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from anholonomy.laws.ansatz.candidates import (
    MAX_COLUMNS,
    Ansatz,
    degree_at_rest,
    degree_classes,
    functions_at_rest,
)
from anholonomy.laws.ansatz.functions import FunctionSpace, Generator, automatic_functions
from anholonomy.laws.ansatz.independence import directions_at_rest
from anholonomy.laws.ansatz.solutions import solve
from anholonomy.laws.known_laws import KnownLaws, Searched

__all__ = ["MAX_WEIGHT", "graded_polynomials", "polynomials"]

MAX_WEIGHT, MOST_WEIGHT = 3, 6
"""The degree of functions of the configuration that are tried, and that of a potential which they may have."""
_MIXED = 2
"""The degree up to which products of all functions on a group are few enough."""


def polynomials(known: KnownLaws) -> None:
    """Add what is found in growing classes, and at last with functions as the potential has them."""
    motion, given = known.motion, known.given
    known.space = automatic_functions(motion) if given is None else given
    classes = degree_classes(motion, known.degree)
    at_rest = min(degree_at_rest(motion.model), MOST_WEIGHT)
    _stages(known, classes, range(1 if given is not None else max(MAX_WEIGHT, at_rest) + 1))
    for degrees in classes if given is None else ():
        for make in (graded_polynomials, _directions):
            if not known.full and (ansatz := make(known, degrees, MAX_COLUMNS)) is not None:
                solve(known, ansatz)


def _stages(known: KnownLaws, classes: Sequence[Sequence[int]], weights: Sequence[int]) -> None:
    _low_degrees_first(known, classes, weights)
    for weight in weights:
        constants, solutions, ansatze = 0, 0, list[Ansatz]()
        for degrees in classes:
            if (stage := _stage(known, weight, degrees)) is None:
                return
            ansatz, counted = stage
            constants, solutions = constants + counted[0], solutions + counted[1]
            ansatze.append(ansatz)
        among = known.space.words(weight, {v: k for k, v in known.motion.model.named.items()})
        known.searched = Searched(among, constants, solutions, tuple(ansatze))
        if known.full:
            return


def _low_degrees_first(known: KnownLaws, classes: Sequence[Sequence[int]], weights: Sequence[int]) -> None:
    """Search low degrees first if degrees mix: a linear law over long functions would be met as a part of a quadratic one over short ones."""
    mixed = [degrees for degrees in classes if {1, 2} <= set(degrees)]
    for top, weight in product(range(1, known.degree) if mixed else (), weights):
        if known.full or _stage(known, weight, range(top + 1)) is None:
            return


def _stage(known: KnownLaws, weight: int, degrees: Sequence[int]) -> tuple[Ansatz, tuple[int, int]] | None:
    """The products of a stage, with the numbers of constants and of solutions; None where it is too large to be gone through."""
    ansatz = Ansatz.independent(known.motion, known.space, known.letters, weight, degrees)
    return None if ansatz is None else (ansatz, solve(known, ansatz))


def graded_polynomials(known: KnownLaws, degrees: Sequence[int], most: int) -> Ansatz | None:
    """Polynomials in the coordinates as the potential asks for, each before its power of the speeds; None where there are none, or too many."""
    model = known.motion.model
    ansatz = Ansatz.graded(known.space, known.letters, degrees, degree_at_rest(model), functions_at_rest(model))
    return ansatz if ansatz is not None and len(ansatz.columns) <= most else None


def _directions(known: KnownLaws, degrees: Sequence[int], most: int) -> Ansatz | None:
    """Polynomials in the few functions on a group of which the potential is one, where degrees mix."""
    if max(degrees) <= _MIXED or not (seen := directions_at_rest(known.motion)):
        return None
    ansatz = Ansatz.weighted(FunctionSpace(tuple(map(Generator, seen))), known.letters, degrees)
    return ansatz if len(ansatz.columns) <= most else None
