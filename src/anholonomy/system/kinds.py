"""The kinds of constraint, as flags: refusals, the coverage table and the test matrix are made from them."""

from __future__ import annotations

from enum import Flag, auto

__all__ = ["Kind"]


class Kind(Flag):
    """What a system's constraints are like; a principle declares which it covers."""

    LINEAR = auto()
    """Homogeneous and linear in the velocities."""
    AFFINE = auto()
    """Linear with an inhomogeneous part."""
    TIME_DEPENDENT = auto()
    """Explicit time in a coefficient or in the inhomogeneous part."""
    NONLINEAR = auto()
    """Nonlinear in the velocities; ideal in the sense of Chetaev."""
    POSITION = auto()
    """Declared on positions; its time derivative is the velocity constraint."""

    @property
    def label(self) -> str:
        """The word for people."""
        return str(self.name).lower().replace("_", "-")
