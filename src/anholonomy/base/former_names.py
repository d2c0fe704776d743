"""Names that moved: an attribute that is not there says where it is now."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from types import FrameType
from typing import NoReturn

__all__ = ["INSIDE", "NAMES", "RENAMED", "WORDS", "former_word", "refuse_attribute", "refuse_name"]

_MODEL = """accelerations bias_n coordinate_kinds directions frame_at_values functions group implied independent invariants
keeps_redundant kinds matrix_na momenta_a multipliers named names offset_n on_positions one_sided own_coordinates
parameter_symbols redundant_coordinates redundant_rows scene span_ba speed_names speed_values values velocity_constraints
velocity_matrix_na with_free_parameters with_values"""
_DATA = """K definitions acceleration_matrix acceleration_bias coordinate_rates costates frame speed_values divisors observables explicit
is_solved compact unknown_steps"""

NAMES: dict[str, dict[str, str]] = {
    "System": {
        **{name: f"model.{name}" for name in _MODEL.split()},
        "stand_ins": "model.spare_constraints",
        "with_words": "model.replaced(...)",
        "without_vanishing": "model.without_zero_parameters",
        "parameter_items": "parameters",
        "start_items": "start",
        "assembly": "to_toml()",
        "adapted_frame": "geometry.adapted_frame",
        "distribution": "geometry.distribution",
        "metric": "geometry.metric",
        "frame": "geometry.frame",
        "ehresmann": "geometry.ehresmann(...)",
        "momentum_map": "geometry.momentum_map()",
        "moving_frame": "geometry.moving_observer(...)",
        "steady_motions": "stability.steady_motion(...)",
        "periodic": "stability.periodic_orbit(...)",
        "lyapunov": "stability.lyapunov_exponents(...)",
        "phase_portrait": "stability.phase_portrait(...)",
        "geodesic": "paths.shortest(...) or .paths.least_action(...)",
        "exponential": "paths.extremal(...)",
        "cut_time": "paths.extremal(...).cut_time()",
        "wave_front": "paths.wave_front(...)",
        "abnormal": "paths.abnormal()",
        "variational": "paths.variational(...)",
        "side_by_side": "paths.side_by_side(...)",
        "forces_a": "forces or .model.forces_a",
        "momentum": "momentum_equation(...)",
        "hamiltonian": "hamiltonian_form(...)",
        "solve": "closed_form(...)",
        "dimensions": "units",
        "kernel": "derive(...).kernel(...)",
        "discrete": "simulate(..., integrator='dla-midpoint', step=...)",
    },
    "Equations": {
        **{name: f"data.{name}" for name in _DATA.split()},
        "right": "data.rhs",
        "positive": "data.is_definite",
        "least": "data.needs_least_squares",
        "size": "data.operation_count",
        "written_size": "data.expanded_operation_count",
        "model": "system.model",
        "derivation": "principle",
        "of": "anholonomy.System.derive(...)",
        "tidied": "simplified",
    },
    "Motion": {
        "go_on": "continue_to(...)",
        "load": "anholonomy.load(path)",
        "declared": "system",
        "source": "data",
    },
    "Ensemble": {
        "declared": "system",
        "model": "system.model",
        "outcome": "outcomes",
        "stopped": "stopped_count",
        "load": "anholonomy.load(path)",
        "open": "anholonomy.load(path)",
        "of": "anholonomy.System.ensemble(...)",
    },
}
"""For each noun, the names that it had and where they are now."""


def refuse_attribute(thing: object, name: str) -> NoReturn:
    """Say where a name of a noun is now, or that there is none; of a property that failed with an `AttributeError`, raise that."""
    noun = type(thing).__name__
    if hasattr(type(thing), name):
        object.__getattribute__(thing, name)
    new = NAMES[noun].get(name, "")
    where = new if new.startswith("anholonomy.") else f".{new}"
    raise AttributeError(f"{noun} has no attribute {name!r}" + (f"; use {where}" if new else ""))


WORDS = {
    "limit": "time_limit",
    "given": "fixed",
    "covector": "momenta",
    "unknown": "free",
    "on": "level",
    "reduce": "summaries",
}
"""Words of calls that are others now, in the verbs that have the new ones."""


def former_word(verb: str, name: str, known: Sequence[str]) -> str:
    """What to write for a word that a verb no longer has; empty if it never had one."""
    if (verb, name) == ("reduced", "by"):
        return "reduced_by_group() for by='group'"
    return repr(WORDS[name]) if WORDS.get(name) in known else ""


_DOORS = ("errors", "bodies", "groups", "geometry", "connections", "principles", "answers")
RENAMED = {
    "Refusal": "Error",
    "Sampled": "Signal",
    "SyntaxProblem": "errors.ExpressionError",
    "IllPosedSystem": "errors.DeclarationError",
    "InadmissibleState": "errors.StateError",
    "BrokenFile": "errors.FileError",
    "NotCovered": "errors.NotSupportedError",
    "UnknownName": "errors.UnknownNameError",
    "IntegrationProblem": "errors.IntegrationError",
    "GaveUp": "errors.TimeLimitError",
    "Doubt": "errors.DeclarationWarning",
    "AngleInDegrees": "errors.DegreesWarning",
    "ForgottenVelocity": "errors.MissingPrimeWarning",
    "UnlikelyMass": "errors.ImplausibleMassWarning",
    "UnfitTerm": "errors.DimensionWarning",
    "DoubtfulPotential": "errors.PotentialEnergyWarning",
    "ContradictingMotion": "errors.InconsistentMotionWarning",
    "Sweep": "Ensemble",
    "Branch": "answers.SteadyFamily",
    "Comparison": "answers.VakonomicComparison",
    "Imported": "answers.ImportedModel",
    "MovingFrame": "answers.MovingObserver",
    "Reduced": "answers.ReducedSystem",
    "ReducedByGroup": "answers.GroupReducedSystem",
    "SideBySide": "answers.VakonomicPair",
    "AbstractFormulation": "principles.AbstractPrinciple",
    "formulation": "principles.get",
    "invariant_form": "principles.voronec_residuals",
    "PRINCIPLES": "principles.ALL",
    "as_group": "groups.read",
    "GROUPS": "groups.ALL",
    "CONNECTIONS": "connections.ALL",
    "connection": "connections.from_coefficients",
    "coordinate_connection": "connections.coordinate",
    "energy_preserving_connection": "connections.energy_preserving",
    "lewis_connection": "connections.lewis",
    "nonholonomic_connection": "connections.nonholonomic",
    "LeviCivita": "connections.LeviCivitaConnection",
    "Weitzenbock": "connections.WeitzenbockConnection",
    "Ehresmann": "connections.EhresmannConnection",
    "SubstitutedConstraint": "errors.SubstitutedConstraintWarning",
    "UnusedParameter": "errors.UnusedParameterWarning",
    "AmbiguousName": "errors.AmbiguousNameWarning",
    "normal_forces": "Motion.normal_forces",
    "contact_losses": "Motion.contact_losses",
    "suited": "System.derive()",
    "analysis": "System.analyse(...)",
    "ensembles": "Ensemble",
    "exports": "Equations.c_source(...)",
    "fields": "Field",
    "findings": "Finding",
    "fitting": "System.fit(...)",
    "formulations": "principles",
    "importing": "from_sympy(...)",
    "kernels": "Equations.kernel(...)",
    "paths": "System.paths",
    "plans": "System.plan(...)",
    "reductions": "System.reduced(...)",
    "refusals": "errors",
    "simulate": "System.simulate(...)",
    "stability": "System.stability",
    "system": "System",
    "verdict": "Verdict",
}
"""Names of the package that have another name now."""
INSIDE = frozenset(
    [
        "compile",
        "declaration",
        "disk",
        "displays",
        "language",
        "lazy",
        "pictures",
        "plurals",
        "public",
        "questions",
        "show",
        "symbolic",
        "tolerances",
    ]
)
"""Names of packages and files that were reached by accident."""


def refuse_name(package: str, name: str) -> NoReturn:
    """Say where a name of the package is now, or that there is none; of ``from package import name`` it is an `ImportError` that says so."""
    top = package.partition(".")[0]
    new = RENAMED.get(name)
    if new is None:
        new = next((f"{door}.{name}" for door in _DOORS if name in dir(import_module(f"{top}.{door}"))), None)
    where = f"; use {top}.{new}" if new else ", which was never public" if name in INSIDE else ""
    if new and _is_import_from() and find_spec(f"{top}.{name}") is None:
        raise ImportError(f"cannot import {name!r} from {package!r}{where}", name=package)
    raise AttributeError(f"module {package!r} has no attribute {name!r}{where}")


def _is_import_from() -> bool:
    """True if ``from package import name`` asks; Python replaces the sentence of an `AttributeError` there by its own."""
    frame: FrameType | None = sys._getframe(3)
    return frame is not None and frame.f_code.co_name == "_handle_fromlist"
