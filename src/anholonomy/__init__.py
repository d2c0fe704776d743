"""Nonholonomic mechanics in moving frames: declare a system once; derive, prove, simulate and draw it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from anholonomy._version import __version__
from anholonomy.analysis.hamiltonization import Hamiltonization
from anholonomy.bodies import (
    Ball,
    Bowl,
    Convex,
    Cylinder,
    Cylindrical,
    Damper,
    Disc,
    Ellipsoid,
    Fixed,
    Force,
    JointDamper,
    JointSpring,
    KnifeEdge,
    LevelSurface,
    Motor,
    ParallelSurface,
    Plane,
    Prismatic,
    Revolute,
    RigidBody,
    Rolling,
    Sliding,
    Sphere,
    Spherical,
    Spring,
    Torque,
    Torus,
    Universal,
    contact_losses,
    normal_forces,
)
from anholonomy.findings import Finding
from anholonomy.formulations.principles import (
    AbstractFormulation,
    Chaplygin,
    Connection,
    EquationsOfMotion,
    FirstVariation,
    Gauss,
    GibbsAppell,
    Hamel,
    Hamiltonian,
    Kane,
    LagrangeDAlembert,
    Maggi,
    UdwadiaKalaba,
    Vakonomic,
    Voronec,
    coverage,
)
from anholonomy.formulations.principles.gauss import gauss_function
from anholonomy.formulations.principles.gibbs_appell import gibbs_function
from anholonomy.geometry.algebras.lie_algebra import LieAlgebra
from anholonomy.geometry.calculus.fields import lie_bracket, lie_derivative, vector_field
from anholonomy.geometry.calculus.forms import Form
from anholonomy.geometry.calculus.metric import Metric
from anholonomy.geometry.calculus.tensor import Tensor
from anholonomy.geometry.calculus.volume import divergence, volume_form
from anholonomy.geometry.connections import (
    PrincipalConnection,
    connection,
    coordinate_connection,
    energy_preserving_connection,
    levi_civita,
    lewis_connection,
    nonholonomic_connection,
    weitzenbock,
)
from anholonomy.geometry.connections.ehresmann import Ehresmann
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.geometry.frames.frame import Frame
from anholonomy.geometry.groups import (
    SE2,
    SE3,
    SL2R,
    SO2,
    SO3,
    SO21,
    SU2,
    AbstractGroup,
    Circle,
    Heisenberg,
    MatrixGroup,
    Rn,
    Semidirect,
)
from anholonomy.language.given import velocity
from anholonomy.public import Equations, Motion, Reduced, System, load
from anholonomy.refusals import (
    BrokenFile,
    GaveUp,
    IllPosedSystem,
    InadmissibleState,
    IntegrationProblem,
    NotCovered,
    Refusal,
    SyntaxProblem,
    UnknownName,
)
from anholonomy.system.checks.substitution import SubstitutedConstraint
from anholonomy.system.declaration.twins import AmbiguousName
from anholonomy.system.frames.moving import MovingFrame
from anholonomy.system.warnings import (
    AngleInDegrees,
    ForgottenVelocity,
    UnlikelyMass,
    UnusedParameter,
)
from anholonomy.system.warnings.user_line import Doubt
from anholonomy.verdict import Verdict

if TYPE_CHECKING:
    from anholonomy import catalogue
    from anholonomy.geometry.symmetry.killing import killing_fields
    from anholonomy.importing import Audit, Imported, audit, from_sympy
    from anholonomy.system.from_sympy.contradictions.silent_losses import ContradictingMotion, DoubtfulPotential

_WHEN_ASKED = {
    "Audit": "importing",
    "ContradictingMotion": "system.from_sympy.contradictions.silent_losses",
    "DoubtfulPotential": "system.from_sympy.contradictions.silent_losses",
    "Imported": "importing",
    "audit": "importing",
    "from_sympy": "importing",
    "killing_fields": "geometry.symmetry.killing",
}
"""Where names live that most users never say: their rooms are opened when they do."""


def __getattr__(name: str) -> Any:
    if name == "catalogue":
        return import_module("anholonomy.catalogue")
    if name in _WHEN_ASKED:
        return getattr(import_module(f"anholonomy.{_WHEN_ASKED[name]}"), name)
    raise AttributeError(f"module 'anholonomy' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "System",
    "Motion",
    "Hamiltonization",
    "Reduced",
    "MovingFrame",
    "Finding",
    "Verdict",
    "EquationsOfMotion",
    "Equations",
    "Frame",
    "Tensor",
    "Form",
    "Metric",
    "Distribution",
    "Ehresmann",
    "PrincipalConnection",
    "vector_field",
    "lie_bracket",
    "lie_derivative",
    "volume_form",
    "divergence",
    "connection",
    "levi_civita",
    "weitzenbock",
    "coordinate_connection",
    "nonholonomic_connection",
    "lewis_connection",
    "energy_preserving_connection",
    "killing_fields",
    "LieAlgebra",
    "AbstractGroup",
    "SO3",
    "SU2",
    "SE2",
    "SE3",
    "SL2R",
    "SO21",
    "Heisenberg",
    "MatrixGroup",
    "Semidirect",
    "Rn",
    "Circle",
    "SO2",
    "RigidBody",
    "Revolute",
    "Fixed",
    "Prismatic",
    "Cylindrical",
    "Spherical",
    "Universal",
    "Rolling",
    "Sliding",
    "KnifeEdge",
    "Sphere",
    "Disc",
    "Torus",
    "Ellipsoid",
    "Convex",
    "Plane",
    "Ball",
    "Bowl",
    "Cylinder",
    "LevelSurface",
    "ParallelSurface",
    "Force",
    "Torque",
    "Spring",
    "Damper",
    "Motor",
    "JointSpring",
    "JointDamper",
    "normal_forces",
    "contact_losses",
    "load",
    "from_sympy",
    "audit",
    "Audit",
    "Imported",
    "velocity",
    "catalogue",
    "coverage",
    "AbstractFormulation",
    "LagrangeDAlembert",
    "Maggi",
    "Hamel",
    "Voronec",
    "Chaplygin",
    "Connection",
    "Hamiltonian",
    "Kane",
    "GibbsAppell",
    "Gauss",
    "UdwadiaKalaba",
    "FirstVariation",
    "Vakonomic",
    "gibbs_function",
    "gauss_function",
    "Refusal",
    "SyntaxProblem",
    "GaveUp",
    "IllPosedSystem",
    "InadmissibleState",
    "BrokenFile",
    "NotCovered",
    "UnknownName",
    "IntegrationProblem",
    "AngleInDegrees",
    "Doubt",
    "ForgottenVelocity",
    "SubstitutedConstraint",
    "UnlikelyMass",
    "UnusedParameter",
    "DoubtfulPotential",
    "AmbiguousName",
    "ContradictingMotion",
    "__version__",
]
