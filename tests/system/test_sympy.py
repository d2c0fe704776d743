"""SymPy at the door: a system written with symbols or with functions of time is the one written as text."""

from __future__ import annotations

import pytest
import sympy
from sympy import Derivative, Eq, Symbol, cos, cot, sin, symbols
from sympy.physics.mechanics import dynamicsymbols

import anholonomy as ah
from tests.wording import blames

TEXT = {
    "name": "sleigh",
    "coordinates": ["x", "y", "theta"],
    "lagrangian": "m/2*((x' - a*sin(theta)*theta')^2 + (y' + a*cos(theta)*theta')^2) + J/2*theta'^2",
    "constraints": ["-sin(theta)*x' + cos(theta)*y' = 0"],
    "forces": {"x": "-k*x", "theta": "sin(t)"},
    "parameters": {"m": 1.0, "J": 0.3, "a": 0.2, "k": 0.5},
}
STATES = [
    {"x": 0.3, "y": -0.2, "theta": 0.7, "x'": 1.1, "theta'": -0.4, "t": 0.6},
    {"x": -1, "y": 2, "theta": 2.5, "x'": 0.2, "theta'": 3, "t": 1},
]


def lagrangian(v, th):
    m, J, a = symbols("m J a", positive=True)
    (vx, vy, w) = v
    return m / 2 * ((vx - a * sin(th) * w) ** 2 + (vy + a * cos(th) * w) ** 2) + J / 2 * w**2


def with_symbols(**changes):
    x, y, theta, t = symbols("x y theta t", real=True)
    k = Symbol("k")
    v = [ah.velocity(q) for q in (x, y, theta)]
    words = {
        "coordinates": [x, y, theta],
        "lagrangian": lagrangian(v, theta),
        "constraints": [Eq(sin(theta) * v[0], cos(theta) * v[1])],
        "forces": {x: -k * x, theta: sin(t)},
        "parameters": {
            "m": 1.0,
            Symbol("J"): sympy.Rational(3, 10),
            Symbol("a", positive=True): 0.2,
            k: sympy.Float(0.5),
        },
    }
    return ah.System(name="sleigh", **{**words, **changes})


def with_functions(**changes):
    x, y, theta = dynamicsymbols("x y theta")
    t, k = dynamicsymbols._t, Symbol("k")
    v = [x.diff(t), Derivative(y, t), theta.diff(t)]
    words = {
        "coordinates": [x, y, theta],
        "lagrangian": lagrangian(v, theta),
        "constraints": [cos(theta) * v[1] - sin(theta) * v[0]],
        "forces": {x: -k * x, theta: sin(t)},
        "parameters": TEXT["parameters"],
    }
    return ah.System(name="sleigh", **{**words, **changes})


x, y, theta = dynamicsymbols("x y theta")
t = dynamicsymbols._t
EQUATIONS = {
    "expression": sin(theta) * x.diff(t) - cos(theta) * y.diff(t),
    "equation": Eq(sin(theta) * x.diff(t), cos(theta) * y.diff(t)),
    "unevaluated product": Derivative(x * sin(theta), t) - x * cos(theta) * theta.diff(t) - cos(theta) * y.diff(t),
    "reciprocal function": x.diff(t) - cot(theta) * y.diff(t),
    "text": "sin(theta)*x' = cos(theta)*y'",
}


@pytest.mark.parametrize("make", [with_symbols, with_functions])
@pytest.mark.parametrize("principle", ["hamel", "maggi", "lagrange-dalembert"])
def test_the_same_accelerations_as_from_text(make, principle):
    expected, system = ah.System(**TEXT).derive(principle), make().derive(principle)
    for state in STATES:
        assert system.accelerations(state) == pytest.approx(expected.accelerations(state), rel=1e-14, abs=1e-14)


@pytest.mark.parametrize("row", EQUATIONS.values(), ids=EQUATIONS.keys())
def test_constraints_in_every_dress(row):
    expected = ah.System(**TEXT).derive().accelerations(STATES[0])
    assert with_functions(constraints=[row]).derive().accelerations(STATES[0]) == pytest.approx(expected, rel=1e-13)


def test_parameters_are_known_by_name():
    system = with_symbols()
    assert dict(system.parameters) == TEXT["parameters"]
    assert with_symbols(parameters=symbols("m J a k")).parameters["m"] is None


def test_a_span_of_sympy_vectors():
    theta = Symbol("theta", real=True)
    system = with_symbols(
        span=[sympy.Matrix([cos(theta), sin(theta), 0]), [0, 0, sympy.Integer(1)]], speeds=["u", "omega"]
    )
    expected = ah.System(**TEXT).derive().accelerations(STATES[0])
    assert system.derive().accelerations(STATES[0]) == pytest.approx(expected, rel=1e-13)


def test_a_sympy_system_survives_a_file(tmp_path):
    for system in (
        with_symbols(),
        with_functions(),
        with_functions(lagrangian=sympy.Float("0.1", 40) * x.diff(t) ** 2 + y.diff(t) ** 2 + 0.3 * theta.diff(t) ** 2),
    ):
        system.save(tmp_path / "s.toml")
        assert ah.load(tmp_path / "s.toml") == system


def test_a_float_means_its_decimal():
    """0.1 in Python, in SymPy and in a text are the same number."""
    q = ah.velocity("x") ** 2
    systems = [
        ah.System(name="s", coordinates=["x"], lagrangian=L) for L in ("0.1*x'^2", 0.1 * q, sympy.Float(0.1) * q)
    ]
    assert systems[0] == systems[1] == systems[2]


@pytest.mark.parametrize(
    "bad",
    [
        Derivative(x, Symbol("s")),
        sympy.Function("x")(Symbol("s")).diff(Symbol("s")),
        Derivative(sympy.Function("f")(x, t), x),
    ],
)
def test_other_derivatives_are_refused(bad):
    with blames(ah.errors.DeclarationError):
        with_functions(lagrangian=bad**2)


def test_accelerations_of_functions_are_refused():
    with blames(ah.errors.DeclarationError, "x''"):
        with_functions(lagrangian=x.diff(t, 2) * x.diff(t))


def test_velocity_takes_names_symbols_and_functions():
    assert ah.velocity("x") == ah.velocity(Symbol("x")) == ah.velocity(x) == Symbol("x'")
    with blames(ah.errors.DeclarationError):
        ah.velocity(3)


@pytest.mark.parametrize(
    ("bad", "names"),
    [
        (sympy.Function("f")(x), ("f",)),
        (sympy.Function("f")(t), ("f",)),
        (sympy.Function("f")(t).diff(t), ("f",)),
        (sympy.Function("f")(x, y), ()),
        (sympy.Function("x")(Symbol("s")), ("x", "s")),
    ],
)
def test_unspecified_functions_are_refused(bad, names):
    parameters = {**TEXT["parameters"], "f": 1.0, "s": 1.0}
    for words in ({"lagrangian": bad + x.diff(t) ** 2}, {"forces": {x: bad}}, {"constraints": [Eq(x.diff(t), bad)]}):
        with blames(ah.errors.DeclarationError, *names):
            with_functions(parameters=parameters, **words)


@pytest.mark.parametrize(
    "bad",
    [
        sympy.Integral(sin(t) / t, (t, 0, Symbol("x"))),
        sympy.Sum(Symbol("x") ** t, (t, 0, 3)),
        sympy.Product(Symbol("x"), (t, 1, 2)),
        sympy.Limit(Symbol("x"), Symbol("x"), 0),
        sympy.gamma(x),
        sympy.MatrixSymbol("M", 2, 2)[0, 0],
        sympy.besselj(0, x),
        sympy.floor(x),
    ],
)
def test_what_the_language_does_not_have_is_refused(bad):
    with blames(ah.errors.DeclarationError):
        with_functions(lagrangian=x.diff(t) ** 2 + bad)
