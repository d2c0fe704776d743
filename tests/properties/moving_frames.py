"""A model rewritten in a moving frame, and random frames to rewrite it in."""

from __future__ import annotations

from dataclasses import replace

import symengine
from hypothesis import strategies as st

from anholonomy.algebra.expressions import Expr, dot
from anholonomy.language import parse_expression
from anholonomy.language.arguments import plain
from anholonomy.system.constraints import classify
from anholonomy.system.model import Model
from tests.properties.random_systems import functions


@st.composite
def frames(draw: st.DrawFn, q: list[str]) -> tuple[list[list[Expr]], list[Expr]]:
    """A frame that is triangular with unit diagonal, so invertible everywhere, and a drift; both move in time."""
    n = len(q)
    rows = [
        [
            parse_expression("1" if i == j else draw(functions([*q, "t"])) if j < i and draw(st.booleans()) else "0")
            for j in range(n)
        ]
        for i in range(n)
    ]
    return rows, [parse_expression(draw(functions([*q, "t"]))) for _ in q]


def in_frame(model: Model, rows: list[list[Expr]], drift: list[Expr]) -> Model:
    """The same system with quasi-velocities w of the frame as its velocities."""
    model = plain(model)
    frame = model.frame.change(tuple(map(tuple, rows)), tuple(drift))
    w = tuple(symengine.Symbol(f"w{a}") for a in range(len(rows)))
    rates = frame.coordinate_rates(w)
    swap = {v: rates[q] for v, q in zip(model.velocities, model.coordinates, strict=True)}
    return replace(
        Model(**{name: getattr(model, name) for name in Model.__dataclass_fields__}),
        frame=frame,
        velocities=w,
        lagrangian=model.lagrangian.xreplace(swap),
        forces_a=tuple(dot(row, [Q.xreplace(swap) for Q in model.forces_a]) for row in rows),
        constraints=tuple(classify(c.label, c.declared.xreplace(swap), frame, w) for c in model.constraints),
    )
