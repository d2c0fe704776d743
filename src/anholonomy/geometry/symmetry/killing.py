r"""Killing fields: the infinitesimal isometries of a metric, how many there are at most, and the algebra they close into.

.. math::
   \mathcal L_X g = 0, \qquad X = \sum_{u} c_u\, f_u\, W_u, \qquad
   \mathcal L_{fW} g = f\,\mathcal L_W g + df \otimes W^\flat + W^\flat \otimes df

over a basis of functions $f$ and the fields $W = e_a,\ g^{ab} e_b$, on a group also its right-invariant ones, which preserve
every left-invariant metric; the constants $c_u$ are an exact null space. Other operators $P$ of first order are treated alike,
$P(fW) = f\,A + \partial_j f\,B^j$. Brackets of
solutions are solutions, so what the basis misses may still be found by closing up. Every field is returned with the residual
that must vanish.

.. math:: \partial^\alpha\bigl(A_a X^a + B^j{}_a\,\partial_j X^a\bigr) = 0, \quad |\alpha| \le k
   \quad\Longrightarrow\quad \dim\{X\} \le N - \operatorname{rank} M_k(q)

bounds their number. $M_k(q)$ are the coefficients of the $N$ derivatives of $X$ up to order $k + 1$ at the point $q$. A Killing field
is known everywhere by its 1-jet at a point, because the equations give all higher derivatives; so the kernel of $M_k$ has no room for
anything but 1-jets, and every independent symmetry takes one dimension of it. The rank is certified.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb, prod
from typing import Any, TypeAlias, final

import symengine

from anholonomy.algebra.calculus import gradient, jacobian, partial
from anholonomy.algebra.constant_relations import constant_factor, constant_relations, independent_functions
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, free_symbols, matrix_vector, symbol, zero
from anholonomy.algebra.linear_algebra.sampled import certified_rows
from anholonomy.algebra.linear_algebra.symbolic import inverse
from anholonomy.algebra.normal_forms.canonical import NoNormalForm
from anholonomy.algebra.poles import has_poles
from anholonomy.algebra.redundant_coordinates import Orbit
from anholonomy.algebra.residues.rank_of_functions import rank_below
from anholonomy.algebra.simplification.simplify import simplify, simplify_vector
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import LIMIT, check, effort, patience
from anholonomy.base.errors import ArgumentError, DeclarationError, NotSupportedError, TimeLimitError, UnknownNameError
from anholonomy.base.verdict import Verdict
from anholonomy.findings import Calculation, CarriesFinding, Finding, Quantity, Reason, Scope, vanishing
from anholonomy.geometry.algebras.lie_algebra import LieAlgebra
from anholonomy.geometry.brackets import Structure
from anholonomy.geometry.forms import Form
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.metric import Metric
from anholonomy.geometry.symmetry.basis_functions import automatic_basis
from anholonomy.geometry.symmetry.preserved import Operator, Span, as_tensor, components, conditions
from anholonomy.geometry.tensor import Tensor
from anholonomy.geometry.vector_fields import lie_bracket
from anholonomy.language.answers import Readable, Row, below
from anholonomy.language.arguments import expect_list, expect_whole, expression, factor, name_of

__all__ = ["KillingField", "Symmetries", "killing_fields"]

MAX_COORDINATES = 25
"""Up to this many coordinates the right-invariant fields of a group are written out; they need the inverse of an element."""
MAX_UNKNOWNS = 340
"""On a group, the number of functions times directions up to which the equations are solved: some seconds."""
FEW_UNKNOWNS = 240
"""Beyond so many, a short basis is tried first, and the rest only where fields may be missing."""
MAX_COLUMNS = 120
"""Unknowns up to which long equations are evaluated, and the rank is certified in balls if no prime can do it."""
MAX_MODULAR = 700
"""Unknowns up to which the rank is certified modulo a prime."""
MAX_OPERATIONS = 2_000_000
"""Operations up to which equations of more unknowns than `MAX_COLUMNS` are evaluated."""
_MARK = r"\mathcal{L}_X g"
_HERE = symbol("_here")


one = symengine.Integer(1)


@final
@dataclass(frozen=True, repr=False)
class KillingField(CarriesFinding, Readable):
    r"""A field with the proof that it preserves what it should.

    Attributes
    ----------
    field
        The components $X^a$.
    finding
        That $\mathcal L_X g$ and whatever else was asked to vanish does.
    """

    field: Tensor
    finding: Finding

    def as_rows(self) -> Iterable[Row]:
        return self.field.as_rows()


@final
@dataclass(frozen=True, repr=False)
class Symmetries(Readable):
    """Fields that preserve a metric, over the basis of functions that was tried.

    Attributes
    ----------
    metric
        The metric, lower indices.
    found
        The fields, each with its proof.
    functions
        The basis of functions; a field that is no combination of them and no bracket of the fields found is missed.
    operators
        What must vanish on a field: $\\mathcal L_X g$ first.
    gave_up
        Why a longer basis was not tried to its end; empty where none was left.
    """

    metric: Tensor
    found: tuple[KillingField, ...]
    functions: Vector
    operators: tuple[Operator, ...] = field(compare=False)
    gave_up: str = ""

    @property
    def free(self) -> tuple[Symbol, ...]:
        """Parameters without a value, a common factor apart: the fields hold for all values, their number for generic ones."""
        values = [value for _, value in self.metric.items]
        letters = free_symbols(value / values[0] for value in values) - set(self.metric.frame.coordinates)
        return tuple(sorted(letters, key=str))

    @property
    def fields(self) -> tuple[Tensor, ...]:
        return tuple(each.field for each in self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[Tensor]:
        return iter(self.fields)

    @cached_property
    def algebra(self) -> LieAlgebra | None:
        """The algebra the fields close into, or None where they do not (fields inside a distribution need not)."""
        m = len(self.found)
        table: list[list[Vector]] = [[(zero,) * m for _ in range(m)] for _ in range(m)]
        for a in range(m):
            for b in range(a):
                coefficients = in_terms_of(lie_bracket(self.fields[a], self.fields[b]), self.fields)
                if coefficients is None:
                    return None
                table[a][b], table[b][a] = coefficients, tuple(-c for c in coefficients)
        constants: Structure = tuple(tuple(row) for row in table)
        return LieAlgebra(constants)

    @cached_property
    def bound(self) -> int | None:
        """No more independent fields exist near a generic point than this; None where it was too large to compute."""
        try:
            with effort(LIMIT):
                return _bound(self.metric, self.operators, len(self.found))
        except TimeLimitError:
            return None

    @cached_property
    def is_complete(self) -> Finding:
        """Whether it is proven that no field is missing, not even a local one; unknown where more may exist than were found."""
        most = "no bound was found" if self.bound is None else f"no more than {self.bound} are independent"
        verdict, said = Verdict.of(self.bound == len(self.found) or None), f"{len(self.found)} were found and {most}"
        count = (self.metric, self.operators, len(self.found))
        shown = Calculation(said, _bound, count, self.bound) if verdict else Reason(said)
        why = (shown, *([Reason(self.gave_up)] if self.gave_up and not verdict else []))
        return Finding("no Killing field is missing", verdict, why, Scope(points="near generic points"))

    @property
    def finding(self) -> Finding:
        """That all fields found are proven, and none is missing."""
        verdict = Verdict.on_all([self.is_complete.verdict, *(each.finding.verdict for each in self.found)])
        claim = f"the Killing fields are the combinations of {len(self)}"
        evidence = (*(part for each in self.found for part in each.finding.evidence), *self.is_complete.evidence)
        return Finding(claim, verdict, evidence, self.is_complete.scope)

    def momenta(self, velocities: Sequence[Expr]) -> Vector:
        r"""$J_X = g(X, v)$ for every field; ``velocities`` are the components of $v$ in the metric's frame.

        Constant along geodesics, and along nonholonomic motions for a field in the distribution.

        >>> from anholonomy.geometry.frame import Frame
        >>> plane = killing_fields(Metric(Frame(["r", "phi"]), ["1", "r^2"]), basis=["1"])
        >>> plane.momenta([symbol("r'"), symbol("phi'")])
        (r**2*phi',)
        """
        n = range(self.metric.frame.size)
        if len(expect_list(velocities, "the velocities")) != len(n):
            raise DeclarationError(f"a velocity in this frame has {len(n)} components, one for each direction.")
        speeds = [factor(each, "a velocity") for each in velocities]
        lowered = [[dot(components(X), [self.metric[a, b] for a in n]) for b in n] for X in self.fields]
        return tuple(dot(row, speeds) for row in lowered)

    def as_rows(self) -> Iterable[Row]:
        head = f"{len(self)} Killing field{'' if len(self) == 1 else 's'}"
        if self.gave_up:
            head = f"at least {head}; unknown whether there are more: {self.gave_up}"
        elif self.found and self.algebra is not None and self.algebra.name:
            head += f", {self.algebra.name}"
        if self.free and not self.gave_up:
            head += f"; at special values of {', '.join(s.name for s in self.free)} there may be more"
        yield Row(head)
        yield from below(*(X.named(f"X{k}") for k, X in enumerate(self.fields, 1)))


def killing_fields(
    g: Metric | Tensor,
    basis: Sequence[Any] | None = None,
    *,
    degree: int = 2,
    angles: Sequence[Any] | None = None,
    potential: Any = None,
    preserving: Sequence[Tensor | Form] = (),
    distribution: Span | None = None,
    in_distribution: Span | None = None,
    time_limit: float | None = LIMIT,
) -> Symmetries:
    r"""The Killing fields of a metric that a basis of functions can express.

    Parameters
    ----------
    g
        The metric; a symmetric tensor with two lower indices will do.
    basis
        Functions, as text or expressions; chosen from those that occur in the metric when not given.
    degree
        The highest total degree of polynomials in an automatic basis.
    angles
        Coordinates of period 2π: fields must be periodic in them. Without it, fields are local and coordinates open.
    potential, preserving
        A function, and tensors of any type (a one-form, say), that the fields must preserve too.
    distribution
        A distribution (or fields that span it) that must be preserved, $[X, \mathcal D] \subset \mathcal D$.
    in_distribution
        A distribution in which the Killing fields must lie. Their momenta $g(X, \dot q)$ are constant along
        nonholonomic motions without potential.
    time_limit
        Seconds after which no longer basis is tried: the answer then has what was found, and `Symmetries.gave_up` says why.

    Examples
    --------
    >>> from anholonomy.geometry.frame import Frame
    >>> print(killing_fields(Metric(Frame(["x", "y"]), ["1", "1"])))
    3 Killing fields, se(2)
      X1^x = 1
      X2^y = 1
      X3^x = y
      X3^y = -x
    """
    G = _symmetric(g)
    operators = conditions(G, potential, preserving, distribution, in_distribution)
    nothing = Symmetries(G, (), (), tuple(operators))
    choose = lambda: _functions(G, basis, degree, angles)
    return _searched(nothing, choose, closing=in_distribution is None, time_limit=time_limit)


def _searched(nothing: Symmetries, choose: Callable[[], Vector], closing: bool, time_limit: float | None) -> Symmetries:
    """What is found over longer and longer parts of a basis, until no field is missing or the time is over."""
    found = nothing
    try:
        with patience(time_limit):
            functions = choose()
            _refuse_large(found.metric, functions)
            for some in _stages(found.metric, functions):
                if not (found.functions and found.is_complete):
                    found = _over(found, some, closing)
    except TimeLimitError as trouble:
        return replace(found, gave_up=str(trouble))
    except NoNormalForm:
        if found.functions:
            return replace(found, gave_up="the equations outgrow exact algebra over a longer basis.")
        raise NotSupportedError(
            "the Killing equations of this metric outgrow exact algebra over this basis; give a shorter `basis`."
        ) from None
    return found


def _symmetric(g: Metric | Tensor) -> Tensor:
    """The metric in the root of its frame, with the known values of parameters."""
    G = as_tensor(g)
    if G.slots != "dd" or (G - G.permuted(1, 0)).is_zero().is_refuted:
        raise DeclarationError("a metric is a symmetric tensor with two lower indices.")
    G = G.in_frame(G.frame.root or G.frame)
    return G.map(lambda value: value.xreplace(dict(G.frame.values)))


def _stages(g: Tensor, functions: Vector) -> list[Vector]:
    """The basis, preceded by coordinates and functions of one of them where it is long."""
    if is_redundant(g.frame) or 2 * len(functions) * g.frame.size <= FEW_UNKNOWNS:
        return [functions]
    return [tuple(f for f in functions if symengine.count_ops(f) <= 1), functions]


def _over(before: Symmetries, functions: Vector, closing: bool) -> Symmetries:
    """The fields over a basis, closed up where they form an algebra."""
    fields = solutions(before.metric, functions, before.operators)
    if closing:
        fields = closed(fields)
    proven = tuple(_with_proof(X, before.operators) for X in fields)
    return replace(before, found=proven, functions=functions)


def _refuse_large(g: Tensor, functions: Vector) -> None:
    """On a group every unknown is a rational function of several parameters, which takes its time."""
    if not is_redundant(g.frame):
        return
    if g.frame.orbit is not None and g.frame.orbit.chart is None:
        raise NotSupportedError(
            "the group of this metric has redundant coordinates and no rational parametrisation at hand, so its Killing "
            "equations are not solved; give the metric in coordinates."
        )
    if len(functions) * g.frame.size > MAX_UNKNOWNS:
        raise NotSupportedError(
            f"the Killing equations of this metric have {len(functions) * g.frame.size} unknowns over {len(functions)} functions "
            f"on a group, and more than {MAX_UNKNOWNS} take too long; give a shorter `basis`, ['1'] for the invariant fields."
        )


def _functions(g: Tensor, basis: Sequence[Any] | None, degree: int, angles: Sequence[Any] | None) -> Vector:
    if basis is not None:
        return tuple(
            g.frame.in_coordinates(expression(f, "a function of the basis"))
            for f in expect_list(basis, "the functions of the basis")
        )
    n = range(g.frame.size)
    rows = [[g[a, b] for b in n] for a in n]
    # The anchor of a frame that is no chart brings its own functions.
    rows += [] if g.frame.is_chart else [list(row) for row in g.frame.anchor_ai]
    degree = expect_whole(degree, "the degree", 0, refusal=ArgumentError)
    return automatic_basis(rows, g.frame.coordinates, degree, _angles(g.frame, angles))


def _angles(frame: Frame, angles: Sequence[Any] | None) -> list[Symbol] | None:
    if angles is None:
        return None
    found = [symbol(name_of(q, "an angle")) for q in expect_list(angles, "the angles")]
    if unknown := [str(q) for q in found if q not in frame.coordinates]:
        raise UnknownNameError(
            f"{unknown[0]!r} is no coordinate here; there are {', '.join(map(str, frame.coordinates))}."
        )
    return found


def _with_proof(X: Tensor, operators: Sequence[Operator]) -> KillingField:
    residuals = (Quantity("L_X g", entry, _MARK) for P in operators for entry in P(X))
    return KillingField(X, vanishing("the field is a symmetry", "L_X g", residuals, X.frame.orbit, _MARK))


def solutions(g: Tensor, functions: Vector, operators: Sequence[Operator]) -> list[Tensor]:
    r"""Fields in the kernel of all operators, independent over the constants.

    .. math:: P\Bigl(\sum_u c_u f_u W_u\Bigr) = \sum_u c_u\,\bigl(f_u\, A_u + \partial_j f_u\, B_u{}^j\bigr) = 0

    is linear in the constants $c_u$, and its null space is exact.
    """
    coordinates, on = g.frame.coordinates, g.frame.orbit
    gradients = [gradient(f, coordinates) for f in functions]
    columns, candidates = [], []
    right = _right_invariant(g.frame)
    for W in [*directions(g), *(right if _leads_further(g.frame, right, functions) else ())]:
        value, symbols = parts(W, operators)
        for f, slopes in zip(functions, gradients, strict=True):
            check()
            columns.append([f * A + dot(slopes, B) for A, B in zip(value, symbols, strict=True)])
            candidates.append((f, W))
    # Functions of one weight for all directions together, indices up before indices down.
    size, n = len(functions), g.frame.size
    order = sorted(range(len(columns)), key=lambda u: (u // size // n, u % size, u))
    order += range(len(columns), len(columns) + len(right))
    columns += [[entry for P in operators for entry in P(W)] for W in right]
    candidates += [(one, W) for W in right]
    basis = [order[k] for k in independent_functions([_scaled(*candidates[u]) for u in order], coordinates, on)]
    # The last columns are the free ones; with the simplest there, solutions are simple.
    relations = constant_relations([columns[u] for u in reversed(basis)], coordinates, on)
    return [
        _combination(g, [(c, *candidates[u]) for c, u in zip(constants, reversed(basis), strict=True) if c != 0])
        for constants in reversed(relations)
    ]


def _scaled(f: Expr, W: Tensor) -> Vector:
    return tuple(f * value for value in components(W))


def parts(W: Tensor, operators: Sequence[Operator]) -> tuple[Vector, list[Vector]]:
    r"""$A$ and $B^j$ with $P(fW) = f A + \partial_j f\, B^j$, read off from $f = 1$ and $f = q^j - c$ where $c = q^j$."""
    value = tuple(entry for P in operators for entry in P(W))
    slopes = []
    for q in W.frame.coordinates:
        # At c = q the function q - c vanishes, and what is left of the operator is its symbol.
        moved = (entry for P in operators for entry in P((q - _HERE) * W))
        slopes.append([entry.xreplace({_HERE: q}) for entry in moved])
    return value, [tuple(each) for each in zip(*slopes, strict=True)]


def _right_invariant(frame: Frame) -> list[Tensor]:
    """The right-invariant fields of a group."""
    if frame.right_invariant is None or len(frame.coordinates) > MAX_COORDINATES:
        return []
    return [Tensor.of(frame, "u", {(a,): entry for a, entry in enumerate(row)}, "X") for row in frame.right_invariant()]


def _leads_further(frame: Frame, right: Sequence[Tensor], functions: Vector) -> bool:
    """Whether right-invariant fields deserve functions in front: those that are polynomials are in reach without."""
    if is_redundant(frame) and 2 * len(functions) * frame.size > MAX_UNKNOWNS:
        return False
    return any(has_poles(value, frame.coordinates) for W in right for value in components(W))


def directions(g: Tensor) -> list[Tensor]:
    r"""$e_a$, and $g^{ab} e_b$ unless the inverse metric is constant: a field may be simple with its index up or down."""
    frame, n = g.frame, range(g.frame.size)
    upper = [Tensor.of(frame, "u", {(a,): 1}, "X") for a in n]
    rows = inverse([[g[a, b] for b in n] for a in n])
    if not any(entry.free_symbols & set(frame.coordinates) for row in rows for entry in row):
        return upper
    return upper + [Tensor.of(frame, "u", {(b,): entry for b, entry in enumerate(row)}, "X") for row in rows]


def _combination(g: Tensor, terms: Iterable[tuple[Expr, Expr, Tensor]]) -> Tensor:
    total: dict[int, Expr] = {}
    for c, f, W in terms:
        for (a,), value in W.items:
            total[a] = total.get(a, zero) + c * f * value
    factor = constant_factor([total[a] for a in sorted(total)], g.frame.coordinates)
    return Tensor.of(g.frame, "u", {(a,): simplify(value / factor) for a, value in total.items()}, "X")


def closed(fields: list[Tensor]) -> list[Tensor]:
    """The fields with their brackets, until nothing new appears.

    Isometries of an n-dimensional metric form an algebra of at most n(n+1)/2 dimensions, so this ends.
    """
    known = list(fields)
    for a, X in enumerate(known):
        for Y in known[:a]:
            bracket = lie_bracket(X, Y)
            if bracket.items and in_terms_of(bracket, known) is None:
                known.append(bracket.simplified())
    return known


def in_terms_of(X: Tensor, fields: Sequence[Tensor]) -> Vector | None:
    """The constants that combine the fields into X, or None."""
    vectors = [components(each) for each in (*fields, X)]
    relations = constant_relations(vectors, X.frame.coordinates, X.frame.orbit)
    relation = next((each for each in relations if each[-1] != 0), None)
    if relation is None:
        return None
    return simplify_vector(-c / relation[-1] for c in relation[:-1])


def is_redundant(frame: Frame) -> bool:
    """Whether coordinates of a group are tied to each other."""
    return frame.orbit is not None and bool(frame.orbit.tied)


Powers: TypeAlias = tuple[int, ...]
"""How often each coordinate is differentiated by."""
Part: TypeAlias = tuple[Vector, Sequence[Vector]]
"""For one direction $a$: the coefficients $A_{e,a}$, and the list of $B^j{}_{e,a}$ for each equation $e$."""


def _bound(metric: Tensor, operators: tuple[Operator, ...], known: int) -> int | None:
    """How many independent fields there are at most near a generic point, looked for until it is the number that is known."""
    frame = metric.frame
    pieces = [parts(W, operators) for W in directions(metric)[: frame.size]]
    if not is_redundant(frame):
        return symmetry_bound(pieces, frame.coordinates, known, frame.orbit)
    free = free_coordinates(frame)
    if free is None:
        return None
    return symmetry_bound([free.part(*each) for each in pieces], free.coordinates, known)


def symmetry_bound(
    parts: Sequence[Part], coordinates: Sequence[Symbol], known: int, on: Orbit | None = None
) -> int | None:
    """An upper bound for the number of independent solutions of first-order equations that contain Killing's.

    Orders are raised until the bound is ``known``, the number already found, or the equations grow large; None where
    not even the first order is small enough.
    """
    best = None
    for order in range(1, 5):
        unknowns = [(a, beta) for a in range(len(parts)) for beta in _up_to(order + 1, len(coordinates))]
        if len(unknowns) > MAX_MODULAR:
            break
        place = {each: k for k, each in enumerate(unknowns)}
        rows = []
        for e in range(len(parts[0][0])):
            for alpha in _up_to(order, len(coordinates)):
                row = [zero] * len(unknowns)
                for each, coefficient in _differentiated(parts, e, alpha, coordinates).items():
                    row[place[each]] = coefficient
                rows.append(tuple(row))
                check()
        if (
            len(unknowns) > MAX_COLUMNS
            and symengine.count_ops(*(entry for row in rows for entry in row)) > MAX_OPERATIONS
        ):
            break
        rank = _rank(rows, on)
        if rank is None:
            break
        bound = len(unknowns) - rank
        best = bound if best is None else min(best, bound)
        if best <= known:
            break
    return best


def _rank(rows: Sequence[Vector], on: Orbit | None) -> int | None:
    """A certified lower bound of the rank; None where it would take too long."""
    found = rank_below(rows, on.known if on else None)
    if found is not None or len(rows[0]) > MAX_COLUMNS:
        return found
    return len(certified_rows(rows, points=1, on=on))


def _differentiated(
    parts: Sequence[Part], e: int, alpha: Powers, coordinates: Sequence[Symbol]
) -> dict[tuple[int, Powers], Expr]:
    r"""The coefficients of $\partial^\beta X^a$ in the $\alpha$-th derivative of equation $e$, by Leibniz' rule."""
    row: dict[tuple[int, Powers], Expr] = {}
    for gamma in _below(alpha):
        times = prod(comb(i, j) for i, j in zip(alpha, gamma, strict=True))
        rest = tuple(i - j for i, j in zip(alpha, gamma, strict=True))
        for a, (values, slopes) in enumerate(parts):
            pairs = [(gamma, values[e]), *((_raised(gamma, j), B) for j, B in enumerate(slopes[e]))]
            for beta, coefficient in pairs:
                if coefficient != 0 and (part := _derivative(coefficient, rest, tuple(coordinates))) != 0:
                    row[a, beta] = row.get((a, beta), zero) + times * part
    return row


@lru_cache(maxsize=4096)
def _derivative(f: Expr, powers: Powers, coordinates: tuple[Symbol, ...]) -> Expr:
    for i, count in enumerate(powers):
        if count:
            lower = (*powers[:i], count - 1, *powers[i + 1 :])
            return partial(_derivative(f, lower, coordinates), coordinates[i])
    return f


def _up_to(order: int, n: int) -> list[Powers]:
    chosen = (c for k in range(order + 1) for c in combinations_with_replacement(range(n), k))
    return [tuple(c.count(i) for i in range(n)) for c in chosen]


@lru_cache(maxsize=4096)
def _below(alpha: Powers) -> list[Powers]:
    return [gamma for gamma in _up_to(sum(alpha), len(alpha)) if all(j <= i for i, j in zip(alpha, gamma, strict=True))]


def _raised(gamma: Powers, j: int) -> Powers:
    return (*gamma[:j], gamma[j] + 1, *gamma[j + 1 :])


@final
@dataclass(frozen=True)
class FreeCoordinates:
    r"""Parameters of the group in place of its redundant coordinates, then the coordinates that were free before.

    .. math:: q = q(\xi), \qquad \partial_jf\,B^j = \frac{\partial(f \circ q)}{\partial\xi^k}\,\tilde B^k, \qquad
       B^j = \frac{\partial q^j}{\partial\xi^k}\tilde B^k

    where $B$ is tangent to the group, so that as many rows of the Jacobian as there are parameters determine $\tilde B$.

    Attributes
    ----------
    coordinates
        The parameters and the free coordinates.
    values
        The redundant coordinates as functions of the parameters.
    rows, inverse_kj
        Coordinates whose rates determine those of the new ones, and how.
    """

    coordinates: tuple[Symbol, ...]
    values: dict[Symbol, Expr]
    rows: tuple[int, ...]
    inverse_kj: Matrix

    def part(self, value: Vector, slopes: Sequence[Vector]) -> tuple[Vector, list[Vector]]:
        r"""$A$ and $\tilde B^k$ of an operator $fA + \partial_jf\,B^j$, a list for each equation."""
        here = tuple(entry.xreplace(self.values) for entry in value)
        moved = ([each[j].xreplace(self.values) for j in self.rows] for each in slopes)
        return here, [matrix_vector(self.inverse_kj, each) for each in moved]


def free_coordinates(frame: Frame) -> FreeCoordinates | None:
    """Coordinates of a group without redundancy; None where it has no rational parametrisation at hand."""
    orbit = frame.orbit
    if orbit is None or orbit.chart is None:
        return None
    new = (*orbit.parameters, *(q for q in frame.coordinates if q not in orbit.tied))
    slopes = jacobian([orbit.chart.get(q, q) for q in frame.coordinates], new)
    rows = certified_rows(slopes)
    if len(rows) != len(new):
        return None
    return FreeCoordinates(new, orbit.chart, rows, inverse([slopes[j] for j in rows]))
