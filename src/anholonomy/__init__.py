"""Nonholonomic mechanics in moving frames: declare a system once; derive, prove, simulate and draw it.

The public names are those imported here; a plural (principles, connections, groups, bodies) brings what its own list names.
"""

import typing as _typing
from importlib import import_module as _import_module

from anholonomy._version import __version__ as __version__
from anholonomy.system.bodies import *
from anholonomy.motion.trajectory import contact_losses as contact_losses, normal_forces as normal_forces
from anholonomy.findings import Finding as Finding
from anholonomy.equations.principles.base import AbstractFormulation as AbstractFormulation
from anholonomy.equations.equations_of_motion import EquationsOfMotion as EquationsOfMotion
from anholonomy.equations.principles import *
from anholonomy.geometry.algebras.lie_algebra import LieAlgebra as LieAlgebra
from anholonomy.geometry.vector_fields import *
from anholonomy.geometry.forms import Form as Form
from anholonomy.geometry.metric import Metric as Metric
from anholonomy.geometry.tensor import Tensor as Tensor
from anholonomy.geometry.vector_fields import divergence as divergence, volume_form as volume_form
from anholonomy.geometry.connections import *
from anholonomy.geometry.frame import Frame as Frame
from anholonomy.geometry.groups import *
from anholonomy.language.arguments import velocity as velocity
from anholonomy.base.registry import publish as _publish
from anholonomy.public.equations import Equations as Equations
from anholonomy.public.files import load as load
from anholonomy.public.motion import Motion as Motion
from anholonomy.public.system import System as System
from anholonomy.base.errors import *
from anholonomy.system.warnings import SubstitutedConstraint as SubstitutedConstraint
from anholonomy.system.warnings import AmbiguousName as AmbiguousName
from anholonomy.system.frames.moving import MovingFrame as MovingFrame
from anholonomy.system.warnings import AngleInDegrees as AngleInDegrees
from anholonomy.system.warnings import ForgottenVelocity as ForgottenVelocity
from anholonomy.system.warnings import UnfitTerm as UnfitTerm
from anholonomy.system.warnings import UnlikelyMass as UnlikelyMass
from anholonomy.system.warnings import UnusedParameter as UnusedParameter
from anholonomy.system.warnings import Doubt as Doubt
from anholonomy.base.verdict import Verdict as Verdict

if _typing.TYPE_CHECKING:
    from anholonomy.measures.new_time.over_base import Hamiltonization as Hamiltonization
    from anholonomy.measures.invariant_measure import InvariantMeasure as InvariantMeasure
    from anholonomy.laws.moving_energy import MovingEnergy as MovingEnergy
    from anholonomy.vakonomic.comparison.answer import Comparison as Comparison
    from anholonomy.fitting.fit import Fit as Fit
    from anholonomy.vakonomic.shortest_paths.extremal import Extremal as Extremal
    from anholonomy.vakonomic.side_by_side import SideBySide as SideBySide
    from anholonomy.vakonomic.variational_problem import VariationalProblem as VariationalProblem
    from anholonomy.plans.plan import Plan as Plan
    from anholonomy.measures.reduced_systems import Reduced as Reduced
    from anholonomy.measures.reduced_systems import ReducedByGroup as ReducedByGroup
    from anholonomy.motion.signals.reading import Sampled as Sampled
    from anholonomy.stability.steady_family import Branch as Branch
    from anholonomy.stability.linearization import Linearization as Linearization
    from anholonomy.stability.steady_motion import SteadyMotion as SteadyMotion
    from anholonomy.public.ensemble import Ensemble as Ensemble
    from anholonomy import catalogue as catalogue
    from anholonomy.geometry.distributions.distribution import Distribution as Distribution
    from anholonomy.fields.field import Field as Field
    from anholonomy.geometry.second_tangent import FlipTest as FlipTest, SecondTangent as SecondTangent
    from anholonomy.geometry.second_tangent import bracket_by_flip as bracket_by_flip, flip_test as flip_test
    from anholonomy.geometry.second_tangent import tangent_equations as tangent_equations, tangent_lift as tangent_lift
    from anholonomy.geometry.jet_spaces import JetSpace as JetSpace, compose_jets as compose_jets
    from anholonomy.geometry.symmetry.killing import killing_fields as killing_fields
    from anholonomy.importing.importer import *
    from anholonomy.motion.parallel_transport import parallel_transport as parallel_transport
    from anholonomy.importing.contradictions import ContradictingMotion as ContradictingMotion
    from anholonomy.importing.contradictions import DoubtfulPotential as DoubtfulPotential

_WHEN_ASKED = {
    "Audit": "importing.importer",
    "Branch": "stability.steady_family",
    "Comparison": "vakonomic.comparison.answer",
    "ContradictingMotion": "importing.contradictions",
    "Distribution": "geometry.distributions.distribution",
    "DoubtfulPotential": "importing.contradictions",
    "Ensemble": "public.ensemble",
    "Extremal": "vakonomic.shortest_paths.extremal",
    "Field": "fields.field",
    "Fit": "fitting.fit",
    "FlipTest": "geometry.second_tangent",
    "Hamiltonization": "measures.new_time.over_base",
    "Imported": "importing.importer",
    "InvariantMeasure": "measures.invariant_measure",
    "JetSpace": "geometry.jet_spaces",
    "Linearization": "stability.linearization",
    "MovingEnergy": "laws.moving_energy",
    "Plan": "plans.plan",
    "Reduced": "measures.reduced_systems",
    "ReducedByGroup": "measures.reduced_systems",
    "Sampled": "motion.signals.reading",
    "SecondTangent": "geometry.second_tangent",
    "SideBySide": "vakonomic.side_by_side",
    "SteadyMotion": "stability.steady_motion",
    "VariationalProblem": "vakonomic.variational_problem",
    "audit": "importing.importer",
    "bracket_by_flip": "geometry.second_tangent",
    "compose_jets": "geometry.jet_spaces",
    "flip_test": "geometry.second_tangent",
    "from_sympy": "importing.importer",
    "killing_fields": "geometry.symmetry.killing",
    "parallel_transport": "motion.parallel_transport",
    "tangent_equations": "geometry.second_tangent",
    "tangent_lift": "geometry.second_tangent",
}
"""Where names live that most users never say: their rooms are opened when they do."""

if not _typing.TYPE_CHECKING:  # which would let every name pass

    def __getattr__(name: str) -> _typing.Any:
        if name == "catalogue":
            return _import_module("anholonomy.catalogue")
        if name in _WHEN_ASKED:
            return getattr(_import_module(f"anholonomy.{_WHEN_ASKED[name]}"), name)
        raise AttributeError(f"module 'anholonomy' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *globals()["__all__"]})


_publish(globals(), "catalogue", "__version__", *_WHEN_ASKED)
