r"""Sine and cosine of several angles at once, as the text of LLVM.

The angle is brought to $r = x - k\pi/2$, $|r| \le \pi/4$, with $\pi/2$ in three parts [CW80]_; there both are polynomials (those of
Sun's fdlibm, off by less than a rounding), and $k$ modulo 4 says which is which and with what sign.

.. [CW80] Cody, Waite, *Software Manual for the Elementary Functions*, 1980.
"""

from __future__ import annotations

from anholonomy.compile.backends.llvm_arithmetic import SINCOS, LlvmArithmetic

__all__ = ["sincos_text"]

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
