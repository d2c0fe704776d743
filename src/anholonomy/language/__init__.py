"""Text to expressions and back: one small grammar, exact numbers, a sentence for every mistake.

``m*x'^2/2 - m*g*z`` is an expression, ``x'*sin(theta) = y'*cos(theta)`` an equation, ``theta' = 1`` an
assignment, ``x^2 + y^2 >= 1`` an inequality. Primes are time derivatives, ``t`` is time, products are always written with ``*``.
"""

from __future__ import annotations

from anholonomy.language.names import RESERVED, check_name
from anholonomy.language.parser import parse_assignment, parse_equation, parse_expression, parse_inequality
from anholonomy.language.writing import to_text

__all__ = [
    "RESERVED",
    "check_name",
    "parse_assignment",
    "parse_equation",
    "parse_expression",
    "parse_inequality",
    "to_text",
]
