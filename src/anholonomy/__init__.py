"""Nonholonomic mechanics in moving frames: declare a system once; derive, prove, simulate and draw it."""

from __future__ import annotations

from anholonomy import catalogue
from anholonomy._version import __version__
from anholonomy.formulations import (
    AbstractFormulation,
    EquationsOfMotion,
    Hamel,
    LagrangeDAlembert,
    Maggi,
    coverage,
)
from anholonomy.geometry.frame import Frame
from anholonomy.public import Motion, System, load
from anholonomy.refusals import (
    BrokenFile,
    IllPosedSystem,
    InadmissibleState,
    IntegrationProblem,
    NotCovered,
    Refusal,
    SyntaxProblem,
    UnknownName,
)
from anholonomy.language.door import velocity

__all__ = [
    "System",
    "Motion",
    "EquationsOfMotion",
    "Frame",
    "load",
    "velocity",
    "catalogue",
    "coverage",
    "AbstractFormulation",
    "LagrangeDAlembert",
    "Maggi",
    "Hamel",
    "Refusal",
    "SyntaxProblem",
    "IllPosedSystem",
    "InadmissibleState",
    "BrokenFile",
    "NotCovered",
    "UnknownName",
    "IntegrationProblem",
    "__version__",
]
