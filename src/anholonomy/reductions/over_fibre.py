r"""A system between a bundle and its base: the base as a system, the way back up, and the phase of a loop.

.. math:: \pi: S \times G \to S, \qquad \xi^A = a^A{}_i(r, t)\,w^i + a^A(r, t), \qquad \dot g = g\,\xi
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, final

from anholonomy.displays.shown import Shown
from anholonomy.formulations.reduction.bundle import by_degree, identity_of, moved
from anholonomy.formulations.reduction.cyclic_directions import Reduction
from anholonomy.lazy import cached_property
from anholonomy.refusals import IntegrationProblem, UnknownName
from anholonomy.simulate.phase import phase
from anholonomy.simulate.trajectories.from_dataset import parameters_of
from anholonomy.simulate.trajectories.trajectory import Trajectory
from anholonomy.symbolic.zero import zero_test
from anholonomy.system.declaration.declare import declare
from anholonomy.system.declaration.files import from_toml, to_toml
from anholonomy.verdict import Verdict

__all__ = ["Reduced"]


@final
@dataclass(frozen=True)
class Reduced(Shown):
    """A system, its base, and what lies between them.

    ``base`` is a system without constraints: its Lagrangian is that of ``full`` with the constraints put in, its
    forces are the applied ones and the gyroscopic one of the constraints' curvature.

    Attributes
    ----------
    full, base
        Both a `System`.
    reduction
        The expressions, in the order in which the principle uses its speeds.
    """

    full: Any
    base: Any
    reduction: Reduction = field(repr=False)

    @property
    def fibre(self) -> tuple[str, ...]:
        """The coordinates of the fibre."""
        return tuple(q.name for q in moved(self.full.frame, self.reduction.fibre))

    @cached_property
    def fibre_velocities(self) -> dict[str, Any]:
        r"""The velocities of the fibre over a motion of the base, $\xi^A = a^A{}_iw^i + a^A$."""
        names = (self.full.velocities[n].name for n in self.reduction.fibre)
        return dict(zip(names, self.reduction.written[2], strict=True))

    @cached_property
    def gyroscopic(self) -> dict[str, Any]:
        r"""The force $K_D(B^D{}_{ij}w^j + B^D{}_{it})$ of the curvature, by velocity of the base; minus the JK term."""
        return dict(zip((u.name for u in self.reduction.frame.speeds), self.reduction.written[0], strict=True))

    @cached_property
    def gyroscopic_parts(self) -> dict[int, dict[str, Any]]:
        """The same force by degree in the velocities of the base: 2, 1 and 0."""
        parts = by_degree(tuple(self.gyroscopic.values()), self.base.velocities, f"{self.full.name}: the force")
        return {degree: dict(zip(self.gyroscopic, values, strict=True)) for degree, values in parts.items()}

    @cached_property
    def applied(self) -> dict[str, Any]:
        r"""The applied forces on the base, $Q_i + a^A{}_iQ_A$, by velocity."""
        return dict(zip((u.name for u in self.reduction.frame.speeds), self.reduction.written[1], strict=True))

    def phase(
        self,
        loop: Mapping[str, Any],
        until: float,
        *,
        parameters: Mapping[str, float] | None = None,
        tolerance: float = 1e-13,
    ) -> dict[str, float]:
        """Where the fibre is after a loop of the base, from its neutral element; coordinates by name.

        ``loop`` gives every coordinate of the base as a function of ``t`` from 0 to ``until``. For a group the result is
        the element that multiplies the start from the right.

        >>> from anholonomy.catalogue import rolling_disk
        >>> reduced = rolling_disk(R=1.0).reduced()
        >>> moved = reduced.phase({"theta": "sin(t)", "phi": "cos(t)"}, 6.283185307179586)
        >>> sorted(moved), round(moved["y"], 4)
        (['x', 'y'], 2.7649)
        """
        return phase(self.reduction, loop, until, parameters=parameters, tolerance=tolerance)

    def reconstruct(self, motion: Any, start: Mapping[str, object] | None = None) -> Any:
        """The motion of the full system over a motion of the base, at the same times.

        Base and fibre are integrated together from where the motion begins, the fibre from ``start``, by default 0 or the
        neutral element of a group: nothing depends on where it begins.

        >>> from anholonomy.catalogue import chaplygin_sleigh
        >>> reduced = chaplygin_sleigh().reduced(fibre=["y"])
        >>> below = reduced.base.simulate({"x": 0, "theta": 0, "x'": 1, "theta'": 0.2}, until=2)
        >>> above = reduced.reconstruct(below)
        >>> bool(abs(above["x"] - below["x"]).max() < 1e-13), float(above["y"][-1]) > 0
        (True, True)
        """
        names, start = [q.name for q in self.base.coordinates], {} if start is None else start
        if not isinstance(start, Mapping):
            raise IntegrationProblem(
                f"{self.full.name}: `start` is {start!r:.60}; give a dict from the fibre to numbers."
            )
        if not isinstance(motion, Trajectory):
            raise IntegrationProblem(
                f"{self.full.name}: {motion!r:.60} is no motion; simulate `base` and give that motion."
            )
        if not self._is_of_the_base(motion):
            raise IntegrationProblem(
                f"{self.full.name}: this is no motion of the base, whose coordinates are {', '.join(names)}, but of "
                f"{motion.data.attrs['system']}; simulate `base` and give that motion."
            )
        if strange := sorted(set(map(str, start)) - set(self.fibre)):
            raise UnknownName(
                f"{self.full.name}: {strange[0]} is not in the fibre ({', '.join(self.fibre)}); the motion says where "
                "the rest begins."
            )
        moving = [*names, *(w.name for w in self.base.velocities)]
        values = {name: float(motion[name][0]) for name in moving}
        return self.full.simulate(
            {**self._neutral, **start, **values, "t": float(motion.time[0])},
            times=motion.time.values.tolist(),
            by="chaplygin",
            parameters=parameters_of(motion.data),
            tolerance=float(motion.data.attrs["tolerance"]),
        )

    def _is_of_the_base(self, motion: Trajectory) -> bool:
        """Whether a motion obeys the declaration of the base, whatever the values of its parameters."""
        text = str(motion.data.attrs["declaration"])
        if text == to_toml(self.base):
            return True
        other, on = declare(**from_toml(text, "the declaration of the motion")), self.base.frame.orbit
        if (other.frame, other.velocities, other.constraints) != (self.base.frame, self.base.velocities, ()):
            return False
        pairs = zip((other.lagrangian, *other.forces_a), (self.base.lagrangian, *self.base.forces_a), strict=True)
        # The declaration of a motion is the text of the base: what a proof leaves open is not held against it.
        return all(zero_test(left - right, on) is not Verdict.REFUTED for left, right in pairs)

    @property
    def _neutral(self) -> dict[str, float]:
        found = {q.name: float(value) for q, value in identity_of(self.full).items()}
        return {q: found.get(q, 0.0) for q in self.fibre}
