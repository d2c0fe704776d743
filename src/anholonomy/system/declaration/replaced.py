"""Parameters replaced by functions of the others."""

from __future__ import annotations

from collections.abc import Mapping

from anholonomy.refusals import NotCovered
from anholonomy.symbolic.expressions import Expr, Symbol, free_symbols
from anholonomy.system.checks.redundancy import with_redundant_rows
from anholonomy.system.constraints import Constraint, classify
from anholonomy.system.model import Model

__all__ = ["with_parameters_replaced"]


def with_parameters_replaced(model: Model, values: Mapping[Symbol, Expr]) -> Model:
    """The model with parameters that are functions of the others, which may be numbers.

    >>> import symengine
    >>> from anholonomy.system.declaration.declare import declare
    >>> model = declare(coordinates=["x", "y"], lagrangian="(x'^2 + y'^2 - a*x^2 - b*y^2)/2", parameters=["a", "b"])
    >>> a, b = model.parameter_symbols
    >>> changed = with_parameters_replaced(model, {a: 4 * b})
    >>> changed.parameters, a in changed.lagrangian.free_symbols
    (mappingproxy({'b': None}), False)
    """
    frame = model.frame
    structure = [e for row in frame.structure_abd for each in row for e in each] if not frame.is_chart else []
    if not free_symbols([*(e for row in frame.anchor_ai for e in row), *structure]).isdisjoint(values):
        raise NotCovered(
            f"{model.name}: a parameter of its group cannot be replaced; declare the group with its value."
        )

    def there(expression: Expr) -> Expr:
        return expression.xreplace(dict(values))

    def each(some: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return tuple(map(there, some))

    def rows(some: tuple[Constraint, ...]) -> tuple[Constraint, ...]:
        return tuple(classify(c.label, there(c.declared), frame, model.velocities) for c in some)

    names = {s.name for s in values}
    changed = model.with_words(
        lagrangian=there(model.lagrangian),
        constraints=rows(model.constraints),
        implied=rows(model.implied),
        forces_a=each(model.forces_a),
        momenta_a=None if model.momenta_a is None else each(model.momenta_a),
        span_ba=None if model.span_ba is None else tuple(map(each, model.span_ba)),
        speed_values=None if model.speed_values is None else each(model.speed_values),
        parameter_items=tuple((name, value) for name, value in model.parameter_items if name not in names),
        redundant_rows=(),
    )
    return with_redundant_rows(changed) if model.keeps_redundant else changed
