r"""A step of DOP853 for several members side by side, as LLVM text: each lane has its own time, step and error.

.. math:: k_i = f\Bigl(t + c_i h,\; x + h \sum_{j<i} a_{ij} k_j\Bigr), \qquad x(t+h) = x + h \sum_i b_i k_i

The formulas are those of `anholonomy.motion.integrators.dop853`; zeros of the tables are left out, and no lane knows of the others, so that
a member's motion does not depend on which members it goes with.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

import numpy as np

from anholonomy.base.tolerances import MACHINE
from anholonomy.motion.integrators.lanes_layout import STAGES, Layout
from anholonomy.motion.integrators.runge_kutta import dop853_tables
from anholonomy.programs.backends.base import Array
from anholonomy.programs.backends.llvm import SINCOS, LlvmArithmetic, written
from anholonomy.programs.program import Program

__all__ = ["kernel_text"]


# Sine and cosine of several angles at once, as the text of LLVM.
#
# The angle is brought to $r = x - k\pi/2$, $|r| \le \pi/4$, with $\pi/2$ in three parts [CW80]_; there both are polynomials (those of
# Sun's fdlibm, off by less than a rounding), and $k$ modulo 4 says which is which and with what sign.
#
# .. [CW80] Cody, Waite, *Software Manual for the Elementary Functions*, 1980.


_PARTS = (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33)
_SINE = (
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
)
_COSINE = (
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
)
_SHIFT = 6755399441055744.0
"""1.5·2⁵²: the last bits of a number that was added to this are those of its nearest integer."""


def sincos_text(lanes: int) -> str:
    """``{sines, cosines} f(angles)``; it needs ``llvm.fma`` declared for so many lanes."""
    code = LlvmArithmetic(lanes)
    kind, whole = code.kind, f"<{lanes} x i64>"

    def integers(value: int) -> str:
        return f"<{', '.join([f'i64 {value}'] * lanes)}>"

    def fma(a: str, b: str, c: str) -> str:
        return code.emit(f"call {kind} @llvm.fma.v{lanes}f64({kind} {a}, {kind} {b}, {kind} {c})")

    def polynomial(coefficients: tuple[float, ...]) -> str:
        value = code.number(coefficients[-1])
        for c in reversed(coefficients[:-1]):
            value = fma(square, value, code.number(c))
        return value

    shifted = fma("%x", code.number(2 / 3.141592653589793), code.number(_SHIFT))
    minus_k = code.emit(f"fsub {kind} {code.number(_SHIFT)}, {shifted}")
    r = "%x"
    for part in _PARTS:
        r = fma(minus_k, code.number(part), r)
    square = code.emit(f"fmul {kind} {r}, {r}")
    cube = code.emit(f"fmul {kind} {square}, {r}")
    sine = fma(cube, polynomial(_SINE), r)
    # 1 - z/2 is rounded; what that took is added to the small terms.
    half = code.emit(f"fmul {kind} {square}, {code.number(0.5)}")
    first = code.emit(f"fsub {kind} {code.number(1.0)}, {half}")
    lost = code.emit(f"fsub {kind} {code.emit(f'fsub {kind} {code.number(1.0)}, {first}')}, {half}")
    fourth = code.emit(f"fmul {kind} {square}, {square}")
    cosine = code.emit(f"fadd {kind} {first}, {fma(fourth, polynomial(_COSINE), lost)}")
    bits = code.emit(f"bitcast {kind} {shifted} to {whole}")
    odd = code.emit(f"trunc {whole} {bits} to <{lanes} x i1>")

    def signed(value: str, quadrant: str) -> str:
        sign = code.emit(f"shl {whole} {code.emit(f'and {whole} {quadrant}, {integers(2)}')}, {integers(62)}")
        flipped = code.emit(f"xor {whole} {code.emit(f'bitcast {kind} {value} to {whole}')}, {sign}")
        return code.emit(f"bitcast {whole} {flipped} to {kind}")

    choose = f"select <{lanes} x i1> {odd}, {kind}"
    one = signed(code.emit(f"{choose} {cosine}, {kind} {sine}"), bits)
    other = signed(code.emit(f"{choose} {sine}, {kind} {cosine}"), code.emit(f"add {whole} {bits}, {integers(1)}"))
    pair = f"{{{kind}, {kind}}}"
    both = code.emit(f"insertvalue {pair} undef, {kind} {one}, 0")
    both = code.emit(f"insertvalue {pair} {both}, {kind} {other}, 1")
    body = "\n".join([*code.lines, f"ret {pair} {both}"])
    return f"define internal {pair} @{SINCOS}({kind} %x) {{\nstart:\n{body}\n}}"


_LINE = 64
"""Where functions put what does not fit into registers, in bytes: what lies across two lines of memory, or two pages of a thread's stack, costs a third of the time."""


def kernel_text(rates: Program, watch: Program | None, layout: Layout) -> tuple[LlvmArithmetic, str]:
    """The functions ``begin``, ``step``, ``dense``, ``commit``, ``enter`` and ``watch`` of the array of a `Layout`, and what they need from outside."""
    needed = LlvmArithmetic(layout.lanes)
    programs = [_program(rates, "rates", needed, layout)]
    programs += [_program(watch, "watched", needed, layout)] if watch is not None else []
    parts = [_begin(layout), _step(layout), _dense(layout), _commit(layout)]
    if watch is not None:
        parts += [_watch(layout, "enter", "t", "x"), _watch(layout, "watch", "later", "new")]
    kind, lanes = needed.kind, layout.lanes
    for name, count in (("sqrt", 1), ("fabs", 1), ("fma", 3)):
        callee = f"llvm.{name}.v{lanes}f64"
        needed.externals[callee] = f"{kind} @{callee}({', '.join([kind] * count)})"
    declared = [f"declare {each}" for each in needed.externals.values()]
    return needed, "\n".join([*declared, *_solver(rates, watch), sincos_text(lanes), *programs, *parts])


def _solver(*programs: Program | None) -> list[str]:
    from anholonomy.programs.backends.llvm import SOLVER

    factorises = any(program is not None and not program.is_straight for program in programs)
    return [f"declare void @{SOLVER}(i64, ptr, ptr)"] if factorises else []


def _program(program: Program, name: str, needed: LlvmArithmetic, layout: Layout) -> str:
    """``void name(ptr t, ptr x, ptr p, ptr out)`` of rows."""
    code = LlvmArithmetic(layout.lanes, fused=True)
    lines = written(program, code, layout.lanes)
    needed.externals |= code.externals
    return "\n".join(
        [
            f"define internal void @{name}(ptr %t, ptr %x, ptr %p, ptr %out) alignstack({_LINE}) {{",
            "start:",
            *lines,
            "}",
        ]
    )


@final
class _Text:
    """The body of one function of the array ``%w``."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.code = LlvmArithmetic(layout.lanes, fused=True)

    def row(self, name: str, index: int = 0) -> str:
        return self.code.emit(f"getelementptr double, ptr %w, i64 {(self.layout[name] + index) * self.layout.lanes}")

    def load(self, name: str, index: int = 0) -> str:
        return self.code.emit(f"load {self.code.kind}, ptr {self.row(name, index)}, align 64")

    def store(self, value: str, name: str, index: int = 0) -> None:
        self.code.lines.append(f"store {self.code.kind} {value}, ptr {self.row(name, index)}, align 64")

    def call(self, program: str, time: tuple[str, int], x: tuple[str, int], out: tuple[str, int]) -> None:
        places = [self.row(*time), self.row(*x), self.row("p"), self.row(*out)]
        self.code.lines.append(f"call void @{program}({', '.join(f'ptr {place}' for place in places)})")

    def number(self, value: float) -> str:
        return self.code.number(value)

    def add(self, *terms: str) -> str:
        return self.code.add(terms)

    def times(self, *factors: str) -> str:
        return self.code.emit_chain("fmul contract", factors)

    def minus(self, a: str, b: str) -> str:
        return self.code.emit(f"fsub contract {self.code.kind} {a}, {b}")

    def exactly(self, operation: str, a: str, b: str) -> str:
        """An operation that is rounded as it stands."""
        return self.code.emit(f"{operation} {self.code.kind} {a}, {b}")

    def over(self, a: str, b: str) -> str:
        return self.exactly("fdiv", a, b)

    def function(self, name: str, a: str) -> str:
        return self.code.emit(f"call {self.code.kind} @llvm.{name}.v{self.layout.lanes}f64({self.code.kind} {a})")

    def compare(self, how: str, a: str, b: str) -> str:
        return self.code.emit(f"fcmp {how} {self.code.kind} {a}, {b}")

    def either(self, holds: str, a: str, b: str) -> str:
        kind = self.code.kind
        return self.code.emit(f"select <{self.layout.lanes} x i1> {holds}, {kind} {a}, {kind} {b}")

    def both(self, a: str, b: str) -> str:
        return self.code.emit(f"and <{self.layout.lanes} x i1> {a}, {b}")

    def largest(self, a: str, b: str) -> str:
        return self.either(self.compare("ogt", a, b), a, b)

    def smallest(self, a: str, b: str) -> str:
        return self.either(self.compare("olt", a, b), a, b)

    def combined(self, weights: Array | Sequence[float], rows: Sequence[str]) -> str:
        """The sum of rows with weights, those of zero left out."""
        terms = [self.times(self.number(float(a)), k) for a, k in zip(weights, rows, strict=True) if a != 0]
        return self.add(*terms) if terms else self.number(0.0)

    def mask(self, *flags: str) -> str:
        """Lanes as bits of an integer, the first flags in the lowest."""
        lanes = self.layout.lanes
        whole = "0"
        for place, flag in enumerate(flags):
            bits = self.code.emit(
                f"zext i{lanes} {self.code.emit(f'bitcast <{lanes} x i1> {flag} to i{lanes}')} to i64"
            )
            shifted = self.code.emit(f"shl i64 {bits}, {place * lanes}")
            whole = self.code.emit(f"or i64 {whole}, {shifted}")
        return whole

    def k(self, stage: int, m: int) -> str:
        return self.load("k", stage * self.layout.states + m)

    def stage(self, i: int, t: str, h: str, x: Sequence[str]) -> None:
        """Fill stage ``i`` from those before."""
        A, _, C = dop853_tables()[:3]
        n = self.layout.states
        for m in range(n):
            used = [j for j in range(i) if A[i, j] != 0]
            total = self.combined([A[i, j] for j in used], [self.k(j, m) for j in used])
            self.store(self.add(x[m], self.times(h, total)), "point", m)
        self.store(self.add(t, self.times(self.number(float(C[i])), h)), "stage_time")
        self.call("rates", ("stage_time", 0), ("point", 0), ("k", i * n))

    def end(self, name: str, result: str = "0") -> str:
        return "\n".join(
            [f"define i64 @{name}(ptr %w) alignstack({_LINE}) {{", "start:", *self.code.lines, f"ret i64 {result}", "}"]
        )


def _begin(layout: Layout) -> str:
    """The rates of all lanes, the sizes of their states and a first step ([HNW93]_ §II.4), as `typical_sizes` and `first_step` find them."""
    f, n = _Text(layout), layout.states
    f.call("rates", ("t", 0), ("x", 0), ("k", 0))
    t, direction, duration, tolerance = (f.load(name) for name in ("t", "direction", "duration", "tolerance"))
    zero, one = f.number(0.0), f.number(1.0)
    x, k = [f.load("x", m) for m in range(n)], [f.k(0, m) for m in range(n)]
    share = f.times(duration, f.number(0.01))
    sizes = [f.largest(f.function("fabs", a), f.times(f.function("fabs", b), share)) for a, b in zip(x, k, strict=True)]
    top = zero
    for size in sizes:
        top = f.largest(size, top)
    least = top
    floor = f.times(top, f.number(1e-13))
    for size in sizes:
        least = f.either(f.compare("ogt", size, floor), f.smallest(size, least), least)
    useful = f.both(f.compare("ogt", top, zero), f.compare("olt", top, f.number(float(np.inf))))
    sizes = [f.either(useful, f.smallest(f.largest(size, least), one), one) for size in sizes]
    for m, size in enumerate(sizes):
        f.store(size, "first_sizes", m)
    scales = [f.times(tolerance, f.add(size, f.function("fabs", a))) for size, a in zip(sizes, x, strict=True)]

    def norm(values: Sequence[str]) -> str:
        parts = [f.over(v, scale) for v, scale in zip(values, scales, strict=True)]
        return f.function("sqrt", f.times(f.add(*(f.times(v, v) for v in parts)), f.number(1 / n)))

    size, slope = norm(x), norm(k)
    small = f.compare("olt", f.smallest(size, slope), f.number(1e-5))
    trial = f.either(small, f.number(1e-6), f.times(f.number(0.01), f.over(size, slope)))
    trial = f.smallest(f.largest(trial, f.number(float(np.finfo(float).tiny))), duration)
    shift = f.times(direction, trial)
    for m in range(n):
        f.store(f.add(x[m], f.times(shift, k[m])), "point", m)
    f.store(f.add(t, shift), "stage_time")
    f.call("rates", ("stage_time", 0), ("point", 0), ("k", n))
    bend = f.over(norm([f.minus(f.k(1, m), k[m]) for m in range(n)]), trial)
    steepest = f.largest(slope, bend)
    flat = f.compare("ole", steepest, f.number(1e-15))
    guess = _eighth_root(f, f.over(f.number(0.01), steepest))
    guess = f.either(flat, f.largest(f.number(1e-6), f.times(trial, f.number(1e-3))), guess)
    step = f.smallest(f.smallest(guess, f.times(f.number(100.0), trial)), duration)
    finite = f.compare("olt", step, f.number(float(np.inf)))
    f.store(f.times(direction, f.either(finite, step, trial)), "first_h")
    return f.end("begin")


def _eighth_root(f: _Text, value: str) -> str:
    for _ in range(3):
        value = f.function("sqrt", value)
    return value


def _step(layout: Layout) -> str:
    """An attempt of every lane: stages, new state, error, and how long the next step may be; the lanes where it is good enough, and those that pass a sample."""
    f, n = _Text(layout), layout.states
    B, E5, E3 = (dop853_tables()[i] for i in (1, 3, 4))
    t, h, end, direction = (f.load(name) for name in ("t", "h", "end", "direction"))
    h = f.times(direction, f.smallest(f.function("fabs", h), f.load("longest")))
    ahead = f.times(direction, f.minus(f.add(t, f.times(f.number(1.01), h)), end))
    last = f.compare("oge", ahead, f.number(0.0))
    h = f.either(last, f.exactly("fsub", end, t), h)
    later = f.either(last, end, f.exactly("fadd", t, h))
    f.store(h, "length")
    f.store(later, "later")
    x = [f.load("x", m) for m in range(n)]
    for i in range(1, 12):
        f.stage(i, t, h, x)
    for m in range(n):
        change = f.add(f.times(h, f.combined(B[:12], [f.k(j, m) for j in range(12)])), f.load("lost", m))
        new = f.exactly("fadd", x[m], change)
        f.store(new, "new", m)
        f.store(f.exactly("fsub", change, f.exactly("fsub", new, x[m])), "kept", m)
    f.call("rates", ("later", 0), ("new", 0), ("k", 12 * n))
    fifth, third, tolerance = f.number(0.0), f.number(0.0), f.load("tolerance")
    for m in range(n):
        larger = f.largest(f.function("fabs", f.load("new", m)), f.function("fabs", x[m]))
        scale = f.times(tolerance, f.add(f.load("sizes", m), larger))
        stages = [f.k(j, m) for j in range(13)]
        five, three = (f.over(f.combined(E[:13], stages), scale) for E in (E5, E3))
        fifth, third = f.add(f.times(five, five), fifth), f.add(f.times(three, three), third)
    under = f.function("sqrt", f.times(f.add(fifth, f.times(f.number(0.01), third)), f.number(float(n))))
    nothing = f.both(f.compare("oeq", fifth, f.number(0.0)), f.compare("oeq", third, f.number(0.0)))
    blend = f.over(f.times(f.function("fabs", h), fifth), under)
    error = f.either(nothing, f.number(0.0), blend)
    f.store(error, "error")
    wished = f.over(f.number(0.9), _eighth_root(f, error))
    # Where the error is no number, so is what is wished, and the least is taken.
    growth = f.either(f.compare("ogt", wished, f.number(0.2)), wished, f.number(0.2))
    f.store(f.times(h, f.smallest(growth, f.load("limit"))), "next_h")
    accepted = f.compare("olt", error, f.number(1.0))
    passed = f.compare("oge", f.times(direction, f.minus(later, f.load("sample"))), f.number(0.0))
    return f.end("step", f.mask(accepted, f.both(accepted, passed)))


def _dense(layout: Layout) -> str:
    """The three stages more and the seven coefficients of dense output, from which `sample` interpolates."""
    f, n = _Text(layout), layout.states
    D, t, h = dop853_tables()[5], f.load("t"), f.load("length")
    x = [f.load("x", m) for m in range(n)]
    for i in range(13, STAGES):
        f.stage(i, t, h, x)
    for m in range(n):
        for row in range(4):
            f.store(f.times(h, f.combined(D[row], [f.k(j, m) for j in range(STAGES)])), "dense", row * n + m)
        change, first, last = f.minus(f.load("new", m), x[m]), f.times(h, f.k(0, m)), f.times(h, f.k(12, m))
        f.store(f.minus(f.times(f.number(2.0), change), f.add(last, first)), "dense", 4 * n + m)
        f.store(f.minus(first, change), "dense", 5 * n + m)
        f.store(change, "dense", 6 * n + m)
    return f.end("dense")


def _commit(layout: Layout) -> str:
    """Go on in the lanes whose step was good enough; those that have arrived, and those whose step cannot be shortened further."""
    f, n = _Text(layout), layout.states
    accepted = f.compare("olt", f.load("error"), f.number(1.0))
    for m in range(n):
        f.store(f.either(accepted, f.load("new", m), f.load("x", m)), "x", m)
        f.store(f.either(accepted, f.load("kept", m), f.load("lost", m)), "lost", m)
        f.store(f.either(accepted, f.k(12, m), f.k(0, m)), "k", m)
    t = f.either(accepted, f.load("later"), f.load("t"))
    f.store(t, "t")
    h = f.load("next_h")
    f.store(h, "h")
    f.store(f.either(accepted, f.number(10.0), f.number(1.0)), "limit")
    arrived = f.both(accepted, f.compare("oeq", t, f.load("end")))
    spacing = f.add(f.times(f.function("fabs", t), f.number(10 * MACHINE)), f.load("shortest"))
    refused = f.compare("uge", f.load("error"), f.number(1.0))
    tiny = f.both(refused, f.compare("olt", f.function("fabs", h), spacing))
    return f.end("commit", f.mask(arrived, tiny))


def _watch(layout: Layout, name: str, time: str, state: str) -> str:
    """What is watched, where lanes are or where their last step leads."""
    f = _Text(layout)
    f.call("watched", (time, 0), (state, 0), ("watch", 0))
    return f.end(name)
