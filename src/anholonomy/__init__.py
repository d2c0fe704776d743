"""Nonholonomic mechanics in moving frames: declare a system once; derive, prove, simulate and draw it."""

from __future__ import annotations

from anholonomy import catalogue
from anholonomy._version import __version__
from anholonomy.equations import Equations
from anholonomy.formulations import (
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
from anholonomy.formulations.gauss import gauss_function
from anholonomy.formulations.gibbs_appell import gibbs_function
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
from anholonomy.geometry.distribution import Distribution
from anholonomy.geometry.fields import lie_bracket, lie_derivative, vector_field
from anholonomy.geometry.forms import Form
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.groups import SO3, AbstractGroup, Circle, Rn
from anholonomy.geometry.killing import killing_fields
from anholonomy.geometry.metric import Metric
from anholonomy.geometry.tensor import Tensor
from anholonomy.geometry.volume import divergence, volume_form
from anholonomy.importing import Imported, from_sympy
from anholonomy.language.door import velocity
from anholonomy.public import Motion, Reduced, System, load
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
from anholonomy.system.substitution import SubstitutedConstraint

__all__ = [
    "System",
    "Motion",
    "Reduced",
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
    "AbstractGroup",
    "SO3",
    "Rn",
    "Circle",
    "load",
    "from_sympy",
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
    "IllPosedSystem",
    "InadmissibleState",
    "BrokenFile",
    "NotCovered",
    "UnknownName",
    "IntegrationProblem",
    "SubstitutedConstraint",
    "__version__",
]
