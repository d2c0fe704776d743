r"""Homogeneous functions, by Euler's identity.

.. math:: h(ku) = k^n h(u) \;(k > 0) \quad\Longleftrightarrow\quad u\cdot\frac{\partial h}{\partial u} = n\,h
"""

from __future__ import annotations

from collections.abc import Sequence

from anholonomy.symbolic.calculus import gradient
from anholonomy.symbolic.expressions import Expr, Symbol, dot
from anholonomy.symbolic.zero import zero_test
from anholonomy.verdict import Verdict

__all__ = ["homogeneity"]


def homogeneity(value: Expr, of: Sequence[Symbol], degree: int = 1) -> Verdict:
    """Whether a function is homogeneous of a degree: `Verdict.PROVEN` for yes, `Verdict.REFUTED` for no.

    >>> from anholonomy.symbolic.expressions import symbol
    >>> x, y = symbol("x"), symbol("y")
    >>> homogeneity(x**2 - x * y, (x, y), 2).name, homogeneity(x**2 - x * y, (x, y)).name
    ('PROVEN', 'REFUTED')
    """
    return zero_test(dot(of, gradient(value, of)) - degree * value)
