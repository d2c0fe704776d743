"""Every name that moved: it works where it is now, and the old name answers with that place."""

from __future__ import annotations

import inspect
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

import anholonomy as ah
from anholonomy.catalogue import chaplygin_sleigh
from tests.wording import blames

START = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}

OF_A_SYSTEM = """
forces_a forces; momentum momentum_equation; hamiltonian hamiltonian_form; solve closed_form; dimensions units;
adapted_frame geometry.adapted_frame; distribution geometry.distribution; metric geometry.metric; frame geometry.frame;
ehresmann geometry.ehresmann; momentum_map geometry.momentum_map; moving_frame geometry.moving_observer;
steady_motions stability.steady_motion; periodic stability.periodic_orbit; lyapunov stability.lyapunov_exponents;
phase_portrait stability.phase_portrait; geodesic paths.shortest; geodesic paths.least_action; exponential paths.extremal;
wave_front paths.wave_front; abnormal paths.abnormal; variational paths.variational; side_by_side paths.side_by_side;
cut_time paths.extremal; kernel derive; discrete simulate; assembly to_toml; parameter_items parameters; start_items start;
stand_ins model.spare_constraints; with_words model.replaced; without_vanishing model.without_zero_parameters; forces_a model.forces_a"""
OF_A_MODEL = """accelerations bias_n coordinate_kinds directions frame_at_values functions group implied independent invariants
    keeps_redundant kinds matrix_na momenta_a multipliers named names offset_n on_positions one_sided own_coordinates parameter_symbols
    redundant_coordinates redundant_rows scene span_ba speed_names speed_values values velocity_constraints velocity_matrix_na
    with_free_parameters with_values"""
OF_A_SYSTEM += "".join(f"; {name} model.{name}" for name in OF_A_MODEL.split())
OF_EQUATIONS = """
K data.K; right data.rhs; positive data.is_definite; definitions data.definitions; acceleration_matrix data.acceleration_matrix;
acceleration_bias data.acceleration_bias; coordinate_rates data.coordinate_rates; costates data.costates; frame data.frame;
speed_values data.speed_values; least data.needs_least_squares; divisors data.divisors; observables data.observables;
explicit data.explicit; is_solved data.is_solved; compact data.compact; unknown_steps data.unknown_steps; size data.operation_count;
written_size data.expanded_operation_count; model system.model; tidied simplified; derivation principle"""
OF_A_MOTION = "go_on continue_to; declared system; source data"
OF_AN_ENSEMBLE = "declared system; outcome outcomes; stopped stopped_count; model system.model"

OF_THE_PACKAGE = {
    "": "Refusal Error; Sampled Signal; Sweep Ensemble",
    "errors": """
    SyntaxProblem ExpressionError; IllPosedSystem DeclarationError; InadmissibleState StateError; BrokenFile FileError;
    NotCovered NotSupportedError; UnknownName UnknownNameError; IntegrationProblem IntegrationError; GaveUp TimeLimitError;
    Doubt DeclarationWarning; SubstitutedConstraint SubstitutedConstraintWarning; AngleInDegrees DegreesWarning;
    ForgottenVelocity MissingPrimeWarning; UnlikelyMass ImplausibleMassWarning; UnusedParameter UnusedParameterWarning;
    UnfitTerm DimensionWarning; AmbiguousName AmbiguousNameWarning; DoubtfulPotential PotentialEnergyWarning;
    ContradictingMotion InconsistentMotionWarning""",
    "bodies": """
    RigidBody; Revolute; Fixed; Prismatic; Cylindrical; Universal; Spherical; Rolling; Sliding; KnifeEdge; Sphere; Disc; Torus; Ellipsoid;
    Convex; Plane; Ball; Bowl; Cylinder; LevelSurface; ParallelSurface; Force; Torque; Spring; Damper; Motor; JointSpring; JointDamper""",
    "groups": """
    AbstractGroup; Circle; Heisenberg; MatrixGroup; Product; Rn; SE2; SE3; SL2R; SO2; SO21; SO3; SU2; Semidirect; as_group read;
    GROUPS ALL""",
    "geometry": """
    Frame; Form; Tensor; Metric; Distribution; LieAlgebra; JetSpace; SecondTangent; vector_field; lie_bracket; lie_derivative; divergence;
    volume_form; killing_fields; compose_jets; tangent_lift; tangent_equations; bracket_by_flip; flip_test""",
    "connections": """
    AbstractConnection; ArbitraryConnection; CoordinateConnection; EnergyPreservingConnection; LeviCivita LeviCivitaConnection;
    LewisConnection; NonholonomicConnection; Weitzenbock WeitzenbockConnection; Ehresmann EhresmannConnection; PrincipalConnection;
    connection from_coefficients; coordinate_connection coordinate; energy_preserving_connection energy_preserving; levi_civita;
    lewis_connection lewis; nonholonomic_connection nonholonomic; weitzenbock; parallel_transport; CONNECTIONS ALL""",
    "principles": """
    AbstractFormulation AbstractPrinciple; Chaplygin; Connection; FirstVariation; Gauss; GibbsAppell; Hamel; Hamiltonian; Kane;
    LagrangeDAlembert; Maggi; UdwadiaKalaba; Vakonomic; Voronec; EquationsOfMotion; coverage; gauss_function; gibbs_function;
    voronec_principle; invariant_form voronec_residuals; formulation get; PRINCIPLES ALL""",
    "answers": """
    Audit; Branch SteadyFamily; Comparison VakonomicComparison; Extremal; Fit; FlipTest; Hamiltonization; Imported ImportedModel;
    InvariantMeasure; Linearization; MovingEnergy; MovingFrame MovingObserver; Plan; Reduced ReducedSystem;
    ReducedByGroup GroupReducedSystem; SideBySide VakonomicPair; SteadyMotion; VariationalProblem""",
}
HIDDEN = """compile declaration disk displays ensembles exports formulations kernels lazy pictures plurals questions refusals simulate
symbolic tolerances verdict analysis paths reductions suited normal_forces contact_losses"""


def pairs(text: str) -> list[tuple[str, str]]:
    """Old and new name of every entry; an entry of one word has kept its name."""
    words = [entry.split() for entry in text.split(";")]
    return [(each[0], each[-1]) for each in words]


@lru_cache(maxsize=1)
def nouns() -> dict[str, tuple[Any, str]]:
    """By noun, an object and what moved from it."""
    sleigh = chaplygin_sleigh()
    runs = sleigh.ensemble({**START, "theta'": [0.5, 1]}, until=1)
    return {
        "System": (sleigh, OF_A_SYSTEM),
        "Equations": (sleigh.derive(), OF_EQUATIONS),
        "Motion": (sleigh.simulate(START, until=1), OF_A_MOTION),
        "Ensemble": (runs, OF_AN_ENSEMBLE),
    }


@pytest.mark.parametrize("noun", ["System", "Equations", "Motion", "Ensemble"])
def test_an_attribute_that_moved(noun: str) -> None:
    thing, moved = nouns()[noun]
    for old, new in pairs(moved):
        found = thing
        for part in new.split("."):
            found = getattr(found, part)
        with pytest.raises(AttributeError) as refused:
            getattr(thing, old)
        message = str(refused.value)
        assert f"{noun} has no attribute {old!r}; use ." in message
        assert f".{new}" in message, (old, message)
        assert not hasattr(thing, old)


@pytest.mark.parametrize("noun", ["Motion", "Ensemble"])
def test_reading_files_is_a_function_of_the_package(noun: str) -> None:
    with pytest.raises(AttributeError, match=r"use anholonomy\.load\(path\)"):
        _ = nouns()[noun][0].load


@pytest.mark.parametrize("door", OF_THE_PACKAGE)
def test_a_name_of_the_package_that_moved(door: str) -> None:
    for old, new in pairs(OF_THE_PACKAGE[door]):
        place = getattr(ah, door) if door else ah
        assert new in dir(place)
        assert getattr(place, new) is not None
        whole = f"anholonomy.{door}.{new}" if door else f"anholonomy.{new}"
        with pytest.raises(AttributeError) as refused:
            getattr(ah, old)
        assert str(refused.value).endswith(f"; use {whole}"), refused.value
        with pytest.raises(ImportError) as refused_import:
            exec(f"from anholonomy import {old}", {})  # noqa: S102
        assert str(refused_import.value).endswith(f"; use {whole}"), refused_import.value


def test_a_door_shows_its_names_and_no_others() -> None:
    more = {"errors": {"Error", "ArgumentError"}}
    for door, moved in OF_THE_PACKAGE.items():
        if door:
            public = {name for name in dir(getattr(ah, door)) if not name.startswith("_")}
            assert public == {new for _, new in pairs(moved)} | more.get(door, set()), door
    for door in ("catalogue", "testing"):
        assert set(dir(getattr(ah, door))) == set(getattr(ah, door).__all__)


def test_packages_of_the_inside_are_no_names() -> None:
    for name in HIDDEN.split():
        with pytest.raises(AttributeError, match=r"; use anholonomy\.[A-Za-z]|, which was never public") as refused:
            getattr(ah, name)
        assert f"has no attribute {name!r}" in str(refused.value)
    with pytest.raises(AttributeError, match=r"has no attribute 'nonsense'$"):
        _ = ah.nonsense
    with pytest.raises(ImportError, match="cannot import name 'nonsense'"):
        exec("from anholonomy import nonsense", {})  # noqa: S102


def test_rooms_are_imported_as_packages() -> None:
    """A room has the name of something that moved, and is no attribute until somebody imports it."""
    program = (
        "from anholonomy import system, stability, fields; print(system.__name__, stability.__name__, fields.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["anholonomy.system", "anholonomy.stability", "anholonomy.fields"]


def test_forces_of_contacts_are_properties_of_a_motion() -> None:
    assert {"normal_forces", "contact_losses"} <= set(dir(ah.Motion))
    for name in ("normal_forces", "contact_losses"):
        with pytest.raises(AttributeError, match=rf"use anholonomy\.Motion\.{name}"):
            getattr(ah, name)


@pytest.mark.parametrize("noun", ["System", "Equations", "Motion", "Ensemble"])
def test_every_name_of_a_noun_has_a_docstring(noun: str) -> None:
    kind = getattr(ah, noun)
    fields = set(kind.__dataclass_fields__)
    bare = [
        name
        for name in dir(kind)
        if not name.startswith("_") and name not in fields and not getattr(kind, name).__doc__
    ]
    assert not bare


def test_every_name_of_the_package_and_its_doors_has_a_docstring() -> None:
    for door in (ah, *(getattr(ah, name) for name in OF_THE_PACKAGE if name), ah.testing, ah.catalogue):
        for name in dir(door):
            if not name.startswith("_") and name not in ("ALL", "ENTRIES"):
                assert getattr(door, name).__doc__, f"{door.__name__}.{name}"


FORMER_WORDS = {
    "of conserved": (lambda s: s.conserved(unknown=["m"]), "free"),
    "level": (lambda s: s.conserved(on={}), "level"),
    "time": (lambda s: s.conserved(limit=1), "time_limit"),
    "time of others": (lambda s: s.hamiltonize(limit=1), "time_limit"),
    "of a page": (lambda s: s.analyse(unknown=["m"]), "free"),
    "of a steady motion": (lambda s: s.stability.steady_motion(given={}), "fixed"),
    "of an orbit": (lambda s: s.stability.periodic_orbit({}, given={}), "fixed"),
    "of a sweep": (lambda s: s.sweep({"a": [1]}, reduce={"final": "x"}), "summaries"),
    "of a reduction": (lambda s: s.reduced(by="group"), "reduced_by_group()"),
}


@pytest.mark.parametrize(("call", "new"), FORMER_WORDS.values(), ids=FORMER_WORDS)
def test_a_word_of_a_call_that_is_another_now(call: Any, new: str) -> None:
    with blames(ah.errors.UnknownNameError, "use", new):
        call(nouns()["System"][0])


def test_a_word_that_no_verb_had_is_refused_with_those_that_there_are() -> None:
    with blames(ah.errors.UnknownNameError, "time_limit"):
        nouns()["System"][0].invariant_measure(seconds=3)


def test_an_extremal_has_momenta() -> None:
    with pytest.raises(TypeError, match="momenta"):
        nouns()["System"][0].paths.extremal({}, covector={})


def test_an_error_inside_of_a_property_is_not_taken_for_a_missing_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ah.System, "start", property(lambda system: system.model.nonsense))
    with pytest.raises(AttributeError, match="'Model' object has no attribute 'nonsense'"):
        _ = nouns()["System"][0].start


def test_a_traceback_has_the_verb_first_and_no_wrapping_frames() -> None:
    system = nouns()["System"][0]
    for call in (
        lambda: system.simulate({}, until=1),
        lambda: system.conserved("x"),
        lambda: system.derive("nonsense"),
    ):
        with pytest.raises(ah.Error) as refused:
            call()
        files = [Path(str(entry.path)).name for entry in refused.traceback]
        assert files[2] == "system.py"
        assert not {"keywords.py", "quantities_in_calls.py", "registry.py"} & set(files)
    for verb in (ah.System.conserved, ah.System.simulate, ah.Equations.kernel, ah.Motion.at, ah.Ensemble.chart):
        assert Path(str(inspect.getsourcefile(verb))).parent.name == "public"
