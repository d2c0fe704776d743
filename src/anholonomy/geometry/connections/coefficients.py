r"""Coefficients of a connection: three indices that belong to a frame and are no tensor.

.. math:: \nabla_{e_b}e_c = \Gamma^a{}_{bc}\,e_a, \qquad
          \bar\Gamma^a{}_{bc} = N^a{}_d\,\bigl(\bar e_b(M_c{}^d) + M_b{}^f M_c{}^g\,\Gamma^d{}_{fg}\bigr)

for $\bar e_b = M_b{}^a e_a$ and $N = M^{-1}$. The first lower index is the direction. The term with the
derivative is what a tensor does not have; it alone makes the coefficients of a flat connection in a moving frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, final

import symengine

from anholonomy.algebra.expressions import Expr, Vector, zero
from anholonomy.algebra.numbers.random_points import Ground
from anholonomy.algebra.simplification.simplify import is_readable, simplify
from anholonomy.algebra.zero_test import is_zero
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.tensor import Index, Tensor, transition
from anholonomy.language.answers import Part, Readable

__all__ = ["Coefficients", "tidied", "tidy", "transform"]


@final
@dataclass(frozen=True, repr=False)
class Coefficients(Readable):
    r"""$\Gamma^a{}_{bc}$ at ``[a, b, c]`` in one frame; there is no ``in_frame``, because that needs `transform`.

    >>> gamma = Coefficients.of(Frame(["x", "y"]), {(0, 1, 1): symengine.Symbol("x")})
    >>> print(gamma)
    Gamma^x_yy = x
    >>> gamma[0, 1, 1], gamma[1, 1, 1]
    (x, 0)
    """

    table: Tensor

    @classmethod
    def of(cls, frame: Frame, components: Mapping[Index, Any], letter: str = "Gamma") -> Coefficients:
        """Coefficients from a dict; zeros are dropped."""
        return cls(Tensor.of(frame, "udd", components, letter))

    @classmethod
    def build(cls, frame: Frame, value: Callable[[int, int, int], Any], letter: str = "Gamma") -> Coefficients:
        """Coefficients whose entry at a, b, c is ``value(a, b, c)``, each in its shortest form."""
        return cls(tidied(Tensor.build(frame, "udd", value, letter)))

    @property
    def frame(self) -> Frame:
        """The frame the coefficients refer to."""
        return self.table.frame

    @property
    def items(self) -> tuple[tuple[Index, Expr], ...]:
        """Indices and values of the entries that are not structurally zero."""
        return self.table.items

    def __getitem__(self, index: Index) -> Expr:
        return self.table[index]

    def as_rows(self) -> Iterable[Part]:
        return self.table.as_rows()


def transform(coefficients: Coefficients, frame: Frame) -> Coefficients:
    r"""The coefficients of the same connection in another frame over the same root.

    >>> polar = Frame(["r", "phi"], [["cos(phi)", "-sin(phi)/r"], ["sin(phi)", "cos(phi)/r"]])
    >>> print(transform(Coefficients.of(polar, {}), Frame(["r", "phi"])))
    Gamma^r_phi,phi = -r
    Gamma^phi_r,phi = 1/r
    Gamma^phi_phi,r = 1/r
    """
    if frame == coefficients.frame:
        return coefficients
    M, N = transition(coefficients.frame, frame)
    inner: dict[tuple[int, int], Vector] = {}
    n = range(frame.size)
    for b in n:
        for c in n:
            terms: list[list[Expr]] = [[frame.derivative(b, M[c][d])] for d in n]
            for (d, f, g), old in coefficients.items:
                if M[b][f] != 0 and M[c][g] != 0:
                    terms[d].append(M[b][f] * M[c][g] * old)
            inner[b, c] = tuple(symengine.Add(*each) for each in terms)

    def value(a: int, b: int, c: int) -> Expr:
        return symengine.Add(*(N[a][d] * entry for d, entry in enumerate(inner[b, c]) if entry != 0), zero)

    return Coefficients.build(frame, value, coefficients.table.letter)


def tidied(tensor: Tensor) -> Tensor:
    """Every component tidied; what is provably zero disappears."""
    return tensor.map(lambda value: tidy(value, tensor.frame.orbit))


def tidy(expression: Expr, on: Ground | None = None) -> Expr:
    """The expression in a short form if it is of readable size, zero if it is proven zero (on a group), otherwise itself.

    A coefficient in a frame without any symmetry has thousands of operations in every form; a search for its shortest one
    takes seconds and finds nothing.

    >>> import symengine
    >>> x = symengine.Symbol("x")
    >>> tidy(symengine.sin(x) ** 2 + symengine.cos(x) ** 2)
    1
    """
    short = is_readable([expression])
    if (not short or (on is not None and on.touches([expression]))) and is_zero(expression, on):
        return zero
    return simplify(expression) if short else expression
