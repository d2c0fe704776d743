"""Exported equations compute what the equations say: C, CasADi, JAX and Modelica on ten systems, by every principle."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import cache
from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from numpy.testing import assert_allclose

import anholonomy as ah
from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.expressions import time
from anholonomy.algebra.numbers.balls import precision
from anholonomy.catalogue import ENTRIES
from anholonomy.equations.evaluation import Evaluation, evaluate_equations
from anholonomy.equations.principles import PRINCIPLES
from anholonomy.language.arguments import plain
from anholonomy.programs.backends.c import c_function
from anholonomy.programs.backends.casadi import CasadiBackend
from anholonomy.programs.backends.jax import JaxBackend
from anholonomy.programs.exports.c_source import c_source, identifier
from anholonomy.programs.exports.c_source import plain as safe_comment
from anholonomy.programs.exports.functions import QUANTITIES, SOLVING, Export
from anholonomy.programs.exports.modelica import ModelicaArithmetic
from anholonomy.programs.program import Program, lower
from anholonomy.system.states.random_states import admissible_points
from tests.programs.c_library import COMPILER, Library
from tests.programs.in_balls import evaluate_program
from tests.programs.programs import STATES, every_function, programs
from tests.properties.random_systems import KINDS, systems
from tests.wording import blames

ARGUMENTS = "f(double t, const double *x, const double *p, double *out)"
NUMERIC = {
    name: getattr(np, name) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "sign")
}
NUMERIC |= {"choice": lambda condition, a, b: a if condition else b}
NUMERIC |= {"Modelica": SimpleNamespace(Math=SimpleNamespace(Special=SimpleNamespace(erf=math.erf)))}
NUMERIC |= {"abs": abs, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2}
STRANGE = "tow */ bar /* ?" + '?/ \\ " \u202e'


def invented() -> ah.System:
    """Forces, gyroscopic terms, a moving potential, constraints affine and moving, and every odd name there is room for."""
    return ah.System(
        name=f"cart {STRANGE}",
        coordinates=["t_", "double", "θ", "x0"],
        lagrangian="m*(t_'^2 + double'^2*(1 + t_^2) + x0'^2)/2 + I*θ'^2/2 + m*x0*θ'*sin(double) - k*t_^2*cos(t)/2",
        constraints={
            STRANGE: "t_'*sin(θ) - double'*cos(θ) = a*sin(t)",
            "y": "x0' = θ'*t_ + abs(double)*tanh(t)",
        },
        forces={
            "t_": "-c*t_' + exp(-t)*atan2(x0, 2)",
            "θ": "sign(x0)*sqrt(1 + double^2)",
            "x0": "x0^3*double' - c^(1/3)",
        },
        parameters={"m": 1.3, "I": 0.4, "k": None, "a": 0.2, "c": 0.7},
    )


@cache
def system(key: str) -> ah.System:
    return invented() if key == "invented" else ENTRIES[key].make()


# The bicycle's C takes half a minute; tests/reference/test_whipple.py differentiates its CasADi function.
SYSTEMS = (*(key for key in ENTRIES if key != "whipple-bicycle"), "invented")


@cache
def _changed(equations, **fields):
    """The same equations with other data."""
    return replace(equations, data=replace(equations.data, **fields))


def motions(key: str) -> list[tuple[float, np.ndarray, np.ndarray, dict]]:
    return draw(system(key), 3)


def draw(model: ah.System, count: int) -> list[tuple[float, np.ndarray, np.ndarray, dict]]:
    """Random admissible states: time, (q, w), parameters, and the same in balls."""
    found, model = [], plain(model)
    with precision(30):
        for point in islice(admissible_points(model, 30, seed=1), count):
            x, p = (
                np.array([float(point[s].mid()) for s in symbols])
                for symbols in ((*model.coordinates, *model.velocities), model.parameter_symbols)
            )
            found.append((float(point[time].mid()), x, p, point))
    return found


def evaluated(equations: ah.principles.EquationsOfMotion, point) -> Evaluation:
    """The equations in ball arithmetic."""
    with precision(30):
        return evaluate_equations(equations.data, point)


def expected(equations: ah.principles.EquationsOfMotion, point) -> np.ndarray:
    return np.array([float(a.mid()) for a in evaluated(equations, point).accelerations])


def principles(key: str) -> list[str]:
    return [f.name for f in PRINCIPLES if f.agrees and f.covers(system(key))]


needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")


@pytest.mark.exhaustive_for(
    "appell-machine",
    "ball-in-cylinder",
    "generalized-heisenberg",
    "invented",
    "leaning-disc-quaternion",
    "n-trailer",
    "rattleback",
    "roller-racer",
    "routh-sphere",
    "rubber-ball",
    "snakeboard",
)
@needs_compiler
@pytest.mark.parametrize("key", SYSTEMS)
def test_c_gives_the_accelerations_by_every_principle(key, tmp_path):
    forms = {
        f"s{k}": e
        for k, name in enumerate(principles(key))
        if not (e := system(key).derive(name)).data.needs_least_squares
    }
    library = Library({prefix: equations.c_source(prefix) for prefix, equations in forms.items()}, tmp_path)
    for prefix, equations in forms.items():
        for t, x, p, point in motions(key):
            wanted = expected(equations, point)
            found = library(f"{prefix}_accelerations", t, x, p, len(wanted))
            assert_allclose(found, wanted, rtol=1e-12, atol=1e-12, err_msg=equations.principle)


POINTS = ([0.3, 0.7], [-1.4, 0.2], [1.9, -1.1])


def exact(program: Program, point) -> list[float]:
    return [float(value.mid()) for value in evaluate_program(program, 0.0, point, [], digits=50)]


@needs_compiler
def test_every_function_of_the_language_in_c(tmp_path):
    program = lower(STATES[:2], [], [], every_function(*STATES[:2]))
    library = Library({"f": f"#include <math.h>\nvoid {ARGUMENTS};\n{c_function(program, 'f', 'none')}"}, tmp_path)
    for point in POINTS:
        wanted = exact(program, point)
        assert_allclose(library("f", 0.0, point, [0.0], len(wanted)), wanted, rtol=4e-15, atol=4e-16)


@pytest.mark.parametrize("backend", [CasadiBackend(), JaxBackend()], ids=lambda backend: backend.name)
def test_every_function_of_the_language_elsewhere(backend):
    """The inverse hyperbolic tangent of JAX is accurate to 2e-14."""
    pytest.importorskip(backend.name)
    program = lower(STATES[:2], [], [], every_function(*STATES[:2]))
    function = backend.compile(program)
    for point in POINTS:
        assert_allclose(function(0.0, point), exact(program, point), rtol=2e-14, atol=4e-16)


def in_python(modelica: str) -> str:
    """An expression of Modelica's; ``(if c then a else b)`` as a call."""
    words = {"^": "**", "(if ": "choice(", " then ": ", ", " else ": ", "}
    for theirs, ours in words.items():
        modelica = modelica.replace(theirs, ours)
    return modelica


def test_every_function_of_the_language_in_modelica():
    x, y = STATES[:2]
    program, text = lower([x, y], [], [], every_function(x, y)), ModelicaArithmetic()
    for point in POINTS:
        values = {"x": point[0], "y": point[1], **NUMERIC}
        found = []
        for output in every_function(x, y):
            written = evaluate(output, text, {x: "x", y: "y"})
            found.append(eval(in_python(written), {}, values))  # noqa: S307
        assert_allclose(found, exact(program, point), rtol=1e-14, atol=1e-15)


@pytest.mark.exhaustive_for("jax")
@pytest.mark.parametrize("backend", [CasadiBackend(), JaxBackend()], ids=lambda backend: backend.name)
@settings(max_examples=6, deadline=None, derandomize=True)
@given(program=programs())
def test_random_programs_agree_with_certified_balls(backend, program):
    pytest.importorskip(backend.name)
    t, x, p = 0.4, [0.5, -0.7, 1.1], [0.9, 0.4]
    certified = [float(value.mid()) for value in evaluate_program(program, t, x, p, digits=50)]
    # Iterated functions amplify rounding; 1e-9 is far below any mistake of translation.
    assert_allclose(backend.compile(program)(t, x, p), certified, rtol=1e-9, atol=1e-9)
    batch = backend.compile(program)(t, np.tile(np.array(x)[:, None], 3), p)
    assert_allclose(batch, np.tile(np.array(certified)[:, None], 3), rtol=1e-9, atol=1e-9)


@pytest.mark.exhaustive_for("appell-machine", "invented", "rattleback")
@pytest.mark.parametrize("key", SYSTEMS)
def test_casadi_gives_the_accelerations_by_every_principle(key):
    pytest.importorskip("casadi")
    for principle in principles(key):
        equations = system(key).derive(principle)
        if equations.data.needs_least_squares:
            continue
        function = equations.casadi(of="accelerations")
        for t, x, p, point in motions(key):
            wanted = expected(equations, point)
            assert_allclose(function(t, x, p).full().ravel(), wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("key", SYSTEMS)
def test_jax_gives_the_accelerations(key):
    jax = pytest.importorskip("jax")
    equations = system(key).derive("hamel" if "hamel" in principles(key) else "lagrange-dalembert")
    with jax.enable_x64(True):
        function = jax.jit(equations.jax(of="accelerations"))
        for t, x, p, point in motions(key):
            assert_allclose(np.asarray(function(t, x, p)), expected(equations, point), rtol=1e-12, atol=1e-12)


@needs_compiler
@pytest.mark.parametrize("kind", KINDS)
def test_random_systems_leave_as_they_are(kind, tmp_path_factory):
    """Metrics, forces, gyroscopic terms, moving potentials and constraints of every kind, drawn at random."""
    pytest.importorskip("casadi")

    @settings(max_examples=2, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(systems(kinds=(kind,)))
    def check(system: ah.System) -> None:
        t, x, p, point = draw(system, 1)[0]
        names = {"a": "lagrange-dalembert", "b": "maggi" if kind == "nonlinear" else "hamel"}
        forms = {prefix: system.derive(principle) for prefix, principle in names.items()}
        texts = {prefix: equations.c_source(prefix) for prefix, equations in forms.items()}
        library = Library(texts, tmp_path_factory.mktemp("random"))
        for prefix, equations in forms.items():
            wanted = expected(equations, point)
            size = np.abs(wanted).max()
            found = library(f"{prefix}_accelerations", t, x, p, len(wanted))
            assert_allclose(found, wanted, rtol=1e-10, atol=1e-11 * size)
            found = equations.casadi(of="accelerations")(t, x, p).full().ravel()
            assert_allclose(found, wanted, rtol=1e-10, atol=1e-11 * size)

    check()


@pytest.mark.exhaustive_for("hamel", "lagrange-dalembert")
@needs_compiler
@pytest.mark.parametrize("principle", ["hamel", "lagrange-dalembert"])
def test_every_quantity_of_c_is_that_of_the_other_backends(principle, tmp_path):
    pytest.importorskip("casadi")
    pytest.importorskip("jax")
    equations = system("invented").derive(principle)
    library = Library({"cart": equations.c_source("cart")}, tmp_path)
    functions = {(name, of): equations.function(name, of) for name in SOLVING for of in QUANTITIES}
    for t, x, p, point in motions("invented"):
        state = functions["numpy", "state"](t, x, p)
        for of in QUANTITIES:
            given = state if of in ("rates", "velocities") else x
            found = library(f"cart_{of}", t, given, p, len(functions["numpy", of].outputs))
            for name in SOLVING:
                assert_allclose(functions[name, of](t, given, p), found, rtol=1e-11, atol=1e-12, err_msg=f"{name} {of}")
        seen = evaluated(equations, point)
        assert_allclose(library("cart_reactions", t, x, p, 4), [float(r.mid()) for r in seen.reactions], rtol=1e-11)
        assert_allclose(library("cart_energy", t, x, p, 1), float(seen.energy.mid()), rtol=1e-12)


def test_the_rates_of_a_state_are_velocities_and_accelerations():
    """Along a short step of the exported rates, the velocities change as the accelerations say."""
    equations = system("invented").derive("hamel")
    rates, velocities = equations.function(), equations.function(of="velocities")
    t, x, p, point = motions("invented")[0]
    state = equations.function(of="state")(t, x, p)
    assert_allclose(velocities(t, state, p), x[4:], rtol=1e-12)
    slope, h = rates(t, state, p), 1e-5
    ahead, behind = (velocities(t + s, state + s * slope, p) for s in (h, -h))
    assert_allclose((ahead - behind) / (2 * h), expected(equations, point), rtol=1e-6)


@needs_compiler
def test_a_state_where_a_fixed_order_of_pivots_fails(tmp_path):
    """The first pivot of the mass matrix vanishes at q = 0 though the matrix is regular there."""
    system = ah.System(
        name="saddle", coordinates=["x", "y"], lagrangian="sin(x)*x'^2/2 + 3*x'*y' + y'^2 - y", parameters={}
    )
    equations = system.derive("lagrange-dalembert")
    wanted = list(equations.accelerations({"x": 0, "y": 0, "x'": 1, "y'": 2}).values())
    library = Library({"saddle": equations.c_source("saddle")}, tmp_path)
    assert_allclose(library("saddle_accelerations", 0.0, [0, 0, 1, 2], [0], 2), wanted, rtol=1e-14, atol=1e-14)
    for backend in SOLVING:
        found = equations.function(backend, "accelerations")(0.0, [0, 0, 1, 2])
        assert_allclose(found, wanted, rtol=1e-13, atol=1e-13)


@pytest.mark.exhaustive
def test_jax_differentiates_maps_and_jits():
    jax = pytest.importorskip("jax")
    equations = ah.catalogue.chaplygin_sleigh().derive("hamel")
    reference, x = equations.function("numpy"), np.array([0.1, 0.2, 0.3, 1.0, -2.0])
    with jax.enable_x64(True):
        f = equations.jax()
        slopes = jax.jit(jax.jacfwd(f, argnums=1))(0.0, x)
        back = jax.jacrev(f, argnums=2)(0.0, x, np.array([1.0, 0.3, 0.2]))
        batch = jax.vmap(f, in_axes=(None, 0))(0.0, np.stack([x, 2 * x]))
    assert slopes.dtype == np.float64
    h = 1e-6
    numeric = [(reference(0.0, x + h * e) - reference(0.0, x - h * e)) / (2 * h) for e in np.eye(5)]
    assert_allclose(slopes, np.transpose(numeric), atol=1e-8)
    p = np.array([1.0, 0.3, 0.2])
    numeric = [(reference(0.0, x, p + h * e) - reference(0.0, x, p - h * e)) / (2 * h) for e in np.eye(3)]
    assert_allclose(back, np.transpose(numeric), atol=1e-8)
    assert_allclose(batch, reference(0.0, np.stack([x, 2 * x]).T).T, rtol=1e-13, atol=1e-14)


def test_jax_refuses_single_precision_and_leaves_the_setting_alone():
    jax = pytest.importorskip("jax")
    equations = ah.catalogue.skate().derive()
    with jax.enable_x64(False):
        with blames(ah.Error):
            equations.jax()(0.0, np.zeros(5))
        assert equations.function("jax")(0.0, [0, 0, 0.1, 1, 2]).dtype == np.float64
        assert not jax.config.jax_enable_x64


def test_casadi_names_and_differentiates():
    casadi = pytest.importorskip("casadi")
    equations = ah.catalogue.chaplygin_sleigh().derive("lagrange-dalembert")
    f = equations.casadi()
    assert [f.name_in(i) for i in range(3)] == ["t", "x", "p"]
    assert (f.name_out(0), f.size1_in(1), f.size1_in(2), f.size1_out(0)) == ("dx", 6, 3, 6)
    x, p = casadi.SX.sym("x", 6), [1.0, 0.3, 0.2]
    slope = casadi.Function("slope", [x], [casadi.jacobian(f(0, x, p), x)])
    at, h, reference = np.array([0.1, 0.2, 0.3, 1.0, 0.4, -2.0]), 1e-6, equations.function("numpy")
    numeric = [(reference(0.0, at + h * e) - reference(0.0, at - h * e)) / (2 * h) for e in np.eye(6)]
    assert_allclose(slope(at).full(), np.transpose(numeric), atol=1e-7)


@pytest.mark.parametrize("key", SYSTEMS)
def test_modelica_equations_hold(key):
    """Every equation of the text holds for the numbers of the other backends, its unknowns found by linear algebra."""
    equations = system(key).derive("lagrange-dalembert")
    text, (t, x, p, _) = equations.modelica("Model"), motions(key)[0]
    body = text.split("\nequation\n")[1].split("\nend Model")[0].splitlines()
    state = equations.function("numpy", "state")(t, x, p)
    known = {"time": t, **{f"x{i}": v for i, v in enumerate(state)}, **{f"p{i}": v for i, v in enumerate(p)}}
    known |= NUMERIC
    rates, pending = equations.function("numpy")(t, state, p), []
    for line in body:
        left, right = line.strip().rstrip(";").replace("^", "**").split(" = ")
        if found := re.fullmatch(r"der\(x(\d+)\)", left):
            assert_allclose(eval(right, {}, known), rates[int(found[1])], rtol=1e-11, atol=1e-11)  # noqa: S307
        elif re.fullmatch(r"z\d+", left):
            known[left] = eval(right, {}, known)  # noqa: S307
        else:
            pending.append((left, right))
            unknown = sorted({z for row, _ in pending for z in re.findall(r"\*(z\d+)", row) if z not in known})
            if len(pending) == len(unknown):
                known |= _solved(pending, unknown, known)
                pending = []
    assert not pending


def _solved(pending, unknown, known) -> dict[str, float]:
    """The unknowns of the linear equations, by evaluating them at unit vectors."""

    def left(values) -> np.ndarray:
        return np.array([eval(row, {}, {**known, **dict(zip(unknown, values, strict=True))}) for row, _ in pending])  # noqa: S307

    matrix = np.column_stack([left(unit) for unit in np.eye(len(unknown))])
    return dict(zip(unknown, np.linalg.solve(matrix, [eval(r, {}, known) for _, r in pending]), strict=True))  # noqa: S307


def test_user_names_are_harmless():
    equations = system("invented").derive("hamel")
    text = equations.c_source("cart")
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    assert "bar" not in code
    assert "θ" not in code
    assert text.count("*/") == text.count("/*") == 1
    assert equations.modelica().count('"') % 2 == 0
    assert safe_comment("a\nb") == "a<U+000A>b"
    assert identifier(None, "θ") == "system"
    assert identifier(None, "3 carts") == "system_3_carts"


@pytest.mark.parametrize("name", ["a b", "int main(void){}", "_x", "", "3d", "θ", "x" * 50])
def test_names_of_functions_are_checked(name):
    equations = ah.catalogue.skate().derive()
    for write in (equations.c_source, equations.modelica):
        with blames(ah.errors.ArgumentError):
            write(name)


def test_wrong_wishes_are_refused_in_a_sentence():
    equations = system("invented").derive()
    with blames(ah.errors.UnknownNameError, "fortran"):
        equations.function("fortran")
    with blames(ah.errors.UnknownNameError, "entropy"):
        equations.function(of="entropy")
    with blames(ah.errors.ArgumentError):
        equations.function()(0.0, np.zeros(6))
    with blames(ah.errors.ArgumentError, "x", "2", "6", "t_"):
        equations.function()(0.0, np.zeros(2), np.ones(5))


def test_a_missing_package_is_named(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "casadi", None)
    equations = ah.catalogue.skate().derive()
    for ask in (equations.casadi, lambda: equations.function("casadi")):
        with blames(ah.Error):
            ask()


def test_least_squares_are_refused_where_nobody_does_them():
    equations = _changed(ah.catalogue.skate().derive("lagrange-dalembert"), needs_least_squares=True)
    for ask in (equations.c_source, equations.casadi, equations.modelica):
        with blames(ah.errors.NotSupportedError):
            ask()
    at = (0.0, [0, 0, 0.3, np.cos(0.3), np.sin(0.3), 2.0])
    assert_allclose(equations.function("jax")(*at), equations.function("numpy")(*at), atol=1e-12)


def test_a_wrong_sign_would_be_noticed(tmp_path):
    equations = ah.catalogue.chaplygin_sleigh().derive("hamel")
    t, x, p, point = motions("chaplygin-sleigh")[0]
    good = equations.function("numpy", "accelerations")(t, x, p)
    bad = _changed(equations, rhs=tuple(-r for r in equations.data.rhs)).function("numpy", "accelerations")(t, x, p)
    assert_allclose(good, expected(equations, point), rtol=1e-12, atol=1e-12)
    assert np.abs(bad - good).max() > 1e-3


def test_command_line_writes_text_and_refuses_the_rest(tmp_path, capsys):
    from anholonomy.cli.main import main

    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as leaving:
            main(["export", "chaplygin-sleigh", *map(str, arguments)])
        return (leaving.value.code, *capsys.readouterr())

    file = tmp_path / "sleigh.c"
    assert call("--to", "c", "--name", "sleigh", "--output", file)[:2] == (0, f"c written to {file}\n")
    assert "void sleigh_rates(double t, const double *x, const double *p, double *dx)\n{" in file.read_text()
    assert "\\begin{document}" in call("--to", "latex", "--by", "maggi")[1]
    assert "end chaplygin_sleigh;" in call("--to", "modelica")[1]
    assert call("--to", "sympy")[1].startswith("K = MutableDenseMatrix([[")
    code, out, err = call("--to", "casadi")
    assert (code, out) == (2, "")
    assert "choose from c, cuda, latex, modelica, sympy" in err
    assert call("--to", "c", "--output", tmp_path)[0] == 2
    assert c_source(Export(ah.catalogue.chaplygin_sleigh().derive().data), "sleigh") == file.read_text()


def test_batches_that_differ_are_refused() -> None:
    f = (
        ah.System(name="a", coordinates=["x"], lagrangian="m*x'^2/2 - k*x", parameters={"m": 1, "k": 2})
        .derive()
        .function()
    )
    with blames(ah.errors.ArgumentError, "1", "4", "2"):
        f(0.0, np.zeros((2, 4)), np.ones((2, 2)))
    with blames(ah.errors.ArgumentError):
        f(0.0, np.zeros((2, 2, 2)))
    assert f(np.zeros(3), np.zeros((2, 3))).shape == (2, 3)


def test_jax_does_not_clamp_what_is_missing() -> None:
    import jax

    jax.config.update("jax_enable_x64", True)
    f = ah.catalogue.chaplygin_sleigh().derive("hamel").jax()
    with blames(ah.Error, "5"):
        f(0.0, np.zeros(4))
    with blames(ah.Error, "3"):
        f(0.0, np.zeros(5), np.ones(2))


def test_names_that_a_language_reserves_are_refused() -> None:
    equations = ah.catalogue.skate().derive()
    with blames(ah.errors.ArgumentError):
        equations.modelica("end")
    with blames(ah.errors.ArgumentError):
        equations.casadi(name="a b")
    assert (
        ah.System(name="model", coordinates=["x"], lagrangian="x'^2")
        .derive()
        .modelica()
        .startswith("model system_model")
    )


def test_c_of_some_quantities() -> None:
    text = ah.catalogue.skate().derive().c_source("skate", of=["accelerations"])
    assert "skate_accelerations" in text
    assert "skate_rates" not in text


def test_sympy_has_the_velocities_too() -> None:
    equations = ah.catalogue.skate().derive("hamel")
    K, _, _ = equations.sympy()
    assert str(K[0, 0]) == "m"
    assert [str(q) for q in equations.sympy_velocities()] == ["x'", "y'", "theta'"]
