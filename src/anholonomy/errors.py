"""Errors and warnings: one base for all that a user can cause, `Error`, and one for all doubts about a declaration."""

from anholonomy.base.errors import *
from anholonomy.importing.contradictions import InconsistentMotionWarning as InconsistentMotionWarning
from anholonomy.importing.contradictions import PotentialEnergyWarning as PotentialEnergyWarning
from anholonomy.system.warnings import AmbiguousNameWarning as AmbiguousNameWarning
from anholonomy.system.warnings import DeclarationWarning as DeclarationWarning
from anholonomy.system.warnings import DegreesWarning as DegreesWarning
from anholonomy.system.warnings import DimensionWarning as DimensionWarning
from anholonomy.system.warnings import ImplausibleMassWarning as ImplausibleMassWarning
from anholonomy.system.warnings import MissingPrimeWarning as MissingPrimeWarning
from anholonomy.system.warnings import SubstitutedConstraintWarning as SubstitutedConstraintWarning
from anholonomy.system.warnings import UnusedParameterWarning as UnusedParameterWarning
