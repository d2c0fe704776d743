r"""The system in the new time $d\tau = f\,dt$: its Lagrangian, Hamiltonian, momenta, and the laws that can be read off them.

.. math:: l^* = \tfrac12 f^2\,G_{ij}\,w'^iw'^j - V^*, \qquad p_i = f\,G_{ij}w^j, \qquad H = \frac{1}{2f^2}\,G^{ij}p_ip_j + V^*
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import final

import symengine

from anholonomy.algebra.calculus import along
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, identity, matrix_vector, time, zero
from anholonomy.algebra.simplification.simplify import simplify, simplify_vector
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import NotSupportedError
from anholonomy.equations.principles.hamiltonian import name_momenta
from anholonomy.language.writing import to_text
from anholonomy.laws.primitives import exponential, primitive, with_powers
from anholonomy.measures.multivalued import a_jump
from anholonomy.measures.new_time.along_motion import CLOCK, LOGARITHM, TAU, time_map
from anholonomy.measures.new_time.chaplygin_multiplier import ChaplyginMultiplierEquations
from anholonomy.system.declaration.declare import declare
from anholonomy.system.frames.adapted import full_frame
from anholonomy.system.model import Model

__all__ = ["Rescaled"]


@final
@dataclass(frozen=True)
class Rescaled:
    r"""A system whose equations for the multiplier are solved by $\psi = d\ln f$.

    ``logarithm`` is $\ln f$ in closed form, None where only its differential is known; then what needs $f$ itself is None too.
    """

    equations: ChaplyginMultiplierEquations
    logarithm: Expr | None

    @property
    def base(self) -> Model:
        return self.equations.base

    @cached_property
    def multiplier(self) -> Expr | None:
        r"""$f$, a product of powers."""
        return None if self.logarithm is None else simplify(exponential(self.logarithm))

    @property
    def rate(self) -> Expr:
        r"""$d(\ln f)/dt$ in the velocities of the old time."""
        return dot(self.equations.psi_i, self.base.velocities) + self.equations.psi_t

    @cached_property
    def has_constant_multiplier(self) -> bool:
        """True if the old time does as well."""
        return all(self._is_zero(value) for value in (*self.equations.psi_i, self.equations.psi_t))

    def _is_zero(self, value: Expr) -> bool:
        return is_zero(value, self.equations.on)

    @cached_property
    def potential(self) -> Expr | None:
        r"""$V^*$, in the old time: the potential, with that of the forces at rest."""
        push = self.equations.push_i
        if all(map(self._is_zero, push)):
            return self.equations.parts.potential
        frame = self.base.frame_at_values
        found = primitive(frame, identity(frame.size), [-F for F in push])
        return None if found is None else simplify(self.equations.parts.potential + found)

    @cached_property
    def linear_i(self) -> Vector:
        """The linear part of the Lagrangian where it stays: no multiplier, and no magnetic force beside it."""
        stays = self.has_constant_multiplier and all(map(self._is_zero, self.equations.forces[1]))
        return self.equations.parts.linear_a if stays else (zero,) * len(self.base.velocities)

    @cached_property
    def _is_magnetic(self) -> bool:
        """True if a magnetic force is left that the Lagrangian does not hold."""
        entries = (entry for row in self.equations.magnetic_ij for entry in row)
        return self.linear_i != self.equations.parts.linear_a or (
            all(b == 0 for b in self.linear_i) and not all(map(self._is_zero, entries))
        )

    def _lagrangian(self, f: Expr, V: Expr) -> Expr:
        w = self.base.velocities
        kinetic = dot(w, matrix_vector(self.equations.parts.mass_ab, w)) / 2
        return simplify(f**2 * kinetic + dot(self.linear_i, w) - V)

    def _forces(self, f: Expr) -> Vector:
        r"""The magnetic force $f\beta_{ij}w'^j$ in the new time."""
        if not self._is_magnetic:
            return (zero,) * len(self.base.velocities)
        return simplify_vector(f * F for F in matrix_vector(self.equations.magnetic_ij, self.base.velocities))

    @cached_property
    def lagrangian(self) -> Expr | None:
        r"""$l^*$ in the velocities $w' = w/f$ under the names of $w$; in ``tau`` where time enters and $t(\tau)$ is known."""
        f, V = self.multiplier, self.potential
        return None if f is None or V is None else self._in_tau(self._lagrangian(f, V))

    @cached_property
    def gyroscopic(self) -> dict[str, Expr]:
        """The magnetic force in the new time, by velocity; empty where the Lagrangian has it all."""
        forces = () if self.multiplier is None else self._forces(self.multiplier)
        named = zip((w.name for w in self.base.velocities), forces, strict=False)
        return {name: F for name, F in named if not self._is_zero(F)}

    @cached_property
    def momenta(self) -> tuple[Symbol, ...]:
        """The symbols $p_i$."""
        return name_momenta(self.base, full_frame(self.base))

    @cached_property
    def momentum_values(self) -> Vector:
        r"""$p_i$ in the velocities of the old time."""
        if (f := self.multiplier) is None:
            return ()
        own = matrix_vector(self.equations.parts.mass_ab, self.base.velocities)
        return simplify_vector(f * p + b for p, b in zip(own, self.linear_i, strict=True))

    @cached_property
    def momenta_in_tau(self) -> Vector:
        r"""$p_i$ in the velocities $w' = w/f$ of the new time, under the names of $w$."""
        if (f := self.multiplier) is None:
            return ()
        own = matrix_vector(self.equations.parts.mass_ab, self.base.velocities)
        values = simplify_vector(f**2 * p + b for p, b in zip(own, self.linear_i, strict=True))
        return tuple(map(self._in_tau, values))

    @cached_property
    def hamiltonian(self) -> Expr | None:
        """$H(r, p)$, in ``tau`` as the Lagrangian."""
        f, V = self.multiplier, self.potential
        if f is None or V is None:
            return None
        shifted = [p - b for p, b in zip(self.momenta, self.linear_i, strict=True)]
        kinetic = dot(shifted, matrix_vector(self.equations.inverse_ij, shifted)) / 2
        return self._in_tau(simplify(kinetic / f**2 + V))

    @cached_property
    def laws(self) -> dict[str, Expr]:
        r"""The momenta on whose coordinate $l^*$ does not depend, in the velocities of the old time."""
        f, V = self.multiplier, self.potential
        if f is None or V is None or self.gyroscopic:
            return {}
        L, structure = self._lagrangian(f, V), self.base.frame.structure_abd
        rows = zip(self.momenta, self.momentum_values, self.equations.fields, structure, strict=True)
        return {
            p.name: value
            for p, value, e, c in rows
            if all(entry == 0 for row in c for entry in row) and self._is_zero(along(L, e))
        }

    @property
    def density(self) -> Expr | None:
        r"""$f^{n-1}$, invariant with $dr\,d\pi$ for $\pi_i = G_{ij}w^j$; None where time enters."""
        f, n = self.multiplier, len(self.base.velocities)
        return None if f is None or self.equations.time_enters else simplify(f ** (n - 1))

    def warnings(self) -> Iterator[str]:
        """Warn if the multiplier has several values on a circle, or jumps though its differential does not."""
        if (f := self.multiplier) is None or self.logarithm is None:
            return
        at = a_jump(self.logarithm, self.base.coordinates, self.base.values) if self.base.frame.is_chart else None
        if at is not None:
            place = ", ".join(f"{q} = {round(value, 3) + 0:g}" for q, value in at.items())
            yield f"f jumps, as at {place}, where d(ln f) does not: it is a function on a cover only"
        for q, kind in zip(self.base.coordinates, self.base.coordinate_kinds, strict=True):
            if kind == "angle" and q in f.free_symbols:
                turned = f.xreplace({q: q + 2 * symengine.pi})
                if self._is_zero(turned + f):
                    yield f"f changes its sign when {q.name} turns once: it vanishes on the way, and tau turns back there"
                elif not self._is_zero(turned - f):
                    yield f"f has another value when {q.name} has turned once: it is a function on a cover only"

    @property
    def time_maps(self) -> tuple[Expr | None, Expr | None]:
        r"""$\tau(t)$, and $t(\tau)$ in ``tau``, where the multiplier depends on time alone and they were found."""
        return time_map(self.multiplier) if self.equations.time_enters else (None, None)

    def _in_tau(self, value: Expr) -> Expr:
        back = self.time_maps[1]
        if time not in value.free_symbols or back is None:
            return value
        return simplify(with_powers(value.xreplace({time: back})))

    def model(self) -> Model:
        """The system in the new time, which is its ``t``; the logarithm of the multiplier, or the old time, may be coordinates."""
        base, f, V, moving = self.base, self.multiplier, self.potential, self.equations.time_enters
        if V is None:
            raise NotSupportedError(f"{base.name}: the potential of the forces was not found in closed form.")
        if f is not None and (not moving or self.time_maps[1] is not None):
            return base.replaced(
                name=f"{base.name}, in its own time",
                lagrangian=self._in_tau(self._lagrangian(f, V)).xreplace({TAU: time}),
                forces_a=tuple(self._in_tau(F).xreplace({TAU: time}) for F in self._forces(f)),
                start_items=(),
            )
        growth, there = symengine.exp(LOGARITHM) if f is None else f, {time: CLOCK}
        rates = {CLOCK: (1 / growth).xreplace(there)} if moving else {}
        if f is None:
            rates[LOGARITHM] = self.equations.psi_t.xreplace(there) / growth if moving else self.rate
        forces = (F.xreplace(there) for F in self._forces(growth))
        named = dict(zip(base.directions, forces, strict=True))
        return _with_extra_coordinates(base, self._lagrangian(growth, V).xreplace(there), named, rates)


def _with_extra_coordinates(
    base: Model, lagrangian: Expr, forces: Mapping[str, Expr], rates: Mapping[Expr, Expr]
) -> Model:
    """The system with further coordinates whose rates are given: the old time, or the logarithm of the multiplier."""
    return declare(
        name=f"{base.name}, in its own time",
        coordinates={**base.own_coordinates, **{q.name: "" for q in rates}},
        group=base.group or None,
        lagrangian=to_text(lagrangian),
        constraints={q.name: f"{q.name}' = {to_text(rate)}" for q, rate in rates.items()},
        forces={name.removesuffix("'"): to_text(F) for name, F in forces.items()},
        parameters=dict(base.parameters),
    )
