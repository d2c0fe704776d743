"""Models with a Lagrangian so long that it is differentiated step by step."""

from __future__ import annotations

from anholonomy.algebra.expressions import symbol
from anholonomy.language import parse_expression
from anholonomy.language.arguments import plain
from anholonomy.system.model import Model

_MORE = " + ".join(
    f"(sin({k}*x + t)*x' + cos(y)*z' - x*z*y'/{k})^2/{9 * k} - tanh({k}*x*y)*sqrt(2 + z^2)" for k in range(1, 12)
)


def lengthy(model: Model) -> Model:
    """The model with so much more in its Lagrangian, or its momenta, that these are differentiated step by step."""
    model = plain(model)
    meant = {symbol(f"{q.name}'"): rate for q, rate in model.frame.coordinate_rates(model.velocities).items()}
    more = parse_expression(_MORE).xreplace(meant)
    if model.momenta_a is not None:
        return model.replaced(
            name=f"long {model.name}",
            momenta_a=tuple(p + more.diff(w) for p, w in zip(model.momenta_a, model.velocities, strict=True)),
        )
    return model.replaced(name=f"long {model.name}", lagrangian=model.lagrangian + more)
