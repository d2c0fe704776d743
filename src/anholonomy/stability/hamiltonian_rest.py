r"""A rest with two degrees of freedom whose energy is indefinite: the normal form of its Hamiltonian up to the fourth order.

.. math:: H = \omega_1 I_1 + \omega_2 I_2 + \tfrac12 A_{jk} I_j I_k + \dots, \qquad I_1 \ge 0 \ge I_2

.. math:: D = \tfrac12 A_{jk} v^j v^k, \quad v = (\omega_2, -\omega_1): \qquad
          \text{stable if } D \ne 0 \text{ and no resonance up to the fourth order (Arnold 1961, Moser 1968)}

If $\omega_1 = 2\omega_2$ it is unstable unless the resonant cubic term vanishes; if $\omega_1 = 3\omega_2$ it is stable where $|D|$ is larger than the
resonant quartic term on the same level, unstable where it is less (Markeev 1968). If two frequencies meet, or one is zero, and there are not enough
eigenvectors, the sign of one quartic coefficient decides (Sokolskii 1974, 1981; Lerman and Markova 2009). Two equal frequencies with two eigenvectors
are stable if the quartic terms of the normal form vanish nowhere on the level, and unstable at a simple zero (Cabral and Meyer 1999). Twist coefficients are those of the
normal form of the equations of motion, with actions measured by the energy, $I_j = \tfrac12 \bar e_j^{\mathsf T} D^2E\, e_j |z_j|^2 / \omega_j$.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import final

import flint

from anholonomy.algebra.expressions import free_symbols
from anholonomy.algebra.numbers.balls import precision
from anholonomy.algebra.numbers.local_series import (
    Coefficient,
    LocalArithmetic,
    LocalSeries,
    ball_of,
    is_certain,
    is_zero,
    rational,
    sign_of,
)
from anholonomy.base.verdict import Verdict
from anholonomy.findings.evidence import AbstractEvidence
from anholonomy.language.answers import Part
from anholonomy.stability.exact_linear import inverse, is_exact, kernel, times_vector, transposed
from anholonomy.stability.exact_roots import characteristic, product
from anholonomy.stability.exact_state import DIGITS, ExactState, values_and_speed_rates
from anholonomy.stability.rest_energy import FAILURES, Rest, rest_of

__all__ = ["BirkhoffForm", "QuadraticAndCubic", "birkhoff_form"]

_ARCS = 720
"""Arcs of the phase on each of which a sign is tried."""

Complex = flint.acb
Vector = list[Complex]


@final
@dataclass(frozen=True, repr=False)
class BirkhoffForm(AbstractEvidence):
    """What of the normal form decides.

    Attributes
    ----------
    resonance
        ``""``, ``"1:1"``, ``"1:1 twice"``, ``"1:2"``, ``"1:3"`` or ``"0"``.
    twist
        $D$ with a positive factor; for equal frequencies and for zero the coefficient whose sign decides, negative if stable.
    resonant
        The size of the resonant term with the same factor.
    waves
        For equal frequencies with two directions the quartic terms as a function of the phase: after the mean, cosine and sine of each order.
    """

    resonance: str
    twist: Coefficient
    resonant: Coefficient
    waves: tuple[tuple[Coefficient, Coefficient], ...] = ()

    @property
    def verdict(self) -> Verdict:
        """Whether the rest is stable."""
        with precision(DIGITS):
            if self.resonance in ("1:1", "0"):
                if is_certain(self.resonant):
                    return Verdict.REFUTED
                sign = sign_of(self.twist) if is_zero(self.resonant) else None
                return Verdict.of(None if not sign else sign == -1)
            if self.waves:
                return _wave_verdict(self)
            if self.resonance == "1:2":
                return Verdict.REFUTED if is_certain(self.resonant) else Verdict.UNKNOWN
            gap = abs(self.twist) - self.resonant
            sign = sign_of(gap) if is_certain(gap) else None
            return Verdict.of(None if sign is None else sign == 1)

    def check(self) -> Verdict:
        return Verdict.UNKNOWN if self.verdict is Verdict.UNKNOWN else Verdict.PROVEN

    def as_rows(self) -> Iterable[Part]:
        D, size = float(ball_of(self.twist).mid()), float(ball_of(self.resonant).mid())
        match self.resonance:
            case "":
                return [
                    f"no resonance up to the fourth order, and the normal form has the twist {D:.6g} where the energy vanishes"
                ]
            case "1:2":
                return [f"the frequencies are in resonance 1:2, and the normal form has the resonant term {size:.6g}"]
            case "1:3":
                kind = "less" if self.verdict is Verdict.REFUTED else "more"
                return [
                    f"the frequencies are in resonance 1:3, and the twist {abs(D):.6g} is {kind} than the resonant term {size:.6g}"
                ]
            case "1:1 twice":
                kind = "changes its sign" if self.verdict is Verdict.REFUTED else "does not vanish"
                return [
                    f"both frequencies are the same with two directions, and the quartic normal form {kind} where the energy vanishes"
                ]
            case "1:1":
                return [f"both frequencies are the same with one direction, and z'' = {D:.6g} |z|^2 z + ... along it"]
        if is_certain(self.resonant):
            return [f"one frequency is zero with one direction, and z'' = {size:.6g} z^2 + ... along it"]
        return [f"one frequency is zero with one direction, and z'' = {D:.6g} z^3 + ... along it"]


def birkhoff_form(state: ExactState) -> BirkhoffForm | None:
    """Return what decides a rest with two degrees of freedom whose linear part oscillates, or None if nothing does."""
    try:
        with precision(DIGITS):
            rest = rest_of(state)
            if rest is None or rest.count != 2 or len(rest.free) != 2 or not _is_hamiltonian(rest):
                return None
            found = _form(rest)
    except FAILURES:
        return None
    return found if found is not None and found.verdict is not Verdict.UNKNOWN else None


def _is_hamiltonian(rest: Rest) -> bool:
    """Whether all forces have a potential."""
    model = rest.state.field.model
    return free_symbols(model.forces_a).isdisjoint(model.velocities)


@final
class QuadraticAndCubic:
    """The terms of the rates up to the third order at a state, as multilinear maps of complex vectors."""

    def __init__(self, state: ExactState, places: Sequence[int], degree: int = 3) -> None:
        do = LocalArithmetic(degree)
        names = {place: k for k, place in enumerate(places)}
        x = [do.variable(v, names.get(k)) for k, v in enumerate(state.x)]
        rates = values_and_speed_rates(state.field, x, state.p, do)[1]
        self.rates: list[LocalSeries] = [rates[k] for k in places]
        self.A = [[each.coefficient(k) for k in range(len(places))] for each in self.rates]
        self.is_linear = all(len(m) != 2 for each in self.rates for m in each.parts)

    def at(self, *vectors: Vector) -> Vector:
        """The symmetric form of as many vectors."""
        out, count = [], len(vectors)
        orders = list(permutations(vectors))
        for series in self.rates:
            total = Complex(0)
            for m, c in series.parts.items():
                if len(m) != count:
                    continue
                part = Complex(0)
                for order in orders:
                    term = Complex(1)
                    for k, v in zip(m, order, strict=True):
                        term *= v[k]
                    part += term
                total += part * ball_of(c) / len(orders)
            out.append(total)
        return out

    def solved(self, value: Complex, right: Vector) -> Vector:
        """The solution of $(\\lambda - A) h = r$; `ZeroDivisionError` if it is not proven to be unique."""
        n = len(right)
        M = flint.acb_mat(
            [[(value if i == j else Complex(0)) - ball_of(self.A[i][j]) for j in range(n)] for i in range(n)]
        )
        found = M.solve(flint.acb_mat([[c] for c in right]))
        return [found[i, 0] for i in range(n)]


def dot(left: Vector, right: Vector) -> Complex:
    """The sum of products, without conjugation."""
    total = Complex(0)
    for a, b in zip(left, right, strict=True):
        total += a * b
    return total


def plus(*vectors: Vector) -> Vector:
    """The sum of vectors."""
    out = list(vectors[0])
    for v in vectors[1:]:
        out = [a + b for a, b in zip(out, v, strict=True)]
    return out


def times(factor: Complex | int, v: Vector) -> Vector:
    """A multiple of a vector."""
    return [factor * c for c in v]


def conjugate(v: Vector) -> Vector:
    """The complex conjugate of a vector."""
    return [c.conjugate() for c in v]


def _form(rest: Rest) -> BirkhoffForm | None:
    f = QuadraticAndCubic(rest.state, range(4))
    polynomial = characteristic(f.A)
    b, a = polynomial[0], polynomial[2]
    if any(is_certain(polynomial[k]) for k in (1, 3)) or sign_of(a) != 1:
        return None
    if is_zero(b):
        return _without_a_frequency(rest, f)
    gap = a * a - 4 * b
    if is_zero(gap):
        return _equal(rest, f, a)
    if sign_of(b) != 1 or sign_of(gap) != 1:
        return None
    return _different(rest, f, ball_of(a), ball_of(b), a * a / b)


def _different(rest: Rest, f: QuadraticAndCubic, a: flint.arb, b: flint.arb, ratio: Coefficient) -> BirkhoffForm | None:
    resonance = ""
    for k in (2, 3):
        off = ratio - rational((k * k + 1) ** 2) / (k * k)
        if is_zero(off):
            resonance = f"1:{k}"
        elif not is_certain(off):
            return None
    root = (a * a - 4 * b).sqrt()
    w = [((a + root) / 2).sqrt(), ((a - root) / 2).sqrt()]
    e = [_eigenvector(f.A, Complex(0, each)) for each in w]
    l = [_eigenvector(transposed(f.A), Complex(0, each)) for each in w]
    l = [times(1 / dot(row, v), row) for row, v in zip(l, e, strict=True)]
    B = _second_variation(rest)
    energies = [dot(conjugate(v), _applied(B, v)).real for v in e]
    actions = [energy / each for energy, each in zip(energies, w, strict=True)]
    if any(not is_certain(c) for c in actions) or sign_of(actions[0]) == sign_of(actions[1]):
        return None
    if resonance == "1:2":
        if not f.is_linear:
            c = dot(l[0], f.at(e[1], e[1]))
            return BirkhoffForm(resonance, flint.arb(0), abs(c).real if isinstance(abs(c), Complex) else abs(c))
        resonance = ""  # without quadratic terms there is no resonance of the third order
    twist = [[_twist(f, w, e, l, j, k) for k in (0, 1)] for j in (0, 1)]
    A = [[row[k] / actions[k] for k in (0, 1)] for row in twist]
    if not A[0][1].overlaps(A[1][0]):
        return None
    v = [w[1], -w[0]]
    D = (v[0] * v[0] * A[0][0] + v[0] * v[1] * (A[0][1] + A[1][0]) + v[1] * v[1] * A[1][1]) / 2
    if resonance == "1:3":
        two = f.solved(Complex(0, 2 * w[1]), f.at(e[1], e[1]))
        c = dot(l[0], plus(f.at(e[1], e[1], e[1]), times(2, f.at(e[1], two))))
        # H = K conj(z1) z2^3 + its conjugate, where z1' = i K z2^3 / i1, and I_j = i_j |z_j|^2.
        sizes = [(abs(each) / abs(action)).sqrt() for each, action in zip(v, actions, strict=True)]
        return BirkhoffForm(resonance, D, 2 * abs(c) * abs(actions[0]) * sizes[0] * sizes[1] ** 3)
    return BirkhoffForm(resonance, D, flint.arb(0))


def _twist(
    f: QuadraticAndCubic, w: Sequence[flint.arb], e: Sequence[Vector], l: Sequence[Vector], j: int, k: int
) -> flint.arb:
    """How much the frequency ``j`` changes with $|z_k|^2$."""
    ej, ek = e[j], e[k]
    bar = conjugate(ek)
    mean = f.solved(Complex(0), times(2, f.at(ek, bar)))
    if j == k:
        double = f.solved(Complex(0, 2 * w[j]), f.at(ej, ej))
        parts = [times(3, f.at(ej, ej, bar)), times(2, f.at(ej, mean)), times(2, f.at(bar, double))]
    else:
        difference = f.solved(Complex(0, w[j] - w[k]), times(2, f.at(ej, bar)))
        total = f.solved(Complex(0, w[j] + w[k]), times(2, f.at(ej, ek)))
        parts = [
            times(6, f.at(ej, ek, bar)),
            times(2, f.at(ej, mean)),
            times(2, f.at(ek, difference)),
            times(2, f.at(bar, total)),
        ]
    return dot(l[j], plus(*parts)).imag


def _eigenvector(A: Sequence[Sequence[Coefficient]], value: Complex) -> Vector:
    """Return an eigenvector of a simple eigenvalue, from all rows but one; `ZeroDivisionError` if none is proven to do."""
    n = len(A)
    M = [[ball_of(A[i][j]) - (value if i == j else Complex(0)) for j in range(n)] for i in range(n)]
    best: tuple[float, Vector] | None = None
    for row in range(n):
        for column in range(n):
            rows = [[Complex(M[i][j]) for j in range(n) if j != column] for i in range(n) if i != row]
            size = float(abs(flint.acb_mat(rows).det()).lower())
            if size > 0 and (best is None or size > best[0]):
                right = flint.acb_mat([[-Complex(M[i][column])] for i in range(n) if i != row])
                found = flint.acb_mat(rows).solve(right)
                values = [found[i, 0] for i in range(n - 1)]
                best = size, [*values[:column], Complex(1), *values[column:]]
    if best is None:
        raise ZeroDivisionError
    return best[1]


def _second_variation(rest: Rest) -> list[list[Coefficient]]:
    """Return the second derivatives of the energy by coordinates and velocities."""
    n, do = rest.count, LocalArithmetic(2)
    x = [do.variable(v, k) for k, v in enumerate(rest.state.x)]
    (E,) = rest.near(x, (rest.energy,), do)
    V = rest.potential([do.variable(rational(0), k) for k in range(n)], do)
    (T0,) = rest.series([do.variable(v, k) for k, v in enumerate(rest.state.x[:n])], (rest.energy,), do)
    E = do.add([E, V, do.scaled(T0, rational(-1))])
    return [[E.coefficient(i, j) * (2 if i == j else 1) for j in range(2 * n)] for i in range(2 * n)]


def _applied(B: Sequence[Sequence[Coefficient]], v: Vector) -> Vector:
    return [dot([Complex(ball_of(c)) for c in row], v) for row in B]


def _equal(rest: Rest, f: QuadraticAndCubic, a: Coefficient) -> BirkhoffForm | None:
    """Two frequencies that are the same, with one eigenvector where N = A^2 + w^2 is not zero and its square is."""
    square = a / 2
    n = len(f.A)
    N = product(f.A, f.A)
    N = [[c + (square if i == j else rational(0)) for j, c in enumerate(row)] for i, row in enumerate(N)]
    if not is_exact(N) or any(c != 0 for row in product(N, N) for c in row):
        return None
    value = Complex(0, ball_of(square).sqrt())
    if all(c == 0 for row in N for c in row):
        return _equal_with_two_directions(rest, f, value)
    raised = [[ball_of(c) + (value if i == j else Complex(0)) for j, c in enumerate(row)] for i, row in enumerate(f.A)]
    k = next(k for k in range(n) if any(N[i][k] != 0 for i in range(n)))
    f0 = [Complex(raised[i][k]) for i in range(n)]
    f1 = [dot([Complex(c) for c in row], f0) for row in raised]
    e = [dot([Complex(ball_of(c)) for c in row], f0) for row in N]
    for i in range(n):
        below = [Complex(c) for c in raised[i]]
        left = [dot(below, [Complex(ball_of(N[r][s])) for r in range(n)]) for s in range(n)]
        size = dot(left, f1)
        if not size.contains(0):
            break
    else:
        return None
    left = times(1 / size, left)
    bar = conjugate(e)
    mean = f.solved(Complex(0), times(2, f.at(e, bar)))
    double = f.solved(2 * value, f.at(e, e))
    c = dot(left, plus(times(3, f.at(e, e, bar)), times(2, f.at(e, mean)), times(2, f.at(bar, double))))
    return BirkhoffForm("1:1", c.real, rational(0))


def _equal_with_two_directions(rest: Rest, f: QuadraticAndCubic, value: Complex) -> BirkhoffForm | None:
    r"""Two frequencies that are the same, with two eigenvectors: $\Psi(\varphi) = H_4$ where the energy of the linear part vanishes."""
    n, B = len(f.A), _second_variation(rest)
    columns = [[ball_of(f.A[i][k]) + (value if i == k else Complex(0)) for i in range(n)] for k in range(n)]

    def energy(u: Vector, v: Vector) -> Complex:
        return dot(conjugate(u), _applied(B, v))

    first = next((u for u in _sums(columns) if is_certain(energy(u, u).real)), None)
    if first is None:
        return None
    size = energy(first, first).real
    second = None
    for u in columns:
        rest_of_u = plus(u, times(-energy(first, u) / size, first))
        if is_certain(energy(rest_of_u, rest_of_u).real):
            second = rest_of_u
            break
    if second is None or sign_of(energy(second, second).real) == sign_of(size):
        return None
    vectors = [times(1 / Complex(abs(energy(u, u).real).sqrt()), u) for u in (first, second)]

    def psi(phase: flint.arb) -> flint.arb:
        v = plus(vectors[0], times(Complex(phase.cos(), phase.sin()), vectors[1]))
        bar = conjugate(v)
        mean = f.solved(Complex(0), times(2, f.at(v, bar)))
        double = f.solved(2 * value, f.at(v, v))
        cubic = plus(times(3, f.at(v, v, bar)), times(2, f.at(v, mean)), times(2, f.at(bar, double)))
        return (energy(v, cubic) / (2 * value)).real

    # A trigonometric polynomial of degree two, by five values.
    turn = 2 * flint.arb.pi() / 5
    values = [psi(k * turn) for k in range(5)]
    mean = sum(values, flint.arb(0)) / 5
    waves = tuple(
        (
            sum((2 * v * (j * k * turn).cos() / 5 for k, v in enumerate(values)), flint.arb(0)),
            sum((2 * v * (j * k * turn).sin() / 5 for k, v in enumerate(values)), flint.arb(0)),
        )
        for j in (1, 2)
    )
    return BirkhoffForm("1:1 twice", mean, flint.arb(0), waves)


def _sums(vectors: Sequence[Vector]) -> list[Vector]:
    """Vectors and sums of two of them."""
    return [*vectors, *(plus(u, v) for u, v in combinations(vectors, 2))]


def _wave(form: BirkhoffForm, phase: flint.arb) -> tuple[flint.arb, flint.arb]:
    """The function of the phase and its slope."""
    value, slope = ball_of(form.twist), flint.arb(0)
    for j, (c, s) in enumerate(form.waves, 1):
        cos, sin = (j * phase).cos(), (j * phase).sin()
        value += c * cos + s * sin
        slope += j * (s * cos - c * sin)
    return value, slope


def _wave_verdict(form: BirkhoffForm) -> Verdict:
    """Proven if the function has no zeros, refuted if it has a simple one (Cabral and Meyer)."""
    step = 2 * flint.arb.pi() / _ARCS
    whole = [_wave(form, (k + flint.arb(0.5, 0.5)) * step) for k in range(_ARCS)]
    if all(is_certain(value) for value, _ in whole):
        return Verdict.PROVEN
    ends = [sign_of(_wave(form, k * step)[0]) for k in range(_ARCS + 1)]
    for k, (_, slope) in enumerate(whole):
        if is_certain(slope) and {ends[k], ends[k + 1]} == {1, -1}:
            return Verdict.REFUTED
    return Verdict.UNKNOWN


def _without_a_frequency(rest: Rest, f: QuadraticAndCubic) -> BirkhoffForm | None:
    """A frequency that is zero, with one eigenvector: $\\ddot z = \\alpha z^2 + \\beta z^3$ along it."""
    if not is_exact(f.A) or not rest.state.rational:
        return None
    right, below = kernel(f.A, 4), kernel(transposed(f.A), 4)
    if len(right) != 1 or len(below) != 1:
        return None
    e, l = right[0], below[0]
    bordered = inverse([[*row, b] for row, b in zip([*f.A, e], [*l, rational(0)], strict=True)])
    g = times_vector(bordered, [*e, rational(0)])[:-1]
    weight = sum((x * y for x, y in zip(l, g, strict=True)), rational(0))
    if not is_zero(sum((x * y for x, y in zip(l, e, strict=True)), rational(0))) or is_zero(weight):
        return None
    l = [c / weight for c in l]

    def form(*vectors: Sequence[Coefficient]) -> list[Coefficient]:
        out, orders = [], list(permutations(vectors))
        for series in f.rates:
            total = rational(0)
            for m, c in series.parts.items():
                for order in orders if len(m) == len(vectors) else ():
                    term = c
                    for k, v in zip(m, order, strict=True):
                        term = term * v[k]
                    total = total + term / rational(len(orders))
            out.append(total)
        return out

    quadratic = form(e, e)
    first = sum((x * y for x, y in zip(l, quadratic, strict=True)), rational(0))
    if not is_zero(first):
        return BirkhoffForm("0", rational(0), first)
    h = times_vector(bordered, [*(-c for c in quadratic), rational(0)])[:-1]
    cubic = [p + 2 * q for p, q in zip(form(e, e, e), form(e, h), strict=True)]
    return BirkhoffForm("0", sum((x * y for x, y in zip(l, cubic, strict=True)), rational(0)), rational(0))
