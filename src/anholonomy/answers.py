"""The classes of answers, for annotations: the methods of a system return them."""

from anholonomy.fitting.fit import Fit as Fit
from anholonomy.geometry.second_tangent import FlipTest as FlipTest
from anholonomy.importing.importer import Audit as Audit
from anholonomy.importing.importer import ImportedModel as ImportedModel
from anholonomy.laws.moving_energy import MovingEnergy as MovingEnergy
from anholonomy.measures.invariant_measure import InvariantMeasure as InvariantMeasure
from anholonomy.measures.new_time.over_base import Hamiltonization as Hamiltonization
from anholonomy.measures.reduced_systems import GroupReducedSystem as GroupReducedSystem
from anholonomy.measures.reduced_systems import ReducedSystem as ReducedSystem
from anholonomy.plans.plan import Plan as Plan
from anholonomy.stability.linearization import Linearization as Linearization
from anholonomy.stability.steady_family import SteadyFamily as SteadyFamily
from anholonomy.stability.steady_motion import SteadyMotion as SteadyMotion
from anholonomy.system.frames.moving import MovingObserver as MovingObserver
from anholonomy.vakonomic.comparison.answer import VakonomicComparison as VakonomicComparison
from anholonomy.vakonomic.shortest_paths.extremal import Extremal as Extremal
from anholonomy.vakonomic.side_by_side import VakonomicPair as VakonomicPair
from anholonomy.vakonomic.variational_problem import VariationalProblem as VariationalProblem
