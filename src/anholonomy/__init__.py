"""Nonholonomic mechanics in moving frames: declare a system once; derive, prove, simulate and draw it.

The public names are those imported here; a plural (principles, connections, groups, bodies) brings what its own list names.
"""

import typing as _typing
from importlib import import_module as _import_module

from anholonomy._version import __version__ as __version__
from anholonomy.bodies import *
from anholonomy.findings import Finding as Finding
from anholonomy.formulations.base import AbstractFormulation as AbstractFormulation
from anholonomy.formulations.equations.equations_of_motion import EquationsOfMotion as EquationsOfMotion
from anholonomy.formulations.principles import *
from anholonomy.geometry.algebras.lie_algebra import LieAlgebra as LieAlgebra
from anholonomy.geometry.calculus.fields import *
from anholonomy.geometry.calculus.forms import Form as Form
from anholonomy.geometry.calculus.metric import Metric as Metric
from anholonomy.geometry.calculus.tensor import Tensor as Tensor
from anholonomy.geometry.calculus.volume import divergence as divergence, volume_form as volume_form
from anholonomy.geometry.connections import *
from anholonomy.geometry.frames.frame import Frame as Frame
from anholonomy.geometry.groups import *
from anholonomy.language.given import velocity as velocity
from anholonomy.plurals import publish as _publish
from anholonomy.public import *
from anholonomy.refusals import *
from anholonomy.system.checks.substitution import SubstitutedConstraint as SubstitutedConstraint
from anholonomy.system.declaration.twins import AmbiguousName as AmbiguousName
from anholonomy.system.frames.moving import MovingFrame as MovingFrame
from anholonomy.system.warnings import AngleInDegrees as AngleInDegrees
from anholonomy.system.warnings import ForgottenVelocity as ForgottenVelocity
from anholonomy.system.warnings import UnfitTerm as UnfitTerm
from anholonomy.system.warnings import UnlikelyMass as UnlikelyMass
from anholonomy.system.warnings import UnusedParameter as UnusedParameter
from anholonomy.system.warnings.user_line import Doubt as Doubt
from anholonomy.verdict import Verdict as Verdict

if _typing.TYPE_CHECKING:
    from anholonomy.analysis.hamiltonization import Hamiltonization as Hamiltonization
    from anholonomy.analysis.measure import InvariantMeasure as InvariantMeasure
    from anholonomy.analysis.moving_energy import MovingEnergy as MovingEnergy
    from anholonomy.analysis.vakonomic.comparison import Comparison as Comparison
    from anholonomy.fitting.fit import Fit as Fit
    from anholonomy.paths.extremal import Extremal as Extremal
    from anholonomy.paths.side_by_side import SideBySide as SideBySide
    from anholonomy.paths.variational.problem import VariationalProblem as VariationalProblem
    from anholonomy.plans.plan import Plan as Plan
    from anholonomy.reductions import Reduced as Reduced
    from anholonomy.reductions import ReducedByGroup as ReducedByGroup
    from anholonomy.simulate.signals.given_signals import Sampled as Sampled
    from anholonomy.stability.branch import Branch as Branch
    from anholonomy.stability.linearization import Linearization as Linearization
    from anholonomy.stability.steady import SteadyMotion as SteadyMotion
    from anholonomy.ensembles.ensemble import Ensemble as Ensemble
    from anholonomy.ensembles.sweep.sweep import Sweep as Sweep
    from anholonomy import catalogue as catalogue
    from anholonomy.geometry.distributions.distribution import Distribution as Distribution
    from anholonomy.fields.field import Field as Field
    from anholonomy.geometry.jets.flip import FlipTest as FlipTest, SecondTangent as SecondTangent
    from anholonomy.geometry.jets.flip import bracket_by_flip as bracket_by_flip, flip_test as flip_test
    from anholonomy.geometry.jets.flip import tangent_equations as tangent_equations, tangent_lift as tangent_lift
    from anholonomy.geometry.jets.jets import JetSpace as JetSpace, compose_jets as compose_jets
    from anholonomy.geometry.symmetry.killing import killing_fields as killing_fields
    from anholonomy.importing import *
    from anholonomy.simulate.transport import parallel_transport as parallel_transport
    from anholonomy.system.from_sympy.contradictions.silent_losses import ContradictingMotion as ContradictingMotion
    from anholonomy.system.from_sympy.contradictions.silent_losses import DoubtfulPotential as DoubtfulPotential

_WHEN_ASKED = {
    "Audit": "importing",
    "Branch": "stability.branch",
    "Comparison": "analysis.vakonomic.comparison",
    "ContradictingMotion": "system.from_sympy.contradictions.silent_losses",
    "Distribution": "geometry.distributions.distribution",
    "DoubtfulPotential": "system.from_sympy.contradictions.silent_losses",
    "Ensemble": "ensembles.ensemble",
    "Extremal": "paths.extremal",
    "Field": "fields.field",
    "Fit": "fitting.fit",
    "FlipTest": "geometry.jets.flip",
    "Hamiltonization": "analysis.hamiltonization",
    "Imported": "importing",
    "InvariantMeasure": "analysis.measure",
    "JetSpace": "geometry.jets.jets",
    "Linearization": "stability.linearization",
    "MovingEnergy": "analysis.moving_energy",
    "Plan": "plans.plan",
    "Reduced": "reductions",
    "ReducedByGroup": "reductions",
    "Sampled": "simulate.signals.given_signals",
    "SecondTangent": "geometry.jets.flip",
    "SideBySide": "paths.side_by_side",
    "SteadyMotion": "stability.steady",
    "Sweep": "ensembles.sweep.sweep",
    "VariationalProblem": "paths.variational.problem",
    "audit": "importing",
    "bracket_by_flip": "geometry.jets.flip",
    "compose_jets": "geometry.jets.jets",
    "flip_test": "geometry.jets.flip",
    "from_sympy": "importing",
    "killing_fields": "geometry.symmetry.killing",
    "parallel_transport": "simulate.transport",
    "tangent_equations": "geometry.jets.flip",
    "tangent_lift": "geometry.jets.flip",
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
