r"""Growth vectors at generic points: how far brackets of admissible directions reach, and where or for which parameters less far.

.. math:: D^1 = D, \qquad D^{s+1} = D^s + [D, D^s] \quad\text{(Lie flag)}, \qquad
   D^{(s+1)} = D^{(s)} + [D^{(s)}, D^{(s)}] \quad\text{(derived flag)}

The dimensions are computed on the annihilators, where nothing swells: a form $\lambda = c_\nu\theta^\nu$ that
annihilates $D^s$ annihilates $D^{s+1}$ exactly if $d\lambda(X, Z) = 0$ for $X \in D$ and $Z \in D^s$. That condition is linear in $c$
over the functions, and needs first derivatives only. Points and parameters at which a flag falls short are common zeros of minors
of the brackets themselves, of which one for each Lyndon word is enough.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any, Literal, TypeAlias, final

import numpy as np
import symengine

from anholonomy.algebra.expressions import Expr, Matrix, Vector, dot, free_symbols, zero
from anholonomy.algebra.linear_algebra.sampled import certified_rows
from anholonomy.algebra.linear_algebra.symbolic import determinant, kernel_on, nullspace_on, solved_kernel
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.algebra.numbers.ball_matrices import echelon, kernel
from anholonomy.algebra.numbers.balls import DIGITS, Ball, evaluate_balls, excludes_zero, precision
from anholonomy.algebra.numbers.random_points import Ground, finite_point
from anholonomy.algebra.short_forms_on_groups import shortened
from anholonomy.algebra.simplification.simplify import simplify, simplify_vector
from anholonomy.algebra.unknown_functions import unknown_functions
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.deadlines import check
from anholonomy.base.notebook import Shown
from anholonomy.base.tolerances import CLEAR
from anholonomy.base.verdict import Verdict
from anholonomy.findings import AbstractEvidence, Calculation, Finding, Reason, Scope, SpecialValues
from anholonomy.findings.special_values import special_values
from anholonomy.geometry.brackets import bracket
from anholonomy.geometry.frame import Frame
from anholonomy.language import to_text

__all__ = [
    "Evidence",
    "GrowthVector",
    "bracket_layers",
    "derived_flag",
    "differential",
    "growth_vector",
    "have_normal_forms",
    "lyndon_words",
    "singular_conditions",
    "special_growth",
]

_STRENGTHS: tuple[Evidence, ...] = ("exact", "certified below, sampled above", "sampled")
LARGE = 8
"""From this many coordinates on, vanishing is read off at random points instead of from normal forms."""
MAX_GIVEN = 20_000
"""Operations in forms beyond which no fields are computed from them."""
MAX_MINORS = 60
"""Minors up to which their zeros are found within a second or so."""
_WEIGHTS = 64
"""The largest denominator of weights in a sum of squares."""
MAX_OPERATIONS = 60_000
"""Operations in one layer of brackets beyond which nothing longer is formed."""
Evidence: TypeAlias = Literal["exact", "certified below, sampled above", "sampled", "certified below"]


@final
class GrowthVector(Shown, tuple[int, ...]):
    """Dimensions of the flag, until they stop growing.

    ``evidence`` is ``"exact"``; or ``"certified below, sampled above"``, every dimension a proven lower bound that random points
    did not exceed; or ``"sampled"``, where entries have no normal form; or ``"certified below"`` where the flag may go on: at a
    point where the brackets looked at did not yet reach the generic dimension, or where the next step outgrows exact algebra.
    ``special`` are the values of free parameters for which alone a dimension may be smaller; None where that was not looked for.
    ``read`` are the floats of the place that were taken for multiples of pi, by coordinate; ``where`` is the place in words, and
    ``why`` the reason that the flag ends there. ``again`` is a function with its arguments that finds dimensions and evidence once more.

    >>> GrowthVector((2, 3)) == (2, 3), GrowthVector((2, 3)).evidence
    (True, 'exact')
    """

    evidence: Evidence
    special: SpecialValues | None
    read: Mapping[str, Expr]
    where: str
    why: str
    again: tuple[Callable[..., Any], tuple[Any, ...]] | None

    @property
    def is_settled(self) -> bool:
        """Whether the flag ends here; otherwise longer brackets than those looked at might still add to it."""
        return self.evidence != "certified below"

    @property
    def is_certified(self) -> bool:
        """Whether every dimension is at least a proven lower bound."""
        return self.evidence != "sampled"

    @property
    def finding(self) -> Finding:
        """That these are the dimensions: proven where they are exact, otherwise unknown."""
        why = self.why if self.is_settled else "and may go on"
        said = f"the dimensions are {self.evidence}" + (f", {why}" if why else "")
        scope = Scope(points=self.where, special=self.special)
        return Finding(
            f"the growth vector is {self}", Verdict.of(self.evidence == "exact" or None), (self.said(said),), scope
        )

    def said(self, words: str) -> AbstractEvidence:
        """What the dimensions show, as evidence that finds them again."""
        return Reason(words) if self.again is None else Calculation(words, *self.again, (tuple(self), self.evidence))

    def __repr__(self) -> str:
        return super().__repr__() + self._besides

    def __str__(self) -> str:
        # As mathematics writes it: one dimension alone has no comma.
        return f"({', '.join(map(str, self))}){self._besides}"

    @property
    def _besides(self) -> str:
        place = ", ".join(f"{name} was read as {to_text(value)}" for name, value in self.read.items())
        return ("" if self.is_settled else " so far") + (f" ({place})" if place else "")

    def __new__(
        cls,
        dimensions: Sequence[int],
        evidence: Evidence = "exact",
        special: SpecialValues | None = None,
        read: Mapping[str, Expr] | None = None,
        where: str = "",
        why: str = "",
        again: tuple[Callable[..., Any], tuple[Any, ...]] | None = None,
    ) -> GrowthVector:
        made = super().__new__(cls, dimensions)
        made.evidence, made.special, made.read = evidence, special, {} if read is None else read
        made.where, made.why, made.again = where, why, again
        return made


def growth_vector(frame: Frame, forms_ni: Matrix, vectors_ai: Matrix) -> GrowthVector:
    """The Lie flag's dimensions at generic points.

    >>> w, y, o, i = *symengine.symbols("w y"), symengine.Integer(0), symengine.Integer(1)
    >>> growth_vector(Frame(["x", "y", "z", "w"]), ((-w, i, o, o), (-y, o, i, o)), ((i, w, y, o), (o, o, o, i)))
    (2, 3, 4)
    """
    return _descend(frame, forms_ni, vectors_ai)


def derived_flag(frame: Frame, forms_ni: Matrix) -> GrowthVector:
    """The derived flag's dimensions at generic points.

    >>> w, y, o, i = *symengine.symbols("w y"), symengine.Integer(0), symengine.Integer(1)
    >>> derived_flag(Frame(["x", "y", "z", "w"]), ((-w, i, o, o), (-y, o, i, o)))
    (2, 3, 4)
    """
    return _descend(frame, forms_ni, None)


def _descend(frame: Frame, forms: Matrix, movers: Matrix | None) -> GrowthVector:
    """Forms leave one after the other; ``movers`` None means that the flag moves itself."""
    n = frame.size
    dimensions, evidence = [n - len(forms)], 0
    while forms:
        try:
            kept, strength = _annihilators(frame, forms, movers)
        except _Outgrown as step:
            reached = [n - len(forms) + step.found] if step.found else []
            return GrowthVector([*dimensions, *reached], "certified below")
        evidence = max(evidence, strength)
        if len(kept) == len(forms):
            break
        forms = kept
        dimensions.append(n - len(forms))
    return GrowthVector(dimensions, _STRENGTHS[evidence])


class _Outgrown(Exception):
    """A step that exact algebra does not reach; at least ``found`` of the forms leave in it."""

    def __init__(self, found: int) -> None:
        self.found = found


def _annihilators(frame: Frame, forms: Matrix, movers: Matrix | None) -> tuple[Matrix, int]:
    """The forms that annihilate one step more, and how well that is known, 0 for proven."""
    differentials = [differential(frame, form) for form in forms]
    if frame.size >= LARGE:
        kept, _ = _sampled(frame, forms, differentials, movers)
        if kept is not None:
            return tuple(forms[k] for k in kept), 1
    on = frame.orbit
    if _operations(forms) > MAX_GIVEN or _operations(fields := nullspace_on(forms, on)) > MAX_OPERATIONS:
        raise _Outgrown(_sampled(frame, forms, differentials, movers)[1])
    pairs = product(movers, fields) if movers is not None else combinations(fields, 2)
    conditions = [tuple(_tidy(_pair(d, X, Z), on) for d in differentials) for X, Z in pairs]
    rows = [row for row in conditions if any(entry != 0 for entry in row)]
    if not rows:
        return forms, 0
    idle = [k for k, column in enumerate(zip(*rows, strict=True)) if all(entry == 0 for entry in column)]
    certified = len(certified_rows(rows, on=on))
    if certified + len(idle) == len(forms):
        return tuple(forms[k] for k in idle), 0
    columns, kernel = tuple(zip(*forms, strict=True)), kernel_on(rows, on)
    left = tuple(simplify_vector(dot(c, column) for column in columns) for c in kernel.vectors)
    # Normal forms prove what is zero; that a pivot is not, which only looks different from zero, takes a point.
    known = kernel.proven and certified + len(left) == len(forms) and have_normal_forms(rows)
    return left, 0 if known else 2


def _operations(rows: Sequence[Vector]) -> int:
    return int(symengine.count_ops(*(entry for row in rows for entry in row)))


def have_normal_forms(rows: Sequence[Vector]) -> bool:
    """Without them linear algebra chooses pivots at a random point and proves nothing."""
    entries = [entry for row in rows for entry in row]
    try:
        forms = Canonical(entries)
        for entry in entries:
            forms.quotient(entry)
    except NoNormalForm:
        return False
    return True


def _tidy(value: Expr, on: Ground | None) -> Expr:
    return zero if is_zero(value, on) else value


def differential(frame: Frame, form: Vector) -> dict[tuple[int, int], Expr]:
    r"""$d\theta(e_a, e_b) = e_a(\theta_b) - e_b(\theta_a) - c_{ab}{}^d\theta_d$ for $a < b$, without the zeros."""
    values = {}
    for a, b in combinations(range(frame.size), 2):
        value = frame.derivative(a, form[b]) - frame.derivative(b, form[a])
        if not frame.is_chart:
            value -= dot(frame.structure_abd[a][b], form)
        if value != 0:
            values[a, b] = value
    return values


def _pair(two_form: Mapping[tuple[int, int], Expr], X: Sequence[Expr], Z: Sequence[Expr]) -> Expr:
    return symengine.Add(*(w * (X[a] * Z[b] - X[b] * Z[a]) for (a, b), w in two_form.items()))


def _sampled(
    frame: Frame, forms: Matrix, differentials: Sequence[Mapping[tuple[int, int], Expr]], movers: Matrix | None
) -> tuple[list[int] | None, int]:
    """Which forms survive a step as they are, where that accounts for all that survive at two random points, else None.

    Then how many forms are certified not to survive.
    """
    flat = [
        *(entry for row in (*forms, *(movers or ())) for entry in row),
        *(w for two_form in differentials for w in two_form.values()),
    ]
    if any(unknown_functions(entry) for entry in flat):
        return None, 0
    kept: set[int] = set(range(len(forms)))
    rng, leaving, whole = random.Random(len(flat)), 0, True
    for _ in range(2):
        point = finite_point(flat, rng, DIGITS, on=frame.orbit)
        if point is None:
            return None, leaving
        values = dict(zip(flat, evaluate_balls(flat, point, DIGITS), strict=True))
        with precision(DIGITS):
            columns = _conditions_at(values, forms, differentials, movers)
            found = len(echelon([list(row) for row in zip(*columns, strict=True)])) if columns else -1
        kept &= {k for k, column in enumerate(columns) if not any(map(excludes_zero, column))}
        leaving, whole = max(leaving, found), whole and found + len(kept) == len(forms)
    return (sorted(kept) if whole else None), leaving


def _conditions_at(
    values: Mapping[Expr, Ball],
    forms: Matrix,
    differentials: Sequence[Mapping[tuple[int, int], Expr]],
    movers: Matrix | None,
) -> list[list[Ball]]:
    r"""$d\theta^\nu(X_a, Z_b)$ at a point: a list for each form."""
    fields = kernel([[values[entry] for entry in row] for row in forms])
    if len(fields) > len(forms[0]) - len(forms):
        return []  # the forms are dependent at this point, and more would seem to be annihilated
    moving = [[values[entry] for entry in row] for row in movers] if movers is not None else fields
    columns = []
    for two_form in differentials:
        terms = [(a, b, values[w]) for (a, b), w in two_form.items()]
        columns.append(
            [
                sum((w * (X[a] * Z[b] - X[b] * Z[a]) for a, b, w in terms), start=X[0] * 0)
                for X in moving
                for Z in fields
            ]
        )
    return columns


def singular_conditions(
    frame: Frame, vectors_ai: Matrix, growth: Sequence[int], forms_ni: Matrix = ()
) -> dict[int, Vector] | None:
    r"""For each step, functions whose common zeros are where the flag falls short of ``growth``; None where they are too many.

    An empty list says that the step is regular everywhere. Where the fields lose rank, those of the other minors of the ``forms_ni``
    are asked too: what falls short for every choice of fields does so for each,

    .. math:: \{q : \dim D^s(q) < n_s\} = \bigcap_X\{q : \text{all minors of } X^s \text{ vanish at } q\} .

    >>> y, o, i = symengine.Symbol("y"), symengine.Integer(0), symengine.Integer(1)
    >>> singular_conditions(Frame(["x", "y", "z"]), ((i, o, y**2), (o, i, o)), (2, 3))
    {1: (), 2: (y,)}
    >>> x = symengine.Symbol("x")
    >>> singular_conditions(Frame(["x", "y", "z"]), ((-x, y, o), (-i, o, y)), (2, 2), ((y, x, i),))
    {1: (), 2: ()}
    """
    found: dict[int, Vector] = {}
    for step, minors in enumerate(_minors_by_step(frame, vectors_ai, growth), 1):
        if minors is None:
            return None
        found[step] = _common_zeros(minors, frame)
    if not found[1]:
        return found
    for other in _local_frames(forms_ni, frame.size):
        for step, minors in enumerate(_minors_by_step(frame, other, growth), 1):
            if minors is None:
                return None
            found[step] = found[step] and _common_zeros((*found[step], *minors), frame)
        if not any(found.values()):
            break
    return found


def _local_frames(forms_ni: Matrix, size: int) -> Iterator[Matrix]:
    """Without denominators, fields that span the kernel where some minor of the forms does not vanish; for each minor."""
    for pivots in combinations(range(size), len(forms_ni)) if forms_ni else ():
        check()
        minor = simplify(determinant([[row[j] for j in pivots] for row in forms_ni]))
        if minor != zero:
            yield tuple(simplify_vector([minor * entry for entry in X]) for X in solved_kernel(forms_ni, pivots))


def _common_zeros(functions: Sequence[Expr], frame: Frame) -> Vector:
    """Fewer functions with the same common zeros; none where there are no such zeros, or only for some values of parameters.

    Two are one where their squares add up to a square, as those of a sine and a cosine do; and where squares of several, with positive
    weights, add up to 1, as those of the components of a unit vector do, there are no such zeros.
    """
    own = set(frame.coordinates)
    short = (shortened(f, frame.orbit) for f in functions)
    bare = (symengine.Mul(*(each for each in _factors(f) if each.free_symbols & own)) for f in short)
    left = list(dict.fromkeys(bare))
    if any(not f.free_symbols for f in left):
        return ()
    left = [f for f in left if not any(_factors(g) < _factors(f) for g in left)]
    for f, g in combinations(left, 2):
        check()
        both = _radical(simplify(f**2 + g**2))
        if symengine.count_ops(both) < min(symengine.count_ops(f), symengine.count_ops(g)):
            return _common_zeros([both, *(each for each in left if each not in (f, g))], frame)
    return () if _add_up_to_one(left, frame) else tuple(left)


def _add_up_to_one(functions: Sequence[Expr], frame: Frame) -> bool:
    r"""Whether $\sum_k w_k f_k^2 = 1$ for some $w_k > 0$, which are guessed from values and then proven."""
    rng, rows = random.Random(7), list[list[float]]()
    for _ in range(2 * len(functions) + 2):
        found = finite_point(functions, rng, on=frame.orbit)
        if found is None:
            return False
        rows.append([float(each.mid()) ** 2 for each in evaluate_balls(functions, found, DIGITS)])
    squares = np.array(rows)
    weights = np.linalg.lstsq(squares, np.ones(len(squares)), rcond=None)[0]
    if not (weights > 0).all() or np.abs(squares @ weights - 1).max() > CLEAR:
        return False
    exact = [symengine.Rational(*Fraction(w).limit_denominator(_WEIGHTS).as_integer_ratio()) for w in weights]
    return is_zero(symengine.Add(*(w * f**2 for w, f in zip(exact, functions, strict=True))) - 1, frame.orbit)


def _factors(value: Expr) -> set[Expr]:
    return set(value.args) if isinstance(value, symengine.Mul) else {value}


def special_growth(frame: Frame, vectors_ai: Matrix, growth: Sequence[int]) -> SpecialValues | None:
    """The values of free parameters for which alone the flag may be smaller at generic points; None where not decided.

    >>> k, y, o, i = *symengine.symbols("k y"), symengine.Integer(0), symengine.Integer(1)
    >>> print(special_growth(Frame(["x", "y", "z"]), ((i, o, k * y), (o, i, o)), (2, 3)))
    k = 0
    """
    known = {*frame.coordinates, *(name for name, _ in frame.values)}
    if free_symbols(entry for row in vectors_ai for entry in row) <= known:
        return SpecialValues(())
    alternatives: dict[Vector, None] = {}
    for minors in _minors_by_step(frame, vectors_ai, growth):
        special = None if minors is None else special_values(minors, frame.coordinates, frame.orbit)
        if special is None:
            return None
        alternatives |= dict.fromkeys(special.alternatives)
    return SpecialValues(tuple(alternatives))


def _minors_by_step(frame: Frame, vectors_ai: Matrix, growth: Sequence[int]) -> Iterator[Vector | None]:
    """For each step, the minors that say whether it has its dimension; None where they are too many."""
    rows: list[Vector] = []
    for size, layer in zip(growth, bracket_layers(frame, vectors_ai, len(growth)), strict=False):
        if comb(len(rows) + len(layer), size) * comb(frame.size, size) > MAX_MINORS:
            yield None
            return
        rows += [simplify_vector(vector) for vector in layer]
        yield _minors(rows, size, frame)


def _minors(rows: Sequence[Vector], size: int, frame: Frame) -> Vector:
    """The minors that are not identically zero, up to sign and powers."""
    values: dict[Expr, None] = {}
    for chosen in combinations(rows, size):
        for columns in combinations(range(frame.size), size):
            value = simplify(determinant([[row[j] for j in columns] for row in chosen]))
            if value != zero and not is_zero(value, frame.orbit):
                values[_radical(value)] = None
    return tuple(values)


def _radical(value: Expr) -> Expr:
    """Without numbers in front and without repeated factors: the same zeros."""
    factors = value.args if isinstance(value, symengine.Mul) else (value,)
    bare = [
        f.args[0] if isinstance(f, symengine.Pow) and isinstance(f.args[1], symengine.Integer) and f.args[1] > 0 else f
        for f in factors
        if f.free_symbols
    ]
    return symengine.Mul(*bare) if bare else symengine.Integer(1)


def bracket_layers(frame: Frame, vectors: Matrix, length: int) -> Iterator[list[Vector]]:
    """Brackets of 1, 2, …, ``length`` fields, those that vanish left out."""
    known: dict[tuple[int, ...], Vector] = {}
    layer: list[Vector] = []
    size = 1
    for word in lyndon_words(len(vectors), length):
        if len(word) > size:
            yield layer
            if layer and symengine.count_ops(*(entry for value in layer for entry in value)) > MAX_OPERATIONS:
                return
            layer, size = [], len(word)
        if len(word) == 1:
            value: Vector = vectors[word[0]]
        else:
            # The longest proper suffix that is a Lyndon word; what precedes it is one as well.
            cut = next(k for k in range(1, len(word)) if word[k:] in known or _is_lyndon(word[k:]))
            left, right = known.get(word[:cut]), known.get(word[cut:])
            if left is None or right is None:
                continue
            value = bracket(frame, left, right)
        if any(entry != 0 for entry in value):
            known[word] = value
            layer.append(value)
    yield layer


def lyndon_words(letters: int, length: int) -> Iterator[tuple[int, ...]]:
    """Words that come first among their rotations, shortest first: one for each bracket of a basis of the free Lie algebra.

    >>> list(lyndon_words(2, 3))
    [(0,), (1,), (0, 1), (0, 0, 1), (0, 1, 1)]
    """
    found, word = [], [-1]
    while word:
        word[-1] += 1
        found.append(tuple(word))
        size = len(word)
        while len(word) < length:
            word.append(word[-size])
        while word and word[-1] == letters - 1:
            word.pop()
    return iter(sorted(found, key=lambda w: (len(w), w)))


def _is_lyndon(word: tuple[int, ...]) -> bool:
    return all(word < word[k:] for k in range(1, len(word)))
