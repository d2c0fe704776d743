"""LaTeX of expressions, names and words: primes become dots, Greek letters and their names become commands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from anholonomy.algebra.expressions import Expr, Symbol, to_sympy

__all__ = ["aligned", "in_words", "latex", "latex_name", "shown"]


_DOTS = {0: "{}", 1: r"\dot{{{}}}", 2: r"\ddot{{{}}}", 3: r"\dddot{{{}}}"}

_SMALL = (
    "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi o pi rho varsigma sigma tau upsilon"
)
_SMALL += " varphi chi psi omega"
_LARGE = "A B Gamma Delta E Z H Theta I K Lambda M N Xi O Pi P . Sigma T Upsilon Phi X Psi Omega"
_VARIANTS = {"ϑ": "vartheta", "ϕ": "phi", "ϖ": "varpi", "ϱ": "varrho", "ϵ": "epsilon"}
_GREEK = {
    **{chr(ord("α") + k): command for k, command in enumerate(_SMALL.split())},
    **{chr(ord("Α") + k): command for k, command in enumerate(_LARGE.split())},
    **_VARIANTS,
}
"""Command for each Greek letter, as Unicode tells φ from ϕ and ε from ϵ; letters that look Latin have none."""


def latex_name(name: Symbol) -> str:
    r"""``theta''`` becomes ``\ddot{\theta}`` and ``u1`` becomes ``u_{1}``; dots are on the letter, the rest is an index.

    >>> from anholonomy.algebra.expressions import symbol
    >>> latex_name(symbol("theta'"))
    '\\dot{\\theta}'
    >>> latex_name(symbol("θ_φ'"))
    '\\dot{\\theta}_{\\varphi}'
    >>> latex_name(symbol("bob_q0")), latex_name(symbol("wheel_angle_1''"))
    ('\\mathrm{bob}_{q0}', '\\ddot{\\mathrm{wheel}}_{angle,1}')
    """
    plain = str(name.name).rstrip("'")
    order = len(name.name) - len(plain)
    head, *rest = plain.split("_")
    indices = [part for part in rest if part]
    stem, digits = _apart(head)
    text = _upright(stem) or (r"{}" if indices else r"\_")
    dotted = _DOTS[min(order, 3)].format(text) if order else text
    below = ",".join([*([digits] if digits else []), *(_letters(word) + end for word, end in map(_apart, indices))])
    return _with_commands(f"{dotted}_{{{below}}}" if below else dotted)


def _apart(part: str) -> tuple[str, str]:
    """A word and the digits at its end; digits alone are a word."""
    word = part.rstrip("0123456789")
    return (word, part[len(word) :]) if word else (part, "")


def _letters(word: str) -> str:
    r"""A letter, the command of a Greek one, or a word as it is; ``that`` has no hat and ``xdot`` no dot.

    >>> _letters("m"), _letters("Gamma"), _letters("that"), _letters("xdot")
    ('m', '\\Gamma', 'that', 'xdot')
    """
    from sympy import Symbol as SymPySymbol
    from sympy import latex as sympy_latex

    made = str(sympy_latex(SymPySymbol(word))) if word else ""
    return made if len(word) < 2 or re.fullmatch(r"\\(mathrm\{[A-Za-z]\}|[A-Za-z]+)", made) else word


def _upright(stem: str) -> str:
    """A letter, or a word in upright letters, so that it is no product."""
    text = _letters(stem)
    return rf"\mathrm{{{text}}}" if re.fullmatch("[A-Za-z]{2,}", text) else text


def _with_commands(text: str) -> str:
    r"""Greek letters as commands: ``θ`` becomes ``\theta``, with a space where a letter follows."""

    def command(match: re.Match[str]) -> str:
        name, after = _GREEK[match[1]], match[2]
        latin = rf"\mathrm{{{name}}}" if len(name) == 1 else f"\\{name}"
        return f"{latin} " if len(name) > 1 and after else latin

    return re.sub(rf"([{''.join(_GREEK)}])(?=([A-Za-z{''.join(_GREEK)}])?)", command, text)


def latex(expression: Expr) -> str:
    r"""The expression in LaTeX.

    >>> from anholonomy.algebra.expressions import symbol
    >>> latex(symbol("m") * symbol("x'") ** 2 / 2)
    '\\frac{m \\dot{x}^{2}}{2}'
    """
    from sympy import Function, Heaviside
    from sympy import Symbol as SymPySymbol
    from sympy import latex as sympy_latex

    names = {SymPySymbol(s.name): latex_name(s) for s in expression.free_symbols}
    # SymPy writes a Heaviside function as theta, which in mechanics is an angle.
    shown = to_sympy(expression).replace(Heaviside, lambda u, middle: Function("heaviside")(u))
    return str(sympy_latex(shown, symbol_names=names))


# What stands around formulas: words inside them, lines one below the other, and bounds.


_SPECIAL = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}


def in_words(text: str) -> str:
    r"""A text inside a formula, what LaTeX would read as commands written out.

    >>> print(in_words("x_1 is 100%"))
    \text{x\_1 is 100\%}
    """
    return r"\text{" + re.sub(r"[\\^~{}_#%&$]", lambda found: _SPECIAL.get(found[0], "\\" + found[0]), text) + "}"


def aligned(rows: Iterable[str]) -> str:
    r"""Lines one below the other, their marks ``&`` too.

    >>> print(aligned(["x &= 1", "y &= 2"]))
    \begin{aligned}
    x &= 1 \\
    y &= 2
    \end{aligned}
    """
    return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"


def shown(bound: Decimal) -> str:
    """A bound with two digits, as floats are written.

    >>> shown(Decimal(0)), shown(Decimal("1.234e-400"))
    ('0.0e+00', '1.2e-400')
    """
    return f"{bound:.1e}" if 0 < bound < Decimal("1e-99") else f"{float(bound):.1e}"
