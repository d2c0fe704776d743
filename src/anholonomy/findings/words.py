"""Words inside a formula, and bounds in words."""

from __future__ import annotations

import re
from decimal import Decimal

__all__ = ["in_words", "shown"]

_SPECIAL = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}


def in_words(text: str) -> str:
    r"""A text inside a formula, what LaTeX would read as commands written out.

    >>> print(in_words("x_1 is 100%"))
    \text{x\_1 is 100\%}
    """
    return r"\text{" + re.sub(r"[\\^~{}_#%&$]", lambda found: _SPECIAL.get(found[0], "\\" + found[0]), text) + "}"


def shown(bound: Decimal) -> str:
    """A bound with two digits, as floats are written.

    >>> shown(Decimal(0)), shown(Decimal("1.234e-400"))
    ('0.0e+00', '1.2e-400')
    """
    return f"{bound:.1e}" if 0 < bound < Decimal("1e-99") else f"{float(bound):.1e}"
