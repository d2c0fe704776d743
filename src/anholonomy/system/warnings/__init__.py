"""What can be declared and nearly always is a mistake, one a file: each is a warning that names the culprit and the cure."""

from __future__ import annotations

from anholonomy.system.model import Model
from anholonomy.system.warnings.degrees import (
    AngleInDegrees,
    doubt_angle,
    warn_of_degrees,
    warn_of_parameters_in_degrees,
    warn_of_sines_of_degrees,
)
from anholonomy.system.warnings.idle import UnusedParameter, warn_of_idle_parameters
from anholonomy.system.warnings.masses import (
    UnlikelyMass,
    doubt_moments,
    warn_of_impossible_moments,
    warn_of_negative_masses,
)
from anholonomy.system.warnings.primes import ForgottenVelocity, warn_of_forgotten_primes
from anholonomy.system.warnings.unfit import UnfitTerm, warn_of_unfit_terms

__all__ = [
    "AngleInDegrees",
    "ForgottenVelocity",
    "UnfitTerm",
    "UnlikelyMass",
    "UnusedParameter",
    "doubt_angle",
    "doubt_moments",
    "warn_of_degrees",
    "warn_of_mistakes",
    "warn_of_negative_masses",
    "warn_of_values",
]


def warn_of_mistakes(model: Model, built: bool = False) -> None:
    """Say what in a declaration is probably not meant; bodies and contacts that ``built`` it forget no primes, a number
    of theirs, such as a mass that floats, may fall out, and their angles and moments are doubted by name.
    """
    if not built:
        warn_of_forgotten_primes(model)
        warn_of_idle_parameters(model)
        warn_of_unfit_terms(model)
        warn_of_sines_of_degrees(model)
        warn_of_impossible_moments(model)
    warn_of_values(model)


def warn_of_values(model: Model) -> None:
    """Say which values of parameters are probably not meant."""
    warn_of_negative_masses(model)
    warn_of_parameters_in_degrees(model)
