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
    ACCELERATION = auto()
    """Linear in the accelerations, without a constraint on velocities behind it; ideal in the sense of Gauss."""
    REDUNDANT = auto()
    """Some constraint follows from the others, and all are kept."""
    FORCE_MOMENTUM = auto()
    """No Lagrangian: the dynamics is a pair of force and momentum."""

    @property
    def label(self) -> str:
        """The word for people."""
        return str(self.name).lower().replace("_", "-")

    @property
    def phrase(self) -> str:
        """What a system of this kind has."""
        return "a dynamics without Lagrangian" if self is Kind.FORCE_MOMENTUM else f"{self.label} constraints"
