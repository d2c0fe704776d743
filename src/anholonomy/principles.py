"""The principles of mechanics as classes, for authors of new ones and for what one principle alone has."""

from anholonomy.base import registry as _registry
from anholonomy.equations.equations_of_motion import EquationsOfMotion as EquationsOfMotion
from anholonomy.equations.principles import *
from anholonomy.equations.principles import PRINCIPLES, formulation
from anholonomy.equations.principles.base import AbstractPrinciple as AbstractPrinciple

ALL = PRINCIPLES
"""Every principle, in the order of tables."""
get = formulation

_registry.leave_out(globals(), "PRINCIPLES", "formulation", "suited")
