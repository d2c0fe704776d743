r"""Names in LaTeX: letters of the language become what a typesetter without Unicode can print."""

from __future__ import annotations

import pytest

import anholonomy as ah
from anholonomy.algebra.expressions import symbol
from anholonomy.algebra.latex import latex, latex_name
from anholonomy.language.names import LETTER, NAME


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("θ", r"\theta"),
        ("θ'", r"\dot{\theta}"),
        ("θ''", r"\ddot{\theta}"),
        ("θ1", r"\theta_{1}"),
        ("θ_1'", r"\dot{\theta}_{1}"),
        ("x_θ", r"x_{\theta}"),
        ("ω_φ", r"\omega_{\varphi}"),
        ("mθ", r"m\theta"),
        ("θm", r"\theta m"),
        ("ΔΩ", r"\Delta \Omega"),
        ("Δx", r"\Delta x"),
        ("φ", r"\varphi"),
        ("ϕ", r"\phi"),
        ("phi", r"\phi"),
        ("ε", r"\varepsilon"),
        ("ϵ", r"\epsilon"),
        ("ς", r"\varsigma"),
        ("σ", r"\sigma"),
        ("ω", r"\omega"),
        ("Σ", r"\Sigma"),
        ("Ω", r"\Omega"),
        ("Α", r"\mathrm{A}"),
        ("theta", r"\theta"),
        ("u1", "u_{1}"),
    ],
)
def test_a_name(name: str, text: str) -> None:
    assert latex_name(symbol(name)) == text


def test_every_letter_of_the_language_is_plain_in_latex() -> None:
    letters = [chr(code) for code in range(0x370, 0x400) if NAME.fullmatch(chr(code))]
    assert len(letters) >= 54, LETTER
    written = [latex_name(symbol(letter)) for letter in letters]
    assert all(text.isascii() for text in written)
    assert len(set(written)) == len(letters)


def test_expressions_and_equations_are_plain() -> None:
    assert latex(symbol("m") * symbol("θ'") ** 2 / 2) == r"\frac{m \dot{\theta}^{2}}{2}"
    system = ah.System(
        name="top", coordinates=["θ"], lagrangian="Θ*θ'^2/2 + κ_α*cos(θ)", parameters={"Θ": 1.0, "κ_α": 2.0}
    )
    text = system.derive("hamel").latex()
    assert text.isascii()
    assert r"\ddot{\theta}" in text
    assert r"\kappa_{\alpha}" in text
