"""What one may ask of a system about steady motions: where they are, what is linear about them, whether they are stable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from anholonomy.stability.asking import linearize, steady_motion
from anholonomy.stability.linearization import Linearization
from anholonomy.stability.steady import SteadyMotion
from anholonomy.system.model import Model

__all__ = ["StabilityQuestions"]


class StabilityQuestions(Model):
    """A model that can be asked for steady motions."""

    def steady_motions(
        self, given: Mapping[str, object] | None = None, near: Mapping[str, object] | None = None
    ) -> SteadyMotion:
        r"""The equilibrium, or motion carried by symmetries, that is nearest to a state and has the ``given`` coordinates and velocities.

        The symmetries are found: translations of cyclic coordinates, rotations, the translations of a group. ``near`` is a
        state, by default the declared start, or everything at zero.

        >>> from anholonomy.catalogue import leaning_disc
        >>> rolling = leaning_disc().steady_motions(given={"phi'": 3.0})
        >>> print(rolling)
        leaning disc: steady motion, carried by 3 (d/dx), 3 (d/dphi)
          x' = 3, phi' = 3
          marginal
        """
        return steady_motion(self, given or {}, near)

    def linearize(
        self,
        at: Mapping[str, object] | SteadyMotion,
        coordinates: Sequence[str] | None = None,
        inputs: Sequence[str] = (),
    ) -> Linearization:
        r"""The linear part of the motion at a state, $\delta\dot z = A\,\delta z + B\,\delta\tau$, in coordinates of the constraint.

        About a steady motion it is constant, and what its symmetries carry along is separated. ``coordinates`` are those
        (and velocities) to use; the software chooses otherwise. ``inputs`` are parameters by which to differentiate, for ``B``.

        >>> from anholonomy import System
        >>> pendulum = System(name="pendulum", coordinates=["theta"], lagrangian="theta'^2/2 + k*cos(theta)", parameters={"k": 4.0})
        >>> pendulum.linearize({"theta": 0, "theta'": 0}).eigenvalues
        array([0.-2.j, 0.+2.j])
        """
        return linearize(self, at, coordinates, inputs)
