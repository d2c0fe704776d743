r"""The multiplier in an orthonormal frame, whose symmetries give further conserved quantities.

In a $g$-orthonormal frame $X_a$ of the base the speeds are momenta, $\dot u_a = \Phi_a - X_a(V)$ with all of the frame's brackets in
$\Phi_a = u^bg([X_b, X_a], u) + F_a$, and with $d\tau = f\,dt$, $\psi_a = X_a(\ln f)$,

.. math:: \Phi_a + (\psi_bu^b)\,u_a - \psi_a\,u_bu^b = 0 \quad\Longrightarrow\quad
   \frac{d}{d\tau}(f u_a) = X_a\bigl(\tfrac12 f^2\chi_b\chi^b - V\bigr), \quad \chi = u/f .

Where $X_a(f) = X_a(V) = 0$ the product $f u_a$ is constant. The equations for $f$ are those of `ChaplyginMultiplierEquations` with the brackets among the forces.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import final

import symengine

from anholonomy.algebra.calculus import along
from anholonomy.algebra.expressions import Expr, Matrix, Vector, dot, identity, matrix_vector, unused
from anholonomy.algebra.simplification.simplify import simplify, simplify_vector
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.caching import cached_property
from anholonomy.findings import CarriesFinding, Finding, vanishing
from anholonomy.language.answers import Part, Readable, below, equations
from anholonomy.laws.primitives import exponential, primitive
from anholonomy.measures.new_time.chaplygin_multiplier import ChaplyginMultiplierEquations

__all__ = ["OrthonormalMultiplier", "orthonormal_multiplier"]


@final
@dataclass(frozen=True, repr=False)
class OrthonormalMultiplier(CarriesFinding, Readable):
    r"""The multiplier that takes the brackets out of the equations in an orthonormal frame, and the laws it gives.

    Attributes
    ----------
    fields
        $X_a$ in the frame of the base, a row each.
    speeds
        $u_a$ by name, in the velocities of the base.
    """

    finding: Finding
    fields: Matrix
    speeds: dict[str, Expr] = field(compare=False)
    equations: ChaplyginMultiplierEquations = field(compare=False)
    multiplier: Expr | None

    @cached_property
    def laws(self) -> dict[str, Expr]:
        r"""$f u_a$ by speed, in the velocities: constant where $f$ and $V$ do not change along $X_a$."""
        f, V, on = self.multiplier, self.equations.parts.potential, self.equations.on
        if f is None or self.equations.time_enters:
            return {}
        rows = zip(self.speeds.items(), self.equations.fields, strict=True)
        return {name: simplify(f * u) for (name, u), e in rows if is_zero(along(f, e), on) and is_zero(along(V, e), on)}

    def as_rows(self) -> Iterable[Part]:
        yield self.finding
        if self.multiplier is not None:
            yield from equations({"f": self.multiplier})
        yield from below(*((value, " is constant") for value in self.laws.values()))


def orthonormal_multiplier(equations: ChaplyginMultiplierEquations) -> OrthonormalMultiplier:
    """The decision for the frame that orthonormalising the directions of the base gives, in their order."""
    base = equations.base
    rows = _orthonormal(equations.parts.mass_ab)
    names = [unused(f"u{k}", base.names.__contains__) for k in range(1, len(rows) + 1)]
    frame = base.frame_at_values.change(rows)
    columns = tuple(zip(*rows, strict=True))
    velocities = dict(zip(base.velocities, matrix_vector(columns, names), strict=True))
    own = [dot(row, [F.xreplace(velocities) for F in base.forces_a]) for row in rows]
    bent = [
        symengine.Add(*(names[b] * dot(frame.structure_abd[b][a], names) for b in range(len(names))))
        for a in range(len(names))
    ]
    moved = base.replaced(
        frame=frame,
        velocities=tuple(names),
        lagrangian=simplify(base.lagrangian.xreplace(velocities)),
        forces_a=tuple(simplify(F + c) for F, c in zip(own, bent, strict=True)),
        group="",
    )
    inner = ChaplyginMultiplierEquations(moved)
    claim = f"some f takes the brackets of an orthonormal frame out of the equations of {base.name}"
    finding = vanishing(
        claim, "every equation for d(ln f), and its differential", (*inner.surplus(), *inner.curls()), inner.on
    )
    logarithm = primitive(frame.root or frame, rows, inner.psi_i) if finding else None
    momenta = matrix_vector(equations.parts.mass_ab, base.velocities)
    speeds = {u.name: simplify(dot(row, momenta)) for u, row in zip(names, rows, strict=True)}
    f = None if logarithm is None else simplify(exponential(logarithm))
    return OrthonormalMultiplier(finding, rows, speeds, inner, f)


def _orthonormal(G: Matrix) -> Matrix:
    """Gram and Schmidt's rows: each direction less its parts along those before, of length one."""
    found: list[Vector] = []
    for row in identity(len(G)):
        left = row
        for known in found:
            part = simplify(dot(row, matrix_vector(G, known)))
            left = tuple(a - part * b for a, b in zip(left, known, strict=True))
        size = simplify(dot(left, matrix_vector(G, left)))
        found.append(simplify_vector(entry / symengine.sqrt(size) for entry in left))
    return tuple(found)
